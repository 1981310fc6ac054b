/**
 * What the registry and Scan answer to unusual requests, on the public packages of both generations; the same sentences hold of our own
 * models (`registry.test.ts`, `scan.test.ts`). `LEDGERLINE_REAL_DARS` names a folder with the packages.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Json } from "../scenarios/world.js";
import { generations, missing, RealNetwork } from "./real-network.js";
import { extraArgs, inSeconds, noMeta } from "./token-standard.js";

const factory = "#splice-api-token-allocation-instruction-v1:Splice.Api.Token.AllocationInstructionV1:AllocationFactory";
const amulet = "#splice-amulet:Splice.Amulet:Amulet";

for (const packages of generations) {
  describe(`unusual requests, ${packages.name}`, { skip: missing(packages) }, () => {
    let net: RealNetwork, alice: string, bob: string;
    before(async () => {
      net = await RealNetwork.start(packages);
      [alice, bob] = [await net.user("alice"), await net.user("bob")];
      await net.ask("alice", "POST", "/api/validator/v0/wallet/tap", { amount: "50" });
    });
    after(() => net.stop());
    const post = (path: string, body: Json): Promise<Json> => net.ask(undefined, "POST", path, body);
    const refused = async (path: string, body: Json): Promise<readonly [number, string]> => {
      const { status, body: answer } = await net.request(undefined, "POST", path, body);
      return [status, answer.error];
    };
    const snapshot = async (): Promise<string> => (await post("/api/scan/v0/state/acs/force", {})).record_time;
    /** What the DSO and an owner can make together. */
    const amulets = (owner: string, amounts: readonly string[]): Promise<Json> =>
      net.command(
        [net.dso, owner],
        amounts.map((initialAmount) => ({
          CreateCommand: {
            templateId: amulet,
            createArguments: {
              dso: net.dso,
              owner,
              amount: { initialAmount, createdAt: { number: "0" }, ratePerRound: { rate: packages.hasFees ? "0.0001" : "0.0" } },
            },
          },
        })),
      );

    const allocation = (expectedAdmin: string): Json => ({
      expectedAdmin,
      allocation: {
        settlement: {
          executor: bob,
          settlementRef: { id: "trade", cid: null },
          requestedAt: inSeconds(-1),
          allocateBefore: inSeconds(300),
          settleBefore: inSeconds(600),
          meta: noMeta,
        },
        transferLegId: "leg",
        transferLeg: { sender: alice, receiver: bob, amount: "1.0", instrumentId: { admin: net.dso, id: "Amulet" }, meta: noMeta },
      },
      requestedAt: inSeconds(-1),
      inputHoldingCids: [],
      extraArgs: extraArgs(),
    });
    const factoryFor = (choiceArguments: Json, more: Json = {}): Promise<Json> =>
      post("/registry/allocation-instruction/v1/allocation-factory", { choiceArguments, ...more });

    it("a wrong admin is the model's matter: the registry hands out the factory, the command fails", async () => {
      const wrong = allocation(bob),
        { factoryId, choiceContext } = await factoryFor(wrong);
      const choiceArgument = { ...wrong, extraArgs: extraArgs(choiceContext) };
      const { status, body } = await net.request("participant_admin", "POST", "/v2/commands/submit-and-wait", {
        commands: [
          { ExerciseCommand: { templateId: factory, contractId: factoryId, choice: "AllocationFactory_Allocate", choiceArgument } },
        ],
        commandId: "wrong-admin",
        actAs: [alice],
        disclosedContracts: choiceContext.disclosedContracts,
      });
      assert.deepEqual([status, body.code], [400, "DAML_FAILURE"], JSON.stringify(body));
    });

    it("debug fields are left out where they are not wanted; metadata makes no difference; what is no JSON is told", async () => {
      const argument = allocation(net.dso),
        [plain, , without] = await Promise.all(
          [{}, { excludeDebugFields: false }, { excludeDebugFields: true }].map((more) => factoryFor(argument, more)),
        );
      const debug = ["debugPackageName", "debugPayload", "debugCreatedAt"],
        disclosed = ({ choiceContext }: Json): Json[] => choiceContext.disclosedContracts;
      assert.ok(disclosed(plain).length > 0 && disclosed(plain).every((each) => debug.every((key) => key in each)));
      assert.ok(disclosed(without).every((each) => debug.every((key) => !(key in each))));
      assert.deepEqual(
        disclosed(without).map(({ contractId, createdEventBlob }) => [contractId, createdEventBlob]),
        disclosed(plain).map(({ contractId, createdEventBlob }) => [contractId, createdEventBlob]),
      );
      const missingAllocation = `/registry/allocations/v1/00${"ab".repeat(32)}/choice-contexts/withdraw`;
      assert.deepEqual(await refused(missingAllocation, {}), await refused(missingAllocation, { meta: { k: "v" } }));
      for (const path of ["/registry/allocation-instruction/v1/allocation-factory", missingAllocation]) {
        const { status, text } = await net.client.request("POST", path, `{"choiceArguments":`);
        assert.deepEqual([status, Object.keys(JSON.parse(text))], [400, ["error"]], text);
      }
    });

    it("events: every page size gives the same, in strictly rising order; behind the last there is nothing; sizes are bounded", async () => {
      const pages = async (page_size: number, more: Json = {}): Promise<Json[]> => {
        const all: Json[] = [];
        for (let behind: Json = {}; ;) {
          const { events } = await post("/api/scan/v0/events", { page_size, ...behind, ...more });
          if (events.length === 0) return all;
          all.push(...events);
          const { migration_id: after_migration_id, record_time: after_record_time } = events.at(-1).verdict;
          behind = { after: { after_migration_id, after_record_time } };
        }
      };
      for (const amount of ["1.0", "2.0", "3.0"]) await amulets(bob, [amount]);
      const all = await pages(1_000),
        times = all.map(({ verdict }) => Date.parse(verdict.record_time) * 1_000 + Number(verdict.record_time.slice(23, -1)));
      assert.ok(all.length > 3 && times.every((time, index) => index === 0 || time > times[index - 1]!));
      assert.deepEqual(await pages(1), all);
      const idsOf = (events: readonly Json[]): Json =>
        events.map(({ update, verdict }) => [verdict.update_id, Object.keys(update?.events_by_id ?? {})]);
      assert.deepEqual(idsOf(await pages(1_000, { daml_value_encoding: "protobuf_json" })), idsOf(all));
      assert.deepEqual(await refused("/api/scan/v0/events", { page_size: 0 }), [400, "Limit must be at least 1."]);
      assert.deepEqual(await refused("/api/scan/v0/events", { page_size: 1_001 }), [400, "Exceeded limit maximum (1001 > 1000)."]);
    });

    it("events: the encoding goes by two names, of which the published one wins", async () => {
      const encoded = (more: Json): Promise<Json> => post("/api/scan/v0/events", { page_size: 10, ...more });
      const proto = await encoded({ daml_value_encoding: "protobuf_json" });
      assert.deepEqual(await encoded({ contract_value_encoding: "protobuf_json" }), proto);
      const compact = await encoded({});
      assert.notDeepEqual(compact, proto);
      assert.deepEqual(await encoded({ daml_value_encoding: "compact_json", contract_value_encoding: "protobuf_json" }), compact);
    });

    it("holdings: what was is not changed by what is spent later; one who asks between two snapshots gets the earlier one", async () => {
      const first = await snapshot(),
        query = { migration_id: 0, record_time: first, page_size: 100, owner_party_ids: [alice] },
        held = await post("/api/scan/v1/holdings/state", query),
        { summaries } = await post("/api/scan/v1/holdings/summary", query);
      assert.ok(held.created_events.length > 0);
      for (const { contract_id: contractId } of held.created_events)
        await net.exercise([net.dso, alice], amulet, contractId, "Archive", {});
      const second = await snapshot();
      assert.deepEqual(await post("/api/scan/v1/holdings/state", query), held);
      assert.deepEqual((await post("/api/scan/v1/holdings/summary", query)).summaries, summaries);
      assert.deepEqual((await post("/api/scan/v1/holdings/state", { ...query, record_time: second })).created_events, []);
      const record_time = new Date((Date.parse(first) + Date.parse(second)) / 2).toISOString();
      const between = await post("/api/scan/v1/holdings/state", { ...query, record_time, record_time_match: "at_or_before" });
      assert.deepEqual([between.record_time, between], [first, held]);
      assert.equal((await refused("/api/scan/v1/holdings/state", { ...query, record_time }))[0], 404);
    });

    it("holdings: short pages and empty ones are followed by their tokens", async () => {
      await amulets(alice, ["1.5", "2.5", "3.25"]);
      const query = { migration_id: 0, record_time: await snapshot(), owner_party_ids: [alice] };
      const all = (await post("/api/scan/v1/holdings/state", { ...query, page_size: 1_000 })).created_events,
        collected: Json[] = [];
      for (let behind: Json = {}; ;) {
        const page = await post("/api/scan/v1/holdings/state", { ...query, page_size: 1, ...behind });
        collected.push(...page.created_events);
        if (page.next_page_token === null) break;
        behind = { after: page.next_page_token };
      }
      assert.deepEqual([all.length, collected], [3, all]);
    });

    it("holdings: fees of a round, none before it was created, all of it in the end; the default is the round that was created first", async () => {
      const query = { migration_id: 0, record_time: await snapshot(), owner_party_ids: [alice] };
      const at = async (more: Json): Promise<readonly [number, number, number]> => {
        const { computed_as_of_round: round, summaries } = await net.ask("alice", "POST", "/api/validator/v0/scan-proxy/holdings/summary", {
          ...query,
          ...more,
        });
        return [round, Number(summaries[0].accumulated_holding_fees_total), Number(summaries[0].total_available_coin)];
      };
      const [round, fees, available] = await at({}),
        [, lateFees, lateAvailable] = await at({ as_of_round: 1_000_000 });
      assert.deepEqual([round, available + fees], [0, 7.25]);
      assert.deepEqual([lateFees, lateAvailable], packages.hasFees ? [7.25, 0] : [0, 7.25]);
      assert.deepEqual((await at({ as_of_round: 0 })).slice(1), [fees, available]);
    });

    it("a summary of more than 1000 contracts is refused; pages of them are fine", async () => {
      const rich = await net.user("rich");
      for (let left = 1_001; left > 0; left -= 143)
        await amulets(
          rich,
          Array.from({ length: 143 }, () => "1.0"),
        );
      const query = { migration_id: 0, record_time: await snapshot(), owner_party_ids: [rich] };
      const [status, error] = await refused("/api/scan/v1/holdings/summary", query);
      assert.equal(status, 400, error);
      assert.equal((await post("/api/scan/v1/holdings/state", { ...query, page_size: 1_000 })).created_events.length, 1_000);
    });
  });
}
