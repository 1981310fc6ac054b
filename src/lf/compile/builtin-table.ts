/** The builtins: how many arguments each takes and which function of the runtime it is. Types choose faster forms, see `builtin.ts`. */
import type { Runtime } from "./runtime.js";

export interface Builtin { readonly arity: number; readonly helper: keyof Runtime }

const row = (arity: number, helper: keyof Runtime): Builtin => ({ arity, helper });

export const builtins: ReadonlyMap<string, Builtin> = new Map(Object.entries({
  TRACE: row(2, "trace"),
  ERROR: row(1, "userError"),
  FAIL_WITH_STATUS: row(4, "failWithStatus"),
  ANY_EXCEPTION_MESSAGE: row(1, "exceptionMessage"),

  EQUAL: row(2, "equal"),
  LESS_EQ: row(2, "lessEq"),
  LESS: row(2, "less"),
  GREATER_EQ: row(2, "greaterEq"),
  GREATER: row(2, "greater"),

  ADD_INT64: row(2, "addInt64"),
  SUB_INT64: row(2, "subInt64"),
  MUL_INT64: row(2, "mulInt64"),
  DIV_INT64: row(2, "divInt64"),
  MOD_INT64: row(2, "modInt64"),
  EXP_INT64: row(2, "expInt64"),
  INT64_TO_TEXT: row(1, "int64ToText"),
  TEXT_TO_INT64: row(1, "textToInt64"),

  ADD_NUMERIC: row(2, "addNumeric"),
  SUB_NUMERIC: row(2, "subNumeric"),
  MUL_NUMERIC: row(3, "mulNumeric"),
  DIV_NUMERIC: row(3, "divNumeric"),
  ROUND_NUMERIC: row(2, "roundNumeric"),
  CAST_NUMERIC: row(2, "castNumeric"),
  SHIFT_NUMERIC: row(2, "shiftNumeric"),
  INT64_TO_NUMERIC: row(2, "int64ToNumeric"),
  NUMERIC_TO_INT64: row(1, "numericToInt64"),
  NUMERIC_TO_TEXT: row(1, "numericToText"),
  TEXT_TO_NUMERIC: row(2, "textToNumeric"),

  APPEND_TEXT: row(2, "appendText"),
  EXPLODE_TEXT: row(1, "explodeText"),
  IMPLODE_TEXT: row(1, "implodeText"),
  CODE_POINTS_TO_TEXT: row(1, "codePointsToText"),
  TEXT_TO_CODE_POINTS: row(1, "textToCodePoints"),

  TIMESTAMP_TO_TEXT: row(1, "timestampToText"),
  DATE_TO_TEXT: row(1, "dateToText"),
  DATE_TO_UNIX_DAYS: row(1, "dateToUnixDays"),
  UNIX_DAYS_TO_DATE: row(1, "unixDaysToDate"),
  TIMESTAMP_TO_UNIX_MICROSECONDS: row(1, "timestampToUnixMicroseconds"),
  UNIX_MICROSECONDS_TO_TIMESTAMP: row(1, "unixMicrosecondsToTimestamp"),

  PARTY_TO_TEXT: row(1, "identity"),
  TEXT_TO_PARTY: row(1, "textToParty"),
  CONTRACT_ID_TO_TEXT: row(1, "contractIdToText"),
  COERCE_CONTRACT_ID: row(1, "identity"),

  FOLDL: row(3, "foldl"),
  FOLDR: row(3, "foldr"),
  EQUAL_LIST: row(3, "equalList"),

  GENMAP_EMPTY: row(0, "emptyMap"),
  GENMAP_INSERT: row(3, "genMapInsert"),
  GENMAP_LOOKUP: row(2, "genMapLookup"),
  GENMAP_DELETE: row(2, "genMapDelete"),
  GENMAP_KEYS: row(1, "mapKeys"),
  GENMAP_VALUES: row(1, "mapValues"),
  GENMAP_SIZE: row(1, "mapSize"),
  TEXTMAP_EMPTY: row(0, "emptyMap"),
  TEXTMAP_INSERT: row(3, "textMapInsert"),
  TEXTMAP_LOOKUP: row(2, "textMapLookup"),
  TEXTMAP_DELETE: row(2, "textMapDelete"),
  TEXTMAP_TO_LIST: row(1, "textMapToList"),
  TEXTMAP_SIZE: row(1, "mapSize"),

  SHA256_TEXT: row(1, "sha256Text"),
  SHA256_HEX: row(1, "sha256Hex"),
  KECCAK256_TEXT: row(1, "keccak256Text"),
  SECP256K1_BOOL: row(3, "secp256k1Bool"),
  SECP256K1_WITH_ECDSA_BOOL: row(3, "secp256k1WithEcdsaBool"),
  SECP256K1_VALIDATE_KEY: row(1, "secp256k1ValidateKey"),
  HEX_TO_TEXT: row(1, "hexToText"),
  TEXT_TO_HEX: row(1, "textToHex"),
}));
