/** Reads messages into the JSON of the same API. Fields that a message does not have are passed over, as servers of gRPC do. */
import { limits } from "../../config.js";
import { delimited, ProtoReader, readNestedMessage, tagOf, WireFailure, WireType } from "../../lf/wire/index.js";
import type { Json } from "../method.js";
import type { EnumType, Field, FieldType, MessageType, OneOf } from "../schema/index.js";
import { readInstant } from "./instants.js";
import { type Member, membersOf } from "./members.js";

/** Reads Daml values: the reader is limited to a message `Value` or `Record`. */
export interface ValueReader {
  readValue(input: ProtoReader): unknown;
  readRecord(input: ProtoReader): unknown;
}

/**
 * Throws `WireFailure` where the bytes are not such a message, or hold more values than a request may; and what the values' reader throws.
 * A Daml value counts as one.
 */
export const decodeMessage = (type: MessageType, bytes: Uint8Array, values: ValueReader): Json =>
  new MessageReader(new ProtoReader(bytes), values).message(type);

/** Several of them may be packed. */
const scalarKinds: ReadonlySet<FieldType["kind"]> = new Set(["bool", "int32", "uint32", "int64", "uint64", "enum"]);

class MessageReader {
  readonly #input: ProtoReader;
  readonly #values: ValueReader;
  /** So many more may come. */
  #valuesLeft: number = limits.requestValuesMax;

  constructor(input: ProtoReader, values: ValueReader) {
    this.#input = input;
    this.#values = values;
  }

  /** What is left of the message that the reader is limited to. */
  message(type: MessageType): Json {
    const members = membersOf(type),
      json = withDefaults(members.alone),
      input = this.#input;
    /** Of several the last counts. */
    const chosen = new Map<Member["choice"], { readonly member: Member; readonly value: unknown }>();
    for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
      const member = members.byNumber.get(Math.floor(tag / 8));
      if (member === undefined || !this.#isOfType(member.field, tag)) this.#passOver(tag);
      else if (member.choice !== undefined) chosen.set(member.choice, { member, value: this.#one(member.field.type) });
      else this.#add(json, member, tag);
    }
    for (const { choice } of members.choices) {
      const made = chosen.get(choice);
      if (choice.json === undefined) {
        if (made !== undefined) json[made.member.key] = made.value;
        continue;
      }
      const cased =
        made === undefined ? unchosen(choice) : { [made.member.key]: made.member.isWrapped ? { value: made.value } : made.value };
      if (choice.json === "") return cased ?? {};
      if (cased !== undefined) json[choice.json] = cased;
    }
    return json;
  }

  #isOfType({ type, isRepeated }: Field, tag: number): boolean {
    const wireType = tag % 8;
    if (!scalarKinds.has(type.kind)) return wireType === WireType.delimited;
    return wireType === WireType.varint || (isRepeated && wireType === WireType.delimited);
  }

  #add(json: Record<string, unknown>, { field: { type, isRepeated }, key }: Member, tag: number): void {
    if (type.kind === "map") this.#addEntry(json[key] as Record<string, unknown>, type.value);
    else if (!isRepeated) json[key] = this.#one(type);
    else if (scalarKinds.has(type.kind) && tag % 8 === WireType.delimited) this.#addPacked(json[key] as unknown[], type);
    else (json[key] as unknown[]).push(this.#one(type));
  }

  #addPacked(into: unknown[], type: FieldType): void {
    this.#count(); // of none, too
    readNestedMessage(this.#input, () => {
      while (!this.#input.atEnd) into.push(this.#one(type));
    });
  }

  #addEntry(into: Record<string, unknown>, type: FieldType): void {
    const input = this.#input;
    let key = "",
      value: unknown,
      fields = 0;
    readNestedMessage(input, () => {
      for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
        if (tag === delimited(1)) key = input.text();
        else if (tag === delimited(2)) value = this.#one(type);
        else this.#passOver(tag);
        if (++fields > 2) this.#count();
      }
    });
    if (value === undefined) this.#count();
    // a key such as __proto__ is one like others
    Object.defineProperty(into, key, { value: value ?? this.#empty(type), enumerable: true, configurable: true, writable: true });
  }

  #empty(type: FieldType): unknown {
    return type.kind === "message" ? new MessageReader(new ProtoReader(new Uint8Array()), this.#values).message(type.of()) : "";
  }

  /** What nobody knows takes time as well. */
  #passOver(tag: number): void {
    this.#count();
    this.#input.skip(tag);
  }

  readonly #count = (): void => {
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) throw new WireFailure(`it holds more than ${limits.requestValuesMax} values`);
  };

  #one(type: FieldType): unknown {
    const input = this.#input;
    this.#count();
    switch (type.kind) {
      case "string":
        return input.text();
      case "bool":
        return input.bool();
      case "int32":
        return input.int32();
      case "uint32":
        return Number(BigInt.asUintN(32, input.varint64()));
      case "int64":
        return readInteger(BigInt.asIntN(64, input.varint64()));
      case "uint64":
        return readInteger(BigInt.asUintN(64, input.varint64()));
      case "enum":
        return nameOf(type.of, input.int32());
      case "bytes":
        return input.bytes().toString("base64");
      case "hex":
        return input.bytes().toString("hex");
      case "octets":
        return input.bytes();
      case "messageBytes":
        return input.bytes().toString("base64");
      case "identifier":
        return readNestedMessage(input, () => readIdentifier(input, this.#count));
      case "timestamp":
        return readNestedMessage(input, () => readInstant(input, this.#count));
      case "value":
        return readNestedMessage(input, () => this.#values.readValue(input));
      case "record":
        return readNestedMessage(input, () => this.#values.readRecord(input));
      case "message":
        return readNestedMessage(input, () => this.message(type.of()));
      case "map":
        throw new WireFailure("a map has no maps"); // proto3 has none either
      case "sint64":
      case "sfixed64":
        throw new Error("what is in values only is read by who reads them");
    }
  }
}

const unchosen = ({ none }: OneOf): Json | undefined => (none === undefined ? undefined : { [none]: {} });

/** What a message has where nothing is said of a field. Messages and what is optional are left out. */
function withDefaults(members: readonly Member[]): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const { field, key } of members) {
    if (field.type.kind === "map") json[key] = {};
    else if (field.isRepeated) json[key] = [];
    else if (!field.isOptional) {
      const empty = emptyScalar(field.type);
      if (empty !== undefined) json[key] = empty;
    }
  }
  return json;
}

function emptyScalar(type: FieldType): unknown {
  switch (type.kind) {
    case "string":
    case "bytes":
    case "hex":
      return "";
    case "bool":
      return false;
    case "int32":
    case "uint32":
    case "int64":
    case "uint64":
      return 0;
    case "enum":
      return nameOf(type.of, 0);
    case "octets":
      return new Uint8Array();
    default:
      return undefined;
  }
}

/** Those that a double cannot hold are texts, which requests may have as well. */
function readInteger(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

const nameOf = ({ numbers }: EnumType, of: number): string =>
  Object.entries(numbers).find(([, number]) => number === of)?.[0] ?? `UNRECOGNIZED (${of})`;

/** `another`: hears of each field beyond those that it has. */
function readIdentifier(input: ProtoReader, another: () => void): string {
  const parts = ["", "", ""];
  let fields = 0;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    const number = Math.floor(tag / 8);
    if (number <= parts.length && tag === tagOf(number, WireType.delimited)) parts[number - 1] = input.text();
    else input.skip(tag);
    if (++fields > parts.length) another();
  }
  return parts.join(":");
}
