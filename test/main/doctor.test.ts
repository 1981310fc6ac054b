/** `ledgerline doctor` and `ledgerline restore`, as an operator meets them. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../src/store/index.js";
import { run as runProgram } from "../packaging/npm-package.js";
import { Client, startNodeProcess, tested } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("doctor");
const ledgerline = async (...args: readonly string[]) => runProgram(tested.file, [...tested.args, ...args], { cwd: folder });

async function findings(
  ...args: readonly string[]
): Promise<{ readonly exit: number | null; readonly problems: string; readonly all: string }> {
  const { exit, out, err } = await ledgerline("doctor", ...args);
  assert.equal(err, "");
  return {
    exit,
    all: out,
    problems: out
      .split("\n")
      .filter((line) => line.startsWith("problem"))
      .join("\n"),
  };
}

test("doctor: says nothing is wrong with a folder that can be made and a free port", async () => {
  const { exit, all } = await findings("--data", join(folder, "new", "ledger"), "--port", "0");
  assert.equal(exit, 0, all);
  assert.match(all, /will be made/);
  assert.ok(!existsSync(join(folder, "new")), "it only looks");
});

test("doctor: names a folder in use, a port that is taken, what cannot be read, and what to do", async () => {
  const data = join(folder, "used"),
    node = await startNodeProcess(["--data", data]);
  const inUse = await findings(
    "--data",
    data,
    "--port",
    String(node.port),
    "--dar",
    join(folder, "none.dar"),
    "--auth",
    `es256:${join(folder, "none.pem")}`,
  );
  assert.equal(inUse.exit, 1);
  for (const sentence of [
    /in use by process \d+\. Stop that process/,
    /Port \d+ of 127\.0\.0\.1 is taken/,
    /none\.dar cannot be read/,
    /none\.pem is no certificate/,
  ])
    assert.match(inUse.problems, sentence);
  const serving = await findings("--url", `http://127.0.0.1:${node.port}`);
  assert.deepEqual([serving.exit, serving.all], [0, `ok      The node at http://127.0.0.1:${node.port} serves.\n`]);
  await node.stop();
  assert.equal((await findings("--url", `http://127.0.0.1:${node.port}`)).exit, 1);
  const file = join(folder, "file");
  writeFileSync(file, "");
  assert.match((await findings("--data", file, "--port", "0")).problems, /is not a folder/);
  const ahead = Date.now() / 1_000 + 1_000;
  utimesSync(join(data, "data.mdb"), ahead, ahead);
  const behind = await findings("--data", data, "--port", "0");
  assert.match(behind.all, /warning .*clock is \d+ s behind/);
  assert.equal(behind.exit, 0, "a warning stops nobody");
});

test("doctor: flags that leave out who is in the ledger are no good for it", async () => {
  const data = join(folder, "network"),
    node = await startNodeProcess(["--data", data, "--participant-name", "first", "--participant", "second=0"]);
  await node.stop();
  const why = async (...flags: string[]): Promise<string> => (await findings("--data", data, "--port", "0", ...flags)).problems;
  assert.match(await why(), /The ledger has a participant second, too: it cannot be started without it/);
  assert.match(await why("--participant-name", "other", "--participant", "second=0"), /belongs to participant first/);
  assert.equal(await why("--participant", "second=0", "--participant", "third=0"), "");
});

test("doctor: a server that says it does not serve, or never answers, is a problem", async () => {
  const server = createServer((socket) => void socket.end("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 5\r\n\r\nno go")).listen(
    0,
    "127.0.0.1",
  );
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  assert.match((await findings("--url", `http://127.0.0.1:${port}`)).problems, /does not serve \(503\): no go/);
  server.close();
});

test("doctor: a node whose certificate nobody here trusts is not told as one that does not answer", async () => {
  const key = readFileSync(testData("tls", "node.key")),
    server = createHttpsServer({ key, cert: readFileSync(testData("tls", "node.pem")) }, (_, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { exit, problems } = await findings("--url", `https://127.0.0.1:${port}`);
  assert.equal(exit, 1);
  assert.match(problems, /is not trusted here: .*certificate.*NODE_EXTRA_CA_CERTS/);
  server.close();
});

test("doctor: the address of a node comes as the value of any other flag does, and nothing beside it", async () => {
  const address = "http://127.0.0.1:1";
  for (const args of [["--url", address], [`--url=${address}`]]) assert.match((await findings(...args)).problems, /Nobody answers at/);
  for (const args of [
    ["--url", "nowhere"],
    ["--url=nowhere"],
    ["--url"],
    ["--url="],
    ["--url", address, "more"],
    ["--url", address, "--memory"],
  ]) {
    const wrong = await ledgerline("doctor", ...args);
    assert.deepEqual([wrong.exit, wrong.out], [2, ""]);
    assert.match(wrong.err, /^doctor --url needs the address of a node and nothing else/, args.join(" "));
  }
});

test("restore: a proved backup becomes a ledger; a damaged one, none, and a folder that is in use become none", async () => {
  const data = join(folder, "original"),
    copy = join(folder, "the copy"),
    restored = join(folder, "restored");
  const node = await startNodeProcess(["--data", data]);
  const client = new Client(node.port);
  const {
    partyDetails: { party },
  } = (await client.post("/v2/parties", { partyIdHint: "alice" })).json();
  client.close();
  const backup = await ledgerline("backup", copy, "--data", data);
  assert.equal(backup.exit, 0);
  assert.ok(backup.out.includes(`ledgerline verify --data '${copy}'`), "as a shell takes it");
  await node.stop();
  const done = await ledgerline("restore", copy, "--data", restored);
  assert.deepEqual([done.exit, done.err], [0, ""]);
  assert.match(done.out, /The ledger up to offset \d+ is in .*restored/);
  const again = await startNodeProcess(["--data", restored]);
  const reader = new Client(again.port);
  assert.ok((await reader.get("/v2/parties")).text.includes(party));
  reader.close();
  await again.stop();

  const refused = await ledgerline("restore", copy, "--data", restored);
  assert.equal(refused.exit, 1);
  assert.match(refused.err, /restored is not empty/);
  assert.match((await ledgerline("restore", join(folder, "nothing"), "--data", join(folder, "x"))).err, /There is no ledger/);
  assert.equal((await ledgerline("restore", copy)).exit, 2);
  const file = join(copy, "data.mdb");
  truncateSync(file, readFileSync(file).length - 8_192);
  const damaged = await ledgerline("restore", copy, "--data", join(folder, "y"));
  assert.equal(damaged.exit, 3);
  assert.ok(!existsSync(join(folder, "y")));
});

test(
  "doctor: a folder of somebody else is told before a start fails on it",
  { skip: process.getuid?.() === 0 ? "root may write everywhere" : false },
  async () => {
    const locked = join(folder, "locked");
    mkdirSync(locked, { mode: 0o500 });
    assert.match((await findings("--data", locked, "--port", "0")).problems, /cannot be written to/);
    chmodSync(locked, 0o700);
  },
);

test("doctor: what a start fails for it says before, by the start's own words where it has some", { timeout: 300_000 }, async (t) => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const garbage = join(folder, "garbage");
  mkdirSync(garbage);
  file("garbage/data.mdb", "x".repeat(8_192));
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  t.after(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const none = join(folder, "there-is-none"),
    pair = ["--tls-cert-chain", testData("tls", "node.pem"), "--tls-private-key", testData("tls", "node.key")],
    tls = [...pair, "--tls-trust-collection"],
    cases: readonly (readonly [flags: readonly string[], sentence: RegExp])[] = [
      [["--auth", `hs256:file:${file("empty", "")}`], /--auth: the secret in .*empty is empty/],
      [["--auth", `es256:${testData("auth", "rs256.crt")}`], /rs256\.crt is not a certificate for ES256/],
      [["--metrics-token", `file:${none}`], /--metrics-token: cannot read the secret in .*none: ENOENT/],
      [["--token-registry", none], /--token-registry: cannot read .*none: ENOENT/],
      [[...tls, join(folder, "empty")], /problem .*empty holds no certificate in PEM\.$/m],
      [[...tls, none], /there-is-none cannot be read/],
      [[...tls, folder], /cannot be read: EISDIR/],
      [["--port-file", join(none, "port")], /port cannot be written: name another file by --port-file/],
      [["--port-file", folder], /cannot be written: name another file by --port-file/],
      [["--dar", file("text.dar", "no DAR")], /text\.dar was refused: /],
      [["--participant", `north=${port}`], new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is taken: .* by --participant north=PORT\\.`)],
      [["--splice", none], /--splice: .*none/],
      [["--splice", none, "--no-automation", "bogus"], /--no-automation bogus: must be one of all, /],
      [["--localnet", none], /--localnet: .*none/],
      [["--data", garbage], /data\.mdb is damaged/],
    ];
  for (const [flags, sentence] of cases) {
    const place = flags.includes("--data") ? [] : ["--memory"],
      ports = flags.includes("--localnet") ? ["--port-shift", "31000"] : ["--port", "0"],
      { exit, problems } = await findings(...place, ...ports, ...flags);
    assert.match(problems, sentence, flags.join(" "));
    assert.equal(exit, 1, flags.join(" "));
  }
});

test("doctor: a key set that nobody serves is a warning, and one that is there is fetched", { timeout: 300_000 }, async (t) => {
  const server = createHttpServer((_, response) => void response.end('{"keys":[]}')).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => void server.close());
  const { port } = server.address() as { port: number },
    at = `http://127.0.0.1:${port}/keys`;
  const { exit, all } = await findings(
    ...["--memory", "--port", "0", "--auth", `jwks:${at}?secret=1`, "--auth", "jwks:http://127.0.0.1:1/keys"],
  );
  assert.equal(exit, 0, all);
  assert.match(all, new RegExp(`^ok {6}The key set at ${at} can be fetched\\.$`, "m"));
  assert.match(all, /^warning The key set at http:\/\/127\.0\.0\.1:1\/keys cannot be fetched \(.*ECONNREFUSED.*\): until it can, /m);
});

test("doctor: what a first start left that did not end is no ledger yet", { timeout: 300_000 }, async () => {
  const data = join(folder, "begun"),
    store = await openStore({ folder: data });
  await store.close();
  const { exit, all } = await findings("--data", data, "--port", "0");
  assert.equal(exit, 0, all);
  assert.match(all, /begun holds what a first start left that did not end: the next one makes a ledger of it\.$/m);
});

test("doctor: a command line that is wrong is that of no start", async () => {
  const { exit, out, err } = await ledgerline("doctor", "--memory", "--auth", "bogus");
  assert.deepEqual([exit, out], [2, ""]);
  assert.match(err, /^--auth: expected none \| hs256:SECRET/);
});

test("doctor: what a start takes, it takes: several participants, a DAR, tokens", { timeout: 300_000 }, async () => {
  const { exit, all } = await findings(
    ...["--memory", "--port", "0", "--participant", "north=0@a", "--synchronizers", "a,b"],
    ...["--dar", testData("quickstart.dar"), "--auth", `rs256:${testData("auth", "rs256.crt")}`, "--auth", "jwks:https://keys.example/set"],
    ...["--host", "0.0.0.0", "--metrics-token", "scrape"],
  );
  assert.equal(exit, 0, all);
  assert.match(all, /With these flags a node gets ready/);
});
