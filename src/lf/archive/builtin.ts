/** Enumerations of an archive, by their numbers; builtin functions are in `../builtins.ts`. Names are those of the published schema. */
import type { BuiltinType, FailureCategory, RoundingMode } from "../ast.js";
import type { Feature } from "./version.js";

export const builtinTypes: ReadonlyMap<number, BuiltinType> = new Map([
  [0, "UNIT"],
  [1, "BOOL"],
  [2, "INT64"],
  [3, "DATE"],
  [4, "TIMESTAMP"],
  [5, "NUMERIC"],
  [6, "PARTY"],
  [7, "TEXT"],
  [8, "CONTRACT_ID"],
  [9, "OPTIONAL"],
  [10, "LIST"],
  [11, "GENMAP"],
  [13, "ANY"],
  [14, "ANY_EXCEPTION"],
  [15, "TYPE_REP"],
  [16, "ARROW"],
  [17, "UPDATE"],
  [18, "FAILURE_CATEGORY"],
  [19, "TEXTMAP"],
  [1002, "BIGNUMERIC"],
  [1003, "ROUNDING_MODE"],
]);

export const builtinTypeFeatures: ReadonlyMap<BuiltinType, Feature> = new Map([
  ["BIGNUMERIC", "BigNumeric type"],
  ["ROUNDING_MODE", "BigNumeric type"],
]);

export const failureCategories: readonly FailureCategory[] = [
  "INVALID_INDEPENDENT_OF_SYSTEM_STATE",
  "INVALID_GIVEN_CURRENT_SYSTEM_STATE_OTHER",
];
export const roundingModes: readonly RoundingMode[] = [
  "UP",
  "DOWN",
  "CEILING",
  "FLOOR",
  "HALF_UP",
  "HALF_DOWN",
  "HALF_EVEN",
  "UNNECESSARY",
];

/** BuiltinCon */
export const constructorNumbers = { unit: 0, false: 1, true: 2 } as const;
