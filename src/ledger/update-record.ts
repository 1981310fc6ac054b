/**
 * How the update log keeps an update: as the JSON bytes that most readers get, with the places marked where readers differ.
 * A reader's answer is then made of a few copied runs (`projection.ts`), not of an encoding.
 *
 * Terms. *Slot*: a place in the bytes where a reader's own text goes in (the bytes there are the empty case: no blob, no
 * views). *Mark*: a position in the record, as a number of bytes from its start.
 */
import { assert } from "../base/assert.js";
import { damaged } from "../base/damage.js";
import type { Steps } from "../base/steps.js";
import { placeText, unseal, type RecordWriter } from "../store/index.js";
import { isStep } from "./event-steps.js";
import { instantText } from "./instant.js";
import { MarkedText } from "./marked-text.js";
import type { StoredEvent, StoredTransaction, TraceContext } from "./model.js";
import { eventFlags, eventMarks, PartyLists, topologyKind, transactionKind, updateMarks, UpdateMarks, type EventMarks } from "./update-marks.js";

const version = 1;

/** What the record says about an event beside its bytes; parties and templates are numbers. */
export interface EventNumbers {
  readonly template: number;
  readonly stakeholders: readonly number[];
  readonly witnesses: readonly number[];
}

export const traceText = (trace: TraceContext): string => trace.traceparent === null ? "null" : JSON.stringify({ traceparent: trace.traceparent, tracestate: trace.tracestate });

const inner = (text: string): string => JSON.stringify(text).slice(1, -1);

export function* encodeTransaction(writer: RecordWriter, transaction: StoredTransaction, numbers: readonly EventNumbers[], submitters: readonly number[], synchronizerId: string): Steps<Buffer> {
  assert(transaction.offset > 0 && numbers.length === transaction.events.length, "a transaction is numbered before it is written");
  const text = new MarkedText(), events: (readonly number[])[] = [];
  const own = [text.mark()];
  const add = (piece: string): void => { text.add(piece); own.push(text.mark()); };
  add(`{"update":{"Transaction":{"value":{`);
  add(`"updateId":"${transaction.updateId}","commandId":"`);
  add(inner(transaction.commandId));
  add(`","workflowId":"`);
  add(inner(transaction.workflowId));
  add(`","effectiveAt":"${instantText(transaction.effectiveAt)}",`);
  add(`"events":[`);
  for (const event of transaction.events) {
    if (isStep(events.length)) {
      text.settle();
      yield;
    }
    events.push(addEvent(text, event, transaction.offset, events.length === 0));
  }
  own.push(text.mark());
  add("],");
  add(`"offset":${transaction.offset},"synchronizerId":${JSON.stringify(synchronizerId)},"traceContext":${traceText(transaction.trace)},"recordTime":"${instantText(transaction.recordTime)}"`);
  add(`,"externalTransactionHash":${transaction.externalTransactionHash === undefined ? "null" : `"${transaction.externalTransactionHash}"`},"paidTrafficCost":`);
  add("0");
  add("}}}}");

  writer.reset().u8(transactionKind).offset(transaction.offset).i64(transaction.recordTime);
  writeNumbers(writer, submitters);
  const eventsBytes = numbers.reduce((bytes, { stakeholders, witnesses }) => bytes + eventEntryBytes(stakeholders.length, witnesses.length), 0);
  const marks = text.inBytes(), textStart = writer.position + 4 * updateMarks + 4 + eventsBytes;
  const write = (mark: number): void => { writer.u32(mark === noMark ? 0 : textStart + marks[mark]!); };
  own.forEach(write);
  writer.u32(transaction.events.length);
  for (let index = 0; index < events.length; index++) {
    if (isStep(index)) yield;
    writeEventHead(writer, transaction.events[index]!, numbers[index]!);
    events[index]!.forEach(write);
  }
  assert(writer.position === textStart, "an update's head is as long as it was planned");
  yield* text.writeTo(writer);
  return writer.finish(version);
}

function writeNumbers(writer: RecordWriter, numbers: readonly number[]): void {
  writer.u32(numbers.length);
  for (const number of numbers) writer.u32(number);
}

/** Flags, node id and template, the two lists of parties, the marks. */
const eventEntryBytes = (stakeholders: number, witnesses: number): number => 1 + 4 + 4 + 4 * (1 + stakeholders) + 4 * (1 + witnesses) + 4 * eventMarks;

function writeEventHead(writer: RecordWriter, event: StoredEvent, numbers: EventNumbers): void {
  const changes = event.kind === "create" ? event.activates : event.deactivates;
  const flags = (event.kind === "exercise" ? eventFlags.exercise | (event.consuming ? eventFlags.consuming : 0) : 0) | (changes ? eventFlags.changesActiveContracts : 0);
  writer.u8(flags).u32(event.nodeId).u32(numbers.template);
  writeNumbers(writer, numbers.stakeholders);
  writeNumbers(writer, numbers.witnesses);
}

const quoted = (party: string): string => JSON.stringify(party);

/** A slot that a kind of event does not have. */
const noMark = -1;

/** The event's marks, in the order of its entry. */
function addEvent(text: MarkedText, event: StoredEvent, offset: number, first: boolean): readonly number[] {
  const isCreate = event.kind === "create";
  if (!first) text.add(",");
  const start = text.mark();
  text.add(isCreate ? `{"CreatedEvent":` : `{"ExercisedEvent":`);
  const objectStart = text.mark();
  text.add(`{"offset":${offset},"nodeId":${event.nodeId},"contractId":"${event.contractId}","templateId":"${event.templateId}"`);
  const identityEnd = text.mark();
  text.add(event.json);
  let blobSlot = noMark, interfacesSlot = noMark;
  if (isCreate) {
    text.add(`,"createdEventBlob":"`);
    blobSlot = text.mark();
    text.add(`","interfaceViews":[`);
    interfacesSlot = text.mark();
    text.add("]");
  }
  text.add(`,"witnessParties":[`);
  const witnessesStart = text.mark();
  text.add(event.witnesses.map(quoted).join(","));
  const witnessesEnd = text.mark();
  text.add(`],${event.jsonAfter}`);
  if (!isCreate) {
    text.add(`,"implementedInterfaces":[`);
    interfacesSlot = text.mark();
    text.add("]");
  }
  text.add(`,"acsDelta":`);
  const acsDeltaStart = text.mark();
  text.add((isCreate ? event.activates : event.deactivates) ? "true" : "false");
  const acsDeltaEnd = text.mark();
  text.add("}");
  const objectEnd = text.mark();
  text.add("}");
  return [start, objectStart, identityEnd, blobSlot, interfacesSlot, witnessesStart, witnessesEnd, acsDeltaStart, acsDeltaEnd, objectEnd, text.mark()];
}

/** A topology update: `json` is the whole element as `/v2/updates` gives it; `parties` are those it is about. */
export function encodeTopology(writer: RecordWriter, topology: { readonly offset: number; readonly recordTime: bigint; readonly parties: readonly number[]; readonly json: string }): Buffer {
  writer.reset().u8(topologyKind).offset(topology.offset).i64(topology.recordTime);
  writeNumbers(writer, topology.parties);
  const start = writer.position + 4 * updateMarks + 4;
  for (let mark = 1; mark < updateMarks; mark++) writer.u32(start);
  writer.u32(start + Buffer.byteLength(topology.json)).u32(0);
  return writer.rawText(topology.json).finish(version);
}

/** What pruning leaves of a transaction: its head and some of its creates, with the marks that fit. */
export function encodeResidue(writer: RecordWriter, update: UpdateMarks, kept: readonly EventMarks[]): Buffer {
  assert(update.kind === transactionKind && kept.every((event) => event.isCreate), "only creates outlive their transaction");
  writer.reset().u8(transactionKind).offset(update.offset).i64(update.recordTime);
  writeNumbers(writer, update.submitters);
  const eventsBytes = kept.reduce((bytes, { stakeholders, witnesses }) => bytes + eventEntryBytes(stakeholders.length, witnesses.length), 0);
  const pieces: Uint8Array[] = [];
  let position = writer.position + 4 * updateMarks + 4 + eventsBytes;
  /** Gives how much further back it is now. */
  const piece = (from: number, to: number): number => {
    pieces.push(update.bytes.subarray(from, to));
    position += to - from;
    return position - to;
  };
  const head = piece(update.start, update.eventsStart);
  const events = kept.map((event, index) => {
    if (index > 0) { pieces.push(comma); position += comma.length; }
    const shift = piece(event.start, event.end);
    return event.marks.map((mark) => mark + shift);
  });
  const tail = piece(update.eventsEnd, update.end);
  update.marks.forEach((mark, index) => writer.u32(mark + (index < tailMarks ? head : tail)));
  writer.u32(kept.length);
  kept.forEach((event, index) => {
    writer.u8(event.flags).u32(event.nodeId).u32(event.template);
    writeNumbers(writer, event.stakeholders);
    writeNumbers(writer, event.witnesses);
    for (const mark of events[index]!) writer.u32(mark);
  });
  for (const bytes of pieces) writer.raw(bytes);
  return writer.finish(version);
}
/** The marks of an update from `eventsEnd` on. */
const tailMarks = 8;
const comma = Buffer.from(",");

/** Checks a record and gives it back. */
export const unsealUpdate = (record: Buffer, offset: number): Buffer => unseal(record, version, "updates", { offset });

/** The result refers to `record`. */
export function decodeUpdate(record: Buffer, expectedOffset: number): UpdateMarks {
  const update = new UpdateMarks(unsealUpdate(record, expectedOffset), 0, new PartyLists());
  if (update.offset !== expectedOffset) throw damaged(placeText("updates", { offset: expectedOffset }), `the update of offset ${update.offset} lies here`);
  return update;
}
