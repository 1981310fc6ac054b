/** A log whose lines cannot be written: nothing ends for it, and what is lost is counted and told. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import { createLog } from "../../src/telemetry/index.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("log");
const noPipes = process.platform === "win32" ? "no named pipes here" : false;

const messages = (text: string): unknown[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => {
      const { msg, lines } = JSON.parse(line) as { readonly msg: string; readonly lines?: number };
      return lines === undefined ? msg : [msg, lines];
    });
const lost = "lines of the log could not be written and are lost";

/** Both ends in one: whoever writes it reads it. */
function pipe(name: string): number {
  const path = join(folder, name);
  assert.equal(spawnSync("mkfifo", [path]).status, 0);
  return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
}

function drain(descriptor: number): string {
  const bytes = Buffer.alloc(1024 * 1024);
  return bytes.toString("utf8", 0, readSync(descriptor, bytes));
}

test("log: a line that a full disk does not take is dropped and counted, and still told to who asks the node", (t) => {
  let full: number;
  try {
    full = openSync("/dev/full", "w");
  } catch {
    return t.skip("no /dev/full here");
  }
  const log = createLog("info", full);
  log.warn("first");
  log.warn("second");
  assert.equal(log.linesDropped, 2);
  assert.deepEqual(
    log.linesAfter(0).map(({ message }) => message),
    ["first", "second"],
  );
  closeSync(full);
});

test("log: once lines can be written again, the next one begins a line of its own and the lost ones are told", { skip: noPipes }, (t) => {
  const stuck = pipe("stuck"),
    log = createLog("error", stuck),
    filling = Buffer.alloc(4_096, "-");
  assert.throws(() => {
    for (;;) writeSync(stuck, filling);
  }, /EAGAIN/);
  const waits = t.mock.method(Atomics, "wait");
  for (let line = 0; line < 20; line++) log.error("nobody reads this");
  assert.equal(waits.mock.callCount(), limits.logWaitMs / limits.logWaitStepMs, "a reader is waited for once, not for each line");
  assert.equal(log.linesDropped, 20);
  drain(stuck);
  log.error("read again");
  log.error("and on");
  assert.deepEqual(messages(drain(stuck)), ["read again", [lost, 20], "and on"]);
  assert.equal(log.linesDropped, 20);
  closeSync(stuck);
});

test("log: a line that broke off does not swallow the next one", { skip: noPipes }, () => {
  const narrow = pipe("narrow"),
    log = createLog("info", narrow);
  log.info("longer than the pipe", { text: "x".repeat(4 * 1024 * 1024) });
  assert.equal(log.linesDropped, 1);
  const torn = drain(narrow);
  assert.ok(torn.length > 0 && !torn.endsWith("\n"), "it broke off");
  log.info("whole");
  const rest = drain(narrow);
  assert.match(rest, /^\n\{/);
  assert.deepEqual(messages(rest), ["whole", [lost, 1]]);
  closeSync(narrow);
});

test("log: to a file each line is written whole, and nothing is said of lost ones", () => {
  const path = join(folder, "file"),
    file = openSync(path, "a"),
    log = createLog("info", file);
  log.info("one");
  log.debug("below the level");
  log.error("two", { reason: "ä" });
  assert.deepEqual(messages(readFileSync(path, "utf8")), ["one", "two"]);
  assert.equal(log.linesDropped, 0);
  closeSync(file);
});
