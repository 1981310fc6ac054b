import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fail, ok } from "../../src/base/result.js";
import type { Ledger } from "../../src/ledger/ledger.js";
import { noAuthentication, type Authentication } from "../../src/auth/index.js";
import type { WebSocketRoute } from "../../src/http/index.js";
import { apiWith, FakeMessage, FakeSocket, NumberCursor, type Observation, request } from "./support.js";

const body = JSON.stringify({
  beginExclusive: 0,
  updateFormat: { includeTransactions: { eventFormat: { filtersForAnyParty: {} }, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } },
});

async function converse(
  ledger: Partial<Ledger>,
  message: string,
  socket = new FakeSocket(),
  path = "/v2/updates",
  observed: Observation[] = [],
): Promise<FakeSocket> {
  const route = routeOf(ledger, path, observed);
  const upgraded = await route.upgrade({ method: "GET", path, query: "", headers: new Map(), params: {} });
  assert.ok("accept" in upgraded);
  assert.equal(upgraded.accept.protocol, "daml.ws.auth");
  await route.open(socket, upgraded.accept.context, new FakeMessage(message));
  return socket;
}

function routeOf(ledger: Partial<Ledger>, path = "/v2/updates", observed: Observation[] = []): WebSocketRoute {
  const route = apiWith(ledger, {}, observed).webSockets.find((candidate) => candidate.path === path);
  assert.ok(route !== undefined);
  return route;
}

test("sockets: six streams have one", () => {
  assert.deepEqual(
    apiWith({})
      .webSockets.map(({ path }) => path)
      .sort(),
    [
      "/v2/commands/command-completions",
      "/v2/commands/completions",
      "/v2/state/active-contracts",
      "/v2/updates",
      "/v2/updates/flats",
      "/v2/updates/trees",
    ],
  );
});

test("sockets: every element is a frame, then a normal close", async () => {
  const cursor = new NumberCursor(600);
  const socket = await converse({ openUpdates: () => ok(cursor) }, body);
  assert.equal(socket.frames.length, 600);
  assert.deepEqual(socket.frames.slice(0, 2), ['{"n":0}', '{"n":1}']);
  assert.deepEqual(socket.closed, { code: 1000, reason: "" });
  assert.ok(cursor.closed);
});

test("sockets: a caught-up reader is woken for what comes later", async () => {
  const socket = await converse({ openUpdates: () => ok(new NumberCursor(1, { laterMs: [10, 10] })) }, body);
  assert.equal(socket.frames.length, 3);
});

test("sockets: a failure of the ledger is one frame with the error body, then a normal close", async () => {
  const failure = { code: "NEGATIVE_OFFSET", cause: "x", category: 8, context: {}, resources: [], definiteAnswer: undefined };
  const socket = await converse({ openUpdates: () => fail(failure) }, body);
  assert.equal(socket.frames.length, 1);
  assert.equal((JSON.parse(socket.frames[0] as string) as { code: string }).code, "NEGATIVE_OFFSET");
  assert.equal(socket.closed?.code, 1000);
});

test("sockets: a message that is no request is the client's fault, told in a frame in the words of the list", async () => {
  for (const [message, says] of [
    ["{bad", /^Invalid value for: body \(expected/],
    ['{"beginExclusive":"x"}', /^Invalid value for: body \(.*beginExclusive/],
    ["", /^Invalid value for: body \(exhausted input/],
  ] as const) {
    const socket = await converse({}, message);
    const error = JSON.parse(socket.frames[0] as string) as {
      code: string;
      cause: string;
      errorCategory: number;
      grpcCodeValue: number;
      context: object;
    };
    assert.deepEqual([error.code, error.errorCategory, error.grpcCodeValue, error.context], ["INVALID_ARGUMENT", 8, 3, {}]);
    assert.match(error.cause, says);
    assert.doesNotMatch(socket.frames[0] as string, /tapir|circe|Exception/);
    assert.equal(socket.closed?.code, 1000);
  }
});

test("sockets: who has no token is told so when the socket opens, before a message is taken", async () => {
  const refusing: Authentication = {
    ...noAuthentication,
    enabled: true,
    authenticate: async () => fail({ reason: "unauthenticated", detail: "no token" }),
  };
  const route = apiWith({}, { authentication: refusing }).webSockets.find(({ path }) => path === "/v2/updates");
  const socket = new FakeSocket();
  await route?.greet?.(socket, new Map());
  assert.deepEqual(
    [socket.frames.length, (JSON.parse(socket.frames[0] as string) as { grpcCodeValue: number }).grpcCodeValue, socket.closed?.code],
    [1, 16, 1000],
  );
});

test("sockets: a good token that leads to no user opens none, which is told by HTTP", async () => {
  for (const [reason, status, code, told] of [
    ["unknownUser", 403, "NA", /security-sensitive error/],
    ["malformedUser", 400, "INVALID_TOKEN", /missing a user-id: token User ID "a b" does not match regex/],
  ] as const) {
    const failure = { reason, detail: "no user", subject: "a b" },
      refusing: Authentication = { ...noAuthentication, enabled: true, authenticate: async () => fail(failure) };
    const observed: Observation[] = [],
      route = apiWith({}, { authentication: refusing }, observed).webSockets.find(({ path }) => path === "/v2/updates");
    const upgraded = await route!.upgrade({ method: "GET", path: "/v2/updates", query: "", headers: new Map(), params: {} });
    assert.ok("reject" in upgraded);
    const body = JSON.parse(upgraded.reject.body as string) as {
      readonly code: string;
      readonly cause: string;
      readonly context: Readonly<Record<string, string>>;
    };
    assert.match(body.cause, told);
    assert.deepEqual([upgraded.reject.status, body.code, body.context["ledger_api_error"]], [status, code, "invalid token"]);
    assert.equal(observed.length, 1);
  }
});

test("sockets: a head that nobody can read opens none, in the words of the list, with tokens and without", async () => {
  for (const authentication of [noAuthentication, { ...noAuthentication, enabled: true }]) {
    const observed: Observation[] = [],
      api = apiWith({ openUpdates: () => ok(new NumberCursor(0)) }, { authentication }, observed),
      route = api.webSockets.find(({ path }) => path === "/v2/updates")!;
    for (const [query, headers, text] of [
      ["%zz", {}, /^Invalid value for: query \(/],
      ["a=1&b=%", {}, /^Invalid value for: query \(/],
      ["", { authorization: "Bearer " }, /^Invalid value for: header Authorization$/],
      ["", { authorization: "bearer", "sec-websocket-protocol": "jwt.token.x" }, /^Invalid value for: header Authorization$/],
    ] as const) {
      const upgraded = await route.upgrade({
        method: "GET",
        path: "/v2/updates",
        query,
        headers: new Map(Object.entries(headers)),
        params: {},
      });
      assert.ok("reject" in upgraded);
      assert.equal(upgraded.reject.status, 400);
      assert.match(upgraded.reject.body as string, text);
      const list = await request(api, "POST", "/v2/updates", { query, headers: { ...headers, accept: "*/*" }, body });
      assert.deepEqual([list.status, list.text], [400, upgraded.reject.body]);
    }
    assert.equal(observed.filter(({ operation, outcome }) => operation === "updates (socket)" && outcome === "UNREADABLE").length, 4);
    for (const headers of [
      { authorization: "Basic eDp5" },
      { authorization: "" },
      { "sec-websocket-protocol": "daml.ws.auth, jwt.token.x" },
    ]) {
      const given = { method: "GET", path: "/v2/updates", query: "limit=x&a=%25", headers: new Map(Object.entries(headers)), params: {} };
      assert.ok("accept" in (await route.upgrade(given)));
    }
  }
});

test("sockets: a message with half of a surrogate pair is told with its place", async () => {
  const socket = await converse({}, String.raw`{"userId":"u\ud800","parties":["a"]}`, new FakeSocket(), "/v2/commands/completions");
  assert.match((JSON.parse(socket.frames[0] as string) as { cause: string }).cause, /half of a surrogate pair.* at 'userId'/);
});

test("sockets: completions without a user are refused as on the list", async () => {
  const socket = await converse({}, '{"parties":["a"]}', new FakeSocket(), "/v2/commands/completions");
  assert.equal((JSON.parse(socket.frames[0] as string) as { code: string }).code, "MISSING_FIELD");
});

test("sockets: a peer that leaves in the middle releases the cursor", async () => {
  const cursor = new NumberCursor(600);
  const socket = new FakeSocket();
  socket.leavesAfter = 3;
  await converse({ openUpdates: () => ok(cursor) }, body, socket);
  assert.equal(socket.frames.length, 3);
  assert.ok(cursor.closed);
});

test("sockets: a peer that leaves in the middle was not refused anything; a refusal that finds nobody any more is counted as one", async () => {
  const [streaming, absent] = [new FakeSocket(), new FakeSocket()],
    observed: Observation[] = [];
  streaming.leavesAfter = 3;
  await converse({ openUpdates: () => ok(new NumberCursor(600)) }, body, streaming, "/v2/updates", observed);
  absent.leave();
  await converse({}, '{"parties":["a"]}', absent, "/v2/commands/completions", observed);
  assert.deepEqual(
    observed.map(({ outcome }) => outcome),
    ["ok", "MISSING_FIELD"],
  );
});

test("sockets: a peer that leaves while the reader waits ends it", async () => {
  const cursor = new NumberCursor(0, { endless: true });
  const socket = new FakeSocket();
  const done = converse({ openUpdates: () => ok(cursor) }, body, socket);
  setTimeout(() => socket.leave(), 20);
  await done;
  assert.ok(cursor.closed);
});

test("sockets: who finds no room for his message is told as on the list", async () => {
  const socket = new FakeSocket(),
    observed: Observation[] = [];
  await routeOf({}, "/v2/updates", observed).noRoom?.(socket, new Map());
  const { code, errorCategory, grpcCodeValue } = JSON.parse(socket.frames[0]!) as Record<string, unknown>;
  assert.deepEqual([code, errorCategory, grpcCodeValue, socket.closed?.code], ["HEAP_MEMORY_OVER_LIMIT", 2, 10, 1000]);
  assert.deepEqual(observed, [{ operation: "updates (socket)", outcome: "HEAP_MEMORY_OVER_LIMIT" }]);
});

test("sockets: a stream that is under way has nothing of its request but its cursor", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void,
    socket = new FakeSocket(),
    message = new FakeMessage('{"userId":"u","parties":["a","b"]}'),
    bytes = new WeakRef(message.bytes);
  let parties: WeakRef<object> | undefined; // as they stand in the decoded message
  const openCompletions: Ledger["openCompletions"] = (request) => {
    parties = new WeakRef(request.parties);
    return ok(new NumberCursor(3, { endless: true }));
  };
  const done = routeOf({ openCompletions }, "/v2/commands/completions").open(socket, new Map(), message);
  while (socket.frames.length < 3) await nextTurn();
  assert.equal(message.bytes.length, 0);
  collect();
  assert.deepEqual([bytes.deref(), parties!.deref()], [undefined, undefined]);
  socket.leave();
  await done;
});

test("sockets: a bug of ours is a redacted frame", async () => {
  const observed: Observation[] = [];
  const socket = await converse(
    {
      openUpdates: () => {
        throw new Error("secret");
      },
    },
    body,
    new FakeSocket(),
    "/v2/updates",
    observed,
  );
  assert.deepEqual(observed, [{ operation: "updates (socket)", outcome: "LEDGER_API_INTERNAL_ERROR" }]);
  assert.equal((JSON.parse(socket.frames[0] as string) as { code: string }).code, "NA");
  assert.ok(!socket.frames[0]?.includes("secret"));
});

test("sockets: a bug of ours is told of, also where its peer left meanwhile", async () => {
  const socket = new FakeSocket(),
    observed: Observation[] = [];
  const cursor = new NumberCursor(600);
  cursor.read = () => {
    socket.leave();
    throw new TypeError("a bug");
  };
  await converse({ openUpdates: () => ok(cursor) }, body, socket, "/v2/updates", observed);
  assert.deepEqual(observed, [{ operation: "updates (socket)", outcome: "LEDGER_API_INTERNAL_ERROR" }]);
});
