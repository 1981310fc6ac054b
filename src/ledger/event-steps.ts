/** How a transaction is gone through that may have many events. */
import type { Steps } from "../base/steps.js";
import { limits } from "../config.js";
import type { StoredEvent } from "./model.js";

/** Whether a part of a long list has been gone through. */
export const isStep = (index: number): boolean => index > 0 && index % limits.commitStepEvents === 0;

export function* inStepsOf(events: readonly StoredEvent[], visit: (event: StoredEvent, index: number) => void): Steps<void> {
  for (let index = 0; index < events.length; index++) {
    if (isStep(index)) yield;
    visit(events[index]!, index);
  }
}
