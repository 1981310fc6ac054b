/**
 * How the update log keeps an update: as the JSON bytes that most readers get, with the places marked where readers differ.
 * A reader's answer is then made of a few copied runs (`projection.ts`), not of an encoding.
 *
 * Terms. *Slot*: a place in the bytes where a reader's own text goes in (the bytes there are the empty case: no blob, no
 * views, no witnesses). *Mark*: a position in the record, as a number of bytes from its start.
 */
import { assert } from "../base/assert.js";
import { RecordReader, sealBytes, unseal, type RecordWriter } from "../store/index.js";
import { instantText } from "./instant.js";
import type { StoredEvent, StoredTransaction, TraceContext } from "./model.js";

const version = 1;
export const transactionKind = 1, topologyKind = 2;

export const eventFlags = { exercise: 1, consuming: 2, changesActiveContracts: 4 } as const;

/** What the record says about an event beside its bytes; parties and templates are numbers. */
export interface EventNumbers {
  readonly template: number;
  readonly stakeholders: readonly number[];
  readonly witnesses: readonly number[];
}

const eventMarks = 10;

/** Marks of one event. A class, so that all have one shape: readers touch every field for every event they write. */
export class EventMarks {
  readonly flags: number;
  readonly nodeId: number;
  readonly template: number;
  readonly stakeholders: readonly number[];
  readonly witnesses: readonly number[];
  /** `{"CreatedEvent":{..}}` lies in start..end, after a comma unless it is the first; its inner object in objectStart..objectEnd. */
  readonly start: number;
  readonly objectStart: number;
  /** End of `"offset":..,"nodeId":..,"contractId":..,"templateId":..`, which an archived event shares with an exercised one. */
  readonly identityEnd: number;
  readonly blobSlot: number;
  /** Of a create its views, of an exercise the interfaces that its template implements. */
  readonly interfacesSlot: number;
  readonly witnessesSlot: number;
  readonly acsDeltaStart: number;
  readonly acsDeltaEnd: number;
  readonly objectEnd: number;
  readonly end: number;
  /** Where the next event's entry begins. */
  readonly next: number;

  constructor(record: Buffer, at: number) {
    this.flags = record[at]!;
    this.nodeId = u32(record, at + 1);
    this.template = u32(record, at + 5);
    this.stakeholders = readNumbers(record, at + 9);
    const witnessesAt = at + 13 + 4 * this.stakeholders.length;
    this.witnesses = readNumbers(record, witnessesAt);
    const marksAt = witnessesAt + 4 + 4 * this.witnesses.length;
    this.start = u32(record, marksAt);
    this.objectStart = u32(record, marksAt + 4);
    this.identityEnd = u32(record, marksAt + 8);
    this.blobSlot = u32(record, marksAt + 12);
    this.interfacesSlot = u32(record, marksAt + 16);
    this.witnessesSlot = u32(record, marksAt + 20);
    this.acsDeltaStart = u32(record, marksAt + 24);
    this.acsDeltaEnd = u32(record, marksAt + 28);
    this.objectEnd = u32(record, marksAt + 32);
    this.end = u32(record, marksAt + 36);
    this.next = marksAt + 4 * eventMarks;
  }

  get isCreate(): boolean { return (this.flags & eventFlags.exercise) === 0; }
  get changesActiveContracts(): boolean { return (this.flags & eventFlags.changesActiveContracts) !== 0; }
}

const headerStart = sealBytes, updateMarks = 14;

export class UpdateMarks {
  readonly bytes: Buffer;
  readonly kind: number;
  readonly offset: number;
  readonly recordTime: bigint;
  /** Parties that submitted a transaction, or that a topology update is about. */
  readonly submitters: readonly number[];
  readonly events: readonly EventMarks[];
  /** Of the whole element as `/v2/updates` gives it. */
  readonly start: number;
  readonly end: number;
  /** Of `"updateId":..` to `"paidTrafficCost":..`, without braces. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly commandIdStart: number;
  readonly commandIdEnd: number;
  readonly workflowIdStart: number;
  readonly workflowIdEnd: number;
  /** From `"events":[` on; `eventsEnd` is the closing bracket. */
  readonly eventsFieldStart: number;
  readonly eventsStart: number;
  readonly eventsEnd: number;
  /** `"offset":..` after the events, and the end of `recordTime`. */
  readonly tailStart: number;
  readonly recordTimeEnd: number;
  readonly paidTrafficCostStart: number;

  constructor(record: Buffer) {
    const reader = new RecordReader(record);
    this.bytes = record;
    this.kind = reader.u8();
    this.offset = reader.offset();
    this.recordTime = reader.i64();
    const submittersAt = headerStart + 15;
    this.submitters = readNumbers(record, submittersAt);
    const at = submittersAt + 4 + 4 * this.submitters.length;
    this.start = u32(record, at);
    this.bodyStart = u32(record, at + 4);
    this.commandIdStart = u32(record, at + 8);
    this.commandIdEnd = u32(record, at + 12);
    this.workflowIdStart = u32(record, at + 16);
    this.workflowIdEnd = u32(record, at + 20);
    this.eventsFieldStart = u32(record, at + 24);
    this.eventsStart = u32(record, at + 28);
    this.eventsEnd = u32(record, at + 32);
    this.tailStart = u32(record, at + 36);
    this.recordTimeEnd = u32(record, at + 40);
    this.paidTrafficCostStart = u32(record, at + 44);
    this.bodyEnd = u32(record, at + 48);
    this.end = u32(record, at + 52);
    const eventsAt = at + 4 * updateMarks, events: EventMarks[] = [];
    for (let left = u32(record, eventsAt), next = eventsAt + 4; left > 0; left--) {
      const event = new EventMarks(record, next);
      events.push(event);
      next = event.next;
    }
    this.events = events;
  }
}

const u32 = (record: Buffer, at: number): number => (record[at]! | (record[at + 1]! << 8) | (record[at + 2]! << 16) | (record[at + 3]! << 24)) >>> 0;

const noNumbers: readonly number[] = [];
function readNumbers(record: Buffer, at: number): readonly number[] {
  const count = u32(record, at);
  if (count === 0) return noNumbers;
  const numbers: number[] = [];
  for (let i = 1; i <= count; i++) numbers.push(u32(record, at + 4 * i));
  return numbers;
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
  writer.rawText(`,"externalTransactionHash":null,"paidTrafficCost":`); marks.push(writer.position);
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

/** Reads the marks, after the checksum. The result refers to `record`. */
export function decodeUpdate(record: Buffer, expectedOffset: number): UpdateMarks {
  const update = new UpdateMarks(unseal(record, version, "updates"));
  assert(update.offset === expectedOffset, "an update is where its offset says");
  return update;
}
