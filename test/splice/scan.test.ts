/** Scan and the validator's proxy: history with verdicts, snapshots, holdings and votes, as explorers and exchanges read them. */
import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";
import { create, exercise, type Json } from "../scenarios/world.js";
import { names, StandInWorld } from "./stand-in-world.js";

let net: StandInWorld, early: Json, rulesOfDso: string;
before(async () => {
  net = await StandInWorld.start();
  early = await withoutNetwork();
  await net.bootstrap();
  rulesOfDso = (await net.make(names.dsoRules, dsoRules(null))).contractId;
  await net.amulet(net.alice, "2.0");
  await net.world.create([net.venue], names.token, { admin: net.venue, owner: net.alice });
});
after(() => net.world.stop());

const scan = (path: string, body: Json = {}): Promise<Json> => net.ask(`/api/scan${path}`, body);
const refused = async (path: string, body: Json): Promise<readonly [number, string]> => {
  const {
    status,
    body: { error },
  } = await net.post(`/api/scan${path}`, body);
  return [status, error];
};
const snapshot = async (): Promise<string> => (await scan("/v0/state/acs/force")).record_time;
const dsoRules = (nextScheduledSynchronizerUpgrade: Json): Json => ({
  svs: [[net.venue, { name: "Venue-1" }]],
  config: { nextScheduledSynchronizerUpgrade },
});
/** A time in the ledger's own precision. */
const micros = (time: string): bigint => BigInt(Date.parse(time)) * 1_000n + BigInt(/\.\d{3}(\d{3})Z$/.exec(time)?.[1] ?? "0");

/** A time that has as few digits as it takes, with six of them. */
const micros6 = (time: string): string => time.replace(/(?:\.(\d+))?Z$/, (_, digits = "") => `.${digits.padEnd(6, "0")}Z`);

/** All pages, from the beginning. */
async function pages(size: number, changes: Json = {}): Promise<Json[]> {
  const events: Json[] = [];
  for (let after: Json; ;) {
    const page: Json[] = (await scan("/v0/events", { page_size: size, ...(after ? { after } : {}), ...changes })).events;
    events.push(...page);
    if (page.length < size) return events;
    const last = page.at(-1).update ?? page.at(-1).verdict;
    after = { after_migration_id: last.migration_id, after_record_time: last.record_time };
  }
}

/** What is told before there is a network, of the first transaction. */
async function withoutNetwork(): Promise<Json> {
  await net.amulet(net.alice, "1.0");
  const events = await pages(10),
    { record_time } = events[0].verdict;
  return {
    events,
    behind: (await scan("/v0/events", { page_size: 10, after: { after_migration_id: 0, after_record_time: record_time } })).events,
    snapshot: await refused("/v0/state/acs/force", {}),
    dso: await net.get("/api/scan/v0/dso-party-id"),
    rules: await refused("/v0/amulet-rules", {}),
  };
}

describe("scan: history", () => {
  it("events: before there is a network, submissions have verdicts and nothing else", async () => {
    const { events, behind, snapshot, dso, rules } = early,
      [event, ...others] = events;
    assert.deepEqual(
      [others.length, event.update, event.app_activity_records, event.verdict.verdict_result, event.verdict.submitting_parties],
      [0, null, null, "VERDICT_RESULT_ACCEPTED", [net.dso]],
    );
    assert.deepEqual(behind, []);
    assert.deepEqual(snapshot, [400, "No amulet rules."]);
    assert.deepEqual(dso, { status: 404, body: { error: "No active AmuletRules contract" } });
    assert.deepEqual(rules, [500, "An unexpected error occurred."]);
  });

  it("events: what the DSO sees, as trees with ids in the order of the events", async () => {
    const { contractId } = await net.amulet(net.bob, "2.5", 3, "0.5");
    await net.world.transact([net.dso], [exercise(names.amulet, contractId, "Spend"), create(names.amulet, net.coin(net.bob, "2.0"))]);
    const { update, verdict } = (await pages(1000)).at(-1),
      [first, second] = update.root_event_ids,
      events = update.events_by_id;
    assert.deepEqual([first, second], [`${update.update_id}:0`, `${update.update_id}:1`]);
    assert.deepEqual(
      [
        events[first].event_type,
        events[first].choice,
        events[first].consuming,
        events[first].contract_id,
        events[first].interface_id,
        events[first].child_event_ids,
      ],
      ["exercised_event", "Spend", true, contractId, null, []],
    );
    assert.deepEqual([events[first].choice_argument, events[first].exercise_result, events[first].acting_parties], [{}, {}, [net.dso]]);
    assert.deepEqual(
      [
        events[second].event_type,
        events[second].package_name,
        events[second].create_arguments.amount.initialAmount,
        events[second].observers,
      ],
      ["created_event", "splice-amulet", "2.0000000000", [net.bob]],
    );
    assert.match(update.record_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.deepEqual(
      [verdict.update_id, verdict.record_time, update.workflow_id, update.migration_id, "offset" in update],
      [update.update_id, update.record_time, "", 0, false],
    );
    assert.deepEqual(verdict.transaction_views.root_views, [0, 1]);
    assert.deepEqual(
      verdict.transaction_views.views.map(({ view_id, informees }: Json) => [view_id, informees]),
      [
        [0, [net.bob, net.dso].sort()],
        [1, [net.bob, net.dso].sort()],
      ],
    );
  });

  it("events: private ones have a verdict only, and so do rejected submissions", async () => {
    await net.world.create([net.venue], names.token, { admin: net.venue, owner: net.alice });
    const { update, verdict } = (await pages(1000)).at(-1);
    assert.deepEqual([update, verdict.submitting_parties, verdict.transaction_views.views[0].informees], [null, [net.venue], [net.venue]]);
    let told: Json[] = [];
    for (let round = 0; told.length === 0 && round < 50; round++) {
      const { contractId } = await net.amulet(net.alice, "1.0");
      const before = (await pages(1000)).length,
        replies = await Promise.all(["a", "b", "c"].map(() => net.world.submit([net.dso], [exercise(names.amulet, contractId, "Spend")])));
      assert.deepEqual(replies.map(({ status }) => status === 200).sort(), [false, false, true]);
      // Who came after the winner's commit was refused by the engine, and has no verdict.
      const late = replies.filter((reply) => reply.status !== 200 && reply.json().code === "CONTRACT_NOT_FOUND").length,
        raced = (await pages(1000)).slice(before);
      told = raced.filter((event) => event.verdict.verdict_result === "VERDICT_RESULT_REJECTED");
      assert.deepEqual([raced.length, told.length], [3 - late, 2 - late]);
    }
    assert.ok(told.length > 0);
    for (const event of told) {
      assert.deepEqual(
        [event.update, event.verdict.submitting_parties, event.verdict.transaction_views],
        [null, [net.dso], { views: [], root_views: [] }],
      );
      assert.deepEqual((await net.get(`/api/scan/v0/events/${event.verdict.update_id}`)).body, event);
    }
  });

  it("events: every page size gives the same, in strictly rising order; behind the last there is nothing", async () => {
    const all = await pages(1000),
      times = all.map(({ verdict }) => micros(verdict.record_time));
    assert.ok(all.length > 8 && times.every((time, index) => index === 0 || time > times[index - 1]!));
    for (const size of [1, 2, 3, all.length]) assert.deepEqual(await pages(size), all, `pages of ${size}`);
    const ids = all.map(({ verdict }) => verdict.update_id);
    assert.equal(new Set(ids).size, all.length);
    const { body } = await net.get(`/api/scan/v0/events/${ids[3]}`);
    assert.deepEqual(body, all[3]);
    assert.deepEqual(await net.get(`/api/scan/v0/events/1220${"00".repeat(32)}`), {
      status: 404,
      body: { error: `Event with id 1220${"00".repeat(32)} not found` },
    });
    const visible = all.filter(({ update }) => update !== null).map(({ update }) => update);
    assert.deepEqual((await scan("/v2/updates", { page_size: 1000 })).transactions, visible);
    assert.deepEqual((await net.get(`/api/scan/v2/updates/${visible[0].update_id}`)).body, visible[0]);
    const hidden = all.find(({ update }) => update === null)!.verdict.update_id;
    assert.deepEqual(await net.get(`/api/scan/v2/updates/${hidden}`), {
      status: 404,
      body: { error: `Transaction with id ${hidden} not found` },
    });
  });

  it("events: values in both encodings; the encoding goes by two names, of which the published one wins", async () => {
    await net.locked(net.alice, "7.0");
    const [compact, proto, other, both] = await Promise.all(
      [
        {},
        { daml_value_encoding: "protobuf_json" },
        { contract_value_encoding: "protobuf_json" },
        { daml_value_encoding: "compact_json", contract_value_encoding: "protobuf_json" },
      ].map(async (changes) => (await pages(1000, changes)).at(-1)),
    );
    assert.deepEqual([other, both], [proto, compact]);
    const argumentsOf = ({ update }: Json): Json => update.events_by_id[update.root_event_ids[0]].create_arguments;
    assert.deepEqual(argumentsOf(compact).lock.optContext, null, "None at the end of a record is written out");
    assert.deepEqual(argumentsOf(compact).amulet.amount, {
      initialAmount: "7.0000000000",
      createdAt: { number: "0" },
      ratePerRound: { rate: "0.0000000000" },
    });
    const [dso, amulet, lock] = argumentsOf(proto).record.fields.map(({ value }: Json) => value);
    assert.deepEqual([dso, amulet.record.fields[2].value.record.fields[0]], [{ party: net.dso }, { value: { numeric: "7.0000000000" } }]);
    assert.deepEqual(lock.record.fields[0].value, { list: { elements: [{ party: net.dso }] } });
    assert.match(lock.record.fields[1].value.timestamp, /^\d{16}$/);
    assert.deepEqual(Object.keys(proto.update.events_by_id), Object.keys(compact.update.events_by_id));
  });

  it("events: what is wrong with a request is told", async () => {
    assert.deepEqual(await refused("/v0/events", { page_size: 0 }), [400, "Limit must be at least 1."]);
    assert.deepEqual(await refused("/v0/events", { page_size: 1001 }), [400, "Exceeded limit maximum (1001 > 1000)."]);
    const [status, error] = await refused("/v0/events", { page_size: 0, after: { after_migration_id: 0, after_record_time: "yesterday" } });
    assert.ok(status === 400 && error.startsWith("Invalid timestamp: "), "the time is looked at before the size");
    for (const unreadable of [
      {},
      { page_size: "ten" },
      { page_size: "" },
      { page_size: 1, after: {} },
      { page_size: 1, daml_value_encoding: "xml" },
    ])
      assert.equal((await refused("/v0/events", unreadable))[0], 400);
  });

  it("updates of earlier releases: the same with an offset, which the first of them tells as it is here, with its own numbers of events", async () => {
    const { transactions } = await scan("/v2/updates", { page_size: 1000 }),
      last = transactions.at(-1),
      id = last.update_id;
    const [v1, v0] = [await scan("/v1/updates", { page_size: 1000 }), await scan("/v0/updates", { page_size: 1000, lossless: true })];
    assert.deepEqual(
      v1.transactions,
      transactions.map((update: Json) => ({ ...update, offset: "000000000000000001" })),
    );
    const local = v0.transactions.at(-1),
      offset = Number.parseInt(local.offset, 16);
    const format = {
      eventFormat: { filtersByParty: { [net.dso]: {} }, verbose: false },
      transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
    };
    const recorded = (
      await net.world.client.post("/v2/updates/update-by-offset", { offset, updateFormat: { includeTransactions: format } })
    ).json();
    assert.equal(recorded.update.Transaction.value.updateId, id);
    assert.match(local.offset, /^00[0-9a-f]{16}$/);
    assert.deepEqual(
      local.root_event_ids,
      last.root_event_ids.map((event: string) => `#${event}`),
    );
    const [event] = Object.values(local.events_by_id) as [Json];
    assert.deepEqual([event.event_id, "record" in event.create_arguments], [local.root_event_ids[0], true]);
    assert.deepEqual((await net.get(`/api/scan/v0/updates/${id}?lossless=true`)).body, local);
    assert.deepEqual((await net.get(`/api/scan/v1/updates/${id}?daml_value_encoding=compact_json`)).body, v1.transactions.at(-1));
    assert.deepEqual(await net.get("/api/scan/v0/updates/nothing"), {
      status: 404,
      body: { error: "Transaction with id nothing not found" },
    });
  });

  it("integers may come as text, as from who keeps them in a database", async () => {
    const { record_time, migration_id } = await scan("/v0/state/acs/force"),
      { transactions } = await scan("/v2/updates", { page_size: 1000 }),
      [{ synchronizer_id }] = transactions;
    const page = { migration_id, record_time, page_size: 2, after: 1 },
      owner_party_ids = [net.alice],
      behind = { after_migration_id: 0, after_record_time: transactions[1].record_time };
    for (const [path, body] of [
      ["/v0/events", { page_size: 2, after: behind }],
      ["/v2/updates", { page_size: 2, after: behind }],
      ["/v1/updates", { page_size: 2, after: behind }],
      ["/v0/updates", { page_size: 2, after: behind }],
      ["/v0/state/acs", page],
      ["/v1/state/acs", page],
      ["/v0/holdings/state", { ...page, owner_party_ids }],
      ["/v0/holdings/summary", { migration_id, record_time, owner_party_ids, as_of_round: 0 }],
      ["/v0/backfilling/migration-info", { migration_id }],
      ["/v0/backfilling/updates-before", { migration_id, synchronizer_id, before: record_time, count: 2 }],
      ["/v0/backfilling/import-updates", { migration_id, after_update_id: "", limit: 2 }],
      ["/v0/admin/sv/voteresults", { limit: 2, pageToken: 1 }],
    ] as const) {
      const asText = JSON.parse(JSON.stringify(body), (_, value: unknown) => (typeof value === "number" ? `${value}` : value));
      assert.deepEqual(await net.post(`/api/scan${path}`, asText), await net.post(`/api/scan${path}`, body), path);
    }
  });

  it("backfilling: who copies the history goes back in it from the newest update, in pages of any size, to the oldest", async () => {
    const { transactions } = await scan("/v1/updates", { page_size: 1000, daml_value_encoding: "protobuf_json" }),
      newestFirst = transactions.toReversed(),
      times: string[] = newestFirst.map(({ record_time }: Json) => record_time),
      [{ synchronizer_id }] = transactions;
    const before = async (time: string, count: number, changes: Json = {}): Promise<Json[]> =>
      (await scan("/v0/backfilling/updates-before", { migration_id: 0, synchronizer_id, before: time, count, ...changes })).transactions;
    for (const size of [1, 3, 1000]) {
      const all: Json[] = [];
      for (let time = "2100-01-01T00:00:00Z"; ;) {
        const page = await before(time, size);
        if (page.length === 0) break;
        all.push(...page);
        time = page.at(-1).record_time;
      }
      assert.deepEqual(all, newestFirst, `pages of ${size}`);
    }
    assert.deepEqual(await before(times[1]!, 10, { at_or_after: times[3] }), newestFirst.slice(2, 4), "from a time on, before another");
    for (const other of [
      { migration_id: 1 },
      { synchronizer_id: `elsewhere::1220${"00".repeat(32)}` },
      { at_or_after: "2100-01-01T00:00:00Z" },
    ])
      assert.deepEqual(await before("2100-01-01T00:00:00Z", 10, other), []);
    const { record_time_range, ...others } = await scan("/v0/backfilling/migration-info", { migration_id: 0 }),
      [{ min, max, ...range }] = record_time_range;
    assert.deepEqual([range, others], [{ synchronizer_id }, { complete: true, import_updates_complete: true }]);
    assert.deepEqual([micros6(min), micros6(max)], [times.at(-1), times[0]]);
    assert.deepEqual(await scan("/v0/backfilling/import-updates", { migration_id: 0, after_update_id: "", limit: 10 }), {
      transactions: [],
    });
    assert.deepEqual(await refused("/v0/backfilling/migration-info", { migration_id: 1 }), [404, "No data for migration 1"]);
    const asked = { migration_id: 0, synchronizer_id, before: times[0], count: 1 };
    assert.deepEqual(await refused("/v0/backfilling/updates-before", { ...asked, count: 0 }), [400, "Limit must be at least 1."]);
    assert.deepEqual(await refused("/v0/backfilling/import-updates", { migration_id: 0, after_update_id: "", limit: 1001 }), [
      400,
      "Exceeded limit maximum (1001 > 1000).",
    ]);
    for (const unreadable of [{ synchronizer_id: "nowhere" }, { before: "yesterday" }, { at_or_after: "now" }, { before: undefined }])
      assert.equal((await refused("/v0/backfilling/updates-before", { ...asked, ...unreadable }))[0], 400, JSON.stringify(unreadable));
  });

  it("values: an encoding that there is none of is refused in queries as in bodies", async () => {
    const id = (await pages(1))[0].verdict.update_id;
    for (const path of ["v0/events", "v1/updates", "v2/updates"])
      assert.deepEqual(
        [
          (await net.get(`/api/scan/${path}/${id}?daml_value_encoding=xml`)).status,
          (await net.get(`/api/scan/${path}/${id}?daml_value_encoding=protobuf_json`)).status === 400,
        ],
        [400, false],
        path,
      );
  });
});

describe("scan: snapshots", () => {
  it("snapshots: a forced one is at the newest update and stays as it was; again at the same place it is the same", async () => {
    const before = await net.get(
      `/api/scan/v0/state/acs/snapshot-timestamp?before=${encodeURIComponent(new Date(0).toISOString())}&migration_id=0`,
    );
    assert.deepEqual(before, { status: 404, body: { error: "No snapshots found before 1970-01-01T00:00Z" } });
    const { contractId } = await net.amulet(net.venue, "4.0"),
      first = await snapshot();
    assert.equal(await snapshot(), first);
    const query = { migration_id: 0, record_time: first, page_size: 10, owner_party_ids: [net.venue] };
    const held = await scan("/v1/holdings/state", query);
    assert.deepEqual(
      held.created_events.map(({ contract_id }: Json) => contract_id),
      [contractId],
    );
    await net.spend(names.amulet, contractId);
    const second = await snapshot();
    assert.deepEqual(await scan("/v1/holdings/state", query), held, "the past does not change");
    assert.deepEqual((await scan("/v1/holdings/state", { ...query, record_time: second })).created_events, []);
    const between = `${new Date(Number((micros(first) + micros(second)) / 2_000n)).toISOString()}`;
    const found = await scan("/v1/holdings/state", { ...query, record_time: between, record_time_match: "at_or_before" });
    assert.deepEqual(found, held);
    const [status, error] = await refused("/v1/holdings/state", { ...query, record_time: between });
    assert.ok(status === 404 && error.startsWith("Failed to find ACS snapshot for migration id 0 at "), error);
    const timestamp = async (direction: string, time: string): Promise<Json> =>
      (
        await net.get(
          `/api/scan/v0/state/acs/snapshot-timestamp${direction === "after" ? "-after" : ""}?${direction}=${encodeURIComponent(time)}&migration_id=0`,
        )
      ).body.record_time;
    assert.deepEqual(
      [
        await timestamp("before", first),
        await timestamp("before", between),
        await timestamp("after", first),
        await timestamp("after", between),
      ],
      [first, first, second, second],
    );
    assert.equal(await timestamp("after", second), undefined);
  });

  it("holdings: pages follow their tokens, may be short, and add up to the summary", async () => {
    await net.amulets(net.alice, ["1.5", "2.5", "3.25"]);
    await net.locked(net.alice, "0.75");
    await net.amulet(net.bob, "10.0");
    const record_time = await snapshot(),
      query = { migration_id: 0, record_time, owner_party_ids: [net.alice, net.bob] };
    const all: Json[] = (await scan("/v1/holdings/state", { ...query, page_size: 1000 })).created_events;
    for (const page_size of [1, 2]) {
      const collected: Json[] = [];
      for (let after: number | undefined; ;) {
        const page = await scan("/v1/holdings/state", { ...query, page_size, ...(after === undefined ? {} : { after }) });
        collected.push(...page.created_events);
        if (page.next_page_token === null) break;
        after = page.next_page_token;
      }
      assert.deepEqual(collected, all);
    }
    const amountOf = ({ create_arguments: { amulet, amount } }: Json): number => Number((amulet?.amount ?? amount).initialAmount);
    const ownerOf = ({ create_arguments: { amulet, owner } }: Json): string => amulet?.owner ?? owner;
    const { summaries } = await scan("/v1/holdings/summary", query);
    for (const { party_id, total_coin_holdings } of summaries)
      assert.equal(
        Number(total_coin_holdings),
        all.filter((each) => ownerOf(each) === party_id).reduce((sum, each) => sum + amountOf(each), 0),
      );
    assert.deepEqual(
      summaries.map(({ party_id }: Json) => party_id),
      [net.alice, net.bob],
    );
    assert.match(summaries[0].total_locked_coin, /^\d+\.\d{10}$/);
    const lockHolder = await scan("/v1/holdings/state", { ...query, page_size: 2, owner_party_ids: [net.dso] });
    assert.deepEqual(
      [lockHolder.created_events, typeof lockHolder.next_page_token],
      [[], "number"],
      "stakeholders count for the page, owners for what is in it",
    );
    assert.deepEqual((await net.ask("/api/validator/v1/scan-proxy/holdings/summary", query)).summaries, summaries);
    const [created] = (await scan("/v0/holdings/state", { ...query, page_size: 1 })).created_events;
    assert.deepEqual(
      [created.event_type, created.contract_id, created.event_id.split(":")[0]],
      ["created_event", all[0].contract_id, `#${all[0].created_in_update_id}`],
    );
    const acs = { ...query, page_size: 1, templates: ["splice-amulet:Splice.Amulet:Amulet"], party_ids: [net.alice] };
    assert.deepEqual((await scan("/v0/state/acs", acs)).created_events, [created], "ids of events as they were in earlier releases");
  });

  it("holdings: what is wrong with a request is told, in the order in which it is looked for", async () => {
    const record_time = await snapshot(),
      query = { migration_id: 0, record_time, page_size: 10, owner_party_ids: [net.alice] },
      path = "/v1/holdings/state";
    assert.deepEqual(await refused(path, { ...query, page_size: 1001 }), [400, "Exceeded limit maximum (1001 > 1000)."]);
    assert.deepEqual(await refused(path, { ...query, page_size: 0, owner_party_ids: [] }), [400, "Limit must be at least 1."]);
    assert.deepEqual(await refused(path, { ...query, owner_party_ids: [] }), [
      400,
      "Expected 'ownerPartyIds' to contain at least one item, but contained none.",
    ]);
    for (const after of [0, -1, Number.MAX_SAFE_INTEGER])
      assert.match((await refused(path, { ...query, after }))[1], /^Invalid after token, outside of snapshot range \(\d+ to \d+\)\.$/);
    assert.equal((await refused(path, { ...query, migration_id: 1 }))[0], 404);
    assert.equal(
      (await refused(path, { ...query, migration_id: 1, record_time_match: "at_or_before", owner_party_ids: [] }))[0],
      404,
      "no snapshot comes first there",
    );
    assert.equal((await refused(path, { ...query, record_time: "noon" }))[0], 400);
    assert.deepEqual(await refused("/v1/state/acs", { ...query, templates: ["splice-amulet:Splice.Amulet"] }), [
      400,
      "Malformed template_id, expected 'package_name:module_name:entity_name'",
    ]);
    const rounds = (await scan("/v1/state/acs", { ...query, templates: ["splice-amulet:Splice.Round:OpenMiningRound"] })).created_events;
    assert.deepEqual(
      rounds.map(({ create_arguments }: Json) => create_arguments.round.number),
      ["0", "1", "2"],
    );
  });

  it("holding fees: of a round, none before, all of it in the end; the default is the round that was created first", async () => {
    const carol = await net.world.party("carol");
    await net.amulet(carol, "100.0", 3, "0.5");
    const query = { migration_id: 0, record_time: await snapshot(), owner_party_ids: [carol] },
      path = "/api/validator/v0/scan-proxy/holdings/summary";
    const at = async (as_of_round?: number): Promise<readonly [number, string, string]> => {
      const {
        computed_as_of_round: round,
        summaries: [sums],
      } = await net.ask(path, { ...query, ...(as_of_round === undefined ? {} : { as_of_round }) });
      return [round, sums.accumulated_holding_fees_total, sums.total_available_coin];
    };
    assert.deepEqual(await at(10), [10, "3.5000000000", "96.5000000000"]);
    assert.deepEqual(await at(1), [1, "-1.0000000000", "101.0000000000"]);
    assert.deepEqual(await at(300), [300, "100.0000000000", "0.0000000000"]);
    assert.deepEqual(await at(), [0, "-1.5000000000", "101.5000000000"]);
    assert.deepEqual(await net.post(path, { ...query, record_time: new Date(0).toISOString() }), {
      status: 404,
      body: { error: "Summary not found for given parameters" },
    });
    assert.deepEqual((await net.post(path, { ...query, owner_party_ids: [] })).body, {
      error: "Expected 'partyIds' to contain at least one item, but contained none.",
    });
  });

  it("a summary of more than 1000 contracts is refused; pages of them are fine", async () => {
    const rich = await net.world.party("rich");
    for (let left = 1001; left > 0; left -= 143)
      await net.amulets(
        rich,
        Array.from({ length: Math.min(left, 143) }, () => "1.0"),
      );
    const query = { migration_id: 0, record_time: await snapshot(), owner_party_ids: [rich] };
    assert.deepEqual(await refused("/v1/holdings/summary", query), [
      400,
      "Size of the result exceeded the limit in queryAcsSnapshot. Result size: 1001. Limit: 1000",
    ]);
    const first = await scan("/v1/holdings/state", { ...query, page_size: 1000 }),
      second = await scan("/v1/holdings/state", { ...query, page_size: 1000, after: first.next_page_token });
    assert.deepEqual([first.created_events.length, second.created_events.length, second.next_page_token], [1000, 1, null]);
    const {
      body: {
        instruments: [{ totalSupply, totalSupplyAsOf }],
      },
    } = await net.get("/registry/metadata/v1/instruments");
    assert.ok(Number(totalSupply) > 1001 && totalSupplyAsOf === query.record_time);
  });

  it("active contracts: no parties are the same as none that are named: what the DSO sees", async () => {
    const query = { migration_id: 0, record_time: await snapshot(), page_size: 1000 };
    for (const path of ["/v0/state/acs", "/v1/state/acs"]) {
      const all = await scan(path, query);
      assert.ok(all.created_events.length > 0);
      assert.deepEqual(await scan(path, { ...query, party_ids: [] }), all);
    }
  });
});

describe("scan: the network", () => {
  it("vote results: filters, order and pages; every address has the same", async () => {
    const close = (requester: string, action: Json, outcome: Json, completedAt: string): Promise<Json> =>
      net.world.transact(
        [net.dso],
        [
          exercise(names.dsoRules, rulesOfDso, "DsoRules_CloseVoteRequest", {
            result: {
              request: {
                dso: net.dso,
                requester,
                action,
                voteBefore: "2026-01-01T00:00:00Z",
                votes: [["sv1", "1"]],
                weight: "0.50",
                trackingCid: null,
              },
              completedAt,
              outcome,
            },
          }),
        ],
      );
    const onRules = (tag: string, value: Json = {}): Json => ({ tag: "ARC_DsoRules", value: { dsoAction: { tag, value } } }),
      amuletRules = { tag: "ARC_AmuletRules", value: { amuletRulesAction: { tag: "CRARC_SetConfig", value: {} } } };
    const accepted = (effectiveAt: string): Json => ({ tag: "VRO_Accepted", value: { effectiveAt } });
    await close("sv1", onRules("SRARC_SetConfig"), accepted("2026-03-01T00:00:00Z"), "2026-02-01T00:00:00Z");
    await close("sv2", amuletRules, { tag: "VRO_Rejected", value: {} }, "2026-02-15T00:00:00Z");
    await close("sv1", onRules("SRARC_GrantFeaturedAppRight"), accepted("2026-02-20T00:00:00.500Z"), "2026-02-02T00:00:00Z");
    await close(
      "other",
      onRules("SRARC_SetConfig"),
      { tag: "VRO_AcceptedButActionFailed", value: { description: "x" } },
      "2026-01-10T00:00:00Z",
    );
    const path = "/v0/admin/sv/voteresults",
      ask = (changes: Json = {}): Promise<Json> => net.ask(`/api/validator${path}`, { limit: 1000, ...changes });
    const named = async (changes: Json): Promise<readonly string[]> =>
      (await ask(changes)).dso_rules_vote_results.map(
        ({ request: { requester }, outcome: { tag } }: Json) => `${requester} ${tag.slice(4)}`,
      );
    const all = ["sv1 Accepted", "sv1 Accepted", "sv2 Rejected", "other AcceptedButActionFailed"];
    assert.deepEqual(await named({}), all);
    for (const [filter, wanted] of [
      [{ actionName: "SRARC_SetConfig" }, [all[0], all[3]]],
      [{ actionName: "SetConfig" }, [all[0], all[2], all[3]]],
      [{ actionName: "setconfig" }, []],
      [{ actionName: "S_ARC" }, [all[0], all[1], all[3]]],
      [{ accepted: true }, [all[0], all[1]]],
      [{ accepted: false }, [all[2], all[3]]],
      [{ requester: "sv" }, all.slice(0, 3)],
      [{ requester: "s%1" }, [all[0], all[1]]],
      [{ effectiveFrom: "2026-02-20T00:00:00.500Z" }, [all[0]]],
      [{ effectiveTo: "2026-03-01T00:00:00Z" }, [all[1]]],
      [{ effectiveFrom: "2026-02-20T00:00:00.500Z", effectiveTo: "2026-03-01T00:00:00Z" }, [all[0], all[1]]],
      [{ requester: "sv1", accepted: true, actionName: "Grant" }, [all[1]]],
    ] as const) {
      assert.deepEqual(await named(filter), wanted, JSON.stringify(filter));
      assert.deepEqual(await net.ask(`/api/scan${path}/count`, filter), { count: wanted.length });
    }
    const paged: Json[] = [],
      tokens: (number | null)[] = [];
    for (let pageToken: number | null = null; ;) {
      const page: Json = await ask({ limit: 3, pageToken });
      paged.push(...page.dso_rules_vote_results);
      tokens.push((pageToken = page.next_page_token));
      if (pageToken === null) break;
    }
    const whole = await ask();
    assert.deepEqual([paged, tokens.length], [whole.dso_rules_vote_results, 3], "the last page is empty");
    assert.deepEqual(await ask({ pageToken: 5 }), { dso_rules_vote_results: [], next_page_token: null });
    const [first] = whole.dso_rules_vote_results;
    assert.deepEqual(
      [first.request.trackingCid, first.request.weight, first.request.votes, first.completedAt],
      [null, "0.5", [["sv1", "1"]], "2026-02-01T00:00:00Z"],
    );
    for (const prefix of ["/api/scan", "/api/sv"]) assert.deepEqual(await net.ask(`${prefix}${path}`, { limit: 1000 }), whole);
    assert.deepEqual((await net.post(`/api/sv${path}`, { limit: 0 })).body, { error: "Limit must be at least 1." });
    assert.equal((await net.post(`/api/sv${path}`, { limit: "five" })).status, 400);

    const ofSv = (svParty: string, newRewardWeight: number): Json =>
      onRules("SRARC_UpdateSvRewardWeight", { svParty, newRewardWeight: String(newRewardWeight) });
    await close("sv1", ofSv(net.venue, 10), accepted("2026-03-02T00:00:00Z"), "2026-02-01T00:00:00Z");
    await close("sv1", ofSv(net.venue, 30), accepted("2026-04-02T00:00:00Z"), "2026-02-01T00:00:00Z");
    await close("sv1", ofSv(net.venue, 50), { tag: "VRO_Rejected", value: {} }, "2026-05-01T00:00:00Z");
    await close("sv1", ofSv(net.alice, 70), accepted("2026-05-02T00:00:00Z"), "2026-02-01T00:00:00Z");
    const weightPath = "/v0/admin/sv/previous-sv-reward-weight";
    for (const [request, answer] of [
      [{ svParty: net.venue }, { rewardWeight: "30" }],
      [{ svParty: net.venue, effectiveBefore: "2026-04-02T00:00:00Z" }, { rewardWeight: "10" }],
      [{ svParty: net.venue, effectiveBefore: "2026-03-02T00:00:00Z" }, {}],
      [{ svParty: net.alice, effectiveBefore: null }, { rewardWeight: "70" }],
      [{ svParty: net.bob }, {}],
    ] as const)
      for (const prefix of ["/api/scan", "/api/sv"]) assert.deepEqual(await net.ask(`${prefix}${weightPath}`, request), answer);
    assert.deepEqual(await refused(weightPath, { svParty: "nobody" }), [400, "Invalid unique identifier `nobody` with missing namespace."]);
  });

  it("migrations: the one that the rules of the DSO schedule is told", async () => {
    const path = "/api/scan/v0/migrations/schedule";
    const none = await net.world.client.get(path);
    assert.deepEqual([none.status, none.text], [404, ""]);
    const { contractId } = await net.make(names.dsoRules, dsoRules({ time: "2027-03-01T12:00:00.5Z", migrationId: "1" }));
    assert.deepEqual(await net.get(path), { status: 200, body: { time: "2027-03-01T12:00:00.5Z", migration_id: 1 } });
    await net.spend(names.dsoRules, contractId);
    assert.equal((await net.get(path)).status, 404);
  });

  it("the network: rules unless the caller has them, rounds by contract id there and as a list in the proxy, a missing preapproval by name", async () => {
    const {
      amulet_rules_update: { contract },
    } = await scan("/v0/amulet-rules");
    assert.deepEqual(
      Object.keys((await scan("/v0/amulet-rules", { cached_amulet_rules_contract_id: contract.contract_id })).amulet_rules_update),
      ["domain_id"],
    );
    assert.deepEqual((await net.get("/api/validator/v0/scan-proxy/amulet-rules")).body.amulet_rules.contract, contract);
    const { open_mining_rounds, time_to_live_in_microseconds } = await scan("/v0/open-and-issuing-mining-rounds", {
      cached_open_mining_round_contract_ids: [],
      cached_issuing_round_contract_ids: [],
    });
    const { body } = await net.get("/api/validator/v0/scan-proxy/open-and-issuing-mining-rounds");
    assert.deepEqual(Object.values(open_mining_rounds), body.open_mining_rounds);
    assert.deepEqual([body.open_mining_rounds.length, time_to_live_in_microseconds], [3, 600_000_000]);
    assert.deepEqual(await net.get(`/api/validator/v0/scan-proxy/transfer-preapprovals/by-party/${net.alice}`), {
      status: 404,
      body: { error: `No TransferPreapproval found for party: ${net.alice}` },
    });
    assert.deepEqual((await net.get(`/api/validator/v0/scan-proxy/featured-apps/${net.alice}`)).body, { featured_app_right: null });
    assert.equal((await net.get("/api/scan/v0/dso-party-id")).body.dso_party_id, net.dso);
  });

  it("names: the DSO and its SVs have theirs always, behind those in contracts where the page has room", async () => {
    const entry = (user: string, name: string): Json => ({
        contract_id: null,
        user,
        name,
        url: "",
        description: "",
        expires_at: null,
      }),
      dso = entry(net.dso, "dso.ans"),
      sv = entry(net.venue, "venue-1.sv.ans");
    for (const { user, name } of [dso, sv])
      for (const prefix of ["/api/scan/v0", "/api/validator/v0/scan-proxy"])
        assert.deepEqual(
          [(await net.get(`${prefix}/ans-entries/by-name/${name}`)).body, (await net.get(`${prefix}/ans-entries/by-party/${user}`)).body],
          [{ entry: entry(user, name) }, { entry: entry(user, name) }],
        );
    const list = async (query: string): Promise<Json> => (await net.get(`/api/scan/v0/ans-entries?${query}`)).body.entries;
    assert.deepEqual(
      [await list("page_size=10"), await list("page_size=1"), await list("page_size=10&name_prefix=ven")],
      [[dso, sv], [dso], [sv]],
    );
    for (const [path, error] of [
      [`/api/scan/v0/ans-entries/by-party/${net.alice}`, `No ans entry found for party: ${net.alice}`],
      ["/api/scan/v0/ans-entries/by-name/who.ans", "No ans entry found for name: who.ans"],
      [`/api/validator/v0/scan-proxy/ans-entries/by-party/${net.alice}`, `Party ${net.alice} does not have any ANSEntry.`],
      ["/api/validator/v0/scan-proxy/ans-entries/by-name/who.ans", "Did not find a AnsEntry with name who.ans"],
    ] as const)
      assert.deepEqual(await net.get(path), { status: 404, body: { error } });
  });

  it("the network: licenses in pages and what they received, what transfers cost in rounds of now and before", async () => {
    const number = (value: number): Json => ({ number: String(value) });
    const faucetState = { firstReceivedFor: number(3), lastReceivedFor: number(9), numCouponsMissed: "2" };
    const ids = [
      (await net.make(names.license, { validator: net.alice, faucetState })).contractId,
      (await net.make(names.license, { validator: net.bob, faucetState: null })).contractId,
    ];
    const licenses = "/api/scan/v0/admin/validator/licenses",
      idsOf = (page: Json): Json[] => page.validator_licenses.map(({ contract_id }: Json) => contract_id);
    const all = (await net.get(licenses)).body,
      first = (await net.get(`${licenses}?limit=1`)).body;
    assert.deepEqual([idsOf(all), idsOf(first)], [[...ids].reverse(), [ids[1]]]);
    const second = (await net.get(`${licenses}?limit=1&after=${first.next_page_token}`)).body;
    assert.deepEqual([idsOf(second), second.next_page_token], [[ids[0]], all.next_page_token]);
    assert.deepEqual((await net.get(`${licenses}?limit=1000&after=${all.next_page_token}`)).body, {
      validator_licenses: [],
      next_page_token: null,
    });
    assert.equal((await net.get(`${licenses}?limit=0`)).status, 400);
    const asked = `validator_ids=${encodeURIComponent(net.alice)}&validator_ids=${encodeURIComponent(net.venue)}`;
    assert.deepEqual((await net.get(`/api/scan/v0/validators/validator-faucets?${asked}`)).body, {
      validatorsReceivedFaucets: [
        { validator: net.alice, numRoundsCollected: 5, numRoundsMissed: 2, firstCollectedInRound: 3, lastCollectedInRound: 9 },
      ],
    });
    assert.equal((await net.get("/api/scan/v0/validators/validator-faucets")).status, 400);
    const fees = (round: number) => net.get(`/api/scan/v0/amulet-config-for-round?round=${round}`);
    const wanted = {
      amulet_create_fee: "0.0600000000",
      holding_fee: "0.0000000000",
      lock_holder_fee: "0.0100000000",
      transfer_fee: { initial: "0.0100000000", steps: [{ amount: "200.0000000000", rate: "0.0010000000" }] },
    };
    assert.deepEqual((await fees(1)).body, wanted);
    const { contractId } = await net.round(7, 60);
    await net.spend(names.round, contractId);
    assert.deepEqual((await fees(7)).body, wanted);
    assert.deepEqual(await fees(6), { status: 404, body: { error: "Round 6 not found" } });
    const together = await net.rounds([20, 21, 22]);
    for (const id of together) await net.spend(names.round, id);
    const { contractId: next } = await net.round(23, 60);
    await net.spend(names.round, next);
    for (const round of [20, 21, 22, 23])
      assert.deepEqual((await fees(round)).body, wanted, `round ${round}, of which three began together`);
    for (const round of [19, 24]) assert.equal((await fees(round)).status, 404);
  });

  it("transfer commands: what became of those of a number, by contract id", async () => {
    const status = (sender: string, nonce: number | bigint) =>
      net.get(`/api/scan/v0/transfer-command/status?sender=${encodeURIComponent(sender)}&nonce=${nonce}`);
    const made = async (nonce: number | bigint): Promise<string> =>
      (await net.make(names.transferCommand, { sender: net.alice, nonce: String(nonce) })).contractId;
    const end = (contractId: string, choice: string, result: Json): Promise<Json> =>
      net.world.transact([net.dso], [exercise(names.transferCommand, contractId, choice, { result })]);
    const sent = (result: Json): Json => ({ result, sender: net.alice, nonce: "4" });
    const [waiting, good, bad, withdrawn, expired] = [await made(3), await made(4), await made(4), await made(4), await made(4)];
    await end(good, "TransferCommand_Send", sent({ tag: "TransferCommandResultSuccess", value: {} }));
    await end(
      bad,
      "TransferCommand_Send",
      sent({ tag: "TransferCommandResultFailure", value: { reason: { tag: "ITR_Other", value: { description: "no" } } } }),
    );
    await end(withdrawn, "TransferCommand_Withdraw", {});
    await end(expired, "TransferCommand_Expire", {});
    const told = (answer: { readonly body: Json }): Json =>
      Object.fromEntries(
        Object.entries(answer.body.transfer_commands_by_contract_id as Json).map(([id, { status: each }]: [string, Json]) => [
          id,
          each.failure_kind ?? each.status,
        ]),
      );
    assert.deepEqual(told(await status(net.alice, 3)), { [waiting]: "created" });
    const beyondDoubles = 2n ** 53n + 1n,
      high = await made(beyondDoubles);
    assert.deepEqual(told(await status(net.alice, beyondDoubles)), { [high]: "created" });
    const ended = await status(net.alice, 4);
    assert.deepEqual(told(ended), { [good]: "sent", [bad]: "failed", [withdrawn]: "withdrawn", [expired]: "expired" });
    const { contract, status: failed } = ended.body.transfer_commands_by_contract_id[bad];
    assert.deepEqual([contract.contract_id, contract.payload.nonce, contract.created_event_blob !== ""], [bad, "4", true]);
    assert.equal(failed.reason, "ITR_Other(no)");
    for (const [sender, nonce] of [
      [net.alice, 5],
      [net.alice, beyondDoubles - 1n],
      [net.bob, 4],
    ] as const)
      assert.deepEqual(await status(sender, nonce), {
        status: 404,
        body: { error: `Couldn't find transfer command for sender ${sender} with nonce ${nonce} created in the last 24h` },
      });
  });

  it("the SV of this node is told, whoever else is one, with the user by whom software works for it", async () => {
    const svs = [
        [`another::1220${"ab".repeat(32)}`, { name: "Another" }],
        [net.venue, { name: "Venue-1" }],
      ],
      { contractId } = await net.make(names.dsoRules, { ...dsoRules(null), svs });
    const told = async (): Promise<readonly string[]> => {
      const { body } = await net.get("/api/scan/v0/dso");
      return [body.sv_party_id, body.sv_user];
    };
    assert.deepEqual(await told(), [net.venue, "Venue-1"], "it has no user");
    const users = "/api/validator/v0/admin/users";
    await net.ask(users, { name: "venue", party_id: net.venue });
    assert.deepEqual(await told(), [net.venue, "venue"]);
    await net.ask(users, { name: "ledger-api-user", party_id: net.venue });
    assert.deepEqual(await told(), [net.venue, "ledger-api-user"], "whom LocalNet's clients look for");
    for (const user of ["venue", "ledger-api-user"]) await net.world.client.request("DELETE", `/v2/users/${user}`);
    await net.spend(names.dsoRules, contractId);
  });
});

describe("the validator", () => {
  it("users of the wallet: made with a party of their own, the same when asked for again, and removed", async () => {
    const users = "/api/validator/v0/admin/users",
      { party_id } = await net.ask(users, { name: "wally" });
    assert.match(party_id, /^wally::/);
    assert.deepEqual(await net.ask(users, { name: "wally" }), { party_id });
    assert.deepEqual(await net.ask(users, { name: "ledger-api-user", party_id: net.venue }), { party_id: net.venue });
    assert.deepEqual((await net.get("/api/validator/v0/validator-user")).body, {
      party_id: net.venue,
      user_name: "ledger-api-user",
      featured: false,
    });
    assert.equal((await net.post(users, { name: "nobody", party_id: `nobody::${party_id.split("::")[1]}` })).status, 404);
    assert.deepEqual(await net.post(users, { name: "eve", createPartyIfMissing: false }), {
      status: 400,
      body: { error: "party_id must be provided when createPartyIfMissing is false and no existing party for user eve is found." },
    });
    assert.deepEqual(await net.ask(users, { name: "wally", createPartyIfMissing: false }), { party_id });
    assert.deepEqual((await net.get(users)).body, { usernames: ["ledger-api-user", "wally"] });
    for (const username of ["wally", "wally", "nobody"])
      assert.deepEqual(
        await net.post(`${users}/offboard?username=${username}`),
        { status: 200, body: undefined },
        "nobody of that name is no fault",
      );
    assert.deepEqual((await net.get(users)).body, { usernames: ["ledger-api-user"] });
    assert.deepEqual(await net.post(`${users}/offboard?username=ledger-api-user`), {
      status: 400,
      body: { error: "Tried to offboard the validator's user: ledger-api-user" },
    });
    assert.deepEqual(await net.ask(users, { name: "wally" }), { party_id }, "who comes back has the party that he had");
  });
});

describe("scan and the validator", () => {
  it("what is no identifier is refused, wherever one is asked for", async () => {
    const missing = "Invalid unique identifier `nope` with missing namespace.",
      shared = ["featured-apps/nope", "ans-entries/by-party/nope", "transfer-preapprovals/by-party/nope", "transfer-command-counter/nope"];
    const paths = [...shared, "transfer-command/status?sender=nope&nonce=1"].flatMap((path) => [
      `/api/scan/v0/${path}`,
      `/api/validator/v0/scan-proxy/${path}`,
    ]);
    for (const path of [
      ...paths,
      "/api/scan/v0/featured-apps/by-provider/nope",
      "/api/scan/v0/validators/validator-faucets?validator_ids=nope",
    ])
      assert.deepEqual(await net.get(path), { status: 400, body: { error: missing } }, path);
    for (const [name, problem] of [
      ["é", 'non expected character 0xe9 in name "é"'],
      ["a#b", 'non expected character 0x23 in name "a#b"'],
      ["n".repeat(186), "name is too long (max: 185)"],
    ] as const)
      for (const path of paths)
        assert.deepEqual(
          await net.get(path.replace("nope", encodeURIComponent(`${name}::1220`))),
          { status: 400, body: { error: `Invalid unique identifier \`${name}::1220\`: ${problem}` } },
          path,
        );
    const query = { migration_id: 0, record_time: await snapshot(), page_size: 10 },
      nobody = { owner_party_ids: [net.alice, "nope"], party_ids: ["nope"] };
    for (const path of [
      "/v0/holdings/state",
      "/v1/holdings/state",
      "/v0/holdings/summary",
      "/v1/holdings/summary",
      "/v0/state/acs",
      "/v1/state/acs",
    ])
      assert.deepEqual(await refused(path, { ...query, ...nobody }), [400, missing], path);
    const domains = "/api/scan/v0/domains",
      { synchronizerId: here } = (await net.get("/v2/state/connected-synchronizers")).body.connectedSynchronizers[0];
    for (const [path, error] of [
      [`here/members/PAR::a::1220/traffic-status`, "Could not decode domain ID: Invalid unique identifier `here` with missing namespace."],
      [
        `${here}/members/nobody/traffic-status`,
        "Could not decode member ID: Invalid member `nobody`, expecting <three-letter-code>::id::fingerprint.",
      ],
      [`${here}/members/PAR::a/traffic-status`, "Could not decode member ID: Invalid unique identifier `a` with missing namespace."],
      [`here/parties/${net.alice}/participant-id`, "Could not decode domain ID: Invalid unique identifier `here` with missing namespace."],
      [`${here}/parties/nope/participant-id`, `Could not decode party ID: ${missing}`],
    ] as const)
      assert.deepEqual(await net.get(`${domains}/${path}`), { status: 400, body: { error } });
    assert.deepEqual((await net.get(`${domains}/elsewhere::1220/members/PAR::a::1220/traffic-status`)).body, {
      traffic_status: { actual: { total_consumed: 0, total_limit: 0 }, target: { total_purchased: 0 } },
    });
    assert.deepEqual(await net.get(`/api/scan/v0/transfer-command-counter/${net.alice}`), {
      status: 404,
      body: { error: `No TransferCommandCounter found for party: ${net.alice}, use 0 for the nonce` },
    });
  });

  it("documents: each surface has its own beside the ledger's", async () => {
    for (const [surface, path] of [
      ["registry", "/registry/metadata/v1/info"],
      ["scan", "/v0/events"],
      ["validator", "/v0/validator-user"],
      ["sv", "/v0/admin/sv/voteresults"],
    ] as const) {
      const { status, body } = await net.get(`/docs/openapi/${surface}`);
      assert.equal(status, 200);
      assert.ok(path in body.paths, `${path} of ${surface}`);
      const operations = Object.values(body.paths).flatMap((methods) => Object.values(methods as object));
      for (const { operationId, responses } of operations)
        assert.deepEqual(Object.keys(responses[400].content), ["application/json"], `${operationId}: nothing is refused in plain text`);
    }
    const { paths } = (await net.get("/docs/openapi/sv")).body;
    assert.deepEqual(Object.keys(paths["/v0/admin/sv/votes"].post.responses), ["201", "400", "default"]);
  });
});

describe("scan: what was pruned", () => {
  it("snapshots: one from before what was pruned is gone, in every form, and never told as what came later", async () => {
    const owner = await net.world.party("owner"),
      { contractId } = await net.amulet(owner, "5.0"),
      old = await snapshot();
    await net.spend(names.amulet, contractId);
    await net.amulet(owner, "7.0");
    const { offset } = (await net.world.client.get("/v2/state/ledger-end")).json();
    await net.ask("/admin/prune", { pruneUpTo: offset - 1 });
    const query = { migration_id: 0, record_time: old, page_size: 10, owner_party_ids: [owner], party_ids: [owner] };
    for (const path of [
      "/v1/holdings/summary",
      "/v0/holdings/summary",
      "/v1/holdings/state",
      "/v0/holdings/state",
      "/v1/state/acs",
      "/v0/state/acs",
    ])
      for (const record_time_match of ["exact", "at_or_before"])
        assert.equal((await refused(path, { ...query, record_time_match }))[0], 404, `${path} ${record_time_match}`);
    const before = `/api/scan/v0/state/acs/snapshot-timestamp?before=${encodeURIComponent(old)}&migration_id=0`;
    assert.equal((await net.get(before)).status, 404);
    const [summary] = (await scan("/v1/holdings/summary", { ...query, record_time: await snapshot() })).summaries;
    assert.equal(summary.total_coin_holdings, "7.0000000000");
  });
});

test("snapshots: two with the same contracts tell each its own time", async () => {
  const network = await StandInWorld.start(["--memory", "--static-time"]);
  try {
    const moveTo = (time: string): Promise<Json> => network.ask("/admin/time", { newTime: `2030-01-01T${time}Z` });
    await moveTo("04:30:00");
    await network.make(names.rules, { configSchedule: "", isDevNet: true });
    await network.amulet(network.alice, "5.0");
    const forced = await network.ask("/api/scan/v0/state/acs/force");
    await moveTo("07:15:00");
    await network.amulet(network.alice, "7.0");
    const query = { migration_id: 0, page_size: 10, owner_party_ids: [network.alice], party_ids: [network.alice] },
      times = [forced.record_time, "2030-01-01T06:00:00Z"];
    for (const path of ["/v1/holdings/state", "/v0/holdings/state", "/v1/state/acs", "/v0/state/acs"]) {
      const pages: Json[] = [];
      for (const record_time of [...times, ...times]) pages.push(await network.ask(`/api/scan${path}`, { ...query, record_time }));
      assert.deepEqual(
        pages.map((page) => [page.record_time, page.created_events.length]),
        [...times, ...times].map((time) => [time, 1]),
        path,
      );
    }
  } finally {
    await network.world.stop();
  }
});

test("traces: whatever these servers answer names the trace, as the caller did where he named one", async () => {
  const given = "00-8e757892bf75f4d67b82bd7e8ddd96ce-0561c713d931c93b-03",
    requested = (path: string, headers: Readonly<Record<string, string>>) => net.world.client.request("GET", path, undefined, headers);
  for (const path of ["/api/validator/livez", "/api/scan/v0/dso-party-id", "/api/scan/v0/events/none", "/registry/metadata/v1/info"]) {
    const traceOf = async (headers: Readonly<Record<string, string>>) => String((await requested(path, headers)).headers["traceparent"]);
    assert.equal(await traceOf({ TraceParenT: given }), given, path);
    assert.match(await traceOf({ traceparent: "anything" }), /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/, path);
  }
  assert.equal((await requested("/v2/version", { traceparent: given })).headers["traceparent"], undefined, "Canton's answers do not");
});

test("status: each of the servers tells for which participant it runs, and since when", async () => {
  const { participantId } = (await net.get("/v2/parties/participant-id")).body;
  for (const server of ["scan", "validator", "sv"]) {
    const { success } = (await net.get(`/api/${server}/status`)).body;
    assert.deepEqual({ ...success, uptime: "" }, { id: participantId, uptime: "", ports: {}, active: true });
    assert.match(success.uptime, /^PT\d+H[1-5]?\dM[1-5]?\d\.\d{3}S$/);
  }
});
