/**
 * Plays the recorders of the authorisation answers against running nodes: the matrix of operations and callers, header
 * forms and token contents, tokens and rights that end under a running stream, parties that users allocate for themselves.
 * Every answer is the recorded one or falls under a rule with a name.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cellWord, frameWord, httpWord, type RecordedCell } from "../auth/recorded-cells.js";
import { Verdicts } from "../auth/stricter-rules.js";
import { completeDar } from "../support/lf-builder.js";
import { startNodeProcess, type NodeProcess } from "../support/node-process.js";
import { repositoryRoot, testData } from "../support/paths.js";
import { text } from "../support/knobs.js";
import { temporaryFolder } from "../support/folders.js";
import { freePort } from "../support/ports.js";

const golden = join(repositoryRoot(), "../shared/golden/auth");
const isThere = existsSync(golden);
const skipTable = isThere ? false : "the recorded answers are not beside the repository";
const skip =
  skipTable !== false
    ? skipTable
    : text("LEDGERLINE_RECORDED") !== "1"
      ? "takes two minutes: LEDGERLINE_RECORDED=1 npm test -- recorded-authorisation"
      : false;

const secret = "test-secret-not-for-use";
/** How long the recorder watches an idle stream, and what counts as soon after a token or right has ended. */
const streamMs = 12_000,
  soonMs = 5_000,
  tokenLifeMs = 5_000;

const recorded = (file: string): unknown => JSON.parse(readFileSync(join(golden, file), "utf8"));

test("matrix: the table of this repository is what was recorded", { skip: skipTable }, () => {
  const { principals, lines } = JSON.parse(readFileSync(testData("auth", "matrix.json"), "utf8")) as {
    readonly principals: readonly string[];
    readonly lines: readonly (readonly [string, string, string])[];
  };
  const listed = new Map(
    lines.flatMap(([operation, target, words]) =>
      words.split(" ").map((word, index) => [`${operation} | ${target} | ${principals[index]!}`, word] as const),
    ),
  );
  const told = new Map(
    (recorded("auth-matrix.json") as RecordedCell[]).map((cell) => [
      `${cell.operation} | ${cell.party} | ${cell.principal}`,
      cellWord(cell),
    ]),
  );
  assert.equal(told.size, 4_158);
  assert.deepEqual(listed, told);
});

let folder = "";
let keyServer: ChildProcess | undefined;
const nodes: NodeProcess[] = [];
let environment: NodeJS.ProcessEnv = {};

async function startKeyServer(keysFile: string): Promise<string> {
  const port = await freePort();
  keyServer = spawn(process.execPath, [join(golden, "scripts/jwks.mjs")], {
    cwd: folder,
    env: { ...process.env, KEYS: keysFile, JWKS_PORT: String(port) },
    stdio: "ignore",
  });
  for (
    let waited = 0;
    !existsSync(keysFile)
    || !(await fetch(`http://127.0.0.1:${port}/jwks`).then(
      ({ ok }) => ok,
      () => false,
    ));
    waited += 50
  ) {
    assert.ok(waited < 20_000, "the key server answers");
    await sleep(50);
  }
  return `http://127.0.0.1:${port}`;
}

async function startNode(...flags: readonly string[]): Promise<string> {
  const node = await startNodeProcess(["--memory", ...flags]);
  nodes.push(node);
  return String(node.port);
}

before(async () => {
  if (skip !== false) return;
  folder = temporaryFolder("authorisation");
  const keys = join(folder, "keys.json"),
    models = join(folder, "models/");
  mkdirSync(models);
  for (const model of ["model1.dar", "keyed.dar"]) writeFileSync(join(models, model), completeDar(readFileSync(testData("canton", model))));
  const jwks = await startKeyServer(keys);
  environment = {
    KEYS: keys,
    JWKS: jwks,
    MODELS: models,
    OUT: folder,
    SECRET: secret,
    STREAM_MS: String(streamMs),
    JSON_PORT: await startNode("--auth", `hs256:${secret}`),
    AUD_PORT: await startNode("--auth", `hs256:${secret}`, "--auth-audience", "https://aud.example/ledger"),
    SCOPE_PORT: await startNode("--auth", `hs256:${secret}`, "--auth-scope", "ledger_scope"),
    RS_PORT: await startNode("--auth", `jwks:${jwks}/jwks`, "--auth-token-life-max", "3600"),
  };
});

after(async () => {
  for (const node of nodes) await node.stop();
  keyServer?.kill();
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

/** The recorders take `ws` from the folder they run in. */
async function play(script: string, more: NodeJS.ProcessEnv = {}): Promise<void> {
  const child = spawn(process.execPath, [join(golden, "scripts", script)], {
    cwd: repositoryRoot(),
    env: { ...process.env, ...environment, ...more },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let problems = "";
  child.stderr.on("data", (chunk: Buffer) => {
    problems += chunk.toString();
  });
  const [code] = (await once(child, "close")) as [number];
  assert.equal(code, 0, problems);
}

const ours = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));

function conclude(verdicts: Verdicts, context: TestContext): void {
  for (const line of verdicts.lines) context.diagnostic(line);
  assert.deepEqual(verdicts.failures, []);
  assert.deepEqual(verdicts.unused, []);
}

test("matrix: a running node answers every recorded cell alike, or by a named rule", { skip, timeout: 300_000 }, async (context) => {
  await play("matrix.mjs");
  const cellsOf = (file: unknown): Map<string, RecordedCell> =>
    new Map((file as RecordedCell[]).map((cell) => [`${cell.operation} | ${cell.party} | ${cell.principal}`, cell]));
  const verdicts = new Verdicts(),
    answered = cellsOf(ours("auth-matrix.json"));
  for (const [name, cell] of cellsOf(recorded("auth-matrix.json"))) {
    const answer = answered.get(name);
    verdicts.add({
      operation: cell.operation,
      target: cell.party,
      principal: cell.principal,
      recorded: cellWord(cell),
      ours: answer ? cellWord(answer) : "not asked",
    });
  }
  conclude(verdicts, context);
});

interface Frame {
  readonly code?: string;
  readonly grpcCodeValue?: number;
  readonly context?: Readonly<Record<string, string>>;
}
interface Case {
  readonly name: string;
  readonly status?: number;
  readonly user?: string;
  readonly body?: unknown;
  readonly raw?: string;
  readonly frame?: Frame | string;
  readonly frames?: readonly Frame[] | Readonly<Record<string, number>>;
  readonly close?: number;
  readonly before?: number;
  readonly after?: number;
  readonly error?: { readonly atMs?: number; readonly afterChangeMs?: number; readonly frame: { readonly code: string } };
  readonly firstRefusedAfterMs?: number | null;
  readonly changeAtMs?: number;
}

const firstFrameWord = (frame: Frame | undefined): string =>
  frame === undefined ? "nothing" : frame.code === undefined ? "data" : frameWord(frame);

/** What counts of a case: status and error, whose token it was, the first frame, how the stream ended. */
function wordOf(of: Case): string {
  const end = of.close === undefined ? "" : ` ${of.close}`;
  if (of.error !== undefined) return `${of.error.frame.code}${end}`;
  if (of.before !== undefined) return `${of.before} then ${of.after}`;
  if (of.changeAtMs !== undefined) return `goes on${end}`;
  if (Array.isArray(of.frames)) return `${firstFrameWord(of.frames[0] as Frame | undefined)}${end}`;
  if (of.frame !== undefined) return typeof of.frame === "object" ? frameWord(of.frame) : of.frame;
  if (of.status === undefined) return JSON.stringify(of.body ?? null);
  return `${httpWord(of.status, of.raw === undefined ? of.body : JSON.parse(of.raw))}${of.user === undefined ? "" : ` ${of.user}`}`;
}

const anywhere = /^daml\.ws\.auth[ ,]/;
const sideRules = new Map<string, (section: string, name: string, theirs: string, ourWord: string) => boolean>([
  [
    "the token may stand anywhere among the protocols",
    (section, name, _, word) => section.startsWith("Sec-WebSocket-Protocol") && anywhere.test(name) && /^(200 u-act-a|data)$/.test(word),
  ],
  [
    "a second Authorization header makes a request unreadable",
    (_, name, theirs, word) => name === "two headers, Basic then Bearer" && theirs === "200 u-act-a" && word === "400",
  ],
  ["a token is expired in its last second", (_, name, theirs, word) => name === "exp now" && theirs === "403" && word === "401"],
  [
    "tokens are canonical and ask for no extensions",
    (_, name, theirs, word) => /^(header crit|padding in signature)$/.test(name) && theirs.startsWith("200") && word === "401",
  ],
  ["services have one target and no level of their own", (_, name, __, word) => name.startsWith("privileged service") && word === "401"],
]);
/** What sockets are asked apart from the others. */
const socketRules: typeof sideRules = new Map([
  [
    "a user that is gone is told as one also after the upgrade",
    (_, name, theirs, word) => name.startsWith("user deactivated between") && theirs === "f403 1000" && word === "f403t 1000",
  ],
  [
    "tokens are judged when the socket opens, too",
    (_, name, theirs, word) => name === "no token, no message sent" && theirs === "nothing" && word === "f401 1000",
  ],
  [
    "a message that is no request is the client's fault",
    (_, name, theirs, word) =>
      name === "good token, undecodable message"
      && theirs === "f400/LEDGER_API_INTERNAL_ERROR 1000"
      && word === "f400/INVALID_ARGUMENT 1000",
  ],
]);
const verdictsOf = (rules: typeof sideRules): Verdicts =>
  new Verdicts([...rules].map(([name, fits]) => ({ name, fits: (cell) => fits(cell.operation, cell.target, cell.recorded, cell.ours) })));

test(
  "rules: headers, tokens, user ids, streams and lists are judged as recorded, or by a named rule",
  { skip, timeout: 300_000 },
  async (context) => {
    await play("rules.mjs");
    const verdicts = verdictsOf(sideRules);
    const answers = ours("auth-rules.json") as Readonly<Record<string, readonly Case[]>>;
    for (const [section, cases] of Object.entries(recorded("auth-rules.json") as typeof answers)) {
      for (const of of cases) {
        const answer = answers[section]?.find(({ name }) => name === of.name);
        // A socket tells in its first frame what the reference tells before it opens.
        const operation = section === "Sec-WebSocket-Protocol on upgrade" && of.status !== 101 && of.status !== 400 ? "WS" : section;
        verdicts.add({
          operation: /^user (unknown|id)/.test(of.name) ? "WS" : operation,
          target: of.name,
          principal: "",
          recorded: wordOf(of),
          ours: answer ? wordOf(answer) : "not asked",
        });
      }
    }
    conclude(verdicts, context);
  },
);

test("streams: an ended token and a changed right end an idle stream soon", { skip }, () => {
  const { "token expiry during a WebSocket stream": expiry = [], "rights revoked during a WebSocket stream": revoked = [] } = ours(
    "auth-rules.json",
  ) as Readonly<Record<string, readonly Case[]>>;
  const late = [
    ...expiry.map(({ name, error }) => [name, (error?.atMs ?? Infinity) - tokenLifeMs] as const),
    ...revoked.flatMap(({ name, error }) => (error ? [[name, error.afterChangeMs ?? Infinity] as const] : [])),
  ];
  assert.equal(late.length, 8);
  assert.deepEqual(
    late.filter(([, ms]) => ms > soonMs),
    [],
  );
});

test("sockets: opened, refused and closed as recorded, or by a named rule", { skip, timeout: 120_000 }, async (context) => {
  await play("wsclose.mjs", { JSON_PORT: await startNode("--auth", `hs256:${secret}`) });
  const verdicts = verdictsOf(socketRules),
    answers = ours("auth-ws-close.json") as readonly Case[];
  for (const of of recorded("auth-ws-close.json") as readonly Case[]) {
    const answer = answers.find(({ name }) => name === of.name);
    verdicts.add({
      operation: "socket",
      target: of.name,
      principal: "",
      recorded: wordOf(of),
      ours: answer ? wordOf(answer) : "not asked",
    });
  }
  conclude(verdicts, context);
});

interface Allocation {
  readonly name: string;
  readonly response: { readonly status: number; readonly body: unknown };
}

test(
  "self-allocation: users allocate as many parties for themselves as the node allows, as recorded",
  { skip, timeout: 120_000 },
  async (context) => {
    await play("selfalloc.mjs", { JSON_PORT: await startNode("--auth", `hs256:${secret}`, "--self-allocated-parties-max", "2") });
    const wordsOf = (file: unknown): readonly string[] =>
      (file as readonly Allocation[]).map(
        ({ name, response: { status, body } }) =>
          `${name}: ${httpWord(status, body)} ${status === 200 ? JSON.stringify(body).replaceAll(/1220[0-9a-f]{64}/g, "1220..") : ""}`,
      );
    const answers = wordsOf(ours("auth-self-allocation.json"));
    assert.deepEqual(answers, wordsOf(recorded("auth-self-allocation.json")));
    context.diagnostic(`${answers.length} of ${answers.length} equal`);
  },
);
