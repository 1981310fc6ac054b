/**
 * The builtin functions, each in one row: its number in an archive, its type (the type checker's table of the reference) and the
 * function of the runtime that it is, or the feature of the language that it needs. Decoder, encoder, validator and compiler take
 * theirs from here; a test holds numbers and names to `proto/daml_lf.proto`. Helpers and features are literals: where they are used
 * the type checker holds them to the runtime and to the features of `archive/version.ts`, so this file stands below both.
 */
import type { Kind, Type } from "./type.js";
import {
  anyException,
  asFunction,
  bigNumeric,
  bool,
  contractId,
  date,
  failureCategory,
  fn,
  forall,
  genMap,
  int64,
  list,
  nat,
  numeric,
  optional,
  party,
  roundingMode,
  star,
  struct,
  text,
  textMap,
  timestamp,
  typeRep,
  variable,
} from "./type-forms.js";

const a = variable("a"),
  b = variable("b"),
  c = variable("c");
const all = (kind: Kind, names: readonly string[], body: Type): Type =>
  names.reduceRight((inner, name) => forall({ name, kind }, inner), body);
const ofTypes = (names: readonly string[], body: Type): Type => all(star, names, body);
const ofScales = (names: readonly string[], body: Type): Type => all(nat, names, body);

const int64Operation = fn(int64, int64, int64);
const comparison = ofTypes(["a"], fn(a, a, bool));
const numericOperation = ofScales(["a"], fn(numeric(a), numeric(a), numeric(a)));
/** The first argument only says the scale of the result. */
const scalingOperation = ofScales(["a", "b", "c"], fn(numeric(c), numeric(a), numeric(b), numeric(c)));
const numericConversion = ofScales(["a", "b"], fn(numeric(b), numeric(a), numeric(b)));
const bigNumericOperation = fn(bigNumeric, bigNumeric, bigNumeric);
const mapping = genMap(a, b);
const textMapEntry = struct([
  { name: "key", type: text },
  { name: "value", type: a },
]);

interface Row<Helper, Feature> {
  readonly number: number;
  readonly type: Type;
  /** How many arguments it takes before it runs. */
  readonly arity: number;
  /** What it is at run time; undefined: no version that can be run has it. Types choose faster forms, see `compile/builtin.ts`. */
  readonly helper: Helper;
  /** Undefined: every version has it. */
  readonly feature: Feature;
}

const row = <const Helper extends string | undefined, const Feature extends string | undefined = undefined>(
  number: number,
  type: Type,
  helper: Helper,
  feature?: Feature,
): Row<Helper, Feature> => ({ number, type, arity: arityOf(type), helper, feature: feature as Feature });

function arityOf(type: Type): number {
  if (type.kind === "forall") return arityOf(type.body);
  const arrow = asFunction(type);
  return arrow === undefined ? 0 : 1 + arityOf(arrow.result);
}

const rows = {
  TRACE: row(0, ofTypes(["a"], fn(text, a, a)), "trace"),
  ERROR: row(1, ofTypes(["a"], fn(text, a)), "userError"),
  EQUAL: row(2, comparison, "equal"),
  LESS_EQ: row(3, comparison, "lessEq"),
  LESS: row(4, comparison, "less"),
  GREATER_EQ: row(5, comparison, "greaterEq"),
  GREATER: row(6, comparison, "greater"),
  ADD_INT64: row(7, int64Operation, "addInt64"),
  SUB_INT64: row(8, int64Operation, "subInt64"),
  MUL_INT64: row(9, int64Operation, "mulInt64"),
  DIV_INT64: row(10, int64Operation, "divInt64"),
  MOD_INT64: row(11, int64Operation, "modInt64"),
  EXP_INT64: row(12, int64Operation, "expInt64"),
  ADD_NUMERIC: row(13, numericOperation, "addNumeric"),
  SUB_NUMERIC: row(14, numericOperation, "subNumeric"),
  MUL_NUMERIC: row(15, scalingOperation, "mulNumeric"),
  DIV_NUMERIC: row(16, scalingOperation, "divNumeric"),
  ROUND_NUMERIC: row(17, ofScales(["a"], fn(int64, numeric(a), numeric(a))), "roundNumeric"),
  CAST_NUMERIC: row(18, numericConversion, "castNumeric"),
  SHIFT_NUMERIC: row(19, numericConversion, "shiftNumeric"),
  INT64_TO_NUMERIC: row(20, ofScales(["a"], fn(numeric(a), int64, numeric(a))), "int64ToNumeric"),
  NUMERIC_TO_INT64: row(21, ofScales(["a"], fn(numeric(a), int64)), "numericToInt64"),
  INT64_TO_TEXT: row(22, fn(int64, text), "int64ToText"),
  NUMERIC_TO_TEXT: row(23, ofScales(["a"], fn(numeric(a), text)), "numericToText"),
  TIMESTAMP_TO_TEXT: row(25, fn(timestamp, text), "timestampToText"),
  DATE_TO_TEXT: row(26, fn(date, text), "dateToText"),
  PARTY_TO_TEXT: row(27, fn(party, text), "identity"),
  TEXT_TO_PARTY: row(28, fn(text, optional(party)), "textToParty"),
  TEXT_TO_INT64: row(29, fn(text, optional(int64)), "textToInt64"),
  TEXT_TO_NUMERIC: row(30, ofScales(["a"], fn(numeric(a), text, optional(numeric(a)))), "textToNumeric"),
  CONTRACT_ID_TO_TEXT: row(31, ofTypes(["a"], fn(contractId(a), optional(text))), "contractIdToText"),
  SHA256_TEXT: row(32, fn(text, text), "sha256Text"),
  EXPLODE_TEXT: row(33, fn(text, list(text)), "explodeText"),
  APPEND_TEXT: row(34, fn(text, text, text), "appendText"),
  IMPLODE_TEXT: row(35, fn(list(text), text), "implodeText"),
  CODE_POINTS_TO_TEXT: row(36, fn(list(int64), text), "codePointsToText"),
  TEXT_TO_CODE_POINTS: row(37, fn(text, list(int64)), "textToCodePoints"),
  DATE_TO_UNIX_DAYS: row(38, fn(date, int64), "dateToUnixDays"),
  UNIX_DAYS_TO_DATE: row(39, fn(int64, date), "unixDaysToDate"),
  TIMESTAMP_TO_UNIX_MICROSECONDS: row(40, fn(timestamp, int64), "timestampToUnixMicroseconds"),
  UNIX_MICROSECONDS_TO_TIMESTAMP: row(41, fn(int64, timestamp), "unixMicrosecondsToTimestamp"),
  COERCE_CONTRACT_ID: row(42, ofTypes(["a", "b"], fn(contractId(a), contractId(b))), "identity"),
  FOLDL: row(43, ofTypes(["a", "b"], fn(fn(b, a, b), b, list(a), b)), "foldl"),
  FOLDR: row(44, ofTypes(["a", "b"], fn(fn(a, b, b), b, list(a), b)), "foldr"),
  EQUAL_LIST: row(45, ofTypes(["a"], fn(fn(a, a, bool), list(a), list(a), bool)), "equalList"),
  GENMAP_EMPTY: row(52, ofTypes(["a", "b"], mapping), "emptyMap"),
  GENMAP_INSERT: row(53, ofTypes(["a", "b"], fn(a, b, mapping, mapping)), "genMapInsert"),
  GENMAP_LOOKUP: row(54, ofTypes(["a", "b"], fn(a, mapping, optional(b))), "genMapLookup"),
  GENMAP_DELETE: row(55, ofTypes(["a", "b"], fn(a, mapping, mapping)), "genMapDelete"),
  GENMAP_KEYS: row(56, ofTypes(["a", "b"], fn(mapping, list(a))), "mapKeys"),
  GENMAP_VALUES: row(57, ofTypes(["a", "b"], fn(mapping, list(b))), "mapValues"),
  GENMAP_SIZE: row(58, ofTypes(["a", "b"], fn(mapping, int64)), "mapSize"),
  ANY_EXCEPTION_MESSAGE: row(59, fn(anyException, text), "exceptionMessage"),
  TEXTMAP_EMPTY: row(60, ofTypes(["a"], textMap(a)), "emptyMap"),
  TEXTMAP_INSERT: row(61, ofTypes(["a"], fn(text, a, textMap(a), textMap(a))), "textMapInsert"),
  TEXTMAP_LOOKUP: row(62, ofTypes(["a"], fn(text, textMap(a), optional(a))), "textMapLookup"),
  TEXTMAP_DELETE: row(63, ofTypes(["a"], fn(text, textMap(a), textMap(a))), "textMapDelete"),
  TEXTMAP_TO_LIST: row(64, ofTypes(["a"], fn(textMap(a), list(textMapEntry))), "textMapToList"),
  TEXTMAP_SIZE: row(65, ofTypes(["a"], fn(textMap(a), int64)), "mapSize"),
  FAIL_WITH_STATUS: row(66, ofTypes(["a"], fn(text, failureCategory, text, textMap(text), a)), "failWithStatus"),
  KECCAK256_TEXT: row(67, fn(text, text), "keccak256Text"),
  SECP256K1_BOOL: row(68, fn(text, text, text, bool), "secp256k1Bool"),
  HEX_TO_TEXT: row(69, fn(text, text), "hexToText"),
  TEXT_TO_HEX: row(70, fn(text, text), "textToHex"),
  SHA256_HEX: row(71, fn(text, text), "sha256Hex"),
  SECP256K1_WITH_ECDSA_BOOL: row(72, fn(text, text, text, bool), "secp256k1WithEcdsaBool"),
  SECP256K1_VALIDATE_KEY: row(73, fn(text, bool), "secp256k1ValidateKey", "Extended crypto primitives"),
  SCALE_BIGNUMERIC: row(2001, fn(bigNumeric, int64), undefined, "BigNumeric type"),
  PRECISION_BIGNUMERIC: row(2002, fn(bigNumeric, int64), undefined, "BigNumeric type"),
  ADD_BIGNUMERIC: row(2003, bigNumericOperation, undefined, "BigNumeric type"),
  SUB_BIGNUMERIC: row(2004, bigNumericOperation, undefined, "BigNumeric type"),
  MUL_BIGNUMERIC: row(2005, bigNumericOperation, undefined, "BigNumeric type"),
  DIV_BIGNUMERIC: row(2006, fn(int64, roundingMode, bigNumeric, bigNumeric, bigNumeric), undefined, "BigNumeric type"),
  SHIFT_RIGHT_BIGNUMERIC: row(2007, fn(int64, bigNumeric, bigNumeric), undefined, "BigNumeric type"),
  BIGNUMERIC_TO_NUMERIC: row(2008, ofScales(["a"], fn(numeric(a), bigNumeric, numeric(a))), undefined, "BigNumeric type"),
  NUMERIC_TO_BIGNUMERIC: row(2009, ofScales(["a"], fn(numeric(a), bigNumeric)), undefined, "BigNumeric type"),
  BIGNUMERIC_TO_TEXT: row(2010, fn(bigNumeric, text), undefined, "BigNumeric type"),
  TYPE_REP_TYCON_NAME: row(3011, fn(typeRep, optional(text)), undefined, "Unstable, experimental features"),
};

/** As the archive's schema spells it. */
export type BuiltinName = keyof typeof rows;

type Value<T> = T[keyof T];
type HelperName = NonNullable<Value<typeof rows>["helper"]>;
export type BuiltinFunction = Row<HelperName | undefined, Value<typeof rows>["feature"]>;
export type RunnableBuiltin = Row<HelperName, BuiltinFunction["feature"]>;

export const builtins: Readonly<Record<BuiltinName, BuiltinFunction>> = rows;

const names: ReadonlyMap<number, BuiltinName> = new Map((Object.keys(rows) as BuiltinName[]).map((name) => [rows[name].number, name]));

export const builtinNumbered = (number: number): BuiltinName | undefined => names.get(number);

/** Undefined for those that only versions have which cannot be run. */
export const runnableBuiltin = (name: BuiltinName): RunnableBuiltin | undefined => {
  const builtin = builtins[name];
  return builtin.helper === undefined ? undefined : (builtin as RunnableBuiltin);
};
