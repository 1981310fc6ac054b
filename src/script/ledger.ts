/**
 * What a script asks of a ledger. Implementations: `memory/` (one fresh ledger for each script) and a running node.
 * A ledger says no by throwing `QuestionFailed`; a submission that fails is an answer.
 */
import type { DefinitionId, LedgerValue } from "../lf/index.js";
import type { FailedSubmission, SourceLocation } from "./outcome.js";
import type { SubmitError } from "./submit-error.js";

export type LedgerCommand =
  | { readonly kind: "create"; readonly template: DefinitionId; readonly argument: LedgerValue; readonly exactPackage: boolean }
  | {
      readonly kind: "exercise";
      readonly template: DefinitionId;
      readonly contractId: string;
      readonly choice: string;
      readonly argument: LedgerValue;
      readonly exactPackage: boolean;
    }
  | {
      readonly kind: "exerciseByKey";
      readonly template: DefinitionId;
      readonly key: LedgerValue;
      readonly choice: string;
      readonly argument: LedgerValue;
      readonly exactPackage: boolean;
    }
  | {
      readonly kind: "createAndExercise";
      readonly template: DefinitionId;
      readonly createArgument: LedgerValue;
      readonly choice: string;
      readonly argument: LedgerValue;
      readonly exactPackage: boolean;
    };

export interface Disclosure {
  readonly templateId: DefinitionId;
  readonly contractId: string;
  readonly blob: string; /* hex */
}

export interface LedgerSubmission {
  readonly actAs: readonly string[];
  readonly readAs: readonly string[];
  readonly commands: readonly LedgerCommand[];
  readonly disclosures: readonly Disclosure[];
  readonly packagePreference: readonly string[];
  readonly prefetchKeys: readonly { readonly template: DefinitionId; readonly key: LedgerValue }[];
  /** What the script wants to happen; some ledgers remember it. */
  readonly expects: "success" | "failure" | "either";
  readonly location: SourceLocation | undefined;
}

/** An event of a transaction, without fetches, queries and rollbacks. */
export type LedgerEvent =
  | { readonly kind: "created"; readonly contractId: string; readonly templateId: DefinitionId; readonly argument: LedgerValue }
  | {
      readonly kind: "exercised";
      readonly contractId: string;
      readonly templateId: DefinitionId;
      readonly interfaceId: DefinitionId | undefined;
      readonly choice: string;
      readonly argument: LedgerValue;
      readonly result: LedgerValue;
      readonly children: readonly LedgerEvent[];
    };

export type SubmitAnswer =
  | ({ readonly kind: "committed"; readonly events: readonly LedgerEvent[] } & Described)
  | ({
      readonly kind: "failed";
      readonly error: SubmitError;
      /** The reference's name of it, which scripts can read. */
      readonly class_: string;
      readonly message: string;
      /** The reference's words, where scripts read others than people. */
      readonly referenceText?: string;
      readonly hint?: string;
    } & Described);

/** What was submitted, put together when somebody reads it: because it failed, or should have. */
interface Described {
  readonly submission: () => FailedSubmission;
}

export interface ActiveContract {
  readonly contractId: string;
  readonly templateId: DefinitionId;
  readonly argument: LedgerValue;
  /** The created event blob. */
  readonly blob: Uint8Array;
}

/** A view that could not be computed is undefined. */
export interface InterfaceContract {
  readonly contractId: string;
  readonly view: LedgerValue | undefined;
}

export interface KnownParty {
  readonly party: string;
  readonly isLocal: boolean;
}
export interface ScriptUser {
  readonly userId: string;
  readonly primaryParty: string | undefined;
}
export type UserRightKind =
  "ParticipantAdmin" | "CanActAs" | "CanReadAs" | "CanReadAsAnyParty" | "CanExecuteAs" | "CanExecuteAsAnyParty" | "CanActAsAnyParty";
export interface UserRight {
  readonly kind: UserRightKind;
  readonly party: string | undefined;
}
export interface PackageNameVersion {
  readonly name: string;
  readonly version: string;
}

/** Undefined: the default one. */
export type ParticipantName = string | undefined;

export interface ScriptLedger {
  submit(submission: LedgerSubmission): Promise<SubmitAnswer>;

  activeContracts(parties: readonly string[], template: DefinitionId): Promise<readonly ActiveContract[]>;
  contract(parties: readonly string[], template: DefinitionId, contractId: string): Promise<ActiveContract | undefined>;
  contractsByKey(parties: readonly string[], template: DefinitionId, key: LedgerValue, limit: number): Promise<readonly ActiveContract[]>;
  interfaceContracts(parties: readonly string[], interface_: DefinitionId): Promise<readonly InterfaceContract[]>;
  interfaceContract(parties: readonly string[], interface_: DefinitionId, contractId: string): Promise<InterfaceContract | undefined>;

  /** On several participants: hosted by all of them. */
  allocateParty(hint: string, participants: readonly string[]): Promise<string>;
  knownParties(participant: ParticipantName): Promise<readonly KnownParty[]>;

  time(): Promise<bigint>;
  setTime(time: bigint): Promise<void>;

  /** False: there is one of this name. */
  createUser(user: ScriptUser, rights: readonly UserRight[], participant: ParticipantName): Promise<boolean>;
  getUser(userId: string, participant: ParticipantName): Promise<ScriptUser | undefined>;
  deleteUser(userId: string, participant: ParticipantName): Promise<boolean>;
  listUsers(participant: ParticipantName): Promise<readonly ScriptUser[]>;
  /** What changed; undefined where there is no such user. */
  grantRights(userId: string, rights: readonly UserRight[], participant: ParticipantName): Promise<readonly UserRight[] | undefined>;
  revokeRights(userId: string, rights: readonly UserRight[], participant: ParticipantName): Promise<readonly UserRight[] | undefined>;
  listRights(userId: string, participant: ParticipantName): Promise<readonly UserRight[] | undefined>;

  vetPackages(packages: readonly PackageNameVersion[], participant: ParticipantName): Promise<void>;
  unvetPackages(packages: readonly PackageNameVersion[], participant: ParticipantName): Promise<void>;
  vettedPackages(): Promise<readonly PackageNameVersion[]>;
  allPackages(): Promise<readonly PackageNameVersion[]>;
}
