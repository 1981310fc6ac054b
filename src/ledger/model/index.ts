/** The ledger's own terms: offsets, events, errors with their codes, ids, times, tokens of lists. */
export type { Answer, Outcome } from "./answer.js";
export { fromArchiveError, fromEngineError } from "./engine-errors.js";
export { type ErrorCode, type ErrorCodeId, errorCodes } from "./error-codes.js";
export {
  authorizationsMissing,
  contractNotFound,
  inWords,
  inTextOnly,
  invalidArgument,
  invalidField,
  invalidJsonArgument,
  jsonError,
  ledgerError,
  missingField,
  missingUserId,
  negativeOffset,
  nonPositiveOffset,
  offsetAfterLedgerEnd,
  ofSubmission,
  namedPackagesNotFound,
  malformedPackageReference,
  packageNamesNotFound,
  prunedDataAccessed,
  shortened,
  signatureVerificationFailed,
  nodeStopped,
  storageUnavailable,
  unknownInformees,
  unknownMembers,
  unknownPrescribed,
  updateNotFound,
  whileElsewhere,
  whileRouting,
  whileUntraced,
} from "./errors.js";
export { acceptedStatus, okStatus, statusJson, statusMessage, traceIdOf } from "./google-status.js";
export {
  hexBytes,
  isContractIdText,
  ledgerStringProblem,
  packageIdProblem,
  partiesProblem,
  partyFilterProblem,
  partyHintProblem,
  dottedNameProblem,
  packageNameProblem,
  shortHash,
  packageVersionProblem,
  partyProblem,
  fingerprintProblem,
  uniqueIdentifierProblem,
  updateIdProblem,
  userIdPattern,
  userIdProblem,
} from "./identifiers.js";
export {
  type Identity,
  keyFingerprint,
  newIdentity,
  ParticipantNameDiffers,
  readIdentity,
  type SynchronizerNames,
  writeIdentity,
} from "./identity.js";
export {
  namedElsewhere,
  noCommonSynchronizer,
  notAllOn,
  readSynchronizers,
  setOf,
  shownSynchronizer,
  submittersApart,
  type Synchronizer,
  Synchronizers,
  SynchronizersDiffer,
  withNames,
  writeSynchronizers,
} from "./synchronizers.js";
export { instantText } from "./instant.js";
export { LedgerClock } from "./ledger-clock.js";
export { blockBytes, inJson, ListTokens, type TokenFault, TokenKey, tokenSealBytes } from "./list-tokens.js";
export type {
  AskedOffset,
  Completion,
  CompletionStatus,
  EffectiveDeduplication,
  EventFormat,
  LedgerErrorData,
  Offset,
  Party,
  PartyFilter,
  StoredAssigned,
  StoredCreate,
  StoredEvent,
  StoredExercise,
  StoredReassignment,
  StoredReassignmentEvent,
  StoredTransaction,
  StoredUnassigned,
  TemplateIdText,
  TraceContext,
  TransactionShape,
} from "./model.js";
export { filtersEntry, logText, type LogValue, whileLogging } from "./request-log.js";
export { logicalSynchronizerId, physicalSynchronizerId, shortIdentifier } from "./synchronizer-id.js";
export { newUpdateId, offsetOfUpdateId, offsetTold, updateIdChars } from "./update-id.js";
