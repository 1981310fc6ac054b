/**
 * Which part of its task a worker is at, in shared memory, because a worker that is stuck answers no question. The main
 * side can take back what the worker did not begin yet.
 */
import { elapsedMs } from "../base/clock.js";

export interface SharedProgress {
  readonly cells: Int32Array;
  /** Times are told relative to it, so that they fit a cell. */
  readonly beganAtMs: number;
}

/** `at`: the index of the part that runs, with a mark when those behind it were taken back. One cell, so that one side wins. */
const cell = { at: 0, beganMs: 1, isUsed: 2 } as const;
const cellCount = 3;
const takenBack = 1 << 30;

/** A task may wait for its worker: until it is begun, no part of it runs. */
const notBegun = -1;

export function newProgress(): SharedProgress {
  return begunAnew({ cells: new Int32Array(new SharedArrayBuffer(cellCount * Int32Array.BYTES_PER_ELEMENT)), beganAtMs: 0 });
}

/** For another task, after the last one ended. */
export function begunAnew({ cells }: SharedProgress): SharedProgress {
  cells[cell.at] = notBegun;
  cells[cell.beganMs] = notBegun;
  cells[cell.isUsed] = 0;
  return { cells, beganAtMs: elapsedMs() };
}

/** On the worker, before each part in its order: false when it was taken back. */
export function begin({ cells, beganAtMs }: SharedProgress, index: number): boolean {
  Atomics.store(cells, cell.beganMs, elapsedMs() - beganAtMs);
  return Atomics.compareExchange(cells, cell.at, index - 1, index) === index - 1;
}

/** On the worker: it ran something before, and may hold what that left. */
export const tellUsed = ({ cells }: SharedProgress): number => Atomics.store(cells, cell.isUsed, 1);
export const isUsed = ({ cells }: SharedProgress): boolean => Atomics.load(cells, cell.isUsed) === 1;

/** Undefined before the first part. */
export function runningIndex({ cells }: SharedProgress): number | undefined {
  const at = Atomics.load(cells, cell.at);
  return at === notBegun ? undefined : at & ~takenBack;
}

/** Everything behind the part with this index; false when the worker is not at that part. */
export const takeBack = ({ cells }: SharedProgress, index: number): boolean =>
  Atomics.compareExchange(cells, cell.at, index, index | takenBack) === index;

/** How long the running part has run. */
export function runningMs({ cells, beganAtMs }: SharedProgress): number {
  const beganMs = Atomics.load(cells, cell.beganMs);
  return beganMs === notBegun ? 0 : elapsedMs() - beganAtMs - beganMs;
}
