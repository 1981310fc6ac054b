/** The single executable, in a folder where nothing else is. */
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { makeExecutable, unfitFor } from "../../src/packaging/executable.js";
import { version } from "../../src/version.js";
import { Client } from "../support/node-process.js";
import { repositoryRoot, testData } from "../support/paths.js";
import { inTemporaryFolder, run } from "./npm-package.js";

const unfit = await unfitFor(process.execPath);

describe("executable", { skip: unfit ?? false, timeout: 300_000 }, () => {
  let folder: string, program: string, leave: () => void;

  before(async () => {
    folder = await new Promise<string>((resolve) => {
      void inTemporaryFolder((made) => {
        resolve(made);
        return new Promise<void>((release) => {
          leave = release;
        });
      });
    });
    await makeExecutable({ output: join(folder, "made"), node: process.execPath });
    program = join(folder, "project", "ledgerline");
    copyFileSync(join(folder, "made"), program);
  });
  after(() => leave());

  /** With nothing of this environment but a temporary folder of its own, which is looked at afterwards. */
  const environment = (): Record<string, string> => {
    const temporary = join(folder, "temporary");
    rmSync(temporary, { recursive: true, force: true });
    mkdirSync(temporary);
    return { PATH: "/usr/bin:/bin", TMPDIR: temporary, LEDGERLINE_MAKE_CODE: "check" };
  };
  const left = (): string[] => readdirSync(join(folder, "temporary"));

  async function start(
    args: readonly string[],
  ): Promise<{ readonly child: ChildProcess; readonly port: number; readonly errors: () => string }> {
    const child = spawn(program, ["start", "--port", "0", "--log-level", "error", ...args], {
      cwd: join(folder, "project"),
      env: environment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    child.stderr.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("exit", (code) => reject(new Error(`ended with ${code}: ${text}`)));
    });
    return { child, port: Number(line.split(":").at(-1)), errors: () => text };
  }

  async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
    const exited = once(child, "exit");
    child.kill(signal);
    const [code, by] = (await exited) as [number | null, string | null];
    return code ?? by;
  }

  async function createAsset(client: Client, hint: string): Promise<void> {
    const {
      partyDetails: { party },
    } = (await client.post("/v2/parties", { partyIdHint: hint })).json();
    const created = await client.post("/v2/commands/submit-and-wait", {
      commands: [
        {
          CreateCommand: {
            templateId: "#ref-model:M:Asset",
            createArguments: { issuer: party, owner: party, name: "gold", amount: "100" },
          },
        },
      ],
      commandId: hint,
      actAs: [party],
      userId: "me",
    });
    assert.equal(created.status, 200, created.text);
  }

  async function assets(client: Client): Promise<number> {
    const { offset } = (await client.get("/v2/state/ledger-end")).json();
    const eventFormat = { filtersForAnyParty: { cumulative: [] }, verbose: false };
    return (await client.post("/v2/state/active-contracts", { activeAtOffset: offset, eventFormat })).json().length;
  }

  test("it tells its version and the licences of its parts, and refuses a wrong flag", async () => {
    const env = environment(),
      cwd = join(folder, "project");
    assert.equal((await run(program, ["version"], { cwd, env })).out, `ledgerline ${version}\n`);
    const { out } = await run(program, ["licenses"], { cwd, env });
    for (const name of ["Ledgerline", "lmdb", "uWebSockets.js", "fs-native-extensions", "piscina", "Node.js"])
      assert.match(out, new RegExp(`^${name}`, "m"), name);
    const wrong = await run(program, ["start", "--prot", "1"], { cwd, env });
    assert.deepEqual([wrong.exit, wrong.err], [2, "Unknown flag --prot. Did you mean --port?\n"]);
    assert.deepEqual(left(), []);
  });

  test(
    "where code may be run from no folder, that is one sentence with what to do",
    { skip: spawnSync("unshare", ["-m", "true"]).status === 0 ? false : "needs unshare and the right to mount" },
    () => {
      const env = environment(),
        noCode = "mount -t tmpfs -o noexec none";
      for (const args of [["version"], ["start", "--port", "0"], ["verify", "--data", "ledger"]]) {
        const { status, stdout, stderr } = spawnSync(
          "unshare",
          ["-m", "sh", "-c", `${noCode} /dev/shm && ${noCode} "$TMPDIR" && cd /dev/shm && exec "$@"`, "sh", program, ...args],
          { env, encoding: "utf8", timeout: 30_000 },
        );
        assert.match(stderr, /^lmdb can be loaded from nowhere \(.*\): give a folder that allows .* TMPDIR=\/var\/tmp\.\n$/);
        assert.deepEqual([status, stdout], [1, ""]);
      }
    },
  );

  test("it serves, keeps what it acknowledged when it is killed, backs up, and drains at a signal; nothing is left behind", async (t) => {
    let node = await start(["--data", "ledger", "--dar", testData("quickstart.dar")]);
    for (let round = 1; round <= 3; round++) {
      const client = new Client(node.port);
      await createAsset(client, `alice${round}`);
      assert.equal(await assets(client), round);
      client.close();
      assert.equal(await stop(node.child, "SIGKILL"), "SIGKILL");
      assert.deepEqual(left(), []);
      assert.equal(node.errors(), "", "compiled code that comes along is used");
      node = await start(["--data", "ledger"]);
    }
    const backedUp = await run(program, ["backup", "copy", "--data", "ledger"], { cwd: join(folder, "project"), env: environment() });
    assert.equal(backedUp.exit, 0, backedUp.err);
    assert.equal(await stop(node.child, "SIGTERM"), 0);
    for (const data of ["ledger", "copy"]) {
      const verified = await run(program, ["verify", "--data", data], { cwd: join(folder, "project"), env: environment() });
      assert.equal(verified.exit, 0, verified.err);
      t.diagnostic(verified.out.trim());
    }
  });

  test("a ledger in memory leaves nothing when it is stopped", async () => {
    const { child, port } = await start(["--memory", "--dar", testData("quickstart.dar")]);
    const client = new Client(port);
    await createAsset(client, "bob");
    client.close();
    await stop(child, "SIGTERM");
    assert.deepEqual(left(), []);
  });

  test(
    "it has open, and mapped, nothing but itself, its folder, the system's libraries and files without a name",
    { skip: existsSync("/proc/self/maps") ? false : "no /proc here" },
    async () => {
      const { child, port } = await start(["--data", "ledger"]);
      const client = new Client(port);
      await createAsset(client, "carol");
      client.close();
      const open = readdirSync(`/proc/${child.pid}/fd`).flatMap((name) => {
        try {
          return [readlinkSync(`/proc/${child.pid}/fd/${name}`)];
        } catch {
          return [];
        }
      });
      const mapped = readFileSync(`/proc/${child.pid}/maps`, "utf8")
        .split("\n")
        .map((line) => line.split(/\s+/).slice(5).join(" "));
      const others = [...new Set([...open, ...mapped])].filter(
        (name) =>
          name.startsWith("/")
          && !name.startsWith(join(folder, "project"))
          && !/^\/(?:usr\/)?lib|^\/etc\/ld|^\/dev\/(?:null|urandom)$|\(deleted\)$|^\/proc\/\d+\/task/.test(name),
      );
      assert.deepEqual(others, []);
      assert.equal(await stop(child, "SIGTERM"), 0);
    },
  );

  test("it runs scripts and hostile commands on its threads", async () => {
    const { child, port } = await start(["--memory", "--dar", testData("quickstart.dar")]);
    const client = new Client(port);
    const refused = await client.request("POST", "/v2/dars", Buffer.from("PK\u0003\u0004 no zip"));
    assert.equal(refused.status, 400);
    const page = await client.request("GET", "/", undefined, { accept: "text/html" }),
      built = join(repositoryRoot(), "dist", "console", "page.html");
    if (existsSync(built)) assert.ok(page.bytes.equals(readFileSync(built)), "the console is inside");
    await createAsset(client, "dora");
    client.close();
    assert.equal(await stop(child, "SIGTERM"), 0);
    const scripts = await run(program, ["test", testData("quickstart.dar")], { cwd: join(folder, "project"), env: environment() });
    const fromClone = await run(process.execPath, [join(repositoryRoot(), "dist", "src", "main.js"), "test", testData("quickstart.dar")], {
      cwd: join(folder, "project"),
      env: environment(),
    });
    const withoutTimes = (text: string): string => text.replace(/\d+ ms/g, "some ms");
    assert.match(scripts.out, /\d scripts? of 1 DAR/);
    assert.deepEqual([scripts.exit, withoutTimes(scripts.out), scripts.err], [fromClone.exit, withoutTimes(fromClone.out), fromClone.err]);
  });

  test(
    "executable: it opens nothing outside its data folder but itself and what is the system's",
    { skip: spawnSync("strace", ["-f", "true"]).status === 0 ? false : "no strace here that may trace" },
    async () => {
      const trace = join(folder, "trace"),
        data = join(folder, "traced");
      const child = spawn(
        "strace",
        [
          "-f",
          "--seccomp-bpf",
          "-e",
          "trace=open,openat,openat2,creat",
          "-o",
          trace,
          program,
          "start",
          "--port",
          "0",
          "--log-level",
          "error",
          "--data",
          data,
          "--dar",
          testData("quickstart.dar"),
        ],
        { cwd: join(folder, "project"), env: environment(), stdio: ["ignore", "pipe", "inherit"] },
      );
      const line = await new Promise<string>((resolve, reject) => {
        createInterface({ input: child.stdout! }).once("line", resolve);
        child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
      });
      const client = new Client(Number(line.split(":").at(-1)));
      await createAsset(client, "traced");
      assert.equal((await client.get("/metrics")).status, 200);
      client.close();
      const exited = once(child, "exit"),
        [traced] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
      process.kill(Number(traced), "SIGTERM");
      assert.deepEqual(await exited, [0, null]);
      const opened = [...readFileSync(trace, "utf8").matchAll(/\bopen\w*\((?:AT_FDCWD, )?"([^"]+)".*\) = \d+/g)].map(([, path]) => path!);
      // The folder that holds the data folder is opened to be flushed: what was made in it shall be there after a power cut.
      const isFine = (path: string): boolean =>
        path.startsWith(data)
        || path === folder
        || path === program
        || path === testData("quickstart.dar")
        || /^\/(?:proc|sys|dev|etc|lib|lib64|usr\/(?:lib|lib64|share))(?:\/|$)/.test(path);
      assert.deepEqual([...new Set(opened.filter((path) => !isFine(path)))], []);
      assert.ok(
        opened.some((path) => path.startsWith(data)),
        "the trace is one",
      );
      assert.deepEqual(left(), []);
    },
  );
});
