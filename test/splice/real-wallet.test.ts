/** The wallet on the public packages of both generations, over HTTP: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Json } from "../scenarios/world.js";
import { createdIn, generations, missing, RealNetwork, tokenOf } from "./real-network.js";

const wallet = "/api/validator/v0/wallet";
const inMicros = (seconds: number): number => Math.floor(Date.now() + seconds * 1_000) * 1_000;

for (const packages of generations) {
  describe(`wallet, ${packages.name}`, { skip: missing(packages) }, () => {
    let net: RealNetwork, operator: string, alice: string, bob: string;
    before(async () => {
      net = await RealNetwork.start(packages);
      operator = await net.operator();
      [alice, bob] = [await net.user("alice"), await net.user("bob")];
    });
    after(() => net.stop());
    const unlocked = async (user: string): Promise<number> =>
      Number((await net.ask(user, "GET", `${wallet}/balance`)).effective_unlocked_qty);
    const near = (given: number, wanted: number): void => {
      const missing = wanted - given; // sums of numbers of JavaScript are not exact
      assert.ok(missing > -1e-9 && missing < (packages.hasFees ? 1 : 1e-9), `${given} of ${wanted}`);
    };
    const transferOf = (receiver: string, amount: string, trackingId: string, seconds = 600): Json => ({
      receiver_party_id: receiver,
      amount,
      description: `for ${trackingId}`,
      expires_at: inMicros(seconds),
      tracking_id: trackingId,
    });
    const allocationTo = (receiver: string, amount: string, settlement: string): Json => ({
      settlement: {
        executor: receiver,
        settlement_ref: { id: settlement },
        requested_at: inMicros(-60),
        allocate_before: inMicros(600),
        settle_before: inMicros(1_200),
      },
      transfer_leg_id: "leg0",
      transfer_leg: { receiver, amount },
    });

    it("a tap is in dollars, and happens once for a command id", async () => {
      const first = await net.ask("alice", "POST", `${wallet}/tap`, { amount: "50", command_id: "t1" });
      assert.deepEqual(await net.ask("alice", "POST", `${wallet}/tap`, { amount: "50", command_id: "t1" }), first);
      assert.equal(await unlocked("alice"), 100, "at half a dollar");
      const { amulets, locked_amulets } = await net.ask("alice", "GET", `${wallet}/amulets`);
      assert.deepEqual([amulets.map(({ contract }: Json) => contract.contract.contract_id), locked_amulets], [[first.contract_id], []]);
      for (const user of ["bob", "ledger-api-user"]) await net.ask(user, "POST", `${wallet}/tap`, { amount: "50" });
      assert.deepEqual(await net.ask("alice", "GET", `${wallet}/user-status`), {
        party_id: alice,
        user_onboarded: true,
        user_wallet_installed: true,
        has_featured_app_right: false,
      });
    });

    it("a transfer by the token standard is accepted, rejected or withdrawn; a tracking id has one", async () => {
      const transfers = `${wallet}/token-standard/transfers`,
        sent = await net.ask("alice", "POST", transfers, transferOf(bob, "10.0", "a"));
      assert.deepEqual(await net.ask("alice", "POST", transfers, transferOf(bob, "10.0", "a")), sent);
      const { transfer_instruction_cid: instruction } = sent.output;
      for (const user of ["alice", "bob"])
        assert.deepEqual(
          (await net.ask(user, "GET", transfers)).transfers.map(({ contract_id }: Json) => contract_id),
          [instruction],
        );
      near(await unlocked("alice"), 90);
      const accepted = await net.ask("bob", "POST", `${transfers}/${instruction}/accept`);
      assert.equal(accepted.output.receiver_holding_cids.length, 1);
      near(await unlocked("bob"), 110);
      assert.equal((await net.request("bob", "POST", `${transfers}/${instruction}/accept`)).status, 404);
      for (const [step, user] of [
        ["reject", "bob"],
        ["withdraw", "alice"],
      ] as const) {
        const before = await unlocked("alice"),
          { output } = await net.ask("alice", "POST", transfers, transferOf(bob, "5.0", step));
        assert.deepEqual((await net.ask(user, "POST", `${transfers}/${output.transfer_instruction_cid}/${step}`)).output, {});
        near(await unlocked("alice"), before);
      }
    });

    it("a preapproval makes transfers complete at once", async () => {
      const { transfer_preapproval_contract_id: preapproval } = await net.ask("bob", "POST", `${wallet}/transfer-preapproval`);
      const again = await net.request("bob", "POST", `${wallet}/transfer-preapproval`);
      assert.deepEqual([again.status, again.body], [409, { transfer_preapproval_contract_id: preapproval }]);
      const before = await unlocked("bob"),
        send = { receiver_party_id: bob, amount: "3.0", deduplication_id: "p1", description: "rent" };
      for (let i = 0; i < 2; i++) await net.ask("alice", "POST", `${wallet}/transfer-preapproval/send`, send);
      near(await unlocked("bob"), before + 3);
      const { output } = await net.ask("alice", "POST", `${wallet}/token-standard/transfers`, transferOf(bob, "2.0", "direct"));
      assert.equal(output.receiver_holding_cids.length, 1);
      const { contracts } = await net.ask("participant_admin", "GET", "/api/validator/v0/admin/transfer-preapprovals");
      assert.deepEqual(
        contracts.map(({ contract }: Json) => contract.contract_id),
        [preapproval],
      );
      await net.ask("participant_admin", "DELETE", `/api/validator/v0/admin/transfer-preapprovals/by-party/${bob}`);
      assert.equal(
        (await net.request("participant_admin", "GET", `/api/validator/v0/admin/transfer-preapprovals/by-party/${bob}`)).status,
        404,
      );
      assert.equal(
        (await net.request("alice", "POST", `${wallet}/transfer-preapproval/send`, { ...send, deduplication_id: "p2" })).status,
        400,
      );
    });

    it("a preapproval of another provider stands in the way of none of the validator's own", async () => {
      const createArguments = {
        dso: net.dso,
        receiver: bob,
        provider: alice,
        validFrom: new Date().toISOString(),
        lastRenewedAt: new Date().toISOString(),
        expiresAt: new Date(Date.now() + 600_000).toISOString(),
      };
      const foreign = createdIn(
        await net.command(
          [net.dso, bob, alice],
          [{ CreateCommand: { templateId: "#splice-amulet:Splice.AmuletRules:TransferPreapproval", createArguments } }],
        ),
        "TransferPreapproval",
      ).contractId;
      const { transfer_preapproval_contract_id: own } = await net.ask("bob", "POST", `${wallet}/transfer-preapproval`);
      assert.notEqual(own, foreign);
      const again = await net.request("bob", "POST", `${wallet}/transfer-preapproval`);
      assert.deepEqual([again.status, again.body], [409, { transfer_preapproval_contract_id: own }]);
      await net.ask("participant_admin", "DELETE", `/api/validator/v0/admin/transfer-preapprovals/by-party/${bob}`);
      await net.exercise([alice], "#splice-amulet:Splice.AmuletRules:TransferPreapproval", foreign, "TransferPreapproval_Cancel", {
        p: alice,
      });
    });

    it("payments from one wallet that are asked for at once are all made, and each once", async () => {
      await net.ask("bob", "POST", `${wallet}/transfer-preapproval`);
      const [before, alices] = [await unlocked("bob"), await unlocked("alice")];
      const send = (id: number) =>
        net.ask("alice", "POST", `${wallet}/transfer-preapproval/send`, {
          receiver_party_id: bob,
          amount: "1.0",
          deduplication_id: `at-once-${id}`,
          description: "",
        });
      await Promise.all([0, 1, 2, 3, 0, 1].map(send));
      near(await unlocked("bob"), before + 4);
      near(await unlocked("alice"), alices - 4);
      await net.ask("participant_admin", "DELETE", `/api/validator/v0/admin/transfer-preapprovals/by-party/${bob}`);
    });

    it("an offer is followed by its tracking id to its payment, its rejection or its withdrawal", async () => {
      const offers = `${wallet}/transfer-offers`,
        status = async (id: string): Promise<Json> => net.ask("alice", "POST", `${offers}/${id}/status`);
      const { offer_contract_id: offer } = await net.ask("alice", "POST", offers, transferOf(bob, "4.0", "o1"));
      assert.equal((await net.request("alice", "POST", offers, transferOf(bob, "4.0", "o1"))).status, 409);
      assert.deepEqual([(await status("o1")).status, (await net.ask("bob", "GET", offers)).offers.length], ["created", 1]);
      const before = await unlocked("bob");
      await net.ask("bob", "POST", `${offers}/${offer}/accept`);
      assert.equal((await status("o1")).status, "completed");
      near(await unlocked("bob"), before + 4);
      assert.deepEqual((await net.ask("bob", "GET", `${wallet}/accepted-transfer-offers`)).accepted_offers, []);
      for (const [step, user] of [
        ["reject", "bob"],
        ["withdraw", "alice"],
      ] as const) {
        const { offer_contract_id: other } = await net.ask("alice", "POST", offers, transferOf(bob, "4.0", step));
        await net.ask(user, "POST", `${offers}/${other}/${step}`);
        assert.equal((await status(step)).failure_kind, step === "reject" ? "rejected" : "withdrawn");
      }
      assert.equal((await net.request("alice", "POST", `${offers}/nothing/status`)).status, 404);
    });

    it(
      "an offer that is accepted ends as withdrawn where its sender has not the means",
      { skip: packages.hasFees && "older packages do not tell it apart from other failures" },
      async () => {
        const offers = `${wallet}/transfer-offers`,
          before = await unlocked("bob");
        const { offer_contract_id: offer } = await net.ask("alice", "POST", offers, transferOf(bob, "1000000.0", "dear"));
        await net.ask("bob", "POST", `${offers}/${offer}/accept`);
        const { status, failure_kind: kind, withdrawn_reason: reason } = await net.ask("alice", "POST", `${offers}/dear/status`);
        assert.deepEqual([status, kind], ["failed", "withdrawn"]);
        assert.match(reason, /^out of funds \(missing [\d.]+ CC\)$/);
        const { accepted_offers: accepted } = await net.ask("bob", "GET", `${wallet}/accepted-transfer-offers`);
        assert.deepEqual([accepted, await unlocked("bob")], [[], before]);
      },
    );

    it("Amulet whose lock is over pays for transfers of the token standard, and for allocations", async () => {
      const transfers = `${wallet}/token-standard/transfers`,
        rich = await net.user(`rich-${packages.hasFees}`),
        user = `rich-${packages.hasFees}`;
      await net.ask(user, "POST", `${wallet}/tap`, { amount: "50" });
      await net.ask(user, "POST", transfers, transferOf(bob, "60.0", "short", 2));
      const late = transferOf(bob, "70.0", "late");
      assert.equal((await net.request(user, "POST", transfers, late)).status, 400, "it is locked yet");
      await delay(2_500);
      const { output } = await net.ask(user, "POST", transfers, late);
      const [newest] = (await net.ask(user, "POST", `${wallet}/transactions`, { page_size: 1 })).items;
      assert.equal(newest.sender.party, rich);
      near(Number(newest.sender.amount), -10); // the rest was locked before
      await net.ask(user, "POST", `${transfers}/${output.transfer_instruction_cid}/withdraw`);
      await net.ask(user, "POST", transfers, transferOf(bob, "60.0", "shorter", 1));
      await delay(1_500);
      const request = allocationTo(bob, "80.0", "freed");
      assert.ok((await net.ask(user, "POST", "/api/validator/v0/allocations", request)).output.allocation_cid);
    });

    it("Amulet is set aside for a settlement and taken back", async () => {
      const before = await unlocked("alice");
      const request = allocationTo(bob, "7.0", "s");
      const allocated = await net.ask("alice", "POST", "/api/validator/v0/allocations", request);
      assert.deepEqual(await net.ask("alice", "POST", "/api/validator/v0/allocations", request), allocated);
      near(await unlocked("alice"), before - 7);
      const { allocations } = await net.ask("alice", "GET", "/api/validator/v0/allocations");
      assert.deepEqual(
        allocations.map(({ contract }: Json) => contract.contract_id),
        [allocated.output.allocation_cid],
      );
      assert.equal(
        (await net.ask("alice", "POST", `/api/validator/v0/allocations/${allocated.output.allocation_cid}/withdraw`)).sender_holding_cids
          .length,
        1,
      );
      near(await unlocked("alice"), before);
    });

    it("the second generation of the standard answers where its packages are, else it is told that they are not", async () => {
      const transfers = "/api/validator/v2/wallet/token-standard/transfers";
      if (packages.hasFees) return assert.equal((await net.request("alice", "POST", transfers, transferOf(bob, "1.0", "v2"))).status, 404);
      const before = await unlocked("bob"),
        { output } = await net.ask("alice", "POST", transfers, transferOf(bob, "1.0", "v2"));
      await net.ask("bob", "POST", `${transfers}/${output.transfer_instruction_cid}/accept`);
      assert.equal(await unlocked("bob"), before + 1);
      const { items } = await net.ask("bob", "POST", `${wallet}/transactions`, { page_size: 2 });
      assert.deepEqual(
        items.map(({ transaction_subtype, transfer_instruction_cid: id }: Json) => [transaction_subtype.choice, id]),
        ["TransferInstruction_Accept", "TransferFactory_Transfer"].map((choice) => [choice, output.transfer_instruction_cid]),
      );
      for (const [step, user] of [
        ["reject", "bob"],
        ["withdraw", "alice"],
      ] as const) {
        const { output: other } = await net.ask("alice", "POST", transfers, transferOf(bob, "1.0", `v2${step}`));
        await net.ask(user, "POST", `${transfers}/${other.transfer_instruction_cid}/${step}`);
      }
      const allocated = await net.ask("alice", "POST", "/api/validator/v2/allocations", {
        settlement: { executors: [bob], settlement_ref: { id: "v2" } },
        committed: false,
        transfer_leg_sides: [{ transfer_leg_id: "l", side: "SENDERSIDE", otherside: bob, amount: "2.0" }],
      });
      const { authorizer_holding_cids: back } = await net.ask(
        "alice",
        "POST",
        `/api/validator/v2/allocations/${allocated.output.allocation_cid}/withdraw`,
      );
      assert.equal(back.Amulet.length, 1);
    });

    it("history tells what moved, the newest first, and pages follow one another", async () => {
      const list = async (pageSize: number, beginAfterId?: string): Promise<Json[]> =>
        (
          await net.ask("alice", "POST", `${wallet}/transactions`, {
            page_size: pageSize,
            ...(beginAfterId ? { begin_after_id: beginAfterId } : {}),
          })
        ).items;
      const all = await list(1_000);
      assert.deepEqual(
        [all.at(-1)!.transaction_subtype.choice, all.at(-1)!.receivers],
        ["AmuletRules_DevNet_Tap", [{ party: alice, amount: "100.0000000000" }]],
      );
      const direct = all.find(({ description }) => description === "for direct");
      assert.deepEqual([direct?.transaction_type, direct?.receivers.length], ["transfer", 1]);
      for (const user of ["alice", "bob"]) {
        const party = user === "alice" ? alice : bob,
          { items } = await net.ask(user, "POST", `${wallet}/transactions`, { page_size: 1_000 });
        const told = items.flatMap(({ sender, receivers }: Json) => [sender, ...receivers]).filter((side: Json) => side?.party === party);
        // What was set aside by the second generation's standard is not told, what came back of it is.
        const untold = user === "alice" && !packages.hasFees ? 2 : 0;
        near(
          (await unlocked(user)) + untold,
          told.reduce((sum: number, { amount }: Json) => sum + Number(amount), 0),
        );
      }
      const paged: Json[] = [];
      for (let page = await list(2); page.length > 0; page = await list(2, page.at(-1)!.event_id)) paged.push(...page);
      assert.deepEqual(paged, all);
      assert.ok(all.every(({ date }, index) => index === 0 || all[index - 1]!.date >= date));
    });

    it("what an app asks for is locked until it collects it, or declined", async () => {
      const app = await net.party(`app-${packages.hasFees}`),
        template = "#splice-wallet-payments:Splice.Wallet.Payment:AppPaymentRequest";
      const ask = async (amount: string): Promise<string> =>
        createdIn(
          await net.command(
            [app, alice],
            [
              {
                CreateCommand: {
                  templateId: template,
                  createArguments: {
                    sender: alice,
                    receiverAmounts: [{ receiver: app, amount: { amount, unit: "AmuletUnit" } }],
                    provider: app,
                    dso: net.dso,
                    description: "a thing",
                    expiresAt: new Date(Date.now() + 600_000).toISOString(),
                  },
                },
              },
            ],
          ),
          "AppPaymentRequest",
        ).contractId;
      const [wanted, unwanted] = [await ask("2.0"), await ask("3.0")],
        before = await unlocked("alice"),
        requests = `${wallet}/app-payment-requests`;
      assert.equal((await net.ask("alice", "GET", `${requests}/${wanted}`)).contract.contract_id, wanted);
      const ofOthers = await net.request("bob", "GET", `${requests}/${wanted}`);
      assert.equal(ofOthers.status, 404);
      assert.ok(ofOthers.body.error.startsWith(`Contract id not found: ContractId(id = ${wanted}, type = `), ofOthers.body.error);
      const accepted = await net.ask("alice", "POST", `${requests}/${wanted}/accept`);
      assert.deepEqual(await net.ask("alice", "POST", `${requests}/${wanted}/accept`), accepted);
      near(await unlocked("alice"), before - 2);
      if (!packages.hasFees) {
        const dear = await ask("100000000.0"),
          tooMuch = await net.request("alice", "POST", `${requests}/${dear}/accept`);
        assert.equal(tooMuch.status, 400);
        assert.match(
          tooMuch.body.error,
          /^the amulet operation failed with a Daml exception: COO_Error\(ITR_InsufficientFunds\([\d.]+\)\)\.$/,
        );
        await net.ask("alice", "POST", `${requests}/${dear}/reject`);
      }
      const { accepted_app_payments: payments } = await net.ask("alice", "GET", `${wallet}/accepted-app-payments`);
      assert.deepEqual(
        payments.map(({ contract }: Json) => contract.contract_id),
        [accepted.accepted_payment_contract_id],
      );
      await net.ask("alice", "POST", `${requests}/${unwanted}/reject`);
      assert.deepEqual((await net.ask("alice", "GET", requests)).payment_requests, []);
    });

    it("traffic is bought once for a tracking id; too little of it is refused with the reason", async () => {
      const [{ synchronizerId: domain }] = (await net.ask("participant_admin", "GET", "/v2/state/connected-synchronizers"))
        .connectedSynchronizers;
      const requests = `${wallet}/buy-traffic-requests`,
        buy = (tracking_id: string, traffic_amount: number): Promise<{ status: number }> =>
          net.request("alice", "POST", requests, {
            receiving_validator_party_id: alice,
            domain_id: domain,
            traffic_amount,
            tracking_id,
            expires_at: inMicros(600),
          });
      const before = await unlocked("alice");
      assert.deepEqual(
        [(await buy("much", 400_000)).status, (await buy("much", 400_000)).status, (await buy("little", 5)).status],
        [200, 409, 200],
      );
      assert.equal((await net.ask("alice", "POST", `${requests}/much/status`)).status, "completed");
      const { status, failure_reason, rejection_reason } = await net.ask("alice", "POST", `${requests}/little/status`);
      assert.deepEqual([status, failure_reason, (await buy("little", 5)).status], ["failed", "rejected", 409]);
      if (!packages.hasFees)
        assert.equal(
          rejection_reason,
          "not enough traffic requested (trafficAmount 5 < minTopupAmount 200000)",
          "as Splice's wallet says it",
        );
      near(await unlocked("alice"), before - 0.8);
      const { participantId } = await net.ask("alice", "GET", "/v2/parties/participant-id");
      const { traffic_status: traffic } = await net.ask(
        undefined,
        "GET",
        `/api/scan/v0/domains/${domain}/members/PAR::${participantId}/traffic-status`,
      );
      assert.equal(traffic.target.total_purchased, 400_000);
    });

    it(
      "others let their rewards be minted: in the place of what they gave before, or not at all",
      { skip: packages.hasFees && "newer packages have it" },
      async () => {
        const template = "#splice-wallet:Splice.Wallet.MintingDelegation:MintingDelegationProposal",
          other = await net.party("other");
        const propose = async (limit: number): Promise<string> =>
          createdIn(
            await net.command(
              [other],
              [
                {
                  CreateCommand: {
                    templateId: template,
                    createArguments: {
                      delegation: {
                        beneficiary: other,
                        delegate: alice,
                        dso: net.dso,
                        expiresAt: new Date(Date.now() + 600_000).toISOString(),
                        amuletMergeLimit: String(limit),
                      },
                    },
                  },
                },
              ],
            ),
            "MintingDelegationProposal",
          ).contractId;
        const proposals = `${wallet}/minting-delegation-proposals`,
          delegations = `${wallet}/minting-delegations`;
        const [first, second, third] = [await propose(1), await propose(2), await propose(3)];
        const page = await net.ask("alice", "GET", `${proposals}?limit=2`),
          rest = await net.ask("alice", "GET", `${proposals}?limit=2&after=${page.next_page_token}`);
        assert.deepEqual(
          [...page.proposals, ...rest.proposals].map(({ contract }: Json) => contract.contract_id),
          [first, second, third],
        );
        assert.deepEqual([page.proposals[0].beneficiary_hosted, rest.next_page_token], [false, null], "no wallet of this validator's");
        for (const proposal of [first, second]) await net.ask("alice", "POST", `${proposals}/${proposal}/accept`);
        await net.ask("alice", "POST", `${proposals}/${third}/reject`);
        const { delegations: given } = await net.ask("alice", "GET", delegations);
        assert.deepEqual(
          given.map(({ contract }: Json) => contract.payload.amuletMergeLimit),
          ["2"],
        );
        await net.ask("alice", "POST", `${delegations}/${given[0].contract.contract_id}/reject`);
        assert.deepEqual(
          [(await net.ask("alice", "GET", delegations)).delegations, (await net.ask("alice", "GET", proposals)).proposals],
          [[], []],
        );
      },
    );

    it("a name is asked for, and its subscription accepted or declined", async () => {
      const entry = { name: "alice.unverified.ans", url: "https://alice.example", description: "Alice" };
      const asked = await net.ask("alice", "POST", "/api/validator/v0/entry/create", entry),
        requests = `${wallet}/subscription-requests`;
      assert.deepEqual([asked.name, asked.url, asked.description], [entry.name, entry.url, entry.description]);
      assert.equal((await net.ask("alice", "GET", `${requests}/${asked.subscriptionRequestCid}`)).payload.subscriptionData.sender, alice);
      const paid = await net.ask("alice", "POST", `${requests}/${asked.subscriptionRequestCid}/accept`);
      assert.deepEqual(await net.ask("alice", "POST", `${requests}/${asked.subscriptionRequestCid}/accept`), paid);
      const { subscriptionRequestCid: other } = await net.ask("alice", "POST", "/api/validator/v0/entry/create", {
        ...entry,
        name: "b.unverified.ans",
      });
      await net.ask("alice", "POST", `${requests}/${other}/reject`);
      assert.deepEqual((await net.ask("alice", "GET", requests)).subscription_requests, []);
      assert.equal((await net.request("alice", "GET", `${requests}/${other}`)).status, 404, "what is declined is gone");
      const { initial_payments: payments } = await net.ask("alice", "GET", `${wallet}/subscription-initial-payments`);
      assert.deepEqual(
        payments.map(({ contract_id, payload }: Json) => [contract_id, payload.subscriptionData.sender, payload.reference]),
        [[paid.initial_payment_contract_id, alice, asked.subscriptionRequestCid]],
      );
      const { subscriptions } = await net.ask("alice", "GET", `${wallet}/subscriptions`),
        { entries } = await net.ask("alice", "GET", "/api/validator/v0/entry/all");
      assert.deepEqual([subscriptions, entries], [[], []], "both follow when the payment is collected, which is left to automation");
    });

    it("a party with a key of its own is hosted, its preapproval proposed, signed and used", async () => {
      const admin = "/api/validator/v0/admin/external-party",
        { publicKey, privateKey } = generateKeyPairSync("ed25519");
      const public_key = publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("hex");
      const signed = (hash: string): string => sign(null, Buffer.from(hash, "hex"), privateKey).toString("hex");
      const operate = (method: string, path: string, body?: Json): Promise<{ status: number; body: Json }> =>
        net.request("ledger-api-user", method, `${admin}${path}`, body);
      const topology = await net.ask("ledger-api-user", "POST", `${admin}/topology/generate`, { party_hint: "keyholder", public_key });
      const signed_topology_txs = topology.topology_txs.map(({ topology_tx, hash }: Json) => ({ topology_tx, signed_hash: signed(hash) }));
      const forged = signed_topology_txs.map(({ topology_tx }: Json) => ({ topology_tx, signed_hash: signed("00") }));
      assert.equal((await operate("POST", "/topology/submit", { public_key, signed_topology_txs: forged })).status, 400);
      const { party_id: party } = await net.ask("ledger-api-user", "POST", `${admin}/topology/submit`, { public_key, signed_topology_txs });
      assert.equal(party, topology.party_id);
      const balanceOf = `/balance?party_id=${encodeURIComponent(party)}`;
      assert.equal((await operate("GET", balanceOf)).status, 404, "it has no wallet before it accepted its setup");
      const { contract_id } = await net.ask("ledger-api-user", "POST", `${admin}/setup-proposal`, { user_party_id: party });
      assert.equal((await operate("POST", "/setup-proposal", { user_party_id: party })).status, 409);
      assert.deepEqual(
        (await net.ask("ledger-api-user", "GET", `${admin}/setup-proposal`)).contracts.map(({ contract }: Json) => contract.contract_id),
        [contract_id],
      );
      assert.equal((await operate("POST", "/setup-proposal/prepare-accept", { contract_id: "00", user_party_id: party })).status, 400);
      const acceptance = { contract_id, user_party_id: party },
        { body: verbose } = await operate("POST", "/setup-proposal/prepare-accept", { ...acceptance, verbose_hashing: true });
      assert.ok(verbose.hashing_details.length > 0);
      const prepared = await net.ask("ledger-api-user", "POST", `${admin}/setup-proposal/prepare-accept`, acceptance),
        { transaction, tx_hash } = prepared;
      assert.equal(prepared.hashing_details, undefined);
      const submission = { party_id: party, transaction, signed_tx_hash: signed(tx_hash), public_key };
      assert.equal(
        (await operate("POST", "/setup-proposal/submit-accept", { submission: { ...submission, signed_tx_hash: signed("00") } })).status,
        400,
      );
      const accepted = await net.ask("ledger-api-user", "POST", `${admin}/setup-proposal/submit-accept`, { submission });
      const { transfer_preapproval: preapproval } = await net.ask(undefined, "GET", `/api/scan/v0/transfer-preapprovals/by-party/${party}`);
      assert.equal(preapproval.contract.contract_id, accepted.transfer_preapproval_contract_id);
      assert.equal((await operate("POST", "/setup-proposal", { user_party_id: party })).status, 409);
      await net.ask("alice", "POST", `${wallet}/transfer-preapproval/send`, {
        receiver_party_id: party,
        amount: "1.5",
        deduplication_id: "to-keys",
      });
      const balance = await net.ask("ledger-api-user", "GET", `${admin}${balanceOf}`);
      assert.deepEqual([balance.total_unlocked_coin, balance.total_locked_coin], ["1.5000000000", "0.0000000000"]);
      const send = {
          sender_party_id: party,
          receiver_party_id: party,
          amount: 0.0005,
          expires_at: new Date(Date.now() + 600_000).toISOString(),
          nonce: 0,
        },
        sending = "/transfer-preapproval/prepare-send",
        beyondDoubles = "9007199254740993";
      const command = await net.ask("ledger-api-user", "POST", `${admin}${sending}`, { ...send, description: "to myself" });
      const submitted = (hash: string) =>
        operate("POST", "/transfer-preapproval/submit-send", {
          submission: { party_id: party, transaction: command.transaction, signed_tx_hash: signed(hash), public_key },
        });
      assert.equal((await submitted("00")).status, 400);
      assert.ok((await submitted(command.tx_hash)).body.update_id.length > 0);
      const { transfer_commands_by_contract_id: commands } = await net.ask(
        undefined,
        "GET",
        `/api/scan/v0/transfer-command/status?sender=${party}&nonce=0`,
      );
      assert.deepEqual(
        Object.entries<Json>(commands).map(([id, { contract, status }]) => [
          id.startsWith(command.transfer_command_contract_id_prefix),
          contract.payload.delegate,
          contract.payload.amount,
          contract.payload.description,
          status.status,
        ]),
        [[true, operator, "0.0005", "to myself", "created"]],
        "what is left to automation, which does not run here",
      );
      const high = await net.ask("ledger-api-user", "POST", `${admin}${sending}`, { ...send, nonce: beyondDoubles });
      const signedHigh = { party_id: party, transaction: high.transaction, signed_tx_hash: signed(high.tx_hash), public_key };
      await net.ask("ledger-api-user", "POST", `${admin}/transfer-preapproval/submit-send`, { submission: signedHigh });
      const highPath = `/api/scan/v0/transfer-command/status?sender=${party}&nonce=${beyondDoubles}`,
        { transfer_commands_by_contract_id: highs } = await net.ask(undefined, "GET", highPath);
      assert.deepEqual(
        Object.values<Json>(highs).map(({ contract }) => contract.payload.nonce),
        [beyondDoubles],
      );
      assert.deepEqual((await operate("POST", sending, { ...send, receiver_party_id: net.dso })).body, {
        error: `Receiver ${net.dso} does not have a TransferPreapproval`,
      });
      for (const amount of ["20.0", "2E1"]) {
        const { transaction } = await net.ask("ledger-api-user", "POST", `${admin}${sending}`, { ...send, amount });
        const argument = Buffer.from(transaction, "base64").toString("latin1");
        assert.ok(argument.includes("20.0"), `an amount may be the text of a number: ${amount}`);
      }
      for (const wrong of [{ expires_at: "tomorrow" }, { amount: 1e-11 }, { sender_party_id: "nobody" }])
        assert.equal((await operate("POST", sending, { ...send, ...wrong })).status, 400, JSON.stringify(wrong));
      assert.equal((await operate("GET", `/balance?party_id=${encodeURIComponent(bob)}`)).status, 404);
      assert.equal((await net.request("alice", "GET", `${admin}${balanceOf}`)).status, 403);
    });

    it("coupons, requests and rights are listed; a right to be featured is given and given up", async () => {
      for (const list of [
        "app-payment-requests",
        "accepted-app-payments",
        "subscription-requests",
        "subscription-initial-payments",
        "app-reward-coupons",
        "validator-reward-coupons",
        "validator-faucet-coupons",
        "validator-liveness-activity-records",
        "sv-reward-coupons",
        "token-standard/allocation-requests",
      ])
        await net.ask("alice", "GET", `${wallet}/${list}`);
      await net.ask("alice", "POST", `${wallet}/self-grant-feature-app-right`, {});
      assert.equal((await net.ask("alice", "GET", `${wallet}/user-status`)).has_featured_app_right, true);
      await net.ask("alice", "DELETE", `${wallet}/cancel-featured-app-rights`);
      assert.equal((await net.ask("alice", "GET", `${wallet}/user-status`)).has_featured_app_right, false);
    });

    it("somebody who is new registers with his token alone, and has a wallet from then on", async () => {
      assert.deepEqual(await net.ask("carol", "GET", `${wallet}/user-status`), {
        party_id: "",
        user_onboarded: false,
        user_wallet_installed: false,
        has_featured_app_right: false,
      });
      const { party_id: carol } = await net.ask("carol", "POST", "/api/validator/v0/register", {});
      assert.deepEqual((await net.ask("carol", "POST", "/api/validator/v0/register", {})).party_id, carol);
      await net.ask("carol", "POST", `${wallet}/tap`, { amount: "1" });
      assert.equal(await unlocked("carol"), 2);
      const { party_id: named } = JSON.parse(
        (
          await net.client.request("GET", `${wallet}/user-status`, undefined, {
            authorization: `Bearer ${tokenOf("somebody", undefined, { "https://canton-network": { daml_user: "carol" } })}`,
          })
        ).text,
      );
      assert.equal(named, carol, "a claim names the user in place of the subject");
      await net.ask("participant_admin", "POST", "/api/validator/v0/admin/users/offboard?username=carol");
      assert.equal((await net.request("carol", "GET", `${wallet}/balance`)).status, 404);
    });

    it(
      "the manager of the development fund gives coupons of it, takes them back, and is told how they ended",
      { skip: packages.hasFees && "newer packages have it" },
      async () => {
        const coupons = `${wallet}/development-fund-coupons`,
          { amulet_rules: rules } = await net.ask(undefined, "GET", "/api/scan/v0/dso"),
          baseConfig = rules.contract.payload.configSchedule.initialValue;
        const request = (amount: string, beneficiary: string) => ({ beneficiary, amount, expiresAt: inMicros(600), reason: "for work" });
        assert.equal(
          (await net.request("alice", "POST", `${coupons}/allocate`, request("1.0", bob))).status,
          400,
          "there is no manager yet",
        );
        const choiceArgument = { newConfig: { ...baseConfig, optDevelopmentFundManager: alice }, baseConfig },
          templateId = "#splice-amulet:Splice.AmuletRules:AmuletRules";
        await net.command(
          [net.dso],
          [{ ExerciseCommand: { templateId, contractId: rules.contract.contract_id, choice: "AmuletRules_SetConfig", choiceArgument } }],
        );
        for (const amount of ["10.0", "30.0"])
          await net.command(
            [net.dso],
            [
              {
                CreateCommand: {
                  templateId: "#splice-amulet:Splice.Amulet:UnclaimedDevelopmentFundCoupon",
                  createArguments: { dso: net.dso, amount },
                },
              },
            ],
          );
        const given = await net.ask("alice", "POST", `${coupons}/allocate`, request("35.0", bob)),
          own = await net.ask("alice", "POST", `${coupons}/allocate`, request("2.0", alice));
        const { active_development_fund_coupons: active } = await net.ask("bob", "GET", coupons);
        assert.deepEqual(
          active.map((contract: Json) => [contract.contract_id, contract.payload.amount]),
          [[given.development_fund_coupon_contract_id, "35.0"]],
        );
        const id: string = given.development_fund_coupon_contract_id;
        assert.equal((await net.request("bob", "POST", `${coupons}/${id}/withdraw`, { reason: "not his" })).status, 400);
        await net.ask("alice", "POST", `${coupons}/${id}/withdraw`, { reason: "a mistake" });

        const before = await unlocked("alice"),
          { amulet_rules: newRules, latest_mining_round: latest } = await net.ask(undefined, "GET", "/api/scan/v0/dso");
        const rounds = await net.ask(undefined, "POST", "/api/scan/v0/open-and-issuing-mining-rounds", {
          cached_open_mining_round_contract_ids: [],
          cached_issuing_round_contract_ids: [],
        });
        const open: Json[] = Object.values(rounds.open_mining_rounds).map(({ contract }: Json) => contract);
        const { contract_id: openMiningRound } = open.find(({ payload }) => Date.parse(payload.opensAt) <= Date.now()) ?? latest.contract;
        const transfer = {
          sender: alice,
          provider: alice,
          inputs: [{ tag: "InputDevelopmentFundCoupon", value: own.development_fund_coupon_contract_id }],
          outputs: [],
          beneficiaries: null,
        };
        const context = { openMiningRound, issuingMiningRounds: [], validatorRights: [], featuredAppRight: null };
        await net.command(
          [alice, net.dso],
          [
            {
              ExerciseCommand: {
                templateId,
                contractId: newRules.contract.contract_id,
                choice: "AmuletRules_Transfer",
                choiceArgument: { transfer, context, expectedDso: net.dso },
              },
            },
          ],
        );
        assert.equal(await unlocked("alice"), before + 2);
        const [newest] = (await net.ask("alice", "POST", `${wallet}/transactions`, { page_size: 1 })).items;
        assert.equal(newest.development_fund_coupons_used, "2.0000000000");
        const history = await net.ask("alice", "GET", `${coupons}/history?limit=10`);
        assert.deepEqual(
          history.development_fund_coupon_history.map((coupon: Json) => [
            coupon.status,
            coupon.amount,
            coupon.rejection_or_withdrawal_reason,
          ]),
          [
            ["claimed", "2.0000000000", undefined],
            ["withdrawn", "35.0000000000", "a mistake"],
          ],
        );
      },
    );

    it("what cannot be done is told, and nothing changes", async () => {
      const end = (await net.ask("participant_admin", "GET", "/v2/state/ledger-end")).offset;
      const unknown = `00${"ab".repeat(32)}`,
        transfers = `${wallet}/token-standard/transfers`;
      const refused: readonly (readonly [string, number, string, string, Json?])[] = [
        ["nobody", 404, "GET", `${wallet}/balance`],
        ["participant_admin", 404, "GET", `${wallet}/balance`],
        ["alice", 400, "POST", `${wallet}/tap`, { amount: "-1" }],
        ["alice", 400, "POST", `${wallet}/tap`, { amount: "much" }],
        ...(packages.hasFees ? [] : [["alice", 400, "POST", `${wallet}/tap`, { amount: "100000000" }] as const]), // only newer packages bound taps
        ["alice", 400, "POST", transfers, { ...transferOf(bob, "1.0", "x"), expires_at: -1 }],
        ["alice", 400, "POST", transfers, transferOf(bob, "1000000.0", "x")],
        ["alice", 400, "POST", transfers, transferOf(bob, "1.0", "late", -60)],
        ...["accept", "reject", "withdraw"].flatMap((step) =>
          [unknown, "nonsense", net.dso].map((id) => ["alice", id === unknown ? 404 : 400, "POST", `${transfers}/${id}/${step}`] as const),
        ),
        ["alice", 404, "POST", `${wallet}/transfer-offers/${unknown}/accept`],
        ["alice", 404, "POST", `/api/validator/v0/allocations/${unknown}/withdraw`],
        ["alice", 404, "POST", `${wallet}/token-standard/allocation-requests/${unknown}/reject`],
        ["alice", 400, "POST", `${wallet}/transactions`, { page_size: 0 }],
        ["alice", 400, "POST", `${wallet}/transactions`, { page_size: 1001 }],
        ["alice", 403, "GET", "/api/validator/v0/admin/users"],
      ];
      for (const [user, status, method, path, body] of refused) {
        const answer = await net.request(user, method, path, body);
        assert.deepEqual(
          [answer.status, typeof answer.body?.error],
          [status, "string"],
          `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`,
        );
      }
      const foreign = await net.client.request("GET", `${wallet}/balance`, undefined, {
        authorization: `Bearer ${tokenOf("alice", "https://elsewhere")}`,
      });
      assert.equal(foreign.status, 401, "a token for another audience");
      assert.equal((await net.request(undefined, "GET", `${wallet}/balance`)).status, 401, "no token");
      assert.equal((await net.ask("participant_admin", "GET", "/v2/state/ledger-end")).offset, end);
    });
  });
}
