/** What a registry hands to those who exercise a choice of the token standard: values for the choice, and contracts to disclose. */
import { ok } from "../../base/result.js";
import type { Contract } from "../contracts.js";
import { asIsoTime } from "../instants.js";
import { type Answer, refuse } from "../refusal.js";
import { contractForm } from "../values/forms.js";
import type { ValueTypes } from "../values/value-types.js";

export type AnyValue =
  | { readonly tag: "AV_ContractId"; readonly value: string }
  | { readonly tag: "AV_Bool"; readonly value: boolean }
  | { readonly tag: "AV_List"; readonly value: readonly AnyValue[] };

export interface DisclosedContract {
  readonly templateId: string;
  readonly contractId: string;
  readonly createdEventBlob: string;
  readonly synchronizerId: string;
  readonly debugPackageName?: string;
  readonly debugPayload?: object;
  readonly debugCreatedAt?: string;
}

export interface ChoiceContext {
  readonly choiceContextData: { readonly values: Readonly<Record<string, AnyValue>> };
  readonly disclosedContracts: readonly DisclosedContract[];
}

export interface ContextOptions {
  readonly excludeDebugFields: boolean;
}

/** Context keys of Amulet; both generations of its packages find theirs among them. */
export const contextKeys = {
  amuletRules: "amulet-rules",
  openRound: "open-round",
  configState: "external-party-config-state",
  featuredAppRight: "featured-app-right",
  transferPreapproval: "transfer-preapproval",
  expireLock: "expire-lock",
} as const;

/** Contracts are disclosed in the order in which they are added. */
export class ContextBuilder {
  readonly #values: Record<string, AnyValue> = {};
  readonly #disclosed: Contract[] = [];

  /** Nothing is added where there is no contract. */
  add(key: string, contract: Contract | undefined): this {
    if (!contract) return this;
    this.#values[key] = { tag: "AV_ContractId", value: contract.contractId };
    return this.disclose(contract);
  }

  value(key: string, value: AnyValue): this {
    this.#values[key] = value;
    return this;
  }

  flag(key: string, value: boolean): this {
    return this.value(key, { tag: "AV_Bool", value });
  }

  disclose(...contracts: readonly Contract[]): this {
    for (const contract of contracts)
      if (!this.#disclosed.some(({ contractId }) => contractId === contract.contractId)) this.#disclosed.push(contract);
    return this;
  }

  async build(environment: ContextEnvironment, { excludeDebugFields }: ContextOptions): Answer<ChoiceContext> {
    const { types, synchronizerOf } = environment,
      choiceContextData = { values: this.#values };
    const unassigned = this.#disclosed.find((contract) => synchronizerOf(contract) === undefined);
    if (unassigned) return refuse("conflict", `Contract '${unassigned.contractId}' is not assigned to a synchronizer.`);
    const plain = this.#disclosed.map((contract) => disclosed(contract, synchronizerOf(contract)!));
    if (excludeDebugFields) return ok({ choiceContextData, disclosedContracts: plain });
    const positions = this.#disclosed.map(({ templateId }) => ({ at: "createArgument", templateId }) as const);
    return types.whileKnown(positions, () =>
      ok({
        choiceContextData,
        disclosedContracts: this.#disclosed.map((contract, index) => ({
          ...plain[index]!,
          debugPackageName: contract.packageName,
          debugPayload: types.inForm(positions[index]!, contract.payload, contractForm) as object,
          debugCreatedAt: asIsoTime(contract.createdAt),
        })),
      }),
    );
  }
}

export interface ContextEnvironment {
  readonly types: ValueTypes;
  /** Undefined: the contract is on its way from one to another, and nobody can use it meanwhile. */
  readonly synchronizerOf: (contract: Contract) => string | undefined;
}

export const disclosed = ({ templateId, contractId, createdEventBlob }: Contract, synchronizerId: string): DisclosedContract => ({
  templateId,
  contractId,
  createdEventBlob,
  synchronizerId,
});
