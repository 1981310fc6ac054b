import assert from "node:assert/strict";
import { test } from "node:test";
import { checkReply } from "../../src/http/reply.js";

test("what a reply may not have in its head is found, whatever was in order before it", () => {
  const good = { "content-type": "application/json" },
    bad = { "x-told": "one\r\nset-cookie: two" };
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(checkReply({ status: 200, headers: good, body: "1" }).ok, {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: "1",
    });
    assert.match(checkReply({ status: 200, headers: bad }).error!, /x-told holds characters/);
    assert.match(checkReply({ status: 99, headers: good }).error!, /status 99/);
    assert.match(checkReply({ status: 200, headers: good }, { connection: "close" }).error!, /connection is set by the transport/);
    assert.deepEqual(checkReply({ status: 404, headers: good }, { vary: "Origin" }).ok?.headers, [
      ["vary", "Origin"],
      ["content-type", "application/json"],
    ]);
    assert.deepEqual(checkReply({ status: 204 }).ok, { status: 204, headers: [], body: "" });
  }
});
