/**
 * An interpreted transaction while its command waits for a later ledger time: as bytes, which are counted. As it came its texts are
 * parts of one text, that of the message from the engine thread, and would keep all of it.
 */
import { deserialize, serialize } from "node:v8";
import type { Steps } from "../../base/steps.js";
import type { InterpretedTransaction } from "../interpretation/index.js";
import type { StoredEvent } from "../model/index.js";

export interface HeldTransaction {
  readonly facts: Uint8Array;
  readonly events: readonly Uint8Array[];
  readonly bytes: number;
}

export function* hold({ events, ...facts }: InterpretedTransaction): Steps<HeldTransaction> {
  const heldFacts = serialize(facts),
    held: Uint8Array[] = [];
  let bytes = heldFacts.length;
  for (const event of events) {
    yield;
    const one = serialize(event);
    bytes += one.length;
    held.push(one);
  }
  return { facts: heldFacts, events: held, bytes };
}

export function* takeUp({ facts, events }: HeldTransaction): Steps<InterpretedTransaction> {
  const taken: StoredEvent[] = [];
  for (const event of events) {
    yield;
    taken.push(deserialize(event) as StoredEvent);
  }
  return { ...(deserialize(facts) as Omit<InterpretedTransaction, "events">), events: taken };
}
