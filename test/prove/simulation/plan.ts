/**
 * What happens in a simulation, drawn from a seed before it begins, so that it can be made smaller: actors with their deeds, and faults.
 */
import { Random } from "../../support/random.js";

export type Deed = "submit" | "submitAsync" | "twins" | "again" | "tail" | "read" | "active" | "prune" | "party" | "user";
export type FaultKind =
  "crash" | "crash after an answer" | "stop" | "full disk" | "broken disk" | "slow disk" | "clock back" | "clock ahead" | "engine fails";

/** Its own seed: to leave one out does not change the others. */
export interface PlannedDeed {
  readonly deed: Deed;
  readonly waitMicros: number;
  readonly seed: number;
}
export interface PlannedFault {
  readonly fault: FaultKind;
  readonly atMicros: number;
  readonly forMicros: number;
  readonly seed: number;
}
export interface Plan {
  readonly seed: number;
  readonly actors: readonly (readonly PlannedDeed[])[];
  readonly faults: readonly PlannedFault[];
}

const deeds: readonly Deed[] = [
  "submit",
  "submit",
  "submit",
  "submit",
  "submit",
  "submitAsync",
  "submitAsync",
  "twins",
  "again",
  "again",
  "tail",
  "read",
  "active",
  "active",
  "prune",
  "party",
  "user",
];
const faults: readonly FaultKind[] = [
  "crash",
  "crash",
  "crash after an answer",
  "crash after an answer",
  "stop",
  "full disk",
  "broken disk",
  "slow disk",
  "clock back",
  "clock ahead",
  "engine fails",
];

const milli = 1_000,
  second = 1_000_000;

export function planOf(seed: number): Plan {
  const random = new Random(seed),
    seeds = (): number => random.below(2 ** 31);
  const deedsEach = 6 + random.below(14),
    lengthMicros = deedsEach * 15 * milli;
  const wait = (): number => (random.chance(0.04) ? random.below(30 * second) : random.below(25 * milli));
  return {
    seed,
    actors: Array.from({ length: 2 + random.below(5) }, () =>
      Array.from({ length: deedsEach }, () => ({ deed: random.one(deeds), waitMicros: wait(), seed: seeds() })),
    ),
    faults: Array.from({ length: random.below(6) }, () => ({
      fault: random.one(faults),
      atMicros: random.below(lengthMicros),
      forMicros: random.below(60 * milli),
      seed: seeds(),
    })),
  };
}

/** Smaller plans, the smallest first. */
export function* smaller(plan: Plan): Generator<Plan> {
  const { actors, faults: all } = plan;
  for (const index of all.keys()) yield { ...plan, faults: all.toSpliced(index, 1) };
  for (const index of actors.keys()) if (actors.length > 1) yield { ...plan, actors: actors.toSpliced(index, 1) };
  for (const [index, actor] of actors.entries()) {
    for (let size = actor.length >> 1; size >= 1; size >>= 1) {
      for (let at = 0; at < actor.length; at += size) yield { ...plan, actors: actors.with(index, actor.toSpliced(at, size)) };
    }
  }
}

export const sizeOf = ({ actors, faults: all }: Plan): number => all.length + actors.reduce((sum, actor) => sum + actor.length, 0);

export const planText = ({ actors, faults: all }: Plan): string =>
  [
    ...actors.map(
      (actor, index) =>
        `actor ${index}: ${actor.map(({ deed, waitMicros }) => `${deed} (after ${Math.round(waitMicros / milli)} ms)`).join(", ")}`,
    ),
    ...all.map(
      ({ fault, atMicros, forMicros }) => `at ${Math.round(atMicros / milli)} ms: ${fault}, for ${Math.round(forMicros / milli)} ms`,
    ),
  ].join("\n");
