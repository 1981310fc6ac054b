/** The contracts of a ledger in memory: what is active, what was, and who may see it. */
import { type ContractInstance, type CreatedContract, type DefinitionId, type Interpretation, showId } from "../../lf/index.js";

export interface StoredContract {
  readonly instance: ContractInstance;
  readonly blob: Uint8Array;
  /** Where it was created: what people call it. */
  readonly label: string;
  /** The same of the exercise that archived it. */
  archivedBy: string | undefined;
  /** Who saw its create, or has seen a use of it since: stakeholders, other witnesses and whom it was divulged to. */
  readonly shownTo: Set<string>;
}

export type Lookup =
  | { readonly found: StoredContract }
  | { readonly missing: "unknown" }
  | { readonly missing: "notEffective" | "archived" | "notVisible"; readonly contract: StoredContract };

const nobody: ReadonlyMap<string, StoredContract> = new Map();

export class ContractStore {
  readonly #contracts = new Map<string, StoredContract>();
  readonly #active = new Map<string, Map<string, StoredContract>>();
  /** Active ones, newest first. */
  readonly #byKey = new Map<string, StoredContract[]>();
  #activeCount = 0;

  get size(): number {
    return this.#contracts.size;
  }
  get activeCount(): number {
    return this.#activeCount;
  }

  get(contractId: string): StoredContract | undefined {
    return this.#contracts.get(contractId);
  }

  /** In order of creation. */
  *allActive(): IterableIterator<StoredContract> {
    for (const contract of this.#contracts.values()) if (contract.archivedBy === undefined) yield contract;
  }

  activeOf(template: DefinitionId): Iterable<StoredContract> {
    return (this.#active.get(showId(template)) ?? nobody).values();
  }

  withKey(keyHash: string): readonly StoredContract[] {
    return this.#byKey.get(keyHash) ?? [];
  }

  /** Why a contract cannot be used, the first reason that applies. */
  lookUp(contractId: string, parties: ReadonlySet<string>, time: bigint): Lookup {
    const contract = this.#contracts.get(contractId);
    if (contract === undefined) return { missing: "unknown" };
    if (contract.instance.createdAt > time) return { missing: "notEffective", contract };
    if (contract.archivedBy !== undefined) return { missing: "archived", contract };
    return contract.instance.stakeholders.some((party) => parties.has(party)) ? { found: contract } : { missing: "notVisible", contract };
  }

  add({ instance, blob }: CreatedContract, label: string, witnesses: readonly string[]): void {
    const contract: StoredContract = { instance, blob, label, archivedBy: undefined, shownTo: new Set(witnesses) };
    this.#contracts.set(instance.contractId, contract);
    this.#activeCount++;
    const key = showId(instance.templateId),
      active = this.#active.get(key);
    if (active === undefined) this.#active.set(key, new Map([[instance.contractId, contract]]));
    else active.set(instance.contractId, contract);
    if (instance.key !== undefined) this.#byKey.set(instance.key.hash, [contract, ...this.withKey(instance.key.hash)]);
  }

  archive(contractId: string, by: string): void {
    const contract = this.#contracts.get(contractId);
    if (contract === undefined || contract.archivedBy !== undefined) return;
    contract.archivedBy = by;
    this.#activeCount--;
    const { templateId, key } = contract.instance;
    this.#active.get(showId(templateId))?.delete(contractId);
    if (key !== undefined)
      this.#byKey.set(
        key.hash,
        this.withKey(key.hash).filter((other) => other !== contract),
      );
  }

  /** Takes over what a transaction did; what it rolled back has no effect. */
  apply({ created, transaction: { roots, nodes }, blinding }: Interpretation, labelOf: (nodeId: number) => string): void {
    for (const contract of created) this.add(contract, labelOf(contract.nodeId), blinding.disclosure[contract.nodeId] ?? []);
    for (const [contractId, parties] of blinding.divulgence)
      for (const party of parties) this.#contracts.get(contractId)?.shownTo.add(party);
    const visit = (id: number): void => {
      const node = nodes[id]!;
      if (node.kind !== "exercise") return;
      if (node.consuming) this.archive(node.contractId, labelOf(id));
      node.children.forEach(visit);
    };
    roots.forEach(visit);
  }
}
