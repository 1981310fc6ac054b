/** The contracts that a run can reach, as the templates that it wants to see. */
import { assert } from "../../base/assert.js";
import { type DefinitionId, type PackageId, showId } from "../ast.js";
import { fatal, FatalError } from "../errors.js";
import type { PackageInterface } from "../package-interface.js";
import type { CompiledPackages } from "../runtime/index.js";
import { type ContractInstance, isSuffixed, type KeyWithMaintainers, matchesUntypedId } from "../transaction/index.js";
import type { ContractId, LedgerValue, RecordValue } from "../value/index.js";
import type { ContractInfo } from "./contract-info.js";
import type { ContractState, GlobalKey } from "./contract-state.js";
import { type Definitions, sameDefinition, sameQualifiedName, type TemplateDefinition } from "./definitions.js";
import { type FetchedContract, LedgerContract, noUses } from "./ledger-contract.js";
import type { LedgerReader } from "./submission.js";
import type { PartySet } from "./parties.js";
import { authenticationFailed, type LocalOrigin, type SourceContract, useAs } from "./upgrade-runtime.js";

/** What most of them are asked for is at hand; only a use as another version needs more. */
class LocalContract implements FetchedContract, SourceContract {
  uses = noUses;

  constructor(
    readonly id: ContractId,
    readonly template: TemplateDefinition,
    readonly payload: RecordValue,
    readonly info: ContractInfo,
  ) {}

  get contractId(): string {
    return this.id.hex;
  }
  get templateId(): DefinitionId {
    return this.info.templateId;
  }
  get packageName(): string {
    return this.info.packageName;
  }

  get argument(): LedgerValue {
    return this.info.argument;
  }
  get signatories(): PartySet {
    return this.info.signatories;
  }
  get stakeholders(): PartySet {
    return this.info.stakeholders;
  }
  get key(): KeyWithMaintainers | undefined {
    return this.info.key;
  }
  get origin(): LocalOrigin {
    return { kind: "local", type: this.template.type };
  }
}

/** `uses`: an entry for each package that it was used with; a contract keeps its qualified name in all of them. */
type KnownContract = LocalContract | LedgerContract;

export interface ContractsOptions {
  readonly compiled: CompiledPackages;
  readonly definitions: Definitions;
  readonly packages: PackageInterface;
  readonly state: ContractState;
  readonly reader: LedgerReader;
  readonly disclosed: readonly ContractInstance[];
  readonly packagePreference: ReadonlyMap<string, PackageId>;
}

export class Contracts {
  readonly #options: ContractsOptions;
  readonly #known = new Map<string, KnownContract>();
  /** Those of this transaction whose ids nobody asked for yet. */
  #newest: LocalContract[] = [];

  constructor(options: ContractsOptions) {
    this.#options = options;
    for (const instance of options.disclosed) this.#known.set(instance.contractId, new LedgerContract(instance));
  }

  addLocal(contractId: ContractId, template: TemplateDefinition, payload: RecordValue, info: ContractInfo): void {
    this.#newest.push(new LocalContract(contractId, template, payload, info));
  }

  /** As the template of the code that asks: its package id counts, whatever package created the contract. */
  fetch(template: TemplateDefinition, contractId: string): FetchedContract {
    const contract = this.#find(contractId);
    authenticateOlder(contract);
    this.#checkActive(contract);
    if (!sameQualifiedName(contract.templateId, template.id)) throw wronglyTyped(contractId, template.id, contract.templateId);
    return this.#as(contract, template);
  }

  /** Through an interface: as the template of the package that is preferred for the contract's package name. */
  fetchInterface(interfaceId: DefinitionId, contractId: string): FetchedContract {
    const contract = this.#find(contractId);
    authenticateOlder(contract);
    this.#checkActive(contract);
    return this.#as(contract, this.#preferred(contract, interfaceId));
  }

  #as(contract: KnownContract, template: TemplateDefinition): FetchedContract {
    if (contract instanceof LocalContract && sameDefinition(contract.template.id, template.id)) return contract;
    for (const known of contract.uses) if (known.template === template) return known;
    const { payload, info } = useAs(this.#options.compiled, contract, template);
    const made = { template, payload, info };
    contract.uses = contract.uses === noUses ? [made] : [...contract.uses, made];
    return made;
  }

  #preferred({ contractId, packageName, templateId }: KnownContract, interfaceId: DefinitionId): TemplateDefinition {
    const { packagePreference, packages, definitions } = this.#options;
    const packageId = packagePreference.get(packageName);
    if (packageId === undefined)
      throw fatal("UnresolvedPackageName", `Update failed due to a failed package name resolution: ${packageName}`, { packageName });
    if (packages.package(packageId) === undefined) {
      throw new FatalError({
        phase: "lookup",
        class: "MissingPackage",
        message: `package ${packageId} is not known`,
        reference: packageId,
      });
    }
    const id = packageId === templateId.packageId ? templateId : { ...templateId, packageId };
    const template = definitions.template(id);
    if (template?.compiled.instance(interfaceId) === undefined) {
      throw fatal(
        "ContractDoesNotImplementInterface",
        `contract ${contractId} of ${showId(id)} does not implement ${showId(interfaceId)}`,
        {
          interfaceId: showId(interfaceId),
          coid: contractId,
          templateId: showId(id),
        },
      );
    }
    return template;
  }

  #find(contractId: string): KnownContract {
    if (this.#newest.length > 0 && !isSuffixed(contractId)) this.#nameNewest();
    const known = this.#known.get(contractId);
    if (known !== undefined) return known;
    const contract = this.#options.reader.readContract(contractId);
    if (contract === undefined) throw notFound(contractId);
    assert(contract.contractId === contractId, "the ledger gives the contract that was asked for");
    this.#known.set(contractId, contract);
    return contract;
  }

  #nameNewest(): void {
    for (const contract of this.#newest) {
      assert(!this.#known.has(contract.contractId), "a new contract has an id of its own");
      this.#known.set(contract.contractId, contract);
    }
    this.#newest = [];
  }

  #checkActive({ contractId, templateId }: KnownContract): void {
    const status = this.#options.state.status(contractId);
    switch (status.kind) {
      case "usable":
        return;
      case "rolledBack":
        throw notFound(contractId);
      case "consumed":
        throw fatal("ContractNotActive", `contract ${contractId} of ${showId(templateId)} was archived earlier in this transaction`, {
          coid: contractId,
          templateId: showId(templateId),
          consumedBy: status.by,
        });
    }
  }

  /** Ids of the ledger's contracts with a key: disclosed ones, then the store's from the newest on. */
  *withKey(key: GlobalKey): IterableIterator<string> {
    const { disclosed, reader } = this.#options;
    const given = new Set<string>();
    for (const { contractId, key: own } of disclosed) {
      if (own?.hash === key.hash && !given.has(contractId)) yield contractId;
      given.add(contractId);
    }
    for (const contract of reader.readKey(key.hash)) {
      const { contractId, instance } = contract;
      assert(instance.key?.hash === key.hash, "the ledger gives contracts with the key that was asked for");
      if (given.has(contractId)) continue;
      if (!this.#known.has(contractId)) this.#known.set(contractId, contract);
      yield contractId;
    }
  }
}

/** Ids of today's version are checked against the argument as it was typed, after everything else (`useAs`); older ones come first. */
function authenticateOlder(contract: KnownContract): void {
  if (contract instanceof LocalContract || contract.isAuthentic) return;
  const { instance, hashing } = contract;
  if (hashing !== "typed" && (hashing === "unknown" || !matchesUntypedId(instance, hashing)))
    throw authenticationFailed(contract, instance.templateId, instance.argument);
  contract.isAuthentic = true;
}

const notFound = (contractId: string) => fatal("ContractNotFound", `contract ${contractId} could not be found`, { cid: contractId });

const wronglyTyped = (contractId: string, expected: DefinitionId, actual: DefinitionId) =>
  fatal("WronglyTypedContract", `wrongly typed contract id ${contractId}: it is of template ${showId(actual)}, not ${showId(expected)}`, {
    coid: contractId,
    expected: showId(expected),
    actual: showId(actual),
  });
