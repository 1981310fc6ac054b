/** Who gets something once for each round goes on with the first that is there behind the last that he had. */
import type { Contract } from "../contracts.js";
import type { OpenMiningRound } from "../network.js";

/** `last`: undefined where he had none; `rounds`: by number. */
export const firstRoundAfter = (
  last: string | undefined,
  rounds: readonly Contract<OpenMiningRound>[],
): Contract<OpenMiningRound> | undefined =>
  rounds.find(({ payload: { round } }) => last === undefined || BigInt(round.number) > BigInt(last));
