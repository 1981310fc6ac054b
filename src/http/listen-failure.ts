/** Why a port cannot be listened on, in words for who starts a node. */
import { createServer } from "node:net";

const words: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EADDRNOTAVAIL: "the address is not one of this machine",
  EACCES: "the system does not allow this user that port, which is below 1024",
  ENOTFOUND: "the name of the host is not known",
  EAI_AGAIN: "the name of the host cannot be looked up",
};
const noDescriptors = "no more files can be opened by this process (ulimit -n), or on this machine",
  ofAnyPlace: Readonly<Record<string, string>> = { EMFILE: noDescriptors, ENFILE: noDescriptors };

/** Of all that a transport may fail for, what has to do with listening. */
export class CannotListen extends Error {
  /** Whether another port or host may be the remedy. */
  readonly isOfPlace: boolean;

  /** `error`: undefined where nobody told it. */
  constructor(host: string, port: number, error: NodeJS.ErrnoException | undefined) {
    const code = error?.code ?? "",
      why = error === undefined ? "the port was in use, or the address is not one of this machine" : (words[code] ?? ofAnyPlace[code]);
    super(`Cannot listen on ${host}:${port}: ${why ?? error?.message}.`);
    this.isOfPlace = !(code in ofAnyPlace);
  }
}

/** What keeps Node.js itself from listening there, for those who are not told: undefined where nothing does any more. */
export function listenFailure(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
      .once("error", resolve)
      .listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
