/** How strong the tests are: of small wrongs in the code on which all else rests, how many are found. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../ledger/oracle/random.js";
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
      "submission/transaction-commit",
      "submission/transaction-writing",
      "intake/deduplication",
    ].map((file) => `src/ledger/${file}.js`),
    found: [
      scenario("simulation", 10),
      ...test("ledger/commit", "ledger/deduplication", "ledger/commit-failures", "ledger/commit-steps", "ledger/outcomes", "ledger/verify"),
    ],
  },
  {
    name: "visibility",
    files: ["src/ledger/reading/projection.js", "src/ledger/reading/filters.js"],
    found: [scenario("visibility", 3), ...test("ledger/projection", "ledger/streams")],
  },
  { name: "authorisation", files: ["src/auth/claims.js"], found: test("auth/matrix", "conformance/recorded-authorisation") },
];

const runMsMax = 60_000,
  scoreMin = 0.8,
  enoughForScore = 100;

async function isFound(copy: Copy, { found }: Part): Promise<boolean> {
  for (const [program, ...args] of found) if ((await runIn(copy, program!, args, runMsMax)).code !== 0) return true;
  return false;
}

export const strength: Scenario = {
  name: "mutants",
  unit: "mutants",
  sizes: { test: 1, ci: 6, night: 600 },
  holds: "of small wrongs in the commit protocol, visibility and authorisation at least four of five are found by tests",
  async run(play) {
    const copy = copyOfBuild();
    play.after(() => copy.remove());
    await play.cases(async (seed) => {
      const random = new Random(seed),
        part = parts[seed % parts.length]!,
        file = random.one(part.files.filter((one) => existsSync(join(copy.folder, "dist", one))));
      const path = join(copy.folder, "dist", file),
        source = readFileSync(path, "utf8"),
        mutant = mutantOf(file, source, random);
      writeFileSync(path, mutant.source);
      const found = await isFound(copy, part);
      writeFileSync(path, source);
      play.count(`of ${part.name}`);
      play.count(found ? "found" : "survived");
      if (!found) play.notes.push(`survived, seed ${seed}: ${file}:${mutant.line} ${mutant.name}: ${mutant.before}`);
    });
    const { found = 0, survived = 0 } = play.counts;
    if (play.size >= enoughForScore) assert.ok(found / (found + survived) >= scoreMin, `${found} of ${found + survived} are found`);
  },
};
