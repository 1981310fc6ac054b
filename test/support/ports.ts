/** Ports for programs whose ports somebody else names. */
import { createServer } from "node:net";
import { localnetSites } from "../../src/localnet/index.js";

export const localnetPorts: readonly number[] = localnetSites(0).flatMap(({ ports }) => ports);

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

/** By how much these ports are moved so that all of them are free. */
export async function freeShift(ports: readonly number[]): Promise<number> {
  for (;;) {
    const shift = shiftMin + Math.floor(Math.random() * (shiftMax - shiftMin));
    if ((await Promise.all(ports.map((port) => isFree(port + shift)))).every((each) => each)) return shift;
  }
}
