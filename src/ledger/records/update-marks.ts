/**
 * A record of an update, read in place: a mark is read from its bytes when it is asked for. These objects live for one
 * read, within one turn of the event loop; what is kept of an update is its record (`update-cache.ts`).
 */
import { firstIndex } from "../../base/first-index.js";
import { limits } from "../../config.js";
import { updateIdChars } from "../model/index.js";
import { sealBytes, type EventPlace } from "../../store/index.js";

export const transactionKind = 1,
  topologyKind = 2,
  reassignmentKind = 3;

/** One byte: the kind of an update, and above it the number of the synchronizer where it was. */
const kindBits = 3,
  kindMask = (1 << kindBits) - 1;
export const kindByte = (kind: number, synchronizer: number): number => kind | (synchronizer << kindBits);

/** An assignment is a create that was one before; an unassignment is neither create nor exercise. */
export const eventFlags = { exercise: 1, consuming: 2, changesActiveContracts: 4, unassigned: 8, assigned: 16 } as const;

/** How many marks the entry of an update and that of an event have. */
export const updateMarks = 14,
  eventMarks = 11;

const u32 = (record: Buffer, at: number): number =>
  (record[at]! | (record[at + 1]! << 8) | (record[at + 2]! << 16) | (record[at + 3]! << 24)) >>> 0;

/** Of a record whose size is known to be enough: the buffer's own asks about that first. */
const u48 = (record: Buffer, at: number): number => u32(record, at) + (record[at + 4]! | (record[at + 5]! << 8)) * 2 ** 32;

const noNumbers: readonly number[] = [];

/** Lists of party numbers, equal ones as one object: the events of a ledger have few different ones. */
export class PartyLists {
  readonly #ofOne: (readonly number[] | undefined)[] = [];
  readonly #ofMore = new Map<string, readonly number[]>();
  /** That these hold together. */
  #numbers = 0;

  read(record: Buffer, at: number): readonly number[] {
    const count = u32(record, at);
    if (count === 0) return noNumbers;
    if (count > 1) return this.#readMore(record, at, count);
    const number = u32(record, at + 4);
    return (this.#ofOne[number] ??= [number]);
  }

  #readMore(record: Buffer, at: number, count: number): readonly number[] {
    const key = record.toString("latin1", at + 4, at + 4 + 4 * count);
    const known = this.#ofMore.get(key);
    if (known) return known;
    const numbers = Array.from({ length: count }, (_, index) => u32(record, at + 4 + 4 * index));
    if (this.#ofMore.size >= limits.partyListsSharedMax || this.#numbers + count > limits.partyListNumbersSharedMax) this.#forget();
    this.#ofMore.set(key, numbers);
    this.#numbers += count;
    return numbers;
  }

  #forget(): void {
    this.#ofMore.clear();
    this.#numbers = 0;
  }
}

/** One event of the update whose record it is in. */
export class EventMarks {
  readonly #bytes: Buffer;
  /** What marks are counted from. */
  readonly #base: number;
  readonly #marks: number;
  readonly flags: number;
  readonly nodeId: number;
  readonly template: number;
  readonly stakeholders: readonly number[];
  readonly witnesses: readonly number[];

  /** The entry is at `at`. */
  constructor(bytes: Buffer, base: number, at: number, parties: PartyLists) {
    this.#bytes = bytes;
    this.#base = base;
    this.flags = bytes[at]!;
    this.nodeId = u32(bytes, at + 1);
    this.template = u32(bytes, at + 5);
    this.stakeholders = parties.read(bytes, at + 9);
    const witnessesAt = at + 13 + 4 * this.stakeholders.length;
    this.witnesses = parties.read(bytes, witnessesAt);
    this.#marks = witnessesAt + 4 + 4 * this.witnesses.length;
  }

  #mark(index: number): number {
    return this.#base + u32(this.#bytes, this.#marks + 4 * index);
  }

  /** Assignments too: what they bring is a created event. */
  get isCreate(): boolean {
    return (this.flags & (eventFlags.exercise | eventFlags.unassigned)) === 0;
  }
  get isAssigned(): boolean {
    return (this.flags & eventFlags.assigned) !== 0;
  }
  get isUnassigned(): boolean {
    return (this.flags & eventFlags.unassigned) !== 0;
  }
  get isConsuming(): boolean {
    return (this.flags & eventFlags.consuming) !== 0;
  }
  /** Of an unassigned event: the place of the event that had made the contract active. In the room of marks that it has no use for. */
  get activated(): EventPlace {
    const word = (index: number): number => u32(this.#bytes, this.#marks + 4 * index);
    return { offset: word(2) + word(3) * 2 ** 32, nodeId: word(4) };
  }
  /** How often the contract was moved until now, this time included. */
  get reassignmentCounter(): number {
    return this.isAssigned ? counterBefore(this.#bytes, this.objectStart) : 0;
  }
  get changesActiveContracts(): boolean {
    return (this.flags & eventFlags.changesActiveContracts) !== 0;
  }

  /** `{"CreatedEvent":{..}}` lies in start..end, after a comma unless it is the first; its inner object in objectStart..objectEnd. */
  get start(): number {
    return this.#mark(0);
  }
  get objectStart(): number {
    return this.#mark(1);
  }
  /** End of `"offset":..,"nodeId":..,"contractId":..,"templateId":..`, which an archived event shares with an exercised one. */
  get identityEnd(): number {
    return this.#mark(2);
  }
  get blobSlot(): number {
    return this.#mark(3);
  }
  /** Of a create its views, of an exercise the interfaces that its template implements. */
  get interfacesSlot(): number {
    return this.#mark(4);
  }
  /** Inside the brackets of `witnessParties`: all of them. */
  get witnessesStart(): number {
    return this.#mark(5);
  }
  get witnessesEnd(): number {
    return this.#mark(6);
  }
  get acsDeltaStart(): number {
    return this.#mark(7);
  }
  get acsDeltaEnd(): number {
    return this.#mark(8);
  }
  get objectEnd(): number {
    return this.#mark(9);
  }
  get end(): number {
    return this.#mark(10);
  }
  /** All of them in order, for writing the event elsewhere. */
  get marks(): number[] {
    return Array.from({ length: eventMarks }, (_, index) => this.#mark(index));
  }
  /** Where the next event's entry begins. */
  get next(): number {
    return this.#marks + 4 * eventMarks;
  }
}

const nodeIdAt = (bytes: Buffer, event: number): number => u32(bytes, event + 1);

/** Where the entry behind that of an event begins. */
function behindEvent(bytes: Buffer, event: number): number {
  const witnessesAt = event + 13 + 4 * u32(bytes, event + 9);
  return witnessesAt + 4 + 4 * u32(bytes, witnessesAt) + 4 * eventMarks;
}

const beforeCreated = `,"createdEvent":`.length,
  zero = 0x30,
  nine = 0x39;

/** Of an assigned event the counter is the last member before the created event. */
function counterBefore(bytes: Buffer, createdStart: number): number {
  let counter = 0;
  for (let at = createdStart - beforeCreated - 1, scale = 1; bytes[at]! >= zero && bytes[at]! <= nine; at--, scale *= 10)
    counter += (bytes[at]! - zero) * scale;
  return counter;
}

const kindAt = sealBytes,
  offsetAt = kindAt + 1,
  recordTimeAt = offsetAt + 6,
  submittersAt = recordTimeAt + 8;

/** Of an unsealed record, which begins at `head`. */
export const kindOf = (record: Uint8Array, head = 0): number => record[head + kindAt]! & kindMask;

/** Whether it was submitted here, so that there is a completion: of a transaction or a reassignment, whose record is unsealed. */
export const isSubmittedHere = (record: Uint8Array): boolean => record.subarray(submittersAt, submittersAt + 4).some((byte) => byte !== 0);

/** Of a record, which says itself where it belongs. */
export const offsetOf = (record: Buffer, head = 0): number => u48(record, head + offsetAt);

/** All of an event that it depends on whether a reader gets it as it is stored. */
export type EventTraits = Pick<EventMarks, "flags" | "isCreate" | "changesActiveContracts" | "template" | "stakeholders" | "witnesses">;

/**
 * Whether an unsealed record, which begins at `head`, is of a transaction by these submitters with such events. Asked of each update of a
 * history, so it makes no objects.
 */
export function isTransactionOf(record: Buffer, head: number, submitters: readonly number[], events: readonly EventTraits[]): boolean {
  if (kindOf(record, head) !== transactionKind || !hasNumbers(record, head + submittersAt, submitters)) return false;
  let at = head + submittersAt + 4 + 4 * submitters.length + 4 * updateMarks;
  if (u32(record, at) !== events.length) return false;
  at += 4;
  for (let index = 0; index < events.length; index++) {
    const { flags, template, stakeholders, witnesses } = events[index]!;
    if (record[at] !== flags || u32(record, at + 5) !== template || !hasNumbers(record, at + 9, stakeholders)) return false;
    const witnessesAt = at + 13 + 4 * stakeholders.length;
    if (!hasNumbers(record, witnessesAt, witnesses)) return false;
    at = witnessesAt + 4 + 4 * witnesses.length + 4 * eventMarks;
  }
  return true;
}

/** Whether the list that begins at `at` is of these. */
function hasNumbers(record: Buffer, at: number, numbers: readonly number[]): boolean {
  if (u32(record, at) !== numbers.length) return false;
  for (let index = 0; index < numbers.length; index++) if (u32(record, at + 4 + 4 * index) !== numbers[index]) return false;
  return true;
}

/** Where they stand in an update's record. */
export function placeHead(record: Buffer, offset: number, recordTime: bigint): void {
  record.writeUIntLE(offset, offsetAt, 6);
  record.writeBigInt64LE(recordTime, recordTimeAt);
}

const topologyBodyAt = `{"update":{"TopologyTransaction":{"value":{`.length,
  updateIdAt = `"updateId":"`.length;

const recordTimeEndMark = 10;

/** A record has its head first, where all that is not text is; its text begins at the first mark, and is the rest. */
export function textStartOf(record: Buffer, head = 0): number {
  const submittersFrom = head + submittersAt;
  return head + u32(record, submittersFrom + 4 + 4 * u32(record, submittersFrom));
}

export class UpdateMarks {
  /** Where the marks point into; head and text of the record are parts of it. */
  readonly bytes: Buffer;
  readonly #head: number;
  /** What marks are counted from: where the record would begin if its head lay in front of its text. */
  readonly #base: number;
  readonly #marks: number;
  readonly kind: number;
  /** Number of the synchronizer where it was; of a reassignment the one on which it changes something. */
  readonly synchronizer: number;
  readonly offset: number;
  /** Parties that submitted a transaction, or that a topology update is about. */
  readonly submitters: readonly number[];
  readonly #parties: PartyLists;
  #events: readonly EventMarks[] | undefined;
  /** Of many: how many entries lie before the one that was asked for last, and where that is. */
  #passed = 0;
  #passedTo: number;

  /** The record's head begins at `head` of `bytes`; its text follows, or is at `text`. */
  constructor(bytes: Buffer, head: number, parties: PartyLists, text?: number) {
    this.bytes = bytes;
    this.#head = head;
    this.kind = bytes[head + kindAt]! & kindMask;
    this.synchronizer = bytes[head + kindAt]! >> kindBits;
    this.offset = u48(bytes, head + offsetAt);
    this.submitters = parties.read(bytes, head + submittersAt);
    this.#marks = head + submittersAt + 4 + 4 * this.submitters.length;
    this.#base = text === undefined ? head : text - u32(bytes, this.#marks);
    this.#parties = parties;
    this.#passedTo = this.#eventsAt + 4;
    if (this.eventCount <= limits.readStepEvents) this.#events = this.#readEvents(this.#eventsAt + 4, this.eventCount);
  }

  get #eventsAt(): number {
    return this.#marks + 4 * updateMarks;
  }
  get eventCount(): number {
    return u32(this.bytes, this.#eventsAt);
  }
  /** Many are read when they are asked for first. */
  get events(): readonly EventMarks[] {
    return (this.#events ??= this.#readEvents(this.#eventsAt + 4, this.eventCount));
  }
  /** Events are in the order of their node ids. */
  eventOf(nodeId: number): EventMarks | undefined {
    const events = this.#events;
    if (events === undefined) return this.#eventAmongMany(nodeId);
    const event = events[firstIndex(events.length, (index) => events[index]!.nodeId >= nodeId)];
    return event?.nodeId === nodeId ? event : undefined;
  }

  /** Without an object for each. Most who ask for several do so in their order, and go on where the last one was. */
  #eventAmongMany(nodeId: number): EventMarks | undefined {
    const { bytes, eventCount } = this;
    if (this.#passed === eventCount || nodeId < nodeIdAt(bytes, this.#passedTo)) {
      this.#passed = 0;
      this.#passedTo = this.#eventsAt + 4;
    }
    for (; this.#passed < eventCount; this.#passed++, this.#passedTo = behindEvent(bytes, this.#passedTo)) {
      const found = nodeIdAt(bytes, this.#passedTo);
      if (found === nodeId) return new EventMarks(bytes, this.#base, this.#passedTo, this.#parties);
      if (found > nodeId) return undefined;
    }
    return undefined;
  }

  /** So many of them at a time. */
  *eventParts(size: number): Generator<readonly EventMarks[], undefined, undefined> {
    for (let left = this.eventCount, at = this.#eventsAt + 4; left > 0; left -= size) {
      const part = this.#readEvents(at, Math.min(left, size));
      at = part.at(-1)!.next;
      yield part;
    }
    return undefined;
  }

  #readEvents(at: number, count: number): EventMarks[] {
    const events = new Array<EventMarks>(count);
    for (let index = 0, next = at; index < count; index++) {
      const event = new EventMarks(this.bytes, this.#base, next, this.#parties);
      events[index] = event;
      next = event.next;
    }
    return events;
  }

  #mark(index: number): number {
    return this.#base + u32(this.bytes, this.#marks + 4 * index);
  }

  /** The same in memory of its own. */
  copy(parties: PartyLists): UpdateMarks {
    const headEnd = this.#head + u32(this.bytes, this.#marks),
      record = Buffer.concat([this.bytes.subarray(this.#head, headEnd), this.bytes.subarray(this.start, this.end)]);
    return new UpdateMarks(record, 0, parties);
  }

  /** It comes first in the body. */
  get updateId(): string {
    const at = this.#updateIdAt;
    return this.bytes.toString("latin1", at, at + updateIdChars);
  }
  get #updateIdAt(): number {
    return (this.kind === topologyKind ? this.start + topologyBodyAt : this.bodyStart) + updateIdAt;
  }
  /** Only while the record is made, as the next. */
  placeId(updateId: string): void {
    this.bytes.write(updateId, this.#updateIdAt, "latin1");
  }

  /** What comes behind it lies so many bytes further to the front. */
  shortenRecordTime(bytes: number): void {
    for (let index = recordTimeEndMark; index < updateMarks; index++)
      this.bytes.writeUInt32LE(this.#mark(index) - bytes, this.#marks + 4 * index);
  }

  get recordTime(): bigint {
    return this.bytes.readBigInt64LE(this.#head + recordTimeAt);
  }
  /** start..end is the whole element as `/v2/updates` gives it. */
  get start(): number {
    return this.#mark(0);
  }
  /** bodyStart..bodyEnd is `"updateId":..` to `"paidTrafficCost":..`, without braces. */
  get bodyStart(): number {
    return this.#mark(1);
  }
  get commandIdStart(): number {
    return this.#mark(2);
  }
  get commandIdEnd(): number {
    return this.#mark(3);
  }
  get workflowIdStart(): number {
    return this.#mark(4);
  }
  get workflowIdEnd(): number {
    return this.#mark(5);
  }
  /** From `"events":[` on; `eventsEnd` is the closing bracket. */
  get eventsFieldStart(): number {
    return this.#mark(6);
  }
  get eventsStart(): number {
    return this.#mark(7);
  }
  get eventsEnd(): number {
    return this.#mark(8);
  }
  /** `"offset":..` after the events, and the end of `recordTime`. */
  get tailStart(): number {
    return this.#mark(9);
  }
  get recordTimeEnd(): number {
    return this.#mark(recordTimeEndMark);
  }
  get paidTrafficCostStart(): number {
    return this.#mark(11);
  }
  get bodyEnd(): number {
    return this.#mark(12);
  }
  get end(): number {
    return this.#mark(13);
  }
  /** All of them in order, for writing the update elsewhere. */
  get marks(): number[] {
    return Array.from({ length: updateMarks }, (_, index) => this.#mark(index));
  }
}
