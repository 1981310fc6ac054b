import assert from "node:assert/strict";
import { fork, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { tryFileLock } from "../../src/base/file-lock.js";
import { lockFileName, ownName } from "../../src/base/lock-holder.js";
import { makeLockedFolder, removeLeftovers } from "../../src/base/locked-folder.js";
import { lockDataFolder, temporaryDataFolder } from "../../src/data-folder.js";
import { tested } from "../support/node-process.js";
import { count } from "../support/knobs.js";
import { temporaryFolder } from "../support/folders.js";

const contender = fileURLToPath(new URL("./lock-contender.js", import.meta.url));
const rounds = count("LEDGERLINE_LOCK_ROUNDS") ?? 8;
const contenders = 8;

interface Outcome {
  readonly owned?: string;
  readonly refused?: string;
}
type Contender = Outcome & { readonly child: ChildProcess };

const folder = (): string => temporaryFolder("lock");

const deadPid = (): number => spawnSync(process.execPath, ["--version"]).pid;

/** What earlier processes, or anything else, left where a lock may be looked for; undefined: what the crash of the last owner left. */
const leftBehind: readonly (readonly [string, ((file: string) => void) | undefined])[] = [
  ["nothing but what a crash leaves", undefined],
  ["the pid of a process that is gone", (file) => writeFileSync(file, `${deadPid()}\n`)],
  ["a pid that another process got: that of the one who starts them all", (file) => writeFileSync(file, `${process.pid}\n`)],
  ["the pid of somebody else's process", (file) => writeFileSync(file, "1\n")],
  ["an empty file", (file) => writeFileSync(file, "")],
  ["binary rubbish", (file) => writeFileSync(file, Buffer.from([0xff, 0x00, 0xfe, 0x31, 0x0a, 0x80]))],
  [
    "a folder",
    (file) => {
      if (file.endsWith(".pid")) mkdirSync(file);
    },
  ],
];

function leave(path: string, what: ((file: string) => void) | undefined): void {
  for (const file of what === undefined ? [] : ["ledgerline.pid", "ledgerline.lock"].map((name) => join(path, name))) {
    rmSync(file, { recursive: true, force: true });
    what!(file);
  }
}

/** All start, all wait for the word, all want a folder at once. */
async function contend(path: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<readonly Contender[]> {
  const children = Array.from({ length: contenders }, () => fork(contender, path, { stdio: "ignore", env }));
  await Promise.all(children.map((child) => once(child, "message")));
  const outcomes = children.map((child) => once(child, "message").then(([outcome]) => ({ ...(outcome as Outcome), child })));
  for (const child of children) child.send("go");
  return Promise.all(outcomes);
}

async function crash(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL"); // nothing is cleaned up
  await exited;
}

const refusals = (outcomes: readonly Outcome[]): readonly string[] => outcomes.flatMap(({ refused }) => refused ?? []);

test(`data folder: of eight processes that start at once exactly one gets it, whatever was left behind (${rounds} rounds; LEDGERLINE_LOCK_ROUNDS)`, async () => {
  const path = folder();
  for (let round = 0; round < rounds; round++) {
    const [text, what] = leftBehind[round % leftBehind.length]!;
    leave(path, what);
    const outcomes = await contend([path]);
    await Promise.all(outcomes.map(({ child }) => crash(child)));
    const refused = refusals(outcomes);
    assert.equal(refused.length, contenders - 1, `round ${round}, ${text}: ${contenders - refused.length} owners`);
    for (const reason of refused) assert.match(reason, /^The ledger in .* is in use by (process \d+|another process)\.$/, text);
  }
});

test("data folder: of eight processes that make it at once exactly one gets it", async () => {
  const outcomes = await contend([join(folder(), "below", "further")]);
  await Promise.all(outcomes.map(({ child }) => crash(child)));
  assert.deepEqual(
    refusals(outcomes).filter((reason) => !/ is in use by /.test(reason)),
    [],
  );
  assert.equal(refusals(outcomes).length, contenders - 1);
});

test("data folder: of eight nodes that start at once exactly one runs, and the others name it", { timeout: 120_000 }, async (t) => {
  const path = folder();
  writeFileSync(join(path, "ledgerline.lock"), `${process.pid}\n`);
  const nodes = Array.from({ length: contenders }, () =>
    spawn(tested.file, [...tested.args, "start", "--port", "0", "--log-level", "silent", "--data", path], {
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  t.after(() => {
    for (const node of nodes) node.kill("SIGKILL");
  });
  const said = await Promise.all(
    nodes.map(async (node) => {
      const streams = [node.stdout, node.stderr].map((stream) => once(stream, "data").then(([chunk]) => String(chunk)));
      return Promise.race(streams);
    }),
  );
  const running = nodes.filter((_, index) => said[index]!.startsWith("Ledgerline is ready."));
  assert.equal(running.length, 1, said.join(""));
  for (const text of said)
    if (!text.startsWith("Ledgerline is ready.")) assert.equal(text, `The ledger in ${path} is in use by process ${running[0]!.pid}.\n`);
});

test("data folder: a lock is seen from another pid namespace, where its holder has no number", (t) => {
  const path = folder(),
    held = lockDataFolder(path);
  t.after(() => held.release());
  const inside = spawnSync("unshare", ["--fork", "--pid", "--mount-proc", tested.file, ...tested.args, "verify", "--data", path], {
    encoding: "utf8",
  });
  if (inside.status === null || /unshare/.test(inside.stderr)) return t.skip("no namespaces can be made here");
  assert.equal(inside.stderr, `The ledger in ${path} is in use by process ${process.pid}.\n`);
});

for (const [text, said] of [
  ["has not told yet that it is the one", ""],
  ["still says what one said that is gone", `${deadPid()} ${hostname()}\n`],
])
  test(`data folder: a holder that ${text} is waited for`, async (t) => {
    const path = folder(),
      lock = tryFileLock(join(path, lockFileName), "create")!;
    t.after(() => lock.release());
    lock.tell(said!);
    const asks = `import { holderOf } from ${JSON.stringify(import.meta.resolve("../../src/base/lock-holder.js"))};
      console.log("asks"); console.log(holderOf(${JSON.stringify(path)}, { waitMs: 60_000, stepMs: 5 }));`;
    const other = spawn(process.execPath, ["--input-type=module", "--eval", asks], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface(other.stdout)[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, "asks");
    await delay(100);
    lock.tell(ownName());
    assert.equal((await lines.next()).value, `process ${process.pid}`);
  });

test("data folder: a holder that tells nothing is waited for only so long", (t) => {
  const path = folder(),
    lock = tryFileLock(join(path, lockFileName), "create")!;
  t.after(() => lock.release());
  assert.throws(() => lockDataFolder(path), { message: `The ledger in ${path} is in use by another process.` });
});

test("data folder: in one process too it is had once, and again after it was released", () => {
  const path = folder(),
    first = lockDataFolder(path);
  assert.throws(() => lockDataFolder(path), { message: `The ledger in ${path} is in use by this process.` });
  first.release();
  lockDataFolder(path).release();
});

test("data folder: where the lock should be there is a folder: that is told in a sentence", () => {
  const path = folder();
  mkdirSync(join(path, "ledgerline.lock"));
  const refused = spawnSync(tested.file, [...tested.args, "start", "--port", "0", "--data", path], { encoding: "utf8" });
  assert.deepEqual([refused.status, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /^.* cannot hold a ledger: EISDIR.*\n$/);
});

test("temporary folders: those of killed nodes are removed by the next; none that is in use, or just being made, ever is", async () => {
  const temporary = folder(),
    env = { ...process.env, TMPDIR: temporary };
  const names = (): string[] => readdirSync(temporary).sort();
  for (let round = 0; round < 2; round++) {
    const outcomes = await contend([], env);
    assert.deepEqual(refusals(outcomes), []);
    const owned = outcomes.map((outcome) => outcome.owned!);
    assert.deepEqual(
      names(),
      owned.map((path) => path.slice(temporary.length + 1)).sort(),
      "its own for each, and none of the round before",
    );
    await Promise.all(outcomes.map(({ child }) => crash(child)));
    assert.equal(owned.every(existsSync), true, "a crash leaves its folder");
  }
});

test("temporary folders: many of one process have one listener of its end, which goes with the last of them", () => {
  const before = process.listenerCount("exit"),
    listeners = (): number => process.listenerCount("exit") - before,
    folders = Array.from({ length: 12 }, temporaryDataFolder);
  assert.equal(listeners(), 1);
  for (const folder of folders.slice(1)) folder.release();
  assert.deepEqual([existsSync(folders[0]!.path), listeners()], [true, 1]);
  folders[0]!.release();
  assert.deepEqual([folders.filter(({ path }) => existsSync(path)), listeners()], [[], 0]);
});

test("temporary folders: what a process left that died while it made one is removed once nobody can be at it any more", () => {
  const prefix = join(folder(), "made-"),
    [old, oldLocked, oldHeld, fresh] = ["AAAAAA", "BBBBBB", "CCCCCC", "DDDDDD"].map((name) => `${prefix}new-${name}`) as [
      string,
      string,
      string,
      string,
    ];
  for (const path of [old, oldLocked, oldHeld, fresh]) mkdirSync(path);
  tryFileLock(join(oldLocked, lockFileName), "create")!.release();
  const lock = tryFileLock(join(oldHeld, lockFileName), "create")!;
  for (const path of [old, oldLocked, oldHeld]) utimesSync(path, 0, 0);
  removeLeftovers(prefix, 60_000);
  assert.deepEqual([old, oldLocked, oldHeld, fresh].map(existsSync), [false, false, true, true]);
  lock.release();
  removeLeftovers(prefix, 60_000);
  assert.deepEqual([oldHeld, fresh].map(existsSync), [false, true]);
});

test("temporary folders: a lock is neither made nor taken where somebody's link leads", { skip: process.platform === "win32" }, () => {
  const at = folder(),
    prefix = join(at, "made-"),
    [halfMade, made] = [`${prefix}new-AAAAAA`, `${prefix}BBBBBB`],
    [nothing, something] = [join(at, "nothing"), join(at, "something")];
  writeFileSync(something, "kept");
  for (const [path, target] of [
    [halfMade, nothing],
    [made, something],
  ] as const) {
    mkdirSync(path);
    symlinkSync(target, join(path, lockFileName));
    utimesSync(path, 0, 0);
  }
  removeLeftovers(prefix, 60_000);
  assert.deepEqual([halfMade, made, something, nothing].map(existsSync), [true, true, true, false]);
  for (const ifMissing of ["create", "fail"] as const) assert.throws(() => tryFileLock(join(made, lockFileName), ifMissing), /ELOOP/);
});

const isRoot = process.getuid?.() === 0;
test("temporary folders: another user's is left alone, also by root", { skip: !isRoot && "only root can make one" }, () => {
  const prefix = join(folder(), "made-"),
    [theirs, own] = [`${prefix}AAAAAA`, `${prefix}BBBBBB`],
    halfMade = `${prefix}new-AAAAAA`;
  for (const path of [theirs, own, halfMade]) {
    mkdirSync(path);
    tryFileLock(join(path, lockFileName), "create")!.release();
    utimesSync(path, 0, 0);
  }
  for (const path of [theirs, halfMade]) chownSync(path, 65_534, 65_534);
  removeLeftovers(prefix, 60_000);
  assert.deepEqual([theirs, halfMade, own].map(existsSync), [true, true, false]);
});

test("temporary folders: a folder has its name only when it is locked, so one without a lock is nobody's", () => {
  const prefix = join(folder(), "made-"),
    { path, lock } = makeLockedFolder(prefix);
  assert.throws(() => lockDataFolder(path), /is in use by this process/);
  assert.match(readFileSync(join(path, "ledgerline.lock"), "utf8"), new RegExp(`^${process.pid} `));
  lock.release();
});
