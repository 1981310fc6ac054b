/**
 * Contracts that an engine thread made a moment ago. Who made one is told of it before readers find it, and mostly goes on with it: then it
 * is found here. Nobody knows here whether a transaction was accepted; the commit of what uses its contracts does.
 */
import { limits } from "../../config.js";
import type { StoredEvent } from "../model/index.js";

/** A small one counts for as much as lets so many be kept. */
const bytesCountedMin = limits.freshContractsBytesMax / limits.freshContractsMax;

/** Of one participant. Two maps, of which the older one goes as a whole: each command makes some, and to take single ones out costs more. */
export class FreshContracts {
  #latest = new Map<string, Uint8Array>();
  #earlier: ReadonlyMap<string, Uint8Array> = new Map<string, Uint8Array>();
  #latestBytes = 0;

  /** Those that a transaction leaves active. */
  add(events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (event.kind !== "create" || !event.activates || event.createdEventBlob.length > limits.freshContractBytesMax) continue;
      const bytes = Math.max(event.createdEventBlob.length, bytesCountedMin);
      if (this.#latestBytes + bytes > limits.freshContractsBytesMax) this.#beginAnew();
      this.#latest.set(event.contractId, event.createdEventBlob);
      this.#latestBytes += bytes;
    }
  }

  /** The instance of one, as bytes. */
  get(contractId: string): Uint8Array | undefined {
    return this.#latest.get(contractId) ?? this.#earlier.get(contractId);
  }

  #beginAnew(): void {
    this.#earlier = this.#latest;
    this.#latest = new Map();
    this.#latestBytes = 0;
  }
}
