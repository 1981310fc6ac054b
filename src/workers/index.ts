/** The engine on threads: implements the ledger's `Interpreter`. */
export { engineThreadsDefault } from "./engine-threads-default.js";
export { EnginePool, type EnginePoolOptions } from "./pool.js";
export type { ParticipantEngine } from "./participant-engine.js";
export type { FailedUpgrade } from "./messages.js";
export { builtInPackages } from "./built-in-packages.js";
export { usedDefinitionsFile } from "./used-definitions.js";
export { ThreadPool, type TaskFailure, type ThreadPoolOptions } from "./thread-pool.js";
