/** Enumerations of an archive, by their numbers. Names are those of the published schema. */
import type { BuiltinType, FailureCategory, RoundingMode } from "../ast.js";
import type { Feature } from "./version.js";

export const builtinTypes: ReadonlyMap<number, BuiltinType> = new Map([
  [0, "UNIT"], [1, "BOOL"], [2, "INT64"], [3, "DATE"], [4, "TIMESTAMP"], [5, "NUMERIC"], [6, "PARTY"], [7, "TEXT"], [8, "CONTRACT_ID"], [9, "OPTIONAL"], [10, "LIST"],
  [11, "GENMAP"], [13, "ANY"], [14, "ANY_EXCEPTION"], [15, "TYPE_REP"], [16, "ARROW"], [17, "UPDATE"], [18, "FAILURE_CATEGORY"], [19, "TEXTMAP"],
  [1002, "BIGNUMERIC"], [1003, "ROUNDING_MODE"],
]);

export const builtinTypeFeatures: ReadonlyMap<BuiltinType, Feature> = new Map([["BIGNUMERIC", "BigNumeric type"], ["ROUNDING_MODE", "BigNumeric type"]]);

export const builtinFunctions: ReadonlyMap<number, string> = new Map([
  [0, "TRACE"], [1, "ERROR"], [2, "EQUAL"], [3, "LESS_EQ"], [4, "LESS"], [5, "GREATER_EQ"], [6, "GREATER"],
  [7, "ADD_INT64"], [8, "SUB_INT64"], [9, "MUL_INT64"], [10, "DIV_INT64"], [11, "MOD_INT64"], [12, "EXP_INT64"],
  [13, "ADD_NUMERIC"], [14, "SUB_NUMERIC"], [15, "MUL_NUMERIC"], [16, "DIV_NUMERIC"], [17, "ROUND_NUMERIC"], [18, "CAST_NUMERIC"], [19, "SHIFT_NUMERIC"],
  [20, "INT64_TO_NUMERIC"], [21, "NUMERIC_TO_INT64"], [22, "INT64_TO_TEXT"], [23, "NUMERIC_TO_TEXT"], [25, "TIMESTAMP_TO_TEXT"], [26, "DATE_TO_TEXT"], [27, "PARTY_TO_TEXT"],
  [28, "TEXT_TO_PARTY"], [29, "TEXT_TO_INT64"], [30, "TEXT_TO_NUMERIC"], [31, "CONTRACT_ID_TO_TEXT"], [32, "SHA256_TEXT"], [33, "EXPLODE_TEXT"], [34, "APPEND_TEXT"],
  [35, "IMPLODE_TEXT"], [36, "CODE_POINTS_TO_TEXT"], [37, "TEXT_TO_CODE_POINTS"], [38, "DATE_TO_UNIX_DAYS"], [39, "UNIX_DAYS_TO_DATE"],
  [40, "TIMESTAMP_TO_UNIX_MICROSECONDS"], [41, "UNIX_MICROSECONDS_TO_TIMESTAMP"], [42, "COERCE_CONTRACT_ID"], [43, "FOLDL"], [44, "FOLDR"], [45, "EQUAL_LIST"],
  [52, "GENMAP_EMPTY"], [53, "GENMAP_INSERT"], [54, "GENMAP_LOOKUP"], [55, "GENMAP_DELETE"], [56, "GENMAP_KEYS"], [57, "GENMAP_VALUES"], [58, "GENMAP_SIZE"],
  [59, "ANY_EXCEPTION_MESSAGE"], [60, "TEXTMAP_EMPTY"], [61, "TEXTMAP_INSERT"], [62, "TEXTMAP_LOOKUP"], [63, "TEXTMAP_DELETE"], [64, "TEXTMAP_TO_LIST"], [65, "TEXTMAP_SIZE"],
  [66, "FAIL_WITH_STATUS"], [67, "KECCAK256_TEXT"], [68, "SECP256K1_BOOL"], [69, "HEX_TO_TEXT"], [70, "TEXT_TO_HEX"], [71, "SHA256_HEX"],
  [72, "SECP256K1_WITH_ECDSA_BOOL"], [73, "SECP256K1_VALIDATE_KEY"],
  [2001, "SCALE_BIGNUMERIC"], [2002, "PRECISION_BIGNUMERIC"], [2003, "ADD_BIGNUMERIC"], [2004, "SUB_BIGNUMERIC"], [2005, "MUL_BIGNUMERIC"], [2006, "DIV_BIGNUMERIC"],
  [2007, "SHIFT_RIGHT_BIGNUMERIC"], [2008, "BIGNUMERIC_TO_NUMERIC"], [2009, "NUMERIC_TO_BIGNUMERIC"], [2010, "BIGNUMERIC_TO_TEXT"], [3011, "TYPE_REP_TYCON_NAME"],
]);

/** Builtins that not every version has. */
export function featureOfBuiltin(builtin: string): Feature | undefined {
  if (builtin === "SECP256K1_VALIDATE_KEY") return "Extended crypto primitives";
  if (builtin === "TYPE_REP_TYCON_NAME") return "Unstable, experimental features";
  return builtin.includes("BIGNUMERIC") ? "BigNumeric type" : undefined;
}

export const failureCategories: readonly FailureCategory[] = ["INVALID_INDEPENDENT_OF_SYSTEM_STATE", "INVALID_GIVEN_CURRENT_SYSTEM_STATE_OTHER"];
export const roundingModes: readonly RoundingMode[] = ["UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN", "UNNECESSARY"];

/** BuiltinCon */
export const constructorNumbers = { unit: 0, false: 1, true: 2 } as const;
