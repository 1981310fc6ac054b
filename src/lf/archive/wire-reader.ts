/**
 * Reads protobuf one message at a time: a nested message comes out as a slice of the bytes, to be read when it is
 * needed. That makes definitions lazy for nothing, and it bounds the work done for those never reached.
 *
 * Stricter than protobuf where no encoder goes: an unknown field is refused at every depth (as the reference does).
 */
import { limits } from "../../config.js";
import { parsing, tooLarge, unreadable } from "./failure.js";
import { schema, type Field, type MessageName, type Schema, type Wire } from "./schema.js";

class Source {
  /** The same bytes, for what only buffers do fast. */
  readonly buffer: Buffer;
  /**
   * `messageDepthMax`: how deep messages may nest, counted from the outermost one; `merges`: how often the bytes were put together from
   * others.
   */
  constructor(
    readonly bytes: Uint8Array,
    readonly messageDepthMax: number,
    readonly merges = 0,
  ) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** The encoding of one message inside its source. */
export class Slice<N extends MessageName = MessageName> {
  declare readonly message: N; // only the type checker sees it
  constructor(
    readonly source: Source,
    readonly start: number,
    readonly end: number,
    readonly depth: number,
  ) {}
}

export const outermost = <N extends MessageName>(_name: N, bytes: Uint8Array, messageDepthMax: number): Slice<N> =>
  new Slice<N>(new Source(bytes, messageDepthMax), 0, bytes.length, 0);

type Scalar<W> = W extends "bool"
  ? boolean
  : W extends "string"
    ? string
    : W extends "bytes"
      ? Uint8Array
      : W extends "sint64" | "sfixed64"
        ? bigint
        : number;
type Value<F> =
  F extends Field<infer W, infer _L, infer T> ? (W extends "message" ? (T extends MessageName ? Slice<T> : never) : Scalar<W>) : never;
type LabelOf<F> = F extends { readonly label: infer L } ? L : never;
type Presence<F> =
  LabelOf<F> extends "many" ? readonly Value<F>[] : F extends { readonly wire: "message" } ? Value<F> | undefined : Value<F>;
type PlainFields<S> = { readonly [K in keyof S as LabelOf<S[K]> extends "sum" ? never : K]: Presence<S[K]> };
type SumCases<S> = { [K in keyof S]: LabelOf<S[K]> extends "sum" ? { readonly case: K; readonly value: Value<S[K]> } : never }[keyof S];

/** A message read: its plain fields, and the member of its oneof that is set as `case` and `value`. */
export type Message<N extends MessageName> = PlainFields<Schema[N]>
  & (SumCases<Schema[N]> | { readonly case: undefined; readonly value: undefined });

const wireTypes = { int32: 0, sint64: 0, bool: 0, sfixed64: 1, string: 2, bytes: 2, message: 2 } as const;
const delimitedType = 2;
const none: readonly never[] = Object.freeze([]);
const noBytes = new Uint8Array(0);

/** Where the reader is. One is enough: messages are read one level at a time. */
class Cursor {
  source = new Source(noBytes, 0);
  bytes: Uint8Array = noBytes;
  position = 0;
  end = 0;

  /** The low 32 bits of a varint, as protobuf truncates an int32. Most have one byte. */
  varint32(): number {
    const first = this.bytes[this.position]!;
    if (first < 0x80 && this.position < this.end) {
      this.position++;
      return first;
    }
    return this.#longVarint32();
  }

  #longVarint32(): number {
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

  enter({ source, start, end }: Slice): void {
    this.source = source;
    this.bytes = source.bytes;
    this.position = start;
    this.end = end;
  }

  message({ source, depth }: Slice): Slice {
    const end = this.delimited(),
      start = this.position;
    this.position = end;
    return new Slice(source, start, end, depth + 1);
  }

  span(): Uint8Array {
    const end = this.delimited(),
      start = this.position;
    this.position = end;
    return this.bytes.subarray(start, end);
  }

  text(): string {
    const end = this.delimited(),
      start = this.position;
    this.position = end;
    // Nearly all are, and a decoder takes ten times as long.
    if (this.#isAscii(start, end)) return this.source.buffer.toString("latin1", start, end);
    try {
      return utf8.decode(this.bytes.subarray(start, end));
    } catch (thrown) {
      if (thrown instanceof TypeError) throw unreadable("a text is not valid UTF-8");
      throw thrown;
    }
  }

  #isAscii(start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) if (this.bytes[at]! > 0x7f) return false;
    return true;
  }

  zigZag(): bigint {
    const encoded = this.varint64();
    return (encoded >> 1n) ^ -(encoded & 1n);
  }

  fixed64(): bigint {
    if (this.end - this.position < 8) throw cutOff();
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.position, 8);
    this.position += 8;
    return view.getBigInt64(0, true);
  }
}

const cutOff = () => unreadable("the input ends inside a field");
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const cursor = new Cursor();

type Read = (slice: Slice) => unknown;
const readers = new Map<MessageName, Read>();

export function readMessage<N extends MessageName>(name: N, slice: Slice<N>): Message<N> {
  const { messageDepthMax } = slice.source;
  if (slice.depth > messageDepthMax) throw unreadable(`messages nest deeper than ${messageDepthMax}`);
  const read = readers.get(name) ?? addReader(name);
  return read(slice) as Message<N>;
}

/** How a field begins in the encoding of a message. */
export const tagOf = <N extends MessageName>(name: N, field: keyof Schema[N]): number => {
  const { number, wire } = schema[name][field] as Field;
  return number * 8 + wireTypes[wire];
};

/** The number of a message that is nothing but this field, as encoders write references; undefined of any other. */
export function onlyNumber({ source, start, end, depth }: Slice, tag: number): number | undefined {
  const { bytes } = source;
  if (bytes[start] !== tag || depth > source.messageDepthMax) return undefined;
  let number = 0;
  for (let at = start + 1, shift = 0; at < end && shift < 28; at++, shift += 7) {
    const byte = bytes[at]!;
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) return at === end - 1 ? number : undefined;
  }
  return undefined;
}

function addReader(name: MessageName): Read {
  const read = new Function("cursor", "tools", readerText(name))(cursor, { none, noBytes, latest, append, packed, unknownField }) as Read;
  readers.set(name, read);
  return read;
}

/**
 * A reader of one message as JavaScript: its fields are variables, and all its messages have one hidden class. To put fields into an
 * object by their names takes five times as long. The text is made of our schema alone.
 */
function readerText(name: MessageName): string {
  const fields = Object.entries(schema[name]) as [string, Field][];
  const plain = fields.filter(([, { label }]) => label !== "sum");
  return `"use strict"; const { none, noBytes, latest, append, packed, unknownField } = tools; return (slice) => {
    ${plain.map(([field, declared]) => `let ${field}_ = ${blankValue(declared)};`).join(" ")} let sum, member;
    cursor.enter(slice);
    while (cursor.position < cursor.end) {
      const tag = cursor.varint32();
      switch (tag) {
        ${fields.map(([field, declared]) => fieldText(field, declared)).join("\n        ")}
        default: throw unknownField(${JSON.stringify(name)}, tag);
      }
    }
    return { case: member, value: sum, ${plain.map(([field]) => `${field}: ${field}_`).join(", ")} };
  };`;
}

function blankValue({ label, wire }: Field): string {
  if (label === "many") return "none";
  switch (wire) {
    case "int32":
      return "0";
    case "bool":
      return "false";
    case "string":
      return '""';
    case "bytes":
      return "noBytes";
    default:
      return "undefined";
  }
}

function fieldText(name: string, { number, wire, label }: Field): string {
  const tag = number * 8 + wireTypes[wire],
    read = valueText(wire);
  switch (label) {
    case "many":
      return [
        `case ${tag}: ${name}_ = append(${name}_, ${read}); break;`,
        ...(wireTypes[wire] === 0 ? [`case ${number * 8 + delimitedType}: ${name}_ = packed(${name}_); break;`] : []),
      ].join(" ");
    case "sum":
      return `case ${tag}: { const next = ${read}; sum = member === "${name}" ? latest(sum, next) : next; member = "${name}"; break; }`;
    case "one":
      return wire === "message"
        ? `case ${tag}: { const next = ${read}; ${name}_ = ${name}_ === undefined ? next : latest(${name}_, next); break; }`
        : `case ${tag}: ${name}_ = ${read}; break;`;
  }
}

function valueText(wire: Wire): string {
  switch (wire) {
    case "int32":
      return "cursor.varint32()";
    case "bool":
      return "cursor.varint64() !== 0n";
    case "sint64":
      return "cursor.zigZag()";
    case "sfixed64":
      return "cursor.fixed64()";
    case "string":
      return "cursor.text()";
    case "bytes":
      return "cursor.span()";
    case "message":
      return "cursor.message(slice)";
  }
}

/**
 * Of a scalar that occurs again the last one counts; messages are merged, and the encodings of two in a row encode what they make
 * together.
 */
function latest(before: unknown, value: unknown): unknown {
  if (!(before instanceof Slice && value instanceof Slice)) return value;
  const { merges, messageDepthMax } = before.source;
  if (merges === limits.lfMessageMergesMax) throw tooLarge(`a message is written in more than ${limits.lfMessageMergesMax + 1} parts`);
  const bytes = Buffer.concat([before, value].map(({ source, start, end }) => source.bytes.subarray(start, end)));
  return new Slice(new Source(bytes, messageDepthMax, merges + 1), 0, bytes.length, value.depth);
}

function unknownField(name: MessageName, tag: number) {
  const number = tag >>> 3,
    wireType = tag & 7;
  if (number === 0 || wireType > 5) return unreadable(`${name} contains an invalid tag`);
  return parsing(`message ${name} contains an unknown field with number ${number}`);
}

function append(list: unknown[], value: unknown): unknown[] {
  if (list === (none as readonly unknown[])) return [value];
  if (list.push(value) > limits.lfListElementsMax) throw tooLarge(`a list of messages has more than ${limits.lfListElementsMax} elements`);
  return list;
}

/** Of int32. */
function packed(list: unknown[]): unknown[] {
  let all = list;
  const end = cursor.delimited();
  while (cursor.position < end) all = append(all, cursor.varint32());
  if (cursor.position !== end) throw cutOff();
  return all;
}
