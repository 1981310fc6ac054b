/** Why a signal aborts: nobody waits for the answer any more. Not an error of ours when it comes back out of a handler. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

/** True for what a handler throws because its signal aborted: the reason itself, or what the platform wraps it in. */
export function isDeparture(error: unknown): boolean {
  return error instanceof ClientGone || (error instanceof Error && error.name === "AbortError" && error.cause instanceof ClientGone);
}
