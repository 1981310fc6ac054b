import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { limits } from "../../src/config.js";
import { startSandbox } from "../../src/sandbox.js";
import { parseScript } from "../../src/script-command-line.js";
import { listScripts, scriptCommand, type ScriptOptions } from "../../src/script/index.js";
import { parseParticipants } from "../../src/script/participant-config.js";
import { expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { type NodeProcess, startNodeProcess } from "../support/node-process.js";
import { ScriptBuilder } from "../support/script-builder.js";
import { stableId } from "../support/script-library.js";
import { typedList } from "../support/script-payloads.js";
import { buildMistakesDar } from "./mistakes-dar.js";
import { buildSampleDar } from "./sample-dar.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("script-command");
const inFolder = (name: string): string => join(folder, name);
let node: NodeProcess;

before(async () => {
  writeFileSync(inFolder("sample.dar"), buildSampleDar());
  node = await startNodeProcess(["--memory"]);
});
after(async () => {
  rmSync(folder, { recursive: true });
  await (node as NodeProcess | undefined)?.stop();
});

const url = (): string => `http://127.0.0.1:${node.port}`;

async function run(
  options: Partial<ScriptOptions>,
  onOut: (text: string) => void = () => undefined,
): Promise<{ readonly isGood: boolean; readonly out: string; readonly err: string }> {
  let out = "",
    err = "";
  const isGood = await scriptCommand(
    {
      dar: inFolder("sample.dar"),
      scripts: [],
      skipped: [],
      inputFile: undefined,
      outputFile: undefined,
      ledger: { kind: "node", url: url(), tokenFile: undefined, userId: undefined },
      staticTime: false,
      uploadDar: false,
      summaryFile: undefined,
      timeLimitMs: 60_000,
      ...options,
    },
    {
      out: (text) => {
        out += text;
        onOut(text);
      },
      err: (text) => {
        err += text;
      },
    },
    startSandbox,
  );
  return { isGood, out, err };
}

test("script command: a script runs on a node that is given its DAR, and on one that has no packages says what to do", async () => {
  const scripts = ["Tests.Sample:anyName"];
  const without = await run({ scripts });
  assert.equal(without.isGood, false);
  assert.match(without.err, /Hint: Does the node have the packages of the DAR\? --upload-dar brings them there\./);
  const ledger = { kind: "participants", file: inFolder("participants.json"), tokenFile: undefined, userId: undefined } as const;
  writeFileSync(ledger.file, JSON.stringify({ default_participant: "one", participants: { one: { url: url() } } }));
  assert.deepEqual(await run({ scripts, ledger, uploadDar: true }), { isGood: true, out: "Tests.Sample:anyName SUCCESS\n", err: "" });
  const unknown = await run({ scripts: ["Tests.Sample:nothing"], ledger });
  assert.match(unknown.err, /has no script Tests\.Sample:nothing\. It has: Tests\.Sample:a_works/);
});

test("script command: an argument comes from a file and the result goes to one, with numbers as numbers", async () => {
  const scripts = ["Tests.Sample:needsArgument"],
    ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const,
    inputFile = inFolder("input.json"),
    outputFile = inFolder("output.json");
  writeFileSync(inputFile, JSON.stringify({ count: 3, note: "x" }));
  assert.deepEqual(await run({ scripts, ledger, inputFile, outputFile }), {
    isGood: true,
    out: "Tests.Sample:needsArgument SUCCESS\n",
    err: "",
  });
  assert.equal(readFileSync(outputFile, "utf8"), '{\n  "count": 3,\n  "note": "x"\n}\n');
  assert.match((await run({ scripts, ledger })).err, /takes an argument: give it with --input-file/);
  assert.match((await run({ scripts: ["Tests.Sample:a_works"], ledger, inputFile })).err, /takes no argument: leave --input-file out/);
  writeFileSync(inputFile, JSON.stringify({ count: "many" }));
  assert.match((await run({ scripts, ledger, inputFile })).err, /The input does not fit the argument of Tests\.Sample:needsArgument: /);
});

test("script command: the folder of a result or a summary is made, and a result that has no JSON is not passed over", async () => {
  const ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const,
    outputFile = inFolder("results/of/today/output.json"),
    summaryFile = inFolder("summaries/summary.json");
  assert.equal((await run({ scripts: ["Tests.Sample:a_works"], ledger, outputFile, summaryFile })).isGood, true);
  assert.equal(readFileSync(outputFile, "utf8"), '"hello"\n');
  assert.deepEqual(JSON.parse(readFileSync(summaryFile, "utf8")), { "Tests.Sample:a_works": { result: "hello" } });
  const module = new ModuleBuilder("Odd"),
    script = new ScriptBuilder(module),
    increment = { type: type.arrow(type.int64, type.int64), expr: expr.lambda({ n: type.int64 }, expr.variable("n")) };
  script.define("makesFunction", script.end(increment));
  writeFileSync(inFolder("odd.dar"), script.buildDar("odd", [module]));
  const nothing = inFolder("nothing.json"),
    odd = await run({ dar: inFolder("odd.dar"), scripts: ["Odd:makesFunction"], ledger, outputFile: nothing });
  assert.equal(odd.isGood, false);
  assert.equal(odd.err, `${nothing} is not written: the type of what the script returns has no JSON.\n`);
  assert.equal(existsSync(nothing), false);
});

test("script command: of a trace that is too long it says that the rest is left out", async () => {
  const module = new ModuleBuilder("Chatty"),
    script = new ScriptBuilder(module),
    line = expr.apply(expr.applyTypes(expr.builtin("TRACE"), type.int64), expr.text("again"), expr.int64(0n)),
    lines = Array<typeof line>(limits.scriptTraceLinesMax + 2).fill(line);
  script.define("chats", script.end(typedList(type.int64, ...lines)));
  writeFileSync(inFolder("chatty.dar"), script.buildDar("chatty", [module]));
  const ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const,
    { isGood, out } = await run({ dar: inFolder("chatty.dar"), scripts: ["Chatty:chats"], ledger });
  assert.equal(isGood, true);
  assert.ok(out === `${"again\n".repeat(limits.scriptTraceLinesMax)}... (what follows is left out)\nChatty:chats SUCCESS\n`);
});

test("script command: what code says is printed while the script still runs, each in one line of ASCII", async () => {
  const module = new ModuleBuilder("Slow"),
    script = new ScriptBuilder(module),
    relTime = stableId("DA.Time.Types", "RelTime"),
    said = expr.apply(expr.applyTypes(expr.builtin("TRACE"), type.int64), expr.text('"a"\\ü\n'), expr.int64(300_000n));
  script.define(
    "talks",
    script.ask(
      { name: "Sleep", payload: [{ type: type.con(relTime), expr: expr.record(relTime, { microseconds: said }) }], answer: type.unit },
      () => script.end(),
    ),
  );
  writeFileSync(inFolder("slow.dar"), script.buildDar("slow", [module]));
  const ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const,
    told: [text: string, at: number][] = [];
  await run({ dar: inFolder("slow.dar"), scripts: ["Slow:talks"], ledger }, (text) => void told.push([text, performance.now()]));
  assert.deepEqual(
    told.map(([text]) => text),
    ['\\"a\\"\\\\\\u00FC\\n\n', "Slow:talks SUCCESS\n"],
  );
  assert.ok(told[1]![1] - told[0]![1] > 150, "the script slept between them");
});

test("script command: a failure is told in the reference's frame, with the places that asked, in lines and in the summary", async () => {
  const ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const,
    summaryFile = inFolder("frames.json"),
    scripts = ["b_lacksAuthority", "c_asserts", "g_asksTooMuch"].map((name) => `Tests.Sample:${name}`);
  const { out } = await run({ scripts: scripts.slice(0, 1), ledger, summaryFile }),
    { error } = Object.values(JSON.parse(readFileSync(summaryFile, "utf8")) as Record<string, { readonly error: string }>)[0]!;
  assert.match(
    error,
    /^com\.digitalasset\.daml\.lf\.engine\.script\.Script\$FailedCmd: Command Submit failed: Error: node NodeId\(1\) \([^)]*\) requires authorizers bob, but only alice were given\nDaml stacktrace:\nlacksAuthority at [0-9a-f]{64}:Tests\.Sample:19$/,
  );
  assert.equal(out, `Tests.Sample:b_lacksAuthority FAILURE (${error})\n`);
  const node = await run({ scripts: scripts.slice(0, 1), ledger: { kind: "sandbox" } });
  assert.match(
    node.out,
    /Command Submit failed: INVALID_ARGUMENT: DAML_AUTHORIZATION_ERROR\(8,[0-9a-f]{8}\): Interpretation error: Error: node/,
  );
  const others = await run({ scripts: scripts.slice(1), ledger });
  assert.equal(
    others.out,
    [
      "Tests.Sample:c_asserts FAILURE (com.digitalasset.daml.lf.engine.free.InterpretationError: Error: User abort: 5 /= 6)",
      "Tests.Sample:g_asksTooMuch FAILURE (com.digitalasset.daml.lf.script.converter.ConverterException: The script asks Divine, which this runner does not know: its Daml Script library is newer.)",
      "",
    ].join("\n"),
  );
});

test("script command: a file that cannot be written is one sentence, and the others are written", async () => {
  const ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const,
    outputFile = inFolder("a-folder"),
    summaryFile = inFolder("written/summary.json");
  mkdirSync(outputFile);
  const { isGood, out, err } = await run({ scripts: ["Tests.Sample:a_works"], ledger, outputFile, summaryFile });
  assert.deepEqual([isGood, out], [false, "Tests.Sample:a_works SUCCESS\n"]);
  assert.match(err, /^\S+a-folder cannot be written: EISDIR: [^\n]+\n$/);
  assert.deepEqual(JSON.parse(readFileSync(summaryFile, "utf8")), { "Tests.Sample:a_works": { result: "hello" } });
  const below = await run({ scripts: ["Tests.Sample:a_works"], ledger, outputFile, summaryFile: join(summaryFile, "summary.json") });
  assert.match(below.err, /^\S+a-folder cannot be written: [^\n]+\n\S+summary\.json cannot be written: ENOTDIR: [^\n]+\n$/);
});

test("script command: participants without a token or user have those of the command line", () => {
  const participants = { own: { url: "http://a", access_token: "own", user_id: "me" }, other: { host: "b", port: 1 } };
  const callers = (token?: string, userId?: string): unknown =>
    parseParticipants(JSON.stringify({ participants }), { token, userId }).ok?.named.map(([, node]) => [node.token, node.userId]);
  const own = ["own", "me"];
  assert.deepEqual(callers(), [own, [undefined, "daml-script"]]);
  assert.deepEqual(callers("given"), [own, ["given", ""]]);
  assert.deepEqual(callers("given", "you"), [own, ["given", "you"]]);
  const line = parseScript(["--dar", "a.dar", "--all", "--participant-config", "p.json", "--token-file", "t", "--user-id", "you"]);
  assert.deepEqual((line.ok as ScriptOptions | undefined)?.ledger, { kind: "participants", file: "p.json", tokenFile: "t", userId: "you" });
});

test("script command: numbers of the argument, the result and the summary keep all their digits", async () => {
  const scripts = ["Tests.Sample:needsArgument"],
    ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const,
    [inputFile, outputFile, summaryFile] = ["input.json", "output.json", "summary.json"].map(inFolder) as [string, string, string];
  writeFileSync(inputFile, '{"count": 9007199254740993, "note": "x"}');
  assert.equal((await run({ scripts, ledger, inputFile, outputFile, summaryFile })).isGood, true);
  assert.equal(readFileSync(outputFile, "utf8"), '{\n  "count": 9007199254740993,\n  "note": "x"\n}\n');
  assert.match(readFileSync(summaryFile, "utf8"), /"count": 9007199254740993,\n/);
  writeFileSync(inputFile, '{"count": 9007199254740993');
  assert.match((await run({ scripts, ledger, inputFile })).err, /input\.json is no JSON: /);
});

test("script command: a sandbox is a fresh node in this process each time, and one that does not take the DAR says so", async () => {
  const scripts = ["Tests.Sample:a_works"],
    sandbox = { kind: "sandbox" } as const,
    listeners = process.listenerCount("exit");
  for (const _ of [1, 2])
    assert.deepEqual(await run({ scripts, ledger: sandbox, staticTime: true }), {
      isGood: true,
      out: "Tests.Sample:a_works SUCCESS\n",
      err: "",
    });
  assert.equal(process.listenerCount("exit"), listeners, "nothing of it stays behind");
  writeFileSync(inFolder("broken.dar"), "no zip");
  const broken = await run({ scripts, dar: inFolder("broken.dar"), ledger: sandbox });
  assert.deepEqual([broken.isGood, broken.out], [false, ""]);
  assert.match(broken.err, /broken\.dar was refused: /);
});

test("script command: what a node refuses says which ledger does not", async () => {
  writeFileSync(inFolder("mistakes.dar"), buildMistakesDar());
  const { err } = await run({ scripts: ["Bank.Tests:rollsBack"], dar: inFolder("mistakes.dar"), ledger: { kind: "sandbox" } });
  assert.match(
    err,
    /^Bank\.Tests:rollsBack failed at Submit:\n {2}DAML_EFFECTFUL_ROLLBACK_ERROR: Interpretation error: Error: Tried to rollback side-effectful node\(s\): Create of Bank\.Tests:Iou@/,
  );
  assert.match(err, /\nHint: .* --memory --contract-mode keyless\.\n/);
});

const failedCommand = "com.digitalasset.daml.lf.engine.script.Script$FailedCmd: Command";

const parsed = (...args: string[]): ScriptOptions => {
  const line = parseScript(["--dar", "a.dar", ...args]);
  assert.equal(line.error, undefined);
  return line.ok as ScriptOptions;
};
const refused = (...args: string[]): string | undefined => parseScript(["--dar", "a.dar", ...args]).error;

test("script command: the reference's names of flags mean what ours do", () => {
  const memory = ["--memory", "--script", "M:a"];
  assert.deepEqual(parsed("--ide-ledger", "--script-name", "M:a"), parsed(...memory));
  assert.deepEqual(parsed(...memory, "-s"), parsed(...memory, "--static-time"));
  assert.deepEqual(parsed(...memory, "-w"), parsed(...memory, "--wall-clock-time"));
  const node = ["--all", "--access-token-file", "t"];
  assert.deepEqual(
    parsed("--ledger-host", "::1", "--ledger-port", "7575", ...node),
    parsed("--json-api", "http://[::1]:7575", "--all", "--token-file", "t"),
  );
  assert.deepEqual(
    parsed("--ledger-host", "a.example", "--ledger-port", "1", "--tls", ...node),
    parsed("--json-api", "https://a.example:1", ...node),
  );
  for (const isOn of [true, false]) assert.equal(parsed("--json-api", "http://a", "--all", "--upload-dar", String(isOn)).uploadDar, isOn);
  assert.equal(parsed("--upload-dar", "--json-api", "http://a", "--all").uploadDar, true);
  const modeOf = (version: string): unknown =>
    (parsed(...memory, "--ide-ledger-protocol-version", version).ledger as { readonly mode?: string }).mode;
  assert.deepEqual(["V34", "35", "vDev", "latest"].map(modeOf), ["NoKey", "NUCK", "NUCK", "NUCK"]);
  const skipping = parsed("--memory", "--script", "M:a", "M:b", "--skip-script-name", "M:b", "--script-name", "M:c");
  assert.deepEqual(skipping.scripts, ["M:a", "M:c"]);
});

test("script command: a flag of the reference that means nothing here says what to do, and flags that exclude each other say so", () => {
  assert.match(refused("--cacrt", "ca.pem")!, /^--cacrt: name the file in the environment, NODE_EXTRA_CA_CERTS=FILE/);
  assert.match(refused("--max-inbound-message-size=7")!, /^--max-inbound-message-size: leave it out/);
  assert.match(refused("--scripts")!, /^Unknown flag --scripts of script\./);
  const all = ["--all", "--memory"];
  assert.match(refused(...all, "-s", "-w")!, /exclude each other/);
  assert.match(refused(...all, "--contract-mode", "keys", "--ide-ledger-protocol-version", "V34")!, /exclude each other/);
  assert.match(refused(...all, "--ide-ledger-protocol-version", "V33")!, /must be one of V34, V35, VDev, latest/);
  assert.match(refused("--all", "--ledger-host", "a")!, /go together/);
  assert.match(refused("--all", "--ledger-host", "a", "--ledger-port", "1", "--memory")!, /script needs one of/);
  assert.match(refused("--all", "--json-api", "http://a", "--tls")!, /an https URL says it/);
  assert.match(refused("--memory", "--script", "M:a", "--skip-script-name", "M:a")!, /leaves none/);
  assert.match(refused(...all, "--upload-dar=maybe")!, /must be true or false/);
  assert.match(refused("--list-scripts-json", "names.json", "--all")!, /goes with --dar and no other flag/);
});

test("script command: the names of scripts without an argument are listed as JSON, and those that are skipped do not run", async () => {
  const line = parseScript(["--dar", inFolder("sample.dar"), "--list-scripts-json", inFolder("names/of.json")]).ok!;
  assert.ok("listFile" in line && listScripts(line, { out: () => undefined, err: () => undefined }));
  const names = JSON.parse(readFileSync(inFolder("names/of.json"), "utf8")) as string[];
  assert.deepEqual(names.slice(0, 2), ["Tests.Sample:a_works", "Tests.Sample:anyName"]);
  assert.ok(!names.includes("Tests.Sample:needsArgument"));
  const ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const;
  const { isGood, out } = await run({ skipped: names.slice(1), ledger });
  assert.deepEqual([isGood, out], [true, "Tests.Sample:a_works SUCCESS\n"]);
});

test("script command: of a DAR without scripts all run well, and a line tells that there are none", async () => {
  const module = new ModuleBuilder("Bare");
  writeFileSync(inFolder("bare.dar"), new ScriptBuilder(module).buildDar("bare", [module]));
  const ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const;
  assert.deepEqual(await run({ dar: inFolder("bare.dar"), ledger }), {
    isGood: true,
    out: "",
    err: `${inFolder("bare.dar")} has no scripts to run.\n`,
  });
});

test("script command: named scripts run in order of their names", async () => {
  const ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const,
    { out } = await run({ scripts: ["Tests.Sample:anyName", "Tests.Sample:a_works"], ledger });
  assert.equal(out, "Tests.Sample:a_works SUCCESS\nTests.Sample:anyName SUCCESS\n");
});

test("script command: scripts in memory may set the time, and by the wall clock read the system's", async () => {
  const module = new ModuleBuilder("Clock"),
    script = new ScriptBuilder(module);
  script.define(
    "reads",
    script.ask({ name: "GetTime", payload: [], answer: type.timestamp }, (now) => script.end({ type: type.timestamp, expr: now })),
  );
  script.define(
    "sets",
    script.ask({ name: "GetTime", payload: [], answer: type.timestamp }, (now) =>
      script.ask({ name: "SetTime", payload: [{ type: type.timestamp, expr: now }], answer: type.unit }, () => script.end()),
    ),
  );
  writeFileSync(inFolder("clock.dar"), script.buildDar("clock", [module]));
  const asked = { dar: inFolder("clock.dar"), scripts: ["Clock:reads"], outputFile: inFolder("time.json") },
    ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const;
  assert.ok((await run({ dar: asked.dar, ledger })).isGood);
  await run({ ...asked, ledger });
  assert.equal(readFileSync(asked.outputFile, "utf8"), '"1970-01-01T00:00:00Z"\n');
  await run({ ...asked, ledger: { ...ledger, wallClock: true } });
  assert.ok(Math.abs(Date.parse(JSON.parse(readFileSync(asked.outputFile, "utf8")) as string) - Date.now()) < 60_000);
  const setting = await run({ ...asked, scripts: ["Clock:sets"], ledger: { ...ledger, wallClock: true } });
  assert.match(setting.err, /Scripts that run by the wall clock cannot set the time\. Leave --wall-clock-time out\./);
});

test("script command: two runs at once on one node do not meet", async () => {
  const scripts = ["Tests.Sample:anyName", "Tests.Sample:c_asserts", "Tests.Sample:anyName"];
  const both = await Promise.all([run({ scripts, uploadDar: true }), run({ scripts, uploadDar: true })]);
  for (const { out } of both)
    assert.deepEqual(
      out.split("\n").map((line) => line.split(" ")[1]),
      ["SUCCESS", "SUCCESS", "FAILURE", undefined],
    );
});

test("script command: a node that goes away fails each script with a sentence", async () => {
  let asked = 0;
  const leaving = http.createServer((_, response) => {
    if (++asked === 1)
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ partyDetails: { party: "carol::1220" } }));
    response.destroy();
    leaving.close();
  });
  await new Promise<void>((resolve) => leaving.listen(0, "127.0.0.1", resolve));
  const at = `http://127.0.0.1:${(leaving.address() as AddressInfo).port}`;
  const { out } = await run({
    scripts: ["Tests.Sample:anyName", "Tests.Sample:a_works", "Tests.Sample:c_asserts"],
    ledger: { kind: "node", url: at, tokenFile: undefined, userId: undefined },
  });
  assert.deepEqual(
    out.split("\n").map((line) => line.replaceAll(at, "NODE").replace(/ECONNREFUSED|ECONNRESET|other side closed|UND_ERR_SOCKET/, "WHY")),
    [
      ...["a_works", "anyName"].flatMap((name) => [
        `Tests.Sample:${name} FAILURE (${failedCommand} AllocateParty failed: The node at NODE does not answer: WHY`,
        "Daml stacktrace:)",
      ]),
      "Tests.Sample:c_asserts FAILURE (com.digitalasset.daml.lf.engine.free.InterpretationError: Error: User abort: 5 /= 6)",
      "",
    ],
  );
});

test("script command: scripts of a session find what those before them left", async () => {
  const ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const;
  const { out } = await run({
    scripts: ["Tests.Sample:a_works", "Tests.Sample:f_expectsFailure"],
    ledger,
    summaryFile: inFolder("summary.json"),
  });
  const error = `${failedCommand} AllocateParty failed: Error: Tried to allocate a party that already exists: alice\nDaml stacktrace:`;
  assert.equal(out, `Tests.Sample:a_works SUCCESS\nTests.Sample:f_expectsFailure FAILURE (${error})\n`);
  assert.deepEqual(JSON.parse(readFileSync(inFolder("summary.json"), "utf8")), {
    "Tests.Sample:a_works": { result: "hello" },
    "Tests.Sample:f_expectsFailure": { error },
  });
});

test("script command: a script whose name has a prime is found by it, and as Daml-LF spells it, which files have", async () => {
  const module = new ModuleBuilder("M"),
    script = new ScriptBuilder(module),
    dar = inFolder("primes.dar"),
    summaryFile = inFolder("primes.json");
  script.define("setup$u0027", script.end());
  writeFileSync(dar, script.buildDar("primes", [module]));
  const ledger = { kind: "memory", mode: undefined, seed: "0", wallClock: false } as const;
  for (const name of ["M:setup'", "M:setup$u0027"])
    assert.equal((await run({ dar, ledger, scripts: [name], summaryFile })).out, "M:setup' SUCCESS\n");
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(summaryFile, "utf8")) as object), ["M:setup$u0027"]);
});
