/** Who may mint the rewards of others: external parties propose it to the owner, who accepts or declines. */
import { isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { describeContracts, type DescribedContract } from "../described-contract.js";
import { templates } from "../names.js";
import { pageSizeProblem } from "../page-size.js";
import { type Answer, notFound } from "../refusal.js";
import { rowOf } from "../rows.js";
import { hasExternalWallet } from "./external-wallets.js";
import { submitAs, type Owner, type WalletContext } from "./wallet-context.js";

interface Delegation {
  readonly beneficiary: Party;
  readonly delegate: Party;
}
interface Proposal {
  readonly delegation: Delegation;
}
type Delegating = Delegation | Proposal;

export interface PageOf {
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}
export interface DelegationsPage {
  readonly delegations: readonly { readonly contract: DescribedContract; readonly beneficiary_hosted: boolean }[];
  readonly nextPageToken: number | undefined;
}

const kinds = { proposal: templates.mintingDelegationProposal, delegation: templates.mintingDelegation } as const;
export type DelegationKind = keyof typeof kinds;

const termsOf = ({ payload }: Contract<Delegating>): Delegation => ("delegation" in payload ? payload.delegation : payload);

/** The oldest first; `after`: behind the one of that number. */
export async function delegationsOf(
  context: WalletContext,
  owner: Owner,
  kind: DelegationKind,
  { after = 0, limit = limits.scanPageElementsMax }: PageOf,
  validator: Owner | undefined,
): Answer<DelegationsPage> {
  const problem = pageSizeProblem(limit);
  if (problem) return problem;
  const page = (await own(context, owner, kind)).filter(({ place }) => rowOf(place) > after).slice(0, limit),
    last = page.at(-1);
  const described = await describeContracts(context.types, page),
    hosted = validator ? await hostedAmong(context, new Set(page.map((each) => termsOf(each).beneficiary)), validator) : new Set();
  return ok({
    delegations: page.map((each, index) => ({
      contract: described[index]!,
      beneficiary_hosted: hosted.has(termsOf(each).beneficiary),
    })),
    nextPageToken: last && page.length === limit ? rowOf(last.place) : undefined,
  });
}

async function hostedAmong(context: WalletContext, parties: ReadonlySet<Party>, validator: Owner): Promise<ReadonlySet<Party>> {
  const hosted = new Set<Party>();
  for (const party of parties) if (await hasExternalWallet(context, party, validator)) hosted.add(party);
  return hosted;
}

/** In the place of one that the same party gave before. */
export async function acceptDelegation(context: WalletContext, owner: Owner, contractId: string): Answer<string> {
  const proposal = (await own(context, owner, "proposal")).find((each) => each.contractId === contractId);
  if (!proposal) return missing("proposal", contractId);
  const { beneficiary } = termsOf(proposal);
  const before = (await own(context, owner, "delegation")).find((each) => termsOf(each).beneficiary === beneficiary);
  const accepted = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [
      exercise(kinds.proposal, contractId, "MintingDelegationProposal_Accept", { existingDelegationCid: before?.contractId ?? null }),
    ],
  });
  return isFailure(accepted)
    ? accepted
    : ok((accepted.ok.exerciseResult as { readonly mintingDelegationCid: string }).mintingDelegationCid);
}

export async function rejectDelegation(context: WalletContext, owner: Owner, kind: DelegationKind, contractId: string): Answer<undefined> {
  if (!(await own(context, owner, kind)).some((each) => each.contractId === contractId)) return missing(kind, contractId);
  const choice = kind === "proposal" ? "MintingDelegationProposal_Reject" : "MintingDelegation_Reject";
  const rejected = await submitAs(context, owner, { actAs: [owner.party], commands: [exercise(kinds[kind], contractId, choice, {})] });
  return isFailure(rejected) ? rejected : ok(undefined);
}

async function own({ contracts }: WalletContext, { party }: Owner, kind: DelegationKind): Promise<readonly Contract<Delegating>[]> {
  return (await contracts.all<Delegating>(kinds[kind], party)).filter((each) => termsOf(each).delegate === party);
}

const missing = (kind: DelegationKind, contractId: string) =>
  notFound(`${kind === "proposal" ? "MintingDelegationProposal" : "MintingDelegation"} ${contractId} not found.`);
