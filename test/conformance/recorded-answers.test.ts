/**
 * Plays the 832 recorded requests against a running node and holds its answers against the reference's. Ids, times and prose
 * are the comparator's business, offsets those of `offset-alignment.ts`; what differs otherwise is listed with its reason,
 * and nothing else may. LEDGERLINE_RECORDED_KEEP names a folder for both transcripts, LEDGERLINE_RECORDED=0 leaves all out.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { before, test } from "node:test";
import { startNodeProcess } from "../support/node-process.js";
import { repositoryRoot } from "../support/paths.js";
import { OffsetAlignment, readTranscript, type RecordedExchange } from "./offset-alignment.js";
import { exceptions, packagesOfTheReference, type Exception } from "./recorded-exceptions.js";
import { text } from "../support/knobs.js";
import { temporaryFolder } from "../support/folders.js";

const golden = join(repositoryRoot(), "../shared/golden/canton");
const skip = !existsSync(golden)
  ? "the recorded answers are not beside the repository"
  : text("LEDGERLINE_RECORDED") === "0"
    ? "switched off by LEDGERLINE_RECORDED=0"
    : false;

interface Difference {
  readonly name: string;
  readonly diff: readonly (readonly [path: string, expected: unknown, actual: unknown])[];
}

const transcript = join(golden, "transcript");

/** The recorder takes `ws` from the folder it runs in. */
async function runScript(script: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: repositoryRoot(),
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  await once(child, "close");
  return output;
}

/**
 * The recorder as it is, but that it asks for the transactions that the reference was asked for, and sends the question mark
 * that the reference makes of half a surrogate pair, which we refuse: what is changed is found or the test fails.
 */
function recorderWithAlignedOffsets(folder: string): string {
  const changes: readonly (readonly [string, string])[] = [
    [
      `const OUT = `,
      `import { OffsetAlignment, readTranscript } from ${JSON.stringify(join(dirname(fileURLToPath(import.meta.url)), "offset-alignment.js"))};\nconst alignment = new OffsetAlignment(readTranscript(${JSON.stringify(transcript)}));\nconst OUT = `,
    ],
    [`  names.add(name);\n`, `  names.add(name);\n  alignment.learn({ name, ...o });\n`],
    [`  const t0 = performance.now();\n  let r;\n`, `  const t0 = performance.now();\n  let r;\n  body = alignment.aligned(name, body);\n`],
    [String.raw`{}, "\ud800"],`, `{}, "?"],`],
    [`    const frames = [];\n`, `    const frames = [];\n    msgs = alignment.aligned("ws-" + name, msgs);\n`],
  ];
  let text = readFileSync(join(golden, "record.mjs"), "utf8");
  for (const [before, after] of changes) {
    assert.equal(text.split(before).length, 2, `the recorder has this once: ${before}`);
    text = text.replace(before, () => after);
  }
  for (const beside of ["lib.mjs", "models"]) symlinkSync(join(golden, beside), join(folder, beside));
  const recorder = join(folder, "record.mjs");
  writeFileSync(recorder, text);
  return recorder;
}

async function record(folder: string, recorder: string): Promise<number> {
  const node = await startNodeProcess(["--memory", "--participant-name", "sandbox"]);
  try {
    const run = readFileSync(join(transcript, "RUN"), "utf8").trim();
    const output = await runScript(recorder, [], { JSON_PORT: String(node.port), OUT: folder, RUN: run });
    assert.match(output, /recorded 832/);
    return node.port;
  } finally {
    await node.stop();
  }
}

const recordedPort = 6864;

interface NamedParty {
  readonly party: string;
}
const partyLists = /^\d+-party-list/;
/** Lists of parties are sorted by name; the node's own has another key behind it. */
const sortedParties = (list: readonly NamedParty[]): readonly NamedParty[] =>
  [...list].sort((left, right) => (left.party < right.party ? -1 : 1));

/** The recorded answers without the reference's own packages, and with our port. */
function expectedAnswers(folder: string, port: number): void {
  const own = new Set(packagesOfTheReference);
  const isForeign = (item: unknown): boolean =>
    own.has(item as string) || own.has((item as { readonly packageId?: string } | null)?.packageId ?? "");
  for (const file of readdirSync(transcript)) {
    const text = readFileSync(join(transcript, file), "utf8").replaceAll(`127.0.0.1:${recordedPort}`, `127.0.0.1:${port}`);
    const kept = (key: string, value: unknown): unknown => {
      if (!Array.isArray(value)) return value;
      return key === "partyDetails" && partyLists.test(file)
        ? sortedParties(value as NamedParty[])
        : value.filter((item) => !isForeign(item));
    };
    writeFileSync(join(folder, file), file.endsWith(".json") ? JSON.stringify(JSON.parse(text, kept)) : text);
  }
}

/** Our answers with the reference's numbers where offsets are told in a form that the comparator does not know. */
function translateOffsets(folder: string): void {
  const alignment = new OffsetAlignment(readTranscript(transcript));
  for (const exchange of readTranscript(folder).values()) alignment.learn(exchange);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const exchange = JSON.parse(readFileSync(join(folder, file), "utf8")) as RecordedExchange;
    writeFileSync(
      join(folder, file),
      JSON.stringify({ ...exchange, response: { ...exchange.response, body: alignment.translated(exchange) } }),
    );
  }
}

let differences: readonly Difference[] = [];
/** The comparator's own counts: all and groups, each as equal to the letter / equal where programs look / all. */
let counts: readonly string[] = [];

before(async () => {
  if (skip !== false) return;
  const folder = temporaryFolder("recorded");
  try {
    const [expected, actual, report] = [join(folder, "expected"), join(folder, "actual"), join(folder, "report.json")];
    mkdirSync(expected);
    expectedAnswers(expected, await record(actual, recorderWithAlignedOffsets(folder)));
    translateOffsets(actual);
    counts = (await runScript(join(golden, "compare.mjs"), [expected, actual, "--json", report], {})).trimEnd().split("\n").slice(-2);
    const kept = text("LEDGERLINE_RECORDED_KEEP");
    if (kept !== undefined) cpSync(folder, kept, { recursive: true, dereference: true });
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
    diff
      .filter(([path]) => !exceptions.some((exception) => excuses(exception, name, path)))
      .map(([path, expected, actual]) => `${name} ${path}: recorded ${shown(expected)}, ours ${shown(actual)}`),
  );
  assert.deepEqual(unexplained, []);
});

test("recorded answers: every exception is still needed", { skip }, () => {
  const unused = exceptions.filter(
    (exception) => !exception.byChance && !differences.some(({ name, diff }) => diff.some(([path]) => excuses(exception, name, path))),
  );
  assert.deepEqual(
    unused.map(({ why }) => why),
    [],
  );
});
