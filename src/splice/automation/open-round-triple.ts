import type { Economy } from "./trigger.js";

/** The three open rounds, as choices take them; undefined where there are not three. */
export async function openRoundTriple({ network, dso }: Pick<Economy, "network" | "dso">) {
  const ids = (await network.openRounds(dso)).map(({ contractId }) => contractId);
  return ids.length === 3 ? { round0Cid: ids[0]!, round1Cid: ids[1]!, round2Cid: ids[2]! } : undefined;
}
