/** Wallets on stand-ins of Amulet, with tokens: who has one, what it does once, what it refuses. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { after, before, describe, it, test } from "node:test";
import { hs256, nowSeconds } from "../auth/tokens.js";
import { World, type Json } from "../scenarios/world.js";
import { amountOf, inAmulet, timeOf, wideAmountOf } from "../../src/splice/amounts.js";
import { amuletDar, governanceDar } from "./stand-in-model.js";
import { ago, names, StandInWorld, type Answer, transferConfigUsd } from "./stand-in-world.js";

const wallet = "/api/validator/v0/wallet",
  users = "/api/validator/v0/admin/users",
  audience = "https://canton.network.global";
const tokenOf = (sub: string, changes: object = {}): string => hs256({ sub, aud: audience, exp: nowSeconds() + 290, ...changes }, "unsafe");

test("amounts: decimals above zero; dollars become Amulet at a price, the last digit rounded up; times are microseconds", () => {
  for (const wrong of ["", "0", "0.0", "-1", "1.", ".5", "1e3", "1.00000000001", "one", " 1"])
    assert.equal(amountOf(wrong).error?.kind, "invalid", wrong);
  assert.equal(amountOf("12.5").ok, 125_000_000_000n);
  assert.deepEqual(
    [inAmulet(amountOf("12.5").ok!, "0.5"), inAmulet(amountOf("1").ok!, "3.0"), inAmulet(amountOf("2").ok!, "3.0")],
    ["25.0000000000", "0.3333333334", "0.6666666667"],
  );
  assert.equal(timeOf(1_700_000_000_000_001, "t").ok, "2023-11-14T22:13:20.000001Z");
  for (const wrong of [-1, 1.5, Number.MAX_SAFE_INTEGER * 2, Infinity])
    assert.match(timeOf(wrong, "expires_at").error?.message ?? "", /^Field `expires_at` is no time/);
});

test("amounts: where exponents are read, too, a number is what it stands for, and what cannot be an amount is none", () => {
  for (const [text, parts] of [
    ["5e-7", 5_000n],
    ["1.50E-9", 15n],
    ["+0.00001e5", 10_000_000_000n],
    [".5", 5_000_000_000n],
    ["5.", 50_000_000_000n],
    ["0012.5000000000000", 125_000_000_000n],
    [`1${"0".repeat(27)}`, 10n ** 37n],
    ["1e27", 10n ** 37n],
  ] as const)
    assert.equal(wideAmountOf(text).ok, parts, text);
  for (const wrong of ["", ".", "e5", "-1", "0e3", "5e-11", "1e28", "1e999999999", "1e-999999999", "1e", "0x10", "1".repeat(1_000)])
    assert.match(wideAmountOf(wrong).error?.message ?? "", new RegExp(`: ${wrong.replace(/[.+]/g, "\\$&")}$`), wrong);
});

describe("wallet", () => {
  let world: World, party: Readonly<Record<string, string>>;
  const request = async (
    user: string | undefined,
    method: string,
    path: string,
    body?: Json,
    token = user && tokenOf(user),
  ): Promise<Answer> => {
    const { status, text } = await world.client.request(
      method,
      path,
      body,
      token === undefined ? {} : { authorization: `Bearer ${token}` },
    );
    return { status, body: text === "" ? undefined : JSON.parse(text) };
  };
  const ask = async (user: string | undefined, method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await request(user, method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const end = async (): Promise<number> => (await ask("participant_admin", "GET", "/v2/state/ledger-end")).offset;
  const make = async (templateId: string, fields: Json): Promise<string> => {
    const { transaction } = await ask("participant_admin", "POST", "/v2/commands/submit-and-wait-for-transaction", {
      commands: {
        commands: [{ CreateCommand: { templateId, createArguments: { dso: party["dso"], ...fields } } }],
        commandId: `make-${Math.random()}`,
        actAs: [party["dso"]],
      },
    });
    return transaction.events[0].CreatedEvent.contractId;
  };
  const round = (number: number, opensInSeconds: number): Promise<string> =>
    make(names.round, {
      round: { number: String(number) },
      amuletPrice: "0.5",
      opensAt: ago(-opensInSeconds),
      targetClosesAt: ago(-opensInSeconds - 7_200),
      tickDuration: { microseconds: "600000000" },
      transferConfigUsd,
    });

  before(async () => {
    world = await World.start([], ["--memory", "--auth", "hs256:unsafe", "--auth-audience", audience]);
    for (const dar of [amuletDar("0.1.22"), governanceDar]) await ask("participant_admin", "POST", "/v2/dars", dar);
    party = {
      dso: (await ask("participant_admin", "POST", users, { name: "dso" })).party_id,
      alice: (await ask("participant_admin", "POST", users, { name: "alice" })).party_id,
    };
    await ask("participant_admin", "POST", "/v2/users/participant_admin/rights", {
      userId: "participant_admin",
      identityProviderId: "",
      rights: [{ kind: { CanActAs: { value: { party: party["dso"] } } } }],
    });
  });
  after(() => world.stop());

  it("without a token, and with one for somebody else's audience, nothing is read", async () => {
    for (const path of ["balance", "amulets", "user-status", "transfer-offers", "nothing-there"]) {
      const wanted = path === "nothing-there" ? 404 : 401;
      assert.equal((await request(undefined, "GET", `${wallet}/${path}`)).status, wanted, path);
      assert.equal(
        (await request("alice", "GET", `${wallet}/${path}`, undefined, tokenOf("alice", { aud: "https://elsewhere" }))).status,
        wanted,
        path,
      );
    }
    assert.equal((await request(undefined, "POST", `${wallet}/tap`, "{")).status, 401, "before the body is read");
  });

  it("before there is a network, and while its rounds are missing, that is told", async () => {
    assert.deepEqual(await request("alice", "GET", `${wallet}/balance`), {
      status: 404,
      body: { error: "No active AmuletRules contract" },
    });
    await make(names.rules, { configSchedule: "", isDevNet: true });
    await make(names.external, {});
    const noRound = { status: 404, body: { error: "No open usable OpenMiningRound found." } };
    assert.deepEqual(await request("alice", "POST", `${wallet}/tap`, { amount: "5" }), noRound);
    for (const [number, opensIn] of [
      [0, -7_200],
      [1, -3_600],
      [2, 3_600],
    ] as const)
      await round(number, opensIn);
    assert.deepEqual(await ask("alice", "GET", `${wallet}/balance`), {
      round: 1,
      effective_unlocked_qty: "0.0000000000",
      effective_locked_qty: "0.0000000000",
      total_holding_fees: "0.0000000000",
    });
  });

  it("a tap is in dollars, and happens once for a command id", async () => {
    const first = await ask("alice", "POST", `${wallet}/tap`, { amount: "5", command_id: "one" });
    assert.deepEqual(await ask("alice", "POST", `${wallet}/tap`, { amount: "5", command_id: "one" }), first);
    assert.equal((await ask("alice", "GET", `${wallet}/balance`)).effective_unlocked_qty, "10.0000000000");
    await ask("alice", "POST", `${wallet}/tap`, { amount: "1", command_id: "two" });
    await ask("alice", "POST", `${wallet}/tap`, { amount: "1" });
    await make(names.locked, {
      amulet: {
        dso: party["dso"],
        owner: party["alice"],
        amount: { initialAmount: "3.0", createdAt: { number: "0" }, ratePerRound: { rate: "0.0" } },
      },
      lock: { holders: [party["dso"]], expiresAt: ago(-60) },
    });
    const { effective_unlocked_qty: unlocked, effective_locked_qty: locked } = await ask("alice", "GET", `${wallet}/balance`);
    assert.deepEqual([unlocked, locked], ["14.0000000000", "3.0000000000"]);
    const { amulets, locked_amulets } = await ask("alice", "GET", `${wallet}/amulets`);
    assert.deepEqual([amulets.length, amulets[0].contract.contract.contract_id, locked_amulets.length], [3, first.contract_id, 1]);
    assert.deepEqual([amulets[0].effective_amount, amulets[0].round, amulets[0].accrued_holding_fee], ["10.0000000000", 1, "0.0000000000"]);
  });

  it("history: what moved, the newest first; pages of every size follow one another", async () => {
    const list = async (page_size: number, begin_after_id?: string): Promise<Json[]> =>
      (await ask("alice", "POST", `${wallet}/transactions`, { page_size, begin_after_id })).items;
    const all = await list(100);
    assert.deepEqual(
      all.map(({ transaction_type, receivers }) => [transaction_type, receivers[0].amount]),
      [
        ["balance_change", "2.0000000000"],
        ["balance_change", "2.0000000000"],
        ["balance_change", "10.0000000000"],
      ],
    );
    const { template_id, ...subtype } = all[0]!.transaction_subtype;
    assert.match(template_id, /:Splice\.AmuletRules:AmuletRules$/);
    assert.deepEqual(subtype, { choice: "AmuletRules_DevNet_Tap" });
    for (const { event_id } of all) assert.match(event_id, /^#1220[0-9a-f]{64}:\d+$/, "with a #, unlike Scan's");
    for (const unknown of ["gone", `1220${"00".repeat(32)}:0`, `#1220${"00".repeat(32)}:0`, `${all[1]!.event_id}5`])
      assert.deepEqual(await list(5, unknown), [], "behind what is not there comes nothing");
    for (const size of [1, 2, 3]) {
      const paged: Json[] = [];
      for (let page = await list(size); page.length > 0; page = await list(size, page.at(-1).event_id)) paged.push(...page);
      assert.deepEqual(paged, all, `pages of ${size}`);
    }
  });

  it("a new user registers by his token, with a body or without, is removed again, and then has none", async () => {
    const none = { party_id: "", user_onboarded: false, user_wallet_installed: false, has_featured_app_right: false };
    assert.deepEqual(await ask("carol", "GET", `${wallet}/user-status`), none);
    const { party_id } = await ask("carol", "POST", "/api/validator/v0/register", {});
    assert.match(party_id, /^carol::/);
    assert.deepEqual(await ask("carol", "GET", `${wallet}/user-status`), {
      ...none,
      party_id,
      user_onboarded: true,
      user_wallet_installed: true,
    });
    const claim = tokenOf("whoever", { "https://canton-network": { daml_user: "carol" } });
    assert.equal((await request(undefined, "GET", `${wallet}/user-status`, undefined, claim)).body.party_id, party_id);
    assert.equal(
      (
        await request(
          undefined,
          "GET",
          `${wallet}/user-status`,
          undefined,
          tokenOf("whoever", { "https://canton-network": { daml_user: 5 } }),
        )
      ).status,
      401,
    );
    await ask("participant_admin", "POST", `${users}/offboard?username=carol`);
    assert.deepEqual(await request("carol", "GET", `${wallet}/balance`), {
      status: 404,
      body: { error: "No wallet found for user 'carol' for operation 'getBalance'" },
    });
    assert.deepEqual(
      (await request("carol", "GET", `${wallet}/transfer-offers`)).body,
      { error: "No wallet found for user 'carol' for operation 'listTransferOffers'" },
      "operations are called as in Splice's own documents",
    );
    assert.equal((await request("carol", "GET", "/v2/users/carol")).status, 403, "the ledger itself knows no newcomers");
    assert.deepEqual(await ask("carol", "POST", "/api/validator/v0/register"), { party_id }, "he comes back to his party");
  });

  it("who was removed and comes back has what he had; nobody gets a party by registering that was not made for him", async () => {
    const balance = async (): Promise<string> => (await ask("gina.b", "GET", `${wallet}/balance`)).effective_unlocked_qty,
      register = "/api/validator/v0/register";
    const { party_id } = await ask("gina.b", "POST", register);
    await ask("gina.b", "POST", `${wallet}/tap`, { amount: "4" });
    for (const again of ["register", "onboard"]) {
      await ask("participant_admin", "POST", `${users}/offboard?username=gina.b`);
      assert.equal((await request("gina.b", "GET", `${wallet}/balance`)).status, 404);
      const back =
        again === "register" ? await ask("gina.b", "POST", register) : await ask("participant_admin", "POST", users, { name: "gina.b" });
      assert.deepEqual([back, await balance()], [{ party_id }, "8.0000000000"], again);
    }
    assert.notEqual((await ask("gina_b", "POST", register)).party_id, party_id, "names that are alike");
    const { partyDetails } = await ask("participant_admin", "POST", "/v2/parties", { partyIdHint: "treasury", identityProviderId: "" });
    assert.equal((await request("treasury", "POST", register)).status, 400);
    assert.deepEqual(await ask("participant_admin", "POST", users, { name: "treasury" }), { party_id: partyDetails.party });
  });

  it("a wallet asks to be featured with a body or without", async () => {
    const feature = (body?: Json): Promise<Answer> => request("alice", "POST", `${wallet}/self-grant-feature-app-right`, body),
      refused = await feature({});
    assert.match(refused.body.error, /AmuletRules_DevNet_FeatureApp/, "the stand-in has no such choice");
    assert.deepEqual(await feature(), refused);
  });

  it("a user with a party that he may not act as is forbidden, and what governs is for admins", async () => {
    await ask("participant_admin", "POST", "/v2/users", {
      user: { id: "dave", primaryParty: party["alice"], identityProviderId: "", isDeactivated: false },
      rights: [],
    });
    assert.deepEqual(await request("dave", "GET", `${wallet}/balance`), { status: 403, body: { error: "Authorization Failed for dave" } });
    for (const [method, path] of [
      ["GET", users],
      ["GET", "/api/validator/v0/admin/transfer-preapprovals"],
    ] as const)
      assert.equal((await request("alice", method, path)).status, 403);
    assert.equal(
      (await request("participant_admin", "GET", "/api/validator/v0/admin/transfer-preapprovals")).status,
      404,
      "there is no validator's user",
    );
    await ask("participant_admin", "POST", users, { name: "ledger-api-user" });
    assert.equal((await request("ledger-api-user", "GET", "/api/validator/v0/admin/sv/voterequests")).status, 403);
    for (const path of [users, "/api/validator/v0/admin/transfer-preapprovals"])
      assert.deepEqual(
        await request("ledger-api-user", "GET", path),
        { status: 403, body: { error: "Authorization Failed for ledger-api-user" } },
        "the validator's wallet does not operate it",
      );
    await ask("participant_admin", "POST", "/v2/users/ledger-api-user/rights", {
      userId: "ledger-api-user",
      identityProviderId: "",
      rights: [{ kind: { ParticipantAdmin: { value: {} } } }],
    });
    assert.deepEqual(await ask("ledger-api-user", "GET", "/api/validator/v0/admin/transfer-preapprovals"), { contracts: [] });
    assert.ok((await ask("ledger-api-user", "GET", users)).usernames.includes("alice"));
  });

  it("contracts that are not there, foreign or archived are not found, nor are no ids, which the registry refuses; amounts, times and pages are checked; nothing changes", async () => {
    const before = await end(),
      foreign = (await ask("alice", "GET", `${wallet}/amulets`)).amulets[0].contract.contract.contract_id;
    const ids = [`00${"ab".repeat(32)}`, "nonsense", foreign],
      transfer = {
        receiver_party_id: party["dso"],
        amount: "1.0",
        description: "",
        expires_at: (Date.now() + 60_000) * 1_000,
        tracking_id: "t",
      };
    for (const id of ids) {
      for (const step of ["accept", "reject", "withdraw"]) {
        for (const [path, status] of [
          [`${wallet}/token-standard/transfers/${id}/${step}`, id === "nonsense" ? 400 : 404],
          [`${wallet}/transfer-offers/${id}/${step}`, 404],
        ] as const)
          assert.equal((await request("alice", "POST", path)).status, status, path);
      }
      for (const path of [
        `/api/validator/v0/allocations/${id}/withdraw`,
        `${wallet}/token-standard/allocation-requests/${id}/reject`,
        `/api/validator/v2/allocations/${id}/withdraw`,
      ])
        assert.equal((await request("alice", "POST", path)).status, 404, path);
      for (const [method, path] of [
        ["GET", `app-payment-requests/${id}`],
        ["POST", `app-payment-requests/${id}/accept`],
        ["POST", `app-payment-requests/${id}/reject`],
        ["GET", `subscription-requests/${id}`],
        ["POST", `subscription-requests/${id}/accept`],
        ["POST", `subscription-requests/${id}/reject`],
        ["DELETE", `subscription-requests/${id}`],
        ["POST", `buy-traffic-requests/${id}/status`],
        ["POST", `minting-delegation-proposals/${id}/accept`],
        ["POST", `minting-delegation-proposals/${id}/reject`],
        ["POST", `minting-delegations/${id}/reject`],
      ] as const) {
        const answer = await request("alice", method, `${wallet}/${path}`);
        assert.equal(answer.status, 404, path);
        assert.match(answer.body.error, new RegExp(`^Contract id not found: .*${id}, type|${id}( not found|$)`));
      }
    }
    for (const [path, none] of [
      ["subscriptions", { subscriptions: [] }],
      ["minting-delegation-proposals", { proposals: [], next_page_token: null }],
      ["minting-delegations", { delegations: [], next_page_token: null }],
    ] as const)
      assert.deepEqual(await ask("alice", "GET", `${wallet}/${path}`), none);
    assert.deepEqual(await ask("alice", "GET", "/api/validator/v0/entry/all"), { entries: [] });
    const name = { name: "alice.unverified.ans", url: "", description: "" };
    assert.deepEqual(await request("alice", "POST", "/api/validator/v0/entry/create", name), {
      status: 404,
      body: { error: "No active AnsRules contract" },
    });
    const traffic = {
      receiving_validator_party_id: party["alice"],
      domain_id: "elsewhere::1220",
      traffic_amount: 5,
      tracking_id: "t",
      expires_at: transfer.expires_at,
    };
    for (const [path, body, what] of [
      ["tap", { amount: "-5" }, /^Field `amount` must be/],
      ["tap", { amount: 5 }, /amount/],
      ["tap", {}, /amount/],
      ["tap", "{", /JSON|json|Invalid value/],
      ["token-standard/transfers", { ...transfer, amount: "0" }, /^Field `amount` must be/],
      ["token-standard/transfers", { ...transfer, expires_at: -5 }, /^Field `expires_at` is no time/],
      ["token-standard/transfers", { ...transfer, expires_at: "-5" }, /^Field `expires_at` is no time/],
      ["transfer-offers", { ...transfer, expires_at: "soon" }, /expires_at/],
      ["transfer-offers", { ...transfer, receiver_party_id: "bob" }, /^Invalid unique identifier `bob`/],
      ["token-standard/transfers", { ...transfer, receiver_party_id: "bob" }, /^Invalid unique identifier `bob`/],
      ["transfer-preapproval/send", { receiver_party_id: "bob", amount: "1.0", deduplication_id: "d" }, /^Invalid unique identifier `bob`/],
      ["transactions", { page_size: 0 }, /^Limit must be at least 1/],
      ["transactions", { page_size: 1_001 }, /^Exceeded limit maximum/],
      ["transactions", { page_size: "1001" }, /^Exceeded limit maximum/],
      ["buy-traffic-requests", { ...traffic, traffic_amount: 0 }, /^trafficAmount must be positive/],
      ["buy-traffic-requests", { ...traffic, traffic_amount: "0" }, /^trafficAmount must be positive/],
      ["buy-traffic-requests", traffic, /^Could not find participant hosting/],
    ] as const) {
      const answer = await request("alice", "POST", `${wallet}/${path}`, body);
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ["error"]], path);
      assert.match(answer.body.error, what);
    }
    assert.equal(await end(), before);
  });

  it("a party with a key of its own is hosted; what it signs for is told, what is wrong with keys and signatures too", async () => {
    const admin = "/api/validator/v0/admin/external-party",
      { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const public_key = publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("hex");
    const signed = (hash: string): string => sign(null, Buffer.from(hash, "hex"), privateKey).toString("hex");
    const signedOf = (one: Json): Json => ({ topology_tx: one.topology_tx, signed_hash: signed(one.hash) });
    const operate = (path: string, body: Json): Promise<Answer> => request("ledger-api-user", "POST", `${admin}${path}`, body);
    const topology = await ask("ledger-api-user", "POST", `${admin}/topology/generate`, { party_hint: "keyholder", public_key });
    assert.match(topology.party_id, /^keyholder::1220/);
    assert.equal(topology.topology_txs.length, 3, "of its namespace, its host and its key, as guides sign them");
    const [delegation, { topology_tx, hash }, keys] = topology.topology_txs,
      sending = {
        sender_party_id: topology.party_id,
        receiver_party_id: topology.party_id,
        expires_at: "2030-01-01T00:00:00Z",
      };
    for (const [path, body, wanted] of [
      ["/topology/generate", { party_hint: "keyholder", public_key: "no hex" }, /^Could not decode public key no hex as a hex string/],
      ["/topology/generate", { party_hint: "keyholder", public_key: "00" }, /^Failed to decode public key/],
      ["/topology/generate", { party_hint: "", public_key }, /./],
      [
        "/topology/submit",
        { public_key, signed_topology_txs: [{ topology_tx, signed_hash: "zz" }] },
        /^Failed to decode hex-encoded tx signature: zz/,
      ],
      ["/topology/submit", { public_key, signed_topology_txs: [{ topology_tx, signed_hash: signed("00") }] }, /./],
      ["/topology/submit", { public_key, signed_topology_txs: [] }, /./],
      ["/topology/submit", { public_key, signed_topology_txs: [signedOf(delegation), signedOf(keys)] }, /PartyToParticipant/],
      ["/topology/submit", { public_key, signed_topology_txs: [signedOf(delegation), { topology_tx, signed_hash: signed(hash) }] }, /keys/],
      ...["9223372036854775808", "-9223372036854775809"].flatMap((nonce) =>
        [1, "1.0", "1e0"].map(
          (amount) =>
            [
              "/transfer-preapproval/prepare-send",
              { ...sending, amount, nonce },
              /^Field `nonce` must be a whole number of 64 bits/,
            ] as const,
        ),
      ),
      ["/transfer-preapproval/prepare-send", { ...sending, amount: "one", nonce: 0 }, /'amount'/],
      [
        "/setup-proposal/submit-accept",
        { submission: { party_id: topology.party_id, transaction: "", signed_tx_hash: "zz", public_key } },
        /^Unable to parse signed tx hash/,
      ],
      [
        "/setup-proposal/submit-accept",
        { submission: { party_id: topology.party_id, transaction: "AAAA", signed_tx_hash: "00", public_key } },
        /./,
      ],
    ] as const) {
      const answer = await operate(path, body);
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ["error"]], `${path} ${JSON.stringify(answer.body)}`);
      assert.match(answer.body.error, wanted);
    }
    const submitted = { public_key, signed_topology_txs: topology.topology_txs.map(signedOf) };
    const strangers = generateKeyPairSync("ed25519"),
      strangersKey = strangers.publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("hex");
    const rights = (): Promise<Json> => ask("participant_admin", "GET", "/v2/users/ledger-api-user/rights"),
      before = await rights();
    for (const signed_hash of [signed(hash), sign(null, Buffer.from(hash, "hex"), strangers.privateKey).toString("hex")]) {
      const { status, body } = await operate("/topology/submit", {
        public_key: strangersKey,
        signed_topology_txs: [{ topology_tx, signed_hash }],
      });
      assert.equal(status, 400);
      assert.match(body.error, /^The public key, whose fingerprint is 1220[0-9a-f]{64}, is not that of the party keyholder::1220/);
    }
    assert.deepEqual(await rights(), before, "nobody may act for who is not there");
    assert.deepEqual((await operate("/topology/submit", submitted)).body, { party_id: topology.party_id });
    assert.equal((await operate("/topology/submit", submitted)).status, 400, "it is there already");
    const balance = (party_id: string): Promise<Answer> =>
      request("ledger-api-user", "GET", `${admin}/balance?party_id=${encodeURIComponent(party_id)}`);
    for (const without of [topology.party_id, party["alice"]!])
      assert.deepEqual(await balance(without), { status: 404, body: { error: `No wallet for external party ${without}` } });
    assert.deepEqual(
      (await operate("/setup-proposal/prepare-accept", { contract_id: "00", user_party_id: topology.party_id })).status,
      404,
    );
    assert.deepEqual(await ask("ledger-api-user", "GET", `${admin}/setup-proposal`), { contracts: [] });
    assert.equal((await request("alice", "POST", `${admin}/topology/generate`, { party_hint: "a", public_key })).status, 403);
  });

  it("what is no party has no preapproval to cancel, no setup to propose, prepare or accept, and no balance", async () => {
    const admin = "/api/validator/v0/admin",
      setup = `${admin}/external-party/setup-proposal`;
    for (const [named, problem] of [
      ["nope", "Invalid unique identifier `nope` with missing namespace."],
      ["é::1220", 'Invalid unique identifier `é::1220`: non expected character 0xe9 in name "é"'],
    ] as const) {
      const submission = { party_id: named, transaction: "", signed_tx_hash: "", public_key: "" };
      for (const [method, path, body] of [
        ["DELETE", `${admin}/transfer-preapprovals/by-party/${encodeURIComponent(named)}`, undefined],
        ["POST", setup, { user_party_id: named }],
        ["POST", `${setup}/prepare-accept`, { contract_id: "00", user_party_id: named }],
        ["POST", `${setup}/submit-accept`, { submission }],
        ["GET", `${admin}/external-party/balance?party_id=${encodeURIComponent(named)}`, undefined],
      ] as const)
        assert.deepEqual(await request("ledger-api-user", method, path, body), { status: 400, body: { error: problem } }, path);
    }
  });

  it("a preapproval that another validator provides is not this one's to show, to cancel or to stand in the way of its own", async () => {
    const admin = "/api/validator/v0/admin",
      { party: receiver } = (await ask("participant_admin", "POST", "/v2/parties", { partyIdHint: "approving" })).partyDetails;
    const path = `${admin}/transfer-preapprovals/by-party/${receiver}`,
      missing = { status: 404, body: { error: `No TransferPreapproval found for party: ${receiver}` } };
    const approve = (provider: string): Promise<string> => make(names.preapproval, { receiver, provider, validFrom: ago(0) });
    await approve(party["alice"]!);
    for (const method of ["GET", "DELETE"]) assert.deepEqual(await request("ledger-api-user", method, path), missing, method);
    const proposed = await request("ledger-api-user", "POST", `${admin}/external-party/setup-proposal`, { user_party_id: receiver });
    assert.doesNotMatch(proposed.body.error, /^TransferPreapproval contract already exists/);
    const { party_id: validator } = await ask("ledger-api-user", "GET", "/api/validator/v0/validator-user"),
      own = await approve(validator);
    await approve(party["alice"]!);
    assert.equal((await ask("ledger-api-user", "GET", path)).transfer_preapproval.contract.contract_id, own);
  });

  it("with two sets of rules the newest holds", async () => {
    const rules = await make(names.rules, { configSchedule: "second", isDevNet: true });
    await ask("alice", "POST", `${wallet}/tap`, { amount: "1" });
    assert.equal((await ask("alice", "GET", "/api/validator/v0/scan-proxy/amulet-rules")).amulet_rules.contract.contract_id, rules);
  });

  it("history that was pruned is gone from the wallet's, whatever the pages; what it holds is still there", async () => {
    const list = async (page_size: number, begin_after_id?: string): Promise<Json[]> =>
      (await ask("alice", "POST", `${wallet}/transactions`, { page_size, begin_after_id })).items;
    const before = await list(100),
      balance = await ask("alice", "GET", `${wallet}/balance`);
    await ask("participant_admin", "POST", "/admin/prune", { pruneUpTo: (await end()) - 1 });
    await ask("alice", "POST", `${wallet}/tap`, { amount: "2" });
    await ask("alice", "POST", `${wallet}/tap`, { amount: "3" });
    const left = await list(100);
    assert.deepEqual(
      left.slice(0, 2).map(({ receivers }) => receivers[0].amount),
      ["6.0000000000", "4.0000000000"],
    );
    for (const size of [1, 2, 3]) {
      const paged: Json[] = [];
      for (let page = await list(size); page.length > 0; page = await list(size, page.at(-1).event_id)) paged.push(...page);
      assert.deepEqual(paged, left, `pages of ${size}`);
    }
    assert.deepEqual(await list(5, before.at(-1)!.event_id), []);
    assert.equal(
      Number((await ask("alice", "GET", `${wallet}/balance`)).effective_unlocked_qty),
      Number(balance.effective_unlocked_qty) + 10,
    );
  });
});

test("wallet: without tokens there is one, the validator's", async () => {
  const net = await StandInWorld.start();
  try {
    await net.bootstrap();
    assert.equal((await net.get(`${wallet}/balance`)).status, 404);
    await net.ask(users, { name: "ledger-api-user", party_id: net.venue });
    await net.ask(`${wallet}/tap`, { amount: "1" });
    assert.equal((await net.get(`${wallet}/balance`)).body.effective_unlocked_qty, "2.0000000000");
  } finally {
    await net.world.stop();
  }
});
