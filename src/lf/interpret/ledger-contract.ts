import type { DefinitionId } from "../ast.js";
import { type ContractInstance, type Hashing, hashingOf, type KeyWithMaintainers } from "../transaction/index.js";
import type { LedgerValue } from "../value/index.js";
import type { TemplateDefinition } from "./definitions.js";
import type { PartySet } from "./parties.js";
import type { LedgerOrigin, SourceContract, TypedContract } from "./upgrade-runtime.js";

/** A contract as one of the templates that can use it. */
export interface FetchedContract extends TypedContract {
  readonly template: TemplateDefinition;
}

export const noUses: readonly FetchedContract[] = [];

/**
 * A contract of the ledger, with what was found out about it. A contract never changes, nor do packages: who reads the same contracts again
 * and again may keep them for one engine, and what was found out is not computed again.
 */
export class LedgerContract implements SourceContract, LedgerOrigin {
  readonly kind = "ledger";
  /** Of its id. */
  readonly hashing: Hashing;
  uses = noUses;
  /** Whether its id was looked at, where that comes before its use. */
  isAuthentic = false;

  /** `isOwn`: this engine made it, and it was kept ever since; others are claimed by whoever brings them. */
  constructor(
    readonly instance: ContractInstance,
    readonly isOwn = false,
  ) {
    this.hashing = hashingOf(instance.contractId);
  }

  get contractId(): string {
    return this.instance.contractId;
  }
  get templateId(): DefinitionId {
    return this.instance.templateId;
  }
  get packageName(): string {
    return this.instance.packageName;
  }

  get argument(): LedgerValue {
    return this.instance.argument;
  }
  get signatories(): PartySet {
    return this.instance.signatories;
  }
  get stakeholders(): PartySet {
    return this.instance.stakeholders;
  }
  get key(): KeyWithMaintainers | undefined {
    return this.instance.key;
  }
  get origin(): LedgerOrigin {
    return this;
  }
}
