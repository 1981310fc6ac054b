/**
 * The ledger's own terms: what a commit writes and what readers get. Neither JSON bodies nor LF internals.
 *
 * An event is stored as the JSON text of everything about it that is the same for every reader; what depends on the
 * reader (witnesses, blob, views) or on the commit (offset) is added by `projection.ts` when it is read.
 */

import type { Int64 } from "../../base/int64.js";

export type Party = string;
export type Offset = number;

/** As it was asked for, with all its digits. Where it is no number no ledger ends. */
export type AskedOffset = Int64;

/** `packageId:Module:Entity`, as events print it. */
export type TemplateIdText = string;

interface EventBase {
  readonly nodeId: number;
  readonly contractId: string;
  readonly templateId: TemplateIdText;
  readonly packageName: string;
  /** Sorted. Stakeholders of the contract. */
  readonly stakeholders: readonly Party[];
  /** Sorted. Everyone who may see the node: its informees and its parents' witnesses. */
  readonly witnesses: readonly Party[];
  /** Whom the node informs by itself, where that are not all of these: who does not see its parents sees it with those alone. */
  readonly informees?: readonly Party[] | undefined;
  /**
   * The JSON members (with a comma in front, without braces) that are the same for every reader and come behind contract and
   * template id: up to `createArgument` or `consuming`.
   */
  readonly json: string;
  /**
   * Those that come after `witnessParties`; of an exercise `lastDescendantNodeId` and `exerciseResult`, of a create signatories to
   * representativePackageId.
   */
  readonly jsonAfter: string;
}

export interface StoredCreate extends EventBase {
  readonly kind: "create";
  /** False for a contract that the same transaction archives: never in the ACS delta. */
  readonly activates: boolean;
  readonly createdEventBlob: Uint8Array;
  readonly keyHash: string; // hex, "" without key
}

export interface StoredExercise extends EventBase {
  readonly kind: "exercise";
  readonly consuming: boolean;
  /** True when it archives a contract that was active before the transaction: an ArchivedEvent in the ACS delta. */
  readonly deactivates: boolean;
}

export type StoredEvent = StoredCreate | StoredExercise;

export interface TraceContext {
  readonly traceparent: string | null;
  readonly tracestate: string | null;
}

/** A contract leaves a synchronizer. */
export interface StoredUnassigned {
  readonly kind: "unassign";
  readonly nodeId: number;
  readonly contractId: string;
  readonly templateId: TemplateIdText;
  readonly packageName: string;
  /** Sorted; they are its witnesses too. */
  readonly stakeholders: readonly Party[];
  readonly reassignmentId: string;
  /** Numbers of synchronizers. */
  readonly source: number;
  readonly target: number;
  readonly submitter: Party;
  readonly reassignmentCounter: number;
  /** Until then only the submitter may assign it; undefined for those who do not see the target. */
  readonly assignmentExclusivity: bigint | undefined;
  /** Place of the event that had made it active. */
  readonly activated: { readonly offset: Offset; readonly nodeId: number };
  /** False where the same command names the contract a second time. */
  readonly deactivates: boolean;
}

/** A contract arrives on a synchronizer. */
export interface StoredAssigned {
  readonly kind: "assign";
  readonly nodeId: number;
  readonly created: StoredCreate;
  readonly reassignmentId: string;
  readonly source: number;
  readonly target: number;
  readonly submitter: Party;
  readonly reassignmentCounter: number;
}

export type StoredReassignmentEvent = StoredUnassigned | StoredAssigned;

export interface StoredReassignment {
  readonly offset: Offset;
  readonly updateId: string;
  readonly commandId: string;
  readonly workflowId: string;
  readonly recordTime: bigint;
  readonly trace: TraceContext;
  /** Of unassignments the source, of assignments the target. */
  readonly synchronizer: number;
  readonly events: readonly StoredReassignmentEvent[];
}

/** A transaction as the update log keeps it. */
export interface StoredTransaction {
  readonly synchronizer: number;
  readonly offset: Offset;
  readonly updateId: string;
  readonly commandId: string;
  readonly workflowId: string;
  readonly effectiveAt: bigint; // microseconds
  readonly recordTime: bigint;
  readonly trace: TraceContext;
  /** Hex; undefined when nobody signed it. */
  readonly externalTransactionHash?: string | undefined;
  readonly events: readonly StoredEvent[]; // by node id; fetches and rollbacks leave gaps
}

export interface Completion {
  readonly offset: Offset;
  readonly commandId: string;
  readonly submissionId: string;
  readonly userId: string;
  readonly actAs: readonly Party[];
  readonly updateId: string; // "" when rejected
  readonly recordTime: bigint;
  readonly trace: TraceContext;
  readonly deduplication: EffectiveDeduplication;
  readonly status: CompletionStatus;
}

export type EffectiveDeduplication =
  | { readonly kind: "offset"; readonly offset: Offset }
  | { readonly kind: "duration"; readonly seconds: number; readonly nanos: number }
  /** Reassignments are not deduplicated: a contract can be moved away once. */
  | { readonly kind: "none" };

/** gRPC status; code 0 = accepted. */
export interface CompletionStatus {
  readonly code: number;
  readonly message: string;
  readonly error?: LedgerErrorData;
  /** Name of the node that tells of the error. */
  readonly participant?: string;
}

/** An error as clients will see it; `errors.ts` makes them, `api/errors.ts` prints them. */
export interface LedgerErrorData {
  readonly code: string;
  readonly cause: string;
  readonly category: number; // of the table in `error-codes.ts`
  readonly context: Readonly<Record<string, string>>;
  readonly resources: readonly (readonly [string, string])[];
  /** Shown as `context.definite_answer`; undefined where the code defines none. */
  readonly definiteAnswer: boolean | undefined;
  /**
   * "json": found while the JSON of a request was decoded; such errors have a body of their own. "status": one that has
   * nothing but its text. "routing": found by what surrounds a submission, so that it does not name it. "elsewhere": by who is told neither
   * of which request nor of which node it is, so that it names none of both. "untraced": by a node that asks itself, and names itself
   * alone. Absent: the usual.
   */
  readonly origin?: "json" | "status" | "routing" | "elsewhere" | "untraced";
  /** Entries of the request's log (`request-log.ts`) for the context; there, if empty, wherever the error was made with that log. */
  readonly requestLog?: Readonly<Record<string, string>>;
  /** The submission id, where the error belongs to a submission. */
  readonly correlationId?: string;
}

/** The parties and template or interface filters of a reader, resolved: names are already bound to ids. */
export interface EventFormat {
  /** Undefined: any party. */
  readonly parties: ReadonlyMap<Party, PartyFilter>;
  readonly anyParty: PartyFilter | undefined;
  readonly verbose: boolean;
}
export interface PartyFilter {
  readonly wildcard: { readonly includeBlob: boolean } | undefined;
  readonly templates: readonly {
    readonly packageName: string;
    readonly module: string;
    readonly name: string;
    readonly includeBlob: boolean;
  }[];
  readonly interfaces: readonly {
    readonly packageName: string;
    readonly module: string;
    readonly name: string;
    readonly includeView: boolean;
    readonly includeBlob: boolean;
  }[];
}

export type TransactionShape = "acsDelta" | "ledgerEffects";
