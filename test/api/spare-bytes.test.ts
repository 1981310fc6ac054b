/** Memory of replies: of all together, whatever each of them is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { collectList, type ListEnding } from "../../src/api/lists.js";
import { frameBytes, SpareBytes, spareBytes } from "../../src/api/spare-bytes.js";
import { streamList } from "../../src/api/streamed-list.js";
import { sendFrames } from "../../src/api/web-socket.js";
import type { Cursor } from "../../src/base/element-writer.js";
import { limits } from "../../src/config.js";
import { FakeSocket, NumberCursor } from "./support.js";

const long = limits.replyAssuredBytes + 1;

test("memory of replies: it counts what replies have, as they grow and until they give it back", () => {
  const memory = new SpareBytes(4 * long),
    replies = Array.from({ length: 8 }, () => memory.begin());
  assert.equal(memory.isShortFor(long), false);
  for (const reply of replies) reply.bytes(Buffer.alloc(long));
  assert.deepEqual([memory.isShortFor(long), memory.isShortFor(limits.replyAssuredBytes)], [true, false]);
  for (const reply of replies) memory.end(reply);
  assert.equal(memory.isShortFor(long), false);
  for (let times = 0; times < 100; times++) {
    const reply = memory.begin();
    reply.bytes(Buffer.alloc(long));
    memory.end(reply);
  }
  assert.equal(memory.isShortFor(long), false, "what is kept for the next ones counts for nothing");
});

/** Elements of some size without an end. */
const largeElements = (bytes: number): Cursor<never> => ({
  ended: false,
  failure: undefined,
  read(_max, out) {
    out.begin();
    out.text(JSON.stringify("x".repeat(bytes)));
    out.end();
    out.settle();
    return 1;
  },
  wait: async () => undefined,
  close() {},
});

const never = (): AbortSignal => new AbortController().signal,
  ending: ListEnding = {
    limit: 12,
    elementsMax: 200,
    bytesMax: limits.listBytesMax,
    idleMs: undefined,
    signal: never,
    taker: never,
    interruption: () => undefined,
  };

test("memory of replies: where all together have too much, a long list is refused and a short one is not", async () => {
  const longList = () => collectList(largeElements(limits.replyAssuredBytes / 8), ending);
  const ofOthers = spareBytes.take(limits.repliesBytesMax + 1);
  const refused = await longList();
  assert.equal(refused.error?.code, "HEAP_MEMORY_OVER_LIMIT");
  assert.match(refused.error.cause, new RegExp(String(limits.repliesBytesMax)));
  const short = await collectList(new NumberCursor(20), { ...ending, limit: undefined });
  assert.equal(short.ok?.elements, 20);
  short.ok.release();
  spareBytes.give(ofOthers);
  const taken = await longList();
  assert.equal(taken.ok?.elements, 12);
  taken.ok.release();
});

test("memory of replies: what a WebSocket that left did not take is given back, and what a reader that failed had written", async (t) => {
  const taken = t.mock.method(frameBytes, "take"),
    given = t.mock.method(frameBytes, "give");
  const isGivenBack = (): void => assert.deepEqual([taken.mock.callCount() > 0, given.mock.callCount()], [true, taken.mock.callCount()]);
  const socket = new FakeSocket();
  socket.leavesAfter = 3;
  await assert.rejects(sendFrames(new NumberCursor(10), socket, new AbortController().signal), /the socket is closed/);
  isGivenBack();
  const failing = new NumberCursor(10),
    read = failing.read.bind(failing);
  failing.read = (max, out) => {
    read(max, out);
    throw new Error("the reader failed");
  };
  await assert.rejects(sendFrames(failing, new FakeSocket(), new AbortController().signal), /the reader failed/);
  isGivenBack();
});

test("memory of frames: a batch of large elements is short, and where all together have too much a stream waits; lists do not", async () => {
  const sent: number[] = [],
    leaves = new AbortController(),
    socket = new FakeSocket();
  socket.sendAll = async (frames) => {
    sent.push(frames.reduce((bytes, { length }) => bytes + length, 0));
    if (sent.length === 5) leaves.abort();
  };
  const elements = largeElements(limits.streamBatchBytes / 4),
    one = elements.read.bind(elements);
  elements.read = (max, out) => {
    for (let read = 0; read < max; read += 1) void one(1, out);
    return max;
  };
  const ofOthers = frameBytes.take(limits.framesBytesMax + 1),
    sending = sendFrames(elements, socket, leaves.signal);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual([sent, spareBytes.isShortFor(long)], [[], false]);
  frameBytes.give(ofOthers);
  await sending;
  assert.ok(
    sent.slice(1).every((bytes) => bytes <= limits.streamBatchBytes),
    String(sent),
  );
});

test("memory of replies: of many streams that one large element wakes no more begin than there is room for, though all of them asked before", async () => {
  const bytes = limits.framesBytesMax / 8,
    element = Buffer.alloc(bytes - 1_000, "x"),
    leaves = new AbortController();
  let held = 0,
    heldMost = 0;
  let take!: () => void;
  const taken = new Promise<void>((resolve) => (take = resolve));
  /** As a cursor does that gives way. */
  const onceLater = (): Cursor<never> => {
    let isRead = false;
    return {
      get ended() {
        return isRead;
      },
      failure: undefined,
      async read(_max, out) {
        await new Promise((resolve) => setImmediate(resolve));
        if (isRead || out.mayBegin?.() === false) return 0;
        out.begin();
        out.bytes(element);
        out.end();
        out.settle();
        isRead = true;
        return 1;
      },
      wait: () => new Promise(() => undefined), // nothing more will come
      close() {},
    };
  };
  const streams = Array.from({ length: 32 }, () => {
    const socket = new FakeSocket();
    socket.sendAll = async (frames) => {
      held += frames.length;
      heldMost = Math.max(heldMost, held);
      await taken;
      held -= frames.length;
    };
    return sendFrames(onceLater(), socket, leaves.signal);
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(held >= 4 && held <= 10, `${held} hold ${bytes} bytes each`);
  take();
  await Promise.all(streams);
  assert.ok(heldMost <= 10, `${heldMost} held ${bytes} bytes each`);
  assert.ok(frameBytes.hasRoom);
});

test("memory of replies: a list as long as its client wants, of which nobody reads a piece, is over and gives back what it has", async (t) => {
  const taken = t.mock.method(spareBytes, "take"),
    given = t.mock.method(spareBytes, "give"),
    cursor = new NumberCursor(10);
  let isDone = false;
  const pieces = await streamList(cursor, ending, () => (isDone = true));
  assert.ok(pieces.error === undefined);
  await pieces.ok.return(undefined);
  assert.deepEqual([cursor.closed, isDone], [true, true]);
  assert.deepEqual([taken.mock.callCount() > 0, given.mock.callCount()], [true, taken.mock.callCount()]);
});

test("spare bytes: who waits for room gets it in order once there is some, or goes when nobody wants it any more", async () => {
  const bytes = new SpareBytes(100_000),
    went: string[] = [],
    open = new AbortController().signal,
    leaves = new AbortController();
  const wait = (name: string, until: AbortSignal): void => void bytes.room(until).then(() => went.push(name));
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
  wait("at once", open);
  await settled();
  const held = bytes.take(200_000);
  wait("first", open);
  wait("leaver", leaves.signal);
  wait("second", open);
  await settled();
  leaves.abort();
  await settled();
  assert.deepEqual(went, ["at once", "leaver"]);
  bytes.give(held);
  await settled();
  assert.deepEqual(went, ["at once", "leaver", "first", "second"]);
});
