/** What a function that is a loop keeps from one iteration to the next. */
import type { Expr } from "../ast.js";

/** The cells of a list made so far. */
export interface GrowingList {
  readonly first: string;
  readonly last: string;
}

/** Variables of the function, and the expressions that wait in it. */
export interface WaitingCalls {
  /** The array that is being filled, how many values are in it, and those that are full. */
  readonly values: string;
  readonly count: string;
  readonly full: string;
  /** What the inner call gave. */
  readonly result: string;
  readonly sites: Map<Expr, Site>;
  /** Whether the values must tell the sites apart. */
  readonly several: boolean;
}

/** One expression that waits: code that takes its values back and sets the result. */
export interface Site {
  readonly index: number;
  readonly names: readonly string[];
  readonly code: string;
}
