/** What may happen once happens once: double spends, races, deduplication, authority, keys and rollbacks. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { eventually } from "../http/harness.js";
import { lost } from "../prove/real/double-spend.js";
import type { Reply } from "../support/node-process.js";
import {
  create,
  createAndExercise,
  createdIn,
  darOf,
  eventsOf,
  exercise,
  exerciseByKey,
  ledgerEffects,
  World,
  type Command,
  type Json,
} from "./world.js";
import { keyedDar, keyedTemplate } from "./keyed-model.js";
import { storyDar, storyTemplate } from "./story-model.js";

const cash = storyTemplate("Cash"),
  note = storyTemplate("Note"),
  delegation = storyTemplate("Delegation"),
  pact = storyTemplate("Pact");
const asset = "#ref-model:M:Asset",
  multi = "#ref-model:M:Multi",
  holding = "#ref-model:M:Holding";

let world: World, alice: string, bob: string, carol: string;
before(async () => {
  world = await World.start(
    [storyDar, keyedDar, darOf("canton", "model1.dar"), darOf("engine", "dars", "keys-2.3.dar"), darOf("engine", "dars", "exc-2.1.dar")],
    ["--memory", "--workers", "2"],
  );
  [alice, bob, carol] = await world.parties("alice", "bob", "carol");
});
after(() => world.stop());

const noteOf = (changes: Json = {}): Json => ({ owner: alice, reader: bob, text: "note", ...changes });
const newNote = async (changes: Json = {}): Promise<string> => (await world.create([alice], note, noteOf(changes))).contractId;
const newDelegation = async (): Promise<string> => (await world.create([alice], delegation, { owner: alice, delegate: bob })).contractId;

describe("double spend", () => {
  it("in a later transaction: CONTRACT_NOT_FOUND", async () => {
    const contractId = await newNote();
    await world.transact([alice], [exercise(note, contractId, "Discard")]);
    assert.equal((await world.refused([alice], [exercise(note, contractId, "Discard")])).code, "CONTRACT_NOT_FOUND");
    assert.equal((await world.refused([alice], [exercise(note, contractId, "Touch")])).code, "CONTRACT_NOT_FOUND");
  });

  it("in the same transaction, by two commands or by one choice: CONTRACT_NOT_ACTIVE", async () => {
    const contractId = await newNote(),
      delegated = await newDelegation();
    const twice: readonly (readonly [string, readonly Command[]])[] = [
      [alice, [exercise(note, contractId, "Discard"), exercise(note, contractId, "Discard")]],
      [alice, [exercise(note, contractId, "Discard"), exercise(note, contractId, "Touch")]],
      [bob, [exercise(delegation, delegated, "DiscardTwice", { note: contractId })]],
    ];
    for (const [party, commands] of twice)
      assert.equal((await world.refused([party], commands, { readAs: [alice] })).code, "CONTRACT_NOT_ACTIVE");
    await world.transact([alice], [exercise(note, contractId, "Touch")]);
  });

  it("by two parties who each may: the second is too late", async () => {
    const contractId = await newNote();
    await world.transact([bob], [exercise(note, contractId, "TakeAway")]);
    assert.equal((await world.refused([alice], [exercise(note, contractId, "Discard")])).code, "CONTRACT_NOT_FOUND");
  });

  it("once a contract is archived, no fetch and no exercise of it has a later offset", async () => {
    const delegated = await newDelegation();
    for (let round = 0; round < 10; round++) {
      const contractId = await newNote(),
        begin = await world.ledgerEnd();
      const uses = (choice: string) =>
        world.submit([bob], [exercise(delegation, delegated, choice, { note: contractId })], { readAs: [alice] });
      const replies = await Promise.all([
        uses("FetchNote"),
        uses("TouchNote"),
        world.submit([alice], [exercise(note, contractId, "Discard")]),
        uses("FetchNote"),
        uses("TouchNote"),
      ]);
      const discarded = replies[2]!.json().completionOffset;
      assert.equal(replies[2]!.status, 200, replies[2]!.text);
      for (const reply of replies) {
        if (reply.status === 200) assert.ok(reply.json().completionOffset <= discarded);
        else assert.ok(lost.has(reply.json().code), reply.text);
      }
      assert.ok((await world.ledgerEnd()) > begin);
    }
  });

  it("a plain archive against an exercise by disclosure: one wins, thirty times", async () => {
    const delegated = await newDelegation();
    for (let round = 0; round < 30; round++) {
      const created = await world.create([alice], note, noteOf({ reader: alice }));
      const disclosedContracts = [
        { contractId: created.contractId, templateId: created.templateId, createdEventBlob: created.createdEventBlob, synchronizerId: "" },
      ];
      const replies = await Promise.all([
        world.submit([alice], [exercise(note, created.contractId, "Discard")]),
        world.submit([bob], [exercise(delegation, delegated, "DiscardNote", { note: created.contractId })], { disclosedContracts }),
      ]);
      assert.deepEqual(replies.map(({ status }) => status === 200).sort(), [false, true], replies.map(({ text }) => text).join("\n"));
      for (const reply of replies.filter(({ status }) => status !== 200)) assert.ok(lost.has(reply.json().code), reply.text);
    }
  });
});

describe("a later ledger time", () => {
  it("what is wrong with a command is told at once, what was archived meanwhile when its time has come", async () => {
    const { contractId } = await world.create([alice], note, noteOf()),
      discard = [exercise(note, contractId, "Discard")],
      hour = { minLedgerTimeRel: { seconds: 3_600 } };
    assert.equal((await world.refused([bob], discard, hour)).code, "DAML_AUTHORIZATION_ERROR");
    const later = { minLedgerTimeRel: { seconds: 4 } },
      late = world.submit([alice], discard, later),
      other = world.transact([alice], [create(note, noteOf())], later);
    await newNote(); // by its answer those two have come
    await eventually("both wait for their time", async () =>
      /^ledgerline_commands_in_flight 0$/m.test((await world.client.get("/metrics")).text),
    );
    const { recordTime } = await world.transact([alice], discard),
      { code } = (await late).json();
    assert.equal(code, "LOCAL_VERDICT_INACTIVE_CONTRACTS");
    assert.ok(Date.parse((await other).effectiveAt) > Date.parse(recordTime));
  });
});

describe("deduplication", () => {
  const noteCommand = (changes: Json = {}): Json => world.commands([alice], [create(note, noteOf())], { submissionId: "", ...changes });
  const send = (commands: Json): Promise<Reply> => world.client.post("/v2/commands/submit-and-wait", commands);
  const sendAsync = (commands: Json): Promise<Reply> => world.client.post("/v2/commands/async/submit", commands);

  it("the same user, command id and parties: DUPLICATE_COMMAND that names the first submission and its offset", async () => {
    const first = noteCommand({ submissionId: "first" });
    const { completionOffset } = (await send(first)).json();
    const error = (await send({ ...first, submissionId: "second", commands: [create(note, noteOf({ text: "another" }))] })).json();
    assert.equal(error.code, "DUPLICATE_COMMAND");
    assert.match(error.context.existingSubmissionId, /first/);
    assert.equal(error.context.completion_offset, String(completionOffset));
  });

  it("another party, another user or another command id is another command", async () => {
    const first = noteCommand();
    for (const commands of [
      first,
      { ...first, userId: "somebody" },
      { ...first, commandId: `${first.commandId}-2` },
      { ...first, actAs: [alice, bob] },
    ])
      assert.equal((await send(commands)).status, 200);
  });

  for (const [what, submit] of [
    ["submit-and-wait", send],
    ["async submit", sendAsync],
  ] as const) {
    it(`of ten twins at once by ${what} one takes effect`, async () => {
      for (let round = 0; round < 5; round++) {
        const begin = await world.ledgerEnd(),
          twin = noteCommand();
        const replies = await Promise.all(Array.from({ length: 10 }, () => submit(twin)));
        for (const reply of replies.filter(({ status }) => status !== 200))
          assert.ok(["DUPLICATE_COMMAND", "SUBMISSION_ALREADY_IN_FLIGHT"].includes(reply.json().code), reply.text);
        // Asynchronous ones may end after their answers.
        const accepted = async () => (await world.completions([alice], begin)).filter(({ status }) => (status?.code ?? 0) === 0);
        await eventually("one is accepted", async () => (await accepted()).length > 0);
        assert.equal((await accepted()).length, 1);
        assert.equal((await world.transactions({ parties: [alice], begin })).length, 1);
      }
    });
  }

  it("when the window is over, the command takes effect again", async () => {
    const command = noteCommand({ deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 0, nanos: 1_000_000 } } } });
    for (let time = 0; time < 2; time++) {
      assert.equal((await send(command)).status, 200);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it("in all sixteen mixes of waiting and asynchronous calls, two twins within a window take effect once, and two after it once more", async () => {
    const begin = await world.ledgerEnd();
    await Promise.all(
      Array.from({ length: 16 }, async (_, mix) => {
        for (let windowSeconds = 2; !(await isShown(mix, windowSeconds, begin)); windowSeconds *= 4);
      }),
    );
  });

  /** False where two twins took longer than the window: that shows nothing, and a machine that is so busy needs a longer one. */
  async function isShown(mix: number, windowSeconds: number, begin: number): Promise<boolean> {
    const twin = noteCommand({ deduplicationPeriod: { DeduplicationDuration: { value: { seconds: windowSeconds, nanos: 0 } } } }),
      outcomes: string[] = [];
    for (const calls of [
      [0, 1],
      [2, 3],
    ]) {
      const since = performance.now();
      for (const call of calls)
        outcomes.push(await outcomeOf({ ...twin, submissionId: `${twin.commandId}-${call}` }, ((mix >> call) & 1) === 1, begin));
      if (performance.now() - since >= windowSeconds * 1_000) return false;
      if (outcomes.length === 2) await new Promise((resolve) => setTimeout(resolve, windowSeconds * 1_000 + 50));
    }
    assert.deepEqual(outcomes, ["accepted", "DUPLICATE_COMMAND", "accepted", "DUPLICATE_COMMAND"], `mix ${mix}`);
    const effects = (await world.transactions({ parties: [alice], begin })).filter(({ commandId }) => commandId === twin.commandId);
    assert.equal(new Set(effects.flatMap(eventsOf).map(({ contractId }) => contractId)).size, 2);
    return true;
  }

  async function outcomeOf(commands: Json, waits: boolean, begin: number): Promise<string> {
    const reply = await (waits ? send : sendAsync)(commands);
    if (reply.status !== 200) return reply.json().code;
    return waits ? "accepted" : completed(commands.submissionId, begin);
  }

  /** What the completion of a submission says, once it is there. */
  async function completed(submissionId: string, begin: number): Promise<string> {
    const channel = await world.open("/v2/commands/completions", { userId: "tester", parties: [alice], beginExclusive: begin });
    const { completionResponse } = await channel.until(
      (element) => element.completionResponse.Completion?.value.submissionId === submissionId,
    );
    await channel.close();
    const { status } = completionResponse.Completion.value;
    return (status?.code ?? 0) === 0 ? "accepted" : status.message.split("(")[0];
  }

  it("from the offset of the acceptance that a rejection names, the command is free again", async () => {
    const command = noteCommand();
    assert.equal((await send(command)).status, 200);
    const { completion_offset: rejectedBy } = (await send(command)).json().context;
    assert.equal((await send({ ...command, deduplicationPeriod: { DeduplicationOffset: { value: Number(rejectedBy) } } })).status, 200);
  });

  it("the whole history may be looked through, from before the first offset", async () => {
    const command = noteCommand({ deduplicationPeriod: { DeduplicationOffset: { value: 0 } } });
    assert.equal((await send(command)).status, 200);
    assert.equal((await send(command)).json().code, "DUPLICATE_COMMAND");
  });

  it("a window from an offset looks at what was accepted after it", async () => {
    const command = noteCommand();
    const { completionOffset } = (await send(command)).json();
    const from = (value: number): Json => ({ ...command, deduplicationPeriod: { DeduplicationOffset: { value } } });
    assert.equal((await send(from(completionOffset - 1))).json().code, "DUPLICATE_COMMAND");
    assert.equal((await send(from(await world.ledgerEnd()))).status, 200);
  });

  it("a negative duration or offset is refused", async () => {
    for (const value of [
      { seconds: -1, nanos: 0 },
      { seconds: 0, nanos: -1 },
      { seconds: 1, nanos: -1_000_000_001 },
    ])
      assert.equal((await send(noteCommand({ deduplicationPeriod: { DeduplicationDuration: { value } } }))).json().code, "INVALID_FIELD");
    const { code, cause } = (await send(noteCommand({ deduplicationPeriod: { DeduplicationOffset: { value: -1 } } }))).json();
    assert.equal(code, "NEGATIVE_OFFSET");
    assert.match(cause, /the deduplication offset has to be a non-negative integer and not -1$/);
  });

  it("nanoseconds of a duration are added to its seconds, whatever their sign", async () => {
    for (const value of [
      { seconds: 1, nanos: -1 },
      { seconds: -1, nanos: 1_500_000_000 },
    ])
      assert.equal((await send(noteCommand({ deduplicationPeriod: { DeduplicationDuration: { value } } }))).status, 200);
  });

  it("a command that failed in interpretation may be tried again", async () => {
    const failing = noteCommand({ commands: [create(asset, { issuer: alice, owner: alice, name: "x", amount: "-1" })] });
    assert.equal((await send(failing)).json().code, "TEMPLATE_PRECONDITION_VIOLATED");
    assert.equal((await send({ ...failing, commands: [create(note, noteOf())] })).status, 200);
  });

  it("completions tell user, command, submission and the period that was used, of the right users and parties only", async () => {
    const begin = await world.ledgerEnd();
    const command = noteCommand({
      submissionId: "told",
      deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 30, nanos: 0 } } },
    });
    const { updateId, completionOffset } = (await send(command)).json();
    const [completion] = await world.completions([alice], begin);
    assert.deepEqual(
      [completion.commandId, completion.submissionId, completion.userId, completion.updateId, completion.offset, completion.actAs],
      [command.commandId, "told", "tester", updateId, completionOffset, [alice]],
    );
    assert.ok(completion.deduplicationPeriod);
    assert.deepEqual(await world.completions([bob], begin), []);
    assert.deepEqual(await world.completions([alice], begin, "nobody"), []);
  });
});

describe("authority", () => {
  it("all signatories must act", async () => {
    const command = [create(multi, { sigs: [alice, bob, carol], obs: [] })];
    for (const actAs of [[alice], [alice, bob], [bob, carol]])
      assert.equal((await world.refused(actAs, command)).code, "DAML_AUTHORIZATION_ERROR");
    await world.transact([carol, bob, alice], command);
  });

  it("fifty who sign together act together", async () => {
    const many = await world.parties(...Array.from({ length: 50 }, (_, index) => `signer-${index}`));
    const created = createdIn(await world.transact(many, [create(multi, { sigs: many, obs: [] })]));
    assert.deepEqual(created.signatories, [...many].sort());
    assert.equal((await world.refused(many.slice(1), [create(multi, { sigs: many, obs: [] })])).code, "DAML_AUTHORIZATION_ERROR");
  });

  it("to read as a signatory is not to act as him", async () => {
    assert.equal(
      (await world.refused([alice], [create(multi, { sigs: [alice, bob], obs: [] })], { readAs: [bob] })).code,
      "DAML_AUTHORIZATION_ERROR",
    );
  });

  it("a choice of two controllers needs both, and takes more", async () => {
    const sealed = async () => (await world.create([alice], pact, { host: alice, first: bob, second: carol })).contractId;
    for (const actAs of [[bob], [carol]])
      assert.equal((await world.refused(actAs, [exercise(pact, await sealed(), "Seal")])).code, "DAML_AUTHORIZATION_ERROR");
    for (const actAs of [
      [bob, carol],
      [alice, bob, carol],
    ]) {
      const [event] = eventsOf(await world.transact(actAs, [exercise(pact, await sealed(), "Seal")]));
      assert.deepEqual(event.actingParties, [bob, carol].sort());
    }
    const same = (await world.create([alice], pact, { host: alice, first: bob, second: bob })).contractId;
    assert.deepEqual(eventsOf(await world.transact([bob], [exercise(pact, same, "Seal")]))[0].actingParties, [bob]);
  });

  it("a model that checks who acts refuses too many by its own error: DAML_FAILURE", async () => {
    const { contractId } = await world.create([alice], pact, { host: alice, first: bob, second: carol });
    assert.equal((await world.refused([bob], [exercise(pact, contractId, "SealWith", { by: carol })])).code, "DAML_AUTHORIZATION_ERROR");
    assert.equal((await world.refused([bob, alice], [exercise(pact, contractId, "SealWith", { by: alice })])).code, "DAML_FAILURE");
    await world.transact([bob, carol], [exercise(pact, contractId, "SealWith", { by: carol })]);
  });

  it("nobody exercises for another", async () => {
    const { contractId } = await world.create([alice, bob], cash, { bank: alice, owner: bob, amount: "1" });
    assert.equal(
      (await world.refused([alice], [exercise(cash, contractId, "Offer", { newOwner: alice })])).code,
      "DAML_AUTHORIZATION_ERROR",
    );
  });
});

describe("interfaces", () => {
  const newAsset = async (): Promise<string> =>
    (await world.create([alice], asset, { issuer: alice, owner: alice, name: "gold", amount: "5" })).contractId;

  it("an exercise by interface names the interface; the choice is not found by the template", async () => {
    const contractId = await newAsset();
    const [event] = eventsOf(await world.transact([alice], [exercise(holding, contractId, "Peek", { by: "1" })]));
    assert.match(event.interfaceId, /M:Holding$/);
    assert.match(event.templateId, /M:Asset$/);
    assert.equal(event.exerciseResult, "2");
    assert.equal((await world.refused([alice], [exercise(asset, contractId, "Peek", { by: "1" })])).code, "INVALID_ARGUMENT");
  });

  it("events name their package, and the version that stands for it", async () => {
    const created = createdIn(await world.transact([alice], [create(asset, { issuer: alice, owner: alice, name: "gold", amount: "5" })]));
    assert.deepEqual(
      [created.packageName, created.representativePackageId, created.templateId.split(":")[0]],
      ["ref-model", created.templateId.split(":")[0], created.representativePackageId],
    );
  });
});

describe("contract keys", () => {
  const account = "#keys:Keys:Acc",
    user = "#keys:Keys:User";
  const accountOf = (k: string, noted = "first"): Json => ({ owner: alice, k, note: noted, seen: [] });

  it("the event has the key of a template that has one, and none otherwise", async () => {
    const keyed = await world.create([alice], account, accountOf("1"));
    assert.deepEqual(keyed.contractKey, { owner: alice, k: "1" });
    assert.ok(keyed.contractKeyHash.length > 0);
    assert.deepEqual([(await world.create([alice], note, noteOf())).contractKey ?? null], [null]);
  });

  it("an exercise by key works while there is a contract with it, else CONTRACT_KEY_NOT_FOUND", async () => {
    const key = { owner: alice, k: "2" };
    const byKey = exerciseByKey(account, key, "Touch");
    assert.equal((await world.refused([alice], [byKey])).code, "CONTRACT_KEY_NOT_FOUND");
    const { contractId, createdEventBlob } = await world.create([alice], account, accountOf("2"));
    assert.equal(eventsOf(await world.transact([alice], [byKey]))[0].contractId, contractId);
    await world.transact([alice], [exerciseByKey(account, key, "Close")]);
    assert.equal((await world.refused([alice], [byKey])).code, "CONTRACT_KEY_NOT_FOUND");
    const disclosedContracts = [{ contractId, createdEventBlob, synchronizerId: "" }];
    assert.equal((await world.refused([alice], [byKey], { disclosedContracts })).code, "LOCAL_VERDICT_INACTIVE_CONTRACTS");
  });

  it("a contract may be made again with its key in one transaction, and one that comes and goes leaves no key behind", async () => {
    await world.create([alice], account, accountOf("3"));
    await world.transact([alice], [exerciseByKey(account, { owner: alice, k: "3" }, "Close"), create(account, accountOf("3", "second"))]);
    const [event] = eventsOf(await world.transact([alice], [exerciseByKey(account, { owner: alice, k: "3" }, "Touch")]));
    assert.equal(event.exerciseResult, "second");
    await world.transact([alice], [createAndExercise(account, accountOf("4"), "Close")]);
    assert.equal(
      (await world.refused([alice], [exerciseByKey(account, { owner: alice, k: "4" }, "Touch")])).code,
      "CONTRACT_KEY_NOT_FOUND",
    );
  });

  it("keys that a command says it may look up have to be of their templates, which need not be used", async () => {
    const { templateId } = await world.create([alice], account, accountOf("7")),
      unkeyed = (await world.create([alice], note, noteOf())).templateId,
      contractKey = { owner: alice, k: "7" };
    const hinted = (...prefetchContractKeys: readonly Json[]): readonly Promise<Reply>[] => {
      const command = [create(note, noteOf())],
        prepared = { ...world.commands([alice], command, { prefetchContractKeys }), synchronizerId: "", packageIdSelectionPreference: [] };
      return [world.submit([alice], command, { prefetchContractKeys }), world.client.post("/v2/interactive-submission/prepare", prepared)];
    };
    const good = { templateId, contractKey, limit: 2 };
    for (const reply of await Promise.all(hinted(good, { ...good, templateId: account }))) assert.equal(reply.status, 200, reply.text);
    const [packageId, module] = templateId.split(":");
    const unfit: readonly (readonly [Json, number, string])[] = [
      [{ templateId: `${"ab".repeat(32)}:${module}:Account` }, 404, "TEMPLATES_OR_INTERFACES_NOT_FOUND"],
      [{ templateId: `${packageId}:${module}:Nobody` }, 404, "TEMPLATES_OR_INTERFACES_NOT_FOUND"],
      [{ templateId: unkeyed }, 404, "TEMPLATES_OR_INTERFACES_NOT_FOUND"],
      [{ templateId: "#nobody:M:T" }, 404, "PACKAGE_NAMES_NOT_FOUND"],
      [{ contractKey: 5 }, 400, "INVALID_ARGUMENT"],
      [{ contractKey: { owner: alice } }, 400, "COMMAND_PREPROCESSING_FAILED"],
    ];
    for (const [change, status, code] of unfit)
      for (const reply of await Promise.all(hinted(good, { ...good, ...change }))) {
        assert.deepEqual([reply.status, reply.json().code], [status, code], JSON.stringify(change));
      }
    const wrong = [exercise(note, `00${"ab".repeat(32)}`, "Nothing")],
      both = await world.refused([alice], wrong, { prefetchContractKeys: [{ ...good, contractKey: 5 }] });
    assert.match(both.cause, /Nothing/, "what is wrong with the command comes first");
  });

  it("who does not see a contract does not find it by its key", async () => {
    await world.create([alice], account, accountOf("5"));
    const theirs = (await world.create([bob], user, { p: bob })).contractId;
    const error = await world.refused([bob], [exercise(user, theirs, "TouchK", { owner: alice, k: "5" })]);
    assert.equal(error.code, "CONTRACT_KEY_NOT_FOUND");
  });

  it("who reads as a maintainer finds his contract by its key, and needs his authority besides", async () => {
    const mandate = (await world.create([alice], keyedTemplate("Delegation"), { owner: alice, delegate: bob })).contractId,
      his = (await world.create([bob], keyedTemplate("Searcher"), { who: bob })).contractId,
      byName = (choice: string): Command[] => [exercise(keyedTemplate("Delegation"), mandate, choice, { name: "hers" })],
      readAs = { readAs: [alice] };
    await world.create([alice], keyedTemplate("Named"), { owner: alice, name: "hers" });
    assert.equal((await world.refused([bob], byName("FetchByName"))).code, "CONTRACT_KEY_NOT_FOUND");
    assert.equal(eventsOf(await world.transact([bob], byName("FindByName")))[0].exerciseResult, false);
    await world.transact([bob], byName("FetchByName"), readAs);
    assert.equal(eventsOf(await world.transact([bob], byName("FindByName"), readAs))[0].exerciseResult, true);
    const search = [exercise(keyedTemplate("Searcher"), his, "Find", { owner: alice, name: "hers" })];
    assert.equal((await world.refused([bob], search, readAs)).code, "DAML_AUTHORIZATION_ERROR");
  });

  it("a key may be nested a hundred deep and no deeper, to be given as to be looked for: VALUE_NESTING", async () => {
    const { contractId } = await world.create([alice], keyedTemplate("Diver"), { owner: alice }),
      dive = (choice: string, deep: number): Command[] => [
        exercise(keyedTemplate("Diver"), contractId, choice, { levels: String(deep - 2) }),
      ];
    for (const deep of [46, 100]) {
      assert.equal((await world.refused([alice], dive("FetchSunken", deep))).code, "CONTRACT_KEY_NOT_FOUND");
      await world.transact([alice], dive("Sink", deep));
      await world.transact([alice], dive("FetchSunken", deep));
      assert.equal(eventsOf(await world.transact([alice], dive("FindSunken", deep)))[0].exerciseResult, true);
    }
    for (const deep of [101, 110, 200])
      for (const choice of ["Sink", "FindSunken", "FetchSunken"])
        assert.equal((await world.refused([alice], dive(choice, deep))).code, "VALUE_NESTING", `${choice} ${deep}`);
  });

  it("a key may be used again and again, though only the newest of its contracts is read", async () => {
    for (const text of ["first", "second"]) await world.create([alice], account, accountOf("8", text));
    const touch = exerciseByKey(account, { owner: alice, k: "8" }, "Touch");
    for (let uses = 0; uses < 200; uses++) {
      // more than LMDB has places for readers
      const reply = await world.submit([alice], [touch]);
      assert.equal(reply.status, 200, `after ${uses} uses: ${reply.text}`);
    }
  });

  it("of eight that close the newest contract of a key at once, each closes another one or none", async () => {
    for (let index = 0; index < 3; index++) await world.create([alice], account, accountOf("6", `n${index}`));
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => world.submit([alice], [exerciseByKey(account, { owner: alice, k: "6" }, "Close")])),
    );
    assert.ok(replies.filter(({ status }) => status === 200).length <= 3);
    for (const reply of replies.filter(({ status }) => status !== 200))
      assert.ok(
        lost.has(reply.json().code) || ["CONTRACT_KEY_NOT_FOUND", "INCONSISTENT_CONTRACT_KEY"].includes(reply.json().code),
        reply.text,
      );
  });
});

describe("exceptions", () => {
  const thrower = "#exc:Exc:T";
  let contractId: string;
  before(async () => {
    contractId = (await world.create([alice], thrower, { p: alice })).contractId;
  });
  const item = async (): Promise<string> => (await world.create([alice], "#exc:Exc:Item", { owner: alice, tag: "item" })).contractId;

  it("an exception that nobody catches rejects the command by its name and message", async () => {
    const error = await world.refused([alice], [exercise(thrower, contractId, "ThrowPlain")]);
    assert.equal(error.code, "DAML_FAILURE");
    assert.match(error.cause, /Exc:Boom/);
  });

  it("one that is caught does not", async () => {
    for (const choice of ["CatchPure", "CatchBuild", "CatchArith"])
      assert.equal(eventsOf(await world.transact([alice], [exercise(thrower, contractId, choice)]))[0].exerciseResult, "handled");
    assert.deepEqual(
      eventsOf(await world.transact([alice], [exercise(thrower, contractId, "TryNoThrow")])).map(({ kind }) => kind),
      ["exercised", "created"],
    );
  });

  it("fetches and non-consuming exercises that are rolled back do not reach readers", async () => {
    for (const [choice, cid] of [
      ["CatchFetch", await item()],
      ["CatchTouch", await item()],
    ] as const) {
      const begin = await world.ledgerEnd();
      const transaction = await world.transact([alice], [exercise(thrower, contractId, choice, { cid })]);
      assert.deepEqual(
        eventsOf(transaction).map(({ choice: name }) => name),
        [choice],
      );
      const [read] = await world.transactions({ parties: [alice], shape: ledgerEffects, begin });
      assert.deepEqual(
        eventsOf(read).map(({ choice: name }) => name),
        [choice],
      );
    }
  });

  it("to roll back what made or archived a contract is refused", async () => {
    const cid = await item();
    for (const [choice, argument] of [
      ["CatchCreate", {}],
      ["CatchUse", { cid }],
    ] as const) {
      const error = await world.refused([alice], [exercise(thrower, contractId, choice, argument)]);
      assert.equal(error.code, "DAML_EFFECTFUL_ROLLBACK_ERROR", JSON.stringify(error));
    }
    await world.transact([alice], [exercise("#exc:Exc:Item", cid, "Use")]);
  });

  it("a rolled-back fetch or exercise still needs an active contract", async () => {
    const cid = await item();
    await world.transact([alice], [exercise("#exc:Exc:Item", cid, "Use")]);
    for (const choice of ["CatchFetch", "CatchTouch"])
      assert.equal((await world.refused([alice], [exercise(thrower, contractId, choice, { cid })])).code, "CONTRACT_NOT_FOUND");
  });
});
