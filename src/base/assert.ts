/** A broken assumption of ours: never a user's mistake, always a bug that must be loud. */
export class AssertionFailure extends Error {
  override readonly name = "AssertionFailure";
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailure(message);
}

/** Closes an exhaustive switch: a new member of the union makes every such place a compile error. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable: ${String(value)}`);
}
