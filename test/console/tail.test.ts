/** The tail of the ledger without a page around it: what it asks is answered when the test says so. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { client, node } from "../../src/console/state/session.js";
import { rowsMax, Tail } from "../../src/console/state/tail.js";

Object.assign(globalThis, { window: globalThis }); // timers are all that it takes of a browser

const updateAt = (offset: number) => ({ Reassignment: { value: { offset, recordTime: "2026-01-01T00:00:00Z" } } });

interface Page {
  readonly updates: readonly { readonly update: object }[];
  readonly lowestPageOffsetExclusive: number;
  readonly highestPageOffsetInclusive: number;
  readonly nextPageToken: string | null;
}
const noPage: Page = { updates: [], lowestPageOffsetExclusive: 0, highestPageOffsetInclusive: 0, nextPageToken: null };
/** Of these offsets, the newest first. `lowest`: with more up to there. */
const pageOf = (offsets: readonly number[], lowest?: number): Page => ({
  updates: offsets.map((offset) => ({ update: updateAt(offset) })),
  lowestPageOffsetExclusive: lowest ?? 0,
  highestPageOffsetInclusive: offsets[0]!,
  nextPageToken: lowest === undefined ? null : "more",
});

class Stream {
  readonly beginExclusive: number;
  isOpen = true;
  onmessage: (message: { readonly data: string }) => void = () => undefined;
  onclose: (closed: { readonly code: number; readonly reason: string }) => void = () => undefined;

  constructor(beginExclusive: number) {
    this.beginExclusive = beginExclusive;
  }

  close(): void {
    this.isOpen = false;
  }

  tell(offset: number): void {
    this.onmessage({ data: JSON.stringify({ update: updateAt(offset) }) });
  }

  refuse(code: string): void {
    this.onmessage({ data: JSON.stringify({ code, cause: code, context: {}, grpcCodeValue: 9 }) });
    this.onclose({ code: 1000, reason: "" });
  }
}

/** A ledger of so many offsets; nothing that is asked of it is answered before `answer`. */
function follow(t: TestContext, ledger: { end: number; pruned: number }) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const pages: Page[] = [],
    asked: number[] = [],
    streams: Stream[] = [];
  let waiting: { readonly path: string; readonly reply: () => void }[] = [];
  const replies = (path: string): unknown =>
    ({
      "/v2/state/ledger-end": { offset: ledger.end },
      "/v2/parties/participant-id": { participantId: "participant::1" },
      "/v2/state/latest-pruned-offsets": { participantPrunedUpToInclusive: ledger.pruned },
    })[path]
    ?? pages.shift()
    ?? noPage;
  const later = (path: string) => new Promise((resolve) => waiting.push({ path, reply: () => resolve(replies(path)) }));
  const page = (path: string, { endOffsetInclusive }: { readonly endOffsetInclusive: number }) => {
    asked.push(endOffsetInclusive);
    return later(path);
  };
  t.mock.method(client, "get", later as typeof client.get);
  t.mock.method(client, "post", page as unknown as typeof client.post);
  t.mock.method(client, "socket", (_path: string, { beginExclusive }: { readonly beginExclusive: number }) => {
    streams.push(new Stream(beginExclusive));
    return streams.at(-1);
  });
  node.change({ end: ledger.end, participantId: "participant::1" });
  const tail = new Tail();
  return {
    tail,
    streams,
    /** Of updates, in the order in which they are asked for; without one there is nothing. */
    pages,
    /** Up to which offsets pages were asked for. */
    asked,
    offsets: () => tail.rows.map(({ offset }) => offset),
    open: () => streams.filter(({ isOpen }) => isOpen),
    phase: () => tail.state.value.phase,
    /** `path`: of this alone. */
    async answer(path?: string): Promise<void> {
      const due = waiting.filter((each) => path === undefined || each.path.startsWith(path));
      waiting = waiting.filter((each) => !due.includes(each));
      for (const { reply } of due) reply();
      await new Promise(setImmediate);
    },
  };
}

test("tail: one that is left before its first answer opens nothing", async (t) => {
  const { tail, streams, answer } = follow(t, { end: 5, pruned: 0 });
  void tail.begin();
  tail.close();
  await answer();
  assert.deepEqual(streams, []);
});

test("tail: a pause holds, also while it begins or connects anew, and each end of it opens one stream", async (t) => {
  const { tail, open, phase, answer } = follow(t, { end: 5, pruned: 0 });
  void tail.begin();
  tail.pause();
  await answer();
  assert.deepEqual([phase(), open().length], ["paused", 0]);
  tail.resume();
  assert.equal(phase(), "connecting", "so that it can be paused again");
  tail.pause();
  await answer();
  assert.deepEqual([phase(), open().length], ["paused", 0]);
  for (let times = 0; times < 3; times++) {
    tail.resume();
    if (times < 2) tail.pause();
  }
  await answer();
  assert.deepEqual([phase(), open().length], ["live", 1]);
  tail.close();
  assert.equal(open().length, 0);
});

test("tail: one that was left while it connects anew asks no further", async (t) => {
  const { tail, streams, open, answer } = follow(t, { end: 5, pruned: 0 });
  void tail.begin();
  await answer();
  streams[0]!.refuse("ABORTED");
  t.mock.timers.tick(400);
  tail.close();
  await answer();
  t.mock.timers.tick(60_000);
  await answer();
  assert.deepEqual([streams.length, open().length], [1, 0]);
});

test("tail: what was pruned while it was paused is told, and it goes on behind that", async (t) => {
  const ledger = { end: 5, pruned: 0 },
    { tail, streams, phase, answer } = follow(t, ledger);
  void tail.begin();
  await answer();
  tail.pause();
  Object.assign(ledger, { end: 20, pruned: 12 });
  tail.resume();
  await answer();
  assert.deepEqual([phase(), tail.cursor, streams.at(-1)!.beginExclusive], ["live", 12, 12]);
  assert.deepEqual(tail.state.value.pruned, { from: 6, to: 12 });
});

test("tail: a stream that is refused for what was pruned is followed by one behind that, and the failure is over", async (t) => {
  const ledger = { end: 5, pruned: 0 },
    { tail, streams, answer } = follow(t, ledger);
  void tail.begin();
  await answer();
  ledger.end = ledger.pruned = 9;
  streams[0]!.refuse("PARTICIPANT_PRUNED_DATA_ACCESSED");
  assert.equal(tail.state.value.failure?.code, "PARTICIPANT_PRUNED_DATA_ACCESSED");
  t.mock.timers.tick(400);
  await answer();
  assert.deepEqual(
    streams.map(({ beginExclusive }) => beginExclusive),
    [5, 9],
  );
  assert.deepEqual([tail.state.value.failure, tail.state.value.pruned], [undefined, { from: 6, to: 9 }]);
});

test("tail: where what it has reaches beyond what was pruned, nothing is said of it", async (t) => {
  const ledger = { end: 5, pruned: 0 },
    { tail, streams, answer } = follow(t, ledger);
  void tail.begin();
  await answer();
  tail.pause();
  Object.assign(ledger, { end: 20, pruned: 5 });
  tail.resume();
  await answer();
  assert.deepEqual([streams.at(-1)!.beginExclusive, tail.state.value.pruned], [5, undefined]);
});

test("tail: a page that is short because its updates are long is followed by what is older, where it ends", async (t) => {
  const { tail, pages, asked, offsets, answer } = follow(t, { end: 20, pruned: 0 });
  pages.push(pageOf([19, 17], 12), pageOf([12, 4]));
  void tail.begin();
  await answer();
  assert.deepEqual([offsets(), tail.state.value.isAll], [[17, 19], false]);
  void tail.older();
  await answer();
  assert.deepEqual([asked, offsets(), tail.state.value.isAll], [[20, 12], [4, 12, 17, 19], true]);
  void tail.older();
  assert.equal(asked.length, 2);
  tail.close();
});

test("tail: where as many are there as may be, nothing older is read, and what was on its way then is left out", async (t) => {
  const { tail, streams, pages, asked, offsets, answer } = follow(t, { end: 20, pruned: 0 });
  pages.push(pageOf([20], 15), pageOf([15]));
  void tail.begin();
  await answer();
  void tail.older();
  for (let offset = 21; offset <= 20 + rowsMax; offset++) streams[0]!.tell(offset);
  t.mock.timers.tick(80);
  await answer();
  assert.deepEqual([offsets().length, offsets()[0], tail.state.value.isAll], [rowsMax, 21, false]);
  void tail.older();
  await answer();
  assert.deepEqual([asked, offsets()[0]], [[20, 15], 21]);
  tail.close();
});

test("tail: what was asked of a ledger before another took its place is not put to that", async (t) => {
  const ledger = { end: 20, pruned: 0 },
    { tail, streams, pages, asked, offsets, answer } = follow(t, ledger);
  pages.push(pageOf([20], 15));
  void tail.begin();
  await answer();
  void tail.older();
  ledger.end = 3;
  streams[0]!.refuse("ABORTED");
  t.mock.timers.tick(400);
  await answer("/v2/state");
  await answer("/v2/parties");
  pages.push(pageOf([15]), pageOf([3, 2]));
  await answer();
  assert.deepEqual([tail.state.value.wasReplaced, asked, offsets()], [true, [20, 15, 3], [2, 3]]);
  tail.close();
});
