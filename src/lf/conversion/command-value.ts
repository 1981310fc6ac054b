/** Typing of command arguments that came as untyped values: lenient, as the reference prepares commands. */
import { limits } from "../../config.js";
import { fail, ok, type Result } from "../../base/result.js";
import { showId } from "../ast.js";
import type { PreprocessingError } from "../errors.js";
import { checkCommandContractId } from "./command-contract-id.js";
import { type LedgerValue, rescale, showNumeric, type LfMap, Numeric, type Value } from "../value/index.js";
import { genMapOf } from "./maps.js";
import { showType } from "./show-type.js";
import { isNone, type RecordLedgerValue, translate, TranslationFailure, type TranslationRules } from "./translate.js";
import { type EnumType, type RecordType, type ValueType, type VariantType } from "./value-type.js";

/** Types an argument of a command; labels may come in any order, numerics of any scale, maps unsorted. */
export function fromCommandValue(type: ValueType, value: LedgerValue): Result<Value, PreprocessingError> {
  try {
    return ok(translate(type, value, commandValueRules));
  } catch (error) {
    if (error instanceof TranslationFailure) return fail((error as TranslationFailure<PreprocessingError>).error);
    throw error;
  }
}

function raise(class_: string, message: string): never {
  throw new TranslationFailure<PreprocessingError>({ phase: "preprocessing", class: class_, message });
}

const mismatch = (type: ValueType, value: LedgerValue, message = mismatchOf(type, value)): never => raise("TypeMismatch", message);

const mismatchOf = (type: ValueType, { kind }: LedgerValue): string => `mismatching type: ${showType(type)} and value: one of kind ${kind}`;

const commandValueRules: TranslationRules = {
  mismatch,
  tooDeep: () => raise("ValueNesting", `value exceeds the maximum nesting of ${limits.valueNestingMax}`),
  malformedText: (problem) => raise("MalformedText", problem),
  unknownConstructor: (type: VariantType | EnumType, constructor_) =>
    raise("Lookup", `unknown constructor ${constructor_} in ${type.kind === "enum" ? "enumeration" : "variant"} ${showId(type.id)}`),

  checkContractId(hex) {
    const wrong = checkCommandContractId(hex);
    if (wrong !== undefined) raise("IllegalContractId", wrong);
  },

  /** Type ids are compared without their package: any version will do. */
  checkTypeId(type, value) {
    if (value.typeId === undefined) return;
    const expected = `${type.id.module}:${type.id.name}`;
    const given = value.typeId.slice(value.typeId.indexOf(":") + 1);
    if (given !== expected) mismatch(type, value, `the type is ${expected}, but the value says ${given}`);
  },

  numeric(type, value) {
    const unscaled = rescale(value.unscaled, value.scale, type.scale);
    if (typeof unscaled === "bigint") return new Numeric(unscaled, type.scale);
    const shown = showNumeric(value.unscaled, value.scale);
    return raise(
      "TypeMismatch",
      unscaled === "precision"
        ? `Cannot represent ${shown} as (Numeric ${type.scale}) without loss of precision`
        : `Out-of-bounds (Numeric ${type.scale}) ${shown}`,
    );
  },

  genMap: (entries): LfMap => genMapOf(entries),

  fields(type, value) {
    const labelled = byLabel(value);
    return type.fields.map((field, i) => {
      const source = labelled === undefined ? positional(type, value, i) : labelled.get(field.name);
      if (source === undefined && field.type.kind !== "optional") {
        raise("TypeMismatch", `Missing non-optional field ${JSON.stringify(field.name)}, cannot upgrade non-optional fields.`);
      }
      return source;
    });
  },

  checkExtraFields(type, value) {
    const labelled = byLabel(value) !== undefined;
    value.fields.forEach((field, i) => {
      const isExtra = labelled ? type.indexOf(field.label!) === undefined : i >= type.fields.length;
      if (!isExtra || isNone(field)) return;
      const name = field.label === undefined ? undefined : JSON.stringify(field.label);
      raise(
        "TypeMismatch",
        field.value.kind === "optional"
          ? `An optional contract field${name === undefined ? "" : ` (${name})`} with a value of Some may not be dropped during downgrading.`
          : `Found non-optional extra field${name === undefined ? "" : ` ${name}`}, cannot remove for downgrading.`,
      );
    });
  },
};

/** The fields by label when every one has a label; undefined when the record is to be read by position. */
function byLabel(value: RecordLedgerValue): ReadonlyMap<string, LedgerValue> | undefined {
  const fields = new Map<string, LedgerValue>();
  for (const { label, value: field } of value.fields) {
    if (label === undefined) return undefined;
    if (fields.has(label)) raise("TypeMismatch", `Duplicate label ${label} in record`);
    fields.set(label, field);
  }
  return fields;
}

function positional(type: RecordType, value: RecordLedgerValue, index: number): LedgerValue | undefined {
  const field = value.fields[index];
  const expected = type.fields[index]!.name;
  if (field?.label !== undefined && field.label !== expected) {
    raise(
      "TypeMismatch",
      `Mismatching record field label ${JSON.stringify(field.label)} (expecting ${JSON.stringify(expected)}) for record ${showId(type.id)}`,
    );
  }
  return field?.value;
}
