/** What whoever runs a node meets beside the ledger: secrets that stay secret, who reads the figures, the log of a start and a stop. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import { good, hs256 } from "../auth/tokens.js";
import { eventually } from "../http/harness.js";
import { Client, startNodeProcess, tested } from "../support/node-process.js";
import { repositoryRoot, testData } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("operator");
const { version: packageVersion } = JSON.parse(readFileSync(join(repositoryRoot(), "package.json"), "utf8")) as { version: string };
const file = (name: string, text: string, mode: number): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

const bearer = (text: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${text}` });
const token = (secret: string, sub: string): Readonly<Record<string, string>> => bearer(hs256(good(sub), secret));

async function statuses(port: number, path: string, credentials: readonly Readonly<Record<string, string>>[]): Promise<readonly number[]> {
  const client = new Client(port);
  try {
    return await Promise.all(credentials.map(async (headers) => (await client.request("GET", path, undefined, headers)).status));
  } finally {
    client.close();
  }
}

const logged = (stderr: string, message: string): Record<string, unknown> => {
  const line = stderr.split("\n").find((text) => text.includes(`"msg":"${message}"`));
  assert.ok(line !== undefined, `no line ${message} in ${stderr}`);
  return JSON.parse(line) as Record<string, unknown>;
};

test("operator: secrets may stand in files, which others should not be able to read; the log names what is served, how and to whom, and no secret", async () => {
  const secret = file("secret", "from a file\n", 0o600),
    open = file("open-secret", "metrics!\r\n", 0o644),
    data = join(folder, "ledger");
  const services = ["--auth", `hs256:file:${secret}`, "--auth", "jwks:https://keys.example/set"];
  const node = await startNodeProcess([
    "--data",
    data,
    "--log-level",
    "info",
    "--transport",
    "node",
    ...services,
    "--metrics-token",
    `file:${open}`,
  ]);
  const admin = token("from a file", "participant_admin");
  assert.deepEqual(
    await statuses(node.port, "/v2/users", [
      admin,
      token("from a file\n", "participant_admin"),
      token(`file:${secret}`, "participant_admin"),
      bearer("metrics!"),
    ]),
    [200, 401, 401, 401],
  );
  assert.deepEqual(await statuses(node.port, "/metrics", [{}, bearer("metrics"), bearer("metrics!"), admin]), [401, 401, 200, 200]);
  assert.equal(await node.stop("SIGINT"), 0);
  await eventually("the last line is read", () => node.stderr().includes("stopped"));
  const start = logged(node.stderr(), "listening"),
    stop = logged(node.stderr(), "stopped");
  assert.deepEqual(
    [start["version"], start["data"], start["auth"], start["transport"], start["host"], start["port"]],
    [packageVersion, data, "hs256,jwks", "node", "127.0.0.1", node.port],
  );
  assert.deepEqual([logged(node.stderr(), "stopping")["why"], stop["drained"], typeof stop["tookMs"]], ["SIGINT", true, "number"]);
  assert.match(node.stderr(), /open-secret holds a secret and can be read by other users: chmod 600/);
  assert.doesNotMatch(node.stderr(), /\/secret holds|arguments|from a file|metrics!|keys\.example/);
});

test("operator: where there are tokens, the figures are an admin's; a secret among the arguments is warned of", async () => {
  const node = await startNodeProcess(["--memory", "--auth", "hs256:among-arguments"]);
  const client = new Client(node.port),
    as = (sub: string) => token("among-arguments", sub);
  assert.equal((await client.request("POST", "/v2/users", { user: { id: "reader" }, rights: [] }, as("participant_admin"))).status, 200);
  client.close();
  assert.deepEqual(
    await statuses(node.port, "/metrics", [{}, bearer("x"), token("other", "participant_admin"), as("reader"), as("participant_admin")]),
    [401, 401, 401, 403, 200],
  );
  assert.deepEqual(await statuses(node.port, "/livez", [{}]), [200]);
  await node.stop();
  assert.match(node.stderr(), /the secret of --auth is among the arguments/);
  assert.doesNotMatch(node.stderr(), /among-arguments/);
});

test("operator: without tokens the figures may have one of their own, which opens nothing else", async () => {
  const node = await startNodeProcess(["--memory", "--metrics-token", "scrape"]);
  assert.deepEqual(await statuses(node.port, "/metrics", [{}, bearer("x"), bearer("scrape")]), [401, 401, 200]);
  assert.deepEqual(await statuses(node.port, "/v2/users", [{}]), [200]);
  await node.stop();
  assert.match(node.stderr(), /the secret of --metrics-token is among the arguments/);
});

const hasShell = process.platform !== "win32";

for (const [how, signalled] of [
  ["npm alone", "SIGTERM"],
  ["its whole group, as a terminal does", "SIGINT"],
] as const) {
  test(
    `operator: npm start hands ${signalled} on: sent to ${how}, the node drains, and npm ends after it`,
    { skip: hasShell ? false : "npm start needs a POSIX shell", timeout: 300_000 },
    async () => {
      const npm = spawn("npm", ["start", "--silent", "--", "--memory", "--port", "0"], {
        cwd: repositoryRoot(),
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      let out = "",
        err = "";
      npm.stderr.on("data", (chunk: Buffer) => {
        err += chunk.toString();
      });
      await new Promise<void>((resolve, reject) => {
        npm.stdout.on("data", (chunk: Buffer) => {
          if ((out += chunk.toString()).includes("is ready")) resolve();
        });
        npm.once("exit", (code) => reject(new Error(`npm ended with ${code}: ${err}`)));
      });
      const port = Number(/:(\d+)\n/.exec(out)?.[1]);
      const ended = new Promise((resolve) => npm.once("close", (code, signal) => resolve(code ?? signal)));
      try {
        process.kill(how === "npm alone" ? npm.pid! : -npm.pid!, signalled);
        assert.equal(await Promise.race([ended, sleep(120_000, "still there", { ref: false })]), 0, err);
        assert.equal(logged(err, "stopped")["drained"], true);
        assert.equal(logged(err, "stopping")["why"], signalled);
        await assert.rejects(statuses(port, "/livez", [{}]), /ECONNREFUSED/);
      } finally {
        try {
          process.kill(-npm.pid!, "SIGKILL");
        } catch {
          /* all of it is gone, as it should be */
        }
      }
    },
  );
}

test("operator: git does not see the ledger that npm start makes", () => {
  const asked = spawnSync("git", ["check-ignore", "-q", "ledgerline-data/store"], { cwd: repositoryRoot() });
  if (asked.error === undefined && asked.status !== 128) assert.equal(asked.status, 0);
  assert.match(readFileSync(join(repositoryRoot(), ".gitignore"), "utf8"), /^ledgerline-data\/$/m);
});

test("operator: SIGHUP reads secrets and the log level again, all of it or nothing", async () => {
  const secret = file("changing-secret", "first\n", 0o600),
    config = file("flags.json", JSON.stringify({ auth: [`hs256:file:${secret}`], "log-level": "info" }), 0o600);
  const node = await startNodeProcess(["--memory", "--config", config]);
  const who = (): Promise<readonly number[]> =>
    statuses(node.port, "/v2/users", [token("first", "participant_admin"), token("second", "participant_admin")]);
  const logs = (message: string): number =>
    node
      .stderr()
      .split("\n")
      .filter((line) => line.includes(`"msg":"${message}"`)).length;
  try {
    assert.deepEqual(await who(), [200, 401]);
    file("changing-secret", "second\n", 0o600);
    assert.deepEqual(await who(), [200, 401]);
    node.child.kill("SIGHUP");
    await eventually("it is read", () => logs("read again") === 1);
    assert.deepEqual(await who(), [401, 200]);

    file("changing-secret", "", 0o600);
    node.child.kill("SIGHUP");
    await eventually("it is told", () => logs("nothing was read again: what was there goes on") === 1);
    assert.deepEqual(await who(), [401, 200]);

    file("changing-secret", "first\n", 0o600);
    file("flags.json", JSON.stringify({ auth: [`hs256:file:${secret}`], "log-level": "loud" }), 0o600);
    node.child.kill("SIGHUP");
    await eventually("it is told again", () => logs("nothing was read again: what was there goes on") === 2);
    assert.match(node.stderr(), /"reason":"[^"]*log-level[^"]*loud/);
    assert.deepEqual(await who(), [401, 200]);

    file("flags.json", JSON.stringify({ auth: [`hs256:file:${secret}`], "log-level": "error" }), 0o600);
    node.child.kill("SIGHUP");
    await eventually("it is read once more", async () => (await who())[0] === 200);
    assert.equal(logs("read again"), 1, "and at this level nothing more is told of it");
  } finally {
    assert.equal(await node.stop(), 0);
  }
});

test("operator: TLS is served at all doors, SIGHUP exchanges its certificate, and what does not go together is told", async () => {
  const sample = (name: string): string => readFileSync(join(repositoryRoot(), "test/data/tls", name), "utf8"),
    certChain = file("tls.pem", sample("node.pem"), 0o644),
    privateKey = file("tls.key", sample("node.key"), 0o640),
    portFile = join(folder, "tls-ports"),
    flags = ["--memory", "--tls-cert-chain", certChain, "--tls-private-key", privateKey];
  const node = await startNodeProcess([...flags, "--log-level", "info", "--participant", "second=0", "--port-file", portFile]);
  const told = (text: string): boolean => node.stderr().includes(text);
  /** Whose certificate it is. */
  const answers = async (port: number): Promise<string> => {
    const asked = https.get({ host: "127.0.0.1", port, path: "/livez", ca: sample("authority.pem"), agent: false });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    response.resume();
    assert.equal(response.statusCode, 200);
    return (response.socket as TLSSocket).getPeerCertificate().subject.CN;
  };
  try {
    const ports = readFileSync(portFile, "utf8").match(/\d+/g)!.map(Number);
    assert.deepEqual(await Promise.all(ports.map(answers)), ["node of before", "node of before"]);
    assert.ok(told("holds a private key and can be read by other users: chmod 600"));

    file("tls.pem", sample("renewed.pem"), 0o644);
    node.child.kill("SIGHUP");
    await eventually("it is told", () => told("nothing was read again: what was there goes on"));
    assert.ok(told(`TLS cannot be served with ${certChain}, ${privateKey}`));
    assert.equal(await answers(node.port), "node of before");

    file("tls.key", sample("renewed.key"), 0o600);
    node.child.kill("SIGHUP");
    await eventually("it is read", () => told('"msg":"read again"'));
    assert.deepEqual(await Promise.all(ports.map(answers)), ["node of after", "node of after"]);
  } finally {
    assert.equal(await node.stop(), 0);
  }

  const refusalFor = (trusted: string): string => {
    const refused = spawnSync(tested.file, [...tested.args, "start", ...flags, "--tls-trust-collection", trusted]);
    assert.equal(refused.status, 1);
    return refused.stderr.toString();
  };
  assert.match(refusalFor(join(folder, "nowhere.pem")), /^--tls-trust-collection: cannot read .*nowhere\.pem: ENOENT/m);
  assert.match(refusalFor(privateKey), /^--tls-trust-collection: .*tls\.key holds no certificate in PEM\.$/m);
});

test("operator: a trust collection that was emptied is not read again, and clients that the one before trusts are let in", async () => {
  const sample = (name: string): string => testData("tls", name),
    text = (name: string): string => readFileSync(sample(name), "utf8"),
    trusted = file("trusted.pem", text("authority.pem"), 0o644),
    pair = ["--tls-cert-chain", sample("node.pem"), "--tls-private-key", sample("node.key")];
  const node = await startNodeProcess(["--memory", ...pair, "--tls-trust-collection", trusted]);
  const answers = async (): Promise<number | undefined> => {
    const identity = { ca: text("authority.pem"), cert: text("client.pem"), key: text("client.key") },
      asked = https.get({ host: "127.0.0.1", port: node.port, path: "/livez", agent: false, ...identity });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  try {
    assert.equal(await answers(), 200);
    file("trusted.pem", "", 0o644);
    node.child.kill("SIGHUP");
    await eventually("it is told", () => node.stderr().includes("nothing was read again: what was there goes on"));
    assert.match(node.stderr(), /"reason":"--tls-trust-collection: [^"]*trusted\.pem holds no certificate in PEM\."/);
    assert.equal(await answers(), 200);
  } finally {
    assert.equal(await node.stop(), 0);
  }
});

/** Of a node whose lines go there, in place of somewhere with room. */
async function startWithFull(streams: readonly ("stdout" | "stderr")[], portFile: string) {
  const full = openSync("/dev/full", "w"),
    args = ["start", "--memory", "--port", "0", "--port-file", portFile];
  const child = spawn(tested.file, [...tested.args, ...args], {
    stdio: ["ignore", streams.includes("stdout") ? full : "ignore", streams.includes("stderr") ? full : "pipe"],
  });
  closeSync(full);
  const exited = once(child, "exit");
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await eventually("it is ready", () => existsSync(portFile) || child.exitCode !== null);
  assert.equal(child.exitCode, null, stderr);
  return { child, exited, port: Number(readFileSync(portFile, "utf8")), stderr: () => stderr };
}

for (const streams of [["stdout"], ["stderr"], ["stdout", "stderr"]] as const) {
  const named = streams.join(" and ");
  test(
    `operator: a node goes on where ${named} cannot be written to, and ends as others do`,
    { skip: existsSync("/dev/full") ? false : "no /dev/full here" },
    async () => {
      const node = await startWithFull(streams, join(folder, `port-without-${named}`));
      try {
        node.child.kill("SIGHUP"); // which the log tells
        const client = new Client(node.port),
          dropped = async (): Promise<string> => /^ledgerline_log_lines_dropped .*$/m.exec((await client.get("/metrics")).text)![0];
        if (streams.some((stream) => stream === "stderr")) await eventually("it is counted", async () => !(await dropped()).endsWith(" 0"));
        else {
          await eventually("it is read again", () => node.stderr().includes('"msg":"read again"'));
          await eventually("it is told", () => node.stderr().includes("The ready line cannot be written: ENOSPC"));
          assert.equal(await dropped(), "ledgerline_log_lines_dropped 0");
        }
        assert.deepEqual(await statuses(node.port, "/livez", [{}]), [200]);
        client.close();
      } finally {
        node.child.kill("SIGTERM");
      }
      assert.deepEqual(await node.exited, [0, null]);
    },
  );
}

test("operator: a second signal ends a node that drains and says so, but for one that follows the first at once", async () => {
  const node = await startNodeProcess(["--memory"]),
    socket = connect(node.port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write("POST /v2/parties HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{");
  await sleep(100);
  node.child.kill("SIGTERM");
  await sleep(100);
  node.child.kill("SIGTERM");
  await sleep(limits.sameSignalMs + 200);
  assert.deepEqual([node.child.exitCode, node.child.signalCode], [null, null]);
  const exited = once(node.child, "exit");
  node.child.kill("SIGTERM");
  assert.deepEqual(await exited, [1, null]);
  assert.match(node.stderr(), /^Asked to stop once more, the node ends before what runs has ended\.$/m);
  socket.destroy();
});

test("operator: a node goes on when who read its log is gone", async () => {
  const node = await startNodeProcess(["--memory", "--log-level", "info"]);
  (node.child.stderr as Readable).destroy();
  for (let times = 0; times < 3; times++) node.child.kill("SIGHUP");
  await sleep(100);
  assert.deepEqual(await statuses(node.port, "/livez", [{}]), [200]);
  assert.equal(await node.stop(), 0);
});

test(
  "operator: a SIGHUP that comes before the node is ready does not end it, and is heeded once it is",
  { skip: hasShell ? false : "no signals" },
  async () => {
    const pipe = join(folder, "slow.dar"),
      portFile = join(folder, "port-after-sighup");
    assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
    const node = spawn(tested.file, [...tested.args, "start", "--memory", "--port", "0", "--port-file", portFile, "--dar", pipe], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    node.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const exited = once(node, "exit");
    const dar = await open(pipe, "w"); // it is read now, and nothing else goes on
    node.kill("SIGHUP");
    await dar.writeFile(readFileSync(testData("quickstart.dar")));
    await dar.close();
    await eventually("it is ready", () => existsSync(portFile) || node.exitCode !== null || node.signalCode !== null);
    await eventually("it is read", () => stderr.includes('"msg":"read again"'));
    node.kill("SIGTERM");
    assert.deepEqual(await exited, [0, null]);
  },
);
