/** Reads message `Value` of the Ledger API. */
import { limits } from "../../config.js";
import {
  compareText,
  checkName,
  checkParty,
  type LedgerField,
  type LedgerValue,
  type Numeric,
  parseContractId,
  dateInRange,
  timestampInRange,
} from "../value/index.js";
import { delimited, type ProtoReader, tagOf, varint } from "./proto-reader.js";
import { WireType } from "./proto-writer.js";
import { type IdentifierRules, readTypeId } from "./read-api-identifier.js";
import { apiSum as sum } from "./write-api-value.js";

/** What those who read values see each in their own way. What is made of a failure is thrown. */
export interface ApiValueRules extends IdentifierRules {
  parseNumeric(text: string): Numeric | undefined;
  /** What is wrong with a text. */
  checkText(text: string): string | undefined;
  /** `what`: in words. */
  missing(field: string, what: string): Error;
  invalid(message: string): Error;
  tooDeep(): Error;
}

const tags = {
  unit: delimited(sum.unit),
  bool: varint(sum.bool),
  int64: varint(sum.int64),
  date: varint(sum.date),
  timestamp: tagOf(sum.timestamp, WireType.fixed64),
  numeric: delimited(sum.numeric),
  party: delimited(sum.party),
  text: delimited(sum.text),
  contractId: delimited(sum.contractId),
  optional: delimited(sum.optional),
  list: delimited(sum.list),
  textMap: delimited(sum.textMap),
  genMap: delimited(sum.genMap),
  record: delimited(sum.record),
  variant: delimited(sum.variant),
  enum: delimited(sum.enum),
} as const;

const [first, second, third] = [delimited(1), delimited(2), delimited(3)] as const;

// Values come by the thousand, so their messages are read by plain loops.

export class ApiValueReader {
  readonly #input: ProtoReader;
  readonly #rules: ApiValueRules;

  constructor(input: ProtoReader, rules: ApiValueRules) {
    this.#input = input;
    this.#rules = rules;
  }

  /** A field of type `Value`. */
  value(nesting = 0): LedgerValue {
    const outer = this.#input.enter(),
      value = this.message(nesting);
    this.#input.leave(outer);
    return value;
  }

  /** What is left of the message that the reader is limited to. */
  message(nesting = 0): LedgerValue {
    if (nesting > limits.valueNestingMax) throw this.#rules.tooDeep();
    let value: LedgerValue | undefined;
    for (let tag = this.#input.tag(); tag !== 0; tag = this.#input.tag()) value = this.#sum(tag, nesting + 1) ?? value;
    return this.#required(value, "value", "the sum of a value");
  }

  #sum(tag: number, nesting: number): LedgerValue | undefined {
    const input = this.#input;
    switch (tag) {
      case tags.unit:
        input.bytes();
        return { kind: "unit" };
      case tags.bool:
        return { kind: "bool", value: input.bool() };
      case tags.int64:
        return { kind: "int64", value: input.zigzag64() };
      case tags.date:
        return this.#date(input.int32());
      case tags.timestamp:
        return this.#timestamp(input.fixed64());
      case tags.numeric:
        return this.#numeric(input.text());
      case tags.party:
        return { kind: "party", value: this.#checked(checkParty, input.text()) };
      case tags.text:
        return { kind: "text", value: this.#checked(this.#rules.checkText, input.text()) };
      case tags.contractId:
        return this.#contractId(input.text());
      case tags.optional:
        return this.#optional(nesting);
      case tags.list:
        return { kind: "list", elements: this.#repeated(() => this.value(nesting)) };
      case tags.textMap:
        return this.#textMap(nesting);
      case tags.genMap:
        return { kind: "genMap", entries: this.#repeated(() => this.#genMapEntry(nesting)) };
      case tags.record:
        return this.#record(nesting);
      case tags.variant:
        return this.#variant(nesting);
      case tags.enum:
        return this.#enum();
      default:
        input.skip(tag);
        return undefined;
    }
  }

  #required<T>(value: T | undefined, field: string, what: string): T {
    if (value === undefined) throw this.#rules.missing(field, what);
    return value;
  }

  #checked(check: (text: string) => string | undefined, text: string): string {
    const wrong = check(text);
    if (wrong !== undefined) throw this.#rules.invalid(wrong);
    return text;
  }

  #date(days: number): LedgerValue {
    if (!dateInRange(days)) throw this.#rules.invalid(`out of bound Date ${days}`);
    return { kind: "date", days };
  }

  #timestamp(micros: bigint): LedgerValue {
    if (!timestampInRange(micros))
      throw this.#rules.invalid(`cannot convert long ${micros} into Timestamp:out of bound Timestamp ${micros}`);
    return { kind: "timestamp", micros };
  }

  #numeric(text: string): LedgerValue {
    const parsed = this.#rules.parseNumeric(text);
    if (parsed === undefined) throw this.#rules.invalid(`Could not read Numeric string ${JSON.stringify(text.slice(0, shownChars))}`);
    return { kind: "numeric", unscaled: parsed.unscaled, scale: parsed.scale };
  }

  #contractId(hex: string): LedgerValue {
    const parsed = parseContractId(hex);
    if (parsed.error !== undefined) throw this.#rules.invalid(parsed.error.message);
    return { kind: "contractId", hex };
  }

  #optional(nesting: number): LedgerValue {
    let value: LedgerValue | undefined;
    const input = this.#input,
      outer = input.enter();
    for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
      if (tag === first) value = this.value(nesting);
      else input.skip(tag);
    }
    input.leave(outer);
    return { kind: "optional", value };
  }

  #repeated<T>(read: () => T): T[] {
    const items: T[] = [],
      input = this.#input,
      outer = input.enter();
    for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
      if (tag === first) items.push(read());
      else input.skip(tag);
    }
    input.leave(outer);
    return items;
  }

  #textMap(nesting: number): LedgerValue {
    const entries = this.#repeated(() => this.#textMapEntry(nesting));
    entries.sort(([left], [right]) => compareText(left, right));
    const repeated = entries.find(([key], index) => entries[index - 1]?.[0] === key);
    if (repeated !== undefined) throw this.#rules.invalid(`key ${repeated[0].slice(0, shownChars)} duplicated when trying to build map`);
    return { kind: "textMap", entries };
  }

  #textMapEntry(nesting: number): readonly [string, LedgerValue] {
    let key = "",
      value: LedgerValue | undefined;
    const input = this.#input,
      outer = input.enter();
    for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
      if (tag === first) key = this.#checked(this.#rules.checkText, input.text());
      else if (tag === second) value = this.value(nesting);
      else input.skip(tag);
    }
    input.leave(outer);
    return [key, this.#required(value, "value", "the value of a map entry")];
  }

  #genMapEntry(nesting: number): readonly [LedgerValue, LedgerValue] {
    let key: LedgerValue | undefined, value: LedgerValue | undefined;
    const input = this.#input,
      outer = input.enter();
    for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
      if (tag === first) key = this.value(nesting);
      else if (tag === second) value = this.value(nesting);
      else input.skip(tag);
    }
    input.leave(outer);
    return [this.#required(key, "key", "the key of a map entry"), this.#required(value, "value", "the value of a map entry")];
  }

  #record(nesting: number): LedgerValue {
    const fields: LedgerField[] = [],
      input = this.#input,
      outer = input.enter();
    let typeId: string | undefined;
    for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
      if (tag === first) typeId = readTypeId(input, this.#rules);
      else if (tag === second) fields.push(this.#field(nesting));
      else input.skip(tag);
    }
    input.leave(outer);
    return { kind: "record", fields, ...typed(typeId) };
  }

  #field(nesting: number): LedgerField {
    let label = "",
      value: LedgerValue | undefined;
    const input = this.#input,
      outer = input.enter();
    for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
      if (tag === first) label = input.text();
      else if (tag === second) value = this.value(nesting);
      else input.skip(tag);
    }
    input.leave(outer);
    const given = this.#required(value, "value", "the value of a record field");
    return label === "" ? { value: given } : { label: this.#checked(checkName, label), value: given };
  }

  #variant(nesting: number): LedgerValue {
    const { value, ...rest } = this.#constructed("constructor", nesting);
    return { kind: "variant", ...rest, value: this.#required(value, "value", "the value of a variant") };
  }

  #enum(): LedgerValue {
    const { value: _, ...rest } = this.#constructed("value", undefined);
    return { kind: "enum", ...rest };
  }

  /** A variant, or an enum, which has no value: then without nesting. `field`: by which failures name the constructor. */
  #constructed(
    field: string,
    nesting: number | undefined,
  ): { readonly constructor_: string; readonly typeId?: string; readonly value: LedgerValue | undefined } {
    let typeId: string | undefined,
      constructor_ = "",
      value: LedgerValue | undefined;
    const input = this.#input,
      outer = input.enter();
    for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
      if (tag === first) typeId = readTypeId(input, this.#rules);
      else if (tag === second) constructor_ = input.text();
      else if (tag === third && nesting !== undefined) value = this.value(nesting);
      else input.skip(tag);
    }
    input.leave(outer);
    if (constructor_ === "") throw this.#rules.missing(field, "the constructor of a value");
    const wrong = checkName(constructor_);
    if (wrong !== undefined) throw this.#rules.invalidField(field, wrong);
    return { constructor_, value, ...typed(typeId) };
  }
}

/** Of a text that failures tell of. */
const shownChars = 100;

const typed = (typeId: string | undefined): { readonly typeId?: string } => (typeId === undefined ? {} : { typeId });
