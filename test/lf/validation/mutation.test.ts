import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import type { Package, PackageId } from "../../../src/lf/ast.js";
import { decodePackage, readDar, stablePackages } from "../../../src/lf/archive/index.js";
import { testData } from "../../support/paths.js";
import { mutate, numberPositions } from "./mutation.js";
import { Random } from "../../support/random.js";
import { newTally, tryPackage } from "./trial.js";
import { count } from "../../support/knobs.js";

/** Another run: LEDGERLINE_SEED=7 LEDGERLINE_MUTATIONS=20000. */
const seed = count("LEDGERLINE_SEED") ?? 20_260_701;
const mutations = count("LEDGERLINE_MUTATIONS") ?? 600;

const dars = [
  "builtins-2.1",
  "builtins-2.2",
  "types-2.1",
  "types-2.2",
  "exc-2.1",
  "exc-2.2",
  "asset-2.1",
  "evalorder-2.2",
  "iou-2.2",
  "keys-2.3",
  "tokens-2.2",
  "unsafe-2.1",
  "bench-2.2",
  "time-2.1",
  "order-2.3",
];

interface Base {
  readonly dar: string;
  readonly payload: Uint8Array;
  readonly numbers: readonly number[];
  readonly others: ReadonlyMap<PackageId, Package>;
}

function readBase(dar: string): Base {
  const { archives } = readDar(readFileSync(testData("engine", "dars", `${dar}.dar`)), limits).ok!;
  const others = [...stablePackages(), ...archives.slice(1)].map(({ id, payload }) => [id, decodePackage(id, payload).ok!] as const);
  const { payload } = archives[0]!;
  return { dar, payload, numbers: numberPositions(payload), others: new Map(others) };
}

test("mutations: the packages themselves pass and run", () => {
  const tally = newTally();
  for (const { payload, others } of dars.map(readBase)) tryPackage({ payload, others, random: new Random(seed), tally });
  assert.equal(tally.passed, dars.length);
  assert.ok(tally.values > 50 && tally.transactions > 50, JSON.stringify(tally));
});

test("mutations: a damaged package is refused, or everything in it runs to an ordinary result", (context) => {
  const bases = dars.map(readBase);
  const tally = newTally();
  for (let round = 0; round < mutations; round++) {
    const random = new Random(seed + round);
    const { dar, payload, numbers, others } = random.one(bases);
    try {
      tryPackage({ payload: mutate(payload, numbers, random), others, random, tally });
    } catch (cause) {
      throw new Error(`LEDGERLINE_SEED=${seed + round} LEDGERLINE_MUTATIONS=1: a mutation of ${dar}: ${(cause as Error).message}`, {
        cause,
      });
    }
  }
  context.diagnostic(
    `seed ${seed}: ${mutations} mutations, ${tally.decode} refused when decoded, ${tally.validation} refused by validation, ${tally.passed} run`,
  );
  context.diagnostic(
    `${tally.runs} runs: ${tally.values} values, ${tally.transactions} transactions, ${tally.exceptions} exceptions, ${tally.engineErrors} typed errors, ${tally.referenceCrashes} where the reference crashes`,
  );
  assert.ok(tally.passed > mutations / 20, "enough mutations pass to mean something");
});

test("mutations: the canary, without validation damaged packages misbehave and this test sees it", (context) => {
  const bases = dars.map(readBase);
  const rounds = 60;
  let caught = 0;
  for (let round = 0; round < rounds; round++) {
    const random = new Random(seed + round);
    const { payload, numbers, others } = random.one(bases);
    try {
      tryPackage({ payload: mutate(payload, numbers, random), others, random, tally: newTally(), validates: false });
    } catch {
      caught += 1;
    }
  }
  context.diagnostic(`${caught} of ${rounds} unvalidated mutations misbehave`);
  assert.ok(caught > 0);
});
