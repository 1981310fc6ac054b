/** Typing of stored contracts: smart contract upgrades at run time, with what may be added and dropped. */
import { limits } from "../../config.js";
import { fail, ok, type Result } from "../../base/result.js";
import { showId } from "../ast.js";
import { isSuffixed, type LedgerValue, Numeric, type LfMap, type Value } from "../value/index.js";
import { genMapFromOrdered } from "./maps.js";
import { showType } from "./show-type.js";
import { isNone, type RecordLedgerValue, translate, TranslationFailure, type TranslationRules } from "./translate.js";
import { type EnumType, type RecordType, type ValueType, type VariantType } from "./value-type.js";

/** The reference's `TranslationFailed` constructors; `detail` carries their arguments, `class` included. */
export interface TranslationError {
  readonly class: "TypeMismatch" | "ValueNesting" | "MalformedText" | "InvalidValue" | "LookupError";
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface StoredValueOptions {
  /** True for local contracts and those with ca11 or ca12 ids: a stored trailing None is then an error. */
  readonly forbidTrailingNone: boolean;
  /** True for contracts of the ledger: they mention no others. Which id is in the way, the failure does not tell. */
  readonly suffixedOnly?: boolean;
}

/** Types the argument of a stored contract, padding records with None or dropping None as the target type needs. */
export function fromStoredValue(type: ValueType, value: LedgerValue, options: StoredValueOptions): Result<Value, TranslationError> {
  try {
    return ok(translate(type, value, rules(options)));
  } catch (error) {
    if (error instanceof TranslationFailure) return fail((error as TranslationFailure<TranslationError>).error);
    throw error;
  }
}

function raise(class_: TranslationError["class"], message: string, detail: Record<string, unknown>): never {
  throw new TranslationFailure<TranslationError>({ class: class_, message, detail: { class: class_, ...detail } });
}

class StoredValueRules implements TranslationRules {
  constructor(
    readonly forbidTrailingNone: boolean,
    readonly suffixedOnly: boolean,
  ) {}

  mismatch(type: ValueType, value: LedgerValue, message = `a value of kind ${value.kind} is not of type ${showType(type)}`): never {
    return raise("TypeMismatch", message, { expectedType: showType(type), actualValue: value, message });
  }
  tooDeep(): never {
    return raise("ValueNesting", `value exceeds the maximum nesting of ${limits.valueNestingMax}`, {});
  }
  malformedText(problem: string): never {
    return raise("MalformedText", problem, { err: problem });
  }
  unknownConstructor(type: VariantType | EnumType, constructor_: string): never {
    const reference = {
      class: type.kind === "variant" ? "DataVariantConstructor" : "DataEnumConstructor",
      tyCon: showId(type.id),
      constructorName: constructor_,
    };
    return raise("LookupError", `unknown constructor ${constructor_} of ${showId(type.id)}`, {
      lookupError: { class: "NotFound", notFound: reference, context: reference },
    });
  }

  /** A contract of the running transaction may hold local ids. */
  checkContractId(hex: string): void {
    if (this.suffixedOnly && !isSuffixed(hex)) raise("TypeMismatch", "a contract id has no suffix", {});
  }

  checkTypeId(type: RecordType | VariantType | EnumType, value: Extract<LedgerValue, { kind: "record" | "variant" | "enum" }>): void {
    if (value.typeId !== undefined) invalid(value, `Unexpected type id ${value.typeId} in ${value.kind} value.`);
  }

  numeric(type: Extract<ValueType, { kind: "numeric" }>, value: Extract<LedgerValue, { kind: "numeric" }>): Numeric {
    if (value.scale === type.scale) return new Numeric(value.unscaled, value.scale);
    return this.mismatch(
      type,
      value,
      `Non-normalized Numeric: the type expects scale ${type.scale}, but the value has scale ${value.scale}`,
    );
  }

  genMap(entries: readonly (readonly [Value, Value])[], value: LedgerValue): LfMap {
    return genMapFromOrdered(entries) ?? invalid(value, "Unexpected non-strictly ordered GenMap value");
  }

  fields(type: RecordType, value: RecordLedgerValue): readonly (LedgerValue | undefined)[] {
    const { fields } = value;
    for (const { label } of fields) if (label !== undefined) invalid(value, `Unexpected label ${label} in record value.`);
    const last = fields[fields.length - 1];
    if (this.forbidTrailingNone && last !== undefined && isNone(last)) invalid(value, "Unexpected trailing None in record.");
    const sources = new Array<LedgerValue | undefined>(type.fields.length);
    for (let i = 0; i < sources.length; i++) sources[i] = i < fields.length ? fields[i]!.value : undefined;
    return sources;
  }

  checkExtraFields(type: RecordType, value: RecordLedgerValue): void {
    for (let i = value.fields.length; i < type.fields.length; i++) {
      if (type.fields[i]!.type.kind !== "optional") {
        this.mismatch(type, value, "Unexpected non-optional extra template field type encountered during upgrading.");
      }
    }
    for (let i = type.fields.length; i < value.fields.length; i++) {
      const field = value.fields[i]!;
      if (isNone(field)) continue;
      this.mismatch(
        type,
        value,
        field.value.kind === "optional"
          ? `Found an optional contract field with a value of Some at index ${i}, may not be dropped during downgrading.`
          : `Found non-optional extra field at index ${i}, cannot remove for downgrading.`,
      );
    }
  }
}

/** All that there are: as objects they are few. */
const allRules = [false, true].map((forbidTrailingNone) =>
  [false, true].map((suffixedOnly) => new StoredValueRules(forbidTrailingNone, suffixedOnly)),
);
const rules = ({ forbidTrailingNone, suffixedOnly = false }: StoredValueOptions): StoredValueRules =>
  allRules[Number(forbidTrailingNone)]![Number(suffixedOnly)]!;

function invalid(value: LedgerValue, message: string): never {
  return raise("InvalidValue", message, { value, message });
}
