/**
 * Files of a small ledger, damaged at rest in every way there is: none is served wrongly. The program refuses to start, or stops by itself
 * when it meets the damage, says so in a sentence and by its exit code, and never answers 200 with anything but the truth. So does a node
 * in the process of somebody else, which meets most of the files of a long run.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { answerOf, damages, sampleLedger, writeDamaged, type SampleLedger } from "../../crash/damaged-ledger.js";
import { Client, tested } from "../../support/node-process.js";
import { drawFrom } from "../../support/random.js";
import type { Scenario } from "../scenario.js";
import { Embedding } from "./embedding.js";

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

/** How a program meets a damaged file. Whatever is no end that it should have is thrown. */
export interface Met {
  verify(folder: string): Promise<"sound" | "damaged">;
  /** `use` gets the port of a node that starts; it runs until that is done. */
  start(folder: string, use: (port: number) => Promise<void>): Promise<"refused" | "stopped" | "ran">;
}

const verifyEnds = { 0: "sound", 3: "damaged" } as const,
  startEnds = { 0: "ran", 3: "refused", 70: "stopped" } as const;

/** The end that a code stands for; who meets damage says so in a sentence. */
function endOf<T extends string>(what: string, { code, signal, output, hung }: End, ends: Readonly<Record<number, T>>): T {
  const end = hung || signal !== null ? undefined : ends[code!];
  assert.ok(end !== undefined, `${what} ${hung ? "hung" : `ended with ${signal ?? code}`}: ${output}`);
  assert.ok(code === 0 || /damaged/.test(output), `${what} ended with ${code} and no sentence: ${output}`);
  return end;
}

/** A process for each file, as a user starts it. */
const ownProcess: Met = {
  verify: async (folder) => endOf("verify", await runProgram(["verify", "--data", folder]), verifyEnds),
  start: async (folder, use) => endOf("start", await runProgram([...startDamaged, folder], use), startEnds),
};

type Verdict = "refused at start" | "stopped while it served" | "right answers";

/** How a program behaves with a damaged file; throws where it must not behave like that. */
async function judge(program: Met, { reads, answers }: SampleLedger, folder: string): Promise<Verdict> {
  const wrong: string[] = [];
  let answered = true;
  const verified = await program.verify(folder),
    ended = await program.start(folder, async (port) => {
      const client = new Client(port, 1);
      for (const [index, read] of reads.entries()) {
        const reply = await answerOf(client, read).catch(() => undefined);
        if (reply?.status === 200 && reply.text !== answers[index]) wrong.push(read.path);
        answered = reply?.status === 200;
        if (!answered) break;
      }
      client.close();
    });
  assert.deepEqual(wrong, [], "answers with 200 that are not the truth");
  // An engine thread that gets ready in the background may find what nobody asked for, behind the last answer.
  assert.ok(answered || ended !== "ran", "it did not answer, and ended as if nothing were wrong");
  assert.ok(verified === "damaged" || ended === "ran", `verify found nothing, the node was ${ended}`);
  return ended === "ran" ? "right answers" : ended === "refused" ? "refused at start" : "stopped while it served";
}

/** Every so many files are met by a process of their own; it takes seven times as long. */
const ownProcessEach = 10,
  fewFiles = 100;

export const damage: Scenario = {
  name: "damage",
  unit: "damaged files",
  sizes: { test: 14, ci: 60, night: 10_000 },
  holds: "a file with a wrong bit, page, meta page, old, exchanged or cut off page is never served wrongly",
  async run(play) {
    const root = mkdtempSync(join(tmpdir(), "ledgerline-damaged-")),
      source = join(root, "source");
    play.after(() => rmSync(root, { recursive: true, force: true }));
    const embedding = new Embedding();
    play.after(() => embedding.close());
    const sample = await sampleLedger(source),
      kinds = Object.keys(damages);
    await play.cases(
      async (seed, index) => {
        const kind = kinds[seed % kinds.length]!,
          folder = join(root, `seed-${seed}`);
        const isEmbedded = play.size > fewFiles && index % ownProcessEach !== 0;
        try {
          writeDamaged(source, folder, damages[kind]!(sample.versions, drawFrom(seed)));
          const meet = (program: Met): Promise<Verdict> => judge(program, sample, folder);
          play.count(await (isEmbedded ? embedding.lend(meet) : meet(ownProcess)));
          play.count(isEmbedded ? "embedded" : "processes");
        } catch (error) {
          (error as Error).message = `${kind}: ${(error as Error).message}`;
          throw error;
        }
        rmSync(folder, { recursive: true, force: true });
      },
      Math.min(play.size > fewFiles ? 4 : 2, availableParallelism() * 2),
    );
  },
};
