/**
 * The ledger's face: all that the API may ask of it. Names are already resolved and authorisation is done; field rules of
 * the Ledger API (missing command id, negative offset, ..) belong to the functions here, as they hold for every caller.
 */
import type { Cursor } from "../base/element-writer.js";
import type { Result } from "../base/result.js";
import type { Answer, AskedOffset, LedgerErrorData, Offset, Outcome, Party, Synchronizer } from "./model/index.js";
import type { EarlierRefusal, Submitted, Telling, ToBeRead, Told, UnreadSubmission } from "./submission/index.js";
import type { Accepted, Admission, CommandSubmission, ReassignmentSubmission } from "./intake/index.js";
import type {
  EventFormatRequest,
  GivenFormat,
  OutcomesRequest,
  SubmissionOutcome,
  TakeContract,
  Taken,
  Traced,
  UpdateElementForm,
  UpdateRead,
} from "./reading/index.js";
import type { CreatedParts } from "./records/index.js";
import type { PartyAllocation, PartyDetails } from "./admin/index.js";
import type { Host } from "./parties/index.js";
import type {
  Execution,
  GeneratedTopology,
  Onboard,
  Onboarded,
  OnboardingRequest,
  Preparation,
  PreparedForSigning,
  TopologyRequest,
} from "./external/index.js";
import type { EventPlace } from "../store/index.js";
import type { TypeDescription } from "../lf/index.js";
import type { PackageSummary, ValuePosition } from "./interpretation/index.js";
import type {
  PackageListing,
  PackagePage,
  SizedPackage,
  Preference,
  PreferenceRequest,
  VettingListing,
  VettingOutcome,
  VettingPage,
  VettingUpdate,
} from "./packages/index.js";

/** Parties that sign with keys of their own. */
export interface ExternalPartyHosting {
  generateTopology(request: TopologyRequest): Outcome<GeneratedTopology>;
  /** What it allocates the party by, or what is wrong about the request itself, whoever asks and whatever is known. */
  readOnboarding(request: OnboardingRequest): Outcome<Onboard>;
  allocate(request: OnboardingRequest): Answer<Onboarded>;
  isExternal(party: Party): boolean;
}

/** Transactions that are prepared here and signed elsewhere. */
export interface InteractiveSubmission {
  prepare(preparation: Preparation): Answer<PreparedForSigning>;
  /** Resolves when the transaction is durable. */
  execute(execution: Execution, admission?: Admission, telling?: Telling): Answer<Told>;
  /** Resolves once the signatures are found good; the outcome is a completion. */
  executeAsync(execution: Execution, admission?: Admission): Answer<void>;
}

export interface Ledger {
  /** By which whoever runs it knows it. */
  readonly participantName: string;
  readonly participantId: string; // without PAR::
  /** Where everything happens that names none, if there is no choice. */
  readonly synchronizerId: string;
  /** Those that the node is connected to. */
  readonly synchronizers: readonly Synchronizer[];
  /** Those that the ledger has, or ever had. */
  readonly allSynchronizers: readonly Synchronizer[];

  /** Leave to submit a command, asked for before its request is decoded; whoever has it gives it back. `signal`: of who gives up. */
  admit(signal: () => AbortSignal): Outcome<Admission> | Answer<Admission>;
  /** Resolves when the transaction is durable. `refusal`: what became of it when it was submitted unread. */
  submit(submission: CommandSubmission, admission?: Admission, refusal?: EarlierRefusal, telling?: Telling): Answer<Told>;
  /** The same of a body that nobody has looked into, if it is a plain one; if not, nothing has happened. */
  submitUnread(unread: UnreadSubmission, admission?: Admission): Promise<Submitted | ToBeRead>;
  /** Resolves once interpretation succeeded and the submission is on its way; its outcome is a completion. */
  submitAsync(submission: CommandSubmission, admission?: Admission): Answer<void>;
  /** Moves contracts between synchronizers; resolves when the unassignment or assignment is durable. */
  reassign(submission: ReassignmentSubmission, admission?: Admission): Answer<Accepted>;
  /** Resolves once nothing speaks against it; its outcome is a completion. */
  reassignAsync(submission: ReassignmentSubmission, admission?: Admission): Answer<void>;

  /** Why no command runs now, in words; undefined: they do. */
  impediment(): string | undefined;

  /** The ledger's own time, by which commands run: microseconds since the epoch. */
  nowMicros(): bigint;

  ledgerEnd(): Offset;
  /** Resolves once readers find all that was told to be accepted by now (`Telling`); undefined: they do. */
  caughtUp(): Promise<void> | undefined;
  prunedOffsets(): { readonly participantPrunedUpToInclusive: Offset; readonly allDivulgedContractsPrunedUpToInclusive: Offset };
  /** Removes history up to an offset before the ledger end; active contracts stay. Resolves when all is gone. */
  prune(upToInclusive: AskedOffset): Answer<void>;

  openUpdates(
    request: Traced & {
      readonly beginExclusive: AskedOffset;
      readonly endInclusive: AskedOffset | undefined;
      readonly format: GivenFormat;
      readonly form: UpdateElementForm;
      readonly descending: boolean;
    },
  ): Outcome<Cursor<LedgerErrorData>>;
  openCompletions(request: {
    readonly userId: string | undefined;
    readonly parties: readonly Party[];
    readonly beginExclusive: AskedOffset;
  }): Outcome<Cursor<LedgerErrorData>>;
  /** `after`: begins behind the place of a create, where no token says where. `take`: gets the contracts, nothing is written. */
  openActiveContracts(
    request: Traced & {
      readonly activeAtOffset: AskedOffset;
      readonly format: EventFormatRequest;
      readonly continuationToken?: Uint8Array;
      readonly after?: EventPlace;
      readonly take?: TakeContract;
    },
  ): Outcome<Cursor<LedgerErrorData>>;

  /**
   * JSON text of the update in the given form (`{"Transaction":{"value":..}}` for "update", the bare transaction for "flat" and "tree",
   * the bare reassignment for "reassignment"). `emptyWhenHidden`: no events instead of UPDATE_NOT_FOUND.
   */
  readUpdate(request: UpdateRead): Answer<string>;
  /** JSON of an object that has it as its only member, `update` in the form of that name; of a large transaction as UTF-8. */
  readUpdateAs(member: string, request: UpdateRead): Answer<string | Uint8Array>;
  /** JSON text of `{"created":..,"archived":..}`. */
  readEventsByContractId(contractId: string, format: EventFormatRequest | undefined, traceId?: string): Answer<string>;
  /**
   * Gets how contracts were created, the oldest first, archived since or not; those that are not known, or pruned, are left out. The parts'
   * bytes are there until `take` returns.
   */
  takeCreates(contractIds: readonly string[], take: (contractId: string, parts: CreatedParts) => void): Promise<void>;
  /** JSON text of `{"createdEvent":..}`. */
  readContract(contractId: string, queryingParties: readonly Party[]): Answer<string>;
  /** Where a contract is, or was when it was archived; undefined while it is on its way to another, or where it is not known. */
  synchronizerOf(contractId: string): string | undefined;
  /** JSON, as UTF-8, of the page bodies of `/v2/updates/get-updates-page` and `/v2/state/active-contracts-page`. */
  readUpdatesPage(
    request: Traced
      & Taken & {
        readonly beginExclusive: AskedOffset | undefined;
        readonly endInclusive: AskedOffset | undefined;
        readonly pageSize: number | undefined;
        readonly format: GivenFormat;
        readonly descending: boolean;
        readonly pageToken: Uint8Array | undefined;
      },
  ): Answer<Uint8Array>;
  readActiveContractsPage(
    request: Traced
      & Taken & {
        readonly activeAtOffset: AskedOffset | undefined;
        readonly pageSize: number | undefined;
        readonly format: EventFormatRequest;
        readonly pageToken: Uint8Array | undefined;
      },
  ): Answer<Uint8Array>;

  /** Resolves when something is recorded behind an offset, when packages came or static time was moved, after `timeoutMs` or on abort. */
  waitBehind(offset: Offset, timeoutMs: number, signal: AbortSignal): Promise<void>;

  /** What became of submissions, of whomever, in the order of their offsets. */
  readOutcomes(request: OutcomesRequest): Outcome<readonly SubmissionOutcome[]>;
  /** The last offset that was recorded at or before a time; 0 where that is before the first, undefined where it was pruned. */
  offsetAt(recordTime: bigint): Offset | undefined;

  /** Small facts that are kept with the ledger, by name. */
  readNote(name: string): string | undefined;
  keepNote(name: string, text: string): Answer<void>;

  // Packages and vetting
  /** What is in a DAR, the main package first; nothing is kept of it. Why not, in words for the operator. `bytes` may be given away. */
  listDar(bytes: Uint8Array): Promise<Result<readonly PackageSummary[], string>>;
  validateDar(bytes: Uint8Array, options: { readonly synchronizerId: string }): Answer<void>;
  uploadDar(bytes: Uint8Array, options: { readonly vetAllPackages: boolean; readonly synchronizerId: string }): Answer<void>;
  listPackages(): readonly string[];
  /** ArchivePayload bytes. */
  readPackage(packageId: string): Outcome<Uint8Array>;
  isPackageKnown(packageId: string): boolean;
  packageSummary(packageId: string): PackageSummary | undefined;
  /** Of packages that are known. */
  describeTypes(positions: readonly ValuePosition[]): Promise<readonly (TypeDescription | undefined)[]>;
  listPackageSummaries(request: PackageListing): PackagePage;
  listPackageSizes(): Promise<readonly SizedPackage[]>;
  /** JSON text of what a package declares. */
  describePackage(packageId: string): Answer<string>;
  listVettedPackages(request: VettingListing): Outcome<VettingPage>;
  updateVettedPackages(request: VettingUpdate): Answer<VettingOutcome>;
  preferredPackages(request: PreferenceRequest): Outcome<Preference>;
  /** Undefined: no version fits. */
  preferredPackageVersion(request: PreferenceRequest): Outcome<Preference | undefined>;

  // Parties
  /** The participants that host a party there; none where nobody knows it. */
  hostsOf(party: Party, synchronizer: Synchronizer): readonly Host[];
  readonly external: ExternalPartyHosting;
  readonly interactive: InteractiveSubmission;
  allocateParty(request: Omit<PartyAllocation, "mayJoin">): Answer<PartyDetails>;
  listParties(request: {
    readonly pageSize: number;
    readonly pageToken: string;
    readonly filterParty: string;
    readonly identityProviderId: string;
  }): Outcome<{ readonly parties: readonly PartyDetails[]; readonly nextPageToken: string }>;
  getParties(parties: readonly Party[], identityProviderId: string): readonly PartyDetails[];

  /**
   * Waits for commits under way and releases blocked readers, those of the other participants of its network, too; the store is closed by
   * whoever opened it.
   */
  close(): Promise<void>;
}
