/** What a node tells of its log. */
import type { Instant, Int64 } from "../../ledger/types/scalars.js";

export interface GetLogResponse {
  /** The oldest first; those that are gone from memory are left out. */
  readonly lines: readonly LogLineEntry[];
  /** How many lines this process wrote: fewer than somebody has seen is another process. */
  readonly written: Int64;
}

export interface LogLineEntry {
  /** How many were written before it in this process, and itself. */
  readonly number: Int64;
  readonly at: Instant;
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  /** Small facts: texts, numbers, truths. */
  readonly fields: object;
}
