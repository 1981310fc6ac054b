/** The types of the builtin functions (the type checker's table of the reference). */
import type { Kind, Type } from "../ast.js";
import {
  anyException, bigNumeric, bool, contractId, date, failureCategory, fn, forall, genMap, int64, list, nat, numeric, optional, party, roundingMode, star, struct, text, textMap,
  timestamp, typeRep, variable,
} from "./type-forms.js";

const a = variable("a"), b = variable("b"), c = variable("c");
const all = (kind: Kind, names: readonly string[], body: Type): Type => names.reduceRight((inner, name) => forall({ name, kind }, inner), body);
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
const textMapEntry = struct([{ name: "key", type: text }, { name: "value", type: a }]);

const table: Readonly<Record<string, Type>> = {
  TRACE: ofTypes(["a"], fn(text, a, a)),
  ERROR: ofTypes(["a"], fn(text, a)),
  FAIL_WITH_STATUS: ofTypes(["a"], fn(text, failureCategory, text, textMap(text), a)),
  ANY_EXCEPTION_MESSAGE: fn(anyException, text),
  TYPE_REP_TYCON_NAME: fn(typeRep, optional(text)),

  EQUAL: comparison, LESS_EQ: comparison, LESS: comparison, GREATER_EQ: comparison, GREATER: comparison,

  ADD_INT64: int64Operation, SUB_INT64: int64Operation, MUL_INT64: int64Operation, DIV_INT64: int64Operation, MOD_INT64: int64Operation, EXP_INT64: int64Operation,
  INT64_TO_TEXT: fn(int64, text),
  TEXT_TO_INT64: fn(text, optional(int64)),
  INT64_TO_NUMERIC: ofScales(["a"], fn(numeric(a), int64, numeric(a))),

  ADD_NUMERIC: numericOperation, SUB_NUMERIC: numericOperation,
  MUL_NUMERIC: scalingOperation, DIV_NUMERIC: scalingOperation,
  ROUND_NUMERIC: ofScales(["a"], fn(int64, numeric(a), numeric(a))),
  CAST_NUMERIC: numericConversion, SHIFT_NUMERIC: numericConversion,
  NUMERIC_TO_INT64: ofScales(["a"], fn(numeric(a), int64)),
  NUMERIC_TO_TEXT: ofScales(["a"], fn(numeric(a), text)),
  TEXT_TO_NUMERIC: ofScales(["a"], fn(numeric(a), text, optional(numeric(a)))),

  SCALE_BIGNUMERIC: fn(bigNumeric, int64),
  PRECISION_BIGNUMERIC: fn(bigNumeric, int64),
  ADD_BIGNUMERIC: bigNumericOperation, SUB_BIGNUMERIC: bigNumericOperation, MUL_BIGNUMERIC: bigNumericOperation,
  DIV_BIGNUMERIC: fn(int64, roundingMode, bigNumeric, bigNumeric, bigNumeric),
  SHIFT_RIGHT_BIGNUMERIC: fn(int64, bigNumeric, bigNumeric),
  BIGNUMERIC_TO_NUMERIC: ofScales(["a"], fn(numeric(a), bigNumeric, numeric(a))),
  NUMERIC_TO_BIGNUMERIC: ofScales(["a"], fn(numeric(a), bigNumeric)),
  BIGNUMERIC_TO_TEXT: fn(bigNumeric, text),

  DATE_TO_UNIX_DAYS: fn(date, int64),
  UNIX_DAYS_TO_DATE: fn(int64, date),
  DATE_TO_TEXT: fn(date, text),
  TIMESTAMP_TO_UNIX_MICROSECONDS: fn(timestamp, int64),
  UNIX_MICROSECONDS_TO_TIMESTAMP: fn(int64, timestamp),
  TIMESTAMP_TO_TEXT: fn(timestamp, text),

  PARTY_TO_TEXT: fn(party, text),
  TEXT_TO_PARTY: fn(text, optional(party)),
  CONTRACT_ID_TO_TEXT: ofTypes(["a"], fn(contractId(a), optional(text))),
  COERCE_CONTRACT_ID: ofTypes(["a", "b"], fn(contractId(a), contractId(b))),

  EXPLODE_TEXT: fn(text, list(text)),
  IMPLODE_TEXT: fn(list(text), text),
  APPEND_TEXT: fn(text, text, text),
  CODE_POINTS_TO_TEXT: fn(list(int64), text),
  TEXT_TO_CODE_POINTS: fn(text, list(int64)),
  TEXT_TO_HEX: fn(text, text),
  HEX_TO_TEXT: fn(text, text),

  SHA256_TEXT: fn(text, text),
  SHA256_HEX: fn(text, text),
  KECCAK256_TEXT: fn(text, text),
  SECP256K1_BOOL: fn(text, text, text, bool),
  SECP256K1_WITH_ECDSA_BOOL: fn(text, text, text, bool),
  SECP256K1_VALIDATE_KEY: fn(text, bool),

  FOLDL: ofTypes(["a", "b"], fn(fn(b, a, b), b, list(a), b)),
  FOLDR: ofTypes(["a", "b"], fn(fn(a, b, b), b, list(a), b)),
  EQUAL_LIST: ofTypes(["a"], fn(fn(a, a, bool), list(a), list(a), bool)),

  TEXTMAP_EMPTY: ofTypes(["a"], textMap(a)),
  TEXTMAP_INSERT: ofTypes(["a"], fn(text, a, textMap(a), textMap(a))),
  TEXTMAP_LOOKUP: ofTypes(["a"], fn(text, textMap(a), optional(a))),
  TEXTMAP_DELETE: ofTypes(["a"], fn(text, textMap(a), textMap(a))),
  TEXTMAP_TO_LIST: ofTypes(["a"], fn(textMap(a), list(textMapEntry))),
  TEXTMAP_SIZE: ofTypes(["a"], fn(textMap(a), int64)),

  GENMAP_EMPTY: ofTypes(["a", "b"], mapping),
  GENMAP_INSERT: ofTypes(["a", "b"], fn(a, b, mapping, mapping)),
  GENMAP_LOOKUP: ofTypes(["a", "b"], fn(a, mapping, optional(b))),
  GENMAP_DELETE: ofTypes(["a", "b"], fn(a, mapping, mapping)),
  GENMAP_KEYS: ofTypes(["a", "b"], fn(mapping, list(a))),
  GENMAP_VALUES: ofTypes(["a", "b"], fn(mapping, list(b))),
  GENMAP_SIZE: ofTypes(["a", "b"], fn(mapping, int64)),
};

const types: ReadonlyMap<string, Type> = new Map(Object.entries(table));

export const typeOfBuiltinFunction = (builtin: string): Type | undefined => types.get(builtin);
