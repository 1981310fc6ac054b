/** What a worker tells beside the answers to its tasks. */
import { parentPort, threadId } from "node:worker_threads";
import { Damage, onEnding } from "../base/damage.js";

/** Worth telling although its task went well: the main side logs it. */
export interface WorkerWarning {
  readonly warning: string;
}
/** Found in the store; the process hears of it. */
export interface WorkerEnding {
  readonly ending: { readonly isDamage: boolean; readonly place: string; readonly problem: string };
}
/** The id of a thread that begins with tasks as soon as they come. */
export interface WorkerLoaded {
  readonly loaded: number;
}
export type WorkerMessage = WorkerWarning | WorkerEnding | WorkerLoaded;

export const tellEnding = (): void => {
  onEnding((ending) => {
    const { place, problem } = ending;
    parentPort?.postMessage({ ending: { isDamage: ending instanceof Damage, place, problem } } satisfies WorkerEnding);
  });
};

export const tellLoaded = (): void => parentPort?.postMessage({ loaded: threadId } satisfies WorkerLoaded);

export const warn = (warning: string): void => parentPort?.postMessage({ warning } satisfies WorkerWarning);
