/** What the record of an update says in its JSON only; for those who go through the log, not for readers' answers. */
import { type EventMarks, reassignmentKind, topologyKind, type UpdateMarks } from "./update-marks.js";
import { reassignmentIndex, topologyIndex, transactionIndex } from "./update-index.js";
import type { IndexRange } from "./index-ranges.js";

export function contractIdOf(update: UpdateMarks, event: EventMarks): string {
  const at =
    event.objectStart
    + (event.isUnassigned
      ? `{"reassignmentId":"${idOfReassignment(update, event)}","contractId":"`.length
      : `{"offset":${update.offset},"nodeId":${event.nodeId},"contractId":"`.length);
  return update.bytes.toString("latin1", at, update.bytes.indexOf(`"`, at));
}

/** Of an unassigned event it is the first member, of an assigned one it stands before the created event. */
export function idOfReassignment({ bytes }: UpdateMarks, event: EventMarks): string {
  const from = bytes.indexOf(reassignmentIdMember, event.start) + reassignmentIdMember.length;
  return bytes.toString("latin1", from, bytes.indexOf(`"`, from));
}
/** Whether the participant that has an unassignment sees where the contract goes: else the contract is none of its business any more. */
export function isFollowed({ bytes }: UpdateMarks, event: EventMarks): boolean {
  const at = bytes.indexOf(exclusivityMember, event.objectStart) + exclusivityMember.length;
  return bytes[at] !== letterN;
}
const exclusivityMember = Buffer.from(`"assignmentExclusivity":`),
  letterN = 0x6e;

const reassignmentIdMember = Buffer.from(`"reassignmentId":"`);

export function indexOf(update: UpdateMarks): IndexRange[] {
  if (update.kind === topologyKind) return topologyIndex(update.submitters);
  return update.kind === reassignmentKind ? reassignmentIndex(update.events) : transactionIndex(update.events);
}
