import assert from "node:assert/strict";
import { test } from "node:test";
import { fail, ok } from "../../src/base/result.js";
import { errorBody, errorReply } from "../../src/api/errors.js";
import { streamEnded } from "../../src/api/failures.js";
import { operationTable } from "../../src/api/index.js";
import { ledgerOperations } from "../../src/api/ledger/index.js";
import type { AnyOperation } from "../../src/api/operation.js";
import { noAuthentication, noRights } from "../../src/auth/index.js";
import { statusJson } from "../../src/ledger/model/google-status.js";
import type { LedgerErrorData } from "../../src/ledger/model/model.js";
import { answerOf, apiWith, NumberCursor, type Observation, played, request, servicesWith } from "./support.js";

const trace = { traceId: "a".repeat(32), context: { traceparent: null, tracestate: null } };
const renderer = { participant: "ledgerline" };
const failure = (category: number, more: Partial<LedgerErrorData> = {}): LedgerErrorData => ({
  code: "SOME_CODE",
  cause: "why",
  category,
  context: { own: "1" },
  resources: [["CONTRACT_ID", "00ab"]],
  definiteAnswer: false,
  ...more,
});

const tenKeys = [
  "code",
  "cause",
  "correlationId",
  "traceId",
  "context",
  "resources",
  "errorCategory",
  "grpcCodeValue",
  "retryInfo",
  "definiteAnswer",
];

test("errors: a body has its ten keys in order, absent values as null", () => {
  const body = errorBody(failure(11), trace, renderer);
  assert.deepEqual(Object.keys(body), tenKeys);
  assert.deepEqual(body, {
    code: "SOME_CODE",
    cause: "why",
    correlationId: null,
    traceId: trace.traceId,
    context: { participant: "ledgerline", category: "11", tid: trace.traceId, definite_answer: "false", own: "1" },
    resources: [["ErrorResource(CONTRACT_ID)", "00ab"]],
    errorCategory: 11,
    grpcCodeValue: 5,
    retryInfo: null,
    definiteAnswer: null,
  });
});

test("errors: a cause of several lines stands behind its code and the first of its submission's or its trace's id", () => {
  const cause = "first\nsecond";
  assert.equal(errorBody(failure(9, { cause }), trace, renderer).cause, "SOME_CODE(9,aaaaaaaa): first\nsecond");
  const ofSubmission = { ...failure(9, { cause }), correlationId: "b".repeat(32) };
  assert.equal(errorBody(ofSubmission, trace, renderer).cause, "SOME_CODE(9,bbbbbbbb): first\nsecond");
  assert.equal(errorBody({ ...failure(9, { cause }), origin: "json" }, trace, renderer).cause, cause);
});

test("errors: a stream whose user's rights changed ends in the words and with the codes by which clients open it again", () => {
  assert.deepEqual(errorBody(streamEnded({ reason: "rightsChanged", areFewer: true }), trace, renderer), {
    code: "STALE_STREAM_AUTHORIZATION",
    cause: "Stale stream authorization. Retry quickly.",
    correlationId: null,
    traceId: null,
    context: { participant: "ledgerline", category: "2", definite_answer: "false" },
    resources: [],
    errorCategory: 2,
    grpcCodeValue: 10,
    retryInfo: "1 second",
    definiteAnswer: null,
  });
});

test("errors: one whose token ended says when in the reference's words, names no trace, and has no fraction of a whole second", () => {
  const { cause, traceId, context } = errorBody(
    streamEnded({ reason: "tokenExpired", expiresAtSeconds: 1_795_973_534, nowMs: 1_795_973_534_250 }),
    trace,
    renderer,
  );
  assert.equal(cause, "Claims were valid until 2026-11-29T17:32:14Z, current time is 2026-11-29T17:32:14.250Z");
  assert.deepEqual([traceId, context], [null, { participant: "ledgerline", category: "2", definite_answer: "false" }]);
});

test("errors: without a definite answer the context does not claim one", () => {
  assert.ok(!("definite_answer" in errorBody(failure(8, { definiteAnswer: undefined }), trace, renderer).context));
});

const forged = { participant: "evil", category: "1", tid: "mine", definite_answer: "true", limit: "mine" };

test("errors: what a model says under the names of the node's own entries does not show", () => {
  const told = { participant: "ledgerline", category: "9", tid: trace.traceId, definite_answer: "false" };
  assert.deepEqual(errorBody(failure(9, { context: forged }), trace, renderer).context, { ...told, limit: "mine" });
  assert.deepEqual(errorBody(failure(9, { context: forged, requestLog: { limit: "5" } }), trace, renderer).context, {
    ...told,
    participant: "'ledgerline'",
    limit: "5",
  });
});

test("errors: nor does it in the status of a completion or a view", () => {
  const { details } = JSON.parse(statusJson(failure(9, { context: forged }), trace.traceId, "ledgerline")) as {
    readonly details: readonly { readonly valueDecoded: { readonly metadata: unknown } }[];
  };
  assert.deepEqual(details[0]!.valueDecoded.metadata, {
    participant: "ledgerline",
    category: "9",
    tid: trace.traceId,
    definite_answer: "false",
    limit: "mine",
  });
});

test("errors: one from elsewhere names neither its request nor the node, also in the status of a completion", () => {
  const error = failure(9, { origin: "elsewhere" }),
    { correlationId, traceId, context } = errorBody(error, trace, renderer);
  assert.deepEqual([correlationId, traceId, context], [null, null, { own: "1", category: "9", definite_answer: "false" }]);
  const { message, details } = JSON.parse(statusJson(error, trace.traceId, "ledgerline")) as {
    readonly message: string;
    readonly details: readonly { readonly valueDecoded: { readonly metadata: unknown } }[];
  };
  assert.match(message, /^SOME_CODE\(9,0\): /);
  assert.deepEqual(
    details.filter(({ valueDecoded }) => "requestId" in valueDecoded),
    [],
  );
  assert.deepEqual(details[0]!.valueDecoded.metadata, { own: "1", category: "9", definite_answer: "false" });
});

test("errors: the JSON layer's own have bare resources and a visible definite answer", () => {
  const body = errorBody({ ...failure(9), origin: "json" }, trace, renderer);
  assert.deepEqual(
    [body.context, body.resources, body.definiteAnswer, body.correlationId],
    [{ own: "1" }, [["CONTRACT_ID", "00ab"]], false, trace.traceId],
  );
});

const categories: readonly (readonly [category: number, grpc: number, http: number, retry: string | null, redacted: boolean])[] = [
  [1, 14, 503, "1 second", false],
  [2, 10, 409, "1 second", false],
  [3, 4, 504, "1 second", false],
  [4, 13, 500, null, true],
  [5, 3, 400, null, true],
  [6, 16, 401, null, true],
  [7, 7, 403, null, true],
  [8, 3, 400, null, false],
  [9, 9, 400, null, false],
  [10, 6, 409, null, false],
  [11, 5, 404, null, false],
  [12, 11, 400, "1 second", false],
  [14, 12, 501, null, true],
];
for (const [category, grpc, http, retry, redacted] of categories)
  test(`errors: category ${category} is gRPC ${grpc}, HTTP ${http}${redacted ? ", redacted" : ""}`, () => {
    const reply = errorReply(failure(category), trace, renderer);
    const body = errorBody(failure(category), trace, renderer);
    assert.deepEqual([reply.status, body.grpcCodeValue, body.retryInfo], [http, grpc, redacted ? null : retry]);
    assert.deepEqual([body.code, body.errorCategory], redacted ? ["NA", -1] : ["SOME_CODE", category]);
    if (redacted) assert.deepEqual([body.context, body.resources], [{}, []]);
  });

test("errors: a body for which there is no room is the node's fault, and may come again", () => {
  const observed: Observation[] = [];
  const { status, headers, text } = answerOf(
    apiWith({}, {}, observed).noRoomForBody({ method: "POST", path: "/v2/dars", query: "", headers: new Map() }),
  );
  const { code, errorCategory, retryInfo } = JSON.parse(text) as { code: string; errorCategory: number; retryInfo: string };
  assert.deepEqual([status, headers["retry-after"], code, errorCategory, retryInfo], [503, "1", "HEAP_MEMORY_OVER_LIMIT", 2, "1 second"]);
  assert.deepEqual(observed, [{ operation: "body", outcome: "HEAP_MEMORY_OVER_LIMIT" }]);
});

test("errors: a category that does not exist is a bug, not an answer", () => {
  assert.throws(() => errorBody(failure(13), trace, renderer), /unknown category/);
});

const commands = { commands: [], commandId: "c", actAs: ["a"], userId: "u" };

test("errors: a failed submission is correlated by its submission id", async () => {
  const api = apiWith({ submit: () => Promise.resolve(fail(failure(11))) });
  const body = JSON.parse(
    (await request(api, "POST", "/v2/commands/submit-and-wait", { body: { ...commands, submissionId: "s-1" } })).text,
  ) as { correlationId: string };
  assert.equal(body.correlationId, "s-1");
});

test("errors: an exception is logged under the trace id and told without details", async () => {
  const logged: unknown[] = [];
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (_: string, fields?: unknown) => {
      logged.push(fields);
    },
  };
  const api = apiWith(
    {
      submit: () => {
        throw new Error("secret");
      },
    },
    { log },
  );
  const answer = await request(api, "POST", "/v2/commands/submit-and-wait", { body: commands });
  const body = JSON.parse(answer.text) as { code: string; traceId: string };
  assert.deepEqual([answer.status, body.code], [500, "NA"]);
  assert.ok(!answer.text.includes("secret"));
  assert.equal((logged[0] as { traceId: string }).traceId, body.traceId);
});

test("errors: outcomes are observed by operation and code", async () => {
  const observed: Observation[] = [];
  const api = apiWith({ submit: () => Promise.resolve(fail(failure(11))) }, {}, observed);
  await request(api, "GET", "/v2/state/ledger-end");
  await request(api, "POST", "/v2/commands/submit-and-wait", { body: commands });
  await request(api, "POST", "/v2/commands/submit-and-wait", { body: "x" });
  assert.deepEqual(
    observed.map(({ operation, outcome }) => `${operation} ${outcome}`),
    ["ledgerEnd ok", "submitAndWait SOME_CODE", "submitAndWait UNREADABLE"],
  );
});

test("errors: an unknown path has a body of another shape", () => {
  const answer = answerOf(apiWith({}).notFound({ method: "GET", path: "/v2/nope", query: "x=1", headers: new Map([["host", "h:1"]]) }));
  assert.deepEqual([answer.status, answer.contentType], [404, "application/json"]);
  assert.equal(answer.text, '{"errors":["HttpMethod(GET), uri: http://h:1/v2/nope?x=1"],"status":404,"ledgerApiError":null}');
});

test("errors: a wrong method is a plain 405", () => {
  const api = apiWith({});
  const head = { query: "", headers: new Map<string, string>() };
  const answer = answerOf(api.methodNotAllowed({ ...head, method: "POST", path: "/v2/version" }, ["GET"]));
  assert.deepEqual(
    [answer.status, answer.contentType, answer.text, answer.headers["allow"]],
    [405, "text/plain; charset=UTF-8", "Method Not Allowed", "GET"],
  );
});

test("errors: too large and too late are plain text", () => {
  const api = apiWith({});
  assert.deepEqual([api.bodyTooLarge(8).status, api.deadlinePassed().status], [413, 503]);
});

test("errors: an Accept that JSON cannot meet is 406 without a body", async () => {
  const ask = async (accept: string) => request(apiWith({}), "GET", "/v2/version", { headers: { accept } });
  assert.deepEqual([(await ask("application/xml")).status, (await ask("application/xml")).text], [406, ""]);
  for (const accept of ["*/*", "application/*", "application/json;q=0.5", "text/html, application/json", "", "no range", "text/html, *"])
    assert.equal((await ask(accept)).status, 200, accept);
});

test("errors: nor can a list meet it, whatever it is asked for; a WebSocket on the same path has nothing to do with it", async () => {
  const api = apiWith({ openUpdates: () => ok(new NumberCursor(0)) });
  const ask = async (accept: string, body: unknown) =>
    (await request(api, "POST", "/v2/updates", { query: "limit=0", headers: { accept }, body })).status;
  for (const accept of ["text/plain", "text/*", "image/png", "application/octet-stream"])
    assert.deepEqual([await ask(accept, {}), await ask(accept, { beginExclusive: "?" })], [406, 406], accept);
  assert.equal(await ask("application/json", {}), 200);
  const upgraded = await api.webSockets
    .find(({ path }) => path === "/v2/updates")!
    .upgrade({ method: "GET", path: "/v2/updates", query: "", headers: new Map([["accept", "image/png"]]), params: {} });
  assert.ok("accept" in upgraded);
});

test("errors: an Accept that a package's bytes cannot meet is 406, JSON too", async () => {
  const api = apiWith({ readPackage: () => ok(Buffer.from("payload")) });
  const ask = async (accept: string) =>
    (await request(api, "GET", "/v2/packages/{package-id}", { params: { "package-id": "abc" }, headers: { accept } })).status;
  for (const accept of ["application/json", "text/plain"]) assert.equal(await ask(accept), 406, accept);
  for (const accept of ["*/*", "application/*", "application/octet-stream;q=0.5", "application/json, application/octet-stream"])
    assert.equal(await ask(accept), 200, accept);
});

test("errors: no token is 401, a missing right 403, both without details", async () => {
  const refusing = apiWith(
    {},
    {
      authentication: {
        ...noAuthentication,
        enabled: true,
        authenticate: () => Promise.resolve(fail({ reason: "unauthenticated" as const, detail: "no token" })),
      },
    },
  );
  const powerless = apiWith(
    {},
    {
      authentication: {
        ...noAuthentication,
        enabled: true,
        authenticate: () => Promise.resolve(ok({ userId: "u", identityProviderId: "", rights: noRights })),
      },
    },
  );
  const ask = async (api: typeof refusing) => request(api, "POST", "/v2/commands/submit-and-wait", { body: commands });
  const [unauthenticated, forbidden] = [await ask(refusing), await ask(powerless)];
  assert.deepEqual([unauthenticated.status, forbidden.status], [401, 403]);
  for (const { text } of [unauthenticated, forbidden]) assert.equal((JSON.parse(text) as { code: string }).code, "NA");
});

test("errors: what needs no rights is open to callers with a bad token", async () => {
  const refusing = apiWith(
    {},
    {
      authentication: {
        ...noAuthentication,
        enabled: true,
        authenticate: () => Promise.resolve(fail({ reason: "unauthenticated" as const, detail: "bad" })),
      },
    },
  );
  for (const path of ["/livez", "/readyz", "/v2/version"]) assert.equal((await request(refusing, "GET", path)).status, 200, path);
});

test("health: ready and not ready", async () => {
  const ready = await request(apiWith({}), "GET", "/readyz");
  assert.deepEqual([ready.status, ready.text], [200, "[+] ledger ok (SERVING)\nreadyz check passed\n"]);
  const starting = apiWith({}, { services: servicesWith({}, false) });
  const unready = await request(starting, "GET", "/readyz");
  assert.deepEqual(
    [unready.status, unready.text],
    [503, "[-] ledger failed (NOT_SERVING): The node is starting or stopping.\nreadyz check failed\n"],
  );
  const impeded = await request(apiWith({ impediment: () => "The clock is wrong." }), "GET", "/readyz");
  assert.deepEqual([impeded.status, impeded.text], [503, "[-] ledger failed (NOT_SERVING): The clock is wrong.\nreadyz check failed\n"]);
});

test("table: the table of the READMEs has a row for every operation", () => {
  const rows = operationTable()
    .trim()
    .split("\n")
    .slice(2)
    .map((row) => row.split("|").map((cell) => cell.trim()));
  assert.deepEqual(
    rows.map(([, method, path]) => `${method} ${path!.replaceAll("`", "")}`).sort(),
    Object.values<AnyOperation>(ledgerOperations)
      .map(({ route }) => route)
      .sort(),
  );
  for (const row of rows) assert.deepEqual([row.length, row[3] !== ""], [5, true], row.join());
});

test("documents: both are served as text, made once", async () => {
  const api = apiWith({});
  for (const kind of ["openapi", "asyncapi"]) {
    const path = `/docs/${kind}`,
      answer = await request(api, "GET", path);
    assert.equal(answer.contentType, "text/plain; charset=UTF-8");
    assert.match((JSON.parse(answer.text) as Record<string, string>)[kind]!, /^\d+\.\d+\.\d+$/);
    const route = api.routes.find((each) => each.path === path)!,
      asked = {
        method: "GET",
        path,
        query: "",
        headers: new Map(),
        params: {},
        body: new Uint8Array(),
        signal: new AbortController().signal,
      };
    assert.equal(await played(route, asked), await played(route, asked));
  }
});
