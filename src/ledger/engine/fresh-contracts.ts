/**
 * Contracts that an engine thread made a moment ago. Who made one is told of it before readers find it, and mostly goes on with it: then it
 * is found here. Nobody knows here whether a transaction was accepted; the commit of what uses its contracts does.
 */
import { BoundedMap } from "../../base/bounded-map.js";
import { limits } from "../../config.js";
import type { StoredEvent } from "../model/index.js";

/** A small one counts for as much as lets so many be kept. */
const bytesCountedMin = limits.freshContractsBytesMax / limits.freshContractsMax;

/** Of one participant. */
export class FreshContracts {
  readonly #instances = new BoundedMap<string, Uint8Array>(limits.freshContractsBytesMax, ({ length }) =>
    Math.max(length, bytesCountedMin),
  );

  /** Those that a transaction leaves active. */
  add(events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (event.kind !== "create" || !event.activates || event.createdEventBlob.length > limits.freshContractBytesMax) continue;
      this.#instances.set(event.contractId, event.createdEventBlob);
    }
  }

  /** The instance of one, as bytes. */
  get(contractId: string): Uint8Array | undefined {
    return this.#instances.get(contractId);
  }
}
