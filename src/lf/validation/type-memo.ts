/**
 * What was found out about types, which are shared and met again and again; kept while one package is checked. Plain
 * maps: weak ones make every garbage collection slower, and nothing here outlives the check.
 */
import type { DefTypeSyn, Type } from "../ast.js";
import type { Budget } from "./budget.js";

/** What is kept takes memory, which is dearer than a step. */
const entrySteps = 8;

class Memo<T> {
  readonly #known = new Map<Type, T>();
  readonly #budget: Budget;
  constructor(budget: Budget) {
    this.#budget = budget;
  }

  get(type: Type): T | undefined {
    return this.#known.get(type);
  }

  set(type: Type, found: T): T {
    this.#budget.spend(entrySteps);
    this.#known.set(type, found);
    return found;
  }
}

class TypeSet {
  readonly #known = new Set<Type>();
  readonly #budget: Budget;
  constructor(budget: Budget) {
    this.#budget = budget;
  }

  has(type: Type): boolean {
    return this.#known.has(type);
  }

  add(type: Type): void {
    this.#budget.spend(entrySteps);
    this.#known.add(type);
  }
}

export class TypeMemo {
  /** Closed types that are well-formed, which does not depend on the place: those of kind star that have parts. */
  readonly sound: TypeSet;
  readonly expansions: Memo<Type>;
  readonly freeVariables: Memo<ReadonlySet<string>>;
  /** Whether a synonym stands for a type of kind star, whatever its arguments. */
  readonly synonyms = new Map<DefTypeSyn, boolean>();
  readonly #singletons = new Map<string, ReadonlySet<string>>();

  constructor(readonly budget: Budget) {
    this.sound = new TypeSet(budget);
    this.expansions = new Memo(budget);
    this.freeVariables = new Memo(budget);
  }

  /** The free variables of a variable. */
  singleton(name: string): ReadonlySet<string> {
    let set = this.#singletons.get(name);
    if (set === undefined) this.#singletons.set(name, (set = new Set([name])));
    return set;
  }
}
