/** What a worker tells beside the answers to its tasks. */
import { parentPort } from "node:worker_threads";
import { Damage, onEnding } from "../base/damage.js";

/** Worth telling although its task went well: the main side logs it. */
export interface WorkerWarning {
  readonly warning: string;
}
/** Found in the store; the process hears of it. */
export interface WorkerEnding {
  readonly ending: { readonly isDamage: boolean; readonly place: string; readonly problem: string };
}

export const tellEnding = (): void => {
  onEnding((ending) => {
    const { place, problem } = ending;
    parentPort?.postMessage({ ending: { isDamage: ending instanceof Damage, place, problem } } satisfies WorkerEnding);
  });
};

export const warn = (warning: string): void => parentPort?.postMessage({ warning } satisfies WorkerWarning);
