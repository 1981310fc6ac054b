/** Contracts by a key of their payloads, on contracts that are made up: what is read of them, and when all of them are read again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../../src/base/result.js";
import { Turns } from "../../src/base/turns.js";
import type { Contract, Contracts, PassedContract, Place } from "../../src/splice/contracts.js";
import { KeyedContracts } from "../../src/splice/keyed-contracts.js";
import { templates } from "../../src/splice/names.js";
import type { OfDso } from "../../src/splice/network.js";
import { rowOf } from "../../src/splice/rows.js";

interface Named extends OfDso {
  readonly name: string;
}
const dso = "dso::1220";

/** A ledger that says how many contracts were read of it. */
class MadeUp {
  readonly #active = new Map<string, Contract<Named>>();
  #end = 0;
  read = 0;

  create(name: string, of = dso): string {
    const place = { offset: ++this.#end, nodeId: 0 },
      contractId = `00${this.#end}`;
    this.#active.set(contractId, { place, contractId, payload: { dso: of, name } } as Contract<Named>);
    return contractId;
  }
  archive(contractId: string): void {
    assert.ok(this.#active.delete(contractId));
    this.#end++;
  }

  keyed(knownMax?: number): KeyedContracts<Named> {
    const behind = (after: Place | undefined): readonly Contract<Named>[] =>
      [...this.#active.values()].filter(({ place }) => after === undefined || rowOf(place) > rowOf(after));
    const contracts = {
      eachBehind: async (_: unknown, visit: (contract: PassedContract<Named>) => void, { after }: { readonly after?: Place }) => {
        for (const contract of behind(after)) {
          this.read++;
          visit({ ...contract, created: contract.place });
        }
      },
      findOf: async (_: unknown, contractId: string) => this.#active.get(contractId),
      page: async ({ after, limit }: { readonly after: Place; readonly limit: number }, isWanted: (contract: Contract<Named>) => boolean) =>
        ok(behind(after).filter(isWanted).slice(0, limit)),
      newest: async (_: unknown, max: number, isWanted: (contract: PassedContract<Named>) => boolean) => {
        const all = [...this.#active.values()];
        this.read += all.length;
        return all
          .filter((contract) => isWanted({ ...contract, created: contract.place }))
          .slice(-max)
          .reverse();
      },
    };
    return new KeyedContracts<Named>({
      contracts: contracts as unknown as Contracts,
      ledger: { ledgerEnd: () => this.#end },
      turns: new Turns(1_000),
      template: templates.ansEntry,
      keyOf: ({ name }) => name,
      ...(knownMax === undefined ? {} : { knownMax }),
    });
  }
}

const idsOf = (contracts: readonly Contract[]): readonly string[] => contracts.map(({ contractId }) => contractId);

test("contracts are found by their keys, the oldest first, and each is read once; what is archived is not found any more", async () => {
  const ledger = new MadeUp(),
    keyed = ledger.keyed();
  const [a1, b1, a2] = [ledger.create("a"), ledger.create("b"), ledger.create("a")];
  ledger.create("a", "mallory::1220");
  assert.deepEqual(idsOf(await keyed.of(dso, ["b", "a", "none"])), [a1, b1, a2]);
  assert.deepEqual([await keyed.of(dso, ["none"]), ledger.read], [[], 4]);
  ledger.archive(a1);
  const b2 = ledger.create("b");
  assert.deepEqual([idsOf(await keyed.of(dso, ["a"])), ledger.read], [[a2], 5]);
  assert.deepEqual(idsOf(await keyed.of(dso, ["b", "b"])), [b1, b2]);
  assert.deepEqual(await keyed.of("other::1220", ["a"]), []);
  assert.deepEqual(idsOf(await keyed.of(dso, ["a"])), [a2]);
});

test("the newest are found behind those that were archived since, as many as are wanted", async () => {
  const ledger = new MadeUp(),
    keyed = ledger.keyed(),
    ids = Array.from({ length: 20 }, (_, index) => ledger.create(`n${index}`));
  assert.deepEqual(idsOf(await keyed.newest(dso, 2, () => true)), [ids[19], ids[18]]);
  for (const id of ids.slice(12)) ledger.archive(id);
  assert.deepEqual(idsOf(await keyed.newest(dso, 3, () => true)), [ids[11], ids[10], ids[9]]);
  assert.deepEqual(idsOf(await keyed.newest(dso, 2, ({ offset }) => offset < 3)), [ids[1], ids[0]]);
  assert.equal((await keyed.newest(dso, 100, () => true)).length, 12);
  assert.equal(ledger.read, 20);
});

test("with more of them than may be known all are gone through each time; where many of those were archived, they are read anew", async () => {
  const ledger = new MadeUp(),
    keyed = ledger.keyed(3);
  const ids = ["a", "b", "c"].map((name) => ledger.create(name));
  assert.deepEqual(idsOf(await keyed.of(dso, ["a"])), [ids[0]]);
  ledger.archive(ids[1]!);
  const d = ledger.create("d");
  assert.deepEqual([idsOf(await keyed.of(dso, ["d"])), ledger.read], [[d], 3 + 1 + 3]);
  const e = ledger.create("e");
  assert.deepEqual([idsOf(await keyed.of(dso, ["a", "e"])), ledger.read], [[ids[0], e], 7 + 1 + 4 + 4]);
  assert.deepEqual([idsOf(await keyed.of(dso, ["c"])), ledger.read], [[ids[2]], 16 + 4]);
  assert.deepEqual([idsOf(await keyed.newest(dso, 1, () => true)), ledger.read], [[e], 20 + 4]);
});

test("where half of what may be known is left of too many, they are known again, whichever way they were gone through", async () => {
  const ways: readonly ((keyed: KeyedContracts<Named>) => Promise<readonly Contract<Named>[]>)[] = [
    (keyed) => keyed.of(dso, ["n0"]),
    (keyed) => keyed.newest(dso, 1, ({ offset }) => offset === 1),
  ];
  for (const way of ways) {
    const ledger = new MadeUp(),
      keyed = ledger.keyed(4),
      ids = Array.from({ length: 5 }, (_, index) => ledger.create(`n${index}`));
    const readBy = async (): Promise<number> => {
      const before = ledger.read;
      assert.deepEqual(idsOf(await way(keyed)), [ids[0]]);
      return ledger.read - before;
    };
    ledger.create("n0", "mallory::1220");
    assert.equal(await readBy(), 6 + 6, "to know them, then all");
    for (const id of ids.slice(3)) ledger.archive(id);
    assert.deepEqual([await readBy(), await readBy()], [4, 4], "more than half are left");
    ledger.archive(ids[2]!);
    assert.deepEqual([await readBy(), await readBy(), await readBy()], [3, 3, 0]);
  }
});
