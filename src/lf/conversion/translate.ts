/**
 * Gives an untyped ledger value its type. Stored contracts and command arguments differ in what they forgive: the walk
 * is here, the differences are `TranslationRules`.
 */
import { limits } from "../../config.js";
import {
  int64Of,
  type LedgerField,
  type LedgerValue,
  malformedText,
  Cons,
  ContractId,
  EnumValue,
  type LfMap,
  type List,
  nil,
  none,
  type Numeric,
  Some,
  unit,
  type Value,
  Variant,
} from "../value/index.js";
import { textMapOf } from "./maps.js";
import type { EnumType, RecordType, ValueType, VariantType } from "./value-type.js";

export type RecordLedgerValue = Extract<LedgerValue, { kind: "record" }>;
type DataLedgerValue = Extract<LedgerValue, { kind: "record" | "variant" | "enum" }>;

/** What went wrong, raised by the rules and caught where the walk started. */
export class TranslationFailure<E> extends Error {
  override readonly name = "TranslationFailure";
  constructor(readonly error: E) {
    super("value does not fit its type");
  }
}

export interface TranslationRules {
  /** Each of these throws a `TranslationFailure`. */
  mismatch(type: ValueType, value: LedgerValue, message?: string): never;
  tooDeep(): never;
  malformedText(problem: string): never;
  unknownConstructor(type: VariantType | EnumType, constructor_: string): never;
  /** Accepts or refuses. */
  checkContractId(hex: string): void;
  checkTypeId(type: RecordType | VariantType | EnumType, value: DataLedgerValue): void;
  numeric(type: Extract<ValueType, { kind: "numeric" }>, value: Extract<LedgerValue, { kind: "numeric" }>): Numeric;
  genMap(entries: readonly (readonly [Value, Value])[], value: LedgerValue): LfMap;
  /** One source value for each field of the type; `undefined` stands for None. */
  fields(type: RecordType, value: RecordLedgerValue): readonly (LedgerValue | undefined)[];
  /** Looks at what `fields` had no place for, after the fields were translated. */
  checkExtraFields(type: RecordType, value: RecordLedgerValue): void;
}

export function translate(type: ValueType, value: LedgerValue, rules: TranslationRules, nesting = 0): Value {
  if (nesting > limits.valueNestingMax) return rules.tooDeep();
  switch (type.kind) {
    case "unit":
      return value.kind === "unit" ? unit : rules.mismatch(type, value);
    case "bool":
      return value.kind === "bool" ? value.value : rules.mismatch(type, value);
    case "int64":
      return value.kind === "int64" ? int64Of(value.value) : rules.mismatch(type, value);
    case "date":
      return value.kind === "date" ? value.days : rules.mismatch(type, value);
    case "timestamp":
      return value.kind === "timestamp" ? value.micros : rules.mismatch(type, value);
    case "party":
      return value.kind === "party" ? value.value : rules.mismatch(type, value);
    case "text":
      return value.kind === "text" ? text(value.value, rules) : rules.mismatch(type, value);
    case "numeric":
      return value.kind === "numeric" ? rules.numeric(type, value) : rules.mismatch(type, value);
    case "contractId":
      return value.kind === "contractId" ? contractId(value.hex, rules) : rules.mismatch(type, value);
    case "optional":
      if (value.kind !== "optional") return rules.mismatch(type, value);
      return value.value === undefined ? none : new Some(translate(type.element, value.value, rules, nesting + 1));
    case "list":
      if (value.kind !== "list") return rules.mismatch(type, value);
      return listOf(value.elements.map((element) => translate(type.element, element, rules, nesting + 1)));
    case "textMap":
      if (value.kind !== "textMap") return rules.mismatch(type, value);
      return textMapOf(value.entries.map(([key, entry]) => [text(key, rules), translate(type.value, entry, rules, nesting + 1)]));
    case "genMap":
      if (value.kind !== "genMap") return rules.mismatch(type, value);
      return rules.genMap(
        value.entries.map(([key, entry]) => [
          translate(type.key, key, rules, nesting + 1),
          translate(type.value, entry, rules, nesting + 1),
        ]),
        value,
      );
    case "record":
      return value.kind === "record" ? record(type, value, rules, nesting) : rules.mismatch(type, value);
    case "variant":
      return value.kind === "variant" ? variant(type, value, rules, nesting) : rules.mismatch(type, value);
    case "enum":
      return value.kind === "enum" ? enumeration(type, value, rules) : rules.mismatch(type, value);
  }
}

export function listOf(elements: readonly Value[]): List {
  let list: List = nil;
  for (let i = elements.length - 1; i >= 0; i--) list = new Cons(elements[i]!, list);
  return list;
}

function text(value: string, rules: TranslationRules): string {
  const problem = malformedText(value);
  return problem === undefined ? value : rules.malformedText(problem);
}

function contractId(hex: string, rules: TranslationRules): ContractId {
  rules.checkContractId(hex);
  return new ContractId(hex);
}

function record(type: RecordType, value: RecordLedgerValue, rules: TranslationRules, nesting: number): Value {
  rules.checkTypeId(type, value);
  const sources = rules.fields(type, value);
  const fields = new Array<Value>(sources.length),
    types = type.fields;
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i];
    fields[i] = source === undefined ? none : translate(types[i]!.type, source, rules, nesting + 1);
  }
  rules.checkExtraFields(type, value);
  return fields;
}

function variant(type: VariantType, value: Extract<LedgerValue, { kind: "variant" }>, rules: TranslationRules, nesting: number): Value {
  rules.checkTypeId(type, value);
  const rank = type.rankOf(value.constructor_);
  if (rank === undefined) return rules.unknownConstructor(type, value.constructor_);
  return new Variant(rank, value.constructor_, translate(type.constructors[rank]!.type, value.value, rules, nesting + 1));
}

function enumeration(type: EnumType, value: Extract<LedgerValue, { kind: "enum" }>, rules: TranslationRules): Value {
  rules.checkTypeId(type, value);
  const rank = type.rankOf(value.constructor_);
  return rank === undefined ? rules.unknownConstructor(type, value.constructor_) : new EnumValue(rank, value.constructor_);
}

/** None may be dropped from behind a record, anything else may not. */
export const isNone = (field: LedgerField): boolean => field.value.kind === "optional" && field.value.value === undefined;
