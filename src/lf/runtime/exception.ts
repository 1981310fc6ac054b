/** Daml exceptions that the engine itself raises, and the fatal failures that LF code asks for. */
import type { DefinitionId, Type } from "../ast.js";
import { fatal } from "../errors.js";
import { AnyValue, type LfMap, Numeric, type RecordValue, type Value } from "../value/index.js";
import { DamlException } from "./machine.js";
import { numericToText } from "./numeric-text.js";

/** Of the stable package `daml-prim-DA-Exception-ArithmeticError`; thrown even when that package is not loaded. */
export const arithmeticErrorId: DefinitionId = {
  packageId: "ee33fb70918e7aaa3d3fc44d64a399fb2bf5bcefc54201b1690ecd448551ba88",
  module: "DA.Exception.ArithmeticError",
  name: "ArithmeticError",
};
const arithmeticErrorType: Type = { kind: "con", id: arithmeticErrorId };

const showArgument = (value: Value): string => (value instanceof Numeric ? numericToText(value) : String(value));

/** The message names the builtin and shows its arguments, the scale witness included. */
export const arithmeticError = (builtin: string, ...args: Value[]): never => {
  const message = `ArithmeticError while evaluating (${builtin} ${args.map(showArgument).join(" ")}).`;
  throw new DamlException(new AnyValue(arithmeticErrorType, [message]));
};

export const throwException = (type: Type, payload: RecordValue): never => {
  throw new DamlException(new AnyValue(type, payload));
};

export const userError = (message: string): never => {
  throw fatal("UserError", `User abort: ${message}`, { message });
};

/** FAIL_WITH_STATUS. The category is already the number of the Ledger API: 8 or 9. */
export const failWithStatus = (errorId: string, category: bigint, errorMessage: string, metadata: LfMap): never => {
  const failureCategory = Number(category);
  throw fatal("FailureStatus", `User failure: ${errorId} (error category ${failureCategory}): ${errorMessage}`, {
    errorId,
    failureCategory,
    errorMessage,
    metadata: [...metadata.entries()] as readonly (readonly [string, string])[], // its type is TextMap Text
  });
};

export const unsupported = (builtin: string): never => {
  throw fatal("Unsupported", `${builtin} is not supported.`, { builtin });
};
