/** The engine's failures as what a script can be told of a submission. */
import type { EngineError, LedgerValue } from "../../lf/index.js";
import { definitionOfText } from "../definition-text.js";
import type { ContractAbsence, ContractMetadata, SubmitError, TypedKey, UpgradeProblem } from "../submit-error.js";

type Detail = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const value = (detail: unknown): LedgerValue => detail as LedgerValue;

/** `absenceOf`: why the ledger did not find a contract. */
export function submitErrorOf(error: EngineError, absenceOf: (contractId: string) => ContractAbsence): SubmitError {
  if (error.phase === "lookup" && error.class === "UnresolvedPackageName") return { kind: "UnresolvedPackageName", packageName: packageNameOf(error.reference) };
  if (error.phase === "preprocessing" && error.class === "ContractIdInContractKey") return { kind: "ContractIdInContractKey" };
  if (error.phase !== "interpretation") return { kind: "UnknownError", message: error.message };
  const { detail, message } = error, kind: string = error.class;
  if (kind.startsWith("FailedAuthorization.")) return { kind: "AuthorizationError", message };
  if (kind.startsWith("Upgrade.")) return upgradeError(kind.split(".")[1]!, nested(detail), message);
  if (kind.startsWith("Crypto.")) return cryptoError(kind.slice("Crypto.".length), nested(detail), message);
  if (kind.startsWith("Dev.")) return { kind: "DevError", problem: kind.slice("Dev.".length), message };
  return plainErrors[kind]?.(detail, message, absenceOf) ?? { kind: "UnknownError", message };
}

/** `#name:Module:Entity`, or a name. */
const packageNameOf = (reference: string): string => reference.replace(/^#/, "").split(":")[0]!;
const nested = (detail: Detail): Detail => (typeof detail["error"] === "object" && detail["error"] !== null ? (detail["error"] as Detail) : detail);

const keyOf = (detail: Detail): TypedKey => {
  const key = (detail["key"] ?? detail) as Detail;
  return { templateId: definitionOfText(key["templateId"]), key: value(key["key"]) };
};

type PlainError = (detail: Detail, message: string, absenceOf: (contractId: string) => ContractAbsence) => SubmitError;

const plainErrors: Readonly<Record<string, PlainError>> = {
  ContractNotFound: (detail, _, absenceOf) => ({ kind: "ContractNotFound", contractIds: [text(detail["cid"])], absence: absenceOf(text(detail["cid"])) }),
  ContractNotActive: (detail) => {
    const contractId = text(detail["coid"]);
    return { kind: "ContractNotFound", contractIds: [contractId], absence: { kind: "NotActive", contractId, templateId: definitionOfText(detail["templateId"]) } };
  },
  ContractKeyNotFound: (detail) => ({ kind: "ContractKeyNotFound", key: keyOf(detail) }),
  InconsistentContractKey: (detail) => ({ kind: "InconsistentContractKey", key: keyOf(detail) }),
  UnresolvedPackageName: (detail) => ({ kind: "UnresolvedPackageName", packageName: text(detail["packageName"]) }),
  UserError: (detail) => ({ kind: "UserError", message: text(detail["message"]) }),
  FailureStatus: (detail) => ({
    kind: "FailureStatusError",
    status: {
      errorId: text(detail["errorId"]), category: Number(detail["failureCategory"]), message: text(detail["errorMessage"]),
      metadata: (detail["metadata"] ?? []) as readonly (readonly [string, string])[],
    },
  }),
  UnhandledException: (detail) => ({
    kind: "UnhandledException",
    exception: detail["value"] === undefined ? undefined : { templateId: definitionOfText(detail["exceptionType"]), argument: value(detail["value"]) },
  }),
  TemplatePreconditionViolated: () => ({ kind: "TemplatePreconditionViolated" }),
  NonComparableValues: () => ({ kind: "NonComparableValues" }),
  ContractIdInContractKey: () => ({ kind: "ContractIdInContractKey" }),
  CreateEmptyContractKeyMaintainers: (detail) => ({ kind: "CreateEmptyContractKeyMaintainers", templateId: definitionOfText(detail["templateId"]), argument: value(detail["arg"]) }),
  FetchEmptyContractKeyMaintainers: (detail) => ({ kind: "FetchEmptyContractKeyMaintainers", key: { templateId: definitionOfText(detail["templateId"]), key: value(detail["key"]) } }),
  WronglyTypedContract: (detail) => ({
    kind: "WronglyTypedContract", contractId: text(detail["coid"]), expected: definitionOfText(detail["expected"]), actual: definitionOfText(detail["actual"]),
  }),
  ContractDoesNotImplementInterface: (detail) => ({
    kind: "ContractDoesNotImplementInterface", contractId: text(detail["coid"]), templateId: definitionOfText(detail["templateId"]), interfaceId: definitionOfText(detail["interfaceId"]),
  }),
  ContractDoesNotImplementRequiringInterface: (detail) => ({
    kind: "ContractDoesNotImplementRequiringInterface", contractId: text(detail["coid"]), templateId: definitionOfText(detail["templateId"]),
    required: definitionOfText(detail["requiredInterfaceId"]), requiring: definitionOfText(detail["requiringInterfaceId"]),
  }),
  ContractIdComparability: (detail) => ({ kind: "ContractIdComparability", contractId: text(detail["globalCid"]) }),
  ValueNesting: (detail) => ({ kind: "ValueNesting", limit: Number(detail["limit"]) }),
  EffectfulRollback: (_, message) => ({ kind: "EffectfulRollbackError", message }),
  ContractHashingError: (detail, message) => ({
    kind: "ContractHashingError", contractId: text(detail["coid"]), templateId: definitionOfText(detail["dstTemplateId"]), argument: value(detail["createArg"]), message,
  }),
  DisclosedContractKeyHashingError: (detail) => ({
    kind: "DisclosedContractKeyHashingError", contractId: text(detail["coid"]), key: keyOf(detail), givenKeyHash: text(detail["declaredHash"]),
  }),
};

function cryptoError(problem: string, detail: Detail, message: string): SubmitError {
  switch (problem) {
    case "MalformedByteEncoding": return { kind: "CryptoError", problem, value: text(detail["value"]), message };
    case "MalformedKey": return { kind: "CryptoError", problem, value: text(detail["key"]), message };
    case "MalformedSignature": return { kind: "CryptoError", problem, value: text(detail["signature"]), message };
    default: return { kind: "UnknownError", message };
  }
}

function upgradeError(kind: string, detail: Detail, message: string): SubmitError {
  const problem = upgradeProblem(kind, detail);
  return problem === undefined ? { kind: "UnknownError", message } : { kind: "UpgradeError", problem, message };
}

function upgradeProblem(kind: string, detail: Detail): UpgradeProblem | undefined {
  const templateId = definitionOfText(detail["srcTemplateId"]), target = definitionOfText(detail["dstTemplateId"]);
  const contractId = text(detail["coid"]);
  switch (kind) {
    case "TranslationFailed": return { kind, contractId: contractId === "" ? undefined : contractId, templateId, target, argument: value(detail["createArg"]) };
    case "AuthenticationFailed": return { kind, contractId, templateId, target, argument: value(detail["createArg"]) };
    case "ValidationFailed":
      return {
        kind, contractId, templateId, target, packageName: text(detail["srcPackageName"]), targetPackageName: text(detail["dstPackageName"]),
        original: metadataOf(detail, "original"), recomputed: metadataOf(detail, "recomputed"),
      };
    default: return undefined;
  }
}

function metadataOf(detail: Detail, which: "original" | "recomputed"): ContractMetadata {
  const key = detail[`${which}KeyOpt`] as { readonly globalKey: Detail; readonly maintainers: readonly string[] } | null;
  return {
    signatories: detail[`${which}Signatories`] as readonly string[], observers: detail[`${which}Observers`] as readonly string[],
    key: key === null ? undefined : { key: value(key.globalKey["key"]), maintainers: key.maintainers },
  };
}
