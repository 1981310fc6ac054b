/** Reading: updates, active contracts and completions as list and as WebSocket, from any offset, in both directions, in pages. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { eventually } from "../http/harness.js";
import {
  acsDelta,
  create,
  createAndExercise,
  createdIn,
  darOf,
  eventFormat,
  eventsOf,
  exercise,
  kindsOf,
  ledgerEffects,
  ofInterface,
  ofTemplate,
  transactionsOf,
  World,
  type Channel,
  type Json,
  type Reading,
} from "./world.js";
import { storyDar, storyOfVersion, storyTemplate } from "./story-model.js";

const note = storyTemplate("Note"),
  delegation = storyTemplate("Delegation");
const asset = "#ref-model:M:Asset",
  holding = "#ref-model:M:Holding",
  multi = "#ref-model:M:Multi";

let world: World, alice: string, bob: string;
before(async () => {
  world = await World.start([storyDar, darOf("canton", "model1.dar")]);
  [alice, bob] = await world.parties("alice", "bob");
  for (let index = 0; index < 20; index++) await step(index);
});
after(() => world.stop());

const noteOf = (changes: Json = {}): Json => ({ owner: alice, reader: bob, text: "note", ...changes });
const assetOf = (changes: Json = {}): Json => ({ issuer: alice, owner: alice, name: "gold", amount: "1", ...changes });

/** A bit of everything: contracts that stay, that go, that come and go, seen by one or both. */
async function step(index: number): Promise<void> {
  const { contractId } = await world.create([alice], note, noteOf({ text: `note ${index}`, reader: index % 2 === 0 ? bob : alice }));
  if (index % 3 === 0) await world.transact([alice], [exercise(note, contractId, "Discard")]);
  else if (index % 5 === 0) await world.transact([alice], [exercise(note, contractId, "Touch")]);
  if (index % 4 === 0) await world.transact([alice], [createAndExercise(note, noteOf(), "Discard")]);
  if (index % 2 === 0) await world.create([alice], asset, assetOf({ owner: bob, amount: String(index) }));
}

const readings: readonly (readonly [string, () => Reading])[] = [
  ["one party", () => ({ parties: [bob] })],
  ["two parties", () => ({ parties: [alice, bob] })],
  ["any party", () => ({})],
  ["one template", () => ({ parties: [alice], filters: [ofTemplate(note)] })],
  ["an interface", () => ({ parties: [alice, bob], filters: [ofInterface(holding)] })],
];

/** The active contracts that follow from the delta. */
function fold(active: readonly Json[], transactions: readonly Json[]): Map<string, Json> {
  const contracts = new Map(active.map((created) => [created.contractId, created]));
  for (const event of transactions.flatMap(eventsOf)) {
    if (event.kind === "created") contracts.set(event.contractId, event);
    else assert.ok(contracts.delete(event.contractId), "an archive follows its create");
  }
  return contracts;
}

describe("offsets", () => {
  for (const [what, reading] of readings) {
    it(`${what}: active contracts at an offset and the delta after it make the active contracts now`, async () => {
      const end = await world.ledgerEnd(),
        now = await world.activeContracts(reading());
      for (const at of [0, 5, 17, Math.floor(end / 2), end - 1, end]) {
        const contracts = fold(await world.activeContracts({ ...reading(), at }), await world.transactions({ ...reading(), begin: at }));
        assert.deepEqual([...contracts.keys()].sort(), now.map(({ contractId }) => contractId).sort(), `from ${at}`);
      }
    });

    it(`${what}: reading in two pieces, cut anywhere, is reading at once; descending is the reverse`, async () => {
      const end = await world.ledgerEnd();
      for (const shape of [acsDelta, ledgerEffects]) {
        const whole = await world.transactions({ ...reading(), shape });
        for (const cut of [1, 7, 20, end - 1])
          assert.deepEqual(
            [
              ...(await world.transactions({ ...reading(), shape, end: cut })),
              ...(await world.transactions({ ...reading(), shape, begin: cut })),
            ],
            whole,
            `cut at ${cut}`,
          );
        assert.deepEqual(
          (await world.transactions({ ...reading(), shape, descending: true })).map(({ offset }) => offset),
          whole.map(({ offset }) => offset).reverse(),
        );
      }
    });

    it(`${what}: ids and witnesses of the delta are among those of the effects, and a look-up gives what the stream gives`, async () => {
      const effects = new Map(
        (await world.transactions({ ...reading(), shape: ledgerEffects })).map((transaction) => [transaction.updateId, transaction]),
      );
      for (const transaction of await world.transactions(reading())) {
        const nodes = new Map(eventsOf(effects.get(transaction.updateId)).map((event) => [event.nodeId, event]));
        for (const event of eventsOf(transaction))
          for (const witness of event.witnessParties) assert.ok(nodes.get(event.nodeId)?.witnessParties.includes(witness));
        const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat(reading()) } };
        for (const [path, key] of [
          ["update-by-id", { updateId: transaction.updateId }],
          ["update-by-offset", { offset: transaction.offset }],
        ] as const) {
          const reply = await world.client.post(`/v2/updates/${path}`, { ...key, updateFormat });
          assert.deepEqual(reply.json().update?.Transaction.value, transaction, reply.text);
        }
      }
    });
  }

  it("beyond what a number can hold are told with all their digits, however they were written", async () => {
    const end = await world.ledgerEnd(),
      format = JSON.stringify(eventFormat({})),
      updateFormat = `{"includeTransactions":{"transactionShape":"${acsDelta}","eventFormat":${format}}}`;
    const afterEnd = (what: string) => (offset: string) => `${what} offset (${offset}) is after ledger end (${end})`;
    const ofPeriod = (offset: string): string => `Offset ${offset} in deduplication_period is a negative integer`;
    const cases: readonly (readonly [path: string, body: (offset: string) => string, told: (offset: string) => string, sign?: "-"])[] = [
      ["/v2/updates", (offset) => `{"beginExclusive":${offset},"updateFormat":${updateFormat}}`, afterEnd("Begin")],
      ["/v2/updates", (offset) => `{"endInclusive":${offset},"updateFormat":${updateFormat}}`, afterEnd("End")],
      ["/v2/updates/get-updates-page", (offset) => `{"endOffsetInclusive":${offset}}`, afterEnd("endOffsetInclusive")],
      [
        "/v2/updates/update-by-offset",
        (offset) => `{"offset":${offset},"updateFormat":${updateFormat}}`,
        (offset) => `["ErrorResource(OFFSET)","${offset}"]`,
      ],
      ["/v2/state/active-contracts", (offset) => `{"activeAtOffset":${offset},"eventFormat":${format}}`, afterEnd("active_at_offset")],
      ["/v2/state/active-contracts-page", (offset) => `{"activeAtOffset":${offset},"eventFormat":${format}}`, afterEnd("active_at_offset")],
      ["/v2/commands/completions", (offset) => `{"userId":"tester","parties":["${alice}"],"beginExclusive":${offset}}`, afterEnd("Begin")],
      [
        "/v2/commands/submit-and-wait",
        (offset) => {
          const commands = JSON.stringify(world.commands([alice], [create("#story:Story:Nope", {})]));
          return `${commands.slice(0, -1)},"deduplicationPeriod":{"DeduplicationOffset":{"value":${offset}}}}`;
        },
        ofPeriod,
        "-",
      ],
      ["/admin/prune", (offset) => `{"pruneUpTo":${offset}}`, (offset) => `needs to be before ledger end ${end}, and is ${offset}`],
    ];
    for (const [path, body, told, sign = ""] of cases)
      for (const digits of ["9007199254740993", "9223372036854775807"])
        for (const written of [`${sign}${digits}`, `"${sign}${digits}"`]) {
          const { text } = await world.client.post(path, body(written));
          assert.ok(text.includes(told(`${sign}${digits}`)), `${path} ${written}: ${text}`);
        }
  });

  it("beyond the ledger's end and before its begin are refused by list and WebSocket alike", async () => {
    const end = await world.ledgerEnd();
    const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({}) } };
    const cases: readonly (readonly [string, Json, string])[] = [
      ["/v2/updates", { beginExclusive: end + 1, updateFormat }, "OFFSET_AFTER_LEDGER_END"],
      ["/v2/updates", { beginExclusive: 0, endInclusive: end + 100, updateFormat }, "OFFSET_AFTER_LEDGER_END"],
      ["/v2/updates", { beginExclusive: 9, endInclusive: 5, updateFormat }, "OFFSET_OUT_OF_RANGE"],
      ["/v2/updates", { beginExclusive: -1, updateFormat }, "NEGATIVE_OFFSET"],
      ["/v2/state/active-contracts", { activeAtOffset: end + 1, eventFormat: eventFormat({}) }, "OFFSET_AFTER_LEDGER_END"],
      ["/v2/state/active-contracts", { activeAtOffset: -1, eventFormat: eventFormat({}) }, "NEGATIVE_OFFSET"],
      ["/v2/commands/completions", { userId: "tester", parties: [alice], beginExclusive: end + 1 }, "OFFSET_AFTER_LEDGER_END"],
      [
        "/v2/updates",
        {
          beginExclusive: 0,
          endInclusive: end,
          updateFormat: {
            includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ filters: [ofTemplate("#story:Story:Nope")] }) },
          },
        },
        "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
      ],
      [
        "/v2/updates",
        {
          beginExclusive: 0,
          endInclusive: end,
          updateFormat: {
            includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ filters: [ofInterface("#nope:M:Holding")] }) },
          },
        },
        "PACKAGE_NAMES_NOT_FOUND",
      ],
    ];
    for (const [path, request, code] of cases) {
      assert.deepEqual(
        await world.refusedRead(path, request),
        [code.startsWith("NO_") || code === "PACKAGE_NAMES_NOT_FOUND" ? 404 : 400, code],
        path,
      );
    }
  });
});

describe("lists", () => {
  it("a list that does not fit is 413, also where it asks for more than the node gives; with a smaller limit it is cut", async (t) => {
    const small = await World.start([storyDar], ["--memory", "--list-elements-max", "5"]);
    t.after(() => small.stop());
    const party = await small.party("alice");
    const list = (limit: string) => small.updatesReply({ parties: [party] }, limit);
    for (let index = 0; index < 5; index++) await small.create([party], note, { owner: party, reader: party, text: "note" });
    assert.equal((await list("")).json().length, 5);
    await small.create([party], note, { owner: party, reader: party, text: "note" });
    assert.equal((await list("")).status, 413);
    assert.equal((await list("limit=3")).json().length, 3);
    assert.equal((await list("limit=100000")).status, 413);
    const active = await small.client.post("/v2/state/active-contracts", {
      activeAtOffset: await small.ledgerEnd(),
      eventFormat: eventFormat({}),
    });
    assert.equal(active.status, 413);
  });

  it("active contracts in pages of any size are the same set, with the token of each page leading to the next", async () => {
    const whole = (await world.activeContracts({})).map(({ contractId }) => contractId);
    for (const maxPageSize of [1, 3, 7, 100]) {
      const paged: string[] = [];
      let pageToken: string | undefined;
      do {
        const reply = await world.client.post("/v2/state/active-contracts-page", {
          activeAtOffset: await world.ledgerEnd(),
          eventFormat: eventFormat({}),
          maxPageSize,
          ...(pageToken ? { pageToken } : {}),
        });
        assert.equal(reply.status, 200, reply.text);
        const page = reply.json();
        assert.ok(page.activeContracts.length <= maxPageSize);
        paged.push(...page.activeContracts.map((entry: Json) => entry.contractEntry.JsActiveContract.createdEvent.contractId));
        pageToken = page.nextPageToken || undefined;
      } while (pageToken !== undefined);
      assert.deepEqual(paged, whole, `pages of ${maxPageSize}`);
    }
  });

  it("a page takes null for all that it may leave to the node", async () => {
    const page = async (path: string, request: Json): Promise<Json> => {
      const reply = await world.client.post(path, request);
      assert.equal(reply.status, 200, reply.text);
      return reply.json();
    };
    const contracts = { eventFormat: eventFormat({ parties: [alice] }) },
      updates = { updateFormat: { includeTransactions: { transactionShape: acsDelta, ...contracts }, includeTopologyEvents: null } },
      bare = { maxPageSize: null, pageToken: null };
    assert.deepEqual(
      await page("/v2/state/active-contracts-page", { ...contracts, ...bare, activeAtOffset: null }),
      await page("/v2/state/active-contracts-page", contracts),
    );
    assert.deepEqual(
      await page("/v2/state/active-contracts-page", { ...contracts, activeAtOffset: 0 }),
      await page("/v2/state/active-contracts-page", contracts),
      "an offset of 0 is none",
    );
    const range = { beginOffsetExclusive: null, endOffsetInclusive: null };
    assert.equal(
      (await page("/v2/updates/get-updates-page", { ...updates, ...bare, ...range })).updates.length,
      (await page("/v2/updates/get-updates-page", updates)).updates.length,
    );
  });

  it("a token that was cut, made up or made for another question is refused", async () => {
    const page = (changes: Json) =>
      world.client.post("/v2/state/active-contracts-page", {
        activeAtOffset: 20,
        eventFormat: eventFormat({}),
        maxPageSize: 1,
        ...changes,
      });
    const { nextPageToken } = (await page({})).json();
    for (const changes of [
      { pageToken: nextPageToken.slice(0, -8) },
      { pageToken: "AAAA" },
      { pageToken: nextPageToken, eventFormat: eventFormat({ parties: [bob] }) },
    ])
      assert.equal((await page(changes)).status, 400);
    assert.equal((await page({ pageToken: nextPageToken })).status, 200);
  });

  it("a list of active contracts that was cut goes on from the token of its last element", async () => {
    const request = { activeAtOffset: await world.ledgerEnd(), eventFormat: eventFormat({}) };
    const idsOf = (entries: Json[]): string[] => entries.map((entry) => entry.contractEntry.JsActiveContract.createdEvent.contractId);
    const whole = (await world.client.post("/v2/state/active-contracts?limit=200", request)).json();
    const first = (await world.client.post("/v2/state/active-contracts?limit=5", request)).json();
    assert.equal(first.length, 5);
    const following = { ...request, streamContinuationToken: first.at(-1).streamContinuationToken };
    for (const rest of [
      (await world.client.post("/v2/state/active-contracts?limit=200", following)).json(),
      await world.stream("/v2/state/active-contracts", following),
    ])
      assert.deepEqual([...idsOf(first), ...idsOf(rest)], idsOf(whole));
  });
});

describe("shapes", () => {
  it("a contract that comes and goes in one transaction is nothing in the delta, and all in the effects", async () => {
    const begin = await world.ledgerEnd();
    const { updateId } = await world.transact([alice], [createAndExercise(note, noteOf(), "Discard")]);
    assert.deepEqual(await world.transactions({ parties: [alice], begin }), []);
    assert.deepEqual((await world.transactions({ parties: [alice], shape: ledgerEffects, begin })).map(kindsOf), [
      ["created", "exercised"],
    ]);
    const byId = (shape: string) =>
      world.client.post("/v2/updates/update-by-id", {
        updateId,
        updateFormat: { includeTransactions: { transactionShape: shape, eventFormat: eventFormat({ parties: [alice] }) } },
      });
    assert.deepEqual([(await byId(acsDelta)).json().code, (await byId(ledgerEffects)).status], ["UPDATE_NOT_FOUND", 200]);
  });

  it("a lone non-consuming exercise is nothing in the delta", async () => {
    const { contractId } = await world.create([alice], note, noteOf()),
      begin = await world.ledgerEnd();
    await world.transact([alice], [exercise(note, contractId, "Touch")]);
    assert.deepEqual(
      [
        await world.transactions({ parties: [alice], begin }),
        (await world.transactions({ parties: [alice], shape: ledgerEffects, begin })).map(kindsOf),
      ],
      [[], [["exercised"]]],
    );
  });

  it("a filter by interface finds what the filters of all its templates find, with views", async () => {
    const byInterface = await world.activeContracts({ filters: [ofInterface(holding)] }),
      byTemplate = await world.activeContracts({ filters: [ofTemplate(asset)] });
    assert.ok(byInterface.length > 0);
    assert.deepEqual(
      byInterface.map(({ contractId }) => contractId),
      byTemplate.map(({ contractId }) => contractId),
    );
    for (const {
      interfaceViews: [view],
      createArgument,
    } of byInterface)
      assert.deepEqual([view.viewStatus.code, view.viewValue], [0, { owner: createArgument.owner, amount: createArgument.amount }]);
  });

  it("each party is given the blobs that its own filter asks for", async () => {
    const { contractId } = await world.create([alice], multi, { sigs: [alice], obs: [bob] });
    const blobs = async (filters: Json): Promise<string[]> => {
      const request = { activeAtOffset: await world.ledgerEnd(), eventFormat: { filtersByParty: filters, verbose: true } };
      const reads: Json[][] = [
        (await world.client.post("/v2/state/active-contracts?limit=200", request)).json(),
        await world.stream("/v2/state/active-contracts", request),
      ];
      return reads.map(
        (entries) =>
          entries.map((entry) => entry.contractEntry.JsActiveContract.createdEvent).find((created) => created.contractId === contractId)
            .createdEventBlob,
      );
    };
    for (const blob of await blobs({ [alice]: { cumulative: [ofTemplate(multi, true)] } })) assert.ok(blob.length > 0);
    assert.deepEqual(await blobs({ [bob]: { cumulative: [ofTemplate(multi)] } }), ["", ""]);
  });
});

describe("tails", () => {
  const tail = (begin: number, changes: Json = {}): Promise<Channel> =>
    world.open("/v2/updates", {
      beginExclusive: begin,
      updateFormat: { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ parties: [alice] }) } },
      ...changes,
    });
  const offsets = (channel: Channel): number[] => transactionsOf(channel.elements).map(({ offset }) => offset);

  it("what is committed while clients read is received by each, once and in order, wherever they began", async () => {
    const begin = await world.ledgerEnd(),
      channels = await Promise.all(Array.from({ length: 10 }, () => tail(begin)));
    const late: Channel[] = [];
    for (let index = 0; index < 30; index++) {
      await world.create([alice], note, noteOf());
      if (index % 10 === 5) late.push(await tail(begin));
    }
    const end = await world.ledgerEnd();
    for (const channel of [...channels, ...late]) {
      await channel.until((element) => element.update.Transaction?.value.offset === end);
      assert.deepEqual(
        offsets(channel),
        Array.from({ length: 30 }, (_, index) => begin + 1 + index),
      );
      assert.equal(await channel.close(), 1005);
    }
  });

  it("whoever is told of a command reads its effects at once", async () => {
    for (let round = 0; round < 20; round++) {
      const { contractId, offset } = await world.create([alice], note, noteOf());
      assert.equal(await world.ledgerEnd(), offset);
      const reply = await world.eventsByContractId(contractId, [alice]);
      assert.equal(reply.status, 200);
    }
  });

  it("a contract that its own transaction archives is told by its id as its events were", async () => {
    const transaction = await world.transact([alice], [createAndExercise(note, noteOf({ reader: alice }), "Discard")]),
      { contractId, ...made } = createdIn(transaction);
    const { created, archived } = (await world.eventsByContractId(contractId, [alice])).json();
    assert.deepEqual(
      [created.createdEvent.nodeId, created.createdEvent.createArgument, created.createdEvent.acsDelta],
      [made.nodeId, made.createArgument, false],
    );
    assert.deepEqual([archived.archivedEvent.offset, archived.archivedEvent.contractId], [transaction.offset, contractId]);
    assert.equal((await world.eventsByContractId(contractId, [bob])).json().code, "CONTRACT_EVENTS_NOT_FOUND");
  });

  it("a reader that is idle or sees only foreign traffic is told how far he is", async () => {
    const begin = await world.ledgerEnd();
    const channel = await world.open("/v2/updates", {
      beginExclusive: begin,
      updateFormat: { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ parties: [bob] }) } },
    });
    await channel.until((element) => element.update.OffsetCheckpoint?.value.offset >= begin);
    const { offset } = await world.create([alice], note, noteOf({ reader: alice }));
    await channel.until((element) => element.update.OffsetCheckpoint?.value.offset >= offset, 20_000);
    assert.deepEqual(transactionsOf(channel.elements), []);
    await channel.close();
  });

  it("who waits and nothing comes is told at the ledger's end how far he is: lists and WebSockets, of updates in both shapes and of completions", async () => {
    const { offset } = await world.create([alice], note, noteOf({ reader: alice }));
    const updatesOf = (shape: string): Json => ({
      beginExclusive: offset,
      updateFormat: { includeTransactions: { transactionShape: shape, eventFormat: eventFormat({ parties: [bob] }) } },
    });
    const reads: readonly (readonly [string, Json])[] = [
      ["/v2/updates", updatesOf(acsDelta)],
      ["/v2/updates", updatesOf(ledgerEffects)],
      ["/v2/updates/flats", updatesOf(acsDelta)],
      ["/v2/commands/completions", { userId: "tester", parties: [bob], beginExclusive: offset }],
      ["/v2/commands/command-completions", { parties: [bob], beginExclusive: offset }],
    ];
    await Promise.all(
      reads.map(async ([path, request]) => {
        const checkpointOf = (element: Json): number | undefined =>
          (element.update ?? element.completionResponse).OffsetCheckpoint?.value.offset;
        const channel = await world.open(path, request);
        await channel.until((element) => checkpointOf(element) === offset);
        await channel.close();
        const listed = await world.client.post(`${path}?stream_idle_timeout_ms=15000&limit=1`, request);
        assert.deepEqual([channel.elements.map(checkpointOf), listed.json().map(checkpointOf)], [[offset], [offset]], path);
      }),
    );
  });

  it("a running stream by names goes on with a version that is uploaded meanwhile", async () => {
    const begin = await world.ledgerEnd();
    const channel = await tail(begin, {
      updateFormat: {
        includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ parties: [alice], filters: [ofTemplate(note)] }) },
      },
    });
    const first = await world.create([alice], note, noteOf());
    await world.upload(storyOfVersion("1.1.0"));
    const second = await world.create([alice], note, noteOf());
    assert.notEqual(first.templateId, second.templateId, "the newer version is preferred");
    await channel.until((element) => element.update.Transaction?.value.offset === second.offset);
    assert.deepEqual(offsets(channel), [first.offset, second.offset]);
    await channel.close();
  });

  it("an exercise tells the version of the package that ran, not the one that made the contract", async () => {
    const older = (await world.activeContracts({ parties: [alice], filters: [ofTemplate(note)] }))[0],
      newer = await world.create([alice], note, noteOf());
    assert.notEqual(older.templateId, newer.templateId);
    const begin = await world.ledgerEnd();
    await world.transact([alice], [exercise(note, older.contractId, "Touch")]);
    const [transaction] = await world.transactions({ parties: [alice], shape: ledgerEffects, begin });
    assert.deepEqual(
      eventsOf(transaction).map(({ templateId, contractId, packageName }) => [templateId, contractId, packageName]),
      [[newer.templateId, older.contractId, "story"]],
    );
  });

  it("a client that leaves in the middle takes nothing with it", async () => {
    const openStreams = async (): Promise<number> => (await world.figures()).get("ledgerline_streams_open")!;
    await eventually("no stream is open", async () => (await openStreams()) === 0);
    const channels = await Promise.all(Array.from({ length: 20 }, () => tail(0)));
    await eventually("20 streams are open", async () => (await openStreams()) === 20);
    for (const channel of channels) channel.socket.terminate();
    await eventually("their streams are closed", async () => (await openStreams()) === 0);
    const { offset } = await world.create([alice], note, noteOf());
    assert.equal((await world.transactions({ parties: [alice] })).at(-1).offset, offset);
  });

  it("completions of whichever user: of the parties that are named or of all, each with those of the readers that submitted, as they were named", async () => {
    const begin = await world.ledgerEnd(),
      [first, last] = [alice, bob].sort() as [string, string],
      both = [last, first];
    const submitters = [[alice], [bob], [...both, last]],
      unusual = { minLedgerTimeRel: { seconds: 0, nanos: 0 } }; // what is read apart
    for (const [index, actAs] of submitters.entries())
      await world.submit(actAs, [create(note, noteOf({ owner: actAs[0] }))], { userId: index === 0 ? "tester" : "another" });
    await world.submit(both, [create(note, noteOf({ owner: last }))], { userId: "another", ...unusual });
    const actAsOf = async (parties: readonly string[]): Promise<string[][]> => {
      const request = { parties, beginExclusive: begin },
        path = "/v2/commands/command-completions",
        listed = (await world.client.post(`${path}?limit=200&stream_idle_timeout_ms=50`, request)).json(),
        told = (elements: readonly Json[]): Json[] => elements.filter(({ completionResponse }) => completionResponse.Completion);
      const channel = await world.open(path, request);
      await channel.until(() => told(channel.elements).length >= told(listed).length);
      await channel.close();
      assert.deepEqual(told(channel.elements), told(listed), "list and WebSocket");
      return told(listed).map(({ completionResponse }) => completionResponse.Completion.value.actAs);
    };
    assert.deepEqual(await actAsOf([first, last]), [[alice], [bob], both, both]);
    assert.deepEqual(await actAsOf([]), [[alice], [bob], both, both], "of all");
    assert.deepEqual(await actAsOf([alice]), [[alice], [alice], [alice]]);
    assert.deepEqual(await actAsOf([bob]), [[bob], [bob], [bob]]);
  });

  it("completions come to those who wait for them", async () => {
    const begin = await world.ledgerEnd();
    const channel = await world.open("/v2/commands/completions", { userId: "tester", parties: [alice], beginExclusive: begin });
    const commands = world.commands([alice], [create(delegation, { owner: alice, delegate: bob })]);
    assert.equal((await world.client.post("/v2/commands/async/submit", commands)).status, 200);
    const { completionResponse } = await channel.until(
      (element) => element.completionResponse.Completion?.value.commandId === commands.commandId,
    );
    assert.equal(completionResponse.Completion.value.status?.code ?? 0, 0);
    await channel.close();
  });
});
