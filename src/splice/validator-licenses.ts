/** Licenses of validators, and what they received for being there in earlier releases: faucets. */
import { isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import type { Party } from "../ledger/index.js";
import { describeContracts, type DescribedContract } from "./described-contract.js";
import { templates } from "./names.js";
import type { NetworkReadsContext } from "./network-reads.js";
import { pageSizeProblem } from "./page-size.js";
import { identifiersProblem, type Refusal } from "./refusal.js";
import { rowOf } from "./rows.js";

interface RoundNumber {
  readonly number: string;
}
interface ValidatorLicense {
  readonly validator: Party;
  readonly dso: Party;
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

type Context = Pick<NetworkReadsContext, "network" | "types">;

/** The newest first; `after`: behind the license of that number. */
export async function licensesPage(
  context: Context,
  { after = Infinity, limit = limits.scanPageElementsMax }: { readonly after?: number | undefined; readonly limit?: number | undefined },
): Promise<Result<LicensesPage, Refusal>> {
  const problem = pageSizeProblem(limit);
  if (problem) return problem;
  const { network, types } = context,
    dso = await network.dso();
  if (isFailure(dso)) return ok({ licenses: [], nextPageToken: undefined });
  const page = await network.newest<ValidatorLicense>(dso.ok, templates.validatorLicense, limit, ({ created }) => rowOf(created) < after),
    last = page.at(-1);
  return ok({ licenses: await describeContracts(types, page), nextPageToken: last && rowOf(last.place) });
}

/** Of those that have a license. */
export async function faucetsOf({ network }: Context, validators: readonly Party[]): Promise<Result<readonly ReceivedFaucets[], Refusal>> {
  const malformed = identifiersProblem(validators);
  if (malformed) return malformed;
  const dso = await network.dso(),
    wanted = new Set(validators),
    received: ReceivedFaucets[] = [];
  if (isFailure(dso)) return ok([]);
  await network.each<ValidatorLicense>(dso.ok, templates.validatorLicense, ({ payload }) => {
    if (wanted.has(payload.validator)) received.push(receivedBy(payload));
  });
  return ok(received);
}

function receivedBy({ validator, faucetState }: ValidatorLicense): ReceivedFaucets {
  const first = Number(faucetState?.firstReceivedFor.number ?? 0),
    last = Number(faucetState?.lastReceivedFor.number ?? 0);
  const missed = Number(faucetState?.numCouponsMissed ?? 0),
    collected = faucetState ? last - first - missed + 1 : 0;
  return { validator, numRoundsCollected: collected, numRoundsMissed: missed, firstCollectedInRound: first, lastCollectedInRound: last };
}
