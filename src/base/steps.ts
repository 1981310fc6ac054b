/** Work that stops here and there, so that whoever runs it may let others have their turn in between (`turns.ts`). */
export type Steps<T> = Generator<undefined, T, undefined>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
