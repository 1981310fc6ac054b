import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import http from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { environmentOfPrograms, text } from "./knobs.js";

/** The program of the build that these tests belong to. */
export const mainProgram = fileURLToPath(new URL("../../src/main.js", import.meta.url));

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/** The same as users have it, which starts in half the time; it is made after the build, or is of another one. */
const bundledProgram = fileURLToPath(new URL("../../bundle/main.js", import.meta.url)),
  buildInfo = fileURLToPath(new URL("../../.tsbuildinfo", import.meta.url));
const isBundled = existsSync(bundledProgram) && existsSync(buildInfo) && statSync(bundledProgram).mtimeMs > statSync(buildInfo).mtimeMs;

/** What who embeds the node imports, of this build. */
export const embeddedFace = fileURLToPath(
  new URL(isBundled ? "../../bundle/index.js" : "../../src/packaging/in-process.js", import.meta.url),
);

const namedProgram = text("LEDGERLINE_PROGRAM");
/** As `npm start` has it: as many of V8's helpers as there are cores beside one, so that its collections leave time for commands. */
export const nodeFlag = "--v8-pool-size=0";

/**
 * What the tests of processes run: this build in this Node.js, bundled where it is, or the program that LEDGERLINE_PROGRAM names, a
 * single executable say. That gets nothing of what Node.js itself takes.
 */
export const tested: Program =
  namedProgram === undefined
    ? { file: process.execPath, args: [nodeFlag, isBundled ? bundledProgram : mainProgram] }
    : { file: namedProgram, args: [] };

/** A running node in a process of its own, as a user starts it. */
export interface NodeProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly stderr: () => string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** What a node holds of its own, files that are mapped aside. */
export const memoryMb = ({ child }: NodeProcess): number =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1_024;

/** Modules are taken by builds alone. */
function programOf(preloaded: URL | undefined, program: string | undefined): Program {
  if (preloaded === undefined && program === undefined) return tested;
  const module = preloaded === undefined ? [] : ["--import", preloaded.href];
  return { file: process.execPath, args: [nodeFlag, ...module, program ?? mainProgram] };
}

/** `preloaded`: a module that the process loads first; it may talk to the test over `process.send`. `program`: of another build. */
export async function startNodeProcess(args: readonly string[], preloaded?: URL, program?: string): Promise<NodeProcess> {
  const port = args.includes("--localnet") || args.includes("--port") ? [] : ["--port", "0"]; // LocalNet has its own
  const { file, args: before } = programOf(preloaded, program);
  const command = [
    ...before,
    "start",
    ...port,
    ...(args.includes("--log-level") || args.includes("--config") ? [] : ["--log-level", "warn"]),
    ...args,
  ];
  const child = spawn(file, command, {
    env: environmentOfPrograms(),
    stdio: ["ignore", "pipe", "pipe", ...(preloaded === undefined ? [] : ["ipc" as const])],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, "close"); // by then all that it wrote has been read, too
  const listensAt = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", (line) => {
      const match = /^Ledgerline is ready\. https?:\/\/.*:(\d+)$/.exec(line);
      if (match) resolve(Number(match[1]));
      else reject(new Error(`unexpected first line: ${line}`));
    });
    void exited.then(([code]) => reject(new Error(`exited with ${code} before it was ready: ${stderr}`)));
  });
  return {
    child,
    port: listensAt,
    stderr: () => stderr,
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await exited;
      return code as number | null;
    },
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  json(): any;
}

/**
 * A connection that was idle for so long is let go, as by the agent that Node.js has itself. One without a time heeds no server's (Node.js
 * 20), and meets what the server closes just then.
 */
const idleMsMax = 5_000;

/** One keep-alive client of a node. */
export class Client {
  readonly #agent: http.Agent;
  constructor(
    readonly port: number,
    connections = 8,
  ) {
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: connections, timeout: idleMsMax });
  }

  get(path: string): Promise<Reply> {
    return this.request("GET", path);
  }
  post(path: string, body: unknown): Promise<Reply> {
    return this.request("POST", path, body);
  }

  request(method: string, path: string, body?: unknown, extraHeaders: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const payload =
      body === undefined
        ? undefined
        : body instanceof Uint8Array
          ? body
          : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const headers: http.OutgoingHttpHeaders = {
        ...extraHeaders,
        ...(payload && {
          "content-type": body instanceof Uint8Array ? "application/octet-stream" : "application/json",
          "content-length": payload.length,
        }),
      };
      const request = http.request({ host: "127.0.0.1", port: this.port, method, path, agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          resolve({ status: response.statusCode!, headers: response.headers, text, bytes, json: () => JSON.parse(text) });
        });
      });
      request.on("error", reject);
      request.end(payload);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
