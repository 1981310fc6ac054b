/** Approvals of transfers to come: the receiver proposes one, the validator pays for it. */
import { isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { createAndExercise, exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { describeContracts, withState, type ContractWithState } from "../described-contract.js";
import { javaInstant, parseInstant } from "../instants.js";
import { templates } from "../names.js";
import type { TransferPreapproval } from "../network.js";
import { type Answer, identifierProblem, notFound, type Refusal, refuse } from "../refusal.js";
import type { Submission } from "../submitter.js";
import { amuletInputs, inputsOf, paymentContext, paymentContracts } from "./amulets.js";
import { spendAs } from "./spending.js";
import { disclosedFrom, submitAs, type Owner, type WalletContext } from "./wallet-context.js";

interface Proposal {
  readonly receiver: Party;
  readonly provider: Party;
}

/** Within the time that the newer packages give for nothing. */
export const preapprovalMicros = BigInt(limits.preapprovalLifetimeDays) * 86_400_000_000n;

const isLive = (context: WalletContext, { payload }: Contract<TransferPreapproval & { readonly expiresAt: string }>): boolean =>
  parseInstant(payload.expiresAt)! > context.ledger.nowMicros();

/** Of the owner, by his validator: one that another provides stands in nobody's way. */
async function livePreapproval(context: WalletContext, owner: Owner, validator: Owner): Answer<Contract | undefined> {
  const dso = await context.network.dso();
  if (isFailure(dso)) return dso;
  const newest = await context.network.transferPreapproval(dso.ok, owner.party, validator.party);
  return ok(newest && isLive(context, newest as Contract<TransferPreapproval & { readonly expiresAt: string }>) ? newest : undefined);
}

/** The owner's approval of all transfers to him, paid for by the validator. One that is there already is a conflict that names it. */
export async function createPreapproval(context: WalletContext, owner: Owner, validator: Owner): Answer<string> {
  const known = await livePreapproval(context, owner, validator);
  if (isFailure(known)) return known;
  if (known.ok) return alreadyThere(owner, known.ok);
  const made = await spendAs(context, owner, { payer: validator.party }, () => prepare(context, owner, validator));
  if (!isFailure(made)) return ok((made.ok.exerciseResult as { readonly transferPreapprovalCid: string }).transferPreapprovalCid);
  const others = await livePreapproval(context, owner, validator); // somebody was faster
  return !isFailure(others) && others.ok ? ok(others.ok.contractId) : made;
}

const alreadyThere = ({ party }: Owner, { contractId }: Contract): { readonly error: Refusal } => ({
  error: {
    ...refuse("conflict", `Party ${party} already has a TransferPreapproval.`).error,
    answer: { transfer_preapproval_contract_id: contractId },
  },
});

/** Not a second one, where another was made while this one stood in line. */
async function prepare(context: WalletContext, owner: Owner, validator: Owner): Answer<Omit<Submission, "userId">> {
  const known = await livePreapproval(context, owner, validator);
  if (isFailure(known)) return known;
  if (known.ok) return alreadyThere(owner, known.ok);
  const open = await openProposal(context, owner, validator),
    contracts = await paymentContracts(context);
  if (isFailure(contracts)) return contracts;
  const { rules, round } = contracts.ok,
    { ledger } = context;
  const acceptance = {
    context: paymentContext(contracts.ok),
    inputs: amuletInputs(await inputsOf(context, validator.party, rules.payload)),
    expiresAt: javaInstant(ledger.nowMicros() + preapprovalMicros),
  };
  const terms = { receiver: owner.party, provider: validator.party, expectedDso: rules.payload.dso };
  return ok({
    actAs: [...new Set([owner.party, validator.party])],
    // In one step: automation, which accepts proposals too, never sees one of ours.
    commands: [
      open === undefined
        ? createAndExercise(templates.transferPreapprovalProposal, terms, accept, acceptance)
        : exercise(templates.transferPreapprovalProposal, open, accept, acceptance),
    ],
    disclosed: disclosedFrom(context, [rules, round]),
  });
}

const accept = "TransferPreapprovalProposal_Accept";

/** One that a wallet elsewhere made. */
async function openProposal({ contracts }: WalletContext, owner: Owner, validator: Owner): Promise<string | undefined> {
  const proposals = await contracts.all<Proposal>(templates.transferPreapprovalProposal, owner.party);
  return proposals.find(({ payload }) => payload.receiver === owner.party && payload.provider === validator.party)?.contractId;
}

/** Those that a validator provides, the oldest, as many as a list has room for. */
export async function preapprovalsBy(context: WalletContext, validator: Owner): Answer<readonly ContractWithState[]> {
  const provides = await context.contracts.first<TransferPreapproval>(
    templates.transferPreapproval,
    { stakeholder: validator.party, max: limits.walletListContractsMax },
    ({ payload }) => payload.provider === validator.party,
  );
  const described = await describeContracts(context.types, provides);
  return ok(described.map((contract) => withState(contract, context.ledger)));
}

/** One of those. */
async function provided(context: WalletContext, receiver: Party, { party }: Owner): Answer<Contract> {
  const malformed = identifierProblem(receiver);
  if (malformed) return malformed;
  const dso = await context.network.dso();
  const preapproval = isFailure(dso) ? undefined : await context.network.transferPreapproval(dso.ok, receiver, party);
  return preapproval ? ok(preapproval) : notFound(`No TransferPreapproval found for party: ${receiver}`);
}

export async function preapprovalBy(context: WalletContext, receiver: Party, validator: Owner): Answer<ContractWithState> {
  const preapproval = await provided(context, receiver, validator);
  if (isFailure(preapproval)) return preapproval;
  const [described] = await describeContracts(context.types, [preapproval.ok]);
  return ok(withState(described!, context.ledger));
}

export async function cancelPreapproval(context: WalletContext, receiver: Party, validator: Owner): Answer<undefined> {
  const preapproval = await provided(context, receiver, validator);
  if (isFailure(preapproval)) return preapproval;
  const cancelled = await submitAs(context, validator, {
    actAs: [validator.party],
    commands: [exercise(templates.transferPreapproval, preapproval.ok.contractId, "TransferPreapproval_Cancel", { p: validator.party })],
  });
  return isFailure(cancelled) ? cancelled : ok(undefined);
}
