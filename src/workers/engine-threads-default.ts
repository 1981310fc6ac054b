import { availableParallelism } from "node:os";
import { limits } from "../config.js";

/** How many threads the engine has where nobody says: one core is the main thread's. */
export const engineThreadsDefault = (): number => Math.min(limits.workersMax, Math.max(1, availableParallelism() - 1));
