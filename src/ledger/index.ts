/** The participant: submissions to offsets, and reads of what is there. */
export type { PartyDetails } from "./admin/index.js";
export { FirstUserRefused } from "./admin/index.js";
export { createNetwork, type Network, type NetworkOptions } from "./create-network.js";
export { namesProblem, ParticipantNotNamed } from "./open-identities.js";
export type { Participant } from "./participant/index.js";
export { SnapshotLedgerReader, SnapshotPackages } from "./engine/index.js";
export {
  decodePartyToParticipant,
  type Execution,
  type KeySpec,
  namespaceOf,
  type OnboardingRequest,
  type PartySignatures,
  type Preparation,
  readRawSigningKey,
  readSigningKey,
  type Signature,
  type SignatureFormat,
  type SigningAlgorithm,
  type SigningKey,
  submittersOf,
  topologyHash,
} from "./external/index.js";
export {
  type DarContents,
  DescribedTypes,
  distinctPositions,
  type InterfaceViewReply,
  type InterfaceViewRequest,
  type InterpretedTransaction,
  type Interpreter,
  type InterpretRequest,
  type PackageSummary,
  type PositionById,
  type PreparationError,
  type Prepared,
  type PrepareRequest,
  type RenderedValues,
  renderTransaction,
  type ReplayRequest,
  type ValuePosition,
} from "./interpretation/index.js";
export { type Backup, backUpLedger, type Progress, pruneLedger, verifyLedger, type VerifyReport } from "./keeping/index.js";
export type { Ledger } from "./ledger.js";
export {
  type Answer,
  type ErrorCode,
  type ErrorCodeId,
  errorCodes,
  fromArchiveError,
  fromEngineError,
  hexBytes,
  inWords,
  instantText,
  invalidArgument,
  invalidField,
  invalidJsonArgument,
  jsonError,
  ledgerError,
  type LedgerErrorData,
  ledgerStringProblem,
  logText,
  missingField,
  missingUserId,
  nodeStopped,
  type Offset,
  ofSubmission,
  ParticipantNameDiffers,
  type Party,
  partiesProblem,
  partyProblem,
  shortened,
  shortIdentifier,
  statusMessage,
  type StoredCreate,
  type StoredEvent,
  type StoredExercise,
  type TraceContext,
  type TransactionShape,
  type Synchronizer,
  type SynchronizerNames,
  SynchronizersDiffer,
  fingerprintProblem,
  uniqueIdentifierProblem,
  userIdProblem,
  whileLogging,
  whileUntraced,
} from "./model/index.js";
export { malformedPackageId, showVersion } from "./packages/index.js";
export type {
  PackageReference,
  UpgradeCheck,
  UpgradePair,
  VettedPackage,
  VettingChange,
  VettingListing,
  VettingState,
  VettingUpdate,
} from "./packages/index.js";
export type { PartyAllocationChecks } from "./parties/index.js";
export {
  contractIdProblem,
  type EventFormatRequest,
  type FilterRequest,
  type FiltersRequest,
  type GivenFormat,
  inFlightBit,
  isInFlight,
  isInRecords,
  isNameProblem,
  type OutcomesRequest,
  type PageMemory,
  type SubmissionOutcome,
  type TakeContract,
  type UpdateElementForm,
  type UpdateFormatRequest,
} from "./reading/index.js";
export type { CreatedParts } from "./records/index.js";
export type { EarlierRefusal, Told } from "./submission/index.js";
export type {
  Accepted,
  Admission,
  CommandSubmission,
  PlainSubmission,
  ReassignmentCommand,
  ReassignmentSubmission,
} from "./intake/index.js";
export { timestampInRange } from "../lf/value/index.js";
