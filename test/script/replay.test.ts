import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readScenarios, type RecordedScenario } from "../golden/scenario.js";
import { isObject } from "../golden/scenario-values.js";
import { repositoryRoot, testData } from "../support/paths.js";
import { replay, type ReplayedStep } from "./replay/replay.js";
import { text } from "../support/knobs.js";

const unvetted = "a script takes a package out of the preference by vetting, and the package may not be used then";
const archived = "a disclosed contract that the ledger knows to be archived fails the commit";
/** What a ledger for tests, or the way in which a script says it, makes another answer of. */
const otherwise: ReadonlyMap<string, readonly [told: string, why: string]> = new Map([
  [
    "ledger-time/earliest",
    ["ContractNotFound", "the ledger stands before the contract was created; the recording's contract store has no times"],
  ],
  ["iou-errors/disclosed but archived", ["ContractNotFound", archived]],
  ["keys-2.3/disclosed archived", ["ContractNotFound", archived]],
  ["keys-dev/disclosed archived", ["ContractNotFound", archived]],
  ["docs/by name none", ["UnknownError", unvetted]],
  ["value-edges/nest argument 99", ["ConverterException", "the record that stands for the choice nests the value one deeper"]],
]);

/** All of these name packages that are not among the preferred ones. */
const withoutPreference = "interfaces-upgraded/no preference ";
const otherwiseOf = (step: string): readonly [told: string, why: string] | undefined =>
  step.startsWith(withoutPreference) ? ["UnknownError", unvetted] : otherwise.get(step);

const withoutConstructor: ReadonlySet<string> = new Set(["Internal", "MalformedText"]);

/** Constructors of SubmitError by the classes of the recording. */
function constructorFor(error: NonNullable<ReplayedStep["step"]["error"]>): string {
  const name = String(error["class"]);
  if (error["stage"] === "Interpretation") {
    if (name === "ContractNotActive") return "ContractNotFound";
    if (name === "FailureStatus") return "FailureStatusError";
    if (name === "EffectfulRollback") return "EffectfulRollbackError";
    if (withoutConstructor.has(name)) return "UnknownError";
    return name.startsWith("FailedAuthorization")
      ? "AuthorizationError"
      : name.startsWith("Upgrade")
        ? "UpgradeError"
        : name.startsWith("Crypto")
          ? "CryptoError"
          : name.startsWith("Dev")
            ? "DevError"
            : name;
  }
  return name === "ContractIdInContractKey" || name === "UnresolvedPackageName" ? name : "UnknownError";
}

function expectedOf({ step }: ReplayedStep): string {
  if (step.view !== undefined && step.error !== undefined) return step.error["class"] === "TypeMismatch" ? "ConverterException" : "None";
  if (step.view !== undefined) return "Some";
  return step.error === undefined ? "Right" : constructorFor(step.error);
}

interface Family {
  readonly folder: string;
  readonly dars: string;
  readonly name: string;
}

const familiesOf = (folder: string, dars: string): readonly Family[] =>
  readdirSync(join(folder, "scenarios"))
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => ({ folder, dars, name }));

const unsaid = new Map<string, number>();

function replayed({ folder, dars, name }: Family): void {
  test(`script replay: the scripts of ${name.replace(".json", "")} do what the reference did`, async (context) => {
    const scenarios = readScenarios(join(folder, "scenarios", name));
    let equal = 0,
      unsayable = 0;
    for (const scenario of scenarios) {
      for (const result of await replay(scenario, dars)) {
        const step = `${scenario.name}/${result.step.step}`,
          other = otherwiseOf(step);
        if (result.unsaid !== undefined) {
          unsayable++;
          unsaid.set(folder, (unsaid.get(folder) ?? 0) + 1);
          continue;
        }
        assert.equal(result.told, other?.[0] ?? expectedOf(result), step);
        if (other !== undefined) continue;
        assert.deepEqual(result.differences, [], step);
        equal++;
      }
    }
    const steps = scenarios.reduce((sum, scenario) => sum + scenario.steps.length, 0);
    context.diagnostic(`${name}: ${equal} of ${steps} steps equal, ${unsayable} that no script can say`);
  });
}

const own = testData("engine"),
  shared = join(repositoryRoot(), "..", "shared", "golden", "engine", "real"),
  real = text("LEDGERLINE_REAL_DARS");
for (const family of familiesOf(own, join(own, "dars"))) replayed(family);
if (real !== undefined && existsSync(shared)) for (const family of familiesOf(shared, real)) replayed(family);

test("script replay: what no script can say is ill typed, or names what is not there, and the reference refused it", () => {
  assert.equal(unsaid.get(own), 36);
});

test("script replay canary: an answer that was recorded otherwise is told", async () => {
  const [scenario] = readScenarios(testData("engine", "scenarios", "asset.json")),
    [first, ...others] = scenario!.steps;
  const transaction = first!.result!["transaction"];
  assert.ok(isObject(transaction));
  const changed = {
    ...scenario!,
    steps: [{ ...first!, result: { ...first!.result!, transaction: { ...transaction, nodeCount: 9 } } }, ...others],
  };
  const [result] = await replay(changed as RecordedScenario, testData("engine", "dars"));
  assert.match(result!.differences.join(), /nodeCount: recorded 9, ours \d/);
});
