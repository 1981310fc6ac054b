/** What a ledger in memory remembers of a script, and the same as plain data. */
import type { Transaction } from "../../lf/index.js";
import { showTimestamp } from "../../lf/running-code.js";
import type { LedgerStep, SourceLocation } from "../outcome.js";
import type { Shower } from "../show/index.js";

interface Submitted {
  readonly actAs: readonly string[];
  readonly readAs: readonly string[];
  readonly location: SourceLocation | undefined;
}

export type MemoryStep =
  | ({
      readonly kind: "transaction";
      readonly time: bigint;
      readonly transaction: Transaction;
      readonly witnesses: readonly (readonly string[])[];
    } & Submitted)
  | ({ readonly kind: "failure"; readonly expected: boolean; readonly error: string } & Submitted)
  | { readonly kind: "time"; readonly from: bigint; readonly to: bigint };

export function showStep(step: MemoryStep, shower: Shower): LedgerStep {
  switch (step.kind) {
    case "transaction": {
      const { time, actAs, readAs, location } = step;
      return { kind: "transaction", time: showTimestamp(time), tree: shower.tree(step), actAs, readAs, location };
    }
    case "failure":
      return { ...step, error: shower.readable(step.error) };
    case "time":
      return { kind: "time", from: showTimestamp(step.from), to: showTimestamp(step.to) };
  }
}
