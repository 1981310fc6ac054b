/**
 * Contracts that an engine thread made a moment ago. Who made one is told of it before readers find it, and mostly goes on with it: then it
 * is found here. Nobody knows here whether a transaction was accepted; the commit of what uses its contracts does.
 */
import { limits } from "../../config.js";
import type { StoredEvent } from "../model/index.js";

/** Of one participant. */
export class FreshContracts {
  /** Their instances, the oldest first. */
  readonly #instances = new Map<string, Uint8Array>();
  #bytes = 0;

  /** Those that a transaction leaves active. */
  add(events: readonly StoredEvent[]): void {
    for (const event of events) if (event.kind === "create" && event.activates) this.#keep(event.contractId, event.createdEventBlob);
  }

  #keep(contractId: string, instance: Uint8Array): void {
    if (instance.length > limits.freshContractBytesMax) return;
    this.#instances.set(contractId, instance);
    this.#bytes += instance.length;
    for (const [oldest, { length }] of this.#instances) {
      if (this.#instances.size <= limits.freshContractsMax && this.#bytes <= limits.freshContractsBytesMax) break;
      this.#instances.delete(oldest);
      this.#bytes -= length;
    }
  }

  /** The instance of one, as bytes. */
  get(contractId: string): Uint8Array | undefined {
    return this.#instances.get(contractId);
  }
}
