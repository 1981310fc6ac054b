/**
 * What interpretation fails with in the words of the reference (its `Pretty.scala`, slips of its pen included), which clients of a ledger
 * look for. An error's `message` says the same in ours, for those who write a model.
 */
import { limits } from "../config.js";
import { shortIdText, valueText } from "./conversion/index.js";
import { findContractId } from "./interpret/index.js";
import { type InterpretationError, type InterpretationErrorOf, isOfFamily, type Mistranslation } from "./interpretation-error.js";
import type { LedgerValue } from "./value/index.js";

export function interpretationText(error: InterpretationError): string {
  switch (error.class) {
    case "TemplatePreconditionViolated": {
      const { templateId, arg } = error.detail;
      return `Update failed due to precondition violation when creating ${shortIdText(templateId)} with ${shown(arg)}`;
    }
    case "ContractNotActive": {
      const { coid, templateId, consumedBy } = error.detail;
      return `Update failed due to fetch of an inactive contract ${coid} (${shortIdText(templateId)}).\nThe contract had been consumed in sub-transaction #${nodeText(consumedBy)}:`;
    }
    case "ContractNotFound":
      return `Update failed due to a unknown contract ${error.detail.cid}`;
    case "ContractKeyNotFound": {
      const { key, templateId } = error.detail.key;
      return `Update failed due to fetch-by-key or exercise-by-key which did not find a contract with key ${shown(key)} (${shortIdText(templateId)})`;
    }
    case "InconsistentContractKey":
      return `Update failed due to an inconsistent contract key ${shown(error.detail.key.key)}`;
    case "CreateEmptyContractKeyMaintainers": {
      const { templateId, arg, key } = error.detail;
      return `Update failed due to a contract key with an empty set of maintainers when creating ${shortIdText(templateId)} with ${shown(arg)}\nThe computed key is ${shown(key)}`;
    }
    case "FetchEmptyContractKeyMaintainers": {
      const { templateId, key, packageName } = error.detail;
      return `Update failed due to a contract key with an empty set of maintainers when fetching or looking up by key ${packageName} / ${shortIdText(templateId)}\nThe provided shared key is ${shown(key)}`;
    }
    case "WronglyTypedContract": {
      const { coid, expected, actual } = error.detail;
      return `Update failed due to wrongly typed contract id ${coid}\nExpected contract of type ${shortIdText(expected)} but got ${shortIdText(actual)}`;
    }
    case "ContractDoesNotImplementInterface": {
      const { coid, templateId, interfaceId } = error.detail;
      return `Update failed due to contract ${coid} not implementing an interface\nExpected contract to implement interface ${shortIdText(interfaceId)} but contract has type ${shortIdText(templateId)}`;
    }
    case "ContractDoesNotImplementRequiringInterface": {
      const { coid, templateId, requiringInterfaceId, requiredInterfaceId } = error.detail;
      return `Update failed due to contract ${coid} not implementing the requiring interface\nExpected contract to implement interface ${shortIdText(requiringInterfaceId)} requirring the interface ${shortIdText(requiredInterfaceId)} but contract has type ${shortIdText(templateId)}`;
    }
    case "ContractIdComparability":
      return `The global contract ID ${error.detail.globalCid} conflicts with a local contract ID`;
    case "ContractIdInContractKey":
      return `Contract IDs are not supported in contract keys: ${findContractId(error.detail.key)}`;
    case "ValueNesting":
      return `Value exceeds maximum nesting value of ${error.detail.limit}`;
    case "EffectfulRollback":
      return `Tried to rollback side-effectful node(s): ${error.detail.nodes.map(effectText).join(", \n")}`;
    case "Upgrade.ValidationFailed":
      return validationText(error);
    case "Upgrade.AuthenticationFailed": {
      const { coid, srcTemplateId, dstTemplateId, createArg, msg } = error.detail.error;
      return `Error when authenticating contract ${coid} against template ${shortIdText(dstTemplateId)} : ${msg}\nThe contract is purportedly an instance of ${shortIdText(srcTemplateId)}\nThe contract argument is ${shown(createArg)}`;
    }
    case "Crypto.MalformedByteEncoding":
      return `Invalid byte encoding format for ${error.detail.value} :\n${error.detail.cause}`;
    case "Crypto.MalformedKey":
      return `Malformed public key for ${error.detail.key} :\n${error.detail.cause}`;
    case "Crypto.MalformedSignature":
      return `Malformed signature for ${error.detail.signature} :\n${error.detail.cause}`;
    case "Dev.ChoiceGuardFailed": {
      const { coid, templateId, choiceName, byInterface } = error.detail.error;
      return `Choice guard failed for ${shortIdText(templateId)} contract ${coid} when exercising choice ${choiceName} by interface ${shortIdText(byInterface)}`;
    }
    // A ledger that knows why adds it to the message.
    case "UnresolvedPackageName":
    case "UserError":
    case "FailureStatus":
    case "NonComparableValues":
    case "MalformedText":
    case "LimitExceeded":
    case "Unsupported":
    case "Internal":
      return error.message;
    default:
      return isOfFamily(error, "FailedAuthorization") ? authorizationText(error) : translationText(error);
  }
}

const shown = (value: LedgerValue): string => valueText(value, limits.errorCauseCharsMax);
const nodeText = (id: number): string => `NodeId(${id})`;

function effectText(node: InterpretationErrorOf<"EffectfulRollback">["detail"]["nodes"][number]): string {
  const contract = `${shortIdText(node.templateId)} ( ${node.coid} )`;
  return node.class === "Create"
    ? `Create of ${contract}`
    : `Consuming ${node.byKey ? "exercise by key" : "exercise"} of ${node.choiceId} on ${contract}`;
}

type OfFamily<F extends string> = Extract<InterpretationError, { readonly class: `${F}.${string}` }>;

function authorizationText(error: OfFamily<"FailedAuthorization">): string {
  const node = `node ${nodeText(error.detail.nid)}`,
    of = `${node} (${error.detail.fa.templateId})`;
  switch (error.class) {
    case "FailedAuthorization.CreateMissingAuthorization":
    case "FailedAuthorization.ExerciseMissingAuthorization": {
      const { requiredParties, authorizingParties } = error.detail.fa;
      return `${of} requires authorizers ${requiredParties.join(",")}, but only ${authorizingParties.join(",")} were given`;
    }
    case "FailedAuthorization.FetchMissingAuthorization": {
      const { stakeholders, authorizingParties } = error.detail.fa;
      return `${node} requires one of the stakeholders ${set(stakeholders)} of the fetched contract to be an authorizer, but authorizers were ${set(authorizingParties)}`;
    }
    case "FailedAuthorization.LookupByKeyMissingAuthorization": {
      const { maintainers, authorizingParties } = error.detail.fa;
      return `${of} requires authorizers ${maintainers.join(",")} for lookup by key, but it only has ${authorizingParties.join(",")}`;
    }
    case "FailedAuthorization.MaintainersNotSubsetOfSignatories": {
      const { maintainers, signatories } = error.detail.fa;
      return `${of} has maintainers ${maintainers.join(",")} which are not a subset of the signatories ${set(signatories)}`;
    }
    case "FailedAuthorization.NoSignatories":
      return `${of} has no signatories`;
    case "FailedAuthorization.NoControllers":
      return `${of} has no controllers`;
    case "FailedAuthorization.NoAuthorizers":
      return `${of} has no authorizers`;
  }
}

/** As Scala shows one. */
const set = (parties: readonly string[]): string => `TreeSet(${parties.join(", ")})`;

function validationText({ detail: { error } }: InterpretationErrorOf<"Upgrade.ValidationFailed">): string {
  const parties = (those: readonly string[]): string => `{ ${those.map((party) => `'${party}'`).join(",")} }`,
    keyText = (which: "original" | "recomputed", key: typeof error.originalKeyOpt): string =>
      key === null ? "" : `${which} maintainers are ${parties(key.maintainers)}\n${which} key is ${shown(key.globalKey.key)}`;
  return [
    `Validation fails when trying to upgrade the contract ${error.coid} from ${shortIdText(error.srcTemplateId)} to ${shortIdText(error.dstTemplateId)}`,
    "Verify that neither the signatories, nor the observers, nor the contract key, nor the key's maintainers, nor the package name have changed",
    `original package name is ${error.srcPackageName}`,
    `original signatories are ${parties(error.originalSignatories)}`,
    `original observers are ${parties(error.originalObservers)}`,
    `target package name is ${error.dstPackageName}`,
    `recomputed signatories are ${parties(error.recomputedSignatories)}`,
    `recomputed observers are ${parties(error.recomputedObservers)}`,
    keyText("original", error.originalKeyOpt),
    keyText("recomputed", error.recomputedKeyOpt),
  ].join("\n");
}

function translationText({ detail: { error } }: OfFamily<"Upgrade.TranslationFailed">): string {
  const contract = error.coid === null ? "a contract" : `contract ${error.coid}`;
  return [
    `Translation of ${contract} to a value of type ${shortIdText(error.dstTemplateId)} fails.`,
    `Reason: ${mistranslationText(error.error)}`,
    `The contract is purportedly an instance of ${shortIdText(error.srcTemplateId)}`,
    `Its contract argument is:  ${shown(error.createArg)}`,
  ].join("\n");
}

function mistranslationText(error: Mistranslation): string {
  switch (error.class) {
    case "TypeMismatch":
      return `Type-checking fails  ${error.message}\n  Expected type: ${error.expectedType}\n  Actual value: ${shown(error.actualValue)}`;
    case "ValueNesting":
      return `Value exceeds maximum nesting level of ${limits.valueNestingMax}`;
    case "MalformedText":
      return `Value contains malformed text: ${error.err}`;
    case "InvalidValue":
      return `Invalid value ${shown(error.value)} ${error.message}`;
    case "LookupError": {
      const { class: class_, constructorName, tyCon } = error.lookupError.notFound;
      return `unknown constructor ${constructorName} in ${class_ === "DataVariantConstructor" ? "variant" : "enumeration"} ${tyCon}`;
    }
    case "NonSuffixedV1ContractId":
      return `Encountered non-suffixed Contract ID ${error.cid}`;
  }
}
