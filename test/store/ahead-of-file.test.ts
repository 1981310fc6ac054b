/** When what is ahead of the file gets there. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../../src/config.js";
import { type AheadCommit, AheadOfFile } from "../../src/store/ahead-of-file.js";
import { TableSums } from "../../src/store/table-sums.js";

let commits = 0;
const commit = (writes: AheadCommit["writes"] = []): AheadCommit => ({
  writes,
  bytes: ++commits,
  sums: new TableSums({ perSet: 1, sets: 1 }),
  place: 0,
});

/** What a file was given, and when it takes it. */
function file(assuredBytes = limits.journalBytes): { readonly ahead: AheadOfFile; readonly given: number[][]; take(): void } {
  const given: number[][] = [],
    taking: (() => void)[] = [];
  const write = (some: readonly AheadCommit[]): Promise<void> => {
    given.push(some.map(({ bytes }) => bytes));
    return new Promise((resolve) => taking.push(resolve));
  };
  const ahead = new AheadOfFile({ write, assuredBytes: () => assuredBytes });
  return { ahead, given, take: () => taking.shift()!() };
}

/** Nothing else has its turn meanwhile. */
function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe("ahead of the file", () => {
  it("each commit gets there once, in order, also where it is asked for in the turn in which it is due", async () => {
    const { ahead, given, take } = file();
    const first = commit(),
      second = commit(),
      third = commit();
    const hurried = new Promise<void>((resolve) =>
      setTimeout(() => {
        busyFor(2 * limits.journalDelayMs);
        ahead.hurry("reader"); // while timers are looked at, so that the next one that is due comes before what follows them
        resolve();
      }, 1),
    );
    const written = [ahead.add(first), ahead.add(second)];
    await hurried;
    await sleep(3 * limits.journalDelayMs);
    assert.deepEqual(given, [[first.bytes, second.bytes]]);
    written.push(ahead.add(third));
    await sleep(3 * limits.journalDelayMs);
    assert.equal(given.length, 1, "one after the other");
    take();
    await Promise.all(written.slice(0, 2));
    await sleep(3 * limits.journalDelayMs);
    assert.deepEqual(given, [[first.bytes, second.bytes], [third.bytes]]);
    take();
    await Promise.all(written);
    assert.ok(ahead.isEmpty);
  });

  it("who hurries while others are written has his with the next, at once", async () => {
    const { ahead, given, take } = file();
    void ahead.add(commit());
    ahead.hurry("reader");
    await sleep(1);
    const late = commit(),
      written = ahead.add(late);
    ahead.hurry("reader");
    take();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    assert.deepEqual(given[1], [late.bytes]);
    take();
    await written;
  });

  const nextTurns = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  it("what nobody waits for gathers until it is much", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { ahead, given, take } = file(),
      writes = new Array<never>(limits.journalWritesMax / 3);
    const written = [ahead.add(commit(writes)), ahead.add(commit(writes))];
    await nextTurns();
    assert.equal(given.length, 0);
    written.push(ahead.add(commit(writes)));
    await nextTurns();
    assert.deepEqual(
      given.map((some) => some.length),
      [3],
    );
    take();
    await Promise.all(written);
    const large = ahead.add({ ...commit(), bytes: limits.journalBytes / 4 });
    await nextTurns();
    assert.equal(given.length, 2, "many bytes are much, too");
    take();
    await large;
    const last = ahead.add(commit());
    t.mock.timers.tick(limits.journalDelayMs - 1);
    assert.equal(given.length, 2);
    t.mock.timers.tick(1);
    assert.equal(given.length, 3, "it does not wait for ever");
    take();
    await last;
  });

  it("so does what has half of the room that there is for sure, and what are many commits", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { ahead, given, take } = file(1_000);
    const small = ahead.add({ ...commit(), bytes: 499 });
    await nextTurns();
    assert.equal(given.length, 0);
    const enough = ahead.add({ ...commit(), bytes: 1 });
    await nextTurns();
    assert.equal(given.length, 1);
    take();
    await Promise.all([small, enough]);
    const many = Array.from({ length: limits.journalCommitsMax }, () => ahead.add({ ...commit(), bytes: 1 }));
    await nextTurns();
    assert.equal(given[1]?.length, limits.journalCommitsMax);
    take();
    await Promise.all(many);
    assert.equal(ahead.bytes, 0);
  });

  it("a commit that waits for the file has what is there hurry, and not what comes behind it", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { ahead, given, take } = file(),
      first = ahead.add(commit());
    ahead.hurry("commit");
    await nextTurns();
    assert.equal(given.length, 1);
    take();
    await first;
    const next = ahead.add(commit());
    await nextTurns();
    assert.equal(given.length, 1);
    t.mock.timers.tick(limits.journalDelayMs);
    take();
    await next;
  });

  it("for a moment after a reader waited the next ones go there at once, and gather again behind that", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let now = 1_000;
    t.mock.method(performance, "now", () => now);
    const { ahead, given, take } = file();
    void ahead.add(commit());
    ahead.hurry("reader");
    await nextTurns();
    take();
    await nextTurns();
    now += limits.journalAtOnceMs - 1;
    void ahead.add(commit());
    await nextTurns();
    assert.equal(given.length, 2);
    take();
    await nextTurns();
    now += 1;
    const last = ahead.add(commit());
    await nextTurns();
    assert.equal(given.length, 2);
    t.mock.timers.tick(limits.journalDelayMs);
    assert.equal(given.length, 3);
    take();
    await last;
  });

  it("once the file refused, whatever is there and whatever comes later hears of it at once", async () => {
    const write = (): Promise<void> => Promise.reject(new Error("Input/output error")),
      ahead = new AheadOfFile({ write, assuredBytes: () => limits.journalBytes }),
      first = ahead.add(commit());
    ahead.hurry("reader");
    const second = ahead.add(commit());
    for (const written of [first, second]) await assert.rejects(written, /Input\/output error/);
    for (const late of [ahead.add(commit()), ahead.inFile()]) await assert.rejects(late, /Input\/output error/);
  });
});
