/** The outcome of something that a user's input can make fail; bugs are thrown by `assert` instead. */
export type Result<T, E> = { readonly ok: T; readonly error?: undefined } | { readonly error: E; readonly ok?: undefined };

export const ok = <T>(value: T): { readonly ok: T } => ({ ok: value });
export const fail = <E>(error: E): { readonly error: E } => ({ error });
export const isFailure = <T, E>(result: Result<T, E>): result is { readonly error: E } => result.error !== undefined;
