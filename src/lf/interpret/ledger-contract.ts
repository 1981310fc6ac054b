import type { DefinitionId } from "../ast.js";
import type { ContractInstance } from "../transaction/index.js";
import type { TemplateDefinition } from "./definitions.js";
import type { SourceContract, TypedContract } from "./upgrade-runtime.js";

/** A contract as one of the templates that can use it. */
export interface FetchedContract extends TypedContract {
  readonly template: TemplateDefinition;
}

export const noUses: readonly FetchedContract[] = [];

/**
 * A contract of the ledger, with what was found out about it. A contract never changes, nor do packages: who reads the same contracts again
 * and again may keep them for one engine, and what was found out is not computed again.
 */
export class LedgerContract {
  uses = noUses;
  /** Whether its id was looked at, where that comes before its use. */
  isAuthentic = false;

  constructor(readonly instance: ContractInstance) {}

  get contractId(): string {
    return this.instance.contractId;
  }
  get templateId(): DefinitionId {
    return this.instance.templateId;
  }
  get packageName(): string {
    return this.instance.packageName;
  }

  get source(): SourceContract {
    const { contractId, templateId, packageName, argument, signatories, stakeholders, key } = this.instance;
    return {
      contractId,
      templateId,
      packageName,
      argument,
      signatories,
      stakeholders,
      key,
      origin: { kind: "ledger", instance: this.instance },
    };
  }
}
