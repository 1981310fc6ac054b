/** An engine over one of the test DARs, with a store of its own. */
import assert from "node:assert/strict";
import { isFailure } from "../../../src/base/result.js";
import { limits } from "../../../src/config.js";
import {
  type Command,
  type CommandArgument,
  type ContractInstance,
  Engine,
  type EngineError,
  type EngineLimits,
  type Interpretation,
  type InterpretResult,
  type Submission,
} from "../../../src/lf/index.js";
import { harnessSalt, ScenarioLedger } from "../../golden/scenario-ledger.js";
import { highestVersions, packageReader, readPackages } from "../../golden/scenario-packages.js";
import { testData } from "../../support/paths.js";

const newYear2024 = 1_704_067_200_000_000n;

/** With the circumstances that a test does not care about. */
export const submissionOf = (given: Pick<Submission, "actAs" | "commands" | "packagePreference"> & Partial<Submission>): Submission => ({
  readAs: [],
  disclosed: [],
  ledgerTime: newYear2024,
  preparationTime: newYear2024,
  submissionSeed: new Uint8Array(32),
  participantId: "participant",
  mode: "NUCK",
  ...given,
});

export class Harness {
  readonly engine: Engine;
  readonly #ledger = new ScenarioLedger();
  readonly #preference: ReadonlyMap<string, string>;
  #submissions = 0;

  constructor(
    readonly dar: string,
    readonly packageName: string,
    readonly module: string,
    changed: Partial<EngineLimits> = {},
  ) {
    const packages = readPackages(testData("engine", "dars"), [{ dar, packageId: "" }]);
    this.engine = new Engine({ packages: packageReader(packages), limits: { ...limits, ...changed } });
    this.#preference = highestVersions(packages);
  }

  create(template: string, json: unknown): Command {
    return { kind: "create", template: this.#reference(template), argument: { json } };
  }

  exercise(template: string, contractId: string, choice: string, json: unknown): Command {
    const argument: CommandArgument = { json };
    return { kind: "exercise", template: this.#reference(template), contractId, choice, argument };
  }

  #reference(name: string) {
    return { package: { name: this.packageName }, module: this.module, name };
  }

  submit(actAs: readonly string[], ...commands: readonly Command[]): InterpretResult {
    return this.#submit([], actAs, commands);
  }

  /** The same with these contracts beside the store's. */
  disclosing(disclosed: readonly ContractInstance[]): {
    submit(actAs: readonly string[], ...commands: readonly Command[]): InterpretResult;
  } {
    return { submit: (actAs, ...commands) => this.#submit(disclosed, actAs, commands) };
  }

  #submit(disclosed: readonly ContractInstance[], actAs: readonly string[], commands: readonly Command[]): InterpretResult {
    const submissionSeed = new Uint8Array(32);
    new DataView(submissionSeed.buffer).setUint32(0, this.#submissions++);
    return this.engine.interpret(submissionOf({ actAs, commands, disclosed, submissionSeed, packagePreference: this.#preference }), {
      salt: harnessSalt,
      reader: this.#ledger.reader(actAs),
    });
  }

  commit(actAs: readonly string[], ...commands: readonly Command[]): Interpretation {
    const result = this.submit(actAs, ...commands);
    assert.ok(!isFailure(result), `the submission is accepted: ${result.error?.message ?? ""}`);
    this.#ledger.commit(result.ok);
    return result.ok;
  }

  refuse(actAs: readonly string[], ...commands: readonly Command[]): EngineError {
    const result = this.submit(actAs, ...commands);
    assert.ok(isFailure(result), "the submission is refused");
    return result.error;
  }
}
