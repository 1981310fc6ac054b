/** What is remembered of a reassignment by its id, from the unassignment on. */
import { RecordReader, unseal, type RecordWriter, type Tables } from "../../store/index.js";
import type { Offset } from "../model/index.js";

const version = 1;

export interface Reassignment {
  /** Numbers of synchronizers. */
  readonly source: number;
  readonly target: number;
  /** Number of the party that unassigned. */
  readonly submitter: number;
  /** Until then nobody else may assign; microseconds. */
  readonly exclusiveUntil: bigint;
  /** All contracts of it, in the order of their nodes in the unassignment. */
  readonly contractIds: readonly string[];
  readonly unassignedOffset: Offset;
  /** Undefined while it is under way. */
  readonly assignedOffset: Offset | undefined;
}

export function encodeReassignmentEntry(writer: RecordWriter, reassignment: Reassignment): Buffer {
  const { source, target, submitter, exclusiveUntil, contractIds, unassignedOffset, assignedOffset } = reassignment;
  writer
    .reset()
    .u32(source)
    .u32(target)
    .u32(submitter)
    .i64(exclusiveUntil)
    .offset(unassignedOffset)
    .offset(assignedOffset ?? 0)
    .u32(contractIds.length);
  for (const contractId of contractIds) writer.text(contractId);
  return writer.finish(version);
}

function decodeReassignmentEntry(record: Buffer, reassignmentId: string): Reassignment {
  const reader = new RecordReader(unseal(record, version, "reassignments", { reassignmentId }));
  const source = reader.u32(),
    target = reader.u32(),
    submitter = reader.u32(),
    exclusiveUntil = reader.i64();
  const unassignedOffset = reader.offset(),
    assignedOffset = reader.offset() || undefined;
  const contractIds = Array.from({ length: reader.u32() }, () => reader.text());
  return { source, target, submitter, exclusiveUntil, contractIds, unassignedOffset, assignedOffset };
}

export function readReassignment(tables: Pick<Tables, "reassignments">, reassignmentId: string): Reassignment | undefined {
  const record = tables.reassignments.read(reassignmentId);
  return record && decodeReassignmentEntry(record, reassignmentId);
}
