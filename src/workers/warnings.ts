/** What a worker tells beside the answers to its tasks. */
import { parentPort } from "node:worker_threads";
import { onDamage } from "../base/damage.js";

/** Worth telling although its task went well: the main side logs it. */
export interface WorkerWarning {
  readonly warning: string;
}
/** Found in the store; the process hears of it. */
export interface WorkerDamage {
  readonly damage: { readonly place: string; readonly problem: string };
}

export const tellDamage = (): void => {
  onDamage(({ place, problem }) => parentPort?.postMessage({ damage: { place, problem } } satisfies WorkerDamage));
};

export const warn = (warning: string): void => parentPort?.postMessage({ warning } satisfies WorkerWarning);
