/** Where compiled code and the runtime pay for what they use. The caps keep a hostile package from ending the process. */
import { limits } from "../../config.js";
import { fatal } from "../errors.js";
import type { Budget } from "./machine.js";

export interface RuntimeLimits {
  readonly textBytesMax: number;
  readonly collectionEntriesMax: number;
  readonly recursionDepthMax: number;
}

export type LimitName = "stepsMax" | "allocationMax" | "functionParametersMax" | keyof RuntimeLimits;

export const exceeded = (limit: LimitName): never => {
  throw fatal("LimitExceeded", `The limit ${limit} was exceeded.`, { limit });
};

/** Of a function, or of the class of a struct, before there is code of it: what V8 says of more is no refusal. */
export const checkParameters = (count: number): void => {
  if (count > limits.functionParametersMax) exceeded("functionParametersMax");
};

/** The slow path behind the two counters. */
export const spent = (budget: Budget): never => exceeded(budget.steps < 0 ? "stepsMax" : "allocationMax");

export class Meter {
  constructor(
    readonly budget: Budget,
    readonly limits: RuntimeLimits,
  ) {}

  allocate(units: number): void {
    if ((this.budget.allocation -= units) < 0) spent(this.budget);
  }

  /** For work that grows with its input but makes no call into compiled code. */
  work(steps: number): void {
    if ((this.budget.steps -= steps) < 0) spent(this.budget);
  }

  /** A text of this many UTF-16 units is about to be made: each is at least one byte. */
  text(length: number): void {
    if (length > this.limits.textBytesMax) exceeded("textBytesMax");
  }

  /** A list or map of this many entries is about to be made. */
  entries(count: number): void {
    if (count > this.limits.collectionEntriesMax) exceeded("collectionEntriesMax");
  }
}
