/** The participant: submissions to offsets, and reads of what is there. */
export { createLedger, type LedgerOptions, type Participant } from "./create-ledger.js";
export type { Accepted, Answer, CommandSubmission, EventFormatRequest, FilterRequest, FiltersRequest, Ledger, PartyDetails, UpdateElementForm, UpdateFormatRequest } from "./ledger.js";
export type { DarContents, InterfaceViewReply, InterfaceViewRequest, InterpretedTransaction, InterpretRequest, Interpreter, PackageSummary, PreparationError, Prepared, PrepareRequest, ReplayRequest } from "./interpreter.js";
export type { LedgerErrorData, Offset, Party, StoredCreate, StoredEvent, StoredExercise, TraceContext } from "./model.js";
export { errorCodes, type ErrorCode, type ErrorCodeId } from "./error-codes.js";
export { invalidArgument, invalidField, jsonError, ledgerError, missingField } from "./errors.js";
export { ParticipantNameDiffers } from "./identity.js";
export type { UpgradeCheck } from "./packages.js";
export type { PartyAllocationChecks } from "./parties.js";
export { SnapshotLedgerReader, SnapshotPackages } from "./reader.js";
export type { OutcomesRequest, SubmissionOutcome } from "./outcomes.js";
export { renderTransaction, type RenderedValues, type ValuePosition } from "./render.js";
export { fromEngineError, fromArchiveError } from "./engine-errors.js";
export { backUpLedger, type Backup } from "./backup.js";
export { pruneLedger } from "./prune-ledger.js";
export { verifyLedger, type VerifyReport } from "./verify.js";
