/**
 * Contracts that commands use again and again, as an engine thread decoded them and with what it found out about them. Whether they are
 * active, and seen by who asks, is looked up in the ledger each time; the rest of a contract never changes.
 */
import { limits } from "../../config.js";
import type { LedgerContract } from "../../lf/interpret/index.js";
import type { EventPlace } from "../../store/index.js";

interface Kept {
  readonly contract: LedgerContract;
  /** Where its instance lies: in another place it may be another. */
  readonly place: EventPlace;
  /** Of its record. */
  readonly bytes: number;
}

/** Of one participant, for one engine. */
export class KeptContracts {
  /** The one that was used last is at the end. */
  readonly #kept = new Map<string, Kept>();
  /** Most contracts are used once: the first use only leaves the id here. */
  readonly #usedOnce = new Set<string>();
  #bytes = 0;

  get(contractId: string, place: EventPlace): LedgerContract | undefined {
    const kept = this.#kept.get(contractId);
    if (kept === undefined || kept.place.offset !== place.offset || kept.place.nodeId !== place.nodeId) return undefined;
    this.#kept.delete(contractId);
    this.#kept.set(contractId, kept);
    return kept.contract;
  }

  /** After it was read from a record of so many bytes. */
  offer(contract: LedgerContract, place: EventPlace, bytes: number): void {
    const { contractId } = contract;
    if (!this.#usedOnce.delete(contractId)) {
      if (this.#usedOnce.size >= limits.contractsUsedOnceMax) this.#usedOnce.clear();
      this.#usedOnce.add(contractId);
      return;
    }
    if (bytes > limits.keptContractsBytesMax) return;
    this.drop(contractId);
    this.#kept.set(contractId, { contract, place, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= limits.keptContractsBytesMax) break;
      this.drop(oldest);
    }
  }

  /** What is archived is not used again. */
  drop(contractId: string): void {
    const kept = this.#kept.get(contractId);
    if (kept === undefined) return;
    this.#kept.delete(contractId);
    this.#bytes -= kept.bytes;
  }
}
