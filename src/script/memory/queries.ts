/** Active contracts of a ledger in memory: effective, and with a stakeholder among those who ask. */
import { isFailure } from "../../base/result.js";
import type { ContractInstance, DefinitionId, EngineError, LedgerValue } from "../../lf/index.js";
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
    return [...this.#visible(contracts.allActive(), parties)].flatMap(({ instance }) => {
      const template = preferredTemplate(instance, preference);
      return template !== undefined && this.#implements(template, interface_) ? this.#viewed(instance, template, interface_) : [];
    });
  }

  throughInterface(parties: readonly string[], interface_: DefinitionId, contractId: string): InterfaceContract | undefined {
    const instance = this.byId(parties, contractId)?.instance,
      template = instance && preferredTemplate(instance, this.#world.vetting.preference([]));
    return template && this.#viewed(instance, template, interface_);
  }

  *#visible(contracts: Iterable<StoredContract>, parties: readonly string[]): IterableIterator<StoredContract> {
    for (const contract of contracts) {
      const { createdAt, stakeholders } = contract.instance;
      if (createdAt <= this.#world.time && stakeholders.some((party) => parties.includes(party))) yield contract;
    }
  }

  #implements(template: DefinitionId, interface_: DefinitionId): boolean {
    return this.#world.packages.engine.compiled.template(template)?.instance(interface_) !== undefined;
  }

  /** Without a view where the template has none, or its code fails; one that cannot hold the contract fails the question. */
  #viewed({ contractId, argument }: ContractInstance, template: DefinitionId, interface_: DefinitionId): InterfaceContract {
    const view = this.#world.packages.engine.computeView({ template, argument, interface: interface_ });
    if (!isFailure(view)) return { contractId, view: view.ok.view };
    if (isMisfit(view.error)) throw questionFailed("ConverterException", view.error.message);
    return { contractId, view: undefined };
  }
}

/** The argument does not fit the template, or there is none of this name. */
const isMisfit = (error: EngineError): boolean =>
  error.phase === "preprocessing" || (error.phase === "lookup" && error.class !== "MissingInterfaceInstance");

/** Of the version that runs now. */
function preferredTemplate({ packageName, templateId }: ContractInstance, preference: Preference): DefinitionId | undefined {
  const packageId = preference.get(packageName);
  return packageId === undefined ? undefined : { ...templateId, packageId };
}

export const activeContract = ({ instance: { contractId, templateId, argument }, blob }: StoredContract): ActiveContract => ({
  contractId,
  templateId,
  argument,
  blob,
});
