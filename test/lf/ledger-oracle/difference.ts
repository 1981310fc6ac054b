/** A random ledger played by the engine and by the plain evaluator, and what of it differs, made small. */
import { isDeepStrictEqual } from "node:util";
import { drawFrom } from "../../support/random.js";
import { type Model, ModelGenerator } from "./generator.js";
import type { Mode, Mutation } from "./oracle.js";
import { Plan } from "./plan.js";
import { play, type PlannedSubmission, type Planner, problemOf, type Step } from "./run.js";
import { type Failing, shrink } from "./shrink.js";

export const submissionsPerLedger = 6;

export interface World {
  readonly model: Model;
  readonly mode: Mode;
  readonly plans: readonly Planner[];
}

/** Half of them have no keys and may roll back what they did. */
export function worldOf(seed: number): World {
  const random = drawFrom(seed);
  const mode: Mode = seed % 2 === 0 ? "NoKey" : "NUCK";
  const model = new ModelGenerator(random).model(mode === "NUCK");
  const plan = new Plan(model, drawFrom(7 * seed + 3));
  return { model, mode, plans: Array.from({ length: submissionsPerLedger }, () => (store) => plan.submission(store)) };
}

export const isEqual = ({ expected, actual }: Step): boolean => isDeepStrictEqual(expected, actual);

export const shown = (json: unknown): string =>
  JSON.stringify(json, (_key, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value instanceof Map ? (Object.fromEntries(value) as unknown) : value,
  );

export const firstDifference = ({ model, submissions }: Failing, mode: Mode, mutation?: Mutation): Step | undefined =>
  [
    ...play(
      model,
      mode,
      submissions.map((submission) => () => submission),
      mutation,
    ),
  ].find((step) => step !== undefined && !isEqual(step));

/** A failing ledger, made small. */
export function smallest(failing: Failing, mode: Mode, mutation?: Mutation): Failing {
  return shrink(failing, (candidate) => {
    try {
      return problemOf(candidate.model) === undefined && firstDifference(candidate, mode, mutation) !== undefined;
    } catch {
      return false; // what shrinking broke is no smaller failure
    }
  });
}

export function told(failing: Failing, mode: Mode): string {
  const { expected, actual } = firstDifference(failing, mode)!,
    { templates, interfaces, values } = failing.model.module;
  return Object.entries({ expected, actual, submissions: failing.submissions, templates, interfaces, values })
    .map(([what, json]) => `${what} ${shown(json)}`)
    .join("\n");
}

/** The submissions and both answers to each; the planned ones are told as they are made. */
export const playWorld = (
  { model, mode, plans }: World,
  submissions: PlannedSubmission[],
  mutation?: Mutation,
): IterableIterator<Step | undefined> =>
  play(
    model,
    mode,
    plans.map((plan): Planner => (store) => {
      const planned = plan(store);
      submissions.push(planned);
      return planned;
    }),
    mutation,
  );
