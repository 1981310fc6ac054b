/** What is made of a party's contracts, on contracts that are made up: what is read of them when they are gone through again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../../src/base/result.js";
import { inFlightBit } from "../../src/ledger/index.js";
import type { Contracts, PassedContract, Place } from "../../src/splice/contracts.js";
import { KnownContracts } from "../../src/splice/known-contracts.js";
import { templates } from "../../src/splice/names.js";
import { rowOf } from "../../src/splice/rows.js";
import { ownTurns } from "../support/turns.js";

const alice = "alice::1220",
  bob = "bob::1220";

interface Owned {
  readonly owner: string;
  readonly name: string;
}

/** A ledger that says how many contracts were read of it. */
class MadeUp {
  readonly #active = new Map<string, { readonly place: Place; readonly payload: Owned }>();
  #end = 0;
  read = 0;

  create(name: string, owner = alice): void {
    this.#active.set(name, { place: { offset: ++this.#end, nodeId: 0 }, payload: { owner, name } });
  }
  archive(name: string): void {
    assert.ok(this.#active.delete(name));
    this.#end++;
  }
  /** It leaves a synchronizer. */
  unassign(name: string): void {
    const { payload } = this.#active.get(name)!;
    this.#active.set(name, { place: { offset: ++this.#end, nodeId: inFlightBit }, payload });
  }

  known(knownMax = 100): KnownContracts<Owned, string> {
    const listed = () => [...this.#active.values()].sort((a, b) => rowOf(a.place) - rowOf(b.place));
    const contracts: Pick<Contracts, "eachBehind" | "pageOfPlaces"> = {
      pageOfPlaces: async () => ok(listed().map(({ place }) => place)),
      eachBehind: async <P>(_: unknown, visit: (contract: PassedContract<P>) => void, { after }: { readonly after?: Place }) => {
        for (const { place, payload } of listed()) {
          if (after !== undefined && rowOf(place) <= rowOf(after)) continue;
          this.read++;
          visit({ place, created: place, contractId: payload.name, payload: payload as P });
        }
      },
    };
    return new KnownContracts({
      contracts,
      turns: ownTurns(),
      template: templates.amulet,
      make: ({ payload: { name, owner } }, party) => (owner === party ? name : undefined),
      knownMax,
    });
  }
}

test("known contracts: each is read once; who goes through them again is told of those that are active then, the oldest first", async () => {
  const ledger = new MadeUp(),
    known = ledger.known();
  assert.deepEqual(await known.of(alice, 0), []);
  for (const name of ["a", "b", "c"]) ledger.create(name);
  ledger.create("d", bob);
  assert.deepEqual([await known.of(alice, 4), ledger.read], [["a", "b", "c"], 4]);
  assert.deepEqual([await known.of(alice, 4), ledger.read], [["a", "b", "c"], 4]);
  ledger.archive("b");
  ledger.create("e");
  assert.deepEqual([await known.of(alice, 6), ledger.read], [["a", "c", "e"], 5]);
  ledger.archive("c");
  assert.deepEqual([await known.of(alice, 7), ledger.read], [["a", "e"], 5]);
  assert.deepEqual([await known.of(bob, 7), ledger.read], [["d"], 8]);
});

test("known contracts: one that goes to another synchronizer is read again, and told once", async () => {
  const ledger = new MadeUp(),
    known = ledger.known();
  for (const name of ["a", "b"]) ledger.create(name);
  await known.of(alice, 2);
  ledger.unassign("a");
  assert.deepEqual([await known.of(alice, 3), ledger.read], [["b", "a"], 3]);
  ledger.create("c");
  assert.deepEqual([await known.of(alice, 4), ledger.read], [["b", "c", "a"], 5]);
});

test("known contracts: of more than may be known all are read each time, of other parties' those who were asked for last", async () => {
  const ledger = new MadeUp(),
    known = ledger.known(6);
  for (const name of ["a", "b", "c"]) ledger.create(name);
  const readFor = async (party: string): Promise<number> => {
    const before = ledger.read;
    await known.of(party, 9);
    return ledger.read - before;
  };
  assert.deepEqual([await readFor(alice), await readFor(alice), await readFor(bob), await readFor(alice)], [3, 0, 3, 3]);
  for (const name of ["d", "e", "f"]) ledger.create(name);
  assert.deepEqual([await readFor(alice), await readFor(alice)], [3, 6]);
});
