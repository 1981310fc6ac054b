/** Literals and the builtin constructors. */
import type { Literal } from "../ast.js";
import { dateMax, dateMin, timestampMax, timestampMin } from "../value/index.js";
import { constructorNumbers, failureCategories, roundingModes } from "./builtin.js";
import { parsing } from "./failure.js";
import { parseNumeric } from "./identifier.js";
import type { Tables } from "./interning.js";
import { requireFeature } from "./version.js";
import type { Message } from "./wire-reader.js";

export function decodeLiteral(tables: Tables, message: Message<"BuiltinLit">): Literal {
  switch (message.case) {
    case "int64":
      return { kind: "int64", value: message.value };
    case "timestamp":
      return { kind: "timestamp", value: inRange(message.value, timestampMin, timestampMax, "timestamp") };
    case "date":
      return { kind: "date", value: inRange(message.value, dateMin, dateMax, "date") };
    case "numericInternedStr":
      return { kind: "numeric", ...parseNumeric(tables.string(message.value)) };
    case "textInternedStr":
      return { kind: "text", value: tables.string(message.value) };
    case "failureCategory":
      return { kind: "failureCategory", value: member(failureCategories, message.value, "failure category") };
    case "roundingMode":
      requireFeature(tables.version, "BigNumeric type");
      return { kind: "roundingMode", value: member(roundingModes, message.value, "rounding mode") };
    case undefined:
      throw parsing("a literal is missing");
  }
}

/** The three constructors that are built in; expressions and patterns write them alike. */
export function decodeConstructor(number: number): { readonly kind: "unit" } | { readonly kind: "bool"; readonly value: boolean } {
  switch (number) {
    case constructorNumbers.unit:
      return { kind: "unit" };
    case constructorNumbers.false:
      return { kind: "bool", value: false };
    case constructorNumbers.true:
      return { kind: "bool", value: true };
    default:
      throw parsing(`there is no builtin constructor with number ${number}`);
  }
}

function inRange<T extends number | bigint>(value: T, min: T, max: T, what: string): T {
  if (value < min || value > max) throw parsing(`the ${what} ${value} is out of range`);
  return value;
}

function member<T>(list: readonly T[], number: number, what: string): T {
  const found = list[number];
  if (found === undefined) throw parsing(`there is no ${what} with number ${number}`);
  return found;
}
