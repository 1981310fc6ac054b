/** What a script can be told of a submission that failed: the constructors of the library's SubmitError, all releases together. */
import type { DefinitionId, LedgerValue } from "../lf/index.js";
import type { FailureStatus } from "./stop.js";

export interface TypedContract {
  readonly contractId: string;
  readonly templateId: DefinitionId;
}
export interface TypedArgument {
  readonly templateId: DefinitionId;
  readonly argument: LedgerValue;
}
export interface TypedKey {
  readonly templateId: DefinitionId;
  readonly key: LedgerValue;
}

export type ContractAbsence =
  | { readonly kind: "NotFound" }
  | ({ readonly kind: "NotActive" } & TypedContract)
  | ({ readonly kind: "NotEffective"; readonly effectiveAt: string } & TypedContract)
  | ({
      readonly kind: "NotVisible";
      readonly actAs: readonly string[];
      readonly readAs: readonly string[];
      readonly observers: readonly string[];
    } & TypedContract);

export type UpgradeProblem =
  | ({
      readonly kind: "ValidationFailed";
      readonly target: DefinitionId;
      readonly packageName: string;
      readonly targetPackageName: string;
      readonly original: ContractMetadata;
      readonly recomputed: ContractMetadata;
    } & TypedContract)
  | ({ readonly kind: "TranslationFailed"; readonly contractId: string | undefined; readonly target: DefinitionId } & TypedArgument)
  | ({ readonly kind: "AuthenticationFailed"; readonly contractId: string; readonly target: DefinitionId } & TypedArgument);

export interface ContractMetadata {
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  readonly key: { readonly key: LedgerValue; readonly maintainers: readonly string[] } | undefined;
}

export type SubmitError =
  | { readonly kind: "ContractNotFound"; readonly contractIds: readonly string[]; readonly absence: ContractAbsence | undefined }
  | { readonly kind: "UnsupportedContractId"; readonly contractId: string }
  | { readonly kind: "ContractKeyNotFound" | "InconsistentContractKey" | "FetchEmptyContractKeyMaintainers"; readonly key: TypedKey }
  | { readonly kind: "DuplicateContractKey"; readonly key: TypedKey | undefined }
  | { readonly kind: "UnresolvedPackageName"; readonly packageName: string }
  | { readonly kind: "AuthorizationError" | "UserError" | "EffectfulRollbackError" | "UnknownError"; readonly message: string }
  | ({ readonly kind: "ContractHashingError"; readonly contractId: string; readonly message: string } & TypedArgument)
  | {
      readonly kind: "DisclosedContractKeyHashingError";
      readonly contractId: string;
      readonly key: TypedKey;
      readonly givenKeyHash: string;
    }
  | { readonly kind: "UnhandledException"; readonly exception: TypedArgument | undefined }
  | { readonly kind: "TemplatePreconditionViolated" | "NonComparableValues" | "ContractIdInContractKey" }
  | ({ readonly kind: "CreateEmptyContractKeyMaintainers" } & TypedArgument)
  | { readonly kind: "WronglyTypedContract"; readonly contractId: string; readonly expected: DefinitionId; readonly actual: DefinitionId }
  | {
      readonly kind: "ContractDoesNotImplementInterface";
      readonly contractId: string;
      readonly templateId: DefinitionId;
      readonly interfaceId: DefinitionId;
    }
  | {
      readonly kind: "ContractDoesNotImplementRequiringInterface";
      readonly contractId: string;
      readonly templateId: DefinitionId;
      readonly required: DefinitionId;
      readonly requiring: DefinitionId;
    }
  | { readonly kind: "ContractIdComparability"; readonly contractId: string }
  | { readonly kind: "ValueNesting"; readonly limit: number }
  | { readonly kind: "LocalVerdictLockedContracts"; readonly contracts: readonly TypedContract[] }
  | { readonly kind: "LocalVerdictLockedKeys"; readonly keys: readonly TypedKey[] }
  | { readonly kind: "UpgradeError"; readonly problem: UpgradeProblem; readonly message: string }
  | { readonly kind: "FailureStatusError"; readonly status: FailureStatus }
  | {
      readonly kind: "CryptoError";
      readonly problem: "MalformedByteEncoding" | "MalformedKey" | "MalformedSignature";
      readonly value: string;
      readonly message: string;
    }
  | { readonly kind: "DevError"; readonly problem: string; readonly message: string }
  /** More of the constructor's data is missing than a client can do without. */
  | { readonly kind: "TruncatedError"; readonly constructor_: string; readonly message: string };
