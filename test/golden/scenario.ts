/** Runs ledger scenarios recorded from the reference engine and tells every difference. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFailure } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { Engine, type EngineLimits } from "../../src/lf/index.js";
import { parseTimestamp } from "../../src/lf/value/time.js";
import { differences } from "./scenario-compare.js";
import { recordedAnswer, shownInterpretation, shownView } from "./scenario-answer.js";
import { harnessSalt, harnessSubmissionSeed, ScenarioLedger } from "./scenario-ledger.js";
import { type DarReference, highestVersions, packageReader, readPackages } from "./scenario-packages.js";
import { parseId, type RecordedStep, StepForm } from "./scenario-step.js";
import { isObject, type Json, type JsonObject } from "./scenario-values.js";

export interface RecordedScenario {
  readonly name: string;
  readonly dars: readonly DarReference[];
  readonly mode?: "NUCK" | "NoKey";
  readonly lf?: "dev";
  readonly ledgerTime?: string;
  readonly packagePreference?: readonly string[];
  readonly steps: readonly RecordedStep[];
}

export interface StepDifference {
  readonly scenario: string;
  readonly step: string;
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}
export interface FamilyCount {
  readonly family: string;
  readonly steps: number;
  readonly equal: number;
  readonly skipped: number;
  readonly differences: readonly StepDifference[];
}

const engineLimits: EngineLimits = limits;

/** `folder` holds `scenarios/*.json`, the DARs lie in `dars/`. */
export function runScenarios(folder: string, darFolder = join(folder, "dars")): readonly FamilyCount[] {
  const files = readdirSync(join(folder, "scenarios"))
    .filter((name) => name.endsWith(".json"))
    .sort();
  return files.map((name) => runFamily(name.replace(".json", ""), readScenarios(join(folder, "scenarios", name)), darFolder));
}

export const readScenarios = (file: string): readonly RecordedScenario[] =>
  JSON.parse(readFileSync(file, "utf8")) as readonly RecordedScenario[];

export function runFamily(family: string, scenarios: readonly RecordedScenario[], darFolder: string): FamilyCount {
  const found: StepDifference[] = [];
  let steps = 0;
  let equal = 0;
  let skipped = 0;
  for (const scenario of scenarios) {
    steps += scenario.steps.length;
    if (!scenario.dars.every(({ dar }) => existsSync(join(darFolder, `${dar}.dar`)))) skipped += scenario.steps.length;
    else {
      const run = new ScenarioRun(scenario, darFolder);
      for (const step of scenario.steps) {
        const parted = run.step(step);
        if (parted.length === 0) equal += 1;
        found.push(...parted.slice(0, 3));
      }
    }
  }
  return { family, steps, equal, skipped, differences: found };
}

class ScenarioRun {
  readonly #scenario: RecordedScenario;
  readonly #engine: Engine;
  readonly #highest: ReadonlyMap<string, string>;
  readonly #names = new Map<string, string>();
  readonly #ledger = new ScenarioLedger();

  constructor(scenario: RecordedScenario, darFolder: string) {
    this.#scenario = scenario;
    const packages = readPackages(darFolder, scenario.dars);
    this.#engine = new Engine({
      packages: packageReader(packages),
      limits: engineLimits,
      ...(scenario.lf === "dev" ? { languageVersions: ["2.1", "2.2", "2.3", "2.dev"] as const } : {}),
    });
    this.#highest = highestVersions(packages);
  }

  step(step: RecordedStep): readonly StepDifference[] {
    let answer: JsonObject;
    try {
      answer = step.view === undefined ? this.#submit(step) : this.#view(step.view);
    } catch (error) {
      answer = { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    if (answer["crash"] === undefined) this.#recallNames(step);
    return [...differences(recordedAnswer(step), answer)].map(({ path, ...both }) => ({
      scenario: this.#scenario.name,
      step: step.step,
      path,
      expected: shorten(both.expected),
      actual: shorten(both.actual),
    }));
  }

  #submit(step: RecordedStep): JsonObject {
    const scenario = this.#scenario;
    const preference = this.#preference(step);
    if (typeof preference === "string") return { error: { stage: "Preprocessing", class: "Internal" } };
    const form = new StepForm(this.#engine, this.#names, preference);
    const ledgerTime = parseTimestamp(step.ledgerTime ?? scenario.ledgerTime ?? "2024-01-01T00:00:00Z");
    assert(ledgerTime !== undefined, "a ledger time");
    const { actAs = [], readAs = [] } = step;
    const result = this.#engine.interpret(
      {
        actAs,
        readAs,
        commands: (step.commands ?? []).map((command) => form.command(command)),
        disclosed: (step.disclosed ?? []).map((disclosed) => form.disclosed(disclosed, (id) => this.#ledger.contract(id))),
        ledgerTime,
        preparationTime: ledgerTime,
        participantId: "participant1",
        packagePreference: preference,
        submissionSeed:
          step.submissionSeed === undefined ? harnessSubmissionSeed(scenario.name, step.step) : Buffer.from(step.submissionSeed, "hex"),
        mode: step.mode ?? scenario.mode ?? "NUCK",
      },
      { salt: harnessSalt, reader: this.#ledger.reader([...actAs, ...readAs]) },
    );
    if (!isFailure(result) && step.commit !== false) this.#ledger.commit(result.ok);
    return shownInterpretation(form, step, result);
  }

  /** Two packages for one name cannot be said in our interface; the reference refuses them. */
  #preference(step: RecordedStep): ReadonlyMap<string, string> | string {
    const ids = step.packagePreference ?? this.#scenario.packagePreference;
    if (ids === undefined) return this.#highest;
    const byName = new Map<string, string>();
    for (const id of ids) {
      const name = this.#engine.packages.package(id)?.name;
      assert(name !== undefined, `package ${id} of the preference`);
      if (byName.has(name)) return name;
      byName.set(name, id);
    }
    return byName;
  }

  #view(view: NonNullable<RecordedStep["view"]>): JsonObject {
    const form = new StepForm(this.#engine, this.#names, this.#highest);
    const contract = form.disclosed(view.contract, (id) => this.#ledger.contract(id));
    const template = view.template === undefined ? contract.templateId : parseId(view.template);
    const result = this.#engine.computeView({ template, argument: contract.argument, interface: parseId(view.interface) });
    return shownView(form, { template, interface: view.interface }, result);
  }

  /** Later steps refer to the recorded contracts, so that one difference does not bring a hundred. */
  #recallNames({ names = [], result }: RecordedStep): void {
    const nodes = isObject(result?.["transaction"]) ? (result["transaction"]["nodes"] as readonly JsonObject[]) : [];
    const created = nodes.filter((node) => node["kind"] === "create").map((node) => node["contractId"] as string);
    names.forEach((name, i) => {
      if (created[i] !== undefined) this.#names.set(name, created[i]);
    });
  }
}

const shorten = (json: Json | undefined): string =>
  json === undefined ? "nothing" : (typeof json === "string" ? json : JSON.stringify(json)).slice(0, 400);
