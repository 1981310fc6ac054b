/** Somebody who behaves badly beside others, see `neighbour-thread.ts`. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

export type NeighbourName = "leavers" | "pipeliner" | "reader" | "uploader" | "callers" | "bytewise" | "resetters";

export interface NeighbourPlace {
  readonly port: number;
  readonly grpcPort: number;
  readonly party: string;
  /** Of the ledger. */
  readonly end: number;
  /** Of a body of which half is sent. */
  readonly bodyBytes: number;
  readonly leaversPerSecond: number;
  /** Requests that are sent on a connection at once. */
  readonly pipelined: number;
  readonly darBytes: number;
  /** Over gRPC at once; less pieces than who has not heard of any that was taken may send. */
  readonly calls: number;
  readonly pieces: number;
}

/** Has him there while `use` runs; gives what he did as well. */
export async function beside<R>(name: NeighbourName, place: NeighbourPlace, use: () => Promise<R>): Promise<readonly [R, string]> {
  const over = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    worker = new Worker(new URL("neighbour-thread.js", import.meta.url), { workerData: { name, place, over } });
  const told = async (): Promise<string> => ((await once(worker, "message")) as [{ readonly told: string }])[0].told;
  try {
    await told(); // that he is ready
    worker.postMessage("go");
    return await Promise.all([use().finally(() => Atomics.store(over, 0, 1)), told()]);
  } finally {
    await worker.terminate();
  }
}
