/** SubmitError as this release of the library declares it; what it has no constructor for becomes UnknownError. */
import { assert } from "../../base/assert.js";
import { isFailure } from "../../base/result.js";
import type { DefinitionId, LedgerValue } from "../../lf/index.js";
import { AnyValue, ContractId, fromCommandValue, none, type Value } from "../../lf/running-code.js";
import type {
  ContractAbsence,
  ContractMetadata,
  SubmitError,
  TypedArgument,
  TypedContract,
  TypedKey,
  UpgradeProblem,
} from "../submit-error.js";
import { anyTemplate, failureStatusValue, list, nonEmpty, optional, templateRep, tuple, typeOf } from "../values.js";
import type { Asked } from "./question.js";

type Fields = Readonly<Record<string, Value | undefined>>;

export function submitErrorValue(error: SubmitError, message: string, asked: Asked): Value {
  const { library } = asked;
  const constructor_ = error.kind;
  const value = library.variantOf("SubmitError", constructor_, new ErrorFields(asked).of(error));
  const made = value ?? library.variantOf("SubmitError", "UnknownError", { unknownErrorMessage: message });
  assert(made !== undefined, "every release of the library has UnknownError");
  return made;
}

class ErrorFields {
  constructor(readonly asked: Asked) {}

  /** By the names of the fields; a part that this release cannot say is left out, and the constructor with it. */
  of(error: SubmitError): Fields {
    switch (error.kind) {
      case "ContractNotFound":
        return { unknownContractIds: nonEmpty(error.contractIds), additionalDebuggingInfo: this.#absence(error.absence) };
      case "UnsupportedContractId":
        return { unknownContractId: error.contractId };
      case "ContractKeyNotFound":
      case "InconsistentContractKey":
        return { contractKey: this.#key(error.key) };
      case "FetchEmptyContractKeyMaintainers":
        return { failedTemplateKey: this.#key(error.key) };
      case "DuplicateContractKey":
        return { duplicateContractKey: optional(error.key && this.#key(error.key)) };
      case "UnresolvedPackageName":
        return { packageName: error.packageName };
      case "AuthorizationError":
        return { authorizationErrorMessage: error.message };
      case "UserError":
        return { userErrorMessage: error.message };
      case "EffectfulRollbackError":
        return { effectfulRollbackErrorMsg: error.message };
      case "UnknownError":
        return { unknownErrorMessage: error.message };
      case "ContractHashingError":
        return {
          contractId: contract(error),
          dstTemplateId: templateRep(error.templateId),
          createArg: this.#template(error),
          errorMessage: error.message,
        };
      case "DisclosedContractKeyHashingError":
        return {
          contractId: contract({ contractId: error.contractId, templateId: error.key.templateId }),
          expectedKey: this.#key(error.key),
          givenKeyHash: error.givenKeyHash,
        };
      case "UnhandledException":
        return { exc: optional(error.exception && this.#any(error.exception)) };
      case "TemplatePreconditionViolated":
      case "NonComparableValues":
      case "ContractIdInContractKey":
        return {};
      case "CreateEmptyContractKeyMaintainers":
        return { invalidTemplate: this.#template(error) };
      case "WronglyTypedContract":
        return {
          contractId: contract({ contractId: error.contractId, templateId: error.actual }),
          expectedTemplateId: templateRep(error.expected),
          actualTemplateId: templateRep(error.actual),
        };
      case "ContractDoesNotImplementInterface":
        return { contractId: contract(error), templateId: templateRep(error.templateId), interfaceId: templateRep(error.interfaceId) };
      case "ContractDoesNotImplementRequiringInterface":
        return {
          contractId: contract(error),
          templateId: templateRep(error.templateId),
          requiredInterfaceId: templateRep(error.required),
          requiringInterfaceId: templateRep(error.requiring),
        };
      case "ContractIdComparability":
        return { globalExistingContractId: error.contractId };
      case "ValueNesting":
        return { limit: error.limit };
      case "LocalVerdictLockedContracts":
        return { localVerdictLockedContracts: list(error.contracts.map(contract)) };
      case "LocalVerdictLockedKeys":
        return { localVerdictLockedKeys: this.#all(error.keys.map((key) => this.#key(key))) };
      case "UpgradeError":
        return { errorType: this.#upgrade(error.problem), errorMessage: error.message };
      case "FailureStatusError":
        return { failureStatus: failureStatusValue(error.status) };
      case "CryptoError":
        return { cryptoErrorType: this.#crypto(error.problem, error.value), cryptoErrorMessage: error.message };
      case "DevError":
        return { devErrorType: this.#development(error.problem), devErrorMessage: error.message };
      case "TruncatedError":
        return { truncatedErrorType: error.constructor_, truncatedErrorMessage: error.message };
    }
  }

  #all(values: readonly (Value | undefined)[]): Value | undefined {
    return values.includes(undefined) ? undefined : list(values as readonly Value[]);
  }

  #absence(absence: ContractAbsence | undefined): Value {
    if (absence === undefined) return none;
    const { library } = this.asked,
      type = "ContractNotFoundAdditionalInfo";
    const parties = (names: readonly string[]): Value => list(names);
    switch (absence.kind) {
      case "NotFound":
        return optional(library.variant(type, "NotFound"));
      case "NotActive":
        return optional(library.variantOf(type, "NotActive", { additionalInfoCid: contract(absence) }));
      case "NotEffective":
        return optional(
          library.variantOf(type, "NotEffective", { additionalInfoCid: contract(absence), effectiveAt: absence.effectiveAt }),
        );
      case "NotVisible":
        return optional(
          library.variantOf(type, "NotVisible", {
            additionalInfoCid: contract(absence),
            actAs: parties(absence.actAs),
            readAs: parties(absence.readAs),
            observers: parties(absence.observers),
          }),
        );
    }
  }

  #upgrade(problem: UpgradeProblem): Value | undefined {
    const { library } = this.asked;
    const templates = { srcTemplateId: templateRep(problem.templateId), dstTemplateId: templateRep(problem.target) };
    if (problem.kind === "ValidationFailed") {
      const { original, recomputed } = problem,
        recomputedKeyOpt = this.#metadataKey(problem.target, recomputed);
      const of3_3 = { signatories: list(recomputed.signatories), observers: list(recomputed.observers), keyOpt: recomputedKeyOpt };
      const from3_6 = {
        originalNonSignatoryStakeholders: list(original.observers),
        recomputedNonSignatoryStakeholders: list(recomputed.observers),
      };
      return library.variantOf("UpgradeErrorType", problem.kind, {
        coid: contract(problem),
        ...templates,
        srcPackageName: problem.packageName,
        dstPackageName: problem.targetPackageName,
        originalSignatories: list(original.signatories),
        originalObservers: list(original.observers),
        originalKeyOpt: this.#metadataKey(problem.templateId, original),
        recomputedSignatories: list(recomputed.signatories),
        recomputedObservers: list(recomputed.observers),
        recomputedKeyOpt,
        ...of3_3,
        ...from3_6,
      });
    }
    const { contractId, templateId } = problem;
    const typedContract = contractId === undefined ? undefined : contract({ contractId, templateId });
    return library.variantOf("UpgradeErrorType", problem.kind, {
      coid: typedContract,
      mCoid: optional(typedContract),
      ...templates,
      createArg: this.#template(problem),
    });
  }

  #metadataKey(templateId: DefinitionId, { key }: ContractMetadata): Value | undefined {
    if (key === undefined) return none;
    const typedKey = this.#key({ templateId, key: key.key });
    return typedKey && optional(tuple(typedKey, list(key.maintainers)));
  }

  /** The names of the one field of each constructor. */
  #crypto(problem: Extract<SubmitError, { kind: "CryptoError" }>["problem"], value: string): Value | undefined {
    return this.asked.library.variantOf("CryptoErrorType", problem, { value, keyValue: value, signatureValue: value });
  }

  #development(problem: string): Value | undefined {
    const { library } = this.asked;
    return library.enumeration("DevErrorType", problem) ?? library.enumeration("DevErrorType", "UnknownNewFeature");
  }

  #template({ templateId, argument }: TypedArgument): Value | undefined {
    const payload = this.#typed({ kind: "con", id: templateId }, argument);
    return payload && anyTemplate(templateId, payload);
  }

  #any({ templateId, argument }: TypedArgument): Value | undefined {
    const payload = this.#typed({ kind: "con", id: templateId }, argument);
    return payload && new AnyValue(typeOf(templateId), payload);
  }

  #key({ templateId, key }: TypedKey): Value | undefined {
    const type = this.asked.packages.engine.packages.template(templateId)?.key?.type;
    const value = type && this.#typed(type, key);
    if (value === undefined) return undefined;
    return tuple(this.asked.library.declares("AnyContractKey") ? value : new AnyValue(type!, value), templateRep(templateId));
  }

  #typed(type: Parameters<ErrorFields["asked"]["packages"]["engine"]["types"]["of"]>[0], value: LedgerValue): Value | undefined {
    const typed = fromCommandValue(this.asked.packages.engine.types.of(type), value);
    return isFailure(typed) ? undefined : typed.ok;
  }
}

const contract = ({ templateId, contractId }: TypedContract): Value => tuple(templateRep(templateId), new ContractId(contractId));
