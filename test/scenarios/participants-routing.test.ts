/**
 * To which synchronizer contracts of several come together, among participants of which each is connected to some (after the cases of
 * Canton's own test of its router that change no permissions).
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { countingDar, countingTemplate } from "./counting-model.js";
import { startNetwork, type Neighbours } from "./neighbours.js";
import { create, createdIn, eventFormat, exercise, type Json, type World } from "./world.js";

const piece = countingTemplate("Piece"),
  inventory = countingTemplate("Inventory"),
  notice = countingTemplate("Notice");

let network: Neighbours, first: World, second: World, third: World;
let one: string, two: string, three: string;
/** At home at the first, on all; at the second, on the last two; at the third, on the last; and at the first, on the second alone. */
let alice: string, bob: string, carol: string, dan: string;

/** On one synchronizer after the other. */
async function party(door: World, hint: string, ...synchronizers: readonly string[]): Promise<string> {
  let allocated = "";
  for (const synchronizerId of synchronizers) {
    const reply = await door.client.post("/v2/parties", { partyIdHint: hint, synchronizerId });
    assert.equal(reply.status, 200, reply.text);
    allocated = reply.json().partyDetails.party;
  }
  return allocated;
}

before(async () => {
  network = await startNetwork([countingDar], {
    synchronizers: ["one", "two", "three"],
    ofSecond: ["two", "three"],
    ofThird: ["three"],
  });
  ({ first, second, third } = network);
  [one, two, three] = ["one", "two", "three"].map((name) => network.synchronizers.find((id) => id.startsWith(`${name}::`))!) as [
    string,
    string,
    string,
  ];
  alice = await party(first, "alice", one, two, three);
  bob = await party(second, "bob", two, three);
  carol = await party(third, "carol", three);
  dan = await party(first, "dan", two);
});
after(() => network.stop());

const pieceOf = async (door: World, owner: string, counter: string, synchronizerId: string): Promise<string> =>
  createdIn(await door.transact([owner], [create(piece, { owner, counter })], { synchronizerId })).contractId;
const inventoryOf = async (door: World, counter: string, pieces: readonly string[], synchronizerId: string): Promise<string> =>
  createdIn(await door.transact([counter], [create(inventory, { counter, pieces })], { synchronizerId })).contractId;
const countAll = (contractId: string): Json => exercise(inventory, contractId, "CountAll");

/** Where each of the contracts is active, as a party's participant tells. */
async function placesOf(door: World, reader: string, contractIds: readonly string[]): Promise<readonly string[]> {
  const request = { activeAtOffset: await door.ledgerEnd(), eventFormat: eventFormat({ parties: [reader] }) },
    listed: Json[] = (await door.client.post("/v2/state/active-contracts?limit=200", request)).json();
  const active = listed.map(({ contractEntry }) => contractEntry.JsActiveContract).filter((entry) => entry !== undefined);
  return contractIds.map(
    (contractId) => active.find(({ createdEvent }) => createdEvent.contractId === contractId)?.synchronizerId ?? "nowhere",
  );
}

describe("contracts of several synchronizers come together", () => {
  it("not where some of those who are told are not: nothing is moved", async () => {
    const [carols, dans] = [await pieceOf(third, carol, bob, three), await pieceOf(first, dan, bob, two)],
      all = await inventoryOf(second, bob, [carols, dans], two);
    assert.equal((await second.refused([bob], [countAll(all)])).code, "INFORMEES_NOT_ACTIVE");
    assert.deepEqual(await placesOf(second, bob, [all, carols, dans]), [two, three, two]);
  });

  it("not on one that is named and where not everybody is", async () => {
    const bobs = await pieceOf(second, bob, alice, two),
      all = await inventoryOf(first, alice, [bobs], one);
    assert.equal((await first.refused([alice], [countAll(all)], { synchronizerId: one })).code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    assert.deepEqual(await placesOf(first, alice, [all, bobs]), [one, two]);
  });

  it("where the others are, if what is elsewhere can be moved there", async () => {
    const bobs = await pieceOf(second, bob, alice, two),
      all = await inventoryOf(first, alice, [bobs], one);
    const { synchronizerId } = await first.transact([alice], [countAll(all)]);
    assert.deepEqual([synchronizerId, ...(await placesOf(first, alice, [all, bobs]))], [two, two, two]);
    assert.deepEqual(await placesOf(second, bob, [bobs]), [two]);
  });

  it("those of several participants on the one where everybody is; each participant tells of what it sees", async () => {
    const pieces = [await pieceOf(third, carol, alice, three), await pieceOf(second, bob, alice, two)],
      all = await inventoryOf(first, alice, pieces, one);
    await first.transact([alice], [countAll(all)]);
    assert.deepEqual(await placesOf(first, alice, [all, ...pieces]), [three, three, three]);
    assert.deepEqual([await placesOf(second, bob, [pieces[1]!]), await placesOf(third, carol, [pieces[0]!])], [[three], [three]]);
  });

  it("on the one that is named, where nothing was", async () => {
    const bobs = await pieceOf(second, bob, alice, two),
      all = await inventoryOf(first, alice, [bobs], one);
    await first.transact([alice], [countAll(all)], { synchronizerId: three });
    assert.deepEqual(await placesOf(first, alice, [all, bobs]), [three, three]);
    assert.deepEqual(await placesOf(second, bob, [bobs]), [three]);
  });

  it("where the fewest have to be moved", async () => {
    const pieces = [await pieceOf(second, bob, alice, two)];
    for (let index = 0; index < 4; index++) pieces.push(await pieceOf(second, bob, alice, three));
    const all = await inventoryOf(first, alice, pieces, two);
    await first.transact([alice], [countAll(all)]);
    assert.deepEqual(new Set(await placesOf(second, bob, pieces)), new Set([three]));
    assert.deepEqual(await placesOf(first, alice, [all]), [three]);
  });

  it("where who is told anew is: one of those with the lowest id", async () => {
    const { contractId } = createdIn(
        await first.transact([alice], [create(notice, { author: alice, reader: alice })], { synchronizerId: one }),
      ),
      forwarded = createdIn(await first.transact([alice], [exercise(notice, contractId, "Forward", { newReader: bob })]));
    assert.deepEqual(await placesOf(second, bob, [forwarded.contractId]), [[two, three].toSorted()[0]]);
  });

  it("on one that all are on, though nothing was there", async () => {
    const [left, right] = [await party(first, "left", one, three), await party(second, "right", two, three)],
      counter = await party(first, "counter", one, two, three);
    const pieces = [await pieceOf(first, left, counter, one), await pieceOf(second, right, counter, two)],
      all = await inventoryOf(first, counter, pieces, one);
    await first.transact([counter], [countAll(all)]);
    assert.deepEqual(await placesOf(first, counter, [all, ...pieces]), [three, three, three]);
    assert.deepEqual([await placesOf(first, left, [pieces[0]!]), await placesOf(second, right, [pieces[1]!])], [[three], [three]]);
  });

  it("of two to which as many have to be moved on the one with the lowest id", async () => {
    const [owner, counter] = [await party(first, "owner", one, two), await party(first, "teller", one, two)],
      owned = await pieceOf(first, owner, counter, two),
      all = await inventoryOf(first, counter, [owned], one),
      lowest = [one, two].toSorted()[0]!;
    await first.transact([counter], [countAll(all)]);
    assert.deepEqual(await placesOf(first, counter, [all, owned]), [lowest, lowest]);
  });

  it("those of several who act together, where the most are or where the command says", async () => {
    const parties = [await party(first, "anna", one, two), await party(first, "ben", one, two), await party(first, "chloe", one, two)];
    for (const [synchronizerId, place] of [
      ["", two],
      [one, one],
    ] as const) {
      const pieces = await Promise.all(parties.map((owner, index) => pieceOf(first, owner, owner, index === 0 ? one : two)));
      const closing = pieces.map((contractId) => exercise(piece, contractId, "Discard")),
        last = create(piece, { owner: parties[0]!, counter: parties[0]! });
      const transaction = await first.transact(parties, [...closing, last], { synchronizerId });
      assert.deepEqual([transaction.synchronizerId, transaction.events.length], [place, 4]);
      assert.deepEqual(await placesOf(first, parties[0]!, [createdIn(transaction).contractId, ...pieces]), [
        place,
        "nowhere",
        "nowhere",
        "nowhere",
      ]);
    }
  });

  it("on another than where all of them are, where the command says so", async () => {
    const owned = await pieceOf(first, alice, alice, one),
      all = await inventoryOf(first, alice, [owned], one);
    await first.transact([alice], [countAll(all)], { synchronizerId: two });
    assert.deepEqual(await placesOf(first, alice, [all, owned]), [two, two]);
  });
});
