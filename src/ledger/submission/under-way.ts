/** Reassignments that began and have not ended: found by the index of contracts on their way, whatever there was before. */
import { damaged } from "../../base/damage.js";
import { placeText, type Tables } from "../../store/index.js";
import { anyParty, decodeUpdate, idOfReassignment, readReassignment, type Reassignment } from "../records/index.js";
import type { Offset } from "../model/index.js";
import { eventAt, templatesIn } from "../reading/index.js";

export interface ReassignmentUnderWay {
  readonly reassignmentId: string;
  readonly entry: Reassignment;
}

/** Those that this participant sees arrive, in no order. */
export function reassignmentsUnderWay(tables: Tables): readonly ReassignmentUnderWay[] {
  const places = new Map<Offset, number>(); // an update has one reassignment, so one node of it tells
  for (const template of templatesIn(tables.unassigned, anyParty)) {
    const range = { party: anyParty, nodeId: 0, offset: 0 };
    for (const { offset, nodeId } of tables.unassigned.keys({ start: { ...range, template }, end: { ...range, template: template + 1 } }))
      places.set(offset, nodeId);
  }
  return [...places].map(([offset, nodeId]) => {
    const record = tables.updates.read(offset);
    if (record === undefined) throw damaged(placeText("updates", { offset }), "a contract left by it, and it is missing");
    const update = decodeUpdate(record, offset),
      reassignmentId = idOfReassignment(update, eventAt(update, nodeId)),
      entry = readReassignment(tables, reassignmentId);
    if (entry === undefined) throw damaged(placeText("reassignments", { reassignmentId }), "it is under way, and missing");
    return { reassignmentId, entry };
  });
}
