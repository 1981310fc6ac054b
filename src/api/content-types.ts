/** Headers that tell what a body is. One object each, so that those who write them look at it once. */
export const jsonHeaders = { "content-type": "application/json" } as const;
export const textHeaders = { "content-type": "text/plain; charset=UTF-8" } as const;
