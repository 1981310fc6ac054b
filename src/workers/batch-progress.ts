/** Which submission of a batch a worker is at: in shared memory, because a worker that is stuck answers no question. */
export interface SharedProgress {
  readonly cells: Int32Array;
  /** Times are told relative to it, so that they fit a cell. */
  readonly beganAtMs: number;
}

const cell = { index: 0, beganMs: 1 } as const;

/** A batch may wait for its worker: until it is begun, no submission of it runs. */
const notBegun = -1;

export function newProgress(): SharedProgress {
  const cells = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  cells[cell.beganMs] = notBegun;
  return { cells, beganAtMs: Date.now() };
}

/** For another batch, after its last one ended. */
export function begunAnew({ cells }: SharedProgress): SharedProgress {
  cells[cell.index] = 0;
  cells[cell.beganMs] = notBegun;
  return { cells, beganAtMs: Date.now() };
}

/** On the worker, before each submission. */
export function advance({ cells, beganAtMs }: SharedProgress, index: number): void {
  Atomics.store(cells, cell.beganMs, Date.now() - beganAtMs);
  Atomics.store(cells, cell.index, index);
}

export const runningIndex = ({ cells }: SharedProgress): number => Atomics.load(cells, cell.index);

/** How long the running submission has run. */
export function runningMs({ cells, beganAtMs }: SharedProgress): number {
  const beganMs = Atomics.load(cells, cell.beganMs);
  return beganMs === notBegun ? 0 : Date.now() - beganAtMs - beganMs;
}
