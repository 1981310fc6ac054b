/** Contracts that the same transaction makes and archives. They are active for nobody; by its id each is found, with both of its events. */
import type { StoredEvent } from "../model/index.js";

/** Of one transaction, of which mostly there are none. */
export class Transients {
  #ends: Map<string, number> | undefined;

  add(event: StoredEvent): void {
    if (event.kind === "exercise" && event.consuming && !event.deactivates)
      (this.#ends ??= new Map<string, number>()).set(event.contractId, event.nodeId);
  }

  /** Node id of what archives a contract that the transaction made. */
  endOf(contractId: string): number | undefined {
    return this.#ends?.get(contractId);
  }
}
