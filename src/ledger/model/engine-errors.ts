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
  const untyped = error.isUntyped === true ? fromUntyped(error) : undefined;
  if (untyped !== undefined) return untyped;
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

/** What the reference's engine says, which is not asked where those who read JSON find it first. */
function fromUntyped({ class: class_, reference, neededFor = reference, choice }: LookupError): LedgerErrorData | undefined {
  const sought = choice === undefined ? "template" : "template or interface",
    unknown = (what: string): LedgerErrorData => ledgerError("COMMAND_PREPROCESSING_FAILED", `unknown ${what}`);
  switch (class_) {
    case "MissingPackage":
      return ledgerError("PACKAGE_NOT_FOUND", `Couldn't find package ${reference} while looking for ${sought} ${neededFor}`);
    case "MissingTemplate":
      return unknown(`template ${reference}`);
    case "MissingTemplateOrInterface":
      return unknown(`template or interface ${reference}`);
    case "MissingChoice":
      return unknown(`choice ${choice} in template or interface ${reference.slice(0, reference.lastIndexOf(":"))}`);
    default:
      return undefined;
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

interface OfKey {
  readonly key: InterpretationErrorOf<"FetchEmptyContractKeyMaintainers">["detail"];
}
const keyResources = ({ key: { templateId, key, packageName } }: OfKey): Resources => [
  ["TEMPLATE_ID", templateId],
  ["CONTRACT_KEY", encoded(key)],
  ["PACKAGE_NAME", packageName],
];

/** Those with a code of their own; of the others a code stands for a family, or more than a code tells. */
type Plain = Exclude<
  InterpretationError["class"],
  | `${"FailedAuthorization" | "Dev" | "Upgrade.TranslationFailed"}.${string}`
  | "FailureStatus"
  | "ContractNotFound"
  | "ContractKeyNotFound"
  | "LimitExceeded"
>;
type Refusal<C extends Plain> = readonly [code: ErrorCodeId, resources?: (detail: InterpretationErrorOf<C>["detail"]) => Resources];

const refusals: { readonly [C in Plain]: Refusal<C> } = {
  UserError: ["INTERPRETATION_USER_ERROR", ({ message }) => [["EXCEPTION_TEXT", message]]],
  TemplatePreconditionViolated: ["TEMPLATE_PRECONDITION_VIOLATED"],
  ContractNotActive: [
    "CONTRACT_NOT_ACTIVE",
    ({ templateId, coid }) => [
      ["TEMPLATE_ID", templateId],
      ["CONTRACT_ID", coid],
    ],
  ],
  InconsistentContractKey: ["INCONSISTENT_CONTRACT_KEY", keyResources],
  UnresolvedPackageName: ["UNRESOLVED_PACKAGE_NAME", ({ packageName }) => [["PACKAGE_NAME", packageName]]],
  CreateEmptyContractKeyMaintainers: [
    "CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS",
    ({ templateId, arg }) => [
      ["TEMPLATE_ID", templateId],
      ["CONTRACT_ARG", encoded(arg)],
    ],
  ],
  FetchEmptyContractKeyMaintainers: ["FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS", (key) => keyResources({ key })],
  WronglyTypedContract: [
    "WRONGLY_TYPED_CONTRACT",
    ({ coid, expected, actual }) => [
      ["CONTRACT_ID", coid],
      ["TEMPLATE_ID", expected],
      ["TEMPLATE_ID", actual],
    ],
  ],
  ContractDoesNotImplementInterface: [
    "CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE",
    ({ coid, templateId, interfaceId }) => [
      ["CONTRACT_ID", coid],
      ["TEMPLATE_ID", templateId],
      ["INTERFACE_ID", interfaceId],
    ],
  ],
  ContractDoesNotImplementRequiringInterface: [
    "CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE",
    ({ coid, templateId, requiredInterfaceId, requiringInterfaceId }) => [
      ["CONTRACT_ID", coid],
      ["TEMPLATE_ID", templateId],
      ["INTERFACE_ID", requiredInterfaceId],
      ["INTERFACE_ID", requiringInterfaceId],
    ],
  ],
  NonComparableValues: ["NON_COMPARABLE_VALUES"],
  ContractIdComparability: ["CONTRACT_ID_COMPARABILITY", ({ globalCid }) => [["CONTRACT_ID", globalCid]]],
  ContractIdInContractKey: ["CONTRACT_ID_IN_CONTRACT_KEY"],
  ValueNesting: ["VALUE_NESTING"],
  MalformedText: ["MALFORMED_TEXT"],
  EffectfulRollback: ["DAML_EFFECTFUL_ROLLBACK_ERROR"],
  Unsupported: ["DAML_INTERPRETATION_ERROR"],
  Internal: ["DAML_INTERPRETER_INVALID_ARGUMENT"],
  "Upgrade.ValidationFailed": [
    "INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED",
    ({ error: { srcPackageName, dstPackageName, ...contract } }) => [
      ["CONTRACT_ID", contract.coid],
      ...retyped(contract),
      ["PACKAGE_NAME", srcPackageName],
      ["PACKAGE_NAME", dstPackageName],
      ...metadata(contract.originalSignatories, contract.originalObservers, contract.originalKeyOpt),
      ...metadata(contract.recomputedSignatories, contract.recomputedObservers, contract.recomputedKeyOpt),
    ],
  ],
  "Upgrade.AuthenticationFailed": [
    "INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED",
    ({ error }) => [["CONTRACT_ID", error.coid], ...retyped(error), ["CONTRACT_ARG", encoded(error.createArg)]],
  ],
  "Crypto.MalformedByteEncoding": ["INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING", ({ value }) => [["CRYPTO_VALUE", value]]],
  "Crypto.MalformedKey": ["INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY", ({ key }) => [["CRYPTO_VALUE", key]]],
  "Crypto.MalformedSignature": ["INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE", ({ signature }) => [["CRYPTO_VALUE", signature]]],
};
const isPlain = (error: InterpretationError): error is InterpretationErrorOf<Plain> => Object.hasOwn(refusals, error.class);

function fromInterpretation(error: InterpretationError): LedgerErrorData {
  const refusal = (code: ErrorCodeId, resources: Resources = []): LedgerErrorData =>
    ledgerError(code, opened(interpretationText(error)), { resources });
  if (isPlain(error)) {
    const [code, resources]: Refusal<never> = refusals[error.class];
    return refusal(code, resources?.(error.detail as never));
  }
  if (isOfFamily(error, "FailedAuthorization")) return refusal("DAML_AUTHORIZATION_ERROR");
  if (isOfFamily(error, "Dev")) return refusal("INTERPRETATION_DEV_ERROR", [["DEV_ERROR_TYPE", innerClass(error)]]);
  switch (error.class) {
    case "FailureStatus":
      return fromFailureStatus(error);
    case "ContractNotFound":
      return contractNotFound(error.detail.cid);
    case "ContractKeyNotFound":
      return ledgerError(
        "CONTRACT_KEY_NOT_FOUND",
        `dependency error: couldn't find key: ${globalKeyText(error.detail.key, limits.errorCauseCharsMax)}`,
        { resources: keyResources(error.detail) },
      );
    case "LimitExceeded":
      return ledgerError("INTERPRETATION_TIME_EXCEEDED", error.message);
    default:
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
