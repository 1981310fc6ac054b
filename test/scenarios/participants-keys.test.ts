/**
 * Contracts with keys whose parties are at two participants (after those cases about keys of the Ledger API's own test tool that need
 * more than one of them; where it still counts on keys that are unique, what holds of keys that are not).
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startNetwork, type Neighbours } from "./neighbours.js";
import { keyedDar, keyedTemplate } from "./keyed-model.js";
import { create, createdIn, disclosed, eventsOf, exercise, exerciseByKey, type Command, type Json } from "./world.js";

const named = keyedTemplate("Named"),
  delegation = keyedTemplate("Delegation"),
  searcher = keyedTemplate("Searcher"),
  proposal = keyedTemplate("Proposal"),
  notMine = keyedTemplate("NotMine");

let network: Neighbours, alice: string, bob: string, mandate: Json;
before(async () => {
  network = await startNetwork([keyedDar]);
  [alice] = await network.first.parties("alice");
  [bob] = await network.second.parties("bob");
  mandate = await network.first.create([alice], delegation, { owner: alice, delegate: bob });
});
after(() => network.stop());

const nameIt = (name: string): Promise<Json> => network.first.create([alice], named, { owner: alice, name });
/** What bob does with alice's mandate. */
const byBob = (choice: string, argument: Json): Command => exercise(delegation, mandate.contractId, choice, argument);
const resultOf = (transaction: Json): unknown => eventsOf(transaction)[0].exerciseResult;
const codeOf = async (command: Command, changes: Json = {}): Promise<string> =>
  (await network.second.refused([bob], [command], changes)).code;

describe("participants with keys", () => {
  it("an event has the key of a template that has one, at both; and none of one without", async () => {
    const begin = await network.second.ledgerEnd();
    await network.second.transact([bob], [byBob("Write", { name: "seen" })]);
    const [transaction] = await network.second.transactions({ parties: [bob], shape: "TRANSACTION_SHAPE_LEDGER_EFFECTS", begin });
    assert.deepEqual(createdIn(transaction).contractKey, { owner: alice, name: "seen" });
    assert.equal(mandate.contractKey ?? null, null);
    const theirs = (await network.second.activeContracts({ parties: [bob] })).map(({ contractKey }) => contractKey ?? null);
    assert.deepEqual(theirs, [null]);
  });

  it("who has no stake in a contract finds it neither by its id nor by its key, for whomever it acts", async () => {
    const { contractId } = await nameIt("hidden");
    assert.equal(await codeOf(byBob("FetchById", { named: contractId })), "CONTRACT_NOT_FOUND");
    assert.equal(await codeOf(byBob("FetchByName", { name: "hidden" })), "CONTRACT_KEY_NOT_FOUND");
    assert.equal(resultOf(await network.second.transact([bob], [byBob("FindByName", { name: "hidden" })])), false);
  });

  it("what was seen being made is not found by its key either", async () => {
    const { contractId } = createdIn(await network.second.transact([bob], [byBob("Write", { name: "witnessed" })]));
    assert.equal(await codeOf(byBob("FetchById", { named: contractId })), "CONTRACT_NOT_FOUND");
    assert.equal(await codeOf(byBob("FetchByName", { name: "witnessed" })), "CONTRACT_KEY_NOT_FOUND");
  });

  it("with its disclosure it is found by id and by key, and its choices are taken by key from another participant", async () => {
    const contract = await nameIt("disclosed"),
      disclosedContracts = [disclosed(contract)],
      greeting = exerciseByKey(named, { owner: alice, name: "disclosed" }, "Greet", { by: bob });
    assert.equal(await codeOf(greeting), "CONTRACT_KEY_NOT_FOUND");
    const greeted = await network.second.transact([bob], [greeting], { disclosedContracts });
    assert.deepEqual([resultOf(greeted), eventsOf(greeted)[0].contractId], ["disclosed", contract.contractId]);
    await network.second.transact([bob], [byBob("FetchById", { named: contract.contractId })], { disclosedContracts });
    await network.second.transact([bob], [byBob("FetchByName", { name: "disclosed" })], { disclosedContracts });
    const found = await network.second.transact([bob], [byBob("FindByName", { name: "disclosed" })], { disclosedContracts });
    assert.equal(resultOf(found), true);
  });

  it("what a transaction makes itself is found in it by its key, whoever submits it", async () => {
    await network.second.transact([bob], [byBob("WriteAndFetch", { name: "made" })]);
    assert.equal(resultOf(await network.second.transact([bob], [byBob("WriteAndFind", { name: "made too" })])), true);
  });

  it("a key is for its maintainers: others may not look for it, whether it is there or not", async () => {
    await nameIt("known");
    const hers = (await network.first.create([alice], searcher, { who: alice })).contractId,
      his = (await network.second.create([bob], searcher, { who: bob })).contractId;
    const byAlice = async (name: string): Promise<unknown> =>
      resultOf(await network.first.transact([alice], [exercise(searcher, hers, "Find", { owner: alice, name })]));
    assert.deepEqual([await byAlice("known"), await byAlice("unknown")], [true, false]);
    for (const name of ["known", "unknown"]) {
      const { code, cause } = await network.second.refused([bob], [exercise(searcher, his, "Find", { owner: alice, name })]);
      assert.equal(code, "DAML_AUTHORIZATION_ERROR");
      assert.match(cause, /requires authorizers alice::\w+ for lookup by key, but it only has bob::/);
    }
    await network.first.transact([alice], [exerciseByKey(named, { owner: alice, name: "known" }, "Close")]);
    assert.equal(await byAlice("known"), false);
    const foreign = await network.first.refused([alice], [create(notMine, { owner: alice, other: bob })]);
    assert.equal(foreign.code, "DAML_AUTHORIZATION_ERROR");
    assert.match(foreign.cause, /maintainers bob::\w+ which are not a subset of the signatories TreeSet\(alice::/);
  });

  it("a name is free again once its contract is closed, and two may have it at once", async () => {
    for (let round = 0; round < 2; round++) {
      const made = createdIn(await network.second.transact([bob], [byBob("Write", { name: "again" })]));
      await network.first.transact([alice], [exerciseByKey(named, { owner: alice, name: "again" }, "Close")]);
      assert.equal((await network.first.refused([alice], [exercise(named, made.contractId, "Close")])).code, "CONTRACT_NOT_FOUND");
    }
    const both = [createdIn(await network.second.transact([bob], [byBob("Write", { name: "again" })])), await nameIt("again")];
    const closed = eventsOf(await network.first.transact([alice], [exerciseByKey(named, { owner: alice, name: "again" }, "Close")]));
    assert.equal(closed[0].contractId, both[1].contractId, "the newest is taken first");
  });

  it("what one participant's party gives is found by its key at the other's, and no longer where it was", async () => {
    const offered = await network.first.create([alice], proposal, { from: alice, to: bob }),
      his = await network.second.create([bob], named, { owner: bob, name: "gift" });
    const accepted = await network.second.transact([bob], [exercise(proposal, offered.contractId, "Accept", { named: his.contractId })]);
    const given = createdIn(accepted, "Named");
    assert.deepEqual([given.contractKey, given.signatories], [{ owner: alice, name: "gift" }, [alice]]);
    const greeted = await network.first.transact([alice], [exerciseByKey(named, { owner: alice, name: "gift" }, "Greet", { by: alice })]);
    assert.equal(eventsOf(greeted)[0].contractId, given.contractId);
    assert.equal(await codeOf(exerciseByKey(named, { owner: bob, name: "gift" }, "Close")), "CONTRACT_KEY_NOT_FOUND");
  });
});
