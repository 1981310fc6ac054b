/** The ids of contracts that a run creates: most are asked for together, once the choice that creates them ends. */
import { localContractId, localContractIds, type NewContract, type Party } from "../transaction/index.js";
import { ContractId, type PendingIds } from "../value/index.js";
import type { Seed } from "./seed.js";

export class NewIds implements PendingIds {
  readonly #preparationTime: bigint;
  #contracts: NewContract[] = [];
  #ids: ContractId[] = [];

  constructor(preparationTime: bigint) {
    this.#preparationTime = preparationTime;
  }

  /** Of what the action at `index` below `seed` creates. */
  add(seed: Seed, index: number, stakeholders: readonly Party[]): ContractId {
    if (seed.gives(index)) return new ContractId(localContractId(seed.bytesOfChild(index), this.#preparationTime, stakeholders));
    const id = new ContractId(this);
    this.#contracts.push({ seed: seed.key, index, stakeholders });
    this.#ids.push(id);
    return id;
  }

  resolve(): void {
    if (this.#ids.length === 0) return;
    const ids = this.#ids,
      found = localContractIds(this.#contracts, this.#preparationTime);
    this.#contracts = [];
    this.#ids = [];
    for (let i = 0; i < ids.length; i++) ids[i]!.become(found[i]!);
  }
}
