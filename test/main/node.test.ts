import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseCommandLine } from "../../src/command-line.js";
import { startNode } from "../../src/node.js";
import { hs256 } from "../auth/tokens.js";
import { eventually } from "../http/harness.js";
import { Client, startNodeProcess, tested } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

const run = (...args: string[]) => spawnSync(tested.file, [...tested.args, ...args], { encoding: "utf8", timeout: 120_000 });
const folder = (): string => temporaryFolder("node");

test("node: version and help answer without a ledger, an unknown flag exits with 2", () => {
  assert.match(run("version").stdout, /^ledgerline \d+\.\d+\.\d+\n$/);
  assert.match(run("--help").stdout, /ledgerline start/);
  const refused = run("start", "--prot", "1");
  assert.deepEqual([refused.status, refused.stdout], [2, ""]);
  assert.match(refused.stderr, /Did you mean --port/);
});

test("node: it uploads --dar before the ready line, writes the port file, and drains on SIGTERM", async () => {
  const data = folder();
  const portFile = join(data, "port");
  writeFileSync(portFile, "1234\n"); // of a node that was killed
  const starting = startNodeProcess(["--memory", "--dar", testData("quickstart.dar"), "--port-file", portFile]),
    isReady = starting.then(() => true);
  await eventually("the former port is gone, before there is another", () => !existsSync(portFile));
  assert.equal(await Promise.race([isReady, false]), false);
  const node = await starting;
  const client = new Client(node.port);
  assert.equal(Number(readFileSync(portFile, "utf8")), node.port);
  const packages = (await client.get("/v2/packages")).json().packageIds as string[];
  assert.ok(packages.includes("d098680ee2647f4da246eb427abf8e4b822ca494fb85235e98842c38431590e7"));
  client.close();
  assert.equal(await node.stop("SIGTERM"), 0);
  assert.equal(existsSync(portFile), false, "nobody listens there any more");
  rmSync(data, { recursive: true });
});

test("node: a start that is refused, and the end of one of two nodes, leave the port file of who still runs", async () => {
  const data = folder(),
    portFile = join(data, "port"),
    ledger = join(data, "ledger");
  const node = await startNodeProcess(["--data", ledger, "--port-file", portFile]);
  assert.equal(run("start", "--data", ledger, "--port", "0", "--port-file", portFile).status, 1);
  assert.equal(Number(readFileSync(portFile, "utf8")), node.port);
  const later = await startNodeProcess(["--memory", "--port-file", portFile]);
  assert.equal(await node.stop(), 0);
  assert.equal(Number(readFileSync(portFile, "utf8")), later.port);
  assert.equal(await later.stop(), 0);
  rmSync(data, { recursive: true });
});

test("node: who closes the pipe of what was asked for has enough, and the exit code is what it would be", () => {
  const command = (...args: string[]): string => [tested.file, ...tested.args, ...args].map((word) => `'${word}'`).join(" "),
    piped = (...args: string[]) =>
      spawnSync("bash", ["-c", `${command(...args)} | true; echo "\${PIPESTATUS[0]}"`], { encoding: "utf8", timeout: 60_000 });
  for (const args of [["help"], ["version"], ["doctor", "--url", "http://127.0.0.1:1"]]) {
    const { status } = run(...args),
      { stdout, stderr } = piped(...args);
    assert.deepEqual([stdout, stderr], [`${status}\n`, ""], args.join(" "));
  }
});

test("node: with a path prefix the Ledger API is there too, as behind an ingress that leaves paths as they are", async () => {
  const node = await startNodeProcess(["--memory", "--path-prefix", "api/json-api"]),
    client = new Client(node.port);
  for (const prefix of ["", "/api/json-api"]) {
    assert.equal((await client.get(`${prefix}/v2/state/ledger-end`)).status, 200, prefix);
    assert.equal((await client.get(`${prefix}/docs/openapi`)).status, 200, prefix);
    assert.equal(
      (await client.post(`${prefix}/v2/parties`, { partyIdHint: `p${prefix.length}`, identityProviderId: "" })).status,
      200,
      prefix,
    );
  }
  assert.equal((await client.get("/api/v2/state/ledger-end")).status, 404);
  client.close();
  assert.equal(await node.stop("SIGTERM"), 0);
});

test("node: a DAR that is refused keeps it from starting and is named", () => {
  const refused = run("start", "--memory", "--port", "0", "--dar", testData("canton", "model1.lf"));
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /model1\.lf was refused: INVALID_DAR: Dar file is corrupt: the file is not a zip archive/);
});

test("node: its name is given at the first start and kept; a start under another name is refused", async () => {
  const data = folder();
  const named = async (...args: string[]): Promise<string> => {
    const node = await startNodeProcess(["--data", data, ...args]),
      client = new Client(node.port);
    const { participantId } = (await client.get("/v2/parties/participant-id")).json();
    const failed = (await client.post("/v2/parties", { partyIdHint: "x", synchronizerId: "other::1220ab" })).json();
    assert.equal(failed.context.participant, "sandbox");
    client.close();
    await node.stop();
    return participantId;
  };
  const id = await named("--participant-name", "sandbox");
  assert.match(id, /^sandbox::1220[0-9a-f]{64}$/);
  const refused = run("start", "--port", "0", "--data", data, "--participant-name", "other");
  assert.deepEqual(
    [refused.status, refused.stderr.trim()],
    [1, "The ledger belongs to participant sandbox; it cannot be started as other."],
  );
  assert.deepEqual([await named("--participant-name", "sandbox"), await named()], [id, id]);
  rmSync(data, { recursive: true });
});

test("node: two processes cannot share a ledger, and verify needs it at rest", async () => {
  const data = folder();
  const node = await startNodeProcess(["--data", data]);
  const second = run("start", "--port", "0", "--data", data);
  assert.equal(second.status, 1);
  assert.match(second.stderr, /in use by process/);
  assert.match(run("verify", "--data", data).stderr, /in use by process/);
  await node.stop();
  const verified = run("verify", "--data", data);
  assert.equal(verified.status, 0, verified.stderr);
  assert.match(verified.stdout, /The ledger is sound/);
  rmSync(data, { recursive: true });
});

test("node: a place that cannot hold a ledger, a port that is taken and a port file that cannot be written are told in a line", async (t) => {
  const data = folder();
  const file = join(data, "file");
  writeFileSync(file, "");
  const node = await startNodeProcess(["--memory"]);
  t.after(() => node.stop());
  const refusals: readonly (readonly [RegExp, ...string[]])[] = [
    [/file is not a folder\.$/, "--port", "0", "--data", file],
    [/file is not a folder\.$/, "--port", "0", "--data", join(file, "below")],
    [/^Cannot listen on 127\.0\.0\.1:\d+: /, "--memory", "--port", String(node.port)],
    [/^Cannot listen on 127\.0\.0\.1:\d+: /, "--memory", "--port", String(node.port), "--transport", "node"],
    [/^Cannot write .*port: ENOENT/, "--memory", "--port", "0", "--port-file", join(data, "none", "port")],
  ];
  for (const [text, ...flags] of refusals) {
    const refused = run("start", "--log-level", "silent", ...flags);
    assert.equal(refused.status, 1, flags.join(" "));
    assert.match(refused.stderr.trim(), text);
    assert.equal(refused.stderr.trim().includes("\n"), false, refused.stderr);
  }
  rmSync(data, { recursive: true });
});

test(
  "node: a folder that the system will not make is refused, not waited for",
  { skip: existsSync("/proc/self") ? false : "no /proc here" },
  () => {
    const refused = run("start", "--port", "0", "--data", "/proc/ledgerline/data");
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /\/proc\/ledgerline\/data cannot hold a ledger: ENOENT/);
  },
);

test("node: verify does not make a ledger where there is none", () => {
  const around = folder(),
    data = join(around, "none");
  assert.match(run("verify", "--data", data).stderr, /no ledger/);
  assert.equal(existsSync(data), false);
});

test("node: with --auth a token decides who may do what", async () => {
  const node = await startNodeProcess(["--memory", "--auth", "hs256:test-secret", "--auth-audience", "ledger"]);
  const client = new Client(node.port);
  const exp = Math.floor(Date.now() / 1000) + 60;
  const as = (sub: string, secret = "test-secret") => ({ authorization: `Bearer ${hs256({ sub, aud: "ledger", exp }, secret)}` });
  const users = (headers: Record<string, string>) => client.request("GET", "/v2/users", undefined, headers).then(({ status }) => status);
  assert.equal(await users({}), 401);
  assert.equal(await users(as("participant_admin", "another-secret")), 401);
  assert.equal(await users(as("nobody")), 403);
  assert.equal(await users(as("participant_admin")), 200);
  const created = await client.request("POST", "/v2/users", { user: { id: "reader" }, rights: [] }, as("participant_admin"));
  assert.equal(created.status, 200, created.text);
  assert.equal(await users(as("reader")), 403);
  assert.equal((await client.request("GET", "/v2/state/ledger-end", undefined, as("reader"))).status, 200);
  client.close();
  await node.stop();
});

test("node: why it runs no commands is told as it is now, not as it was when it started", async (t) => {
  const { ok: parsed } = parseCommandLine(["start", "--memory", "--port", "0", "--log-level", "silent"], {});
  assert.ok(parsed?.command === "start");
  const node = await startNode(parsed.options);
  t.after(() => node.close(0, "the test is over"));
  assert.equal(node.impediment, undefined);
  t.mock.method(node.ledger, "impediment", () => "The disk is full.");
  assert.equal(node.impediment, "The disk is full.");
});
