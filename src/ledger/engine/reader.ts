/** The engine's view of the ledger at one pinned snapshot: contracts that a stakeholder among the readers may see, packages, vetting. */
import { assert } from "../../base/assert.js";
import { damaged } from "../../base/damage.js";
import { isFailure } from "../../base/result.js";
import type { LedgerReader } from "../../lf/interpret/index.js";
import { decodeContractInstance, type ContractInstance } from "../../lf/transaction/index.js";
import { placeText, type SnapshotReader, type Tables } from "../../store/index.js";
import { decodeContractState, decodeInstance, readKeyed } from "../records/index.js";
import type { Party } from "../model/index.js";
import { decodePackage, decodePayload, type PackageRecord } from "../packages/index.js";

export class SnapshotLedgerReader implements LedgerReader {
  readonly #tables: Tables;
  readonly #readers: ReadonlySet<Party>;

  /** `readers`: actAs and readAs of the submission. */
  constructor(snapshot: SnapshotReader, readers: Iterable<Party>) {
    this.#tables = snapshot.tables;
    this.#readers = new Set(readers);
  }

  readContract(contractId: string): ContractInstance | undefined {
    const record = this.#tables.contracts.read(contractId);
    if (!record) return undefined;
    // One that is on its way between synchronizers is there to be read; whether it can be used shows where it is needed.
    const { activated, archived } = decodeContractState(record, contractId);
    if (archived) return undefined;
    const stored = this.#tables.instances.read(activated);
    if (!stored) throw damaged(placeText("instances", activated), "a contract is active, but there is no instance of it");
    const instance = decodeContractInstance(decodeInstance(stored, activated).instance);
    assert(!isFailure(instance), "a stored contract decodes");
    return instance.ok.stakeholders.some((party) => this.#readers.has(party)) ? instance.ok : undefined;
  }

  *readKey(keyHash: string): Generator<ContractInstance> {
    for (const { contractId } of readKeyed(this.#tables, keyHash)) {
      const instance = this.readContract(contractId);
      if (instance) yield instance;
    }
  }
}

/** The packages of a snapshot, for a worker that keeps what it loaded. */
export class SnapshotPackages {
  readonly #tables: Tables;
  constructor(snapshot: SnapshotReader) {
    this.#tables = snapshot.tables;
  }

  /** ArchivePayload bytes; undefined when the node does not have the package. */
  readPayload(packageId: string): Buffer | undefined {
    const record = this.#tables.packagePayloads.read(packageId);
    return record && decodePayload(record);
  }

  readRecord(packageId: string): PackageRecord | undefined {
    const record = this.#tables.packages.read(packageId);
    return record && decodePackage(record);
  }

  readRecords(): PackageRecord[] {
    return [...this.#tables.packages.all()].map(({ value }) => decodePackage(value));
  }
}
