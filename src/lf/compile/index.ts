/** The compiler's face. */
import type { CompiledPackages } from "../runtime/machine.js";
import { type CompileOptions, Packages } from "./compiled-packages.js";

export type { CompileLimits, CompileOptions } from "./compiled-packages.js";
export type { Retype } from "../runtime/interface.js";

/** One per worker, over all its packages. */
export const createCompiledPackages = (options: CompileOptions): CompiledPackages => new Packages(options);
