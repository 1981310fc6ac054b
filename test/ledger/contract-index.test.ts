/** Changes of contracts that wait in a tail until runs of the index get them: whoever looks sees the latest. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Ledger, verifyLedger } from "../../src/ledger/index.js";
import { ContractIndex } from "../../src/ledger/records/index.js";
import { Batch, SnapshotReader, openStore } from "../../src/store/index.js";
import { eventually } from "../http/harness.js";
import {
  closeFixture,
  contractIdOf,
  copyOf,
  type Fixture,
  failure,
  openFixture,
  soundAgain,
  startLedger,
  submission,
  success,
  wildcard,
} from "./support.js";

const unsettledMax = 7;

interface Made {
  readonly name: string;
  readonly isArchived: boolean;
}

/** Every third is archived soon after. */
async function make({ ledger, parties }: Pick<Fixture, "ledger" | "parties">, count: number, name: string): Promise<Made[]> {
  const alice = parties["alice"]!,
    made: Made[] = [];
  for (let n = 0; n < count; n++) {
    const one = { name: `${name}${n}`, isArchived: n % 3 === 0 };
    success(await ledger.submit(submission([alice], [{ create: one.name, signatories: [alice] }])));
    if (one.isArchived) success(await ledger.submit(submission([alice], [{ exercise: one.name, by: [alice] }])));
    made.push(one);
  }
  return made;
}

/** In the order in which their creates are told together. */
async function createsOf(ledger: Ledger, made: readonly Made[]): Promise<readonly string[]> {
  const names = new Map(made.map(({ name }) => [contractIdOf(name), name])),
    told: string[] = [];
  await ledger.takeCreates([contractIdOf("unknown"), ...names.keys()], (contractId, { bytes, identityStart, identityEnd }) => {
    assert.ok(bytes.toString("latin1", identityStart, identityEnd).startsWith(`"contractId":"${contractId}"`));
    told.push(names.get(contractId)!);
  });
  return told;
}

async function tells(ledger: Ledger, alice: string, made: readonly Made[]): Promise<void> {
  for (const { name, isArchived } of made) {
    const events = success(await ledger.readEventsByContractId(contractIdOf(name), wildcard(alice)));
    assert.equal(events.includes(`"archivedEvent"`), isArchived, name);
  }
  assert.deepEqual(
    await createsOf(ledger, made.toReversed()),
    made.map(({ name }) => name),
  );
}

const tailOf = ({ store }: Pick<Fixture, "store">): number => [...store.tables.contractChanges.all()].length,
  settledOf = ({ store }: Pick<Fixture, "store">): number => [...new ContractIndex(store.tables).runs.entries()].length;

const settled = (fixture: Pick<Fixture, "store">, count: number): Promise<void> =>
  eventually(`${count} are settled`, () => settledOf(fixture) >= count);

describe("the index of contracts", () => {
  it("contracts are told while their changes wait, when they are settled, and behind a restart that finds some of both", async (t) => {
    const fixture = await startLedger(t, { unsettledMax }),
      alice = fixture.parties["alice"]!,
      made = await make(fixture, 3 * unsettledMax + 2, "a");
    await settled(fixture, 2 * unsettledMax);
    assert.ok(settledOf(fixture) < made.length, "some still wait");
    await tells(fixture.ledger, alice, made);
    await soundAgain(fixture);
    const again = await openFixture(fixture.folder, { clock: fixture.clock, unsettledMax });
    await tells(again.ledger, alice, made);
    await soundAgain(again);
  });

  it("a tail that is settled is removed with what is settled next", async (t) => {
    const fixture = await startLedger(t, { unsettledMax });
    for (let round = 0; round < 6; round++) {
      await make(fixture, unsettledMax, `r${round}-`);
      await settled(fixture, round * unsettledMax);
      assert.ok(tailOf(fixture) <= 5 * unsettledMax, `${tailOf(fixture)} records`);
    }
    await soundAgain(fixture);
  });

  it("what the disk held at any moment tells every contract that was acknowledged by then", async (t) => {
    const fixture = await startLedger(t, { unsettledMax }),
      alice = fixture.parties["alice"]!,
      made: Made[] = [],
      copies: { readonly folder: string; readonly known: number }[] = [];
    for (let n = 0; n < 2 * unsettledMax + 1; n++) {
      made.push(...(await make(fixture, 1, `a${n}-`)));
      copies.push({ folder: copyOf(fixture.folder), known: made.length });
    }
    await closeFixture(fixture);
    for (const { folder, known } of copies) {
      const before = await verifyLedger(folder);
      assert.ok(before.sound, before.text);
      const copy = await openFixture(folder, { clock: fixture.clock, unsettledMax });
      await tells(copy.ledger, alice, made.slice(0, known));
      await soundAgain(copy);
    }
  });

  it("pruning forgets contracts whose archive was still waiting", async (t) => {
    const fixture = await startLedger(t),
      alice = fixture.parties["alice"]!,
      made = await make(fixture, 10, "a");
    assert.equal(settledOf(fixture), 0);
    success(await fixture.ledger.prune(fixture.ledger.ledgerEnd() - 1));
    for (const { name, isArchived } of made.slice(0, -1)) {
      const read = await fixture.ledger.readEventsByContractId(contractIdOf(name), wildcard(alice));
      if (isArchived) assert.equal(failure(read).code, "CONTRACT_EVENTS_NOT_FOUND");
      else success(read);
    }
    const left = made.slice(0, -1).filter(({ isArchived }) => !isArchived);
    assert.deepEqual(
      await createsOf(fixture.ledger, made.slice(0, -1)),
      left.map(({ name }) => name),
    );
    await soundAgain(fixture);
  });

  it("a thread that looks now and then knows the latest of each at its snapshot, and forgets what the table has", async (t) => {
    const fixture = await startLedger(t, { unsettledMax }),
      thread = await openStore({ folder: fixture.folder, readOnly: true });
    t.after(() => thread.close());
    const first = SnapshotReader.pin(thread, 0),
      index = new ContractIndex(first.tables),
      made: Made[] = [];
    assert.equal(index.find(contractIdOf("r0-1")), undefined);
    first.release();
    for (let round = 0; round < 6; round++) {
      made.push(...(await make(fixture, unsettledMax - 2, `r${round}-`)));
      const snapshot = SnapshotReader.pin(thread, fixture.ledger.ledgerEnd()),
        looked = round % 2 === 0 ? made : []; // of snapshots between nobody asks
      index.at(snapshot.tables);
      for (const { name, isArchived } of looked) assert.equal(index.find(contractIdOf(name))?.archived !== undefined, isArchived, name);
      assert.ok(index.waiting.size <= 3 * unsettledMax, `${index.waiting.size} in memory`);
      snapshot.release();
    }
  });

  it("verify finds a change that is missing, and one that tells of nothing", async (t) => {
    const fixture = await startLedger(t);
    await make(fixture, 4, "a");
    const folder = copyOf(fixture.folder),
      store = await openStore({ folder }),
      [create, , other] = [...store.tables.contractChanges.all()];
    const change = async (write: (batch: Batch) => void): Promise<string> => {
      const batch = new Batch();
      write(batch);
      await batch.flush();
      return (await verifyLedger(folder)).text;
    };
    const { contractChanges } = store.tables;
    assert.match(await change((batch) => batch.remove(contractChanges, other!.key)), /index contracts: .* is missing/);
    assert.match(await change((batch) => batch.put(contractChanges, other!.key, create!.value)), /is missing/);
    assert.match(await change((batch) => batch.put(contractChanges, other!.key, other!.value)), /The ledger is sound/);
    const elsewhere = { ...create!.key, offset: create!.key.offset + 1_000 };
    assert.match(await change((batch) => batch.put(contractChanges, elsewhere, create!.value)), /its record says that it is active/);
    await store.close();
  });
});
