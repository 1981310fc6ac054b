/**
 * How the update log keeps an update: as the JSON bytes that most readers get, with the places marked where readers differ.
 * A reader's answer is then made of a few copied runs (`projection.ts`), not of an encoding.
 *
 * Terms. *Slot*: a place in the bytes where a reader's own text goes in (the bytes there are the empty case: no blob, no
 * views, no witnesses). *Mark*: a position in the record, as a number of bytes from its start.
 */
import { assert } from "../base/assert.js";
import { unseal, type RecordWriter } from "../store/index.js";
import { instantText } from "./instant.js";
import type { StoredEvent, StoredTransaction, TraceContext } from "./model.js";
import { eventFlags, eventMarks, PartyLists, topologyKind, transactionKind, updateMarks, UpdateMarks } from "./update-marks.js";

const version = 1;

/** What the record says about an event beside its bytes; parties and templates are numbers. */
export interface EventNumbers {
  readonly template: number;
  readonly stakeholders: readonly number[];
  readonly witnesses: readonly number[];
}

export const traceText = (trace: TraceContext): string => trace.traceparent === null ? "null" : JSON.stringify({ traceparent: trace.traceparent, tracestate: trace.tracestate });

const inner = (text: string): string => JSON.stringify(text).slice(1, -1);

export function encodeTransaction(writer: RecordWriter, transaction: StoredTransaction, numbers: readonly EventNumbers[], submitters: readonly number[], synchronizerId: string): Buffer {
  assert(transaction.offset > 0 && numbers.length === transaction.events.length, "a transaction is numbered before it is written");
  writer.reset().u8(transactionKind).offset(transaction.offset).i64(transaction.recordTime);
  writeNumbers(writer, submitters);
  const updateMarksAt = reserve(writer, updateMarks);
  writer.u32(transaction.events.length);
  const eventMarksAt = transaction.events.map((event, index) => reserveEvent(writer, event, numbers[index]!));

  const marks: number[] = [writer.position];
  writer.rawText(`{"update":{"Transaction":{"value":{`); marks.push(writer.position);
  writer.rawText(`"updateId":"${transaction.updateId}","commandId":"`); marks.push(writer.position);
  writer.rawText(inner(transaction.commandId)); marks.push(writer.position);
  writer.rawText(`","workflowId":"`); marks.push(writer.position);
  writer.rawText(inner(transaction.workflowId)); marks.push(writer.position);
  writer.rawText(`","effectiveAt":"${instantText(transaction.effectiveAt)}",`); marks.push(writer.position);
  writer.rawText(`"events":[`); marks.push(writer.position);
  transaction.events.forEach((event, index) => writeEvent(writer, event, transaction.offset, index === 0, eventMarksAt[index]!));
  marks.push(writer.position);
  writer.rawText("],"); marks.push(writer.position);
  writer.rawText(`"offset":${transaction.offset},"synchronizerId":${JSON.stringify(synchronizerId)},"traceContext":${traceText(transaction.trace)},"recordTime":"${instantText(transaction.recordTime)}"`); marks.push(writer.position);
  writer.rawText(`,"externalTransactionHash":${transaction.externalTransactionHash === undefined ? "null" : `"${transaction.externalTransactionHash}"`},"paidTrafficCost":`); marks.push(writer.position);
  writer.rawText("0"); marks.push(writer.position);
  writer.rawText("}}}}"); marks.push(writer.position);
  patch(writer, updateMarksAt, marks);
  return writer.finish(version);
}

function reserve(writer: RecordWriter, count: number): number {
  const at = writer.position;
  for (let i = 0; i < count; i++) writer.u32(0);
  return at;
}
function patch(writer: RecordWriter, at: number, marks: readonly number[]): void {
  marks.forEach((mark, index) => writer.patchU32(at + 4 * index, mark));
}
function writeNumbers(writer: RecordWriter, numbers: readonly number[]): void {
  writer.u32(numbers.length);
  for (const number of numbers) writer.u32(number);
}

function reserveEvent(writer: RecordWriter, event: StoredEvent, numbers: EventNumbers): number {
  const changes = event.kind === "create" ? event.activates : event.deactivates;
  const flags = (event.kind === "exercise" ? eventFlags.exercise | (event.consuming ? eventFlags.consuming : 0) : 0) | (changes ? eventFlags.changesActiveContracts : 0);
  writer.u8(flags).u32(event.nodeId).u32(numbers.template);
  writeNumbers(writer, numbers.stakeholders);
  writeNumbers(writer, numbers.witnesses);
  return reserve(writer, eventMarks);
}

function writeEvent(writer: RecordWriter, event: StoredEvent, offset: number, first: boolean, marksAt: number): void {
  const isCreate = event.kind === "create";
  if (!first) writer.rawText(",");
  const start = writer.position;
  writer.rawText(isCreate ? `{"CreatedEvent":` : `{"ExercisedEvent":`);
  const objectStart = writer.position;
  const identity = `"contractId":"${event.contractId}","templateId":"${event.templateId}"`;
  assert(event.json.startsWith(identity), "an event's JSON begins with its contract and template id");
  writer.rawText(`{"offset":${offset},"nodeId":${event.nodeId},${identity}`);
  const identityEnd = writer.position;
  writer.rawText(event.json.slice(identity.length));
  let blobSlot = 0, interfacesSlot = 0;
  if (isCreate) {
    writer.rawText(`,"createdEventBlob":"`); blobSlot = writer.position;
    writer.rawText(`","interfaceViews":[`); interfacesSlot = writer.position;
    writer.rawText("]");
  }
  writer.rawText(`,"witnessParties":[`);
  const witnessesSlot = writer.position;
  writer.rawText(`],${event.jsonAfter}`);
  if (!isCreate) {
    writer.rawText(`,"implementedInterfaces":[`); interfacesSlot = writer.position;
    writer.rawText("]");
  }
  writer.rawText(`,"acsDelta":`);
  const acsDeltaStart = writer.position;
  writer.rawText((isCreate ? event.activates : event.deactivates) ? "true" : "false");
  const acsDeltaEnd = writer.position;
  writer.rawText("}");
  const objectEnd = writer.position;
  writer.rawText("}");
  patch(writer, marksAt, [start, objectStart, identityEnd, blobSlot, interfacesSlot, witnessesSlot, acsDeltaStart, acsDeltaEnd, objectEnd, writer.position]);
}

/** A topology update: `json` is the whole element as `/v2/updates` gives it; `parties` are those it is about. */
export function encodeTopology(writer: RecordWriter, topology: { readonly offset: number; readonly recordTime: bigint; readonly parties: readonly number[]; readonly json: string }): Buffer {
  writer.reset().u8(topologyKind).offset(topology.offset).i64(topology.recordTime);
  writeNumbers(writer, topology.parties);
  const at = reserve(writer, updateMarks);
  writer.u32(0);
  const start = writer.position;
  writer.rawText(topology.json);
  patch(writer, at, [start, ...new Array<number>(updateMarks - 2).fill(start), writer.position]);
  return writer.finish(version);
}

/** Checks a record and gives it back. */
export const unsealUpdate = (record: Buffer): Buffer => unseal(record, version, "updates");

/** The result refers to `record`. */
export function decodeUpdate(record: Buffer, expectedOffset: number): UpdateMarks {
  const update = new UpdateMarks(unsealUpdate(record), 0, new PartyLists());
  assert(update.offset === expectedOffset, "an update is where its offset says");
  return update;
}
