/**
 * Files of a small ledger, damaged at rest in every way there is: none is served wrongly. The program refuses to start, or stops by itself
 * when it meets the damage, says so in a sentence and by its exit code, and never answers 200 with anything but the truth.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { answerOf, damages, randomOf, sampleLedger, writeDamaged, type SampleLedger } from "../../crash/damaged-ledger.js";
import { Client, tested } from "../../support/node-process.js";
import type { Scenario } from "../scenario.js";

const endMs = 60_000;
export const startDamaged = ["start", "--port", "0", "--log-level", "error", "--workers", "1", "--data"];

export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly hung: boolean;
}

/** Runs the program; `whenReady` gets the port of a node that starts. */
export async function runProgram(args: readonly string[], whenReady?: (port: number) => Promise<void>): Promise<End> {
  const child = spawn(tested.file, [...tested.args, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "",
    hung = false,
    used: Promise<void> | undefined;
  const timer = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, endMs);
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    output += `${line}\n`;
    const port = /^Ledgerline is ready\. http:\/\/.*:(\d+)$/.exec(line)?.[1];
    if (port !== undefined) used = whenReady?.(Number(port)).finally(() => child.kill("SIGTERM"));
  });
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  await used;
  return { code, signal, output, hung };
}

type Verdict = "refused at start" | "stopped while it served" | "right answers";
const exitCodes: Readonly<Record<Verdict, number>> = { "refused at start": 3, "stopped while it served": 70, "right answers": 0 };

/** How the program behaves with a damaged file; throws where it must not behave like that. */
async function judge(sample: SampleLedger, source: string, folder: string, damaged: Buffer): Promise<Verdict> {
  const faults: string[] = [];
  let stopped = false;
  writeDamaged(source, folder, damaged);
  const verify = await runProgram(["verify", "--data", folder]);
  const node = await runProgram([...startDamaged, folder], async (port) => {
    const client = new Client(port, 1);
    for (const [index, read] of sample.reads.entries()) {
      const reply = await answerOf(client, read).catch(() => undefined);
      if (reply?.status === 200 && reply.text !== sample.answers[index]) faults.push(`wrong answer with 200: ${read.path}`);
      if (reply?.status !== 200) {
        stopped = true;
        break;
      }
    }
    client.close();
  });
  for (const [name, end] of [
    ["verify", verify],
    ["start", node],
  ] as const) {
    if (end.hung) faults.push(`${name} hung`);
    else if (end.signal !== null) faults.push(`${name} ended by ${end.signal}`);
    else if (end.code !== 0 && !/damaged/.test(end.output)) faults.push(`${name} ended with ${end.code} and no sentence: ${end.output}`);
  }
  // An engine thread that gets ready in the background may find what nobody asked for.
  const verdict = node.code === 3 ? "refused at start" : stopped || node.code === 70 ? "stopped while it served" : "right answers";
  if (node.code !== exitCodes[verdict]) faults.push(`${verdict}, but the exit code is ${node.code}: ${node.output}`);
  if (![0, 3].includes(verify.code!)) faults.push(`verify ended with ${verify.code}: ${verify.output}`);
  if (verify.code === 0 && verdict !== "right answers") faults.push("verify found nothing");
  assert.deepEqual(faults, []);
  return verdict;
}

export const damage: Scenario = {
  name: "damage",
  unit: "damaged files",
  sizes: { test: 14, ci: 60, night: 10_000 },
  holds: "a file with a wrong bit, page, meta page, old, exchanged or cut off page is never served wrongly",
  async run(play) {
    const root = mkdtempSync(join(tmpdir(), "ledgerline-damaged-")),
      source = join(root, "source");
    play.after(() => rmSync(root, { recursive: true, force: true }));
    const sample = await sampleLedger(source),
      kinds = Object.keys(damages);
    await play.cases(
      async (seed) => {
        const kind = kinds[seed % kinds.length]!,
          folder = join(root, `seed-${seed}`);
        try {
          play.count(await judge(sample, source, folder, damages[kind]!(sample.versions, randomOf(seed))));
        } catch (error) {
          (error as Error).message = `${kind}: ${(error as Error).message}`;
          throw error;
        }
        rmSync(folder, { recursive: true, force: true });
      },
      Math.min(2, availableParallelism()),
    );
  },
};
