/** Scan's lists of contracts: which there are, in which order, and by which id one is found. On stand-ins, with a clock that stands still. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { exercise, World, type Json } from "../scenarios/world.js";
import { buildDar, buildPackage, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";
import { nothing } from "./economy-notation.js";

const ofDso = {
  signatories: (self: FieldOfThis) => [self("dso")],
  choices: { Spend: { fields: {}, returns: type.unit, controllers: (self: FieldOfThis) => [self("dso")], update: () => nothing } },
};
const rules = new ModuleBuilder("Splice.AmuletRules"),
  rounds = new ModuleBuilder("Splice.Round"),
  ans = new ModuleBuilder("Splice.Ans"),
  governance = new ModuleBuilder("Splice.DsoRules");
rules.template("AmuletRules", { fields: { dso: type.party }, ...ofDso });
const number = rounds.record("Round", { number: type.int64 }),
  span = rounds.record("RelTime", { microseconds: type.int64 });
rounds.template("ClosedMiningRound", { fields: { dso: type.party, round: type.con(number) }, ...ofDso });
rounds.template("SummarizingMiningRound", {
  fields: { dso: type.party, round: type.con(number), tickDuration: type.con(span) },
  ...ofDso,
});
ans.template("AnsRules", { fields: { dso: type.party }, ...ofDso });
ans.template("AnsEntry", {
  fields: { dso: type.party, user: type.party, name: type.text, url: type.text, description: type.text, expiresAt: type.timestamp },
  ...ofDso,
});
governance.template("VoteRequest", {
  fields: { dso: type.party, trackingCid: type.optional(type.contractId(type.text)) },
  ...ofDso,
});
const dars = (
  [
    ["splice-amulet", [rules, rounds]],
    ["splice-amulet-name-service", [ans]],
    ["splice-dso-governance", [governance]],
  ] as const
).map(([name, modules]) => buildDar(buildPackage({ name, version: "0.1.22", modules })));
const votes = "#splice-dso-governance:Splice.DsoRules:VoteRequest";

describe("Scan's lists", () => {
  let world: World, dso: string;
  const ask = async (path: string, body?: Json): Promise<{ readonly status: number; readonly body: Json }> => {
    const { status, text } = await (body === undefined ? world.client.get(path) : world.client.post(path, body));
    return { status, body: JSON.parse(text) };
  };
  const scan = async (path: string, body?: Json): Promise<Json> => (await ask(`/api/scan${path}`, body)).body;
  const made = async (template: string, fields: Json): Promise<string> =>
    (await world.create([dso], template, { dso, ...fields })).contractId;

  before(async () => {
    world = await World.start(dars, ["--memory", "--static-time"]);
    dso = await world.party("dso");
    await made("#splice-amulet:Splice.AmuletRules:AmuletRules", {});
  });
  after(() => world.stop());

  it("closed rounds go by their numbers, whichever was closed first; where no other is open, rounds that are summed up have a tick", async () => {
    for (const round of ["7", "5", "10", "6"]) await made("#splice-amulet:Splice.Round:ClosedMiningRound", { round: { number: round } });
    assert.deepEqual(
      (await scan("/v0/closed-rounds")).rounds.map(({ payload }: Json) => payload.round.number),
      ["5", "6", "7", "10"],
    );
    await made("#splice-amulet:Splice.Round:SummarizingMiningRound", { round: { number: "11" }, tickDuration: { microseconds: "90" } });
    const known = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };
    assert.equal((await scan("/v0/open-and-issuing-mining-rounds", known)).time_to_live_in_microseconds, 90);
  });

  it("a vote is found by the id that it began with, also after others were cast, and by its own", async () => {
    const first = await made(votes, { trackingCid: null });
    const look = async (id: string): Promise<Json> => {
      const { status, body } = await ask(`/api/scan/v0/voterequests/${id}`);
      return status === 200 ? body.dso_rules_vote_request.contract_id : [status, body];
    };
    assert.equal(await look(first), first);
    await world.transact([dso], [exercise(votes, first, "Spend")]);
    assert.deepEqual(await look(first), [404, { error: `No VoteRequest found contract: ${first}` }]);
    const next = await made(votes, { trackingCid: first });
    assert.deepEqual([await look(first), await look(next)], [next, next]);
  });

  it("without rules of a name service none are told, which nothing expects; the proxy tells them to who has them, too", async () => {
    assert.deepEqual(await ask("/api/scan/v0/ans-rules", {}), { status: 500, body: { error: "An unexpected error occurred." } });
    const contract = await made("#splice-amulet-name-service:Splice.Ans:AnsRules", {}),
      cached = { cached_ans_rules_contract_id: contract };
    assert.equal((await scan("/v0/ans-rules", cached)).ans_rules_update.contract, undefined);
    const { body } = await ask("/api/validator/v0/scan-proxy/ans-rules", cached);
    assert.equal(body.ans_rules_update.contract.contract_id, contract);
  });

  it("a name is there up to the very moment at which it expires", async () => {
    const now = (await ask("/admin/time")).body.currentTime,
      names = async (): Promise<Json> => (await scan("/v0/ans-entries?page_size=5&name_prefix=al")).entries.map(({ name }: Json) => name);
    await made("#splice-amulet-name-service:Splice.Ans:AnsEntry", { user: dso, name: "alice", url: "", description: "", expiresAt: now });
    assert.deepEqual(await names(), ["alice"]);
    assert.equal((await ask("/api/scan/v0/ans-entries/by-name/alice")).status, 200);
    await ask("/admin/time", { newTime: new Date(Date.parse(now) + 1).toISOString() });
    assert.deepEqual(await names(), []);
  });

  it("active contracts: a time without a snapshot is told before a template that is none", async () => {
    const asked = {
      migration_id: 0,
      record_time: "1970-01-01T00:00:00Z",
      record_time_match: "at_or_before",
      templates: ["nonsense"],
      page_size: 5,
    };
    assert.equal((await ask("/api/scan/v1/state/acs", asked)).status, 404);
    assert.equal((await ask("/api/scan/v1/state/acs", { ...asked, record_time_match: "exact" })).status, 400);
  });

  it("times with an offset have no more digits than it takes", async () => {
    await ask("/admin/time", { newTime: "2031-01-01T00:00:00.120Z" });
    await made(votes, { trackingCid: null });
    const { record_time } = await scan("/v0/state/acs/force", {}),
      page = { migration_id: 0, record_time, page_size: 100 };
    const { created_events: active, ...head } = await scan("/v1/state/acs", page);
    assert.match(active.at(-1).created_at, /^2031-01-01T00:00:00\.12Z$/);
    assert.equal(head.record_time, record_time);
    assert.doesNotMatch(record_time, /0Z$/);
    const { events } = await scan("/v0/events", { page_size: 1_000 }),
      update = events.at(-1).update,
      [created] = Object.values<Json>(update.events_by_id);
    assert.deepEqual([created.created_at, update.effective_at], ["2031-01-01T00:00:00.12Z", "2031-01-01T00:00:00.120Z"]);
    assert.match(update.record_time, /\.\d{6}Z$/);
  });
});
