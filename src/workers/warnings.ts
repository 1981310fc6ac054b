/** What a worker finds worth telling although its task went well: the main side logs it. */
import { parentPort } from "node:worker_threads";

export interface WorkerWarning { readonly warning: string }

export const warn = (warning: string): void => parentPort?.postMessage({ warning } satisfies WorkerWarning);
