/** From a time to the place in the order of all commits: record times rise with offsets, so it is found by halving. */
import { assert } from "../../base/assert.js";
import { decodeCompletion } from "../records/index.js";
import type { Offset } from "../model/index.js";
import type { ReadContext } from "./read-context.js";

/** Undefined: that commit was pruned, and with it its time, so that it might be any of those that are gone. */
export function offsetAt(context: ReadContext, recordTime: bigint): Offset | undefined {
  const pruned = context.pruning.offset;
  let before = pruned,
    behind = context.ledgerEnd.offset + 1;
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (recordTimeAt(context, middle) <= recordTime) before = middle;
    else behind = middle;
  }
  return before === pruned && pruned > 0 ? undefined : before;
}

/** Every offset was given to an update, or to the completion of a rejection. */
function recordTimeAt({ log, tables }: ReadContext, offset: Offset): bigint {
  const update = log.find(offset);
  if (update) return update.recordTime;
  const completion = tables.completions.read(offset);
  assert(completion, `offset ${offset} has an update or a completion`);
  return decodeCompletion(completion, offset).recordTime;
}
