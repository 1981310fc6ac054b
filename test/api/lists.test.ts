import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cursor } from "../../src/base/element-writer.js";
import { ok } from "../../src/base/result.js";
import { noAuthentication, type Authentication } from "../../src/auth/index.js";
import type { RequestFailure } from "../../src/api/errors.js";
import { collectList } from "../../src/api/lists.js";
import { ledgerError } from "../../src/ledger/model/errors.js";
import type { LedgerErrorData } from "../../src/ledger/model/model.js";
import { apiWith, NumberCursor, played, request } from "./support.js";

const eventFormat = { filtersForAnyParty: {} };
const updateFormat = { includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } };
const bounded = { beginExclusive: 0, endInclusive: 7, updateFormat };
const open = { beginExclusive: 0, updateFormat };

async function updates(cursor: NumberCursor, query: string, body: unknown = bounded, authentication = noAuthentication) {
  const answer = await request(apiWith({ openUpdates: () => ok(cursor) }, { authentication }), "POST", "/v2/updates", { query, body });
  assert.ok(cursor.closed, "the cursor is released");
  return answer;
}
const never = (): AbortSignal => new AbortController().signal;
const lengthOf = (text: string): number => (JSON.parse(text) as readonly unknown[]).length;

test("lists: a bounded stream is one JSON array", async () => {
  const answer = await updates(new NumberCursor(3), "");
  assert.equal(answer.status, 200);
  assert.equal(answer.contentType, "application/json");
  assert.equal(answer.text, '[{"n":0},{"n":1},{"n":2}]');
});

for (const limit of ["0", "-3"])
  test(`lists: limit ${limit} gives an empty list, for which the ledger is not asked`, async () => {
    for (const [path, body] of [
      ["/v2/updates", {}],
      ["/v2/state/active-contracts", { activeAtOffset: 99_999_999 }],
      ["/v2/commands/completions", { userId: "u", parties: [] }],
    ] as const) {
      const answer = await request(apiWith({}), "POST", path, { body, query: `limit=${limit}` });
      assert.deepEqual([answer.status, answer.text], [200, "[]"], path);
    }
  });

test("lists: a limit within the node's cuts silently", async () => {
  const answer = await updates(new NumberCursor(300), "limit=200");
  assert.equal(answer.status, 200);
  assert.equal(lengthOf(answer.text), 200);
});

test("lists: exactly the node's limit without asking for one is fine", async () => {
  assert.equal(lengthOf((await updates(new NumberCursor(200), "")).text), 200);
});

for (const query of ["", "limit=201", "limit=100000"])
  test(`lists: more than the node's limit with "${query}" is 413 with the code that clients know`, async () => {
    const answer = await updates(new NumberCursor(300), query);
    assert.equal(answer.status, 413);
    const body = JSON.parse(answer.text) as Record<string, unknown>;
    assert.equal(body["code"], "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED");
    assert.deepEqual([body["errorCategory"], body["grpcCodeValue"], body["retryInfo"], body["definiteAnswer"]], [2, 10, "1 second", false]);
  });

test("lists: one that takes more bytes than the node allows is refused before it is read to its end", async () => {
  const cursor = new NumberCursor(10_000),
    ending = { limit: undefined, elementsMax: 20_000, idleMs: undefined, signal: never, taker: never, interruption: () => undefined },
    refused = await collectList(cursor, { ...ending, bytesMax: 1_000 });
  assert.equal(refused.error?.code, "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED");
  assert.match(refused.error.cause, /take more bytes than the node limit \(1000\)/);
  const withTheLast = await collectList(new NumberCursor(10_000), { ...ending, limit: 200, bytesMax: 1_000 });
  assert.match(withTheLast.error!.cause, /take more bytes than the node limit \(1000\)/);
  const taken = await collectList(new NumberCursor(50), { ...ending, bytesMax: 1_000 });
  assert.equal(lengthOf(Buffer.from(taken.ok!.finish()).toString()), 50);
});

test("lists: a limit above the node's is no matter while there are few elements", async () => {
  assert.equal(lengthOf((await updates(new NumberCursor(5), "limit=5000")).text), 5);
});

test("lists: an open stream ends after the node's quiet time", { timeout: 60_000 }, async () => {
  const answer = await updates(new NumberCursor(1, { endless: true }), "", open);
  assert.equal(lengthOf(answer.text), 1);
});

test("lists: each element restarts the quiet time", async (t) => {
  let nowMs = 0;
  t.mock.method(performance, "now", () => nowMs);
  const pass = (ms: number): void => void (nowMs += ms),
    cursor = new NumberCursor(0, { laterMs: [25, 25, 25, 25], endless: true, pass });
  assert.equal(lengthOf((await updates(cursor, "stream_idle_timeout_ms=60", open)).text), 4);
  assert.equal(nowMs, 4 * 25 + 60);
});

test("lists: stream_idle_timeout_ms also ends a bounded stream", async () => {
  const answer = await updates(new NumberCursor(1, { endless: true }), "stream_idle_timeout_ms=10", bounded);
  assert.equal(lengthOf(answer.text), 1);
});

test("lists: a bounded stream waits beyond the node's quiet time for its end", async () => {
  const answer = await updates(new NumberCursor(1, { laterMs: [80] }), "", bounded);
  assert.equal(lengthOf(answer.text), 2);
});

test("lists: reaching the limit ends an open stream at once", async () => {
  const answer = await updates(new NumberCursor(9, { endless: true }), "limit=2&stream_idle_timeout_ms=60000", open);
  assert.equal(lengthOf(answer.text), 2);
});

/** Of a token that is over when the given says so. */
const tokenThat = (isOver: () => boolean): Authentication => ({
  ...noAuthentication,
  watch: () => ({
    signal: never(),
    end: undefined,
    tokenEnd: () => (isOver() ? { reason: "tokenExpired", expiresAtSeconds: 1_800_000_000, nowMs: 1_800_000_001_500 } : undefined),
    close: () => undefined,
  }),
});

test("lists: what came before the token ended is answered once nothing more came; what comes later is refused", async (t) => {
  let nowMs = 0;
  t.mock.method(performance, "now", () => nowMs);
  const pass = (ms: number): void => void (nowMs += ms);
  for (const [laterMs, lastsMs, status, elements] of [
    [[], 10, 200, 1],
    [[25], 30, 200, 2],
    [[25, 25], 30, 409, undefined],
    [[25], 10, 409, undefined],
  ] as const) {
    nowMs = 0;
    const cursor = new NumberCursor(1, { laterMs, endless: true, pass }),
      answer = await updates(
        cursor,
        "stream_idle_timeout_ms=60",
        open,
        tokenThat(() => nowMs >= lastsMs),
      );
    assert.deepEqual([answer.status, status === 200 ? lengthOf(answer.text) : undefined], [status, elements]);
    if (status === 409) assert.equal(JSON.parse(answer.text).code, "ACCESS_TOKEN_EXPIRED");
    else assert.equal(nowMs, laterMs.length * 25 + 60);
  }
});

const wanting = (elementsMax: number): Readonly<Record<string, string>> => ({ "ledgerline-list-elements-max": String(elementsMax) });

/** A list that is sent while it is read, to its end or to where it broke off. */
async function streamed(
  cursor: Cursor<RequestFailure>,
  headers: Readonly<Record<string, string>>,
  query = "",
  authentication = noAuthentication,
): Promise<{ readonly text: string; readonly broken: unknown; readonly headers: Readonly<Record<string, string>> }> {
  const route = apiWith({ openUpdates: () => ok(cursor as Cursor<LedgerErrorData>) }, { authentication }).routes.find(
    ({ method, path }) => method === "POST" && path === "/v2/updates",
  );
  const reply = await played(route!, {
    method: "POST",
    path: "/v2/updates",
    query,
    headers: new Map(Object.entries(headers)),
    params: {},
    body: Buffer.from(JSON.stringify(bounded)),
    signal: new AbortController().signal,
  });
  let text = "",
    broken: unknown;
  try {
    for await (const piece of reply.body as AsyncIterable<Uint8Array>) text += Buffer.from(piece).toString();
  } catch (error) {
    broken = error;
  }
  return { text, broken, headers: reply.headers ?? {} };
}

for (const elements of [0, 1, 256, 257, 5_000])
  test(`lists: a client that wants more gets ${elements} elements as one array, sent in pieces`, async () => {
    const cursor = new NumberCursor(elements);
    const { text, broken } = await streamed(cursor, wanting(100_000));
    assert.equal(broken, undefined);
    assert.deepEqual(
      (JSON.parse(text) as readonly { readonly n: number }[]).map(({ n }) => n),
      Array.from({ length: elements }, (_, n) => n),
    );
    assert.ok(cursor.closed, "the cursor is released");
  });

test("lists: a limit cuts a sent list too, and both kinds tell of it", async () => {
  const sent = await streamed(new NumberCursor(1_000), wanting(100_000), "limit=300");
  assert.deepEqual([lengthOf(sent.text), sent.headers["ledgerline-list-limit"]], [300, "300"]);
  const collected = await updates(new NumberCursor(30), "limit=20");
  assert.deepEqual([lengthOf(collected.text), collected.headers["ledgerline-list-limit"]], [20, "20"]);
  assert.equal((await updates(new NumberCursor(3), "limit=20")).headers["ledgerline-list-limit"], undefined);
});

test("lists: more than the client wants, or a failure on the way, breaks a sent list off", async () => {
  const tooMany = await streamed(new NumberCursor(1_000), wanting(999));
  assert.match(String(tooMany.broken), /JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED/);
  const failing = new NumberCursor(1_000),
    read = failing.read.bind(failing);
  let reads = 0;
  const cursor: Cursor<RequestFailure> = {
    read: (max, out) => (++reads > 2 ? 0 : read(max, out)),
    wait: () => Promise.resolve(),
    close: () => failing.close(),
    get ended() {
      return reads > 2;
    },
    get failure() {
      return reads > 2 ? ledgerError("PARTICIPANT_PRUNED_DATA_ACCESSED", "gone") : undefined;
    },
  };
  const overtaken = await streamed(cursor, wanting(100_000));
  assert.match(String(overtaken.broken), /PARTICIPANT_PRUNED_DATA_ACCESSED/);
  assert.throws(() => JSON.parse(overtaken.text), "a part is no list");
  assert.ok(failing.closed, "the cursor is released");
});

test("lists: a sent list ends well behind the end of its token, unless more comes", async () => {
  for (const [laterMs, isBroken] of [
    [[], false],
    [[1], true],
  ] as const) {
    let pieces = 0;
    const cursor = new NumberCursor(2, { laterMs, endless: true }),
      read = cursor.read.bind(cursor);
    cursor.read = (max, out) => {
      const elements = read(max, out);
      if (elements > 0) pieces++;
      return elements;
    };
    const authentication = tokenThat(() => pieces > 1),
      { text, broken } = await streamed(cursor, wanting(1_000), "stream_idle_timeout_ms=20", authentication);
    assert.equal(broken !== undefined, isBroken);
    if (isBroken) assert.match(String(broken), /ACCESS_TOKEN_EXPIRED/);
    else assert.equal(lengthOf(text), 2);
  }
});

test("lists: what fails before the first element of a sent list is an answer", async () => {
  const cursor: Cursor<RequestFailure> = {
    read: () => 0,
    ended: true,
    failure: ledgerError("PARTICIPANT_PRUNED_DATA_ACCESSED", "gone"),
    wait: () => Promise.resolve(),
    close: () => undefined,
  };
  const answer = await request(apiWith({ openUpdates: () => ok(cursor as Cursor<LedgerErrorData>) }), "POST", "/v2/updates", {
    body: bounded,
    headers: wanting(1_000),
  });
  assert.deepEqual([answer.status, JSON.parse(answer.text).code], [400, "PARTICIPANT_PRUNED_DATA_ACCESSED"]);
});
