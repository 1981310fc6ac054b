/** Choice contexts of the token standard's registry: what a wallet or a venue is handed before it exercises a choice. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ago, disclosedIn, names, StandInWorld } from "./stand-in-world.js";
import { exercise, type Json } from "../scenarios/world.js";

let net: StandInWorld;
before(async () => {
  net = await StandInWorld.start();
});
after(() => net.world.stop());

const keysOf = (context: Json): readonly string[] => Object.keys(context.choiceContextData.values).sort();
const allocated = async (): Promise<{ lock: string; id: string }> => {
  const { contractId: lock } = await net.locked(net.alice, "10.0");
  return { lock, id: (await net.allocation(lock)).contractId };
};
const transferFactory = (sender: string, receiver: string): Promise<Json> =>
  net.ask("/registry/transfer-instruction/v1/transfer-factory", {
    choiceArguments: { actor: sender, expectedAdmin: net.dso, transfer: net.transferOf(sender, receiver) },
  });

describe("registry", () => {
  it("a network that is not there yet is told: no rules, then no usable round", async () => {
    const { contractId: lock } = await net.locked(net.alice, "1.0"),
      { contractId: id } = await net.allocation(lock);
    assert.deepEqual(await net.context("allocations/v1", id, "withdraw"), {
      status: 404,
      body: { error: "No active AmuletRules contract" },
    });
    assert.deepEqual(await net.get("/registry/metadata/v1/info"), { status: 404, body: { error: "No active AmuletRules contract" } });
    await net.make(names.rules, { configSchedule: "", isDevNet: true });
    for (const number of [0, 1]) await net.round(number, -3_600);
    await net.spend(names.locked, lock);
    assert.deepEqual(
      await net.context("allocations/v1", id, "withdraw"),
      { status: 404, body: { error: "No open usable OpenMiningRound found." } },
      "also where the lock is gone",
    );
    await net.make(names.external, {});
    await net.round(2, 3_600);
    assert.equal((await net.context("allocations/v1", id, "withdraw")).status, 200);
  });

  it("allocations: a transfer's context names rules and the newest open round, and discloses them, then the lock", async () => {
    const { id } = await allocated(),
      { body } = await net.context("allocations/v1", id, "execute-transfer");
    assert.deepEqual(keysOf(body), ["amulet-rules", "expire-lock", "open-round"]);
    assert.deepEqual(body.choiceContextData.values["expire-lock"], { tag: "AV_Bool", value: true });
    assert.deepEqual(disclosedIn(body), ["AmuletRules", "OpenMiningRound", "LockedAmulet"]);
    const [rules, round, locked] = body.disclosedContracts;
    assert.deepEqual(body.choiceContextData.values["open-round"], { tag: "AV_ContractId", value: round.contractId });
    assert.equal(round.debugPayload.round.number, "1");
    assert.deepEqual(
      [rules.debugPackageName, round.debugPayload.amuletPrice, locked.debugPayload.lock.optContext],
      ["splice-amulet", "0.5", null],
      "payloads are written out in full",
    );
    assert.match(rules.templateId, /^[0-9a-f]{64}:Splice\.AmuletRules:AmuletRules$/);
    assert.equal(locked.synchronizerId, (await net.get("/v2/state/connected-synchronizers")).body.connectedSynchronizers[0].synchronizerId);
  });

  it("allocations: debug fields are left out where they are not wanted; metadata makes no difference", async () => {
    const { id } = await allocated(),
      debug = ["debugPackageName", "debugPayload", "debugCreatedAt"];
    const contexts = await Promise.all(
      [{}, { meta: { k: "v" } }, { excludeDebugFields: false }, { excludeDebugFields: true }].map((body) =>
        net.context("allocations/v1", id, "cancel", body),
      ),
    );
    const [plain, ...others] = contexts.map(({ body }) => body);
    assert.deepEqual(others[0], plain);
    assert.deepEqual(others[1], plain);
    const withoutDebug = plain.disclosedContracts.map((each: Json) =>
      Object.fromEntries(Object.entries(each).filter(([key]) => !debug.includes(key))),
    );
    assert.deepEqual(others[2], { ...plain, disclosedContracts: withoutDebug });
    assert.ok(plain.disclosedContracts.every((each: Json) => debug.every((key) => key in each)));
  });

  it("allocations: when the owner took the lock back, a transfer has no context, and what ends the allocation only says so", async () => {
    const { lock, id } = await allocated();
    await net.spend(names.locked, lock);
    const refused = await net.context("allocations/v1", id, "execute-transfer");
    assert.equal(refused.status, 404);
    assert.ok(
      refused.body.error.startsWith(
        `LockedAmulet 'Some(ContractId(${lock}))' not found for AmuletAllocation '${id}', which expires on Some(2`,
      ),
      refused.body.error,
    );
    for (const step of ["withdraw", "cancel"]) {
      assert.deepEqual((await net.context("allocations/v1", id, step)).body, {
        choiceContextData: { values: { "expire-lock": { tag: "AV_Bool", value: false } } },
        disclosedContracts: [],
      });
    }
  });

  it("allocations: unknown, archived and foreign ids are not found, malformed ones are refused, by any step", async () => {
    const { lock, id } = await allocated();
    await net.spend(names.allocation, id);
    const unknown = `00${"ab".repeat(32)}`;
    for (const wrong of [id, lock, unknown, "nonsense", "00"]) {
      const text = `INVALID_FIELD(8,0): The submitted command has a field with invalid value: Invalid field contract_id: cannot parse ContractId "${wrong}"`;
      for (const [version, step] of [
        ["v1", "execute-transfer"],
        ["v1", "withdraw"],
        ["v1", "cancel"],
        ["v2", "withdraw"],
        ["v2", "cancel"],
      ]) {
        assert.deepEqual(
          await net.context(`allocations/${version}`, wrong, step!),
          wrong.length < unknown.length
            ? { status: 400, body: { error: text } }
            : { status: 404, body: { error: `AmuletAllocation '${wrong}' not found.` } },
        );
      }
    }
    const { contractId: v2 } = await net.allocationV2(null);
    assert.equal((await net.context("allocations/v1", v2, "withdraw")).status, 404, "the first generation does not know the second");
  });

  it("allocations of the second generation: with a lock, without one, and of the first", async () => {
    const { contractId: lock } = await net.locked(net.alice, "3.0"),
      { contractId: locked } = await net.allocationV2(lock),
      { contractId: bare } = await net.allocationV2(null);
    assert.deepEqual(disclosedIn((await net.context("allocations/v2", locked, "withdraw")).body), [
      "AmuletRules",
      "OpenMiningRound",
      "LockedAmulet",
    ]);
    assert.deepEqual((await net.context("allocations/v2", bare, "cancel")).body.disclosedContracts, []);
    assert.deepEqual(disclosedIn((await net.context("allocations/v2", (await allocated()).id, "cancel")).body), [
      "AmuletRules",
      "OpenMiningRound",
      "LockedAmulet",
    ]);
  });

  it("a pair of configuration states is named by its newer one, a lone one is not", async () => {
    const { id } = await allocated(),
      states = [];
    for (const hours of [24, 48]) {
      states.push(await net.make(names.configState, { targetArchiveAfter: ago(-hours * 3_600) }));
      const { body } = await net.context("allocations/v1", id, "withdraw");
      assert.deepEqual(
        body.choiceContextData.values["external-party-config-state"]?.value,
        states.length === 2 ? states[1].contractId : undefined,
      );
    }
    assert.deepEqual(disclosedIn((await net.context("allocations/v1", id, "withdraw")).body), [
      "AmuletRules",
      "OpenMiningRound",
      "ExternalPartyConfigState",
      "LockedAmulet",
    ]);
    for (const { contractId } of states) await net.spend(names.configState, contractId);
  });

  it("a featured executor's right is added to the transfer, not to what ends the allocation", async () => {
    const { id } = await allocated(),
      right = await net.make(names.featured, { provider: net.venue });
    const { body } = await net.context("allocations/v1", id, "execute-transfer");
    assert.equal(body.choiceContextData.values["featured-app-right"].value, right.contractId);
    assert.equal(disclosedIn(body).at(-1), "FeaturedAppRight");
    assert.ok(!keysOf((await net.context("allocations/v1", id, "cancel")).body).includes("featured-app-right"));
    await net.spend(names.featured, right.contractId);
  });

  it("transfers: to oneself, offered, and direct where the receiver approved of them; the factory comes last", async () => {
    assert.equal((await transferFactory(net.alice, net.alice)).transferKind, "self");
    const offered = await transferFactory(net.alice, net.bob);
    assert.deepEqual(
      [offered.transferKind, disclosedIn(offered.choiceContext)],
      ["offer", ["AmuletRules", "OpenMiningRound", "ExternalPartyAmuletRules"]],
    );
    assert.equal(offered.factoryId, offered.choiceContext.disclosedContracts.at(-1).contractId);
    const old = await net.make(names.preapproval, { receiver: net.bob, provider: net.venue, validFrom: ago(100) });
    const recent = await net.make(names.preapproval, { receiver: net.bob, provider: net.venue, validFrom: ago(10) }),
      right = await net.make(names.featured, { provider: net.venue });
    const direct = await transferFactory(net.alice, net.bob);
    assert.deepEqual(
      [direct.transferKind, direct.choiceContext.choiceContextData.values["transfer-preapproval"].value],
      ["direct", recent.contractId],
    );
    assert.deepEqual(disclosedIn(direct.choiceContext), [
      "AmuletRules",
      "OpenMiningRound",
      "FeaturedAppRight",
      "TransferPreapproval",
      "ExternalPartyAmuletRules",
    ]);
    assert.deepEqual(keysOf((await transferFactory(net.bob, net.bob)).choiceContext), ["amulet-rules", "open-round"]);
    for (const [template, { contractId }] of [
      [names.preapproval, old],
      [names.preapproval, recent],
      [names.featured, right],
    ] as const)
      await net.spend(template, contractId);
  });

  it("transfers: of the second generation to the same account are to oneself, to another of one's accounts they are offered", async () => {
    const account = (owner: string, id = "", provider: string | null = null): Json => ({ owner, provider, id });
    const kind = async (sender: Json, receiver: Json): Promise<string> =>
      (
        await net.ask("/registry/transfer-instruction/v2/transfer-factory", {
          choiceArguments: { actor: net.alice, transfer: { ...net.transferOf("", ""), sender, receiver } },
        })
      ).transferKind;
    const own = account(net.alice);
    assert.deepEqual(
      [
        await kind(own, account(net.alice)),
        await kind(own, account(net.alice, "savings")),
        await kind(own, account(net.alice, "", net.venue)),
        await kind(account(net.alice, "", net.venue), account(net.alice, "", net.venue)),
        await kind(own, account(net.bob)),
      ],
      ["self", "offer", "offer", "self", "offer"],
    );
  });

  it("transfers: who sends and who receives must be parties of a network", async () => {
    for (const [sender, receiver, error] of [
      ["alice", net.bob, "Invalid unique identifier `alice` with missing namespace."],
      [net.alice, "bob", "Invalid unique identifier `bob` with missing namespace."],
    ] as const) {
      const choiceArguments = { actor: net.alice, expectedAdmin: net.dso, transfer: net.transferOf(sender, receiver) };
      assert.deepEqual(await net.post("/registry/transfer-instruction/v1/transfer-factory", { choiceArguments }), {
        status: 400,
        body: { error },
      });
    }
  });

  it("transfers: an offer's acceptance needs its lock, its end does not", async () => {
    const { contractId: lockedAmulet } = await net.locked(net.alice, "1.0"),
      { contractId: id } = await net.make(names.transfer, { lockedAmulet, transfer: net.transferOf(net.alice, net.bob) });
    for (const step of ["accept", "reject", "withdraw"])
      assert.deepEqual(disclosedIn((await net.context("transfer-instruction/v1", id, step)).body), [
        "AmuletRules",
        "OpenMiningRound",
        "LockedAmulet",
      ]);
    await net.spend(names.locked, lockedAmulet);
    const refused = await net.context("transfer-instruction/v1", id, "accept");
    assert.ok(refused.status === 404 && refused.body.error.includes(`AmuletTransferInstruction '${id}'`), refused.body.error);
    for (const step of ["reject", "withdraw"])
      assert.deepEqual((await net.context("transfer-instruction/v1", id, step)).body.disclosedContracts, []);
    await net.spend(names.transfer, id);
    for (const step of ["accept", "reject", "withdraw"]) assert.equal((await net.context("transfer-instruction/v1", id, step)).status, 404);
  });

  it("arguments of factories are checked by their type; unknown fields are none of its business", async () => {
    const path = "/registry/transfer-instruction/v1/transfer-factory",
      transfer = net.transferOf(net.alice, net.bob),
      good = { actor: net.alice, expectedAdmin: net.dso, transfer };
    assert.equal((await net.post(path, { choiceArguments: { ...good, more: 1 } })).status, 200);
    for (const [wrong, told] of [
      [{}, "missing field"],
      [{ ...good, transfer: 5 }, "transfer"],
      [{ ...good, transfer: { ...transfer, amount: "much" } }, "transfer.amount"],
      [{ ...good, transfer: { ...transfer, executeBefore: "soon" } }, "transfer.executeBefore"],
    ] as const) {
      const { status, body } = await net.post(path, { choiceArguments: wrong });
      assert.ok(
        status === 400
          && body.error.startsWith("Field `choiceArguments` does not contain a valid `TransferFactory_Transfer`:")
          && body.error.includes(told),
        body.error,
      );
    }
  });

  it("a wrong admin is the model's matter: the registry hands out the factory, the command fails", async () => {
    const allocate = async (expectedAdmin: string): Promise<{ readonly status: number; readonly text: string }> => {
      const argument = { actor: net.alice, expectedAdmin };
      const { factoryId, choiceContext } = await net.ask("/registry/allocation-instruction/v1/allocation-factory", {
        choiceArguments: argument,
        excludeDebugFields: true,
      });
      return net.world.submit([net.alice], [exercise(names.external, factoryId, "AllocationFactory_Allocate", argument)], {
        disclosedContracts: choiceContext.disclosedContracts,
      });
    };
    assert.equal((await allocate(net.dso)).status, 200);
    const refused = await allocate(net.bob);
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.text, /Expected admin does not match/);
  });

  it("settlement: the locks of the listed allocations of both generations, those of the second first; at most 100 allocations", async () => {
    const first = await allocated(),
      { contractId: lock } = await net.locked(net.bob, "2.0"),
      { contractId: second } = await net.allocationV2(lock),
      { contractId: bare } = await net.allocationV2(null);
    const choiceArguments = (ids: readonly string[]): Json => ({
      actor: net.venue,
      transferLegs: [],
      allocations: ids.map((allocationCid) => ({ allocationCid })),
    });
    const { factoryId, choiceContext } = await net.ask("/registry/allocation/v2/settlement-factory", {
      choiceArguments: choiceArguments([first.id, second, bare, second]),
    });
    assert.deepEqual(disclosedIn(choiceContext), ["ExternalPartyAmuletRules", "LockedAmulet", "LockedAmulet"]);
    assert.deepEqual(
      choiceContext.disclosedContracts.map(({ contractId }: Json) => contractId),
      [factoryId, lock, first.lock],
    );
    assert.deepEqual(keysOf(choiceContext), []);
    const tooMany = await net.post("/registry/allocation/v2/settlement-factory", {
      choiceArguments: choiceArguments(Array.from({ length: 101 }, () => second)),
    });
    assert.deepEqual(tooMany, { status: 400, body: { error: "Too many allocations in the settle batch: 101. Maximum allowed: 100" } });
    assert.match(
      (await net.post("/registry/allocation/v2/settlement-factory", { choiceArguments: {} })).body.error,
      /^Field `choiceArguments` does not contain a valid `SettlementFactory_SettleBatch`\. Error: /,
    );
  });

  it("a token of another admin: no values, and its holdings disclosed", async () => {
    const { venue, alice } = net,
      token = await net.world.create([venue], names.token, { admin: venue, owner: alice });
    const { contractId } = await net.world.create([venue], names.teamAllocation, {
      admin: venue,
      allocation: net.specification(alice, venue),
      tokens: [token.contractId],
    });
    const { status, body } = await net.context("allocations/v1", contractId, "execute-transfer", { excludeDebugFields: true });
    assert.deepEqual([status, body.choiceContextData, disclosedIn(body)], [200, { values: {} }, ["Token"]]);
    assert.equal((await net.context("allocations/v2", contractId, "cancel")).status, 404, "it does not implement the second generation");
  });

  it("behind the validator the answers are the same; unreadable requests and unknown paths are told in the same form", async () => {
    const { id } = await allocated(),
      path = `/registry/allocations/v1/${id}/choice-contexts/withdraw`;
    assert.deepEqual(await net.post(`/api/validator/v0/scan-proxy${path}`), await net.post(path));
    for (const unreadable of ["{", JSON.stringify({ excludeDebugFields: "yes" }), JSON.stringify([])]) {
      const { status, body } = await net.post(path, unreadable);
      assert.deepEqual([status, Object.keys(body)], [400, ["error"]]);
    }
    assert.deepEqual(
      [(await net.get("/registry/nowhere")).status, Object.keys((await net.get("/registry/nowhere")).body), (await net.get(path)).status],
      [404, ["error"], 405],
    );
    const { body: info } = await net.get("/registry/metadata/v1/info");
    assert.deepEqual(info, { adminId: net.dso, supportedApis: { "splice-api-token-metadata-v1": 1 } });
    const {
      body: {
        instruments: [instrument],
      },
    } = await net.get("/registry/metadata/v1/instruments?pageSize=1");
    assert.deepEqual([instrument.id, instrument.symbol, instrument.decimals], ["Amulet", "AMT", 10]);
    assert.deepEqual([instrument.paused, instrument.showAccountInputFields], [false, false], "what stands for nothing said is said");
    assert.deepEqual((await net.get("/registry/metadata/v1/instruments/Amulet")).body, instrument);
    assert.deepEqual(await net.get("/registry/metadata/v1/instruments/Other"), {
      status: 404,
      body: { error: "No instrument with id Other found" },
    });
  });
});
