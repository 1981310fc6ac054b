/** Under which numbers the indexes of events have what, and ranges of them. */
import { u32Max } from "../../store/index.js";

/** The template number under which topology updates are indexed. */
export const topologyTemplate = u32Max;
/** The same for reassignments: a reader of them alone need not go through everything. */
export const reassignmentTemplate = u32Max - 1;
export const anyParty = 0,
  anyTemplate = 0;

/** A range of an index that together with the others holds all that a reader may want. */
export interface IndexRange {
  readonly party: number;
  readonly template: number;
}
