/** Contracts that stand in a wallet, as its owner sees them. */
import { ok } from "../../base/result.js";
import { describeContracts, withState, type ContractWithState, type DescribedContract } from "../described-contract.js";
import type { Answer } from "../refusal.js";
import { type Listed, ownContracts, validatorRewards } from "./own-contracts.js";
import type { Owner, WalletContext } from "./wallet-context.js";

/** Of a template. */
export async function listedContracts(context: WalletContext, { party }: Owner, template: Listed): Answer<readonly DescribedContract[]> {
  return ok(await describeContracts(context.types, await ownContracts(context, party, template)));
}

export async function listedContractsWithState(
  context: WalletContext,
  owner: Owner,
  template: Listed,
): Answer<readonly ContractWithState[]> {
  const contracts = await listedContracts(context, owner, template);
  return contracts.error === undefined ? ok(contracts.ok.map((contract) => withState(contract, context.ledger))) : contracts;
}

export async function listedValidatorRewards(context: WalletContext, { party }: Owner): Answer<readonly DescribedContract[]> {
  return ok(await describeContracts(context.types, await validatorRewards(context, party)));
}
