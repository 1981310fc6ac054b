/** How the update log keeps a reassignment. */
import { assert } from "../../base/assert.js";
import { jsonText, jsonTextInside } from "../../base/json-text.js";
import type { Steps } from "../../base/steps.js";
import type { RecordWriter } from "../../store/index.js";
import {
  instantText,
  type StoredAssigned,
  type StoredReassignment,
  type StoredReassignmentEvent,
  type StoredUnassigned,
} from "../model/index.js";
import { isStep } from "./event-steps.js";
import { addObject, noMark } from "./event-text.js";
import { MarkedText } from "./marked-text.js";
import { beginUpdate, type EventNumbers, updateVersion, writeEventHead } from "./update-head.js";
import { eventFlags, reassignmentKind, updateMarks } from "./update-marks.js";
import { traceText } from "./update-record.js";

/** In steps; the writer writes nothing else from the first to the last. The order of the fields is that of Canton's JSON. */
export function* encodeReassignment(
  writer: RecordWriter,
  reassignment: StoredReassignment,
  numbers: readonly EventNumbers[],
  submitters: readonly number[],
  synchronizers: SynchronizerNames,
): Steps<Buffer> {
  const text = new MarkedText(),
    own: number[] = [text.mark()],
    { offset, recordTime, events } = reassignment;
  const add = (piece: string): void => {
    text.add(piece);
    own.push(text.mark());
  };
  add(`{"update":{"Reassignment":{"value":{`);
  add(`"updateId":"${reassignment.updateId}","commandId":"`);
  add(jsonTextInside(reassignment.commandId));
  add(`","workflowId":"`);
  add(jsonTextInside(reassignment.workflowId));
  add(`","offset":${offset},`);
  add(`"events":[`);
  const marks: (readonly number[])[] = [];
  for (const [index, event] of events.entries()) {
    if (isStep(index)) {
      text.settle();
      yield;
    }
    if (index > 0) text.add(",");
    marks.push(
      event.kind === "unassign" ? addUnassigned(text, event, offset, synchronizers) : addAssigned(text, event, offset, synchronizers),
    );
  }
  own.push(text.mark());
  add("],");
  add(
    `"traceContext":${traceText(reassignment.trace)},"recordTime":"${instantText(recordTime)}","synchronizerId":${synchronizers.idJson(reassignment.synchronizer)}`,
  );
  add(`,"paidTrafficCost":`);
  add("0");
  add("}}}}");
  assert(own.length === updateMarks, "a reassignment has the marks of an update");
  const textStart = beginUpdate(writer, reassignmentKind, reassignment, submitters, numbers),
    places = text.placeIn(writer, textStart);
  const write = (mark: number): void => {
    writer.u32(mark === noMark ? 0 : mark < noMark ? rawOf(mark) : textStart + places[mark]!);
  };
  own.forEach(write);
  writer.u32(events.length);
  for (const [index, event] of events.entries()) {
    if (isStep(index)) yield;
    writeEventHead(writer, reassignedFlags(event), event.nodeId, numbers[index]!);
    marks[index]!.forEach(write);
  }
  text.writeTo(writer);
  return writer.finish(updateVersion);
}

/** A number that stands as it is where an event has no use for a mark. */
const raw = (value: number): number => noMark - 1 - value;
const rawOf = (mark: number): number => noMark - 1 - mark;

const reassignedFlags = (event: StoredReassignmentEvent): number => {
  const changes = event.kind === "assign" || event.deactivates;
  return (event.kind === "assign" ? eventFlags.assigned : eventFlags.unassigned) | (changes ? eventFlags.changesActiveContracts : 0);
};

/** How the numbers of synchronizers are printed. */
export interface SynchronizerNames {
  idJson(number: number): string;
}

const u32Range = 2 ** 32;

function addUnassigned(text: MarkedText, event: StoredUnassigned, offset: number, synchronizers: SynchronizerNames): readonly number[] {
  const start = text.mark(),
    exclusivity = event.assignmentExclusivity === undefined ? "null" : `"${instantText(event.assignmentExclusivity)}"`;
  text.add(`{"JsUnassignedEvent":{"value":`);
  const objectStart = text.mark();
  text.add(
    `{"reassignmentId":"${event.reassignmentId}","contractId":"${event.contractId}","templateId":"${event.templateId}","source":${synchronizers.idJson(event.source)},"target":${synchronizers.idJson(event.target)},`
      + `"submitter":${jsonText(event.submitter)},"reassignmentCounter":${event.reassignmentCounter},"assignmentExclusivity":${exclusivity},"witnessParties":[`,
  );
  const witnessesStart = text.mark();
  text.add(event.stakeholders.map(jsonText).join(","));
  const witnessesEnd = text.mark();
  text.add(`],"packageName":"${event.packageName}","offset":${offset},"nodeId":${event.nodeId}}`);
  const objectEnd = text.mark();
  text.add("}}");
  const { offset: activated, nodeId } = event.activated;
  return [
    start,
    objectStart,
    raw(activated % u32Range),
    raw(Math.floor(activated / u32Range)),
    raw(nodeId),
    witnessesStart,
    witnessesEnd,
    noMark,
    noMark,
    objectEnd,
    text.mark(),
  ];
}

function addAssigned(text: MarkedText, event: StoredAssigned, offset: number, synchronizers: SynchronizerNames): readonly number[] {
  const start = text.mark();
  text.add(
    `{"JsAssignmentEvent":{"source":${synchronizers.idJson(event.source)},"target":${synchronizers.idJson(event.target)},"reassignmentId":"${event.reassignmentId}",`
      + `"submitter":${jsonText(event.submitter)},"reassignmentCounter":${event.reassignmentCounter},"createdEvent":`,
  );
  const object = addObject(text, event.created, offset);
  text.add("}}");
  return [start, ...object, text.mark()];
}
