import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FilterRequest } from "../../src/ledger/index.js";
import {
  activeContracts,
  Collector,
  contractIdOf,
  drain,
  failure,
  packageId,
  packageName,
  packagePayload,
  startLedger,
  submission,
  success,
  summaryOf,
  transactions,
  updates,
  viewsOf,
  wildcard,
  type Fixture,
  type Step,
} from "./support.js";

type Parties = { alice: string; bob: string; carol: string; dave: string };
const kindsOf = (transaction: { events: Record<string, unknown>[] }): string[] => transaction.events.map((event) => Object.keys(event)[0]!);

async function run({ ledger }: Fixture, actAs: readonly string[], steps: readonly Step[]): Promise<number> {
  return success(await ledger.submit(submission(actAs, steps))).completionOffset;
}

describe("projection", () => {
  it("a delta shows a create to stakeholders only, observers included, and names only the parties asked for", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob, carol } = fixture.parties as Parties;
    await run(fixture, [alice], [{ create: "c", signatories: [alice], observers: [bob] }]);
    for (const [asked, expected] of [
      [[alice], [alice]],
      [[bob], [bob]],
      [
        [alice, bob, carol],
        [alice, bob],
      ],
    ] as const) {
      const [transaction] = await transactions(fixture.ledger, wildcard(...asked));
      assert.deepEqual(transaction.events[0].CreatedEvent.witnessParties, expected);
    }
    assert.deepEqual(await transactions(fixture.ledger, wildcard(carol)), []);
    const any = await transactions(fixture.ledger, { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: true });
    assert.deepEqual(any[0].events[0].CreatedEvent.witnessParties, [alice, bob]);
  });

  it("the command id and cost are shown to readers of a submitter and hidden from others, in both shapes", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob } = fixture.parties as Parties;
    success(
      await fixture.ledger.submit(
        submission([alice], [{ create: "c", signatories: [alice], observers: [bob] }], { commandId: "mine", workflowId: "flow" }),
      ),
    );
    for (const shape of ["acsDelta", "ledgerEffects"] as const) {
      const [own] = await transactions(fixture.ledger, wildcard(alice), shape),
        [other] = await transactions(fixture.ledger, wildcard(bob), shape);
      assert.deepEqual([own.commandId, own.paidTrafficCost, own.workflowId], ["mine", 0, "flow"]);
      assert.deepEqual([other.commandId, other.paidTrafficCost, other.workflowId], ["", null, "flow"]);
    }
  });

  it("a transient contract and a lone non-consuming exercise are absent from the delta and present in ledger effects", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as Parties;
    await run(fixture, [alice], [{ create: "kept", signatories: [alice] }]);
    const transient = await run(
      fixture,
      [alice],
      [
        { create: "gone", signatories: [alice] },
        { exercise: "gone", by: [alice] },
      ],
    );
    const used = await run(fixture, [alice], [{ exercise: "kept", by: [alice], consuming: false, choice: "Look" }]);
    assert.deepEqual(
      (await transactions(fixture.ledger, wildcard(alice))).map((one) => one.offset),
      [transient - 1],
    );
    const effects = await transactions(fixture.ledger, wildcard(alice), "ledgerEffects");
    assert.deepEqual(
      effects.map((one) => [one.offset, kindsOf(one)]),
      [
        [transient - 1, ["CreatedEvent"]],
        [transient, ["CreatedEvent", "ExercisedEvent"]],
        [used, ["ExercisedEvent"]],
      ],
    );
    assert.deepEqual(
      [
        effects[1].events[0].CreatedEvent.acsDelta,
        effects[1].events[1].ExercisedEvent.acsDelta,
        effects[2].events[0].ExercisedEvent.acsDelta,
      ],
      [false, false, false],
    );
    const byOffset = await fixture.ledger.readUpdate({ by: { offset: used }, format: updates(wildcard(alice)), form: "update" });
    assert.equal(failure(byOffset).code, "UPDATE_NOT_FOUND");
    const empty = success(
      await fixture.ledger.readUpdate({ by: { offset: used }, format: updates(wildcard(alice)), form: "flat", emptyWhenHidden: true }),
    );
    assert.deepEqual([JSON.parse(empty).events, JSON.parse(empty).paidTrafficCost], [[], 0]);
  });

  it("an update that is not there is named as ids are spelled, however it was asked for", async (t) => {
    const { ledger, parties } = await startLedger(t),
      format = updates(wildcard((parties as Parties).alice));
    const missing = failure(await ledger.readUpdate({ by: { updateId: `1220${"AB".repeat(32)}` }, format, form: "update" }));
    assert.deepEqual([missing.code, missing.resources], ["UPDATE_NOT_FOUND", [["UPDATE_ID", `1220${"ab".repeat(32)}`]]]);
  });

  it("a create under a seen exercise is in ledger effects without ACS delta, and never in the active contracts", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob, carol } = fixture.parties as Parties;
    await run(fixture, [alice], [{ create: "parent", signatories: [alice], observers: [bob] }]);
    const offset = await run(
      fixture,
      [alice, carol],
      [{ exercise: "parent", by: [alice], children: [{ create: "secret", signatories: [carol] }] }],
    );
    const [, effects] = await transactions(fixture.ledger, wildcard(bob), "ledgerEffects");
    assert.deepEqual(kindsOf(effects), ["ExercisedEvent", "CreatedEvent"]);
    assert.deepEqual(
      [effects.events[1].CreatedEvent.acsDelta, effects.events[1].CreatedEvent.witnessParties, effects.events[0].ExercisedEvent.acsDelta],
      [false, [bob], true],
    );
    const delta = await transactions(fixture.ledger, wildcard(bob));
    assert.deepEqual(kindsOf(delta[1]), ["ArchivedEvent"]);
    assert.deepEqual(Object.keys(delta[1].events[0].ArchivedEvent), [
      "offset",
      "nodeId",
      "contractId",
      "templateId",
      "witnessParties",
      "packageName",
      "implementedInterfaces",
    ]);
    assert.deepEqual(await activeContracts(fixture.ledger, wildcard(bob), offset), []);
    assert.deepEqual(
      (await activeContracts(fixture.ledger, wildcard(carol), offset)).map((one) => one.contractId),
      [contractIdOf("secret")],
    );
  });

  it("node ids keep the gaps of fetches, and the intervals of exercises enclose their descendants", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as Parties;
    await run(
      fixture,
      [alice],
      [
        { create: "a", signatories: [alice] },
        { create: "b", signatories: [alice] },
      ],
    );
    await run(
      fixture,
      [alice],
      [
        {
          exercise: "a",
          by: [alice],
          children: [{ fetch: "b" }, { exercise: "b", by: [alice], consuming: false, children: [{ create: "c", signatories: [alice] }] }],
        },
      ],
    );
    const [, transaction] = await transactions(fixture.ledger, wildcard(alice), "ledgerEffects");
    assert.deepEqual(
      transaction.events.map((event: Record<string, { nodeId: number; lastDescendantNodeId?: number }>) => {
        const [one] = Object.values(event);
        return [one!.nodeId, one!.lastDescendantNodeId];
      }),
      [
        [0, 3],
        [2, 3],
        [3, undefined],
      ],
    );
  });

  it("trees key the same events by node id", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob } = fixture.parties as Parties;
    await run(fixture, [alice], [{ create: "a", signatories: [alice], observers: [bob] }]);
    const offset = await run(fixture, [alice], [{ exercise: "a", by: [alice], children: [{ create: "b", signatories: [alice] }] }]);
    const tree = JSON.parse(
      success(await fixture.ledger.readUpdate({ by: { offset }, format: updates(wildcard(bob), "ledgerEffects"), form: "tree" })),
    );
    assert.deepEqual(Object.keys(tree), [
      "updateId",
      "commandId",
      "workflowId",
      "effectiveAt",
      "offset",
      "eventsById",
      "synchronizerId",
      "traceContext",
      "recordTime",
    ]);
    assert.deepEqual(
      Object.entries(tree.eventsById).map(([id, event]) => [id, Object.keys(event as object)[0]]),
      [
        ["0", "ExercisedTreeEvent"],
        ["1", "CreatedTreeEvent"],
      ],
    );
    const stream = await drain(
      fixture.ledger.openUpdates({
        beginExclusive: offset - 1,
        endInclusive: offset,
        format: updates(wildcard(bob), "ledgerEffects"),
        form: "tree",
        descending: false,
      }),
    );
    assert.deepEqual(stream[0].update.TransactionTree.value, tree);
  });

  it("template and interface filters select by name, blobs and views come only when asked for", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as Parties;
    await run(
      fixture,
      [alice],
      [
        { create: "asset", signatories: [alice] },
        { create: "other", template: "M:Other", signatories: [alice] },
      ],
    );
    const format = (filter: object) => ({
      filtersByParty: { [alice]: { cumulative: [filter as never] } },
      filtersForAnyParty: undefined,
      verbose: true,
    });
    const template = await activeContracts(
      fixture.ledger,
      format({ kind: "template", templateId: `#${packageName}:M:Other`, includeCreatedEventBlob: true }),
    );
    assert.deepEqual(
      template.map((one) => [one.contractId, Buffer.from(one.createdEventBlob, "base64").toString()]),
      [[contractIdOf("other"), "instance of other"]],
    );
    const viewed = await activeContracts(
      fixture.ledger,
      format({ kind: "interface", interfaceId: `#${packageName}:M:Holding`, includeInterfaceView: true, includeCreatedEventBlob: false }),
    );
    assert.equal(viewed.length, 1);
    assert.deepEqual(viewed[0].interfaceViews, [
      {
        interfaceId: `${packageId}:M:Holding`,
        viewStatus: { code: 0, message: "", details: [] },
        viewValue: { of: "instance of asset" },
        implementationPackageId: packageId,
      },
    ]);
    assert.equal(viewed[0].createdEventBlob, "");
    const unviewed = await transactions(
      fixture.ledger,
      format({ kind: "interface", interfaceId: `#${packageName}:M:Holding`, includeInterfaceView: false, includeCreatedEventBlob: false }),
    );
    assert.deepEqual(
      unviewed[0].events.map((event: { CreatedEvent: { contractId: string; interfaceViews: unknown[] } }) => [
        event.CreatedEvent.contractId,
        event.CreatedEvent.interfaceViews,
      ]),
      [[contractIdOf("asset"), []]],
    );
  });

  it("views that witnesses ask for come before those that are asked for of any party", async (t) => {
    const interfaceId = (name: string) => `${packageId}:M:${name}`,
      summary = summaryOf({ implements: { "M:Asset": ["Bare", "Holding"].map(interfaceId) } }),
      fixture = await startLedger(t, { builtInPackages: async () => [{ summary, payload: packagePayload }] }),
      { alice } = fixture.parties as Parties,
      viewOf = (name: string) => viewsOf(alice, name).filtersByParty[alice]!;
    await run(fixture, [alice], [{ create: "c", signatories: [alice] }]);
    await run(fixture, [alice], [{ exercise: "c", by: [alice] }]);
    for (const [own, any] of [
      ["Holding", "Bare"],
      ["Bare", "Holding"],
    ] as const) {
      const format = { ...wildcard(), filtersByParty: { [alice]: viewOf(own) }, filtersForAnyParty: viewOf(any) },
        [made, ended] = await transactions(fixture.ledger, format);
      assert.deepEqual(
        made.events[0].CreatedEvent.interfaceViews.map((view: { interfaceId: string }) => view.interfaceId),
        [own, any].map(interfaceId),
      );
      assert.deepEqual(ended.events[0].ArchivedEvent.implementedInterfaces, [own, any].map(interfaceId));
    }
  });

  it("of deltas a tree has the created events, and is there without events where contracts only ended", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob } = fixture.parties as Parties;
    const first = await run(fixture, [alice], [{ create: "first", signatories: [alice], observers: [bob] }]);
    const both = await run(
      fixture,
      [alice],
      [
        { exercise: "first", by: [alice] },
        { create: "second", signatories: [alice] },
      ],
    );
    const last = await run(fixture, [alice], [{ exercise: "second", by: [alice] }]);
    const trees = await drain(
      fixture.ledger.openUpdates({
        beginExclusive: 0,
        endInclusive: fixture.ledger.ledgerEnd(),
        format: updates(wildcard(alice)),
        form: "tree",
        descending: false,
      }),
    );
    assert.deepEqual(
      trees.map(({ update: { TransactionTree } }) => [
        TransactionTree.value.offset,
        Object.entries(TransactionTree.value.eventsById as Record<string, Record<string, unknown>>).map(([nodeId, event]) => [
          nodeId,
          Object.keys(event)[0],
        ]),
      ]),
      [
        [first, [["0", "CreatedTreeEvent"]]],
        [both, [["1", "CreatedTreeEvent"]]],
        [last, []],
      ],
    );
  });

  it("who asks only for interfaces that no template implements is no reader of what others are told", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob } = fixture.parties as Parties,
      onlyInterface = (name: string) => ({
        cumulative: [
          {
            kind: "interface",
            interfaceId: `#${packageName}:M:${name}`,
            includeInterfaceView: true,
            includeCreatedEventBlob: false,
          } as const,
        ],
      });
    success(
      await fixture.ledger.submit(
        submission([alice], [{ create: "c", signatories: [alice], observers: [bob] }], { commandId: "mine", workflowId: "flow" }),
      ),
    );
    const beside = (name: string) => [
      { ...wildcard(bob), filtersByParty: { [alice]: onlyInterface(name), [bob]: { cumulative: [] } } },
      { ...wildcard(bob), filtersForAnyParty: onlyInterface(name) },
    ];
    for (const shape of ["acsDelta", "ledgerEffects"] as const)
      for (const format of beside("Bare")) {
        const [one] = await transactions(fixture.ledger, format, shape);
        assert.deepEqual([one.commandId, one.paidTrafficCost, one.events[0].CreatedEvent.witnessParties], ["", null, [bob]]);
        assert.deepEqual((await activeContracts(fixture.ledger, format))[0].witnessParties, [bob]);
      }
    // A template that was uploaded is enough, and need not have contracts.
    for (const format of beside("Promise")) {
      const [one] = await transactions(fixture.ledger, format);
      assert.deepEqual([one.commandId, one.events[0].CreatedEvent.witnessParties], ["mine", [alice, bob]]);
    }
    assert.deepEqual(await transactions(fixture.ledger, { ...wildcard(), filtersForAnyParty: onlyInterface("Bare") }), []);
  });

  it("he is one from the upload on that brings a template which implements it, in a stream that is open then too", async (t) => {
    const fixture = await startLedger(t),
      { ledger, interpreter } = fixture,
      { alice, bob } = fixture.parties as Parties,
      format = { ...wildcard(), filtersByParty: { ...viewsOf(alice, "Bare").filtersByParty, ...wildcard(bob).filtersByParty } };
    const cursor = success(
        ledger.openUpdates({
          beginExclusive: ledger.ledgerEnd(),
          endInclusive: undefined,
          format: updates(format),
          form: "update",
          descending: false,
        }),
      ),
      out = new Collector();
    t.after(() => cursor.close());
    const step = (create: string): Step => ({ create, template: "M:Other", signatories: [alice], observers: [bob] });
    await run(fixture, [alice], [step("before")]);
    assert.equal(await cursor.read(1, out), 1);
    const added = summaryOf({ packageId: "e".repeat(64), version: "1.1.0", implements: { "M:Unmade": [`${packageId}:M:Bare`] } });
    interpreter.dar = { ok: { mainPackageId: added.packageId, packages: [{ summary: added, payload: Buffer.from("more") }] } };
    success(await ledger.uploadDar(Buffer.from("dar"), { vetAllPackages: true, synchronizerId: "" }));
    await run(fixture, [alice], [step("behind")]);
    assert.equal(await cursor.read(1, out), 1);
    assert.deepEqual(
      out.elements.map((element) => {
        const { commandId, events } = JSON.parse(element).update.Transaction.value;
        return [commandId !== "", events[0].CreatedEvent.witnessParties];
      }),
      [
        [false, [bob]],
        [true, [alice, bob]],
      ],
    );
  });

  it("formats that name nobody, ids instead of names, or unknown names have their codes", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as Parties;
    const cases: [object, string][] = [
      [{ filtersByParty: {}, filtersForAnyParty: undefined, verbose: true }, "INVALID_ARGUMENT"],
      [{ kind: "template", templateId: `${packageId}:M:Asset`, includeCreatedEventBlob: false }, "INVALID_FIELD"],
      [{ kind: "template", templateId: "#nope:M:Asset", includeCreatedEventBlob: false }, "PACKAGE_NAMES_NOT_FOUND"],
      [
        { kind: "template", templateId: `#${packageName}:M:Nope`, includeCreatedEventBlob: false },
        "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
      ],
      [
        { kind: "interface", interfaceId: `#${packageName}:M:Asset`, includeInterfaceView: true, includeCreatedEventBlob: false },
        "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
      ],
    ];
    for (const [given, code] of cases) {
      const format =
        "kind" in given
          ? { filtersByParty: { [alice]: { cumulative: [given as never] } }, filtersForAnyParty: undefined, verbose: true }
          : (given as never);
      assert.equal(failure(ledger.openActiveContracts({ activeAtOffset: 0, format })).code, code);
      assert.equal(
        failure(ledger.openUpdates({ beginExclusive: 0, endInclusive: 1, format: updates(format), form: "update", descending: false }))
          .code,
        code,
      );
    }
  });

  it("of several faults of a format the first is told: party by party, of each its templates, then its interfaces", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice, bob } = parties as Parties;
    const template = (templateId: string | undefined) => ({ kind: "template", templateId, includeCreatedEventBlob: false }) as const,
      ofInterface = (interfaceId: string | undefined) =>
        ({ kind: "interface", interfaceId, includeInterfaceView: false, includeCreatedEventBlob: false }) as const,
      byPackageId = `${packageId}:M:Asset`;
    const told = (own: readonly FilterRequest[], other: readonly FilterRequest[], any: readonly FilterRequest[] = []) => {
      const format = {
        filtersByParty: { [alice]: { cumulative: own }, [bob]: { cumulative: other } },
        filtersForAnyParty: { cumulative: any },
        verbose: false,
      };
      const { code, context } = failure(ledger.openActiveContracts({ activeAtOffset: 0, format }));
      return [code, context["field_name"]].filter((word) => word !== undefined).join(" ");
    };
    assert.equal(told([ofInterface(byPackageId)], [ofInterface(undefined)]), "INVALID_FIELD");
    assert.equal(told([ofInterface(undefined)], [ofInterface(byPackageId)]), "MISSING_FIELD interfaceId");
    assert.equal(told([ofInterface(undefined), template(byPackageId)], []), "INVALID_FIELD");
    assert.equal(told([ofInterface(byPackageId), template(undefined)], []), "MISSING_FIELD templateId");
    assert.equal(told([], [], [ofInterface(undefined)]), "MISSING_FIELD interfaceId");
  });

  it("events of a contract are given to stakeholders and look missing to everyone else", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob } = fixture.parties as Parties;
    const created = await run(fixture, [alice], [{ create: "c", signatories: [alice] }]);
    const read = async (party: string) => fixture.ledger.readEventsByContractId(contractIdOf("c"), wildcard(party));
    const before = JSON.parse(success(await read(alice)));
    assert.deepEqual([before.created.createdEvent.offset, before.archived], [created, null]);
    const archived = await run(fixture, [alice], [{ exercise: "c", by: [alice] }]);
    assert.deepEqual(JSON.parse(success(await read(alice))).archived.archivedEvent.offset, archived);
    assert.equal(failure(await read(bob)).code, "CONTRACT_EVENTS_NOT_FOUND");
    assert.equal(
      failure(await fixture.ledger.readEventsByContractId(contractIdOf("unknown"), wildcard(alice))).code,
      "CONTRACT_EVENTS_NOT_FOUND",
    );
    assert.equal(failure(await fixture.ledger.readEventsByContractId("zz", wildcard(alice))).code, "INVALID_FIELD");
    const contract = JSON.parse(success(await fixture.ledger.readContract(contractIdOf("c"), []))).createdEvent;
    assert.deepEqual(
      [contract.offset, contract.nodeId, contract.acsDelta, Buffer.from(contract.createdEventBlob, "base64").toString()],
      [1, 0, false, "instance of c"],
    );
  });
});
