/**
 * Reads protobuf one message at a time: a nested message comes out as a slice of the bytes, to be read when it is
 * needed. That makes definitions lazy for nothing, and it bounds the work done for those never reached.
 *
 * Stricter than protobuf where no encoder goes: an unknown field is refused at every depth (as the reference does).
 */
import { limits } from "../../config.js";
import { parsing, tooLarge, unreadable } from "./failure.js";
import { schema, type Field, type MessageName, type Schema } from "./schema.js";

export class Source {
  /** The same bytes, for what only buffers do fast. */
  readonly buffer: Buffer;
  /** `messageDepthMax`: how deep messages may nest, counted from the outermost one; `merges`: how often the bytes were put together from others. */
  constructor(readonly bytes: Uint8Array, readonly messageDepthMax: number, readonly merges = 0) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** The encoding of one message inside its source. */
export class Slice<N extends MessageName = MessageName> {
  declare readonly message: N; // only the type checker sees it
  constructor(readonly source: Source, readonly start: number, readonly end: number, readonly depth: number) {}
}

export const outermost = <N extends MessageName>(_name: N, bytes: Uint8Array, messageDepthMax: number): Slice<N> =>
  new Slice<N>(new Source(bytes, messageDepthMax), 0, bytes.length, 0);

type Scalar<W> = W extends "bool" ? boolean : W extends "string" ? string : W extends "bytes" ? Uint8Array : W extends "sint64" | "sfixed64" ? bigint : number;
type Value<F> = F extends Field<infer W, infer _L, infer T> ? (W extends "message" ? (T extends MessageName ? Slice<T> : never) : Scalar<W>) : never;
type LabelOf<F> = F extends { readonly label: infer L } ? L : never;
type Presence<F> = LabelOf<F> extends "many" ? readonly Value<F>[] : F extends { readonly wire: "message" } ? Value<F> | undefined : Value<F>;
type PlainFields<S> = { readonly [K in keyof S as LabelOf<S[K]> extends "sum" ? never : K]: Presence<S[K]> };
type SumCases<S> = { [K in keyof S]: LabelOf<S[K]> extends "sum" ? { readonly case: K; readonly value: Value<S[K]> } : never }[keyof S];

/** A message read: its plain fields, and the member of its oneof that is set as `case` and `value`. */
export type Message<N extends MessageName> = PlainFields<Schema[N]> & (SumCases<Schema[N]> | { readonly case: undefined; readonly value: undefined });

interface Plan {
  readonly name: MessageName;
  readonly fields: ReadonlyMap<number, PlannedField>;
  /** The same for small numbers, which are nearly all. */
  readonly dense: readonly (PlannedField | undefined)[];
  readonly blank: Readonly<Record<string, unknown>>;
}
interface PlannedField extends Field { readonly name: string; readonly wireType: number }

const wireTypes = { int32: 0, sint64: 0, bool: 0, sfixed64: 1, string: 2, bytes: 2, message: 2 } as const;
const denseFieldsMax = 64;
const none: readonly never[] = Object.freeze([]);
const noBytes = new Uint8Array(0);

function blankValue(field: Field): unknown {
  if (field.label === "many") return none;
  switch (field.wire) {
    case "int32": return 0;
    case "bool": return false;
    case "string": return "";
    case "bytes": return noBytes;
    default: return undefined;
  }
}

function planMessage(name: MessageName): Plan {
  const fields = new Map<number, PlannedField>();
  const dense: (PlannedField | undefined)[] = new Array<undefined>(denseFieldsMax).fill(undefined);
  const blank: Record<string, unknown> = {};
  for (const [fieldName, field] of Object.entries(schema[name]) as [string, Field][]) {
    const planned = { ...field, name: fieldName, wireType: wireTypes[field.wire] };
    fields.set(field.number, planned);
    if (field.number < denseFieldsMax) dense[field.number] = planned;
    if (field.label !== "sum") blank[fieldName] = blankValue(field);
  }
  return { name, fields, dense, blank: { ...blank, case: undefined, value: undefined } };
}

const plans = Object.fromEntries((Object.keys(schema) as MessageName[]).map((name) => [name, planMessage(name)])) as Readonly<Record<MessageName, Plan>>;

/** Where the reader is. One is enough: messages are read one level at a time. */
class Cursor {
  bytes: Uint8Array = noBytes;
  position = 0;
  end = 0;

  /** The low 32 bits of a varint, as protobuf truncates an int32. */
  varint32(): number {
    let result = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.position >= this.end) throw cutOff();
      const byte = this.bytes[this.position++]!;
      if (shift < 32) result |= (byte & 0x7f) << shift;
      if (byte < 0x80) return result;
    }
    throw unreadable("a varint is longer than ten bytes");
  }

  varint64(): bigint {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.position >= this.end) throw cutOff();
      const byte = this.bytes[this.position++]!;
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, result);
    }
    throw unreadable("a varint is longer than ten bytes");
  }

  /** The end of a length-delimited value that starts here. */
  delimited(): number {
    const length = this.varint32();
    if (length < 0 || length > this.end - this.position) throw cutOff();
    return this.position + length;
  }
}

const cutOff = () => unreadable("the input ends inside a field");
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const cursor = new Cursor();

export function readMessage<N extends MessageName>(name: N, slice: Slice<N>): Message<N> {
  const plan: Plan = plans[name];
  const { source } = slice;
  if (slice.depth > source.messageDepthMax) throw unreadable(`messages nest deeper than ${source.messageDepthMax}`);
  const message: Record<string, unknown> = { ...plan.blank };
  cursor.bytes = source.bytes;
  cursor.position = slice.start;
  cursor.end = slice.end;
  while (cursor.position < cursor.end) readField(plan, message, slice);
  return message as Message<N>;
}

function readField(plan: Plan, message: Record<string, unknown>, slice: Slice): void {
  const tag = cursor.varint32();
  const number = tag >>> 3;
  const field = number < denseFieldsMax ? plan.dense[number] : plan.fields.get(number);
  if (field === undefined) throw unknownField(plan, number, tag & 7);
  if ((tag & 7) !== field.wireType) {
    if ((tag & 7) === 2 && field.label === "many" && field.wireType === 0) return readPacked(field, message);
    throw unknownField(plan, number, tag & 7);
  }
  const value = readValue(field, slice);
  if (field.label === "sum") {
    message["value"] = message["case"] === field.name ? latest(message["value"], value) : value;
    message["case"] = field.name;
  } else if (field.label === "many") append(message, field.name, value);
  else message[field.name] = latest(message[field.name], value);
}

/** Of a scalar that occurs again the last one counts; messages are merged, and the encodings of two in a row encode what they make together. */
function latest(before: unknown, value: unknown): unknown {
  if (!(before instanceof Slice && value instanceof Slice)) return value;
  const { merges, messageDepthMax } = before.source;
  if (merges === limits.lfMessageMergesMax) throw tooLarge(`a message is written in more than ${limits.lfMessageMergesMax + 1} parts`);
  const bytes = Buffer.concat([before, value].map(({ source, start, end }) => source.bytes.subarray(start, end)));
  return new Slice(new Source(bytes, messageDepthMax, merges + 1), 0, bytes.length, value.depth);
}

function unknownField(plan: Plan, number: number, wireType: number) {
  if (number === 0 || wireType > 5) return unreadable(`${plan.name} contains an invalid tag`);
  return parsing(`message ${plan.name} contains an unknown field with number ${number}`);
}

function append(message: Record<string, unknown>, name: string, value: unknown): void {
  const list = message[name] as unknown[];
  if (list === (none as readonly unknown[])) message[name] = [value];
  else if (list.push(value) > limits.lfListElementsMax) throw tooLarge(`a list of messages has more than ${limits.lfListElementsMax} elements`);
}

function readPacked(field: PlannedField, message: Record<string, unknown>): void {
  const end = cursor.delimited();
  while (cursor.position < end) append(message, field.name, cursor.varint32());
  if (cursor.position !== end) throw cutOff();
}

function readValue(field: PlannedField, slice: Slice): unknown {
  switch (field.wire) {
    case "int32": return cursor.varint32();
    case "bool": return cursor.varint64() !== 0n;
    case "sint64": return readZigZag();
    case "sfixed64": return readFixed64();
    case "string": return readText();
    case "bytes": return readSpan((start, end) => slice.source.bytes.subarray(start, end));
    case "message": return readSpan((start, end) => new Slice(slice.source, start, end, slice.depth + 1));
  }
}

function readSpan<T>(take: (start: number, end: number) => T): T {
  const end = cursor.delimited();
  const start = cursor.position;
  cursor.position = end;
  return take(start, end);
}

function readZigZag(): bigint {
  const encoded = cursor.varint64();
  return (encoded >> 1n) ^ -(encoded & 1n);
}

function readFixed64(): bigint {
  if (cursor.end - cursor.position < 8) throw cutOff();
  const view = new DataView(cursor.bytes.buffer, cursor.bytes.byteOffset + cursor.position, 8);
  cursor.position += 8;
  return view.getBigInt64(0, true);
}

function readText(): string {
  return readSpan((start, end) => {
    try {
      return utf8.decode(cursor.bytes.subarray(start, end));
    } catch (thrown) {
      if (thrown instanceof TypeError) throw unreadable("a text is not valid UTF-8");
      throw thrown;
    }
  });
}
