/**
 * Runs the scripts of a recorded scenario on a ledger in memory, and holds what the engine then did against the recording.
 * Seeds and salts are those of the recording, so ids and bytes are compared too.
 */
import { assert } from "../../../src/base/assert.js";
import { type DarPackages, ScriptPackages, ScriptThread } from "../../../src/script/packages.js";
import { ScriptRun } from "../../../src/script/runner.js";
import { ScriptStop } from "../../../src/script/stop.js";
import { MemoryLedger } from "../../../src/script/memory/memory-ledger.js";
import { decodePackage } from "../../../src/lf/archive/package.js";
import { type Archive, readDar, stablePackages } from "../../../src/lf/archive/index.js";
import { encodeContractInstance, type Engine, type InterpretResult, type Submission } from "../../../src/lf/index.js";
import { ContractId, Some, type Value, Variant } from "../../../src/lf/running-code.js";
import type { ContractInstance } from "../../../src/lf/transaction/contract-instance.js";
import { limits } from "../../../src/config.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { differences } from "../../golden/scenario-compare.js";
import { harnessSalt, harnessSubmissionSeed } from "../../golden/scenario-ledger.js";
import { highestVersions } from "../../golden/scenario-packages.js";
import { recordedAnswer, shownInterpretation, shownView } from "../../golden/scenario-answer.js";
import type { RecordedScenario } from "../../golden/scenario.js";
import { parseId, type RecordedStep, StepForm } from "../../golden/scenario-step.js";
import { type JsonObject, named } from "../../golden/scenario-values.js";
import { buildLibrary } from "../../support/script-library.js";
import { unboxed } from "./choice-boxes.js";
import { type Reference, type ScenarioScripts, scenarioScripts, type StepScript } from "./scenario-scripts.js";

export interface ReplayedStep {
  readonly step: RecordedStep;
  /** Why no script can say it; it was not run. */
  readonly unsaid?: string;
  readonly differences: readonly string[];
  /** The constructor of what the script was told. */
  readonly told: string;
}

const library = buildLibrary("newest");

export async function replay(scenario: RecordedScenario, darFolder: string): Promise<readonly ReplayedStep[]> {
  const run = new Replay(scenario, darFolder);
  const replayed: ReplayedStep[] = [];
  for (const step of run.scripts.steps) replayed.push(await run.step(step));
  return replayed;
}

/** All archives of the scenario's DARs, the library and the stable packages. */
function archivesOf({ dars }: RecordedScenario, darFolder: string): readonly Archive[] {
  const found = new Map<string, Archive>(stablePackages().map((archive) => [archive.id, archive]));
  for (const { dar } of dars)
    for (const archive of readDar(readFileSync(join(darFolder, `${dar}.dar`)), limits).ok!.archives) found.set(archive.id, archive);
  return [...found.values(), library.archive];
}

const darOf = (archives: readonly Archive[], main: string): DarPackages => ({
  file: "replay",
  main,
  packages: archives.map(({ id, payload }) => ({ id, payload, dependencies: [...decodePackage(id, payload).ok!.directDependencies] })),
});

class Replay {
  readonly scripts: ScenarioScripts;
  readonly #scenario: RecordedScenario;
  readonly #packages: ScriptPackages;
  readonly #names = new Map<string, string>();
  readonly #created = new Map<string, ContractInstance>();
  readonly #committed: StepScript[] = [];
  #ledger: MemoryLedger | undefined;
  #asked: { readonly step: RecordedStep; submitted?: InterpretResult; viewed?: ReturnType<Engine["computeView"]> } = { step: { step: "" } };

  constructor(scenario: RecordedScenario, darFolder: string) {
    this.#scenario = scenario;
    const archives = archivesOf(scenario, darFolder),
      thread = new ScriptThread(scenario.lf === "dev" ? { languageVersions: ["2.1", "2.2", "2.3", "2.dev"] } : {});
    const models = new ScriptPackages(darOf(archives, library.archive.id), thread);
    const packages = [...models.all],
      highest = highestVersions(new Map(packages.map((each) => [each.id, each])));
    this.scripts = scenarioScripts(scenario, { engine: models.engine, packages, highest, library });
    this.#packages = new ScriptPackages(darOf([...archives, this.scripts.archive], this.scripts.archive.id), thread);
    this.#witness(thread.engine);
  }

  /** Puts the recording's seeds in, and keeps what comes out. */
  #witness(engine: Engine): void {
    const interpret = engine.interpret.bind(engine),
      computeView = engine.computeView.bind(engine);
    engine.interpret = (submission: Submission, options) => {
      const { step, submissionSeed: given } = this.#asked.step;
      const submissionSeed = given === undefined ? harnessSubmissionSeed(this.#scenario.name, step) : Buffer.from(given, "hex");
      return (this.#asked.submitted = interpret(
        { ...submission, submissionSeed, participantId: "participant1" },
        { ...options, salt: harnessSalt },
      ));
    };
    engine.computeView = (view) => (this.#asked.viewed = computeView(view));
  }

  async step(script: StepScript): Promise<ReplayedStep> {
    const { step } = script;
    if ("unsaid" in script) {
      assert(step.error !== undefined, `${step.step} can be said: the reference did it`);
      return { step, unsaid: script.unsaid, differences: [], told: "" };
    }
    const told = await this.#run(script),
      answer = this.#answer(step);
    const parted = [...differences(recordedAnswer(step), answer)]
      .slice(0, 3)
      .map(({ path, expected, actual }) => `${path}: recorded ${JSON.stringify(expected)}, ours ${JSON.stringify(actual)}`);
    if (this.#asked.submitted?.ok !== undefined) {
      if (step.commit === false)
        this.#ledger = undefined; // the next step finds the ledger as it was before
      else this.#committed.push(script);
    } else if (step.view !== undefined && told !== "Some" && told !== "None") this.#ledger = undefined; // it ended before it vetted again
    return { step, differences: parted, told };
  }

  #answer(step: RecordedStep): JsonObject {
    const form = new StepForm(this.#packages.engine, this.#names, new Map()),
      { submitted, viewed } = this.#asked;
    if (viewed !== undefined && step.view !== undefined)
      return shownView(form, { template: parseId(this.#viewedTemplate(step)), interface: step.view.interface }, viewed);
    return submitted === undefined ? { unanswered: "the engine was not asked" } : shownInterpretation(form, step, submitted);
  }

  #viewedTemplate({ view }: RecordedStep): string {
    const { templateId } = this.#created.get(named(this.#names, view!.contract))!;
    return view!.template ?? `${templateId.packageId}:${templateId.module}:${templateId.name}`;
  }

  async #run(script: StepScript): Promise<string> {
    const ledger = (this.#ledger ??= await this.#begin());
    return this.#start(ledger, script);
  }

  /** The parties, and all that was committed so far. */
  async #begin(): Promise<MemoryLedger> {
    const ledger = new MemoryLedger({ packages: this.#packages, mode: this.#scenario.mode ?? "NUCK", seed: "" });
    const submit = ledger.submit.bind(ledger);
    ledger.submit = (submission) =>
      submit({ ...submission, commands: submission.commands.map((command) => unboxed(command, this.#packages.engine)) });
    for (const party of this.scripts.parties) await ledger.allocateParty(party);
    for (const script of this.#committed) await this.#start(ledger, script);
    return ledger;
  }

  async #start(ledger: MemoryLedger, script: StepScript): Promise<string> {
    assert("script" in script, "a step that has a script");
    this.#asked = { step: script.step };
    const run = new ScriptRun({
      packages: this.#packages,
      library: this.#packages.library(library.archive.id),
      ledger,
      timeLimitMs: 60_000,
      uniqueSuffix: () => "0",
    });
    const argument = script.argument.map((reference) => this.#value(reference));
    const answer = await settled(
      run.start({ packageId: this.#packages.main.id, module: this.scripts.module, name: script.script }, argument),
    );
    this.#recall(script.step);
    return answer;
  }

  #value(reference: Reference): Value {
    switch (reference.kind) {
      case "party":
        return reference.text;
      case "contract":
        return new ContractId(reference.text);
      case "blob": {
        const form = new StepForm(this.#packages.engine, this.#names, new Map());
        return Buffer.from(encodeContractInstance(form.disclosed(reference.disclosure, (id) => this.#created.get(id)))).toString("hex");
      }
    }
  }

  #recall({ names = [] }: RecordedStep): void {
    const done = this.#asked.submitted?.ok;
    if (done === undefined) return;
    for (const { instance } of done.created) this.#created.set(instance.contractId, instance);
    const made = done.transaction.nodes.flatMap((node) => (node.kind === "create" ? [node.contractId] : []));
    names.forEach((name, index) => {
      if (made[index] !== undefined) this.#names.set(name, made[index]);
    });
  }
}

/** What the script was told; of one that did not end, why. */
async function settled(running: Promise<Value>): Promise<string> {
  try {
    return toldBy(await running);
  } catch (error) {
    if (error instanceof ScriptStop && error.reason.kind === "question") return error.reason.class_;
    throw error;
  }
}

/** `Right`, or the constructor of SubmitError; of a view `Some` or `None`. */
function toldBy(answer: Value): string {
  if (answer instanceof Some) return "Some";
  const first = (answer as { readonly head?: Value }).head;
  if (!(first instanceof Variant)) return "None";
  return first.constructor_ === "Right" ? "Right" : (first.value as Variant).constructor_;
}
