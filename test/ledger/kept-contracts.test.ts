/** What an engine thread keeps of contracts that commands use again and again. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { FreshContracts, KeptContracts, SnapshotLedgerReader } from "../../src/ledger/engine/index.js";
import type { StoredEvent } from "../../src/ledger/model/index.js";
import { ContractIndex, encodeInstance } from "../../src/ledger/records/index.js";
import { encodeContractState } from "./former-contracts.js";
import { LedgerContract } from "../../src/lf/interpret/index.js";
import { encodeContractInstance, type ContractInstance } from "../../src/lf/transaction/index.js";
import { Batch, type EventPlace, RecordWriter, SnapshotReader, openStore } from "../../src/store/index.js";
import { contractIdOf, packageId, packageName } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const instanceOf = (name: string): ContractInstance => ({
  contractId: contractIdOf(name),
  packageName,
  templateId: { packageId, module: "M", name: "Asset" },
  argument: { kind: "record", fields: [{ value: { kind: "text", value: name } }] },
  signatories: ["alice"],
  stakeholders: ["alice", "bob"],
  key: undefined,
  createdAt: 1n,
  authenticationData: new Uint8Array(0),
  version: "2.1",
});
const first: EventPlace = { offset: 1, nodeId: 0 },
  second: EventPlace = { offset: 2, nodeId: 0 };

describe("contracts that an engine thread keeps", () => {
  const read = (name: string): LedgerContract => new LedgerContract(instanceOf(name));

  it("one that is used again is kept, one that is used once is not", () => {
    const kept = new KeptContracts(),
      again = read("again");
    kept.offer(read("once"), first, 100);
    kept.offer(read("again"), first, 100);
    assert.equal(kept.get(again.contractId, first), undefined);
    kept.offer(again, first, 100);
    assert.equal(kept.get(again.contractId, first), again);
    assert.equal(kept.get(contractIdOf("once"), first), undefined);
  });

  it("where it lies elsewhere by now it is read again", () => {
    const kept = new KeptContracts(),
      before = read("moved"),
      after = read("moved");
    for (const contract of [before, before]) kept.offer(contract, first, 100);
    assert.equal(kept.get(before.contractId, second), undefined);
    for (const contract of [after, after]) kept.offer(contract, second, 100);
    assert.equal(kept.get(before.contractId, second), after);
    assert.equal(kept.get(before.contractId, first), undefined);
  });

  it("those that were not used for the longest leave first, and one that is larger than all the room is not taken", () => {
    const kept = new KeptContracts(),
      part = limits.keptContractsBytesMax / 4;
    const twice = (name: string, bytes: number): void => {
      for (let use = 0; use < 2; use++) kept.offer(read(name), first, bytes);
    };
    const isKept = (name: string): boolean => kept.get(contractIdOf(name), first) !== undefined;
    for (const name of ["a", "b", "c", "d"]) twice(name, part);
    assert.ok(isKept("a"));
    twice("e", part);
    assert.deepEqual(["b", "a", "c", "d", "e"].map(isKept), [false, true, true, true, true]);
    twice("huge", limits.keptContractsBytesMax + 1);
    assert.deepEqual(["huge", "a", "c", "d", "e"].map(isKept), [false, true, true, true, true]);
  });

  it("a reader asks the ledger each time whether it is active, and who sees it", async (t) => {
    const store = await openStore({ folder: temporaryFolder() });
    t.after(() => store.close());
    const instance = instanceOf("c"),
      { contractId } = instance,
      kept = new KeptContracts();
    const write = async (archived: EventPlace | undefined): Promise<void> => {
      const batch = new Batch(),
        state = { created: first, activated: first, archived, keyHash: "", synchronizer: 0, reassignmentCounter: 0, unassigned: undefined };
      const stored = { contractId, template: 1, stakeholders: [1, 2], keyHash: "", instance: encodeContractInstance(instance) };
      batch.put(store.tables.contracts, contractId, encodeContractState(new RecordWriter(), state));
      batch.put(store.tables.instances, first, encodeInstance(new RecordWriter(), stored));
      await batch.flush();
    };
    const readAs = (party: string): LedgerContract | undefined => {
      const snapshot = SnapshotReader.pin(store, 0);
      try {
        const known = { index: new ContractIndex(snapshot.tables), kept, fresh: new FreshContracts() };
        return new SnapshotLedgerReader(snapshot, [party], known).readContract(contractId);
      } finally {
        snapshot.release();
      }
    };
    await write(undefined);
    const [once, twice, thrice] = [readAs("bob"), readAs("bob"), readAs("alice")];
    assert.deepEqual(once?.instance, instance);
    assert.notEqual(once, twice);
    assert.equal(twice, thrice);
    assert.equal(readAs("carol"), undefined);
    await write(second);
    assert.equal(readAs("alice"), undefined);
    assert.equal(kept.get(contractId, first), undefined);
  });
});

describe("contracts that an engine thread made a moment ago", () => {
  const created = (name: string, { instance = encodeContractInstance(instanceOf(name)), activates = true } = {}) =>
    ({ kind: "create", contractId: contractIdOf(name), createdEventBlob: instance, activates }) as StoredEvent;

  it("are found by stakeholders who may have been told of them, until the ledger knows more", async (t) => {
    const store = await openStore({ folder: temporaryFolder() });
    t.after(() => store.close());
    const { contractId } = instanceOf("c"),
      fresh = new FreshContracts();
    fresh.add([created("c"), created("gone at once", { activates: false })]);
    const read = (id: string, party: string, findsFresh = true): LedgerContract | undefined => {
      const snapshot = SnapshotReader.pin(store, 0);
      try {
        const known = { index: new ContractIndex(snapshot.tables), kept: new KeptContracts(), fresh };
        return new SnapshotLedgerReader(snapshot, [party], known, findsFresh).readContract(id);
      } finally {
        snapshot.release();
      }
    };
    assert.deepEqual(read(contractId, "bob")?.instance, instanceOf("c"));
    assert.equal(read(contractId, "carol"), undefined);
    assert.equal(read(contractId, "bob", false), undefined);
    assert.equal(read(contractIdOf("gone at once"), "bob"), undefined);
    const batch = new Batch(),
      state = { created: first, activated: first, keyHash: "", synchronizer: 0, reassignmentCounter: 0, unassigned: undefined };
    batch.put(store.tables.contracts, contractId, encodeContractState(new RecordWriter(), { ...state, archived: second }));
    await batch.flush();
    assert.equal(read(contractId, "bob"), undefined);
  });

  it("are the latest few, and none that is large", () => {
    const fresh = new FreshContracts(),
      has = (name: string): boolean => fresh.get(contractIdOf(name)) !== undefined,
      ofBytes = (bytes: number) => ({ instance: new Uint8Array(bytes) });
    const addAll = (name: string, count: number, bytes: number): void => {
      for (let made = 0; made < count; made++) fresh.add([created(`${name}${made}`, ofBytes(bytes))]);
    };
    const few = limits.freshContractsMax;
    addAll("c", 2 * few, 1);
    assert.ok(has("c0") && has(`c${2 * few - 1}`));
    addAll("d", 1, 1);
    assert.deepEqual([has(`c${few - 1}`), has(`c${few}`), has("d0")], [false, true, true]);
    fresh.add([created("huge", ofBytes(limits.freshContractBytesMax + 1))]);
    assert.ok(!has("huge") && has(`c${few}`));
    const large = limits.freshContractsBytesMax / limits.freshContractBytesMax;
    addAll("l", 2 * large, limits.freshContractBytesMax);
    assert.deepEqual([has("d0"), has(`l${large}`), has(`l${2 * large - 1}`)], [false, true, true]);
  });
});
