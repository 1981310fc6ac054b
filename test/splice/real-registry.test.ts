/**
 * Registry, Scan and votes on the public packages of both generations, over HTTP with contexts from the registry only:
 * `LEDGERLINE_REAL_DARS` names a folder that holds them.
 */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { after, before, describe, it } from "node:test";
import type { Json } from "../scenarios/world.js";
import { createdIn, generations, missing, RealNetwork, resultOf } from "./real-network.js";
import { transferThrice } from "./real-transfers.js";
import { extraArgs, inSeconds, noMeta } from "./token-standard.js";

const standard = (part: string, module: string, entity: string): string => `#splice-api-token-${part}:Splice.Api.Token.${module}:${entity}`;
const factories = {
  allocation: standard("allocation-instruction-v1", "AllocationInstructionV1", "AllocationFactory"),
  allocationV2: standard("allocation-instruction-v2", "AllocationInstructionV2", "AllocationFactory"),
  settlement: standard("allocation-v2", "AllocationV2", "SettlementFactory"),
};
const allocationV1 = standard("allocation-v1", "AllocationV1", "Allocation"),
  allocationV2 = standard("allocation-v2", "AllocationV2", "Allocation");
const trade = "#splice-token-test-trading-app:Splice.Testing.Apps.TradingApp:OTCTrade",
  proposal = `${trade}Proposal`;
const merged = (contexts: readonly Json[]): Json[] =>
  [
    ...new Map(
      contexts.flatMap(({ disclosedContracts }) => disclosedContracts).map((contract: Json) => [contract.contractId, contract]),
    ).values(),
  ] as Json[];

for (const packages of generations) {
  describe(`registry and scan, ${packages.name}`, { skip: missing(packages) }, () => {
    let net: RealNetwork, alice: string, bob: string, venue: string;
    before(async () => {
      net = await RealNetwork.start(packages);
      [alice, bob, venue] = [await net.user("alice"), await net.user("bob"), await net.user("venue")];
      await net.operator();
      for (const user of ["alice", "bob"]) await net.ask(user, "POST", "/api/validator/v0/wallet/tap", { amount: "50" });
    });
    after(() => net.stop());
    const post = (path: string, body: Json = {}): Promise<Json> => net.ask(undefined, "POST", path, body);
    const unlocked = async (user: string): Promise<number> =>
      Number((await net.ask(user, "GET", "/api/validator/v0/wallet/balance")).effective_unlocked_qty);
    const near = (given: number, wanted: number): void =>
      assert.ok(packages.hasFees ? given <= wanted && given > wanted - 2 : given === wanted, `${given} of ${wanted}`);
    const holdings = async (user: string): Promise<string[]> =>
      (await net.ask(user, "GET", "/api/validator/v0/wallet/amulets")).amulets.map(({ contract }: Json) => contract.contract.contract_id);

    /** A trade of 30 from Alice for 20 from Bob, asked for and allocated by both. */
    async function tradeToSettle(
      settleInSeconds: number,
    ): Promise<{ readonly tradeCid: string; readonly allocations: Readonly<Record<string, string>> }> {
      const leg = (sender: string, receiver: string, amount: string): Json => ({
        sender,
        receiver,
        amount,
        instrumentId: { admin: net.dso, id: "Amulet" },
        meta: noMeta,
      });
      const transferLegs = { leg0: leg(alice, bob, "30.0"), leg1: leg(bob, alice, "20.0") };
      const proposed = createdIn(
        await net.command(
          [alice],
          [{ CreateCommand: { templateId: proposal, createArguments: { venue, tradeCid: null, transferLegs, approvers: [alice] } } }],
        ),
        "OTCTradeProposal",
      );
      const accepted = createdIn(
        await net.command(
          [bob],
          [
            {
              ExerciseCommand: {
                templateId: proposal,
                contractId: proposed.contractId,
                choice: "OTCTradeProposal_Accept",
                choiceArgument: { approver: bob },
              },
            },
          ],
          { readAs: [alice] },
        ),
        "OTCTradeProposal",
      );
      const times = { prepareUntil: inSeconds(settleInSeconds - 1), settleBefore: inSeconds(settleInSeconds) };
      const tradeCid = createdIn(
        await net.exercise([venue], proposal, accepted.contractId, "OTCTradeProposal_InitiateSettlement", times),
        "OTCTrade",
      ).contractId;
      const allocations: Record<string, string> = {};
      for (const [user, party, transferLegId] of [
        ["alice", alice, "leg0"],
        ["bob", bob, "leg1"],
      ] as const) {
        const { allocation_requests: requests } = await net.ask(user, "GET", "/api/validator/v0/wallet/token-standard/allocation-requests");
        const request = requests.find(({ contract }: Json) => contract.contract_id === tradeCid).contract.payload;
        const allocation = { settlement: request.settlement, transferLegId, transferLeg: request.transferLegs[transferLegId] };
        const argument = {
          expectedAdmin: net.dso,
          allocation,
          requestedAt: inSeconds(-1),
          inputHoldingCids: await holdings(user),
          extraArgs: extraArgs(),
        };
        const { factoryId, choiceContext } = await post("/registry/allocation-instruction/v1/allocation-factory", {
          choiceArguments: argument,
        });
        const allocated = await net.exercise(
          [party],
          factories.allocation,
          factoryId,
          "AllocationFactory_Allocate",
          { ...argument, extraArgs: extraArgs(choiceContext) },
          choiceContext.disclosedContracts,
        );
        allocations[transferLegId] = resultOf(allocated).output.value.allocationCid;
      }
      return { tradeCid, allocations };
    }
    async function finish(
      choice: string,
      step: string,
      { tradeCid, allocations }: Awaited<ReturnType<typeof tradeToSettle>>,
    ): Promise<Json[]> {
      const contexts = await Promise.all(
        Object.values(allocations).map((id) => post(`/registry/allocations/v1/${id}/choice-contexts/${step}`)),
      );
      const allocationsWithContext = Object.fromEntries(
        Object.entries(allocations).map(([leg, id], index) => [leg, { _1: id, _2: extraArgs(contexts[index]) }]),
      );
      await net.exercise([venue], trade, tradeCid, choice, { allocationsWithContext }, merged(contexts));
      return contexts;
    }

    it("delivery against delivery: two legs are allocated and settled", async () => {
      const before = [await unlocked("alice"), await unlocked("bob")] as const,
        ready = await tradeToSettle(600);
      near(await unlocked("alice"), before[0] - 30);
      await finish("OTCTrade_Settle", "execute-transfer", ready);
      near(await unlocked("alice"), before[0] - 10);
      near(await unlocked("bob"), before[1] + 10);
      assert.equal(
        (await net.request(undefined, "POST", `/registry/allocations/v1/${ready.allocations["leg0"]}/choice-contexts/execute-transfer`, {}))
          .status,
        404,
      );
    });

    it("delivery against delivery: cancelled after the deadline, one lock freed by its owner before", async () => {
      const before = [await unlocked("alice"), await unlocked("bob")] as const,
        ready = await tradeToSettle(3);
      await delay(3_100);
      const {
        locked_amulets: [locked],
      } = await net.ask("alice", "GET", "/api/validator/v0/wallet/amulets");
      const context = await post(`/registry/allocations/v1/${ready.allocations["leg0"]}/choice-contexts/cancel`),
        round = context.choiceContextData.values["open-round"].value;
      const [choice, argument] = packages.hasFees
        ? ["LockedAmulet_OwnerExpireLock", { openRoundCid: round }]
        : ["LockedAmulet_OwnerExpireLockV2", {}];
      await net.exercise(
        [alice],
        "#splice-amulet:Splice.Amulet:LockedAmulet",
        locked.contract.contract.contract_id,
        choice as string,
        argument,
        context.disclosedContracts,
      );
      const gone = await net.request(
        undefined,
        "POST",
        `/registry/allocations/v1/${ready.allocations["leg0"]}/choice-contexts/execute-transfer`,
        {},
      );
      assert.equal(gone.status, 404);
      assert.match(gone.body.error, /^LockedAmulet '.* not found for AmuletAllocation '.*, which expires on /);
      const [ofAlice, ofBob] = await finish("OTCTrade_Cancel", "cancel", ready);
      assert.deepEqual(ofAlice, {
        choiceContextData: { values: { "expire-lock": { tag: "AV_Bool", value: false } } },
        disclosedContracts: [],
      });
      assert.equal(ofBob!.choiceContextData.values["expire-lock"].value, true);
      near(await unlocked("alice"), before[0]);
      near(await unlocked("bob"), before[1]);
    });

    it("a transfer of Amulet is accepted, rejected and withdrawn with contexts from the registry, in each generation of the standard", async () => {
      const carol = await net.user("carol"),
        before = [await unlocked("alice"), await unlocked("carol")],
        versions = packages.hasFees ? (["v1"] as const) : (["v1", "v2"] as const);
      for (const version of versions)
        await transferThrice(net, {
          version,
          addresses: "/registry",
          instrumentId: { admin: net.dso, id: "Amulet" },
          sender: alice,
          receiver: carol,
          amount: "3.0",
          inputs: () => holdings("alice"),
        });
      near(await unlocked("alice"), before[0]! - 3 * versions.length);
      near(await unlocked("carol"), before[1]! + 3 * versions.length);
    });

    it("an allocation is withdrawn by its sender", async () => {
      const before = await unlocked("alice"),
        { allocations } = await tradeToSettle(600),
        id = allocations["leg0"]!;
      const context = await post(`/registry/allocations/v1/${id}/choice-contexts/withdraw`);
      await net.exercise([alice], allocationV1, id, "Allocation_Withdraw", { extraArgs: extraArgs(context) }, context.disclosedContracts);
      near(await unlocked("alice"), before);
      for (const step of ["execute-transfer", "withdraw", "cancel"])
        assert.equal((await net.request(undefined, "POST", `/registry/allocations/v1/${id}/choice-contexts/${step}`, {})).status, 404);
      await net.ask("bob", "POST", `/api/validator/v0/allocations/${allocations["leg1"]}/withdraw`);
    });

    it(
      "settlement of the second generation: both sides allocate, the venue settles the batch; cancel and withdraw",
      { skip: packages.hasFees ? "packages of the first generation" : false },
      async () => {
        const account = (owner: string): Json => ({ owner, provider: null, id: "" }),
          before = [await unlocked("alice"), await unlocked("bob")] as const;
        const allocate = async (user: string, party: string, settlement: Json, side: string, otherside: string): Promise<string> => {
          const argument = {
            settlement,
            requestedAt: inSeconds(-1),
            inputHoldingCids: side === "SenderSide" ? await holdings(user) : [],
            actors: [party],
            extraArgs: extraArgs(),
            allocation: {
              admin: net.dso,
              authorizer: account(party),
              settlementDeadline: inSeconds(600),
              nextIterationFunding: null,
              committed: false,
              meta: noMeta,
              transferLegSides: [
                { transferLegId: "leg0", side, otherside: account(otherside), amount: "12.0", instrumentId: "Amulet", meta: noMeta },
              ],
            },
          };
          const { factoryId, choiceContext } = await post("/registry/allocation-instruction/v2/allocation-factory", {
            choiceArguments: argument,
          });
          return resultOf(
            await net.exercise(
              [party],
              factories.allocationV2,
              factoryId,
              "AllocationFactory_Allocate",
              { ...argument, extraArgs: extraArgs(choiceContext) },
              choiceContext.disclosedContracts,
            ),
          ).output.value.allocationCid;
        };
        const both = async (id: string): Promise<{ settlement: Json; sent: string; received: string }> => {
          const settlement = { executors: [venue], id, cid: null, meta: noMeta };
          return {
            settlement,
            sent: await allocate("alice", alice, settlement, "SenderSide", bob),
            received: await allocate("bob", bob, settlement, "ReceiverSide", alice),
          };
        };
        const { settlement, sent, received } = await both("first");
        const batch = {
          settlement,
          actors: [venue],
          extraArgs: extraArgs(),
          transferLegs: [
            { transferLegId: "leg0", sender: account(alice), receiver: account(bob), amount: "12.0", instrumentId: "Amulet", meta: noMeta },
          ],
          allocations: [sent, received].map((allocationCid) => ({ allocationCid, extraTransferLegSides: [], nextIterationFunding: null })),
        };
        const { factoryId, choiceContext } = await post("/registry/allocation/v2/settlement-factory", { choiceArguments: batch });
        await net.exercise(
          [venue],
          factories.settlement,
          factoryId,
          "SettlementFactory_SettleBatch",
          { ...batch, extraArgs: extraArgs(choiceContext) },
          choiceContext.disclosedContracts,
        );
        assert.deepEqual([await unlocked("alice"), await unlocked("bob")], [before[0] - 12, before[1] + 12]);
        for (const user of ["alice", "bob"]) {
          const told = async (begin_after_id?: string): Promise<Json[]> =>
            (await net.ask(user, "POST", "/api/validator/v0/wallet/transactions", { page_size: 100, begin_after_id })).items;
          const [leg, ...earlier] = await told();
          assert.match(leg.event_id, /:leg0$/);
          assert.deepEqual(
            [leg.sender, ...leg.receivers],
            [
              { party: alice, amount: "-12.0000000000" },
              { party: bob, amount: "12.0000000000" },
            ],
            user,
          );
          assert.deepEqual(await told(leg.event_id), earlier);
        }
        const other = await both("second"),
          end = async (party: string, id: string, step: string): Promise<void> => {
            const context = await post(`/registry/allocations/v2/${id}/choice-contexts/${step.toLowerCase()}`);
            await net.exercise(
              [party],
              allocationV2,
              id,
              `Allocation_${step}`,
              { actors: [party], extraArgs: extraArgs(context) },
              context.disclosedContracts,
            );
          };
        await end(venue, other.sent, "Cancel");
        await end(bob, other.received, "Withdraw");
        assert.equal(await unlocked("alice"), before[0] - 12);
      },
    );

    it("votes: a closed request is a result at every address", async () => {
      const rules = (await net.ask(undefined, "GET", "/api/scan/v0/dso")).dso_rules.contract,
        sv1 = rules.payload.svs[0][0],
        governance = "#splice-dso-governance:Splice.DsoRules";
      const action = { tag: "ARC_DsoRules", value: { dsoAction: { tag: "SRARC_GrantFeaturedAppRight", value: { provider: alice } } } };
      const requested = await net.command(
        [sv1, net.dso],
        [
          {
            ExerciseCommand: {
              templateId: `${governance}:DsoRules`,
              contractId: rules.contract_id,
              choice: "DsoRules_RequestVote",
              choiceArgument: {
                requester: sv1,
                action,
                reason: { url: "", body: "why not" },
                voteRequestTimeout: null,
                targetEffectiveAt: null,
              },
            },
          },
        ],
      );
      const requestCid = createdIn(requested, "VoteRequest").contractId;
      assert.equal((await net.ask(undefined, "GET", "/api/scan/v0/admin/sv/voterequests")).dso_rules_vote_requests.length, 1);
      await net.ask(undefined, "GET", `/api/scan/v0/voterequests/${requestCid}`);
      assert.equal((await post("/api/scan/v0/voterequest", { vote_request_contract_ids: [requestCid] })).vote_requests.length, 1);
      const amuletRulesCid = (await post("/api/scan/v0/amulet-rules", {})).amulet_rules_update.contract.contract_id;
      await net.exercise([sv1, net.dso], `${governance}:DsoRules`, rules.contract_id, "DsoRules_CloseVoteRequest", {
        requestCid,
        amuletRulesCid,
        sv: sv1,
      });
      const path = "/v0/admin/sv/voteresults",
        answers = await Promise.all([
          net.ask(undefined, "POST", `/api/scan${path}`, { limit: 10 }),
          ...["validator", "sv"].map((surface) => net.ask("participant_admin", "POST", `/api/${surface}${path}`, { limit: 10 })),
        ]);
      assert.deepEqual(
        answers.map(({ dso_rules_vote_results: results }) => results.map(({ outcome }: Json) => outcome.tag)),
        [["VRO_Accepted"], ["VRO_Accepted"], ["VRO_Accepted"]],
      );
      assert.equal((await post(`/api/scan${path}/count`, { accepted: true })).count, 1);
      assert.equal((await net.request(undefined, "POST", `/api/sv${path}`, { limit: 10 })).status, 401);
    });

    it("votes: the SV asks for one, votes and names its price over HTTP", async () => {
      const sv = (method: string, path: string, body?: Json): Promise<Json> =>
        net.ask("participant_admin", method, `/api/sv/v0/${path}`, body);
      const { sv_party_id: requester } = await net.ask(undefined, "GET", "/api/sv/v1/dso");
      const action = { tag: "ARC_DsoRules", value: { dsoAction: { tag: "SRARC_GrantFeaturedAppRight", value: { provider: bob } } } };
      await sv("POST", "admin/sv/voterequest/create", {
        requester,
        action,
        url: "",
        description: "why not",
        expiration: { microseconds: "600000000" },
      });
      const {
          dso_rules_vote_requests: [request],
        } = await sv("GET", "admin/sv/voterequests"),
        id = request.contract_id;
      const vote = { vote_request_contract_id: id, is_accepted: false, reason_url: "", reason_description: "on second thought" };
      assert.equal((await net.request("participant_admin", "POST", "/api/sv/v0/admin/sv/votes", vote)).status, 201);
      assert.equal(
        (await net.request("participant_admin", "POST", "/api/sv/v0/admin/sv/votes", { ...vote, is_accepted: true })).status,
        201,
        "again, by the id that it began with",
      );
      const {
        vote_requests: [voted],
      } = await sv("POST", "admin/sv/voterequest", { vote_request_contract_ids: [id] });
      assert.deepEqual(
        voted.payload.votes.map(([, { accept }]: [string, Json]) => accept),
        [true],
      );
      assert.equal((await sv("GET", `admin/sv/voterequests/${voted.contract_id}`)).dso_rules_vote_request.contract_id, voted.contract_id);
      await sv("PUT", "admin/sv/amulet-price/vote", { amulet_price: "0.75" });
      const { amulet_price_votes: cast } = await sv("GET", "admin/sv/amulet-price/votes");
      assert.deepEqual(
        cast.map(({ payload }: Json) => payload.amuletPrice),
        ["0.75"],
      );
      await sv("PUT", "admin/sv/amulet-price/vote", { amulet_price: "0.750" });
      assert.deepEqual((await sv("GET", "admin/sv/amulet-price/votes")).amulet_price_votes, cast, "a price that stands is not cast anew");
      for (const path of [
        "admin/authorization",
        "admin/sv/open-mining-rounds",
        `admin/sv/featured-app-rights/by-provider/${alice}`,
        `admin/sv/party-to-participant/${alice}`,
        "migration-id",
        "dso",
      ])
        await sv("GET", path);
      for (const [method, path, body, status] of [
        ["POST", "admin/sv/votes", { ...vote, vote_request_contract_id: "nothing" }, 404],
        ["PUT", "admin/sv/amulet-price/vote", { amulet_price: "-1" }, 400],
        [
          "POST",
          "admin/sv/voterequest/create",
          { requester: alice, action, url: "", description: "", expiration: { microseconds: "1" } },
          400,
        ],
        ["GET", "admin/sv/voterequests/nothing", undefined, 404],
      ] as const)
        assert.equal((await net.request("participant_admin", method, `/api/sv/v0/${path}`, body)).status, status, path);
      assert.equal((await net.request("alice", "PUT", "/api/sv/v0/admin/sv/amulet-price/vote", { amulet_price: "1.0" })).status, 403);
      await net.ask(undefined, "GET", `/api/scan/v0/featured-apps/by-contract-id/${id}`);
      await net.ask(undefined, "GET", "/api/scan/v0/dso-sequencers");
      await net.ask(undefined, "GET", "/api/scan/v0/unclaimed-development-fund-coupons");
    });

    it("scan, its proxy and the registry's metadata: every read answers in the published form", async () => {
      const { record_time, migration_id } = await post("/api/scan/v0/state/acs/force");
      const snapshot = { record_time, migration_id },
        page = { ...snapshot, page_size: 100 },
        owners = { owner_party_ids: [alice, bob] };
      const state = await post("/api/scan/v1/holdings/state", { ...page, ...owners });
      const { summaries } = await post("/api/scan/v1/holdings/summary", { ...snapshot, ...owners });
      const sum = (amounts: readonly string[]): bigint => amounts.reduce((total, each) => total + BigInt(each.replace(".", "")), 0n);
      assert.equal(
        sum(state.created_events.map(({ create_arguments: c }: Json) => (c.amulet ?? c).amount.initialAmount)),
        sum(summaries.map(({ total_coin_holdings: total }: Json) => total)),
        "what is held adds up to the summary",
      );
      for (const [path, body] of [
        ["/v0/holdings/state", { ...page, ...owners }],
        ["/v0/holdings/summary", { ...snapshot, ...owners }],
        ["/v0/state/acs", page],
        ["/v1/state/acs", page],
        ["/v0/events", { page_size: 1_000 }],
        ["/v0/events", { page_size: 1_000, daml_value_encoding: "protobuf_json" }],
        ["/v2/updates", { page_size: 1_000 }],
        ["/v1/updates", { page_size: 1_000 }],
        ["/v1/updates", { page_size: 1_000, daml_value_encoding: "protobuf_json" }],
        ["/v0/updates", { page_size: 1_000, lossless: true }],
        ["/v0/backfilling/migration-info", { migration_id: 0 }],
        ["/v0/backfilling/import-updates", { migration_id: 0, after_update_id: "", limit: 10 }],
        ["/v0/external-party-amulet-rules", {}],
        ["/v0/ans-rules", {}],
        ["/v0/open-and-issuing-mining-rounds", { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] }],
      ] as const)
        await post(`/api/scan${path}`, body);
      const { events } = await post("/api/scan/v0/events", { page_size: 10 }),
        updateId = events.find(({ update }: Json) => update)?.update.update_id;
      const [{ synchronizerId }] = (await net.ask("participant_admin", "GET", "/v2/state/connected-synchronizers")).connectedSynchronizers,
        member = `domains/${synchronizerId}`;
      await post("/api/scan/v0/backfilling/updates-before", {
        migration_id: 0,
        synchronizer_id: synchronizerId,
        before: inSeconds(60),
        count: 10,
      });
      for (const path of [
        `/v0/events/${updateId}`,
        `/v2/updates/${updateId}`,
        `/v0/state/acs/snapshot-timestamp?before=${inSeconds(60)}&migration_id=0`,
        "/v0/dso",
        "/v0/dso-party-id",
        "/v0/closed-rounds",
        "/v0/featured-apps",
        `/v0/featured-apps/${alice}`,
        `/v0/featured-apps/by-provider/${alice}`,
        "/v0/splice-instance-names",
        "/v0/scans",
        "/v0/backfilling/status",
        "/v0/feature-support",
        "/v0/migrations/last",
        "/v0/amulet-price/votes",
        "/v0/ans-entries?page_size=10",
        `/v0/${member}/members/PAR::x::1220/traffic-status`,
        `/v0/${member}/parties/${alice}/participant-id`,
        `/v1/${member}/parties/${alice}/participant-id`,
        "/version",
        `/v1/updates/${updateId}`,
        `/v0/updates/${updateId}?lossless=true`,
        "/v0/amulet-config-for-round?round=0",
        "/v0/admin/validator/licenses?limit=10",
        `/v0/validators/validator-faucets?validator_ids=${alice}`,
        "/v0/lsu",
        "/v0/roll-forward-lsu",
        "/v0/active-synchronizer-serial",
        "/v0/sv-bft-sequencers",
      ])
        await net.ask(undefined, "GET", `/api/scan${path}`);
      for (const path of [
        "dso",
        "dso-party-id",
        "amulet-rules",
        "open-and-issuing-mining-rounds",
        `featured-apps/${alice}`,
        "ans-entries?page_size=10",
        "registry/metadata/v1/info",
        "registry/metadata/v1/instruments",
        "registry/metadata/v1/instruments/Amulet",
        "unclaimed-development-fund-coupons",
      ])
        await net.ask("alice", "GET", `/api/validator/v0/scan-proxy/${path}`);
      for (const path of [
        `ans-entries/by-party/${alice}`,
        "ans-entries/by-name/nobody",
        `transfer-preapprovals/by-party/${alice}`,
        `transfer-command-counter/${alice}`,
        `transfer-command/status?sender=${alice}&nonce=0`,
      ])
        assert.equal((await net.request("alice", "GET", `/api/validator/v0/scan-proxy/${path}`)).status, 404, path);
      for (const surface of ["scan", "validator", "sv"])
        for (const path of ["readyz", "livez", "version", "status"]) await net.ask(undefined, "GET", `/api/${surface}/${path}`);
      await net.ask("alice", "GET", "/api/validator/v0/feature-support");
      for (const path of ["validator/licenses", `sv/featured-app-rights/by-contract-id/${alice}`])
        await net.ask("participant_admin", "GET", `/api/sv/v0/admin/${path}`);
      const counted = await net.ask("participant_admin", "POST", "/api/sv/v0/admin/sv/voteresults/count", { accepted: true });
      assert.equal(counted.count, 1);
      for (const version of ["v0", "v1"])
        await net.ask("alice", "POST", `/api/validator/${version}/scan-proxy/holdings/summary`, { ...snapshot, ...owners });
      await net.ask("alice", "POST", "/api/validator/v0/scan-proxy/ans-rules", {});
      for (const path of [
        `/v0/ans-entries/by-party/${alice}`,
        "/v0/ans-entries/by-name/nobody",
        `/v0/transfer-preapprovals/by-party/${alice}`,
        `/v0/transfer-command-counter/${alice}`,
        "/v0/migrations/schedule",
        `/v0/transfer-command/status?sender=${alice}&nonce=0`,
        "/v0/amulet-config-for-round?round=99",
        "/v0/events/nothing",
        "/v2/updates/nothing",
        "/v2/updates/hash/nothing",
        `/v0/state/acs/snapshot-timestamp-after?after=${inSeconds(60)}&migration_id=0`,
      ])
        assert.equal((await net.request(undefined, "GET", `/api/scan${path}`)).status, 404, path);
      for (const path of ["info", "instruments", "instruments/Amulet"]) await net.ask(undefined, "GET", `/registry/metadata/v1/${path}`);
      await net.ask(undefined, "GET", "/api/validator/v0/validator-user");
    });
  });
}
