/** Several APIs over one transport: each answers in its own form below its own prefixes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { noAuthentication } from "../../src/auth/index.js";
import { ok } from "../../src/base/result.js";
import { silentLog } from "../../src/base/log.js";
import { ledgerApi, serveApis, type Api } from "../../src/api/index.js";
import { callersByToken } from "../../src/api/ledger-api.js";
import { jsonBody, noBody } from "../../src/api/body.js";
import { json, operationFor } from "../../src/api/operation.js";
import { invalidArgument } from "../../src/ledger/model/errors.js";
import type { RawReply } from "../../src/http/route.js";
import { answerOf, request, servicesWith } from "./support.js";
import { ownTurns } from "../support/turns.js";

interface Greeter {
  readonly greeting: string;
}
interface Guest {
  readonly name: string;
}

const declare = operationFor<Greeter>();
const operations = {
  greet: declare({
    route: "POST /greet/{language}",
    summary: "Greets a guest.",
    claims: "none",
    body: jsonBody(typia.createValidate<Guest>(), typia.createAssert<Guest>()),
    reply: json<{ text: string }>(),
    handle: ({ greeting }, { params, body }) => ok({ text: `${greeting} ${body.name} (${params.language})` }),
  }),
  fall: declare({
    route: "GET /fall",
    summary: "Is refused.",
    claims: "none",
    body: noBody(),
    reply: json<{ text: string }>(),
    handle: () => ({ error: invalidArgument("too late") }),
  }),
};

const told = (status: number, error: string): RawReply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ error }),
});
const greeterApi: Api = {
  label: "greeter.",
  prefixes: ["/greeter", "/twin/greeter"],
  operations,
  services: { greeting: "Hello" } satisfies Greeter,
  errors: {
    failure: ({ cause }) => told(400, cause),
    frame: ({ cause }) => cause,
    unreadable: (what) => told(400, what),
    notFound: ({ path }) => told(404, `nothing at ${path}`),
    methodNotAllowed: (_, allow) => told(405, allow.join()),
  },
  credentials: callersByToken(noAuthentication),
  documents: [{ path: "/docs/greeter", write: () => Promise.resolve({ title: "Greeter" }) }],
};

const observed: string[] = [];
const services = servicesWith({});
const served = serveApis([ledgerApi({ services, authentication: noAuthentication }), greeterApi], {
  log: silentLog,
  turns: ownTurns(),
  listElementsMax: 200,
  listWaitMs: 30,
  observe: (operation, outcome) => observed.push(`${operation} ${outcome}`),
});
const head = (path: string, method = "GET") => ({ method, path, query: "", headers: new Map<string, string>() });

test("apis: an operation is served below each prefix of its API, and metrics know it by the API's label", async () => {
  observed.length = 0;
  for (const prefix of greeterApi.prefixes) {
    const answer = await request(served, "POST", `${prefix}/greet/{language}`, { params: { language: "en" }, body: { name: "Ada" } });
    assert.deepEqual(JSON.parse(answer.text), { text: "Hello Ada (en)" });
  }
  assert.deepEqual(observed, ["greeter.greet ok", "greeter.greet ok"]);
});

test("apis: refusals and unreadable bodies have the API's form", async () => {
  assert.equal((await request(served, "GET", "/greeter/fall")).text, JSON.stringify({ error: invalidArgument("too late").cause }));
  const unreadable = await request(served, "POST", "/greeter/greet/{language}", { params: { language: "en" }, body: { name: 1 } });
  assert.equal(unreadable.status, 400);
  assert.match((JSON.parse(unreadable.text) as { error: string }).error, /name/);
});

test("apis: an unknown path is refused by the API whose prefix it has, others by the ledger's", () => {
  assert.equal(
    answerOf(served.notFound(head("/twin/greeter/nowhere"))).text,
    JSON.stringify({ error: "nothing at /twin/greeter/nowhere" }),
  );
  assert.match(answerOf(served.notFound(head("/greeters"))).text, /HttpMethod\(GET\)/);
  assert.equal(answerOf(served.methodNotAllowed(head("/greeter/fall", "POST"), ["GET"])).text, JSON.stringify({ error: "GET" }));
});

test("apis: each has its documents", async () => {
  const answer = await request(served, "GET", "/docs/greeter");
  assert.deepEqual(JSON.parse(answer.text), { title: "Greeter" });
  assert.ok(served.routes.some(({ path }) => path === "/docs/openapi"));
});

test("apis: the ledger's is found below the path of a node too: operations, WebSockets, documents, and what is not there", () => {
  const options = { log: silentLog, turns: ownTurns(), listElementsMax: 200, listWaitMs: 30, observe: () => undefined },
    twice = serveApis([ledgerApi({ services, authentication: noAuthentication, pathPrefix: "/any/prefix" })], options),
    once = serveApis([ledgerApi({ services, authentication: noAuthentication })], options);
  const below = (paths: readonly { readonly path: string }[], prefix: string): readonly string[] =>
    paths.flatMap(({ path }) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : [])).sort();
  for (const kind of ["routes", "webSockets"] as const) {
    assert.deepEqual(below(twice[kind], "/any/prefix/v2/"), below(once[kind], "/v2/"));
    assert.deepEqual(below(twice[kind], "/v2/"), below(once[kind], "/v2/"));
  }
  for (const path of ["/any/prefix/docs/openapi", "/any/prefix/docs/asyncapi", "/any/prefix/livez"])
    assert.ok(
      twice.routes.some((route) => route.path === path),
      path,
    );
  assert.match(answerOf(twice.notFound(head("/any/prefix/nowhere"))).text, /HttpMethod\(GET\)/);
});

test("apis: without one that answers for all other paths nothing is served", () => {
  assert.throws(
    () => serveApis([greeterApi], { log: silentLog, turns: ownTurns(), listElementsMax: 1, listWaitMs: 1, observe: () => undefined }),
    /answers for all paths/,
  );
});
