/**
 * Plays the 832 recorded requests against a running node and holds its answers against the reference's. Ids, offsets, times
 * and prose are the comparator's business; what differs otherwise is listed with its reason, and nothing else may.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { startNodeProcess } from "../support/node-process.js";
import { repositoryRoot } from "../support/paths.js";
import { exceptions, packagesOfTheReference, type Exception } from "./recorded-exceptions.js";

const golden = join(repositoryRoot(), "../shared/golden/canton");
const skip = !existsSync(golden) ? "the recorded answers are not beside the repository"
  : process.env.LEDGERLINE_RECORDED !== "1" ? "takes a minute and an otherwise quiet machine: LEDGERLINE_RECORDED=1 npm test -- recorded-answers" : false;

interface Difference { readonly name: string; readonly diff: readonly (readonly [path: string, expected: unknown, actual: unknown])[] }

/** The recorder takes `ws` from the folder it runs in. */
async function runScript(script: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [join(golden, script), ...args], { cwd: repositoryRoot(), env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => { output += chunk.toString(); });
  await once(child, "close");
  return output;
}

async function record(folder: string): Promise<number> {
  const node = await startNodeProcess(["--memory"]);
  try {
    const output = await runScript("record.mjs", [], { JSON_PORT: String(node.port), OUT: folder });
    assert.match(output, /recorded 832/);
    return node.port;
  } finally {
    await node.stop();
  }
}

const recordedPort = 6864;

interface NamedParty { readonly party: string }
const partyLists = /^\d+-party-list/;
/** Lists of parties are sorted by name, and the node's own party has ours. */
const sortedParties = (list: readonly NamedParty[]): readonly NamedParty[] => [...list].sort((left, right) => (left.party < right.party ? -1 : 1));

/** The recorded answers without the reference's own packages, and with our port and the name of our node. */
function expectedAnswers(folder: string, port: number): void {
  const transcript = join(golden, "transcript");
  const own = new Set(packagesOfTheReference);
  const isForeign = (item: unknown): boolean => own.has(item as string) || own.has((item as { readonly packageId?: string } | null)?.packageId ?? "");
  for (const file of readdirSync(transcript)) {
    const text = readFileSync(join(transcript, file), "utf8").replaceAll(`127.0.0.1:${recordedPort}`, `127.0.0.1:${port}`).replaceAll("sandbox::1220", "ledgerline::1220");
    const kept = (key: string, value: unknown): unknown => {
      if (!Array.isArray(value)) return value;
      return key === "partyDetails" && partyLists.test(file) ? sortedParties(value as NamedParty[]) : value.filter((item) => !isForeign(item));
    };
    writeFileSync(join(folder, file), file.endsWith(".json") ? JSON.stringify(JSON.parse(text, kept)) : text);
  }
}

let differences: readonly Difference[] = [];
/** The comparator's own counts: all and groups, each as equal to the letter / equal where programs look / all. */
let counts: readonly string[] = [];

before(async () => {
  if (skip !== false) return;
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-recorded-"));
  try {
    const [expected, actual, report] = [join(folder, "expected"), join(folder, "actual"), join(folder, "report.json")];
    mkdirSync(expected);
    expectedAnswers(expected, await record(actual));
    counts = (await runScript("compare.mjs", [expected, actual, "--json", report], {})).trimEnd().split("\n").slice(-2);
    differences = JSON.parse(readFileSync(report, "utf8")) as Difference[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const excuses = (exception: Exception, name: string, path: string): boolean => exception.requests.test(name) && exception.path.test(path);

test("recorded answers: ours are the reference's, but for what is listed with a reason", { skip }, (context) => {
  for (const line of counts) context.diagnostic(line);
  const shown = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 200);
  const unexplained = differences.flatMap(({ name, diff }) =>
    diff.filter(([path]) => !exceptions.some((exception) => excuses(exception, name, path)))
      .map(([path, expected, actual]) => `${name} ${path}: recorded ${shown(expected)}, ours ${shown(actual)}`));
  assert.deepEqual(unexplained, []);
});

test("recorded answers: every exception is still needed", { skip }, () => {
  const unused = exceptions.filter((exception) => !exception.byChance && !differences.some(({ name, diff }) => diff.some(([path]) => excuses(exception, name, path))));
  assert.deepEqual(unused.map(({ why }) => why), []);
});
