/** Choices that pay with the owner's Amulet, orchestrated by the validator, who is featured for it. */
import { isFailure, ok } from "../../base/result.js";
import { exercise } from "../commands.js";
import type { Name } from "../names.js";
import type { Answer } from "../refusal.js";
import type { Submission, Submitted } from "../submitter.js";
import { amuletInputs, inputsOf, paymentContext, paymentContracts } from "./amulets.js";
import { spendAs } from "./spending.js";
import { disclosedFrom, type Owner, type WalletContext } from "./wallet-context.js";

export interface PayingChoice {
  readonly template: Name;
  readonly contractId: string;
  readonly choice: string;
  /** A fixed one makes it happen once. */
  readonly commandId?: string;
}

export function payBy(context: WalletContext, owner: Owner, validator: Owner | undefined, paying: PayingChoice): Answer<Submitted> {
  return spendAs(context, owner, { payer: owner.party, subject: paying.contractId }, () => prepare(context, owner, validator, paying));
}

async function prepare(
  context: WalletContext,
  owner: Owner,
  validator: Owner | undefined,
  paying: PayingChoice,
): Answer<Omit<Submission, "userId">> {
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
  return ok({
    actAs: [...new Set([owner.party, walletProvider])],
    commands: [exercise(paying.template, paying.contractId, paying.choice, argument)],
    disclosed: disclosedFrom(context, [rules, round, ...(featured ? [featured] : [])]),
    ...(paying.commandId === undefined ? {} : { commandId: paying.commandId }),
  });
}
