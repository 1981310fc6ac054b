/**
 * How the update log keeps an update: as the JSON bytes that most readers get, with the places marked where readers differ.
 * A reader's answer is then made of a few copied runs (`projection.ts`), not of an encoding.
 *
 * Terms. *Slot*: a place in the bytes where a reader's own text goes in (the bytes there are the empty case: no blob, no
 * views). *Mark*: a position in the record, as a number of bytes from its start.
 */
import { assert } from "../../base/assert.js";
import { damaged } from "../../base/damage.js";
import { jsonText, jsonTextInside } from "../../base/json-text.js";
import { placeText, seal, isSealed, unseal, type RecordWriter } from "../../store/index.js";
import { isStep } from "./event-steps.js";
import { addEvent, noMark } from "./event-text.js";
import {
  instantText,
  type Offset,
  type Party,
  type StoredCreate,
  type StoredEvent,
  type StoredTransaction,
  type TraceContext,
} from "../model/index.js";
import { MarkedText } from "./marked-text.js";
import { beginUpdate, type EventNumbers, updateVersion, writeEventHead } from "./update-head.js";
import {
  eventFlags,
  type EventMarks,
  offsetOf,
  PartyLists,
  placeHead,
  topologyKind,
  transactionKind,
  updateMarks,
  UpdateMarks,
} from "./update-marks.js";

export const traceText = (trace: TraceContext): string =>
  trace.traceparent === null
    ? "null"
    : `{"traceparent":${jsonText(trace.traceparent)},"tracestate":${trace.tracestate === null ? "null" : jsonText(trace.tracestate)}}`;

/** `addEvent` for every event, `begin`, `writeEvent` for every event, `finish`: a long transaction can be encoded bit by bit. */
export class TransactionEncoder {
  readonly #text = new MarkedText();
  readonly #own: number[] = [];
  readonly #events: (readonly number[])[] = [];
  #marks: readonly number[] = [];
  #textStart = 0;

  constructor(
    private readonly writer: RecordWriter,
    private readonly transaction: StoredTransaction,
    private readonly synchronizerIdJson: string,
  ) {
    this.#own.push(this.#text.mark());
    this.#add(`{"update":{"Transaction":{"value":{`);
    this.#add(`"updateId":"${transaction.updateId}","commandId":"`);
    this.#add(jsonTextInside(transaction.commandId));
    this.#add(`","workflowId":"`);
    this.#add(jsonTextInside(transaction.workflowId));
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
    this.#add(
      `"offset":${transaction.offset},"synchronizerId":${this.synchronizerIdJson},"traceContext":${traceText(transaction.trace)},"recordTime":"${instantText(transaction.recordTime)}"`,
    );
    this.#add(
      `,"externalTransactionHash":${transaction.externalTransactionHash === undefined ? "null" : `"${transaction.externalTransactionHash}"`},"paidTrafficCost":`,
    );
    this.#add("0");
    this.#add("}}}}");
    this.#textStart = beginUpdate(writer, transactionKind, transaction, submitters, numbers);
    this.#marks = this.#text.placeIn(writer, this.#textStart);
    for (const mark of this.#own) this.#write(mark);
    writer.u32(transaction.events.length);
  }

  #write(mark: number): void {
    this.writer.u32(mark === noMark ? 0 : this.#textStart + this.#marks[mark]!);
  }

  writeEvent(index: number, numbers: EventNumbers): void {
    const event = this.transaction.events[index]!;
    writeEventHead(this.writer, flagsOf(event), event.nodeId, numbers);
    for (const mark of this.#events[index]!) this.#write(mark);
  }

  finish(): Buffer {
    return seal(this.finishUnsealed(), updateVersion);
  }

  /** Without a seal: for `placeUpdate`. */
  finishUnsealed(): Buffer {
    assert(this.writer.position === this.#textStart, "an update's head is as long as it was planned");
    this.#text.writeTo(this.writer);
    return this.writer.finishUnsealed();
  }
}

const objectOffsetAt = `{"offset":`.length,
  tailOffsetAt = `"offset":`.length;

/** Of an instant whose text has six digits of a second: others have fewer. */
export const instantChars = "2026-01-01T00:00:00.000000Z".length;

/**
 * Fills in what was not known when the record was made: there it had an offset of as many digits, and a record time with six digits of a
 * second.
 */
export function placeUpdate(record: Buffer, updateId: string, { offset, recordTime }: UpdatePlace, parties: PartyLists): Buffer {
  const update = new UpdateMarks(record, 0, parties),
    digits = String(offset);
  placeHead(record, offset, recordTime);
  update.placeId(updateId);
  for (const event of update.events) record.write(digits, event.objectStart + objectOffsetAt, "latin1");
  record.write(digits, update.tailStart + tailOffsetAt, "latin1");
  const time = instantText(recordTime),
    timeAt = update.recordTimeEnd - 1 - instantChars,
    spare = instantChars - time.length;
  record.write(time, timeAt, "latin1");
  if (spare === 0) return seal(record, updateVersion);
  update.shortenRecordTime(spare);
  return seal(withoutSpare(record, timeAt + time.length, spare), updateVersion);
}

/** The record without some bytes of it. */
export function withoutSpare(record: Buffer, at: number, bytes: number): Buffer {
  record.copyWithin(at, at + bytes);
  return record.subarray(0, record.length - bytes);
}

/** A whole record and where it lies, or will lie. */
export interface UpdateRecord {
  readonly offset: Offset;
  readonly record: Buffer;
}

export interface UpdatePlace {
  readonly offset: number;
  readonly recordTime: bigint;
}

function flagsOf(event: StoredEvent): number {
  const changes = event.kind === "create" ? event.activates : event.deactivates;
  return (
    (event.kind === "exercise" ? eventFlags.exercise | (event.consuming ? eventFlags.consuming : 0) : 0)
    | (changes ? eventFlags.changesActiveContracts : 0)
  );
}

/** The created event of a contract as it was stored, for another place: an assignment tells it again. */
export function storedCreate(
  update: UpdateMarks,
  event: EventMarks,
  instance: { readonly createdEventBlob: Uint8Array; readonly keyHash: string; readonly packageName: string },
  stakeholders: readonly Party[],
  nodeId: number,
): StoredCreate {
  assert(event.isCreate, "only a create is told again");
  const { bytes } = update,
    between = (from: number, to: number): string => bytes.toString("utf8", from, to);
  const [contractId, templateId] = identityOf(between(event.objectStart, event.identityEnd));
  return {
    kind: "create",
    nodeId,
    contractId,
    templateId,
    ...instance,
    stakeholders,
    witnesses: stakeholders,
    activates: true,
    json: between(event.identityEnd, event.blobSlot - `,"createdEventBlob":"`.length),
    jsonAfter: afterWitnesses(update, event),
  };
}

/** Of a created event: they begin what follows its witnesses. */
export const signatoriesIn = (update: UpdateMarks, event: EventMarks): readonly Party[] =>
  (JSON.parse(`{${afterWitnesses(update, event)}}`) as { readonly signatories: readonly Party[] }).signatories;

const afterWitnesses = ({ bytes }: UpdateMarks, { witnessesEnd, acsDeltaStart }: EventMarks): string =>
  bytes.toString("utf8", witnessesEnd + "],".length, acsDeltaStart - `,"acsDelta":`.length);

/** Contract and template id of an object that ends behind them. */
function identityOf(text: string): readonly [contractId: string, templateId: string] {
  const { contractId, templateId } = JSON.parse(`${text}}`) as { readonly contractId: string; readonly templateId: string };
  return [contractId, templateId];
}

/** A topology update: `json` is the whole element as `/v2/updates` gives it; `parties` are those it is about. */
export function encodeTopology(
  writer: RecordWriter,
  topology: {
    readonly offset: number;
    readonly recordTime: bigint;
    readonly synchronizer: number;
    readonly parties: readonly number[];
    readonly json: string;
  },
): Buffer {
  const start = beginUpdate(writer, topologyKind, topology, topology.parties, []);
  for (let mark = 1; mark < updateMarks; mark++) writer.u32(start);
  writer.u32(start + Buffer.byteLength(topology.json)).u32(0);
  return writer.rawText(topology.json).finish(updateVersion);
}

/** What pruning leaves of a transaction: its head and some of its creates, with the marks that fit. */
export function encodeResidue(writer: RecordWriter, update: UpdateMarks, kept: readonly EventMarks[]): Buffer {
  assert(update.kind !== topologyKind && kept.every((event) => event.isCreate), "only creates outlive their update");
  const pieces: Uint8Array[] = [];
  let position = beginUpdate(writer, update.kind, update, update.submitters, kept);
  /** Gives how much further back it is now. */
  const piece = (from: number, to: number): number => {
    pieces.push(update.bytes.subarray(from, to));
    position += to - from;
    return position - to;
  };
  const head = piece(update.start, update.eventsStart);
  const events = kept.map((event, index) => {
    if (index > 0) {
      pieces.push(comma);
      position += comma.length;
    }
    const shift = piece(event.start, event.end);
    return event.marks.map((mark) => mark + shift);
  });
  const tail = piece(update.eventsEnd, update.end);
  update.marks.forEach((mark, index) => writer.u32(mark + (index < tailMarks ? head : tail)));
  writer.u32(kept.length);
  kept.forEach((event, index) => {
    writeEventHead(writer, event.flags, event.nodeId, event);
    for (const mark of events[index]!) writer.u32(mark);
  });
  for (const bytes of pieces) writer.raw(bytes);
  return writer.finish(updateVersion);
}
/** The marks of an update from `eventsEnd` on. */
const tailMarks = 8;
const comma = Buffer.from(",");

/** Whether what lies there is a record as it was written. */
export const isWholeUpdate = (bytes: Buffer, from: number, to: number): boolean => isSealed(bytes, from, to, updateVersion);

/** Checks a record, and that it is of this offset, and gives it back. */
export function unsealUpdate(record: Buffer, offset: number): Buffer {
  unseal(record, updateVersion, "updates", { offset });
  const found = offsetOf(record);
  if (found !== offset) throw damaged(placeText("updates", { offset }), `the update of offset ${found} lies here`);
  return record;
}

/** The result refers to `record`, but for the numbers and parties of its events. */
export function decodeUpdate(record: Buffer, offset: number): UpdateMarks {
  const update = new UpdateMarks(unsealUpdate(record, offset), 0, new PartyLists());
  void update.events; // many too, as the record may lie where the next one is read to
  return update;
}
