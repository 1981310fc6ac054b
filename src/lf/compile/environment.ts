/** LF variables in scope and the JavaScript that reads them. */
import { assert } from "../../base/assert.js";

export interface Local {
  readonly code: string;
  /** Set when the variable is bound to a function of known arity. */
  readonly arity?: number;
  /** Set when the variable is the payload of a variant that may hold its fields itself, see `payload.ts`. */
  readonly variant?: string;
}

export class Environment {
  private constructor(
    readonly parent: Environment | undefined,
    readonly name: string,
    readonly local: Local,
  ) {}

  static readonly empty: Environment | undefined = undefined;

  static bind(parent: Environment | undefined, name: string, local: Local): Environment {
    return new Environment(parent, name, local);
  }

  /** The names in scope. */
  static visible(environment: Environment | undefined): ReadonlySet<string> {
    const names = new Set<string>();
    for (let scope = environment; scope !== undefined; scope = scope.parent) names.add(scope.name);
    return names;
  }

  static lookup(environment: Environment | undefined, name: string): Local {
    for (let scope = environment; scope !== undefined; scope = scope.parent) if (scope.name === name) return scope.local;
    assert(false, `the variable ${name} is not in scope`);
  }
}

export type Scope = Environment | undefined;
