/** Contracts as Scan and Validator hand them to those who use them in commands. */
import type { Steps } from "../base/steps.js";
import type { Participant } from "../ledger/index.js";
import type { Contract } from "./contracts.js";
import { asJavaInstant } from "./instants.js";
import { contractForm } from "./values/forms.js";
import type { Position, ValueTypes } from "./values/value-types.js";

export interface DescribedContract {
  readonly template_id: string;
  readonly contract_id: string;
  readonly payload: object;
  readonly created_event_blob: string;
  readonly created_at: string;
}
/** With the synchronizer that it is assigned to: none while it is on its way from one to another. */
export interface ContractWithState {
  readonly contract: DescribedContract;
  readonly domain_id?: string;
}

export async function describeContracts(types: ValueTypes, contracts: readonly Contract[]): Promise<readonly DescribedContract[]> {
  const positions = contracts.map(({ templateId }): Position => ({ at: "createArgument", templateId }));
  const describe = (contract: Contract, index: number): DescribedContract => ({
    template_id: contract.templateId,
    contract_id: contract.contractId,
    payload: types.inForm(positions[index]!, contract.payload, contractForm) as object,
    created_event_blob: contract.createdEventBlob,
    created_at: asJavaInstant(contract.createdAt),
  });
  const describing = function* (): Steps<readonly DescribedContract[]> {
    const described: DescribedContract[] = [];
    for (const contract of contracts) {
      described.push(describe(contract, described.length));
      yield;
    }
    return described;
  };
  return types.through(positions, describing());
}

export function withState(contract: DescribedContract, ledger: Pick<Participant, "synchronizerOf">): ContractWithState {
  const domain_id = ledger.synchronizerOf(contract.contract_id);
  return domain_id === undefined ? { contract } : { contract, domain_id };
}

/** The oldest first. */
export const byAge = (contracts: readonly DescribedContract[]): readonly DescribedContract[] =>
  [...contracts].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
