/** Approvals of transfers to come: the receiver proposes one, the validator pays for it. */
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import { create, exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { describeContracts, withState, type ContractWithState } from "../described-contract.js";
import { javaInstant, parseInstant } from "../instants.js";
import { templates } from "../names.js";
import type { TransferPreapproval } from "../network.js";
import { notFound, refuse } from "../refusal.js";
import { disclosed } from "../registry/choice-context.js";
import { amuletInputs, inputsOf, paymentContext, paymentContracts } from "./amulets.js";
import { submitAs, type Answer, type Owner, type WalletContext } from "./wallet-context.js";

interface Proposal { readonly receiver: Party; readonly provider: Party }

/** Within the time that the newer packages give for nothing. */
const preapprovalMicros = 90n * 86_400_000_000n;

const isLive = (context: WalletContext, { payload }: Contract<TransferPreapproval & { readonly expiresAt: string }>): boolean =>
  parseInstant(payload.expiresAt)! > context.ledger.nowMicros();

async function livePreapproval(context: WalletContext, receiver: Party): Answer<Contract | undefined> {
  const dso = await context.network.dso();
  if (isFailure(dso)) return dso;
  const newest = await context.network.transferPreapproval(dso.ok, receiver);
  return ok(newest && isLive(context, newest as Contract<TransferPreapproval & { readonly expiresAt: string }>) ? newest : undefined);
}

/** The owner's approval of all transfers to him, paid for by the validator. One that is there already is a conflict that names it. */
export async function createPreapproval(context: WalletContext, owner: Owner, validator: Owner): Answer<string> {
  const known = await livePreapproval(context, owner.party);
  if (isFailure(known)) return known;
  if (known.ok)
    return { error: { ...refuse("conflict", `Party ${owner.party} already has a TransferPreapproval.`).error, details: { transfer_preapproval_contract_id: known.ok.contractId } } };
  const proposal = await proposalOf(context, owner, validator);
  if (isFailure(proposal)) return proposal;
  const accepted = await acceptProposal(context, proposal.ok, validator);
  if (!isFailure(accepted)) return accepted;
  const made = await livePreapproval(context, owner.party); // by somebody who was faster
  return !isFailure(made) && made.ok ? ok(made.ok.contractId) : accepted;
}

async function proposalOf(context: WalletContext, owner: Owner, validator: Owner): Answer<string> {
  const isOurs = ({ payload }: Contract<Proposal>): boolean => payload.receiver === owner.party && payload.provider === validator.party;
  const open = (await context.contracts.all<Proposal>(templates.transferPreapprovalProposal, owner.party)).find(isOurs);
  if (open) return ok(open.contractId);
  const dso = await context.network.dso();
  if (isFailure(dso)) return dso;
  const proposed = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [create(templates.transferPreapprovalProposal, { receiver: owner.party, provider: validator.party, expectedDso: dso.ok })],
  });
  return isFailure(proposed) ? proposed : ok(proposed.ok.created[0]!.contractId);
}

async function acceptProposal(context: WalletContext, proposalId: string, validator: Owner): Answer<string> {
  const contracts = await paymentContracts(context);
  if (isFailure(contracts)) return contracts;
  const { rules, round } = contracts.ok, { ledger } = context;
  const accepted = await submitAs(context, validator, {
    actAs: [validator.party],
    commands: [exercise(templates.transferPreapprovalProposal, proposalId, "TransferPreapprovalProposal_Accept", {
      context: paymentContext(contracts.ok),
      inputs: amuletInputs(await inputsOf(context, validator.party, rules.payload)),
      expiresAt: javaInstant(ledger.nowMicros() + preapprovalMicros),
    })],
    disclosed: [rules, round].map((contract) => disclosed(contract, ledger.synchronizerId)),
  });
  return isFailure(accepted) ? accepted : ok((accepted.ok.exerciseResult as { readonly transferPreapprovalCid: string }).transferPreapprovalCid);
}

/** Those that a validator provides. */
export async function preapprovalsBy(context: WalletContext, validator: Owner): Answer<readonly ContractWithState[]> {
  const all = await context.contracts.all<TransferPreapproval>(templates.transferPreapproval, validator.party);
  const described = await describeContracts(context.types, all.filter(({ payload }) => payload.provider === validator.party));
  return ok(described.map((contract) => withState(contract, context.ledger.synchronizerId)));
}

export async function cancelPreapproval(context: WalletContext, receiver: Party, validator: Owner): Answer<undefined> {
  const dso = await context.network.dso();
  const preapproval = isFailure(dso) ? undefined : await context.network.transferPreapproval(dso.ok, receiver);
  if (!preapproval) return notFound(`No TransferPreapproval found for party: ${receiver}`);
  const cancelled = await submitAs(context, validator, {
    actAs: [validator.party],
    commands: [exercise(templates.transferPreapproval, preapproval.contractId, "TransferPreapproval_Cancel", { p: validator.party })],
  });
  return isFailure(cancelled) ? cancelled : ok(undefined);
}
