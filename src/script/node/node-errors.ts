/** What a node says of a submission that failed, by its code and what it names, as what a script can be told. */
import { isFailure } from "../../base/result.js";
import { decodeValue, type LedgerValue } from "../../lf/index.js";
import { definitionOfText } from "../definition-text.js";
import type { ContractMetadata, SubmitError, TypedKey } from "../submit-error.js";
import type { NodeError } from "./json-api.js";

/** Resources in the order in which the code has them. Undefined: too few. */
type FromResources = (values: readonly string[], error: NodeError) => SubmitError | undefined;

export function submitErrorOfNode(error: NodeError): SubmitError {
  const { code, resources, cause } = error;
  const known = byCode[code];
  if (known === undefined) return { kind: "UnknownError", message: `${code}: ${cause}` };
  return (
    known(
      resources.map(([, value]) => value),
      error,
    ) ?? { kind: "TruncatedError", constructor_: constructorName(code), message: cause }
  );
}

/** As the names of constructors: the code in camel case. */
const constructorName = (code: string): string =>
  code.toLowerCase().replaceAll(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

const valueOf = (text: string | undefined): LedgerValue | undefined => {
  if (text === undefined) return undefined;
  const decoded = decodeValue(Buffer.from(text, "base64"));
  return isFailure(decoded) ? undefined : decoded.ok;
};

/** Template id, key, package name. */
function keyOf([templateId, key]: readonly string[]): TypedKey | undefined {
  const value = valueOf(key);
  return value && { templateId: definitionOfText(templateId), key: value };
}

const withKey =
  (kind: "ContractKeyNotFound" | "InconsistentContractKey" | "FetchEmptyContractKeyMaintainers"): FromResources =>
  (values) => {
    const key = keyOf(values);
    return key && { kind, key };
  };

const contractNotFound = (contractId: string | undefined): SubmitError | undefined =>
  contractId === undefined
    ? undefined
    : { kind: "ContractNotFound", contractIds: contractId.replace(/^\[|\]$/g, "").split(", "), absence: undefined };

const byCode: Readonly<Record<string, FromResources>> = {
  CONTRACT_NOT_FOUND: ([contractId]) => contractNotFound(contractId),
  CONTRACT_NOT_ACTIVE: ([, contractId]) => contractNotFound(contractId),
  UNSUPPORTED_CONTRACT_ID: ([contractId]) => (contractId === undefined ? undefined : { kind: "UnsupportedContractId", contractId }),
  UNRESOLVED_PACKAGE_NAME: ([packageName]) => (packageName === undefined ? undefined : { kind: "UnresolvedPackageName", packageName }),
  CONTRACT_KEY_NOT_FOUND: withKey("ContractKeyNotFound"),
  INCONSISTENT_CONTRACT_KEY: withKey("InconsistentContractKey"),
  FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS: withKey("FetchEmptyContractKeyMaintainers"),
  DUPLICATE_CONTRACT_KEY: (values) => ({ kind: "DuplicateContractKey", key: keyOf(values) }),
  DAML_AUTHORIZATION_ERROR: (_, { cause }) => ({ kind: "AuthorizationError", message: cause }),
  DAML_EFFECTFUL_ROLLBACK_ERROR: (_, { cause }) => ({ kind: "EffectfulRollbackError", message: cause }),
  DAML_FAILURE: (_, error) => failureStatus(error),
  INTERPRETATION_USER_ERROR: ([message]) => (message === undefined ? undefined : { kind: "UserError", message }),
  TEMPLATE_PRECONDITION_VIOLATED: () => ({ kind: "TemplatePreconditionViolated" }),
  NON_COMPARABLE_VALUES: () => ({ kind: "NonComparableValues" }),
  CONTRACT_ID_IN_CONTRACT_KEY: () => ({ kind: "ContractIdInContractKey" }),
  CONTRACT_ID_COMPARABILITY: ([contractId]) => (contractId === undefined ? undefined : { kind: "ContractIdComparability", contractId }),
  VALUE_NESTING: (_, { cause }) => ({ kind: "ValueNesting", limit: Number(/\d+/.exec(cause)?.[0] ?? 0) }),
  UNHANDLED_EXCEPTION: ([type, value]) => {
    const argument = valueOf(value);
    return {
      kind: "UnhandledException",
      exception: type === undefined || argument === undefined ? undefined : { templateId: definitionOfText(type), argument },
    };
  },
  CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS: ([templateId, value]) => {
    const argument = valueOf(value);
    return argument && { kind: "CreateEmptyContractKeyMaintainers", templateId: definitionOfText(templateId), argument };
  },
  CONTRACT_HASHING_ERROR: ([contractId, templateId, value], { cause }) => {
    const argument = valueOf(value);
    return contractId === undefined || argument === undefined
      ? undefined
      : { kind: "ContractHashingError", contractId, templateId: definitionOfText(templateId), argument, message: cause };
  },
  DISCLOSED_CONTRACT_KEY_HASHING_ERROR: ([templateId, contractId, value, givenKeyHash]) => {
    const key = valueOf(value);
    return contractId === undefined || key === undefined || givenKeyHash === undefined
      ? undefined
      : { kind: "DisclosedContractKeyHashingError", contractId, key: { templateId: definitionOfText(templateId), key }, givenKeyHash };
  },
  WRONGLY_TYPED_CONTRACT: ([contractId, expected, actual]) =>
    contractId === undefined || actual === undefined
      ? undefined
      : { kind: "WronglyTypedContract", contractId, expected: definitionOfText(expected), actual: definitionOfText(actual) },
  CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE: ([contractId, templateId, interfaceId]) =>
    contractId === undefined || interfaceId === undefined
      ? undefined
      : {
          kind: "ContractDoesNotImplementInterface",
          contractId,
          templateId: definitionOfText(templateId),
          interfaceId: definitionOfText(interfaceId),
        },
  CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE: ([contractId, templateId, required, requiring]) =>
    contractId === undefined || requiring === undefined
      ? undefined
      : {
          kind: "ContractDoesNotImplementRequiringInterface",
          contractId,
          templateId: definitionOfText(templateId),
          required: definitionOfText(required),
          requiring: definitionOfText(requiring),
        },
  LOCAL_VERDICT_LOCKED_CONTRACTS: () => ({ kind: "LocalVerdictLockedContracts", contracts: [] }),
  LOCAL_VERDICT_LOCKED_KEYS: () => ({ kind: "LocalVerdictLockedKeys", keys: [] }),
  INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED: ([contractId, templateId, target, value], { cause }) => {
    const argument = valueOf(value);
    if (target === undefined || argument === undefined) return undefined;
    return {
      kind: "UpgradeError",
      message: cause,
      problem: {
        kind: "TranslationFailed",
        contractId: contractId === "NULL" ? undefined : contractId,
        templateId: definitionOfText(templateId),
        target: definitionOfText(target),
        argument,
      },
    };
  },
  INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED: ([contractId, templateId, target, value], { cause }) => {
    const argument = valueOf(value);
    if (contractId === undefined || argument === undefined) return undefined;
    return {
      kind: "UpgradeError",
      message: cause,
      problem: {
        kind: "AuthenticationFailed",
        contractId,
        templateId: definitionOfText(templateId),
        target: definitionOfText(target),
        argument,
      },
    };
  },
  INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED: (values, { cause }) => validationFailed(values, cause),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING: crypto("MalformedByteEncoding"),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY: crypto("MalformedKey"),
  INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE: crypto("MalformedSignature"),
  INTERPRETATION_DEV_ERROR: ([problem], { cause }) => (problem === undefined ? undefined : { kind: "DevError", problem, message: cause }),
};

function crypto(problem: Extract<SubmitError, { kind: "CryptoError" }>["problem"]): FromResources {
  return ([value], { cause }) => (value === undefined ? undefined : { kind: "CryptoError", problem, value, message: cause });
}

/** The model's metadata stand beside what the node says itself. */
const ownContext: ReadonlySet<string> = new Set([
  "participant",
  "category",
  "tid",
  "definite_answer",
  "error_id",
  "exercise_trace",
  "commands",
  "commandId",
  "submissionId",
  "userId",
  "actAs",
  "readAs",
]);

function failureStatus({ cause, context }: NodeError): SubmitError {
  const errorId = context["error_id"] ?? "",
    category = Number(context["category"] ?? 9);
  // The cause is put together of id, category and the model's message.
  const message =
    /^.*?\(error category \d+\): ([^]*)$/.exec(cause)?.[1] ?? (cause.startsWith(`${errorId}: `) ? cause.slice(errorId.length + 2) : cause);
  const metadata = Object.entries(context).filter(([key]) => !ownContext.has(key));
  return { kind: "FailureStatusError", status: { errorId, category, message, metadata } };
}

const partiesOf = (text: string | undefined): readonly string[] => (text === undefined || text.trim() === "" ? [] : text.split(","));

/**
 * Contract, both templates and package names; then of the original and the recomputed: signatories, observers, key, its package and
 * maintainers.
 */
function validationFailed(values: readonly string[], message: string): SubmitError | undefined {
  const [contractId, templateId, target, packageName, targetPackageName] = values;
  if (values.length < 15) return undefined;
  const metadata = (from: number): ContractMetadata => {
    const key = values[from + 2] === "NULL" ? undefined : valueOf(values[from + 2]);
    return {
      signatories: partiesOf(values[from]),
      observers: partiesOf(values[from + 1]),
      key: key && { key, maintainers: partiesOf(values[from + 4]) },
    };
  };
  return {
    kind: "UpgradeError",
    message,
    problem: {
      kind: "ValidationFailed",
      contractId: contractId!,
      templateId: definitionOfText(templateId),
      target: definitionOfText(target),
      packageName: packageName!,
      targetPackageName: targetPackageName!,
      original: metadata(5),
      recomputed: metadata(10),
    },
  };
}
