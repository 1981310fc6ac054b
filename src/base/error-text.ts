/** The text of what was thrown, which may be anything. */

/** For who looks for the bug: with where it was thrown, as far as that is known. */
export const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** For who is told what is wrong. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
