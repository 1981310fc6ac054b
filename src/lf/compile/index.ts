/** The compiler's face. */
import type { DefinitionId } from "../ast.js";
import type { CompiledPackages } from "../runtime/index.js";
import { type CompileOptions, Packages } from "./compiled-packages.js";
import type { Mode } from "./definition.js";

export type { CompiledDefinition, CompileLimits, CompileOptions } from "./compiled-packages.js";
export type { Retype } from "../runtime/index.js";

export type { Mode as CompiledMode } from "./definition.js";

/** Compiles a definition when something comes to it, or before that. */
export interface LazyPackages extends CompiledPackages {
  prepare(id: DefinitionId, mode: Mode): boolean;
  /** The values of all constants: who needs one computes it again. Not while anything runs. */
  forgetConstants(): void;
}

/** One per worker, over all its packages. */
export const createCompiledPackages = (options: CompileOptions): LazyPackages => new Packages(options);
