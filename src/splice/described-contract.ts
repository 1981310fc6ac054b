/** Contracts as Scan and Validator hand them to those who use them in commands. */
import { limits } from "../config.js";
import type { Participant } from "../ledger/index.js";
import type { Contract } from "./contracts.js";
import { asJavaInstant } from "./instants.js";
import { turns } from "./turns.js";
import { contractForm } from "./values/forms.js";
import type { ValueTypes } from "./values/value-types.js";

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

/** There may be many: others come between. */
export async function describeContracts(types: ValueTypes, contracts: readonly Contract[]): Promise<readonly DescribedContract[]> {
  const described: DescribedContract[] = [];
  for (let from = 0; from < contracts.length; from += limits.streamBatchElements) {
    described.push(...(await describeSome(types, contracts.slice(from, from + limits.streamBatchElements))));
    if (turns.isOver) await turns.next();
  }
  return described;
}

function describeSome(types: ValueTypes, contracts: readonly Contract[]): Promise<readonly DescribedContract[]> {
  const positions = contracts.map(({ templateId }) => ({ at: "createArgument", templateId }) as const);
  return types.whileKnown(positions, () =>
    contracts.map((contract, index) => ({
      template_id: contract.templateId,
      contract_id: contract.contractId,
      payload: types.inForm(positions[index]!, contract.payload, contractForm) as object,
      created_event_blob: contract.createdEventBlob,
      created_at: asJavaInstant(contract.createdAt),
    })),
  );
}

export function withState(contract: DescribedContract, ledger: Pick<Participant, "synchronizerOf">): ContractWithState {
  const domain_id = ledger.synchronizerOf(contract.contract_id);
  return domain_id === undefined ? { contract } : { contract, domain_id };
}

/** The oldest first. */
export const byAge = (contracts: readonly DescribedContract[]): readonly DescribedContract[] =>
  [...contracts].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
