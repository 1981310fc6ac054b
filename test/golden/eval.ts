/** Pure evaluations of the reference against this engine: `eval/*.json` of a folder of golden data. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { assert } from "../../src/base/assert.js";
import { limits } from "../../src/config.js";
import type { DefinitionId, Package, PackageId, Type } from "../../src/lf/ast.js";
import { createCompiledPackages } from "../../src/lf/compile/index.js";
import { FatalError } from "../../src/lf/errors.js";
import { PackageInterface } from "../../src/lf/package-interface.js";
import { applyMany, type Fn } from "../../src/lf/runtime/function.js";
import { type Budget, type CompiledPackages, DamlException } from "../../src/lf/runtime/machine.js";
import type { AnyValue, Value } from "../../src/lf/value/value.js";
import { EvalCodec, functionType, type Json, showType } from "./eval-values.js";
import { packageReader, readPackages } from "./scenario-packages.js";

interface Failure {
  readonly class: string;
  readonly detail?: Json;
}
interface Answer {
  readonly value?: Json;
  readonly exception?: Json;
  readonly error?: Failure;
}
interface Case extends Answer {
  readonly fn: string;
  readonly type: string;
  readonly args: readonly Json[];
}
interface Family {
  readonly family: string;
  readonly dar: string;
  readonly packageId: PackageId;
  readonly cases: readonly Case[];
}

export interface EvalDifference {
  readonly fn: string;
  readonly args: string;
  readonly expected: string;
  readonly actual: string;
}
export interface EvalCount {
  readonly family: string;
  readonly cases: number;
  readonly equal: number;
  /** Cases of LF 2.dev that need a builtin which this engine refuses by name. */
  readonly refused: number;
  readonly differences: readonly EvalDifference[];
}

/** Error details that quote Java libraries. */
const classOnly = /^Crypto\./;

/** DARs of the same text in another language version, for which the reference gave the same answers. */
export type OtherEncodings = ReadonlyMap<string, string>;

/** With `encodings`, only the families whose DAR has another encoding, run on that. */
export const runEval = (folder: string, encodings?: OtherEncodings): readonly EvalCount[] => {
  const files = existsSync(join(folder, "eval"))
    ? readdirSync(join(folder, "eval"))
        .filter((name) => name.endsWith(".json"))
        .sort()
    : [];
  return files.flatMap((file) => {
    const family = JSON.parse(readFileSync(join(folder, "eval", file), "utf8")) as Family;
    const dar = encodings === undefined ? family.dar : encodings.get(family.dar);
    return dar === undefined ? [] : [runFamily(folder, file.slice(0, -".json".length), { ...family, dar })];
  });
};

/** The package of the DAR that has the module of the cases: its id depends on the encoding. */
const packageOf = (packages: ReadonlyMap<PackageId, Package>, { cases }: Family): PackageId => {
  const module = cases[0]!.fn.split(":")[0]!;
  return [...packages.values()].find((each) => each.modules.has(module))!.id;
};

const runFamily = (folder: string, name: string, family: Family): EvalCount => {
  const { dar, cases } = family;
  const packages = readPackages(join(folder, "dars"), [{ dar, packageId: family.packageId }]);
  const packageId = packageOf(packages, family);
  const evaluator = new Evaluator(new PackageInterface(packageReader(packages)));
  const isDevelopment = packages.get(packageId)?.lfVersion === "2.dev";
  const differences: EvalDifference[] = [];
  let refused = 0;
  for (const each of cases) {
    const actual = evaluator.answer(packageId, each);
    const expected = comparable(each);
    if (isDevelopment && actual.error?.class === "Unsupported") refused += 1;
    else if (!isDeepStrictEqual(actual, expected))
      differences.push({ fn: each.fn, args: show(each.args), expected: show(expected), actual: show(actual) });
  }
  return { family: name, cases: cases.length, equal: cases.length - refused - differences.length, refused, differences };
};

const show = (json: unknown): string => JSON.stringify(json).slice(0, 400);

/** The compared part of an answer: message texts are for reading. */
const comparable = ({ value, exception, error }: Answer): Answer => {
  if (error !== undefined) {
    const quoted = error.detail === undefined || classOnly.test(error.class);
    return { error: quoted ? { class: error.class } : { class: error.class, detail: error.detail } };
  }
  return exception !== undefined ? { exception } : { value: value! };
};

export class Evaluator {
  readonly budget: Budget = { steps: 0, allocation: 0 };
  readonly compiled: CompiledPackages;
  readonly codec: EvalCodec;

  constructor(readonly packages: PackageInterface) {
    this.codec = new EvalCodec(packages);
    this.compiled = createCompiledPackages({
      packages,
      budget: this.budget,
      limits,
      onLedger: () => false,
      retype: () => assert(false, "evaluations do not upgrade") as never,
    });
  }

  /** A top-level value, or what it gives for arguments, typed as it is declared. */
  evaluate(packageId: PackageId, fn: string, args: readonly Json[]): { readonly type: Type; readonly value: Value } {
    this.budget.steps = limits.stepsMax;
    this.budget.allocation = limits.allocationMax;
    const [module, name] = fn.split(":") as [string, string];
    const id: DefinitionId = { packageId, module, name };
    let type = this.packages.value(id)!.type;
    const values = args.map((arg) => {
      const { param, result } = functionType(type)!;
      type = result;
      return this.codec.decode(param, arg);
    });
    const value = this.compiled.value(id);
    return { type, value: values.length === 0 ? value : applyMany(value as Fn, values) };
  }

  answer(packageId: PackageId, { fn, args }: Case): Answer {
    try {
      const { type, value } = this.evaluate(packageId, fn, args);
      return { value: this.codec.encode(type, value) };
    } catch (error) {
      if (error instanceof DamlException) return { exception: this.#showException(error.exception) };
      if (error instanceof FatalError) return comparable({ error: this.#showError(error) });
      throw error;
    }
  }

  /** Off the ledger, an exception from a message function takes the place of the first one. */
  #showException(exception: AnyValue): Json {
    const { type, value } = exception;
    let reported = exception;
    let errorMessage: string;
    try {
      errorMessage = this.compiled.exceptionMessage(exception);
    } catch (error) {
      if (!(error instanceof DamlException)) throw error;
      reported = error.exception;
      errorMessage = this.compiled.exceptionMessage(reported);
    }
    const asFailure = {
      class: "FailureStatus",
      errorId: `UNHANDLED_EXCEPTION/${showType(reported.type)}`,
      failureCategory: 9,
      errorMessage,
      metadata: [],
    };
    return { type: showType(type), payload: this.codec.encode(type, value), asFailure };
  }

  /** The recorded detail is the constructor with its arguments, or its bare name when it has none. */
  #showError({ error }: FatalError): Failure {
    assert(error.phase === "interpretation", `an interpretation error, not ${error.phase}`);
    if (error.class === "Internal") return { class: error.class };
    const isEmpty = Object.keys(error.detail).length === 0;
    return { class: error.class, detail: isEmpty ? error.class : ({ class: error.class, ...error.detail } as Json) };
  }
}
