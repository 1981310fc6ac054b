/** Choices that pay with the owner's Amulet, orchestrated by the validator, who is featured for it. */
import { isFailure } from "../../base/result.js";
import { exercise } from "../commands.js";
import type { Name } from "../names.js";
import type { Submitted } from "../submitter.js";
import { amuletInputs, inputsOf, paymentContext, paymentContracts } from "./amulets.js";
import { disclosedFrom, submitAs, type Answer, type Owner, type WalletContext } from "./wallet-context.js";

export interface PayingChoice {
  readonly template: Name;
  readonly contractId: string;
  readonly choice: string;
  /** A fixed one makes it happen once. */
  readonly commandId?: string;
}

export async function payBy(context: WalletContext, owner: Owner, validator: Owner | undefined, paying: PayingChoice): Answer<Submitted> {
  const contracts = await paymentContracts(context);
  if (isFailure(contracts)) return contracts;
  const { rules, round } = contracts.ok,
    walletProvider = validator?.party ?? owner.party;
  const [featured] = await context.network.featuredAppRights(rules.payload.dso, walletProvider);
  const argument = {
    inputs: amuletInputs(await inputsOf(context, owner.party, rules.payload)),
    context: paymentContext(contracts.ok, featured?.contractId),
    walletProvider,
  };
  return submitAs(context, owner, {
    actAs: [...new Set([owner.party, walletProvider])],
    commands: [exercise(paying.template, paying.contractId, paying.choice, argument)],
    disclosed: disclosedFrom(context, [rules, round, ...(featured ? [featured] : [])]),
    ...(paying.commandId === undefined ? {} : { commandId: paying.commandId }),
  });
}
