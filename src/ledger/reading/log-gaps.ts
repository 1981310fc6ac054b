/**
 * Offsets have no gaps: each has an update, a completion, or both, and a completion says whether there was a transaction. So who
 * reads everything can prove that nothing is missing between what he found.
 */
import { damaged } from "../../base/damage.js";
import { limits } from "../../config.js";
import { placeText, type Tables } from "../../store/index.js";
import { decodeCompletion, isRejection, isSubmittedHere, kindOf, topologyKind } from "../records/index.js";
import type { Offset } from "../model/index.js";

export interface Searched {
  readonly low: Offset;
  readonly high: Offset;
  readonly descending: boolean;
  /** Whether there are no more between the last that was found and the end of the search. */
  readonly complete: boolean;
}

type Proof = (tables: Tables, offset: Offset) => void;

const noUpdate: Proof = ({ completions }, offset) => {
  const record = completions.readShared(offset),
    place = placeText("updates", { offset });
  if (!record) throw damaged(place, "there is neither an update nor a completion");
  if (!isRejection(decodeCompletion(record, offset))) throw damaged(place, "there is a completion of a transaction, but no update");
};

const noCompletion: Proof = ({ updates }, offset) => {
  const record = updates.readShared(offset),
    place = placeText("completions", { offset });
  if (!record) throw damaged(place, "there is neither a completion nor an update");
  if (kindOf(record) !== topologyKind && isSubmittedHere(record)) throw damaged(place, "there is a transaction, but no completion of it");
};

/** That offsets without an update are of rejections; `found` are all with one, in the order of the search. */
export function proveUpdates(tables: Tables, found: readonly Offset[], searched: Searched): void {
  proveBetween(tables, found, searched, noUpdate);
}
/** That offsets without a completion are of what was not submitted here: topology updates, and what others committed. */
export function proveCompletions(tables: Tables, found: readonly Offset[], searched: Searched): void {
  proveBetween(tables, found, searched, noCompletion);
}

function proveBetween(tables: Tables, found: readonly Offset[], { low, high, descending, complete }: Searched, proof: Proof): void {
  const step = descending ? -1 : 1;
  let next = descending ? high : low,
    left: number = limits.gapOffsetsMax;
  const proveUntil = (end: Offset): void => {
    for (; next !== end && left > 0; next += step, left--) proof(tables, next);
  };
  for (const offset of found) {
    if (offset !== next) proveUntil(offset);
    next = offset + step;
  }
  if (complete) proveUntil(descending ? low - 1 : high + 1);
}
