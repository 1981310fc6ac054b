/** The engine on threads: implements the ledger's `Interpreter`. */
export { engineThreadsDefault } from "./engine-threads-default.js";
export { EnginePool, type EnginePoolOptions } from "./pool.js";
export { builtInPackages } from "./built-in-packages.js";
export { upgradeCheck } from "./upgrade-check.js";
export { usedDefinitionsFile } from "./used-definitions.js";
export { ThreadPool, type TaskFailure, type ThreadPoolOptions } from "./thread-pool.js";
