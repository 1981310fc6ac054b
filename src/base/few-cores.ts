import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";

/**
 * V8 has helper threads collect young objects beside the thread that made them, and that one waits for them: where the node's own threads
 * have all cores, it is sooner done alone. It holds for the whole process, so it has to be the node's.
 */
export function collectAloneOnFewCores(coresMax: number): void {
  if (availableParallelism() <= coresMax) setFlagsFromString("--no-parallel-scavenge");
}
