import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Model, ModelGenerator } from "./generator.js";
import type { Mode, Mutation } from "./oracle.js";
import { Plan } from "./plan.js";
import { play, type PlannedSubmission, type Planner, problemOf, type Step } from "./run.js";
import { type Failing, shrink } from "./shrink.js";

const seed = Number(process.env["LEDGERLINE_SEED"] ?? 20_240_607);
const ledgers = Number(process.env["LEDGERLINE_LEDGERS"] ?? 400);
const submissionsPerLedger = 6;

const randomFrom = (start: number) => {
  let state = (start * 2_654_435_761) >>> 0;
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
};

interface World { readonly model: Model; readonly mode: Mode; readonly plans: readonly Planner[] }

/** Half of them have no keys and may roll back what they did. */
function worldOf(index: number): World {
  const random = randomFrom(seed + index);
  const mode: Mode = index % 2 === 0 ? "NoKey" : "NUCK";
  const model = new ModelGenerator(random).model(mode === "NUCK");
  const plan = new Plan(model, randomFrom(seed + 7 * index + 3));
  return { model, mode, plans: Array.from({ length: submissionsPerLedger }, () => (store) => plan.submission(store)) };
}

const isEqual = ({ expected, actual }: Step): boolean => isDeepStrictEqual(expected, actual);

const shown = (json: unknown): string => JSON.stringify(json, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value instanceof Map ? Object.fromEntries(value) as unknown : value));

const firstDifference = ({ model, submissions }: Failing, mode: Mode, mutation?: Mutation): Step | undefined =>
  [...play(model, mode, submissions.map((submission) => () => submission), mutation)].find((step) => step !== undefined && !isEqual(step));

/** A failing ledger, made small. */
function smallest(failing: Failing, mode: Mode, mutation?: Mutation): Failing {
  return shrink(failing, (candidate) => {
    try {
      return problemOf(candidate.model) === undefined && firstDifference(candidate, mode, mutation) !== undefined;
    } catch {
      return false; // what shrinking broke is no smaller failure
    }
  });
}

function told(failing: Failing, mode: Mode): string {
  const { expected, actual } = firstDifference(failing, mode)!, { templates, interfaces, values } = failing.model.module;
  return Object.entries({ expected, actual, submissions: failing.submissions, templates, interfaces, values }).map(([what, json]) => `${what} ${shown(json)}`).join("\n");
}

test(`engine and plain evaluator agree on ${ledgers} random ledgers of ${submissionsPerLedger} submissions (seed ${seed})`, (context) => {
  const met = new Map<string, number>();
  const meet = (what: string): void => void met.set(what, (met.get(what) ?? 0) + 1);
  for (let index = 0; index < ledgers; index += 1) {
    const { model, mode, plans } = worldOf(index);
    assert.equal(problemOf(model), undefined, `ledger ${index} of seed ${seed} is well typed`);
    const submissions: PlannedSubmission[] = [];
    for (const step of play(model, mode, plans.map((plan): Planner => (store) => { const planned = plan(store); submissions.push(planned); return planned; }))) {
      if (step === undefined) { meet("too large"); continue; }
      const { expected } = step as { expected: { class?: string } };
      meet(expected.class ?? "accepted");
      for (const [kind] of shown(expected).matchAll(/"(create|fetch|exercise|query|rollback)":/g)) meet(kind.slice(1, -2));
      if (!isEqual(step)) assert.fail(`ledger ${index} of seed ${seed}\n${told(smallest({ model, submissions }, mode), mode)}`);
    }
  }
  context.diagnostic([...met].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${count} ${kind}`).join(", "));
  for (const kind of ["accepted", "create", "fetch", "exercise", "query", "rollback", "EffectfulRollback", "FailureStatus", "ContractNotActive"]) {
    assert.ok((met.get(kind) ?? 0) >= ledgers / 100, `${kind} is met`);
  }
});

const mutations: readonly Mutation[] = ["controllers only", "rollback forgets archives", "handler inside the scope", "oldest key first", "ensure after the parties"];
for (const mutation of mutations) {
  test(`ledger canary: an evaluator with a fault is found out: ${mutation}`, (context) => {
    for (let index = 0; index < 3_000; index += 1) {
      const { model, mode, plans } = worldOf(index);
      for (const step of play(model, mode, plans, mutation)) {
        if (step === undefined || isEqual(step)) continue;
        context.diagnostic(`found with ledger ${index}`);
        return;
      }
    }
    assert.fail(`${mutation} was not noticed`);
  });
}

test("ledger canary: a failing ledger is made small", (context) => {
  for (let index = 0; index < 100; index += 1) {
    const { model, mode, plans } = worldOf(index), submissions: PlannedSubmission[] = [];
    const steps = [...play(model, mode, plans.map((plan): Planner => (store) => { const planned = plan(store); submissions.push(planned); return planned; }), "controllers only")];
    if (!steps.some((step) => step !== undefined && !isEqual(step))) continue;
    const failing = { model, submissions }, small = smallest(failing, mode, "controllers only");
    const size = ({ model: { module }, submissions: planned }: Failing): number => shown([module, planned]).length;
    context.diagnostic(`${size(failing)} characters become ${size(small)}`);
    assert.ok(firstDifference(small, mode, "controllers only") !== undefined && size(small) < size(failing) / 2);
    return;
  }
  assert.fail("no ledger fails");
});
