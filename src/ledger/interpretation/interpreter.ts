/**
 * The port that the engine pool implements (`workers/participant-engine.ts`): the only way from the ledger to the engine.
 * Everything that crosses is text, bytes and small records, so that it is cheap to send between threads.
 */
import type { Result } from "../../base/result.js";
import type { ArchiveError, LookupError, ValidationError, DefinitionId, PackageSummary, TypeDescription } from "../../lf/index.js";
import type { HashingScheme, PreparedMetadata } from "../../lf/interactive/index.js";
import type { Answer, EffectiveDeduplication, LedgerErrorData, Offset, Party, StoredEvent, TraceContext } from "../model/index.js";
import type { Untold, UntoldNodes } from "./untold.js";

export interface InterpretRequest {
  readonly actAs: readonly Party[];
  readonly readAs: readonly Party[];
  /**
   * The `commands` array of the Ledger API, as JSON text as received, or what that stands for. The worker decodes arguments by their LF
   * types.
   */
  readonly commands: string | readonly unknown[];
  /** createdEventBlob bytes, already checked against their optional ids. */
  readonly disclosed: readonly Uint8Array[];
  readonly packageIdSelectionPreference: readonly string[];
  /** How often packages may be chosen for it; undefined: as often as is usual. */
  readonly selectionPassesMax?: number | undefined;
  /** JSON text of keys that it may look up: they have to be of their types, and change nothing. */
  readonly keyHints?: string | undefined;
  /** How packages are chosen for it, where that is not by what is vetted here at its ledger time. */
  readonly choosing?: PackageChoosing | undefined;
  readonly ledgerTime: bigint; // microseconds
  readonly submissionSeed: Uint8Array;
  /** The worker's snapshot must be at least this new. */
  readonly atOffset: number;
  /** Grows with every change of packages or vetting: what a worker knows of them holds for one revision. */
  readonly packagesRevision: number;
  /** Number of the one whose vetting counts. */
  readonly synchronizer: number;
  /** Numbers: by what the first of them has vetted for all names the values have to be readable too. */
  readonly readableOn: readonly number[];
  /** Part of the seed of every contract id. */
  readonly participantId: string;
  /** What its records need beside: where it is given, records come back if they can be made there (`UnplacedTransaction`). */
  readonly facts?: RecordFacts | undefined;
  /** Of the request that it is of. */
  readonly traceparent?: string | null | undefined;
}

/** A choice of packages that others have a say in, or of a command whose ledger time lies ahead. */
export interface PackageChoosing {
  /** When the command came, microseconds: what is vetted then is chosen from. */
  readonly at: bigint;
  /** Which try it is, the first being 1, where whoever asks goes on from what it shows; 0: the engine does. */
  readonly pass: number;
  /** The first is of who acts first, and of all names in the command. None: what is vetted here counts. */
  readonly needs: readonly PackageNeed[];
}

/** Parties that the same participants host. */
export interface PackageNeed {
  /** Numbers of those participants. */
  readonly hosts: readonly number[];
  /** Of packages that the parties need, as far as that is known: all hosts have to have vetted what is chosen for them. */
  readonly names: readonly string[];
}

/** Parties, and ids of the packages of what each of them would see. */
export type PackagesByInformee = Readonly<Record<Party, readonly string[]>>;

/** Of a submission that is refused whatever it does: what there is to know of its commands without running them. */
export type CheckRequest = Pick<
  InterpretRequest,
  "commands" | "packageIdSelectionPreference" | "ledgerTime" | "atOffset" | "packagesRevision" | "synchronizer" | "readableOn"
>;

/** A submission whose body nobody has looked into: an engine thread reads it, if there is nothing special about it, and interprets it. */
export interface UnreadRequest {
  /** JSON of the Ledger API's `Commands`. */
  readonly body: Uint8Array;
  /** Of who sends it: whom it means where it names none. */
  readonly userId: string;
  /** What it got where it names none, when it was read before; "" = a fresh UUID. */
  readonly submissionId: string;
  readonly trace: TraceContext;
  readonly ledgerTime: bigint;
  readonly submissionSeed: Uint8Array;
  /** As of an `InterpretRequest`, these four. */
  readonly atOffset: Offset;
  readonly packagesRevision: number;
  readonly participantId: string;
  readonly synchronizerIdJson: string;
  /**
   * Whether it may use contracts that the snapshot does not have, and its engine thread made: who sends it may have been told of them. Its
   * commit finds out whether they are there.
   */
  readonly findsFresh: boolean;
  /** Up to where acceptances may be forgotten. */
  readonly prunedTo: Offset;
  /** How many digits the offset will have that it gets; 0: its records are not to be made yet. */
  readonly offsetDigits: number;
}

/** What a submission says of itself, as far as its commit has to know. */
export interface SubmissionFacts {
  readonly userId: string;
  readonly commandId: string;
  readonly submissionId: string;
  readonly workflowId: string;
  /** Sorted, without duplicates. */
  readonly actAs: readonly Party[];
  readonly readAs: readonly Party[];
  readonly changeKey: string;
  /** JSON of what came with it and is no matter of the ledger, "" for nothing. */
  readonly beside: string;
}

/** A submission that was read on an engine thread, and what came of it there. */
export interface ReadSubmission {
  readonly facts: SubmissionFacts;
  readonly transaction: InterpretedTransaction | UnplacedTransaction;
}

/** `refusal`: why it is none; undefined: somebody has to look at it who can say what is special about it. */
export type UnreadOutcome = ReadSubmission | { readonly refusal: EngineRefusal } | undefined;

/**
 * What a client is told of what the engine said: that itself may be as large as a model likes, and does not cross. What is told of a
 * package name that was not found depends on the names that a participant knows.
 */
export type EngineRefusal = LedgerErrorData | SelectionError | LookupError;

/** What a transaction and its completion are told with. */
export interface RecordFacts {
  readonly userId: string;
  readonly commandId: string;
  readonly submissionId: string;
  readonly workflowId: string;
  readonly trace: TraceContext;
  readonly deduplication: EffectiveDeduplication;
  readonly changeKey: string;
  readonly synchronizerIdJson: string;
  /** How many digits the offset will have that it gets. */
  readonly offsetDigits: number;
}

/** An interpreted transaction in the form that `commit.ts` stores. Offsets and record time are not known yet. */
export interface InterpretedTransaction extends InterpretedFacts {
  readonly events: readonly StoredEvent[];
  readonly untold: readonly Untold[];
  readonly untoldNodes: readonly UntoldNodes[];
}

/** What has to hold when it is committed. */
export interface InterpretedFacts {
  /** Ids of the contracts that must still be active at commit. */
  readonly inputs: readonly string[];
  /** Key queries that must give the same answer at commit, newest first; `ignoring`: how many of `ignoredByKeys` do not count for it. */
  readonly keyInputs: readonly {
    readonly keyHash: string;
    readonly contractIds: readonly string[];
    readonly exhaustive: boolean;
    readonly ignoring: number;
  }[];
  /** Contracts that do not count for key queries: those that the submission disclosed, then those that it archives, in its order. */
  readonly ignoredByKeys: readonly string[];
  /** Ledger time bounds; min..max in microseconds. */
  readonly minLedgerTime: bigint;
  readonly maxLedgerTime: bigint;
  /** Of the templates and interfaces in its nodes: these have to be vetted. */
  readonly usedPackages: readonly string[];
}

/**
 * The same as records, made where it was interpreted: what only its commit knows (offset, record time, update id) has room in them, and
 * is filled in (`records/unplaced.ts`). Parties and templates are numbers.
 */
export interface UnplacedTransaction extends InterpretedFacts {
  readonly update: Uint8Array;
  readonly completion: Uint8Array;
  /** Of the offset that fits. */
  readonly offsetDigits: number;
  readonly submitters: readonly number[];
  /** Under which readers find it: party, template, party, template, .. */
  readonly index: readonly number[];
  readonly creates: readonly UnplacedCreate[];
  readonly archives: readonly UnplacedArchive[];
}

/** A contract that is archived. */
export interface UnplacedArchive {
  readonly nodeId: number;
  readonly contractId: string;
  readonly template: number;
  readonly stakeholders: readonly number[];
}

export interface UnplacedCreate extends UnplacedArchive {
  /** Hex, "" without key. */
  readonly keyHash: string;
  /** False for a contract that the same transaction archives. */
  readonly activates: boolean;
  /** Node by which it does; undefined also where it makes a contract of nobody who is hosted here. */
  readonly archivedBy: number | undefined;
  /** Its record. */
  readonly instance: Uint8Array;
}

export const isUnplaced = (transaction: InterpretedTransaction | UnplacedTransaction): transaction is UnplacedTransaction =>
  "update" in transaction;

/** An interpretation whose result is signed elsewhere before it comes back. */
export interface PrepareRequest {
  readonly submission: InterpretRequest;
  readonly commandCount: number;
  readonly preparationTime: bigint;
  readonly commandId: string;
  /** Physical. */
  readonly synchronizerId: string;
  readonly transactionUuid: string;
  readonly maxRecordTime: bigint | undefined;
  readonly hashingScheme: HashingScheme;
  /** Whether it is to be told how it was hashed. */
  readonly describesHash: boolean;
}

export interface Prepared {
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
  /** The steps of the hash as lines of text, where they were asked for and are not too many (`hashingDetailsCharsMax`). */
  readonly hashingDetails: string | undefined;
  /** Everybody whom the transaction would tell, with the packages of what he would see; and who has a stake in what it uses. */
  readonly packagesByInformee: PackagesByInformee;
  /** Ids of contracts that it uses. */
  readonly inputs: readonly string[];
  readonly usedPackages: readonly string[];
}

/** A prepared transaction that came back signed: it is interpreted again, and nothing but the very same may come out. */
export interface ReplayRequest {
  readonly prepared: Uint8Array;
  readonly ledgerTime: bigint;
  /** Of the salts of new contracts. */
  readonly submissionSeed: Uint8Array;
  readonly atOffset: number;
  readonly packagesRevision: number;
  readonly synchronizer: number;
  readonly participantId: string;
  /** As of an `InterpretRequest`. */
  readonly facts?: RecordFacts | undefined;
  /** Hex, of what was signed. */
  readonly externalTransactionHash: string;
  readonly traceparent?: string | null | undefined;
}

/** The engine is content, but the prepared form cannot be had, or is not what the engine makes of it. */
export interface PreparationError {
  readonly phase: "preparation";
  readonly message: string;
}

/** There are no vetted packages for what the command uses. */
export type SelectionError =
  /** Of names in the command. `isRefined`: there were versions for it, but what they made of it uses packages that are not vetted. */
  | {
      readonly phase: "selection";
      readonly kind: "noVersion";
      readonly names: readonly string[];
      readonly isRefined: boolean;
      readonly message: string;
    }
  /** `packagesByInformee`: of what came of this try, where whoever asks goes on from there. */
  | {
      readonly phase: "selection";
      readonly kind: "unvetted";
      readonly hasInputs: boolean;
      readonly message: string;
      readonly packagesByInformee: PackagesByInformee | undefined;
    };

export type { PackageSummary };

export interface DarContents {
  readonly mainPackageId: string;
  /**
   * In an order in which dependencies come first; `payload` is the ArchivePayload (what the package id hashes), of a package that is
   * not stored yet.
   */
  readonly packages: readonly { readonly summary: PackageSummary; readonly payload: Uint8Array | undefined }[];
}

export interface InterfaceViewRequest {
  readonly instance: Uint8Array;
  readonly interfaceId: string;
  readonly implementationPackageId: string;
}
/** JSON text of the view's value, or why there is none. */
export type InterfaceViewReply = { readonly json: string } | { readonly error: LedgerErrorData };

/** As the Ledger API has it, with what its fields may leave out. */
export interface DisclosedContract {
  readonly contractId: string;
  readonly templateId: string;
  readonly createdEventBlob: Uint8Array;
  readonly synchronizerId: string;
}
export type Disclosed = readonly DisclosedContract[];

/** A prepared transaction that came back, and what there is to know of it but for its signatures. */
export interface SignedRequest {
  readonly prepared: Uint8Array;
  readonly hashingScheme: HashingScheme;
  readonly synchronizerIds: readonly string[];
}
export interface SignedFacts {
  readonly hash: Uint8Array;
  readonly metadata: Omit<PreparedMetadata, "inputContracts">;
  /** Of templates and interfaces, as far as its nodes are about them; each once. */
  readonly packages: readonly string[];
  /** Whether something was looked up by contract keys. */
  readonly usesKeys: boolean;
}

/** Where a value stands, which tells its type. */
export type ValuePosition =
  | { readonly kind: "createArgument" | "contractKey"; readonly templateId: DefinitionId }
  | { readonly kind: "interfaceView"; readonly interfaceId: DefinitionId }
  | {
      readonly kind: "choiceArgument" | "exerciseResult";
      readonly templateId: DefinitionId;
      readonly interfaceId: DefinitionId | undefined;
      readonly choice: string;
    };

/** Its description would be longer than this. */
export interface PackageTooLarge {
  readonly charsMax: number;
}

export interface Interpreter {
  interpret(request: InterpretRequest): Promise<Result<InterpretedTransaction | UnplacedTransaction, EngineRefusal>>;
  interpretUnread(request: UnreadRequest): Promise<UnreadOutcome>;
  /** What is wrong with commands as they are written: what they name, and the types of their values. */
  checkCommands(request: CheckRequest): Promise<Result<undefined, EngineRefusal>>;
  prepare(request: PrepareRequest): Promise<Result<Prepared, EngineRefusal | PreparationError>>;
  replay(request: ReplayRequest): Promise<Result<InterpretedTransaction | UnplacedTransaction, LedgerErrorData | PreparationError>>;
  /** What is wrong with the form of disclosed contracts, if anything. */
  checkDisclosed(contracts: Disclosed): Answer<undefined>;
  /** Decodes a prepared transaction and hashes it. */
  readSigned(request: SignedRequest): Answer<SignedFacts>;
  /** What is in a DAR, whether it may be stored or not, the main package first. Why not, in words. */
  listDar(bytes: Uint8Array): Promise<Result<readonly PackageSummary[], string>>;
  /** Decodes and checks a DAR (or a lone package when `single`); stores nothing. The bytes are not to be used afterwards. */
  readDar(bytes: Uint8Array): Promise<Result<DarContents, LedgerErrorData | ArchiveError | ValidationError>>;
  computeViews(requests: readonly InterfaceViewRequest[]): Promise<readonly InterfaceViewReply[]>;
  /** The types of values that stand at these positions, of packages that are stored; undefined where a type has no end. */
  describeTypes(positions: readonly ValuePosition[]): Promise<readonly (TypeDescription | undefined)[]>;
  /** JSON text of what a package declares (`lf/package-description`), of one that is stored. */
  describePackage(packageId: string): Promise<Result<string, PackageTooLarge>>;
}
