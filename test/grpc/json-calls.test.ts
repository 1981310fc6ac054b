import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { ok } from "../../src/base/result.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import { JsonCalls } from "../../src/grpc/json/index.js";
import type { JsonRequest } from "../../src/grpc/method.js";
import { BodyBudget, type RawReply, type RawRequest, type Route, type WebSocketRoute } from "../../src/http/index.js";
import type { InProcessOptions } from "../../src/http/in-process.js";
import { apiWith, NumberCursor } from "../api/support.js";

const noHeaders = new Map<string, string>();
const host = new Map([["host", "127.0.0.1:6865"]]);
const nobody = new AbortController().signal;

const plain = (status: number, body: string): RawReply => ({ status, body });

/** Serves some routes, and fails on errors that nobody expects. */
function callsOf(site: Partial<InProcessOptions>): JsonCalls {
  return new JsonCalls({
    routes: [],
    webSockets: [],
    notFound: () => plain(404, "no route"),
    methodNotAllowed: () => plain(405, "no method"),
    bodyTooLarge: (bytes) => plain(413, `more than ${bytes}`),
    noRoomForBody: () => plain(503, "no room"),
    deadlinePassed: () => plain(503, "late"),
    turns: new Turns(limits.turnMs),
    onError: (error) => assert.fail(String(error)),
    ...site,
  });
}

const routeWith = (handle: (request: RawRequest, context: unknown) => Promise<RawReply>, more: Partial<Route> = {}): Route => ({
  method: "POST",
  path: "/things/{id}",
  bodyBytesMax: 1_000,
  handle,
  ...more,
});

const ask = (body: JsonRequest["body"], more: Partial<JsonRequest> = {}): JsonRequest => ({
  method: "POST",
  path: "/things/a%2Fb",
  query: "q=1",
  body,
  ...more,
});

test("unary: a request reaches its route with its head judged first, its parameters and its body", async () => {
  const seen: unknown[] = [];
  const calls = callsOf({
    routes: [
      routeWith(
        async ({ method, path, query, params, headers, body }, context) => {
          seen.push([method, path, query, { ...params }, Object.fromEntries(headers), Buffer.from(body).toString(), context]);
          return { status: 200, headers: { "content-type": "application/json" }, body: '{"a":1}' };
        },
        { admit: ({ headers }) => ({ context: headers.get("authorization") }) },
      ),
    ],
  });
  const headers = new Map([
    ["host", "h:1"],
    ["authorization", "Bearer x"],
    ["traceparent", "t"],
    ["content-type", "application/grpc"],
    ["transfer-encoding", "chunked"],
    ["te", "trailers"],
  ]);
  const answered = await calls.unary(ask({ x: "ü" }), headers, nobody);
  assert.deepEqual(answered.ok, { body: '{"a":1}', headers: { "content-type": "application/json" } });
  const told = { host: "h:1", authorization: "Bearer x", traceparent: "t", "content-type": "application/json", "content-length": "10" };
  assert.deepEqual(seen, [["POST", "/things/a%2Fb", "q=1", { id: "a/b" }, told, '{"x":"ü"}', "Bearer x"]]);
});

test("unary: bytes go as octets, and a request without a body has none", async () => {
  const seen: unknown[] = [];
  const handle = async ({ headers, body }: RawRequest): Promise<RawReply> => {
    seen.push([headers.get("content-type"), headers.get("content-length"), body.length]);
    return { status: 200 };
  };
  const calls = callsOf({ routes: [routeWith(handle), routeWith(handle, { method: "GET" })] });
  assert.deepEqual((await calls.unary(ask(new Uint8Array(3)), host, nobody)).ok, { body: "", headers: {} });
  assert.ok((await calls.unary(ask(undefined, { method: "GET" }), host, nobody)).ok);
  assert.deepEqual(seen, [
    ["application/octet-stream", "3", 3],
    [undefined, undefined, 0],
  ]);
});

test("unary: the door and the route turn requests away before their bodies are looked at", async () => {
  const refusal = JSON.stringify({ code: "C", cause: "no", errorCategory: 9, grpcCodeValue: 9, traceId: null, correlationId: null });
  const routes = [routeWith(async () => assert.fail(), { admit: () => ({ reply: plain(400, refusal) }) })];
  const refused = await callsOf({ routes }).unary(ask({}), host, nobody);
  assert.equal(refused.error?.message, "C(9,0): no");
  const door = {
    answerAt: ({ headers }: { headers: ReadonlyMap<string, string> }) => plain(400, headers.get("host")!),
    headersFor: () => undefined,
  };
  const judged = await callsOf({ routes, door }).unary(ask({}), host, nobody);
  assert.match(judged.error!.message, /invalid arguments: 127\.0\.0\.1:6865$/);
});

test("unary: a body that is too long, or that has no room beside others, is refused, and nothing of it stays counted", async () => {
  const bodies = new BodyBudget(500);
  const calls = callsOf({ bodies, routes: [routeWith(async () => plain(200, "{}"))] });
  assert.deepEqual((await calls.unary(ask(new Uint8Array(1_001)), host, nobody)).error, {
    code: 8,
    message: "more than 1000",
    details: undefined,
  });
  assert.deepEqual((await calls.unary(ask(new Uint8Array(501)), host, nobody)).error, { code: 14, message: "no room", details: undefined });
  assert.ok((await calls.unary(ask(new Uint8Array(500)), host, nobody)).ok);
  assert.equal(bodies.held, 0);
});

test("unary: a path or a method that nobody serves is not implemented", async () => {
  const calls = callsOf({ routes: [routeWith(async () => plain(200, "{}"))] });
  assert.equal((await calls.unary(ask({}, { path: "/none" }), host, nobody)).error?.code, 12);
  assert.equal((await calls.unary(ask({}, { method: "PUT" }), host, nobody)).error?.code, 12);
});

test("unary: a reply is the caller's: its bytes are copied before they are released, and chunks are joined", async () => {
  const bytes = Buffer.from('{"a":1}');
  let released = 0;
  const release = (): void => {
    released += 1;
    bytes.fill(0);
  };
  async function* chunks() {
    yield "[1";
    const chunk = Buffer.from(",2]");
    yield chunk;
    chunk.fill(0);
  }
  const calls = callsOf({
    routes: [
      routeWith(async () => ({ status: 200, body: bytes, release })),
      routeWith(async () => ({ status: 200, body: chunks(), release }), { method: "PUT" }),
    ],
  });
  const whole = await calls.unary(ask({}), host, nobody);
  assert.equal(Buffer.from(whole.ok!.body as Uint8Array).toString(), '{"a":1}');
  const joined = await calls.unary(ask({}, { method: "PUT" }), host, nobody);
  assert.equal(Buffer.from(joined.ok!.body as Uint8Array).toString(), "[1,2]");
  assert.equal(released, 2);
});

test("unary: a handler that throws, also in the middle of its reply, hides why", async () => {
  const errors: unknown[] = [];
  async function* broken() {
    yield "[1";
    throw new Error("in the middle");
  }
  const calls = callsOf({
    onError: (error) => errors.push((error as Error).message),
    routes: [
      routeWith(() => Promise.reject(new Error("at once"))),
      routeWith(async () => ({ status: 200, body: broken() }), { method: "PUT" }),
    ],
  });
  assert.equal((await calls.unary(ask({}), host, nobody)).error?.code, 13);
  assert.equal((await calls.unary(ask({}, { method: "PUT" }), host, nobody)).error?.code, 13);
  assert.deepEqual(errors, ["at once", "in the middle"]);
});

test("unary: what is not answered in its route's time has exceeded its deadline; what comes later is released", async () => {
  const reasons: unknown[] = [];
  let released = false;
  const late = routeWith(
    async ({ signal }) => {
      await sleep(60);
      reasons.push((signal.reason as Error).name);
      return { status: 200, body: "{}", release: () => (released = true) };
    },
    { deadlineMs: 20 },
  );
  const { error } = await callsOf({ routes: [late] }).unary(ask({}), host, nobody);
  assert.deepEqual([error?.code, error?.message], [4, "REQUEST_TIME_OUT(3,0): late"]);
  await sleep(80);
  assert.deepEqual([reasons, released], [["ClientGone"], true]);
});

test("unary: a caller who leaves is told at once, and his handler hears of it", async () => {
  const leaving = new AbortController(),
    bodies = new BodyBudget(500);
  let heard: Promise<unknown> | undefined;
  const waiting = routeWith(({ signal }) => {
    const gone = new Promise<RawReply>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    heard = gone.catch((error: Error) => error.name);
    return gone;
  });
  const calls = callsOf({ routes: [waiting], bodies });
  const asked = calls.unary(ask({ a: 1 }), host, leaving.signal);
  await nextTurn();
  leaving.abort();
  assert.equal((await asked).error?.code, 1);
  assert.equal(await heard, "ClientGone");
  await nextTurn();
  assert.equal(bodies.held, 0);
  assert.equal((await calls.unary(ask({}), host, leaving.signal)).error?.code, 1);
  assert.equal(await calls.close(100), true);
});

/** One WebSocket of a test's own. */
const socketWith = (open: WebSocketRoute["open"], more: Partial<WebSocketRoute> = {}): WebSocketRoute => ({
  path: "/stream",
  upgrade: ({ headers }) => ({ accept: { protocol: "", context: headers.get("authorization") } }),
  open,
  ...more,
});

const collect = (elements: unknown[]) => async (element: unknown) => void elements.push(element);

test("stream: elements come one by one as they are taken, also of a batch", async () => {
  const order: unknown[] = [];
  const calls = callsOf({
    webSockets: [
      socketWith(async (socket, context, { bytes }) => {
        order.push(context, JSON.parse(Buffer.from(bytes).toString()));
        await socket.send('{"n":0}');
        const frames = [Buffer.from('{"n":1}'), Buffer.from('{"n":2}')];
        await socket.sendAll(frames);
        for (const frame of frames) frame.fill(0);
        order.push("sent");
      }),
    ],
  });
  const ended = await calls.stream("/stream", { from: 1 }, new Map([["authorization", "Bearer x"]]), nobody, async (element) => {
    order.push(element);
    await sleep(5);
    order.push("taken");
  });
  assert.equal(ended, undefined);
  assert.deepEqual(order, ["Bearer x", { from: 1 }, { n: 0 }, "taken", { n: 1 }, "taken", { n: 2 }, "taken", "sent"]);
});

test("stream: an error is told apart from an element that looks like one", async () => {
  const error = { code: "C", cause: "no", errorCategory: 9, grpcCodeValue: 9, traceId: null, correlationId: null };
  const elements: unknown[] = [];
  const calls = callsOf({
    webSockets: [
      socketWith(async (socket) => {
        await socket.send(JSON.stringify(error));
        await socket.fail(JSON.stringify({ ...error, cause: "that is it" }));
        await assert.rejects(socket.send("{}"), { name: "ClientGone" });
      }),
    ],
  });
  const ended = await calls.stream("/stream", {}, host, nobody, collect(elements));
  assert.deepEqual([ended?.code, ended?.message, elements], [9, "C(9,0): that is it", [error]]);
});

test("stream: who is refused by his head hears why, and his message is not looked at", async () => {
  const open = async (): Promise<void> => assert.fail();
  const rejecting = callsOf({ webSockets: [socketWith(open, { upgrade: async () => ({ reject: plain(400, "no") }) })] });
  assert.equal((await rejecting.stream("/stream", {}, host, nobody, async () => undefined))?.code, 3);
  const greeting = callsOf({
    webSockets: [socketWith(open, { greet: (socket) => socket.fail('{"code":"NA","cause":"","errorCategory":-1,"grpcCodeValue":16}') })],
  });
  assert.equal((await greeting.stream("/stream", {}, host, nobody, async () => undefined))?.code, 16);
});

test("stream: how its socket closes tells how it ended", async () => {
  const endingWith = async (open: WebSocketRoute["open"], onError = (): void => undefined) =>
    (await callsOf({ webSockets: [socketWith(open)], onError }).stream("/stream", {}, host, nobody, async () => undefined))?.code;
  assert.equal(await endingWith(async (socket) => socket.close(1001, "going away")), 14);
  assert.equal(await endingWith(async (socket) => socket.close(1000, "")), undefined);
  let bugs = 0;
  assert.equal(
    await endingWith(
      () => Promise.reject(new Error("a bug")),
      () => void (bugs += 1),
    ),
    13,
  );
  assert.equal(bugs, 1);
});

test("stream: a message that is too long, or has no room beside bodies, opens nothing", async () => {
  const open = async (): Promise<void> => assert.fail();
  const noRoom: WebSocketRoute["noRoom"] = (socket) => socket.fail('{"code":"C","cause":"full","errorCategory":2,"grpcCodeValue":10}');
  const calls = callsOf({
    webSockets: [socketWith(open, { noRoom })],
    bodies: new BodyBudget(10),
    limits: { webSocketMessageBytesMax: 100 },
  });
  const endingOf = async (text: string) => (await calls.stream("/stream", { text }, host, nobody, async () => undefined))?.code;
  assert.equal(await endingOf("x".repeat(100)), 8);
  assert.equal(await endingOf("x"), 10);
});

test("stream: what the taker rejects with comes back once the stream has ended", async () => {
  let ended = false;
  const calls = callsOf({
    webSockets: [
      socketWith(async (socket) => {
        await assert.rejects(socket.sendAll([Buffer.from("1"), Buffer.from("2")]), { name: "ClientGone" });
        assert.ok(socket.signal.aborted);
        await sleep(5);
        ended = true;
      }),
    ],
  });
  const gone = new Error("the client is gone"),
    taken: unknown[] = [];
  const take = (element: unknown): Promise<void> => {
    taken.push(element);
    return Promise.reject(gone);
  };
  await assert.rejects(calls.stream("/stream", {}, host, nobody, take), gone);
  assert.deepEqual([ended, taken], [true, [1]]);
});

test("stream: a caller who leaves ends it; a shutdown waits for what runs, then ends it, and opens nothing more", async () => {
  const untilAborted: WebSocketRoute["open"] = (socket) =>
    new Promise((resolve) => socket.signal.addEventListener("abort", () => resolve(), { once: true }));
  const calls = callsOf({ webSockets: [socketWith(untilAborted)], limits: { drainSettleMs: 5 } });
  const leaving = new AbortController();
  const left = calls.stream("/stream", {}, host, leaving.signal, async () => undefined);
  setTimeout(() => leaving.abort(), 5);
  assert.equal((await left)?.code, 1);
  const running = calls.stream("/stream", {}, host, nobody, async () => undefined);
  assert.equal(await calls.close(10), false);
  assert.match((await running)!.message, /^ABORTED_DUE_TO_SHUTDOWN/);
  assert.equal((await calls.stream("/stream", {}, host, nobody, async () => undefined))?.code, 14);
});

const updates = {
  beginExclusive: 0,
  updateFormat: { includeTransactions: { eventFormat: { filtersForAnyParty: {} }, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } },
};

/** The Ledger API around stand-ins. */
const ledgerCalls = (functions: Parameters<typeof apiWith>[0], options: Parameters<typeof apiWith>[1] = {}): JsonCalls =>
  callsOf(apiWith(functions, options));

test("ledger: a stream of the API gives all its elements, many of them", async () => {
  const cursor = new NumberCursor(1_000),
    elements: unknown[] = [];
  const ended = await ledgerCalls({ openUpdates: () => ok(cursor) }).stream("/v2/updates", updates, host, nobody, collect(elements));
  assert.deepEqual([ended, elements.length, elements[999], cursor.closed], [undefined, 1_000, { n: 999 }, true]);
});

test("ledger: a slow taker holds the cursor back", async () => {
  const cursor = new NumberCursor(1_000, { endless: true }),
    leaving = new AbortController();
  let taken = 0;
  const stream = ledgerCalls({ openUpdates: () => ok(cursor) }).stream("/v2/updates", updates, host, leaving.signal, async () => {
    if (++taken === 20) await new Promise((_, reject) => leaving.signal.addEventListener("abort", () => reject(new Error("gone"))));
  });
  while (taken < 20) await sleep(1);
  await sleep(20);
  leaving.abort();
  await assert.rejects(stream, /gone/);
  assert.deepEqual([taken, cursor.closed], [20, true]);
});

test("ledger: failures are told by their codes, of a stream, of an operation, and of the door", async () => {
  const calls = ledgerCalls({});
  const traced = new Map([...host, ["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"]]);
  const stream = await calls.stream("/v2/commands/completions", { parties: ["a"] }, traced, nobody, async () => assert.fail());
  assert.match(stream!.message, /^(MISSING_FIELD|INVALID_TOKEN)\(8,0af76519\): /);
  const unreadable = await calls.stream("/v2/updates", { beginExclusive: "x" }, traced, nobody, async () => assert.fail());
  assert.match(unreadable!.message, /^INVALID_ARGUMENT\(8,0af76519\): Invalid value for: body/);
  const post = (path: string, headers: ReadonlyMap<string, string>) =>
    calls.unary({ method: "POST", path, query: "", body: { updateId: 3 } }, headers, nobody);
  assert.match(
    (await post("/v2/updates/update-by-id", traced)).error!.message,
    /^INVALID_ARGUMENT\(8,0af76519\): .*invalid arguments: body .*updateId/,
  );
  assert.match((await post("/v2/updates/update-by-id", new Map([["host", "evil.example"]]))).error!.message, /^HOST_NOT_ALLOWED\(7,/);
  assert.equal((await post("/v2/nothing", noHeaders)).error!.code, 7);
  assert.equal((await post("/v2/nothing", host)).error!.code, 12);
});

test("ledger: a unary operation answers its JSON", async () => {
  const answered = await ledgerCalls({}).unary({ method: "GET", path: "/v2/state/ledger-end", query: "", body: undefined }, host, nobody);
  assert.deepEqual(JSON.parse(String(answered.ok!.body)), { offset: 7 });
});

test("ledger: without a token, where they are asked for, nothing is told", async () => {
  const authentication = {
    enabled: true,
    isSecretPublished: false,
    authenticate: () => ({ error: { reason: "unauthenticated", detail: "no token" } }) as const,
    watch: () => assert.fail(),
  };
  const calls = ledgerCalls({}, { authentication: authentication as never });
  const stream = await calls.stream("/v2/updates", updates, host, nobody, async () => assert.fail());
  const unary = await calls.unary({ method: "GET", path: "/v2/state/ledger-end", query: "", body: undefined }, host, nobody);
  for (const status of [stream!, unary.error!]) {
    assert.equal(status.code, 16);
    assert.match(status.message, /^An error occurred\. Please contact the operator .* request ([0-9a-f]{32}) with tid \1$/);
  }
});
