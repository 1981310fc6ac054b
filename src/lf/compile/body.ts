/** One JavaScript function while it is emitted: its temporaries, its machine, and whether it loops. */
import type { Expr } from "../ast.js";
import type { CodeUnit } from "./code-unit.js";
import type { Definition, Mode } from "./definition.js";
import type { Scope } from "./environment.js";
import type { Linker } from "./linker.js";
import type { GrowingList, WaitingCalls } from "./loops.js";
import type { OrderFree } from "./order-free.js";

/** How parts of syntax become code, for the files that emit what those parts are in: they need not know who emits which. */
export interface Syntax {
  /** An expression. In mode `run` it is an update, which the code runs. */
  expression(body: Body, scope: Scope, expr: Expr, mode: Mode): string;
  /** Statements for an expression in tail position. */
  tail(body: Body, scope: Scope, expr: Expr, mode: Mode): string;
  /** An arrow function. */
  function(emission: Emission, outer: Scope, shape: FunctionShape): string;
}

export interface FunctionShape {
  /** LF variables that become parameters. */
  readonly params: readonly string[];
  readonly body: Expr;
  readonly mode: Mode;
  /** Given for the code of a definition. */
  readonly definition?: Definition;
}

/** What stays the same through a unit. */
export interface Emission {
  readonly syntax: Syntax;
  readonly unit: CodeUnit;
  readonly linker: Linker;
  readonly orderFree: OrderFree;
  /** What the unit compiles, when that is a definition: its text calls it `self`. */
  readonly self: { readonly definition: Definition; readonly mode: Mode } | undefined;
}

/** The definition whose function this is: a saturated call of it in tail position becomes the next iteration. */
export interface SelfCall {
  readonly definition: Definition;
  readonly mode: Mode;
  /** Parameters of the JavaScript function, copied into `locals` at the start of each iteration. */
  readonly parameters: readonly string[];
  readonly locals: readonly string[];
}

export class Body {
  readonly #temporaries: string[] = [];
  allocations = 0;
  loops = false;
  /** Set while its list grows from one iteration to the next. */
  list: GrowingList | undefined;
  /** Set while calls of the function itself are waited for in its loop. */
  waiting: WaitingCalls | undefined;

  constructor(
    readonly emission: Emission,
    readonly machine: string | undefined,
    readonly self: SelfCall | undefined,
  ) {}

  get unit(): CodeUnit {
    return this.emission.unit;
  }
  get linker(): Linker {
    return this.emission.linker;
  }

  /** Nested expressions, as part of this function. */
  emit(scope: Scope, expr: Expr, mode: Mode): string {
    return this.emission.syntax.expression(this, scope, expr, mode);
  }
  emitTail(scope: Scope, expr: Expr, mode: Mode): string {
    return this.emission.syntax.tail(this, scope, expr, mode);
  }
  /** A function inside of it. */
  emitFunction(scope: Scope, shape: FunctionShape): string {
    return this.emission.syntax.function(this.emission, scope, shape);
  }

  /** A variable of this function, or of one iteration of its loop: closures may keep it. */
  temporary(): string {
    const name = this.unit.fresh();
    this.#temporaries.push(name);
    return name;
  }

  /** Cells that the function may allocate in one go; over all branches, which is more than any path needs. */
  allocate(units: number): void {
    this.allocations += units;
  }

  /** Pays for the entry and declares the temporaries. */
  prologue(): string {
    const budget = this.unit.helper("budget");
    const spent = this.unit.helper("spent");
    const allocation = this.allocations === 0 ? "" : ` || (${budget}.allocation -= ${this.allocations}) < 0`;
    return `if (--${budget}.steps < 0${allocation}) ${spent}(${budget}); ${this.declarations()}`;
  }

  declarations(): string {
    return this.#temporaries.length === 0 ? "" : `let ${this.#temporaries.join(", ")};`;
  }
}
