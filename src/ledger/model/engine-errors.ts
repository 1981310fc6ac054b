/** What went wrong in the engine or with an archive, as Ledger API errors: codes, context and resources as recorded from the reference. */
import { limits } from "../../config.js";
import type { ArchiveError, EngineError, InterpretationError, LookupError, PreprocessingError, ValidationError } from "../../lf/errors.js";
import { type ErrorCodeId, errorCodes } from "./error-codes.js";
import { contractNotFound, invalidArgument, invalidField, jsonError, ledgerError, missingField, packageNamesNotFound, whileRouting } from "./errors.js";
import { encodeValue } from "../../lf/value/index.js";
import type { LedgerValue } from "../../lf/value/ledger-value.js";
import type { LedgerErrorData } from "./model.js";

type Detail = Readonly<Record<string, unknown>>;
type Resources = readonly (readonly [string, string])[];

/** Is there a package of this name on the node, vetted or not? */
type IsNameKnown = (packageName: string) => boolean;

export function fromEngineError(error: EngineError, isNameKnown: IsNameKnown = () => false): LedgerErrorData {
  switch (error.phase) {
    case "lookup": return fromLookup(error, isNameKnown);
    case "preprocessing": return fromPreprocessing(error);
    case "interpretation": return fromInterpretation(error);
  }
}

/** Of what an engine thread found wrong with bytes, or why it did not come to an end with them. */
export const fromInspection = (error: LedgerErrorData | EngineError): LedgerErrorData => ("phase" in error ? fromEngineError(error) : error);

const notVetted = (packageName: string): LedgerErrorData =>
  ledgerError("JSON_API_PACKAGE_SELECTION_FAILED", `No package with package-name '${packageName}' is vetted now by the participants that host the parties.`);

/** Of a reference `#package-name:Module:Entity`. */
const packageNameIn = (reference: string): string => reference.replace(/^#/, "").split(":")[0]!;

function unresolvedName(name: string, isNameKnown: IsNameKnown): LedgerErrorData {
  return isNameKnown(name) ? notVetted(name) : packageNamesNotFound([name]);
}

function fromLookup(error: LookupError, isNameKnown: IsNameKnown): LedgerErrorData {
  switch (error.class) {
    case "UnresolvedPackageName": return unresolvedName(packageNameIn(error.reference), isNameKnown);
    case "MissingPackage": return ledgerError("TEMPLATES_OR_INTERFACES_NOT_FOUND", error.message, { resources: [["TEMPLATE_ID", error.neededFor ?? error.reference]] });
    case "MissingTemplate":
      // The reference reads the arguments first, as the empty record that an interface is to it.
      if (error.isInterface) return jsonError("INVALID_ARGUMENT", invalidArgument(error.message).cause);
      return ledgerError("TEMPLATES_OR_INTERFACES_NOT_FOUND", error.message, { resources: [["TEMPLATE_ID", error.reference]] });
    case "MissingInterface": return ledgerError("TEMPLATES_OR_INTERFACES_NOT_FOUND", error.message, { resources: [["INTERFACE_ID", error.reference]] });
    case "MissingTemplateOrInterface": return ledgerError("TEMPLATES_OR_INTERFACES_NOT_FOUND", error.message, { resources: [["TEMPLATE_ID", error.reference]] });
    case "MissingChoice": return error.reference.endsWith(":") ? jsonError("INVALID_ARGUMENT", invalidArgument("the name of the choice is empty").cause) : whileRouting(invalidArgument(error.message));
    case "MissingKey": return ledgerError("TEMPLATES_OR_INTERFACES_NOT_FOUND", error.message, { resources: [["TEMPLATE_ID", error.reference]] });
    case "MissingDefinition": case "MissingInterfaceInstance": return ledgerError("COMMAND_PREPROCESSING_FAILED", error.message);
    case "AllowedLanguageVersion": return ledgerError("ALLOWED_LANGUAGE_VERSIONS", error.message);
  }
}

/** Problems of the JSON of a Daml value have the body of errors from the JSON layer. */
function fromPreprocessing(error: PreprocessingError): LedgerErrorData {
  const failure = preprocessingError(error);
  return error.origin === "json" ? { ...failure, definiteAnswer: false, origin: "json" } : failure;
}

function preprocessingError({ code, field = "", message }: PreprocessingError): LedgerErrorData {
  switch (code) {
    case "INVALID_ARGUMENT": return invalidArgument(message);
    case "INVALID_FIELD": return invalidField(field, message);
    case "MISSING_FIELD": return missingField(field);
    default: return ledgerError("COMMAND_PREPROCESSING_FAILED", message);
  }
}

/** Details hold ledger values, so integers may be bigints. */
const text = (value: unknown): string => (typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner)));
/** Values stand in resources as the bytes of their protobuf message (`com.digitalasset.daml.lf.value.Value`) in base64. */
const encoded = (value: unknown): string => (typeof value === "object" && value !== null ? Buffer.from(encodeValue(value as LedgerValue)).toString("base64") : "");
const contractId = (detail: Detail): string => text(detail["coid"] ?? detail["cid"] ?? detail["contractId"]);
const inner = (detail: Detail): Detail => (typeof detail["error"] === "object" && detail["error"] !== null ? (detail["error"] as Detail) : detail);

/** Resources by interpretation class; those without an entry have none. */
const resourcesOf: Readonly<Record<string, (detail: Detail) => Resources>> = {
  ContractNotActive: (detail) => [["TEMPLATE_ID", text(detail["templateId"])], ["CONTRACT_ID", contractId(detail)]],
  ContractKeyNotFound: keyResources,
  InconsistentContractKey: keyResources,
  UserError: (detail) => [["EXCEPTION_TEXT", text(detail["message"])]],
  UnhandledException: (detail) => [["EXCEPTION_TYPE", text(detail["exceptionType"])], ["EXCEPTION_VALUE", encoded(detail["value"])]],
  WronglyTypedContract: (detail) => [["CONTRACT_ID", contractId(detail)], ["TEMPLATE_ID", text(detail["expected"])], ["TEMPLATE_ID", text(detail["actual"])]],
  ContractDoesNotImplementInterface: (detail) => [["CONTRACT_ID", contractId(detail)], ["TEMPLATE_ID", text(detail["templateId"])], ["INTERFACE_ID", text(detail["interfaceId"])]],
  ContractDoesNotImplementRequiringInterface: (detail) => [["CONTRACT_ID", contractId(detail)], ["TEMPLATE_ID", text(detail["templateId"])], ["INTERFACE_ID", text(detail["requiredInterfaceId"])], ["INTERFACE_ID", text(detail["requiringInterfaceId"])]],
  ContractIdComparability: (detail) => [["CONTRACT_ID", text(detail["globalCid"] ?? contractId(detail))]],
  CreateEmptyContractKeyMaintainers: (detail) => [["TEMPLATE_ID", text(detail["templateId"])], ["CONTRACT_ARG", encoded(detail["arg"])]],
  FetchEmptyContractKeyMaintainers: (detail) => [["TEMPLATE_ID", text(detail["templateId"])], ["CONTRACT_KEY", encoded(detail["key"])], ["PACKAGE_NAME", text(detail["packageName"])]],
  UnresolvedPackageName: (detail) => [["PACKAGE_NAME", text(detail["packageName"])]],
};

function keyResources(detail: Detail): Resources {
  const key = typeof detail["key"] === "object" && detail["key"] !== null ? (detail["key"] as Detail) : detail;
  return [["TEMPLATE_ID", text(key["templateId"])], ["CONTRACT_KEY", encoded(key["key"])], ["PACKAGE_NAME", text(key["packageName"])]];
}

const codesByClass: Readonly<Record<string, ErrorCodeId>> = {
  UserError: "INTERPRETATION_USER_ERROR",
  UnhandledException: "UNHANDLED_EXCEPTION",
  TemplatePreconditionViolated: "TEMPLATE_PRECONDITION_VIOLATED",
  ContractNotActive: "CONTRACT_NOT_ACTIVE",
  ContractKeyNotFound: "CONTRACT_KEY_NOT_FOUND",
  InconsistentContractKey: "INCONSISTENT_CONTRACT_KEY",
  UnresolvedPackageName: "UNRESOLVED_PACKAGE_NAME",
  CreateEmptyContractKeyMaintainers: "CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS",
  FetchEmptyContractKeyMaintainers: "FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS",
  WronglyTypedContract: "WRONGLY_TYPED_CONTRACT",
  ContractDoesNotImplementInterface: "CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE",
  ContractDoesNotImplementRequiringInterface: "CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE",
  NonComparableValues: "NON_COMPARABLE_VALUES",
  ContractIdComparability: "CONTRACT_ID_COMPARABILITY",
  ContractIdInContractKey: "CONTRACT_ID_IN_CONTRACT_KEY",
  ValueNesting: "VALUE_NESTING",
  MalformedText: "MALFORMED_TEXT",
  ContractHashingError: "CONTRACT_HASHING_ERROR",
  DisclosedContractKeyHashingError: "DISCLOSED_CONTRACT_KEY_HASHING_ERROR",
  EffectfulRollback: "DAML_EFFECTFUL_ROLLBACK_ERROR",
  LimitExceeded: "INTERPRETATION_TIME_EXCEEDED",
  Unsupported: "DAML_INTERPRETATION_ERROR",
  Internal: "DAML_INTERPRETER_INVALID_ARGUMENT",
};

function fromInterpretation(error: InterpretationError): LedgerErrorData {
  const name: string = error.class;
  if (name === "ContractNotFound") return contractNotFound(contractId(error.detail));
  if (name === "FailureStatus") return fromFailureStatus(error);
  if (name.startsWith("FailedAuthorization.")) return ledgerError("DAML_AUTHORIZATION_ERROR", error.message);
  if (name.startsWith("Upgrade.")) return fromUpgrade(name.slice("Upgrade.".length), error);
  if (name.startsWith("Crypto.")) return fromCrypto(name.slice("Crypto.".length), error);
  if (name.startsWith("Dev.")) return ledgerError("INTERPRETATION_DEV_ERROR", error.message, { resources: [["DEV_ERROR_TYPE", name.slice("Dev.".length)]] });
  return ledgerError(codesByClass[name] ?? "DAML_INTERPRETATION_ERROR", error.message, { resources: resourcesOf[name]?.(error.detail) ?? [] });
}

/** The category comes from the model; one that does not exist is the node's failure to answer. */
function fromFailureStatus(error: InterpretationError): LedgerErrorData {
  const { detail } = error;
  const category = Number(detail["failureCategory"]);
  const known: readonly number[] = Object.values(errorCodes).map((code) => code.category);
  if (!known.includes(category)) return ledgerError("LEDGER_API_INTERNAL_ERROR", error.message);
  const given = (detail["metadata"] ?? []) as readonly (readonly [string, string])[] | Readonly<Record<string, string>>;
  const metadata = Object.fromEntries((Array.isArray(given) ? given : Object.entries(given)).slice(0, limits.errorMetadataEntriesMax));
  // What the model may say comes first: the node's own entries win.
  const context = { ...metadata, error_id: text(detail["errorId"]), ...(error.exerciseTrace === undefined ? {} : { exercise_trace: error.exerciseTrace }) };
  return { ...ledgerError("DAML_FAILURE", error.message, { context }), category };
}

const upgradeCodes: Readonly<Record<string, ErrorCodeId>> = {
  ValidationFailed: "INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED",
  TranslationFailed: "INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED",
  AuthenticationFailed: "INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED",
};

function fromUpgrade(kind: string, error: InterpretationError): LedgerErrorData {
  const detail = inner(error.detail), name = kind.split(".")[0]!;
  const nullable = (type: string, value: unknown): readonly [string, string] => (value === undefined || value === null ? [`NULLABLE_${type}`, "NULL"] : [type, typeof value === "object" ? encoded(value) : text(value)]);
  const resources: (readonly [string, string])[] = [nullable("CONTRACT_ID", detail["coid"]), ["TEMPLATE_ID", text(detail["srcTemplateId"])], ["TEMPLATE_ID", text(detail["dstTemplateId"])]];
  if (name === "ValidationFailed") resources.push(["PACKAGE_NAME", text(detail["srcPackageName"])], ["PACKAGE_NAME", text(detail["dstPackageName"])]);
  else resources.push(nullable("CONTRACT_ARG", detail["createArg"]));
  return ledgerError(upgradeCodes[name] ?? "DAML_INTERPRETATION_ERROR", error.message, { resources });
}

const cryptoCodes: Readonly<Record<string, ErrorCodeId>> = {
  MalformedByteEncoding: "INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING",
  MalformedKey: "INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY",
  MalformedSignature: "INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE",
};

function fromCrypto(kind: string, error: InterpretationError): LedgerErrorData {
  const detail = inner(error.detail);
  return ledgerError(cryptoCodes[kind] ?? "DAML_INTERPRETATION_ERROR", error.message, { resources: [["CRYPTO_VALUE", text(detail["value"] ?? detail["key"] ?? detail["signature"])]] });
}

export const fromArchiveError = (error: ArchiveError | ValidationError): LedgerErrorData => ledgerError(error.code, error.message);
