/** How a transaction is gone through that may have many events. */
import { limits } from "../../config.js";
import type { InterpretedTransaction } from "../interpretation/index.js";

/** Whether a part of a long list has been gone through. */
export const isStep = (index: number): boolean => index > 0 && index % limits.commitStepEvents === 0;

/** Whether more of something is in it than is gone through at once: events, contracts, key queries and what they gave. */
export function takesSteps({
  events,
  inputs,
  keyInputs,
  ignoredByKeys,
}: Pick<InterpretedTransaction, "events" | "inputs" | "keyInputs" | "ignoredByKeys">): boolean {
  let lookedUp = 0;
  for (const { contractIds } of keyInputs) lookedUp += 1 + contractIds.length;
  return Math.max(events.length, inputs.length, lookedUp, ignoredByKeys.length) > limits.commitStepEvents;
}
