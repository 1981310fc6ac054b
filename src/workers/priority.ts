import { constants, getPriority, setPriority } from "node:os";
import { warn } from "./warnings.js";

/**
 * The calling thread gives way to the others of the process where processors are short. Only Linux has priorities of threads (nice, see
 * setpriority(2): there 0 is the thread that asks); and who is not root cannot take it back, so it holds for as long as the thread lives.
 */
export function giveWay(by: number): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, Math.min(getPriority(0) + by, constants.priority.PRIORITY_LOW));
  } catch (error) {
    warn(`a thread keeps its priority: ${(error as Error).message}`);
  }
}
