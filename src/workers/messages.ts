/** What crosses between the main thread and the engine workers. */
import type { Result } from "../base/result.js";
import type {
  CheckRequest,
  DarContents,
  Disclosed,
  EngineRefusal,
  InterfaceViewReply,
  InterfaceViewRequest,
  InterpretedTransaction,
  LedgerErrorData,
  PackageTooLarge,
  PreparationError,
  PrepareRequest,
  ReplayRequest,
  SignedFacts,
  SignedRequest,
  UnplacedTransaction,
  ValuePosition,
} from "../ledger/engine/index.js";
import type { Prepared } from "../ledger/index.js";
import type { TypeDescription, ArchiveError, PackageSummary, ValidationError } from "../lf/index.js";
import type { SharedProgress } from "./batch-progress.js";
import type { PackedOutcomes } from "./packed-interpretations.js";
import type { Packed } from "./packing.js";

/** Handed to a worker at its start. */
export interface WorkerSettings {
  readonly dataFolder: string;
  readonly contractMode: "NUCK" | "NoKey";
  /** Whether V8's flags are its own, as the process is nobody else's. */
  readonly isOwnProcess?: boolean;
  /** By how much it gives way to other threads (`priority.ts`). */
  readonly givesWayBy?: number;
  /** It is stopped when it had nothing to do for a while. */
  readonly isSpare?: boolean;
}

/** Whose tables are read: the number of a participant. */
interface OfParticipant {
  readonly participant: number;
}

/** What runs a model. */
export type CommandTask =
  /** Several submissions at once, of whatever participants: a message costs more than a small command. */
  | { readonly kind: "interpret"; readonly requests: Packed }
  | { readonly kind: "checkDisclosed"; readonly contracts: Disclosed }
  | { readonly kind: "readSigned"; readonly request: SignedRequest }
  | (OfParticipant & { readonly kind: "checkCommands"; readonly request: CheckRequest })
  | (OfParticipant & { readonly kind: "prepare"; readonly request: PrepareRequest })
  | (OfParticipant & { readonly kind: "replay"; readonly request: ReplayRequest })
  | (OfParticipant & { readonly kind: "computeViews"; readonly requests: readonly InterfaceViewRequest[] })
  | (OfParticipant & { readonly kind: "describeTypes"; readonly positions: readonly ValuePosition[] });

/** One that is not stored yet. */
export interface NewPackage {
  readonly packageId: string;
  readonly payload: Uint8Array;
}

/** Ids of two versions. */
export interface PackagePair {
  readonly older: string;
  readonly newer: string;
}

export type WorkerTask =
  /** `forgetsConstants`: before it begins, as it was lost with a thread that may have lacked the memory of what others keep. */
  | (CommandTask & { readonly progress: SharedProgress; readonly forgetsConstants?: boolean })
  | (OfParticipant & { readonly kind: "readDar"; readonly bytes: Uint8Array })
  | (OfParticipant & { readonly kind: "listDar"; readonly bytes: Uint8Array })
  | (OfParticipant & { readonly kind: "checkUpgrades"; readonly pairs: readonly PackagePair[]; readonly added: readonly NewPackage[] })
  | (OfParticipant & { readonly kind: "describePackage"; readonly packageId: string })
  /** Through the node's file, while it runs. */
  | { readonly kind: "checkFile" }
  /** A slice of getting ready for what is vetted. */
  | { readonly kind: "warm" }
  /** Answered at once: whoever answers has loaded. */
  | { readonly kind: "ping" };

export type CheckOutcome = Result<undefined, EngineRefusal>;
export type PrepareOutcome = Result<Prepared, EngineRefusal | PreparationError>;
export type ReplayOutcome = Result<InterpretedTransaction | UnplacedTransaction, LedgerErrorData | PreparationError>;
export type DisclosedOutcome = Result<undefined, LedgerErrorData>;
export type SignedOutcome = Result<SignedFacts, LedgerErrorData>;
export type DarList = Result<readonly PackageSummary[], ArchiveError>;
export type DarOutcome = Result<DarContents, ArchiveError | ValidationError>;

export interface FailedUpgrade {
  readonly pair: PackagePair;
  readonly reason: string;
}
export type UpgradeOutcome = Result<true, FailedUpgrade>;

export interface WorkerReplies {
  readonly interpret: PackedOutcomes;
  readonly checkCommands: CheckOutcome;
  readonly prepare: PrepareOutcome;
  readonly replay: Result<Packed, LedgerErrorData | PreparationError>;
  readonly checkDisclosed: DisclosedOutcome;
  readonly readSigned: SignedOutcome;
  readonly computeViews: readonly InterfaceViewReply[];
  readonly describeTypes: readonly (TypeDescription | undefined)[];
  readonly readDar: DarOutcome;
  readonly listDar: DarList;
  readonly checkUpgrades: UpgradeOutcome;
  readonly describePackage: Result<string, PackageTooLarge>;
  /** What is wrong with it, as a sentence. */
  readonly checkFile: string | undefined;
  readonly warm: { readonly threadId: number; readonly isDone: boolean };
  readonly ping: null;
}
export type WorkerReply = WorkerReplies[WorkerTask["kind"]];
