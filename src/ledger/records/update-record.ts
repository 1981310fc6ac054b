/**
 * How the update log keeps an update: as the JSON bytes that most readers get, with the places marked where readers differ.
 * A reader's answer is then made of a few copied runs (`projection.ts`), not of an encoding.
 *
 * Terms. *Slot*: a place in the bytes where a reader's own text goes in (the bytes there are the empty case: no blob, no
 * views). *Mark*: a position in the record, as a number of bytes from its start.
 */
import { assert } from "../../base/assert.js";
import { damaged } from "../../base/damage.js";
import { placeText, unseal, type RecordWriter } from "../../store/index.js";
import { isStep } from "./event-steps.js";
import { instantText, type StoredEvent, type StoredTransaction, type TraceContext } from "../model/index.js";
import { MarkedText } from "./marked-text.js";
import { eventFlags, type EventMarks, eventMarks, PartyLists, topologyKind, transactionKind, updateMarks, UpdateMarks } from "./update-marks.js";

const version = 1;

/** What the record says about an event beside its bytes; parties and templates are numbers. */
export interface EventNumbers {
  readonly template: number;
  readonly stakeholders: readonly number[];
  readonly witnesses: readonly number[];
}

export const traceText = (trace: TraceContext): string => trace.traceparent === null ? "null" : JSON.stringify({ traceparent: trace.traceparent, tracestate: trace.tracestate });

const inner = (text: string): string => JSON.stringify(text).slice(1, -1);

/** `addEvent` for every event, `begin`, `writeEvent` for every event, `finish`: a long transaction can be encoded bit by bit. */
export class TransactionEncoder {
  readonly #text = new MarkedText();
  readonly #own: number[] = [];
  readonly #events: (readonly number[])[] = [];
  #marks: readonly number[] = [];
  #textStart = 0;

  constructor(private readonly writer: RecordWriter, private readonly transaction: StoredTransaction, private readonly synchronizerId: string) {
    this.#own.push(this.#text.mark());
    this.#add(`{"update":{"Transaction":{"value":{`);
    this.#add(`"updateId":"${transaction.updateId}","commandId":"`);
    this.#add(inner(transaction.commandId));
    this.#add(`","workflowId":"`);
    this.#add(inner(transaction.workflowId));
    this.#add(`","effectiveAt":"${instantText(transaction.effectiveAt)}",`);
    this.#add(`"events":[`);
  }

  #add(piece: string): void {
    this.#text.add(piece);
    this.#own.push(this.#text.mark());
  }

  addEvent(index: number): void {
    if (isStep(index)) this.#text.settle();
    this.#events.push(addEvent(this.#text, this.transaction.events[index]!, this.transaction.offset, index === 0));
  }

  /** The record's head. The writer writes nothing else until `finish`. */
  begin(numbers: readonly EventNumbers[], submitters: readonly number[]): void {
    const { transaction, writer } = this;
    assert(transaction.offset > 0 && numbers.length === transaction.events.length, "a transaction is numbered before it is written");
    this.#own.push(this.#text.mark());
    this.#add("],");
    this.#add(`"offset":${transaction.offset},"synchronizerId":${JSON.stringify(this.synchronizerId)},"traceContext":${traceText(transaction.trace)},"recordTime":"${instantText(transaction.recordTime)}"`);
    this.#add(`,"externalTransactionHash":${transaction.externalTransactionHash === undefined ? "null" : `"${transaction.externalTransactionHash}"`},"paidTrafficCost":`);
    this.#add("0");
    this.#add("}}}}");
    writer.reset().u8(transactionKind).offset(transaction.offset).i64(transaction.recordTime);
    writeNumbers(writer, submitters);
    const eventsBytes = numbers.reduce((bytes, { stakeholders, witnesses }) => bytes + eventEntryBytes(stakeholders.length, witnesses.length), 0);
    this.#marks = this.#text.inBytes();
    this.#textStart = writer.position + 4 * updateMarks + 4 + eventsBytes;
    this.#text.reserveIn(writer, eventsBytes + 4 * updateMarks + 4);
    for (const mark of this.#own) this.#write(mark);
    writer.u32(transaction.events.length);
  }

  #write(mark: number): void { this.writer.u32(mark === noMark ? 0 : this.#textStart + this.#marks[mark]!); }

  writeEvent(index: number, numbers: EventNumbers): void {
    writeEventHead(this.writer, this.transaction.events[index]!, numbers);
    for (const mark of this.#events[index]!) this.#write(mark);
  }

  finish(): Buffer {
    assert(this.writer.position === this.#textStart, "an update's head is as long as it was planned");
    this.#text.writeTo(this.writer);
    return this.writer.finish(version);
  }
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
