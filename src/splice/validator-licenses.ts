/** Licenses of validators, and what they received for being there in earlier releases: faucets. */
import { isFailure, ok } from "../base/result.js";
import { limits } from "../config.js";
import type { Party } from "../ledger/index.js";
import { describeContracts, type DescribedContract } from "./described-contract.js";
import type { KeyedContracts } from "./keyed-contracts.js";
import type { OfDso } from "./network.js";
import type { NetworkReadsContext } from "./network-reads.js";
import { pageSizeProblem } from "./page-size.js";
import { type Answer, identifiersProblem } from "./refusal.js";
import { rowOf } from "./rows.js";

interface RoundNumber {
  readonly number: string;
}
export interface ValidatorLicense extends OfDso {
  readonly validator: Party;
  readonly faucetState?: {
    readonly firstReceivedFor: RoundNumber;
    readonly lastReceivedFor: RoundNumber;
    readonly numCouponsMissed: string;
  } | null;
}

export interface ReceivedFaucets {
  readonly validator: Party;
  readonly numRoundsCollected: number;
  readonly numRoundsMissed: number;
  readonly firstCollectedInRound: number;
  readonly lastCollectedInRound: number;
}
export interface LicensesPage {
  readonly licenses: readonly DescribedContract[];
  /** The last page with any has one, too: behind it is an empty one. */
  readonly nextPageToken: number | undefined;
}

interface LicensesContext extends Pick<NetworkReadsContext, "network" | "types"> {
  /** By validator. */
  readonly licenses: Pick<KeyedContracts<ValidatorLicense>, "of" | "newest">;
}

/** The newest first; `after`: behind the license of that number. */
export async function licensesPage(
  context: LicensesContext,
  { after = Infinity, limit = limits.scanPageElementsMax }: { readonly after?: number | undefined; readonly limit?: number | undefined },
): Answer<LicensesPage> {
  const problem = pageSizeProblem(limit);
  if (problem) return problem;
  const { network, types, licenses } = context,
    dso = await network.dso();
  if (isFailure(dso)) return ok({ licenses: [], nextPageToken: undefined });
  const page = await licenses.newest(dso.ok, limit, (created) => rowOf(created) < after),
    last = page.at(-1);
  return ok({ licenses: await describeContracts(types, page), nextPageToken: last && rowOf(last.place) });
}

/** Of those that have a license. */
export async function faucetsOf({ network, licenses }: LicensesContext, validators: readonly Party[]): Answer<readonly ReceivedFaucets[]> {
  const malformed = identifiersProblem(validators);
  if (malformed) return malformed;
  const dso = await network.dso();
  if (isFailure(dso)) return ok([]);
  return ok((await licenses.of(dso.ok, validators)).map(({ payload }) => receivedBy(payload)));
}

function receivedBy({ validator, faucetState }: ValidatorLicense): ReceivedFaucets {
  const first = Number(faucetState?.firstReceivedFor.number ?? 0),
    last = Number(faucetState?.lastReceivedFor.number ?? 0);
  const missed = Number(faucetState?.numCouponsMissed ?? 0),
    collected = faucetState ? last - first - missed + 1 : 0;
  return { validator, numRoundsCollected: collected, numRoundsMissed: missed, firstCollectedInRound: first, lastCollectedInRound: last };
}
