/** Work that stops here and there, so that whoever runs it may let others have their turn in between (`turns.ts`). */
export type Steps<T> = Generator<undefined, T, undefined>;

/** The same for as long as somebody wants it; a step behind that throws the reason of the signal. */
export function* whileWanted<T>(steps: Steps<T>, wanted: AbortSignal | undefined): Steps<T> {
  for (;;) {
    wanted?.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Of what may be done already, and is nothing iterable. */
export const isInSteps = <T extends object>(done: T | Steps<T>): done is Steps<T> => Symbol.iterator in done;
