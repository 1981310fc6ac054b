/**
 * Deterministic simulation: the whole ledger on one thread, with clients, readers, pruning, administration and faults, in simulated time. A
 * seed gives one run; a run that breaks something is made smaller before it is told.
 */
import assert from "node:assert/strict";
import type { Play, Scenario } from "../scenario.js";
import { type Plan, planOf, planText, sizeOf, smaller } from "./plan.js";
import { simulate } from "./run.js";

const shrinkMsMax = 30_000,
  twiceOneIn = 10;

async function failure(plan: Plan): Promise<Error | undefined> {
  try {
    await simulate(plan);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** As small as it gets in some time, still failing. */
export async function shrunk(plan: Plan): Promise<Plan> {
  const until = Date.now() + shrinkMsMax;
  let smallest = plan;
  for (let improved = true; improved && Date.now() < until;) {
    improved = false;
    for (const candidate of smaller(smallest)) {
      if (Date.now() > until) break;
      if ((await failure(candidate)) === undefined) continue;
      smallest = candidate;
      improved = true;
      break;
    }
  }
  return smallest;
}

async function playSeed(play: Play, seed: number): Promise<void> {
  const plan = planOf(seed);
  try {
    const { fingerprint, counts } = await simulate(plan);
    for (const [what, times] of Object.entries(counts)) play.count(what, times);
    if (seed % twiceOneIn === 0) assert.equal((await simulate(plan)).fingerprint, fingerprint, "the same seed gives the same run");
  } catch (error) {
    const small = await shrunk(plan),
      still = await failure(small);
    throw new Error(
      `${(still ?? (error as Error)).stack}\nof ${sizeOf(plan)} deeds and faults these ${sizeOf(small)} are enough:\n${planText(small)}`,
      { cause: error },
    );
  }
}

export const simulation: Scenario = {
  name: "simulation",
  unit: "seeds",
  sizes: { test: 40, ci: 500, night: 100_000 },
  holds: "the whole ledger in simulated time, with clients, readers, pruning and faults, keeps every invariant, and a seed gives one run",
  run: (play) => play.cases((seed) => playSeed(play, seed)),
};
