import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Ceiling {
  readonly port: number;
  stop(): Promise<void>;
}

interface Puts {
  readonly puts: number;
  readonly bytes: number;
}
export interface CeilingWork {
  readonly create: Puts;
  readonly exercise: Puts;
  readonly elements: number;
  readonly elementBytes: number;
}

/** Eight puts, whatever ours needs, with as many bytes in all as a command of one party writes (`store/tables.ts`). */
export const commandPuts = { create: { puts: 8, bytes: 371 }, exercise: { puts: 8, bytes: 254 } };

/** Starts the ceiling server with the same work per request as measured on our side. */
async function startCeiling(work: CeilingWork): Promise<Ceiling> {
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(new URL("./ceiling-server.js", import.meta.url)),
      ...[work.create.puts, work.create.bytes, work.exercise.puts, work.exercise.bytes, work.elements, work.elementBytes].map(String),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const port = await Promise.race([
    once(child.stdout, "data").then(([line]) => Number((line as Buffer).toString())),
    once(child, "exit").then(([code]) => {
      throw new Error(`the ceiling server exited with ${String(code)}`);
    }),
  ]);
  return {
    port,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** It is gone afterwards, whatever happens. */
export async function withCeiling<R>(work: CeilingWork, use: (ceiling: Ceiling) => Promise<R>): Promise<R> {
  const ceiling = await startCeiling(work);
  try {
    return await use(ceiling);
  } finally {
    await ceiling.stop();
  }
}
