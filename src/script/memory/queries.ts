/** Active contracts of a ledger in memory: effective, and with a stakeholder among those who ask. */
import { isFailure } from "../../base/result.js";
import type { DefinitionId, LedgerValue } from "../../lf/index.js";
import type { ActiveContract, InterfaceContract } from "../ledger.js";
import { questionFailed } from "../stop.js";
import type { StoredContract } from "./contract-store.js";
import type { World } from "./world.js";

type Preference = ReadonlyMap<string, string>;

export class Queries {
  readonly #world: World;
  constructor(world: World) {
    this.#world = world;
  }

  /** Of this version of the template alone, as the reference's ledger for tests has it; a node gives those of all versions. */
  byTemplate(parties: readonly string[], template: DefinitionId): readonly ActiveContract[] {
    return [...this.#visible(this.#world.contracts.activeOf(template), parties)].map(activeContract);
  }

  byId(parties: readonly string[], contractId: string): StoredContract | undefined {
    const { contracts, time } = this.#world,
      looked = contracts.lookUp(contractId, new Set(parties), time);
    return "found" in looked ? looked.found : undefined;
  }

  /** The reference's ledger for tests counts towards the limit what those who ask do not see. */
  byKey(parties: readonly string[], template: DefinitionId, key: LedgerValue, limit: number): readonly ActiveContract[] {
    const { packages, contracts } = this.#world,
      keyHash = packages.engine.keyHash(template, key);
    if (isFailure(keyHash)) throw questionFailed("RuntimeException", keyHash.error.message);
    return [...this.#visible(contracts.withKey(keyHash.ok).slice(0, limit), parties)].map(activeContract);
  }

  byInterface(parties: readonly string[], interface_: DefinitionId): readonly InterfaceContract[] {
    const { contracts, vetting } = this.#world,
      preference = vetting.preference([]);
    return [...this.#visible(contracts.allActive(), parties)].flatMap(
      (contract) => this.#seenThrough(interface_, contract, preference) ?? [],
    );
  }

  throughInterface(parties: readonly string[], interface_: DefinitionId, contractId: string): InterfaceContract | undefined {
    const contract = this.byId(parties, contractId);
    return contract && this.#seenThrough(interface_, contract, this.#world.vetting.preference([]));
  }

  *#visible(contracts: Iterable<StoredContract>, parties: readonly string[]): IterableIterator<StoredContract> {
    for (const contract of contracts) {
      const { createdAt, stakeholders } = contract.instance;
      if (createdAt <= this.#world.time && stakeholders.some((party) => parties.includes(party))) yield contract;
    }
  }

  /** By the code of the preferred version. Undefined when that does not implement the interface. */
  #seenThrough(interface_: DefinitionId, { instance }: StoredContract, preference: Preference): InterfaceContract | undefined {
    const { engine } = this.#world.packages,
      packageId = preference.get(instance.packageName);
    if (packageId === undefined) return undefined;
    const template = { packageId, module: instance.templateId.module, name: instance.templateId.name };
    if (engine.compiled.template(template)?.instance(interface_) === undefined) return undefined;
    const view = engine.computeView({ template, argument: instance.argument, interface: interface_ });
    return { contractId: instance.contractId, view: isFailure(view) ? undefined : view.ok.view };
  }
}

export const activeContract = ({ instance: { contractId, templateId, argument }, blob }: StoredContract): ActiveContract => ({
  contractId,
  templateId,
  argument,
  blob,
});
