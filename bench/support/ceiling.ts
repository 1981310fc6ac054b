import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Ceiling { readonly port: number; stop(): Promise<void> }

/** Starts the ceiling server with the same work per request as measured on our side. */
export async function startCeiling(work: { readonly puts: number; readonly putBytes: number; readonly elements: number; readonly elementBytes: number }): Promise<Ceiling> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("./ceiling-server.js", import.meta.url)), ...[work.puts, work.putBytes, work.elements, work.elementBytes].map(String)], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await Promise.race([
    once(child.stdout, "data").then(([line]) => Number((line as Buffer).toString())),
    once(child, "exit").then(([code]) => { throw new Error(`the ceiling server exited with ${String(code)}`); }),
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
