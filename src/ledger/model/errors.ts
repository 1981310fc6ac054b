/** Makes the errors that clients see: every one has a code of `error-codes.ts`, which fixes its category. */
import { limits } from "../../config.js";
import { type ErrorCodeId, errorCodes } from "./error-codes.js";
import { packageNameProblem } from "./identifiers.js";
import type { AskedOffset, LedgerErrorData } from "./model.js";
import { shortIdentifier } from "./synchronizer-id.js";

export interface ErrorDetails {
  readonly context?: Readonly<Record<string, string>>;
  readonly resources?: readonly (readonly [string, string])[];
}

/**
 * Who the caller is, which packages fit, where a transaction can go and whether it won there is found outside the part of a
 * participant that knows the submission: answers with these codes have no correlation id.
 */
const routingCodes: ReadonlySet<ErrorCodeId> = new Set<ErrorCodeId>([
  "INVALID_TOKEN",
  "PACKAGE_NAMES_NOT_FOUND",
  "TEMPLATES_OR_INTERFACES_NOT_FOUND",
  "JSON_API_PACKAGE_SELECTION_FAILED",
  "PACKAGE_SELECTION_FAILED",
  "INVALID_PRESCRIBED_SYNCHRONIZER_ID",
  "NO_SYNCHRONIZER_FOR_SUBMISSION",
  "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
  "UNKNOWN_SUBMITTERS",
  "UNKNOWN_INFORMEES",
  "SUBMITTERS_NOT_ACTIVE",
  "INFORMEES_NOT_ACTIVE",
  "NO_COMMON_SYNCHRONIZER",
  "UNKNOWN_CONTRACT_SYNCHRONIZERS",
  "AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED",
  "SUBMITTER_ALWAYS_STAKEHOLDER",
  "REASSIGNMENT_VALIDATION_FAILED",
  "UNASSIGNMENT_ACTIVENESS_CHECK_FAILED",
  "ASSIGNMENT_ALREADY_COMPLETED",
  "DUPLICATE_COMMAND",
  "INVALID_DEDUPLICATION_PERIOD",
  "SUBMISSION_ALREADY_IN_FLIGHT",
  "DUPLICATE_CONFIRMATION_REQUEST_UUID",
  "LOCAL_VERDICT_LOCKED_CONTRACTS",
  "LOCAL_VERDICT_INACTIVE_CONTRACTS",
  "LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND",
  "LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND",
  "LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED",
]);

export function ledgerError(code: ErrorCodeId, cause: string, details: ErrorDetails = {}): LedgerErrorData {
  const { category, definite } = errorCodes[code];
  const entries = Object.entries(details.context ?? {}).map(
    ([name, value]) => [name, shortened(value, limits.errorDetailCharsMax)] as const,
  );
  const context = Object.fromEntries(bounded(entries));
  const resources = (details.resources ?? []).map(([kind, name]) => [kind, shortened(name, limits.errorDetailCharsMax)] as const);
  const error = { code, cause: shortened(cause, limits.errorCauseCharsMax), category, context, resources, definiteAnswer: definite };
  return routingCodes.has(code) ? whileRouting(error) : error;
}

/** An error in one sentence, for those who run a node. */
export function inWords({ code, cause, context }: LedgerErrorData): string {
  const more = explaining.flatMap((name) => context[name] ?? []).filter((text) => text !== "Set()" && !cause.includes(text));
  return `${code}: ${[cause, ...more].join(": ")}`;
}

/** Entries of contexts that say what is wrong where causes only say of what kind it is. */
const explaining = ["throwable", "reason", "msg", "validationError", "name", "missingDependencies", "extraDependencies"];

type Entry = readonly [string, string];

/** The smallest entries go first, so that a large one does not cost the others their place. */
function bounded(entries: readonly Entry[]): readonly Entry[] {
  const sizeOf = ([name, value]: Entry): number => name.length + value.length;
  let free = limits.errorContextCharsMax;
  if (entries.reduce((size, entry) => size + sizeOf(entry), 0) <= free) return entries;
  return [...entries].sort((one, other) => sizeOf(one) - sizeOf(other)).filter((entry) => (free -= sizeOf(entry)) >= 0);
}

/** A request may be long; what an answer repeats of it is not. A character of two code units is not cut in half. */
export function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const isPair = (text.codePointAt(charsMax - 1) ?? 0) > 0xffff;
  return `${text.slice(0, isPair ? charsMax - 1 : charsMax)}...`;
}

export const whileRouting = (error: LedgerErrorData): LedgerErrorData => ({ ...error, origin: "routing" });

export const whileElsewhere = (error: LedgerErrorData): LedgerErrorData => ({ ...error, origin: "elsewhere" });

/** As somebody made it anew who knows nothing but its text. */
export const inTextOnly = (error: LedgerErrorData): LedgerErrorData => ({ ...whileElsewhere(error), context: {}, resources: [] });

export const whileUntraced = (error: LedgerErrorData): LedgerErrorData => ({ ...error, origin: "untraced" });

/** The error as an answer to its submission. */
export const ofSubmission = <E extends LedgerErrorData>(error: E, submissionId: string): E =>
  error.origin === undefined ? { correlationId: submissionId, ...error } : error;

/** An error of the decoding of a request's JSON: same code and category, another body. */
export const jsonError = (code: ErrorCodeId, cause: string): LedgerErrorData => ({
  ...ledgerError(code, cause),
  definiteAnswer: false,
  origin: "json",
});

export const invalidArgument = (reason: string): LedgerErrorData =>
  ledgerError("INVALID_ARGUMENT", `The submitted request has invalid arguments: ${reason}`);
/** The same, where it is found in a request's JSON. */
export const invalidJsonArgument = (reason: string): LedgerErrorData => jsonError("INVALID_ARGUMENT", invalidArgument(reason).cause);
export const missingField = (field: string): LedgerErrorData =>
  ledgerError("MISSING_FIELD", `The submitted command is missing a mandatory field: ${field}`, { context: { field_name: field } });
/** Canton calls this INVALID_TOKEN also where there are no tokens, so that nobody looks for it in the request. */
export function missingUserId(): LedgerErrorData {
  const missing = missingField("user_id");
  return whileRouting({
    ...missing,
    cause: `${missing.cause}. Send "userId": without a token that names a user the request has to, and may name any.`,
  });
}
export const invalidField = (field: string, reason: string): LedgerErrorData =>
  ledgerError("INVALID_FIELD", `The submitted command has a field with invalid value: Invalid field ${field}: ${reason}`);

/** A bare status without details, as the topology manager of the reference gives it: its text is its code. */
const bareStatus = (error: LedgerErrorData, status: string, code: string): LedgerErrorData => ({
  ...error,
  code,
  cause: `${status}: ${code}`,
  definiteAnswer: undefined,
  origin: "status",
});
export const signatureVerificationFailed = (): LedgerErrorData => {
  const text = "Transaction signature verification failed";
  return bareStatus(invalidArgument(text), "INVALID_ARGUMENT", text);
};
export const authorizationsMissing = (keys: readonly string[]): LedgerErrorData => {
  const text = shortened(`Topology transaction is missing authorizations by keys ${keys.join(", ")}`, limits.errorCauseCharsMax);
  return bareStatus(invalidArgument(text), "INVALID_ARGUMENT", text);
};
export const unknownMembers = (participants: readonly string[]): LedgerErrorData => {
  const members = participants.map((participant) => `PAR::${shortIdentifier(participant)}`),
    text = shortened(`Members ${members.join(", ")} are unknown.`, limits.errorCauseCharsMax);
  return bareStatus({ ...invalidArgument(text), category: 11 }, "NOT_FOUND", text);
};

export const negativeOffset = (field: string, offset: AskedOffset): LedgerErrorData =>
  ledgerError(
    "NEGATIVE_OFFSET",
    `Offset ${offset} in ${field} is a negative integer: the offset in ${field} field has to be a non-negative integer (>=0)`,
  );
export const nonPositiveOffset = (field: string, offset: AskedOffset, mayBeNone = false): LedgerErrorData => {
  const what = mayBeNone ? "either a positive integer (>0) or not defined at all" : "a positive integer (>0)";
  return ledgerError("NON_POSITIVE_OFFSET", `Offset ${offset} in ${field} is not a positive integer: the offset has to be ${what}`);
};
export const offsetAfterLedgerEnd = (what: string, offset: AskedOffset, ledgerEnd: number): LedgerErrorData =>
  ledgerError("OFFSET_AFTER_LEDGER_END", `${what} offset (${offset}) is after ledger end (${ledgerEnd})`);

/** `asked`: what of, with the words by which clients know how it meets the offset. */
export const prunedDataAccessed = (asked: string, pruned: number): LedgerErrorData =>
  ledgerError("PARTICIPANT_PRUNED_DATA_ACCESSED", `${asked} pruned offset ${pruned}`, {
    context: { earliest_offset: String(pruned) },
  });

export const contractNotFound = (contractId: string): LedgerErrorData =>
  ledgerError("CONTRACT_NOT_FOUND", `Contract could not be found with id ${contractId}`, { resources: [["CONTRACT_ID", contractId]] });
export const updateNotFound = (resource: readonly ["OFFSET" | "UPDATE_ID", string]): LedgerErrorData =>
  ledgerError("UPDATE_NOT_FOUND", "Update not found, or not visible.", { resources: [resource] });
export const unknownInformees = (parties: readonly string[]): LedgerErrorData =>
  ledgerError("UNKNOWN_INFORMEES", "The participant is not connected to any synchronizer where the given informees are known.", {
    context: { unknownInformees: `Set(${parties.join(", ")})` },
  });
export function unknownPrescribed(id: string): LedgerErrorData {
  const synchronizerId = shortIdentifier(id),
    reason = `cannot resolve to physical synchronizer; ensure the node is connected to ${synchronizerId}`;
  return ledgerError(
    "INVALID_PRESCRIBED_SYNCHRONIZER_ID",
    `Cannot submit transaction to prescribed synchronizer \`${synchronizerId}\` because: ${reason}`,
    { context: { synchronizerId, reason } },
  );
}
export const packageNamesNotFound = (names: readonly string[]): LedgerErrorData =>
  ledgerError(
    "PACKAGE_NAMES_NOT_FOUND",
    `The following package names do not match upgradable packages uploaded on this participant: [${names.join(", ")}].`,
  );
/** What a command calls its package by is read before anybody looks for it. Clients look for these words. */
export const malformedPackageReference = (problem: string): LedgerErrorData =>
  whileRouting(invalidArgument(`Value does not match the package-id or package-name formats: ${problem}`));
/** Of names by which commands call their packages. */
export function namedPackagesNotFound(names: readonly string[]): LedgerErrorData {
  const malformed = names.map(packageNameProblem).find((problem) => problem !== undefined);
  return malformed === undefined ? packageNamesNotFound(names) : malformedPackageReference(malformed);
}
export const nodeStopped = (): LedgerErrorData =>
  ledgerError("SERVICE_NOT_RUNNING", "The node was stopped; nothing of this request was recorded.");
export const storageUnavailable = (): LedgerErrorData =>
  ledgerError("SERVICE_NOT_RUNNING", "The node could not write to its storage; nothing of this request was recorded.");
