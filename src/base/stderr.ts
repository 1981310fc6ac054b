/**
 * That stderr cannot be written to, as on a full disk, ends no process that does so: there is nobody else to tell. Node.js's console minds
 * that, but not beside threads: what those write there is piped, and a pipe throws what its target fails with where nobody else listens.
 */
const ignored = (): void => undefined;
let users = 0;

/** Until it is called. */
export function outliveStderr(): () => void {
  if (users++ === 0) process.stderr.on("error", ignored);
  return () => {
    if (--users === 0) process.stderr.off("error", ignored);
  };
}
