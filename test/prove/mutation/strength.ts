/** How strong the tests are: of small wrongs in the code on which all else rests, how many are found. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../support/random.js";
import { copyOfBuild, runIn, type Copy } from "../planted/plant.js";
import type { Scenario } from "../scenario.js";
import { mutantOf } from "./mutants.js";

/** Programs of the build, tried one after the other until one fails. */
interface Part {
  readonly name: string;
  readonly files: readonly string[];
  readonly found: readonly (readonly string[])[];
}

const test = (...files: string[]): readonly (readonly string[])[] => files.map((file) => [`test/${file}.test.js`]);
const scenario = (name: string, size: number): readonly string[] => ["test/prove/one.js", name, "20261122", String(size)];

const parts: readonly Part[] = [
  {
    name: "commit protocol",
    files: [
      "commit/commit",
      "commit/commit-group",
      "commit/commit-transaction",
      "commit/contract-settlement",
      "commit/run-settlement",
      "commit/run-merging",
      "records/contract-index",
      "runs/entries",
      "runs/merging",
      "runs/piece-writer",
      "runs/run-cursor",
      "runs/run-list",
      "runs/runs",
      "submission/transaction-commit",
      "submission/completion-writing",
      "submission/transaction-writing",
      "submission/unread-submissions",
      "submission/unplaced-writing",
      "intake/deduplication",
    ].map((file) => `src/ledger/${file}.js`),
    found: [
      scenario("simulation", 10),
      ...test(
        "ledger/unread-submissions",
        "ledger/contract-index",
        "ledger/contract-runs",
        "ledger/verify-runs",
        "ledger/acceptances",
        "ledger/commit",
        "ledger/deduplication",
        "ledger/commit-failures",
        "ledger/commit-steps",
        "ledger/commit-gathering",
        "ledger/commit-answers",
        "ledger/outcomes",
        "ledger/verify",
        "ledger/reassignment-fields",
        "ledger/moves",
        "ledger/network",
      ),
    ],
  },
  {
    name: "visibility",
    files: ["src/ledger/reading/selection.js", "src/ledger/reading/projection.js", "src/ledger/reading/filters.js"],
    found: [
      scenario("visibility", 3),
      ...test("ledger/projection", "ledger/streams", "ledger/reassignment-fields", "ledger/moves"),
      scenario("network-visibility", 2),
    ],
  },
  { name: "authorisation", files: ["src/auth/claims.js"], found: test("auth/matrix", "conformance/recorded-authorisation") },
];

const runMsMax = 180_000,
  scoreMin = 0.8,
  enoughForScore = 100;

/** `hung`: found by nothing but that it never ended. */
async function verdictOf(copy: Copy, { found }: Part): Promise<"found" | "hung" | "survived"> {
  for (const [program, ...args] of found) {
    const { code } = await runIn(copy, program!, args, runMsMax);
    if (code !== 0) return code === null ? "hung" : "found";
  }
  return "survived";
}

export const strength: Scenario = {
  name: "mutants",
  unit: "mutants",
  sizes: { test: 1, ci: 6, night: 600 },
  holds: "of small wrongs in the commit protocol, visibility and authorisation at least four of five are found by tests",
  async run(play) {
    const copy = copyOfBuild();
    play.after(() => copy.remove());
    rmSync(join(copy.folder, "dist", "bundle"), { recursive: true, force: true }); // what is started is what was changed
    await play.cases(async (seed) => {
      const random = new Random(seed),
        part = parts[seed % parts.length]!,
        file = random.one(part.files);
      const path = join(copy.folder, "dist", file),
        source = readFileSync(path, "utf8"),
        mutant = mutantOf(file, source, random);
      writeFileSync(path, mutant.source);
      const verdict = await verdictOf(copy, part);
      writeFileSync(path, source);
      play.count(`of ${part.name}`);
      play.count(verdict);
      if (verdict === "survived") play.notes.push(`survived, seed ${seed}: ${file}:${mutant.line} ${mutant.name}: ${mutant.before}`);
    });
    const { found = 0, hung = 0, survived = 0 } = play.counts,
      all = found + hung + survived;
    if (play.size >= enoughForScore) assert.ok((found + hung) / all >= scoreMin, `${found + hung} of ${all} are found`);
  },
};
