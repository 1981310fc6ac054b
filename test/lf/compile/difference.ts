/** A random program run by the compiler and by the plain evaluator. */
import { FatalError } from "../../../src/lf/errors.js";
import { DamlException } from "../../../src/lf/runtime/machine.js";
import type { RecordValue } from "../../../src/lf/value/value.js";
import { drawFrom } from "../../support/random.js";
import { type Direction, Oracle, Stop } from "./oracle.js";
import { type Program, ProgramGenerator, recordFields } from "./random-program.js";
import { compile, int64 } from "./sample-package.js";

const fields = [
  { name: "a", type: int64 },
  { name: "b", type: int64 },
];
const dataTypes = [{ name: "R", params: [], serializable: true, cons: { kind: "record" as const, fields } }];

export const compiledAnswer = (program: Program): string => {
  try {
    return String(compile({ ...program, dataTypes }).call("result"));
  } catch (error) {
    if (error instanceof FatalError) return error.error.message;
    if (error instanceof DamlException) return (error.exception.value as RecordValue)[0] as string;
    throw error;
  }
};

export const expectedAnswer = (program: Program, direction?: Direction): string => {
  try {
    return String(new Oracle(program.values, () => recordFields, direction).evaluate(program.values["result"]!));
  } catch (error) {
    if (error instanceof Stop) return error.message;
    throw error;
  }
};

export const programOf = (seed: number): Program => new ProgramGenerator(drawFrom(seed)).program();
