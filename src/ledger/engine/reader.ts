/** The engine's view of the ledger at one pinned snapshot: contracts that a stakeholder among the readers may see, packages, vetting. */
import { assert } from "../../base/assert.js";
import { damaged } from "../../base/damage.js";
import { isFailure } from "../../base/result.js";
import { LedgerContract, type LedgerReader } from "../../lf/interpret/index.js";
import { decodeContractInstance } from "../../lf/transaction/index.js";
import { type EventPlace, placeText, type SnapshotReader, type Tables } from "../../store/index.js";
import type { Party } from "../model/index.js";
import { decodePackage, decodeVettings, type PackageRecord, readPayload } from "../packages/index.js";
import { type ContractIndex, decodeInstance, readKeyed } from "../records/index.js";
import type { FreshContracts } from "./fresh-contracts.js";
import type { KeptContracts } from "./kept-contracts.js";

/** What a thread knows of the contracts of one participant. */
export interface KnownContracts {
  readonly index: ContractIndex;
  readonly kept: KeptContracts;
  readonly fresh: FreshContracts;
}

export class SnapshotLedgerReader implements LedgerReader {
  readonly #tables: Tables;
  readonly #contracts: ContractIndex;
  readonly #readers: ReadonlySet<Party>;
  readonly #kept: KeptContracts;
  readonly #fresh: FreshContracts | undefined;

  /**
   * `readers`: actAs and readAs of the submission; the contracts are those of the snapshot's participant. `findsFresh`: and those that this
   * thread made and the snapshot does not have.
   */
  constructor(snapshot: SnapshotReader, readers: Iterable<Party>, { index, kept, fresh }: KnownContracts, findsFresh = false) {
    this.#tables = snapshot.tables;
    this.#contracts = index.at(snapshot.tables);
    this.#readers = new Set(readers);
    this.#kept = kept;
    this.#fresh = findsFresh ? fresh : undefined;
  }

  readContract(contractId: string): LedgerContract | undefined {
    const contract = this.#findContract(contractId);
    return contract?.instance.stakeholders.some((party) => this.#readers.has(party)) === true ? contract : undefined;
  }

  #findContract(contractId: string): LedgerContract | undefined {
    const state = this.#contracts.find(contractId);
    if (!state) {
      const instance = this.#fresh?.get(contractId);
      return instance && ownContract(instance);
    }
    // One that is on its way between synchronizers is there to be read; whether it can be used shows where it is needed.
    const { activated, archived } = state;
    if (archived) {
      this.#kept.drop(contractId);
      return undefined;
    }
    return this.#kept.get(contractId, activated) ?? this.#readInstance(activated);
  }

  #readInstance(place: EventPlace): LedgerContract {
    const stored = this.#tables.instances.readShared(place);
    if (!stored) throw damaged(placeText("instances", place), "a contract is active, but there is no instance of it");
    const contract = ownContract(decodeInstance(stored, place).instance);
    this.#kept.offer(contract, place, stored.length);
    return contract;
  }

  *readKey(keyHash: string): Generator<LedgerContract> {
    for (const { contractId } of readKeyed(this.#tables, keyHash)) {
      const contract = this.readContract(contractId);
      if (contract) yield contract;
    }
  }
}

/** Of an instance that this engine made. */
function ownContract(instance: Uint8Array): LedgerContract {
  const decoded = decodeContractInstance(instance);
  assert(!isFailure(decoded), "a contract that was made here decodes");
  return new LedgerContract(decoded.ok, true);
}

/** The packages of a snapshot, for a worker that keeps what it loaded. */
export class SnapshotPackages {
  readonly #tables: Tables;
  constructor(snapshot: SnapshotReader) {
    this.#tables = snapshot.tables;
  }

  /** ArchivePayload bytes; undefined when the node does not have the package. */
  readPayload(packageId: string): Buffer | undefined {
    return readPayload(this.#tables, packageId);
  }

  readRecord(packageId: string): PackageRecord | undefined {
    const record = packageId === "" ? undefined : this.#tables.packages.read(packageId); // which LMDB takes for no key
    return record && decodePackage(record);
  }

  /** As of its record; what is not stored is vetted nowhere. */
  readVettings(packageId: string): PackageRecord["vettings"] {
    const record = this.#tables.packages.read(packageId);
    return record === undefined ? [] : decodeVettings(record);
  }

  readRecords(): PackageRecord[] {
    return [...this.#tables.packages.all()].map(({ value }) => decodePackage(value));
  }
}
