import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../../src/base/result.js";
import { apiWith, NumberCursor, request } from "./support.js";

const eventFormat = { filtersForAnyParty: {} };
const updateFormat = { includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } };
const bounded = { beginExclusive: 0, endInclusive: 7, updateFormat };
const open = { beginExclusive: 0, updateFormat };

async function updates(cursor: NumberCursor, query: string, body: unknown = bounded) {
  const answer = await request(apiWith({ openUpdates: () => ok(cursor) }), "POST", "/v2/updates", { query, body });
  assert.ok(cursor.closed, "the cursor is released");
  return answer;
}
const lengthOf = (text: string): number => (JSON.parse(text) as readonly unknown[]).length;

test("lists: a bounded stream is one JSON array", async () => {
  const answer = await updates(new NumberCursor(3), "");
  assert.equal(answer.status, 200);
  assert.equal(answer.contentType, "application/json");
  assert.equal(answer.text, '[{"n":0},{"n":1},{"n":2}]');
});

for (const limit of ["0", "-3"])
  test(`lists: limit ${limit} gives an empty list`, async () => assert.equal((await updates(new NumberCursor(3), `limit=${limit}`)).text, "[]"));

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

test("lists: a limit above the node's is no matter while there are few elements", async () => {
  assert.equal(lengthOf((await updates(new NumberCursor(5), "limit=5000")).text), 5);
});

test("lists: an open stream ends after the node's quiet time", async () => {
  const started = performance.now();
  const answer = await updates(new NumberCursor(1, { endless: true }), "", open);
  assert.equal(lengthOf(answer.text), 1);
  assert.ok(performance.now() - started < 1_000);
});

test("lists: each element restarts the quiet time", async () => {
  const answer = await updates(new NumberCursor(0, { laterMs: [25, 25, 25, 25], endless: true }), "stream_idle_timeout_ms=60", open);
  assert.equal(lengthOf(answer.text), 4);
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
