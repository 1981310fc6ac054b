/** A top-level value: a cell that compiled code refers to, filled at first use. */
import { type DefinitionId, showId } from "../ast.js";
import { fatal } from "../errors.js";
import { type Fn, withArity } from "../runtime/index.js";
import type { FunctionValue, Value } from "../value/index.js";

/**
 * How a definition or lambda is entered. `value` computes the expression; `run` also runs the update that it is, on the
 * machine given as last argument, without building it first.
 */
export type Mode = "value" | "run";

export interface DefinitionCompiler {
  compile(definition: Definition, mode: Mode): FunctionValue;
}

export class Definition {
  /** The value of a constant (arity 0) once computed; the function once it was used as a value. */
  v: Value | undefined;
  /** The code, by mode: stubs that compile at the first call. Arity 0: `f` computes the constant. */
  f: FunctionValue;
  r: FunctionValue;
  readonly #compiler: DefinitionCompiler;
  #isCompiled = false;
  #runs: FunctionValue | undefined;
  #isEvaluating = false;

  constructor(
    readonly id: DefinitionId,
    readonly arity: number,
    compiler: DefinitionCompiler,
  ) {
    this.#compiler = compiler;
    this.f = (...args: Value[]) => this.#code()(...args);
    this.r = (...args: Value[]) => (this.r = this.#runCode())(...args);
  }

  /** Compiles what the first call would. */
  prepare(mode: Mode): void {
    if (mode === "value") this.#code();
    else if (!this.#runs) this.r = this.#runCode();
  }

  /** The slow path of reading the definition as a value. */
  force(): Value {
    this.v = this.arity === 0 ? this.#evaluate() : withArity(this.arity, this.#code() as Fn);
    return this.v;
  }

  #runCode(): FunctionValue {
    return (this.#runs ??= this.#compiler.compile(this, "run"));
  }

  #code(): FunctionValue {
    if (!this.#isCompiled) {
      this.f = this.#compiler.compile(this, "value");
      this.#isCompiled = true;
    }
    return this.f;
  }

  /** The value of a constant is computed again when it is needed; between runs. */
  forget(): void {
    if (this.arity === 0) this.v = undefined;
  }

  /** A constant that fails is computed again at its next use, and fails again. */
  #evaluate(): Value {
    const name = showId(this.id);
    if (this.#isEvaluating)
      throw fatal("LimitExceeded", `The value ${name} is defined by itself.`, { limit: "stepsMax", definition: name });
    this.#isEvaluating = true;
    try {
      return this.#code()() as Value;
    } finally {
      this.#isEvaluating = false;
    }
  }
}
