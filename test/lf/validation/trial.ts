/** One package, perhaps damaged: validated, and if it passes, everything in it is run. */
import type { DefinitionId, Package, PackageId, TemplateChoice, Type } from "../../../src/lf/ast.js";
import { isFailure } from "../../../src/base/result.js";
import { limits } from "../../../src/config.js";
import { checkPackage, decodePackage, packageIdOf } from "../../../src/lf/archive/index.js";
import { type EngineError, FatalError } from "../../../src/lf/errors.js";
import { type CommandArgument, Engine, type TemplateReference } from "../../../src/lf/index.js";
import { PackageInterface, type PackageReader } from "../../../src/lf/package-interface.js";
import { DamlException } from "../../../src/lf/runtime/machine.js";
import { validatePackage } from "../../../src/lf/validation/index.js";
import type { Value } from "../../../src/lf/value/value.js";
import { applyMany, type Fn } from "../../../src/lf/runtime/function.js";
import { createCompiledPackages } from "../../../src/lf/compile/index.js";
import { EvalCodec, functionType } from "../../golden/eval-values.js";
import type { Random } from "../../support/random.js";
import { Samples } from "./samples.js";
import { Shapes } from "./value-shape.js";

/** Loops end soon: nothing here needs more. */
const runLimits = {
  ...limits,
  stepsMax: 200_000,
  allocationMax: 200_000,
  transactionNodesMax: 200,
  textBytesMax: 100_000,
  collectionEntriesMax: 10_000,
};

/** Arguments at which the reference crashes too; other internal errors are what a type checker must prevent. */
const referenceCrashes = /lone high surrogate|invalid code point|asked for/;

export interface Tally {
  decode: number;
  validation: number;
  passed: number;
  runs: number;
  values: number;
  exceptions: number;
  engineErrors: number;
  referenceCrashes: number;
  transactions: number;
}
export const newTally = (): Tally => ({
  decode: 0,
  validation: 0,
  passed: 0,
  runs: 0,
  values: 0,
  exceptions: 0,
  engineErrors: 0,
  referenceCrashes: 0,
  transactions: 0,
});

export interface Trial {
  readonly payload: Uint8Array;
  /** What the package may refer to. */
  readonly others: ReadonlyMap<PackageId, Package>;
  readonly random: Random;
  readonly tally: Tally;
  /** Only the canary leaves validation out. */
  readonly validates?: boolean;
}

/** Throws when something happens that neither the type checker nor the engine may let through. */
export function tryPackage({ payload, others, random, tally, validates = true }: Trial): void {
  const package_ = accepted(payload, others, tally, validates);
  if (package_ === undefined) return;
  tally.passed += 1;
  const reader: PackageReader = { getPackage: (id) => (id === package_.id ? package_ : others.get(id)) };
  new Run(package_, reader, random, tally).everything();
}

function accepted(payload: Uint8Array, others: ReadonlyMap<PackageId, Package>, tally: Tally, validates: boolean): Package | undefined {
  const decoded = decodePackage(packageIdOf(payload), payload);
  const checked = isFailure(decoded) ? decoded : checkPackage(decoded.ok);
  if (isFailure(checked)) {
    tally.decode += 1;
    return undefined;
  }
  const package_ = checked.ok;
  const packages = new PackageInterface({ getPackage: (id) => (id === package_.id ? package_ : others.get(id)) });
  if (validates && isFailure(validatePackage(package_, packages))) {
    tally.validation += 1;
    return undefined;
  }
  return package_;
}

class Run {
  readonly #package: Package;
  readonly #packages: PackageInterface;
  readonly #random: Random;
  readonly #tally: Tally;
  readonly #samples: Samples;
  readonly #shapes: Shapes;
  readonly #codec: EvalCodec;
  readonly #engine: Engine;
  readonly #budget = { steps: 0, allocation: 0 };

  constructor(package_: Package, reader: PackageReader, random: Random, tally: Tally) {
    this.#package = package_;
    this.#packages = new PackageInterface(reader);
    this.#random = random;
    this.#tally = tally;
    this.#samples = new Samples(this.#packages, random);
    this.#shapes = new Shapes(this.#packages);
    this.#codec = new EvalCodec(this.#packages);
    this.#engine = new Engine({ packages: reader, limits: runLimits });
  }

  everything(): void {
    const compiled = createCompiledPackages({
      packages: this.#packages,
      budget: this.#budget,
      limits: runLimits,
      onLedger: () => false,
      retype: () => {
        throw new Error("nothing is upgraded here");
      },
    });
    for (const module of this.#package.modules.values()) {
      for (const { name, type } of module.values.values()) {
        const id: DefinitionId = { packageId: this.#package.id, module: module.name, name };
        this.#evaluate(`${module.name}:${name}`, type, () => compiled.value(id));
      }
      for (const template of module.templates.values())
        for (const choice of template.choices.values())
          this.#submit({ package: { id: this.#package.id }, module: module.name, name: template.name }, choice);
    }
  }

  #evaluate(name: string, type: Type, value: () => Value): void {
    const { args, result } = this.#arguments(type);
    this.#guarded(name, () => {
      const problem = this.#shapes.problem(result, args.length === 0 ? value() : applyMany(value() as Fn, args));
      if (problem !== undefined) throw new Error(`the value is ill-typed: ${problem}`);
      this.#tally.values += 1;
    });
  }

  /** As many arguments as can be written. */
  #arguments(type: Type): { readonly args: Value[]; readonly result: Type } {
    const args: Value[] = [];
    let result = type;
    for (let next = functionType(result); next !== undefined; next = functionType(result)) {
      const json = this.#samples.of(next.param);
      if (json === undefined) break;
      args.push(this.#codec.decode(next.param, json));
      result = next.result;
    }
    return { args, result };
  }

  #submit(template: TemplateReference, choice: TemplateChoice): void {
    const contract = this.#samples.of({ kind: "con", id: { packageId: this.#package.id, module: template.module, name: template.name } });
    const argument = this.#samples.of(choice.argBinder.type);
    if (contract === undefined || argument === undefined) return;
    const json = (value: unknown): CommandArgument => ({ json: value });
    this.#guarded(`${template.module}:${template.name} ${choice.name}`, () => {
      const result = this.#engine.interpret(
        {
          actAs: ["Alice"],
          readAs: [],
          disclosed: [],
          ledgerTime: 0n,
          preparationTime: 0n,
          participantId: "participant",
          mode: "NUCK",
          submissionSeed: new Uint8Array(32).fill(this.#random.below(256)),
          packagePreference: new Map([[this.#package.name, this.#package.id]]),
          commands: [
            { kind: "createAndExercise", template, createArgument: json(contract), choice: choice.name, argument: json(argument) },
          ],
        },
        { salt: (discriminator) => discriminator, reader: { readContract: () => undefined, readKey: () => [] } },
      );
      if (isFailure(result)) this.#count(result.error);
      else this.#tally.transactions += 1;
    });
  }

  #guarded(name: string, run: () => void): void {
    this.#tally.runs += 1;
    this.#budget.steps = runLimits.stepsMax;
    this.#budget.allocation = runLimits.allocationMax;
    try {
      run();
    } catch (thrown) {
      if (thrown instanceof DamlException) this.#tally.exceptions += 1;
      else if (thrown instanceof FatalError) this.#count(thrown.error);
      else if (thrown instanceof RangeError && /call stack|allocation|size|length/i.test(thrown.message))
        this.#tally.engineErrors += 1; // the engine's command boundary names it
      else throw new Error(`${name}: ${(thrown as Error).message}`, { cause: thrown });
    }
  }

  #count(error: EngineError): void {
    if (error.phase !== "interpretation" || error.class !== "Internal") this.#tally.engineErrors += 1;
    else if (referenceCrashes.test(error.message)) this.#tally.referenceCrashes += 1;
    else throw new Error(`an internal error: ${error.message}`);
  }
}
