import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Concerned, LedgerEnd } from "../../src/ledger/commit/ledger-end.js";

const parties = (...numbers: number[]): Concerned => new Set(numbers);

/** Readers by name; `woken` are those that woke so far, in order. */
function readers(end: LedgerEnd, concerns: Readonly<Record<string, Concerned>>, signal = new AbortController().signal) {
  const woken: string[] = [];
  for (const [name, concern] of Object.entries(concerns))
    void end.waitBehind(end.offset, concern, 60_000, signal).then(() => woken.push(name));
  return async (): Promise<readonly string[]> => {
    await nextTurn();
    return [...woken].sort();
  };
}

describe("ledger end", () => {
  it("a commit wakes the readers that it concerns and no others", async () => {
    const end = new LedgerEnd(0, 0n);
    const woken = readers(end, { alice: parties(1), bob: parties(2), both: parties(1, 2), none: parties(), all: "all" });
    end.advance(1, 1n, parties(1, 7));
    assert.deepEqual(await woken(), ["alice", "all", "both"]);
    end.advance(2, 2n, parties(2));
    assert.deepEqual(await woken(), ["alice", "all", "bob", "both"]);
    end.close();
    assert.deepEqual(await woken(), ["alice", "all", "bob", "both", "none"]);
  });

  it("a commit that is for every reader wakes every reader", async () => {
    const end = new LedgerEnd(0, 0n);
    const woken = readers(end, { alice: parties(1), none: parties(), all: "all" });
    end.advance(1, 1n, "all");
    assert.deepEqual(await woken(), ["alice", "all", "none"]);
  });

  it("a reader that is behind does not wait, whatever came", async (t) => {
    const end = new LedgerEnd(0, 0n);
    t.after(() => end.close());
    end.advance(1, 1n, parties(1));
    let isThrough = false;
    void end.waitBehind(0, parties(2), 60_000, new AbortController().signal).then(() => (isThrough = true));
    await nextTurn();
    assert.ok(isThrough, "in the same turn");
  });

  it("an aborted reader is forgotten", async () => {
    const end = new LedgerEnd(0, 0n),
      abort = new AbortController();
    const woken = readers(end, { alice: parties(1), all: "all" }, abort.signal);
    abort.abort();
    assert.deepEqual(await woken(), ["alice", "all"]);
    end.advance(1, 1n, parties(1));
    assert.deepEqual(await woken(), ["alice", "all"]);
  });
});
