/** What a submitter hands in, and what becomes of it. */
import type { Int64 } from "../../base/int64.js";
import type { DisclosedContract } from "../interpretation/index.js";
import type { AskedOffset, Offset, Party, TraceContext } from "../model/index.js";

/** The fields of the Ledger API's Commands message, decoded but not yet checked. */
export interface CommandSubmission {
  /** JSON text of the commands array. */
  readonly commands: string;
  readonly commandCount: number;
  readonly commandId: string;
  readonly userId: string;
  readonly submissionId: string; // "" = a fresh UUID
  readonly workflowId: string;
  readonly actAs: readonly Party[];
  readonly readAs: readonly Party[];
  readonly deduplication:
    | { readonly kind: "none" }
    | { readonly kind: "duration"; readonly seconds: Int64; readonly nanos: number }
    | { readonly kind: "offset"; readonly offset: AskedOffset };
  readonly minLedgerTimeAbs: bigint | undefined; // microseconds
  readonly minLedgerTimeRel: bigint | undefined;
  readonly disclosedContracts: readonly DisclosedContract[];
  readonly synchronizerId: string; // "" = any
  readonly packageIdSelectionPreference: readonly string[];
  /** How often packages may be chosen for it. */
  readonly selectionPassesMax?: number | undefined;
  /** JSON text of a list of keys, `templateId` and `contractKey`, that it may look up. */
  readonly keyHints?: string | undefined;
  readonly trace: TraceContext;
}

export interface Accepted {
  readonly updateId: string;
  readonly completionOffset: Offset;
}

/** A place among the commands in flight, kept for one that is about to be submitted, until it is or it is known that it will not be. */
export interface Admission {
  release(): void;
}
