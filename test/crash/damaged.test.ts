/** A ledger whose file was damaged at rest is not served: nobody gets less than there is, and the program says what is wrong where. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { Client, mainProgram } from "../support/node-process.js";
import { answerOf, damages, randomOf, sampleLedger, writeDamaged, type Read, type SampleLedger } from "./damaged-ledger.js";

/** `LEDGERLINE_DAMAGED=200 npm test -- damaged` is the long form; `LEDGERLINE_SEED` gives other places. */
const files = Number(process.env.LEDGERLINE_DAMAGED ?? 14), firstSeed = Number(process.env.LEDGERLINE_SEED ?? 1);
const endMs = 60_000, start = ["start", "--port", "0", "--log-level", "error", "--workers", "1", "--data"];

interface End { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly output: string; readonly hung: boolean }

/** Runs the program; `whenReady` gets the port of a node that starts. */
async function run(args: readonly string[], whenReady?: (port: number) => Promise<void>): Promise<End> {
  const child = spawn(process.execPath, [mainProgram, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "", hung = false, used: Promise<void> | undefined;
  const timer = setTimeout(() => { hung = true; child.kill("SIGKILL"); }, endMs);
  child.stderr.on("data", (chunk: Buffer) => { output += chunk.toString(); });
  createInterface({ input: child.stdout }).on("line", (line) => {
    output += `${line}\n`;
    const port = /^Ledgerline is ready\. http:\/\/.*:(\d+)$/.exec(line)?.[1];
    if (port !== undefined) used = whenReady?.(Number(port)).finally(() => child.kill("SIGTERM"));
  });
  const [code, signal] = await once(child, "close") as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  await used;
  return { code, signal, output, hung };
}

interface Judged { readonly verdict: Verdict; readonly verified: number | null; readonly faults: readonly string[] }
type Verdict = "refused at start" | "stopped while it served" | "right answers";

describe(`damage: of ${files} damaged files`, { timeout: 3_600_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), "ledgerline-damaged-"));
  const source = join(root, "source");
  let sample: SampleLedger;
  before(async () => { sample = await sampleLedger(source); });
  after(() => rmSync(root, { recursive: true, force: true }));

  /** What is wrong with how the program behaves, if anything. */
  async function judge(seed: number, kind: string): Promise<Judged> {
    const folder = join(root, `seed-${seed}`), faults: string[] = [];
    let stopped = false;
    writeDamaged(source, folder, damages[kind]!(sample.versions, randomOf(seed)));
    const verify = await run(["verify", "--data", folder]);
    const node = await run([...start, folder], async (port) => {
      const client = new Client(port, 1);
      for (const [index, read] of sample.reads.entries()) {
        const reply = await answerOf(client, read).catch(() => undefined);
        if (reply?.status === 200 && reply.text !== sample.answers[index]) faults.push(`wrong answer with 200: ${read.path}`);
        if (reply?.status !== 200) { stopped = true; break; }
      }
      client.close();
    });
    for (const [name, end] of [["verify", verify], ["start", node]] as const) {
      if (end.hung) faults.push(`${name} hung`);
      else if (end.signal !== null) faults.push(`${name} ended by ${end.signal}`);
      else if (end.code !== 0 && !/damaged/.test(end.output)) faults.push(`${name} ended with ${end.code} and no sentence: ${end.output}`);
    }
    // An engine thread that gets ready in the background may find what nobody asked for.
    const verdict = node.code === 3 ? "refused at start" : stopped || node.code === 70 ? "stopped while it served" : "right answers";
    const expected = { "refused at start": 3, "stopped while it served": 70, "right answers": 0 }[verdict];
    if (node.code !== expected) faults.push(`${verdict}, but the exit code is ${node.code}: ${node.output}`);
    if (![0, 3].includes(verify.code!)) faults.push(`verify ended with ${verify.code}: ${verify.output}`);
    if (verify.code === 0 && verdict !== "right answers") faults.push("verify found nothing");
    rmSync(folder, { recursive: true, force: true });
    return { verdict, verified: verify.code, faults };
  }

  it("neither pruning nor a backup touches one, and both say why", async () => {
    const folder = join(root, "half"), copy = join(root, "half-copy"), file = sample.versions.at(-1)!;
    writeDamaged(source, folder, Buffer.from(file.subarray(0, file.length >> 1)));
    for (const command of [["prune", "5", "--data", folder], ["backup", copy, "--data", folder]]) {
      const { code, output } = await run(command);
      assert.equal(code, 3, output);
      assert.match(output, /^\S+data\.mdb is damaged.*\.\n$/);
    }
    assert.deepEqual(readdirSync(root).filter((name) => name.startsWith("half-copy")), []);
  });

  it("an engine thread that is to use a damaged contract stops the node, which names the place", async () => {
    const withBlobs = ({ path, body }: Read): boolean => path.endsWith("/active-contracts") && JSON.stringify(body).includes(`Blob":true`);
    const active = sample.reads.findIndex(withBlobs);
    const event = JSON.parse(sample.answers[active]!)[0].contractEntry.JsActiveContract.createdEvent;
    const file = Buffer.from(sample.versions.at(-1)!), folder = join(root, "instance");
    const at = file.lastIndexOf(Buffer.from(event.createdEventBlob, "base64"));
    assert.ok(at > 0, "the contract is in the file");
    file[at + 40]! ^= 1;
    writeDamaged(source, folder, file);
    let answer: string | undefined;
    const { templateId, contractId, createArgument: { owner } } = event;
    const discard = { ExerciseCommand: { templateId, contractId, choice: "Discard", choiceArgument: {} } };
    const { code, output } = await run([...start, folder], async (port) => {
      const client = new Client(port, 1), command = { commands: [discard], commandId: "use", userId: "tester", actAs: [owner] };
      answer = (await client.post("/v2/commands/submit-and-wait", command).catch(() => undefined))?.text;
      client.close();
      await new Promise((resolve) => setTimeout(resolve, 100)); // it stops by itself
    });
    assert.equal(code, 70, `${answer}\n${output}`);
    assert.match(output, new RegExp(`damaged: table instances, offset ${event.offset}, nodeId ${event.nodeId}: `));
  });

  it("none gives a wrong answer, hangs or dies by a signal; all others end with a sentence and their exit code", async () => {
    const kinds = Object.keys(damages), counts = new Map<string, number>(), faults: string[] = [];
    const seeds = Array.from({ length: files }, (_, index) => firstSeed + index);
    await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const kind = kinds[seed % kinds.length]!, judged = await judge(seed, kind);
        const row = `${kind}: ${judged.verdict}, verify ${judged.verified}`;
        counts.set(row, (counts.get(row) ?? 0) + 1);
        for (const fault of judged.faults) faults.push(`seed ${seed}, ${kind}: ${fault}`);
      }
    }));
    console.log([...counts].sort().map(([row, count]) => `${count} ${row}`).join("\n"));
    assert.deepEqual(faults, []);
  });
});
