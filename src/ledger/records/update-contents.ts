/** What the record of an update says in its JSON only; for those who go through the log, not for readers' answers. */
import { type EventMarks, topologyKind, type UpdateMarks } from "./update-marks.js";
import { topologyIndex, transactionIndex } from "./update-index.js";
import type { IndexRange } from "./index-ranges.js";

export function contractIdOf(update: UpdateMarks, event: EventMarks): string {
  const at = event.objectStart + `{"offset":${update.offset},"nodeId":${event.nodeId},"contractId":"`.length;
  return update.bytes.toString("latin1", at, update.bytes.indexOf(`"`, at));
}

export const indexOf = (update: UpdateMarks): IndexRange[] => (update.kind === topologyKind ? topologyIndex(update.submitters) : transactionIndex(update.events));
