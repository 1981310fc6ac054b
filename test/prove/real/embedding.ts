/** Processes that embed the node and meet one damaged file after the other: starting a process for each takes longer than the meeting. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { embeddedFace } from "../../support/node-process.js";
import type { Met } from "./damage.js";

/** What is asked of the embedding process, and what it answers; one at a time. */
export type Asked = { readonly kind: "verify" | "start"; readonly folder: string } | { readonly kind: "stop" };
export type Told =
  | { readonly kind: "verified"; readonly sound: boolean }
  | { readonly kind: "started"; readonly port: number }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "stopped"; readonly said: string };

const answerMsMax = 60_000;

class Host implements Met {
  readonly #child: ChildProcess;
  #said = "";

  constructor() {
    this.#child = fork(fileURLToPath(new URL("embedding-host.js", import.meta.url)), [embeddedFace], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.stderr!.on("data", (chunk: Buffer) => (this.#said += chunk.toString()));
  }

  async verify(folder: string): Promise<"sound" | "damaged"> {
    const told = await this.#ask({ kind: "verify", folder });
    if (told.kind !== "verified") throw new Error(`verify: ${JSON.stringify(told)}`);
    return told.sound ? "sound" : "damaged";
  }

  async start(folder: string, use: (port: number) => Promise<void>): Promise<"refused" | "stopped" | "ran"> {
    const told = await this.#ask({ kind: "start", folder });
    if (told.kind === "refused" && /damaged/.test(told.message)) return "refused";
    if (told.kind !== "started") throw new Error(`start: ${JSON.stringify(told)}`);
    await use(told.port);
    const stopped = await this.#ask({ kind: "stop" });
    if (stopped.kind === "stopped" && stopped.said === "") return "ran";
    if (stopped.kind === "stopped" && /^A ledger of this process is damaged: .*\. The node stops\.$/m.test(stopped.said)) return "stopped";
    throw new Error(`stop: ${JSON.stringify(stopped)}`);
  }

  /** A process that ends by its own, or says nothing, met the file wrongly. */
  async #ask(asked: Asked): Promise<Told> {
    const wait = new AbortController(),
      { signal } = wait,
      child = this.#child;
    const timer = setTimeout(() => child.kill("SIGKILL"), answerMsMax);
    child.send(asked);
    try {
      return await Promise.race([
        once(child, "message", { signal }).then(([told]) => told as Told),
        once(child, "close", { signal }).then(([code, by]) => {
          throw new Error(`the process ended with ${by ?? code} when it was asked to ${asked.kind}: ${this.#said}`);
        }),
      ]);
    } finally {
      clearTimeout(timer);
      wait.abort();
    }
  }

  end(): void {
    this.#child.kill("SIGTERM");
  }
}

/** As many processes as are used at once. */
export class Embedding {
  readonly #free: Host[] = [];

  async lend<T>(use: (program: Met) => Promise<T>): Promise<T> {
    const host = this.#free.pop() ?? new Host();
    try {
      const result = await use(host);
      this.#free.push(host);
      return result;
    } catch (error) {
      host.end(); // nobody knows what is left in it
      throw error;
    }
  }

  close(): void {
    for (const host of this.#free.splice(0)) host.end();
  }
}
