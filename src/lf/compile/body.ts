/** One JavaScript function while it is emitted: its temporaries, its machine, and whether it loops. */
import type { CodeUnit } from "./code-unit.js";
import type { Definition, Mode } from "./definition.js";
import type { GrowingList } from "./growing-list.js";
import type { Linker } from "./linker.js";
import type { OrderFree } from "./order-free.js";
import type { WaitingCalls } from "./waiting-call.js";

/** What stays the same through a unit. */
export interface Emission {
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

  constructor(readonly emission: Emission, readonly machine: string | undefined, readonly self: SelfCall | undefined) {}

  get unit(): CodeUnit { return this.emission.unit; }
  get linker(): Linker { return this.emission.linker; }

  /** A variable of this function, or of one iteration of its loop: closures may keep it. */
  temporary(): string {
    const name = this.unit.fresh();
    this.#temporaries.push(name);
    return name;
  }

  /** Cells that the function may allocate in one go; over all branches, which is more than any path needs. */
  allocate(units: number): void { this.allocations += units; }

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
