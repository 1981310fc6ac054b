/** The engine's failures as what a script can be told of a submission. */
import {
  type EngineError,
  innerClass,
  type InterpretationError,
  type InterpretationErrorOf,
  interpretationText,
  isOfFamily,
  type ValidationFailed,
} from "../../lf/index.js";
import { definitionOfText } from "../definition-text.js";
import type { ContractAbsence, ContractMetadata, SubmitError, TypedKey, UpgradeProblem } from "../submit-error.js";
import { misfitText } from "./reference-error.js";

/** `absenceOf`: why the ledger did not find a contract. */
export function submitErrorOf(error: EngineError, absenceOf: (contractId: string) => ContractAbsence): SubmitError {
  if (error.phase === "lookup" && error.class === "UnresolvedPackageName")
    return { kind: "UnresolvedPackageName", packageName: packageNameOf(error.reference) };
  if (error.phase === "preprocessing" && error.class === "ContractIdInContractKey") return { kind: "ContractIdInContractKey" };
  if (error.phase === "preprocessing" && error.class === "TypeMismatch")
    return { kind: "UnknownError", message: misfitText(error.message) };
  if (error.phase !== "interpretation") return { kind: "UnknownError", message: error.message };
  return interpretationFailure(error, absenceOf);
}

/** `#name:Module:Entity`, or a name. */
const packageNameOf = (reference: string): string => reference.replace(/^#/, "").split(":")[0]!;

const keyOf = ({
  key: { templateId, key },
}: InterpretationErrorOf<"ContractKeyNotFound" | "InconsistentContractKey">["detail"]): TypedKey => ({
  templateId: definitionOfText(templateId),
  key,
});

function interpretationFailure(error: InterpretationError, absenceOf: (contractId: string) => ContractAbsence): SubmitError {
  const message = interpretationText(error);
  switch (error.class) {
    case "ContractNotFound":
      return { kind: error.class, contractIds: [error.detail.cid], absence: absenceOf(error.detail.cid) };
    case "ContractNotActive": {
      const { coid: contractId, templateId } = error.detail;
      return {
        kind: "ContractNotFound",
        contractIds: [contractId],
        absence: { kind: "NotActive", contractId, templateId: definitionOfText(templateId) },
      };
    }
    case "ContractKeyNotFound":
      return { kind: error.class, key: keyOf(error.detail) };
    case "InconsistentContractKey":
      return { kind: error.class, key: keyOf(error.detail) };
    case "UnresolvedPackageName":
      return { kind: error.class, packageName: error.detail.packageName };
    case "UserError":
      return { kind: error.class, message: error.detail.message };
    case "FailureStatus": {
      const { errorId, failureCategory: category, errorMessage, metadata } = error.detail;
      return { kind: "FailureStatusError", status: { errorId, category, message: errorMessage, metadata } };
    }
    case "TemplatePreconditionViolated":
    case "NonComparableValues":
    case "ContractIdInContractKey":
      return { kind: error.class };
    case "CreateEmptyContractKeyMaintainers":
      return { kind: error.class, templateId: definitionOfText(error.detail.templateId), argument: error.detail.arg };
    case "FetchEmptyContractKeyMaintainers":
      return { kind: error.class, key: { templateId: definitionOfText(error.detail.templateId), key: error.detail.key } };
    case "WronglyTypedContract": {
      const { coid: contractId, expected, actual } = error.detail;
      return { kind: error.class, contractId, expected: definitionOfText(expected), actual: definitionOfText(actual) };
    }
    case "ContractDoesNotImplementInterface": {
      const { coid: contractId, templateId, interfaceId } = error.detail;
      return { kind: error.class, contractId, templateId: definitionOfText(templateId), interfaceId: definitionOfText(interfaceId) };
    }
    case "ContractDoesNotImplementRequiringInterface": {
      const { coid: contractId, templateId, requiredInterfaceId, requiringInterfaceId } = error.detail;
      return {
        kind: error.class,
        contractId,
        templateId: definitionOfText(templateId),
        required: definitionOfText(requiredInterfaceId),
        requiring: definitionOfText(requiringInterfaceId),
      };
    }
    case "ContractIdComparability":
      return { kind: error.class, contractId: error.detail.globalCid };
    case "ValueNesting":
      return { kind: error.class, limit: error.detail.limit };
    case "EffectfulRollback":
      return { kind: "EffectfulRollbackError", message };
    case "Crypto.MalformedByteEncoding":
      return { kind: "CryptoError", problem: "MalformedByteEncoding", value: error.detail.value, message };
    case "Crypto.MalformedKey":
      return { kind: "CryptoError", problem: "MalformedKey", value: error.detail.key, message };
    case "Crypto.MalformedSignature":
      return { kind: "CryptoError", problem: "MalformedSignature", value: error.detail.signature, message };
    default:
      if (isOfFamily(error, "FailedAuthorization")) return { kind: "AuthorizationError", message };
      if (isOfFamily(error, "Upgrade")) return { kind: "UpgradeError", problem: upgradeProblem(error), message };
      if (isOfFamily(error, "Dev")) return { kind: "DevError", problem: innerClass(error), message };
      return { kind: "UnknownError", message };
  }
}

function upgradeProblem(error: Extract<InterpretationError, { readonly class: `Upgrade.${string}` }>): UpgradeProblem {
  const { srcTemplateId, dstTemplateId } = error.detail.error,
    templateId = definitionOfText(srcTemplateId),
    target = definitionOfText(dstTemplateId);
  switch (error.class) {
    case "Upgrade.ValidationFailed": {
      const { error: failed } = error.detail;
      return {
        kind: "ValidationFailed",
        contractId: failed.coid,
        templateId,
        target,
        packageName: failed.srcPackageName,
        targetPackageName: failed.dstPackageName,
        original: metadataOf(failed.originalSignatories, failed.originalObservers, failed.originalKeyOpt),
        recomputed: metadataOf(failed.recomputedSignatories, failed.recomputedObservers, failed.recomputedKeyOpt),
      };
    }
    case "Upgrade.AuthenticationFailed": {
      const { coid: contractId, createArg: argument } = error.detail.error;
      return { kind: "AuthenticationFailed", contractId, templateId, target, argument };
    }
    default: {
      const { coid, createArg: argument } = error.detail.error;
      return { kind: "TranslationFailed", contractId: coid ?? undefined, templateId, target, argument };
    }
  }
}

const metadataOf = (
  signatories: readonly string[],
  observers: readonly string[],
  key: ValidationFailed["originalKeyOpt"],
): ContractMetadata => ({
  signatories,
  observers,
  key: key === null ? undefined : { key: key.globalKey.key, maintainers: key.maintainers },
});
