/** What went wrong in the engine or with an archive, as Ledger API errors: codes, context and resources as recorded from the reference. */
import { limits } from "../../config.js";
import {
  type ArchiveError,
  type EngineError,
  globalKeyText,
  innerClass,
  type InterpretationError,
  type InterpretationErrorOf,
  interpretationText,
  isOfFamily,
  type LookupError,
  type PreprocessingError,
  type ValidationError,
  type ValidationFailed,
} from "../../lf/index.js";
import { type ErrorCodeId, errorCodes } from "./error-codes.js";
import {
  contractNotFound,
  invalidArgument,
  invalidField,
  invalidJsonArgument,
  ledgerError,
  missingField,
  malformedPackageReference,
  namedPackagesNotFound,
  whileRouting,
} from "./errors.js";
import { encodeValue } from "../../lf/wire/index.js";
import { checkDottedName, checkName, type LedgerValue } from "../../lf/value/index.js";
import { packageIdProblem } from "./identifiers.js";
import type { LedgerErrorData } from "./model.js";

type Resources = readonly (readonly [string, string])[];

/** Is there a package of this name on the node, vetted or not? */
type IsNameKnown = (packageName: string) => boolean;

export function fromEngineError(error: EngineError, isNameKnown: IsNameKnown = () => false): LedgerErrorData {
  switch (error.phase) {
    case "lookup":
      return fromLookup(error, isNameKnown);
    case "preprocessing":
      return fromPreprocessing(error);
    case "interpretation":
      return fromInterpretation(error);
  }
}

const notVetted = (packageName: string): LedgerErrorData =>
  ledgerError(
    "JSON_API_PACKAGE_SELECTION_FAILED",
    `No package with package-name '${packageName}' is vetted now by the participants that host the parties.`,
  );

/** Of a reference `#package-name:Module:Entity`. */
const packageNameIn = (reference: string): string => reference.replace(/^#/, "").split(":")[0]!;

function unresolvedName(name: string, isNameKnown: IsNameKnown): LedgerErrorData {
  return isNameKnown(name) ? notVetted(name) : namedPackagesNotFound([name]);
}

function fromLookup(error: LookupError, isNameKnown: IsNameKnown): LedgerErrorData {
  switch (error.class) {
    case "UnresolvedPackageName":
      return unresolvedName(packageNameIn(error.reference), isNameKnown);
    case "MissingPackage": {
      const malformed = packageIdProblem(error.reference);
      if (malformed !== undefined) return malformedPackageReference(malformed);
      return notName(error) ?? notThere("Templates", error.neededFor ?? error.reference, error.message);
    }
    case "MissingTemplate":
      // The reference reads the arguments first, as the empty record that an interface is to it.
      if (error.isInterface) return invalidJsonArgument(error.message);
      return notName(error) ?? (error.choice === undefined ? notThere("Templates", error.reference) : noChoice(error));
    case "MissingInterface":
      return notThere("Interfaces", error.reference);
    case "MissingTemplateOrInterface":
    case "MissingChoice":
      return notName(error) ?? noChoice(error);
    case "MissingKey":
      return ledgerError("TEMPLATES_OR_INTERFACES_NOT_FOUND", error.message, { resources: [["TEMPLATE_ID", error.reference]] });
    case "MissingDefinition":
    case "MissingInterfaceInstance":
      return ledgerError("COMMAND_PREPROCESSING_FAILED", error.message);
    case "AllowedLanguageVersion":
      return ledgerError("ALLOWED_LANGUAGE_VERSIONS", error.message);
  }
}

/** The reference looks for the choice of the template, and does not tell which of the two there is not. */
const noChoice = (error: LookupError): LedgerErrorData => whileRouting(invalidArgument(error.message));

/** What is not there may have a name that nothing has: the reference finds that where it names what it did not find. */
function notName({ neededFor, reference, choice }: LookupError): LedgerErrorData | undefined {
  const [, module = "", entity = ""] = (neededFor ?? reference).split(":"),
    wrong =
      (choice === undefined ? undefined : checkName(choice)) ?? checkDottedName(module.split(".")) ?? checkDottedName(entity.split("."));
  return wrong === undefined ? undefined : invalidJsonArgument(wrong);
}

/** With the words by which clients know it. */
const notThere = (what: "Templates" | "Interfaces", reference: string, reason?: string): LedgerErrorData =>
  ledgerError("TEMPLATES_OR_INTERFACES_NOT_FOUND", `${what} do not exist: [${reference}]${reason === undefined ? "" : `: ${reason}`}.`, {
    resources: [[what === "Templates" ? "TEMPLATE_ID" : "INTERFACE_ID", reference]],
  });

/** Problems of the JSON of a Daml value have the body of errors from the JSON layer. */
function fromPreprocessing(error: PreprocessingError): LedgerErrorData {
  const failure = preprocessingError(error);
  return error.origin === "json" ? { ...failure, definiteAnswer: false, origin: "json" } : failure;
}

function preprocessingError({ code, field = "", message }: PreprocessingError): LedgerErrorData {
  switch (code) {
    case "INVALID_ARGUMENT":
      return invalidArgument(message);
    case "INVALID_FIELD":
      return invalidField(field, message);
    case "MISSING_FIELD":
      return missingField(field);
    default:
      return ledgerError("COMMAND_PREPROCESSING_FAILED", message);
  }
}

/** Three bytes are four characters; with more than are shown it is seen that there are more. */
const encodedBytesMax = 3 * (Math.ceil(limits.errorDetailCharsMax / 4) + 1);

/** Values stand in resources as the bytes of their protobuf message (`com.digitalasset.daml.lf.value.Value`) in base64. */
const encoded = (value: LedgerValue): string => Buffer.from(encodeValue(value).subarray(0, encodedBytesMax)).toString("base64");

const keyResources = ({
  key: { templateId, key, packageName },
}: InterpretationErrorOf<"ContractKeyNotFound" | "InconsistentContractKey">["detail"]): Resources => [
  ["TEMPLATE_ID", templateId],
  ["CONTRACT_KEY", encoded(key)],
  ["PACKAGE_NAME", packageName],
];

function fromInterpretation(error: InterpretationError): LedgerErrorData {
  const refusal = (code: ErrorCodeId, resources: Resources = []): LedgerErrorData =>
    ledgerError(code, opened(interpretationText(error)), { resources });
  switch (error.class) {
    case "UserError":
      return refusal("INTERPRETATION_USER_ERROR", [["EXCEPTION_TEXT", error.detail.message]]);
    case "FailureStatus":
      return fromFailureStatus(error);
    case "TemplatePreconditionViolated":
      return refusal("TEMPLATE_PRECONDITION_VIOLATED");
    case "ContractNotFound":
      return contractNotFound(error.detail.cid);
    case "ContractNotActive":
      return refusal("CONTRACT_NOT_ACTIVE", [
        ["TEMPLATE_ID", error.detail.templateId],
        ["CONTRACT_ID", error.detail.coid],
      ]);
    case "ContractKeyNotFound":
      return ledgerError(
        "CONTRACT_KEY_NOT_FOUND",
        `dependency error: couldn't find key: ${globalKeyText(error.detail.key, limits.errorCauseCharsMax)}`,
        { resources: keyResources(error.detail) },
      );
    case "InconsistentContractKey":
      return refusal("INCONSISTENT_CONTRACT_KEY", keyResources(error.detail));
    case "UnresolvedPackageName":
      return refusal("UNRESOLVED_PACKAGE_NAME", [["PACKAGE_NAME", error.detail.packageName]]);
    case "CreateEmptyContractKeyMaintainers": {
      const { templateId, arg } = error.detail;
      return refusal("CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS", [
        ["TEMPLATE_ID", templateId],
        ["CONTRACT_ARG", encoded(arg)],
      ]);
    }
    case "FetchEmptyContractKeyMaintainers": {
      const { templateId, key, packageName } = error.detail;
      return refusal("FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS", [
        ["TEMPLATE_ID", templateId],
        ["CONTRACT_KEY", encoded(key)],
        ["PACKAGE_NAME", packageName],
      ]);
    }
    case "WronglyTypedContract": {
      const { coid, expected, actual } = error.detail;
      return refusal("WRONGLY_TYPED_CONTRACT", [
        ["CONTRACT_ID", coid],
        ["TEMPLATE_ID", expected],
        ["TEMPLATE_ID", actual],
      ]);
    }
    case "ContractDoesNotImplementInterface": {
      const { coid, templateId, interfaceId } = error.detail;
      return refusal("CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE", [
        ["CONTRACT_ID", coid],
        ["TEMPLATE_ID", templateId],
        ["INTERFACE_ID", interfaceId],
      ]);
    }
    case "ContractDoesNotImplementRequiringInterface": {
      const { coid, templateId, requiredInterfaceId, requiringInterfaceId } = error.detail;
      return refusal("CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE", [
        ["CONTRACT_ID", coid],
        ["TEMPLATE_ID", templateId],
        ["INTERFACE_ID", requiredInterfaceId],
        ["INTERFACE_ID", requiringInterfaceId],
      ]);
    }
    case "NonComparableValues":
      return refusal("NON_COMPARABLE_VALUES");
    case "ContractIdComparability":
      return refusal("CONTRACT_ID_COMPARABILITY", [["CONTRACT_ID", error.detail.globalCid]]);
    case "ContractIdInContractKey":
      return refusal("CONTRACT_ID_IN_CONTRACT_KEY");
    case "ValueNesting":
      return refusal("VALUE_NESTING");
    case "MalformedText":
      return refusal("MALFORMED_TEXT");
    case "EffectfulRollback":
      return refusal("DAML_EFFECTFUL_ROLLBACK_ERROR");
    case "LimitExceeded":
      return ledgerError("INTERPRETATION_TIME_EXCEEDED", error.message);
    case "Unsupported":
      return refusal("DAML_INTERPRETATION_ERROR");
    case "Internal":
      return refusal("DAML_INTERPRETER_INVALID_ARGUMENT");
    case "Upgrade.ValidationFailed": {
      const { srcPackageName, dstPackageName, ...contract } = error.detail.error;
      return refusal("INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED", [
        ["CONTRACT_ID", contract.coid],
        ...retyped(contract),
        ["PACKAGE_NAME", srcPackageName],
        ["PACKAGE_NAME", dstPackageName],
        ...metadata(contract.originalSignatories, contract.originalObservers, contract.originalKeyOpt),
        ...metadata(contract.recomputedSignatories, contract.recomputedObservers, contract.recomputedKeyOpt),
      ]);
    }
    case "Upgrade.AuthenticationFailed": {
      const { error: contract } = error.detail;
      return refusal("INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED", [
        ["CONTRACT_ID", contract.coid],
        ...retyped(contract),
        ["CONTRACT_ARG", encoded(contract.createArg)],
      ]);
    }
    case "Crypto.MalformedByteEncoding":
      return refusal("INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING", [["CRYPTO_VALUE", error.detail.value]]);
    case "Crypto.MalformedKey":
      return refusal("INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY", [["CRYPTO_VALUE", error.detail.key]]);
    case "Crypto.MalformedSignature":
      return refusal("INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE", [["CRYPTO_VALUE", error.detail.signature]]);
    default:
      if (isOfFamily(error, "FailedAuthorization")) return refusal("DAML_AUTHORIZATION_ERROR");
      if (isOfFamily(error, "Dev")) return refusal("INTERPRETATION_DEV_ERROR", [["DEV_ERROR_TYPE", innerClass(error)]]);
      // Arguments that are typed anew need not be those of a contract.
      return refusal("INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED", [
        ["NULLABLE_CONTRACT_ID", error.detail.error.coid ?? "NULL"],
        ...retyped(error.detail.error),
        ["CONTRACT_ARG", encoded(error.detail.error.createArg)],
      ]);
  }
}

const retyped = ({ srcTemplateId, dstTemplateId }: { readonly srcTemplateId: string; readonly dstTemplateId: string }): Resources => [
  ["TEMPLATE_ID", srcTemplateId],
  ["TEMPLATE_ID", dstTemplateId],
];

/** What a contract without a key lacks is told, too. */
const metadata = (signatories: readonly string[], observers: readonly string[], key: ValidationFailed["originalKeyOpt"]): Resources => [
  ["PARTIES", signatories.join()],
  ["PARTIES", observers.join()],
  ["NULLABLE_CONTRACT_KEY", key === null ? "NULL" : encoded(key.globalKey.key)],
  ["NULLABLE_PACKAGE_NAME", key?.globalKey.packageName ?? "NULL"],
  ["NULLABLE_PARTIES", key?.maintainers.join() ?? "NULL"],
];

const categories: readonly number[] = Object.values(errorCodes).map((code) => code.category);

/** Clients cut Canton's opening off, to show what the model says. */
const opened = (message: string): string => `Interpretation error: Error: ${message}`;

/** The category comes from the model; one that does not exist is the node's failure to answer. */
function fromFailureStatus({
  detail: { errorId, failureCategory, metadata },
  message,
  exerciseTrace,
}: InterpretationErrorOf<"FailureStatus">): LedgerErrorData {
  if (!categories.includes(failureCategory)) return ledgerError("LEDGER_API_INTERNAL_ERROR", opened(message));
  const given = metadata.slice(0, limits.errorMetadataEntriesMax).map(([key, value]) => [metadataKey(key), value] as const);
  const own = [["error_id", errorId] as const, ...(exerciseTrace === undefined ? [] : [["exercise_trace", exerciseTrace] as const])];
  // What the model may say comes first: the node's own entries win.
  const context = Object.fromEntries([...given, ...own].filter(([key, value]) => key !== "" && value !== ""));
  return { ...ledgerError("DAML_FAILURE", opened(message), { context }), category: failureCategory };
}

/** What gRPC allows of a key, as the reference cuts it; it leaves out whatever is empty then. */
const metadataKey = (key: string): string => key.replaceAll(/[^()a-zA-Z0-9_-]/g, "").slice(0, limits.errorMetadataKeyCharsMax);

/** Clients compare Canton's words; what is wrong with their DAR stands where Canton tells it, in our own. */
export function fromArchiveError({ code, message, details }: ArchiveError | ValidationError): LedgerErrorData {
  const words = darWords[code];
  if (words === undefined) return ledgerError(code, message, { context: { ...details } });
  return ledgerError(code, words.cause, { context: { ...details, ...(words.why === undefined ? {} : { [words.why]: message }) } });
}

/** `why`: absent where the details say it. */
const darWords: Readonly<Partial<Record<(ArchiveError | ValidationError)["code"], { readonly cause: string; readonly why?: string }>>> = {
  INVALID_DAR: { cause: "Dar file is corrupt", why: "throwable" },
  INVALID_ZIP_ENTRY: { cause: "Dar zip file is corrupt" },
  ZIP_BOMB: { cause: "Dar zip file seems to be a zip bomb.", why: "msg" },
  DAR_PARSE_ERROR: { cause: "Failed to parse the dar file content.", why: "reason" },
  DAR_VALIDATION_ERROR: { cause: "Package validation failed.", why: "validationError" },
  DAR_DEPENDENCIES_NOT_VALID: {
    cause: "The set of packages in the dar is not self-consistent and is missing dependencies or has extra dependencies",
  },
};
