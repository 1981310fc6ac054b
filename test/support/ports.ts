/** Ports for programs whose ports somebody else names. */
import { createServer } from "node:net";
import { localnetSites } from "../../src/localnet/index.js";

export const localnetPorts: readonly number[] = localnetSites(0).flatMap(({ ports, grpcPort }) => [...ports, grpcPort]);

/** Below those that systems give to whoever asks for any, beside other tests. */
const shiftMin = 8_000,
  shiftMax = 27_000;

/** Whether nobody listens there just now. */
function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** One that is free now: a node that comes back has to be found where it was. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });
}

/** By how much these ports are moved so that all of them are free. */
export async function freeShift(ports: readonly number[]): Promise<number> {
  for (;;) {
    const shift = shiftMin + Math.floor(Math.random() * (shiftMax - shiftMin));
    if ((await Promise.all(ports.map((port) => isFree(port + shift)))).every((each) => each)) return shift;
  }
}
