/** A door judges heads: before routes are looked for, and with a word on every answer. */
import assert from "node:assert/strict";
import type { Door } from "../../src/http/index.js";
import { behaviour, echo, get, text, withTransport } from "./harness.js";
import { ask, post, RawClient, request } from "./raw-client.js";
import { openSocket } from "./web-socket-client.js";

const door: Door = {
  answerAt: ({ headers, method }) =>
    headers.get("origin") === "bad"
      ? text("not you", 403)
      : method === "OPTIONS"
        ? { status: 204, headers: { vary: "Origin, Accept" } }
        : undefined,
  headersFor: ({ headers }) => (headers.get("origin") === "good" ? { "x-welcome": "good", vary: "Origin" } : undefined),
};

const greeting = { path: "/ws", upgrade: () => ({ accept: { protocol: "", context: undefined } }), open: async () => undefined };
const routes = [
  echo(1_000),
  get("/hello", async () => text("hello")),
  get("/stream", async () => ({
    status: 200,
    body: (async function* () {
      yield "a";
      yield "b";
    })(),
  })),
  get("/broken", async () => {
    throw new Error("broken");
  }),
];

behaviour("a door turns requests away before anything else of them is looked at, sockets too", async (kind) => {
  let handled = 0;
  const counting = routes.map((each) => ({ ...each, admit: () => ((handled += 1), { context: undefined }) }));
  await withTransport(kind, { door, routes: counting, webSockets: [greeting] }, async ({ port, transport, errors }) => {
    for (const [method, path] of [
      ["GET", "/hello"],
      ["GET", "/nowhere"],
      ["DELETE", "/hello"],
      ["OPTIONS", "/hello"],
      ["HEAD", "/hello"],
    ] as const)
      assert.equal((await ask(port, request(method, path, ["Origin: bad"]), method))?.status, 403, `${method} ${path}`);
    assert.equal((await ask(port, request("POST", "/echo", ["Origin: bad", "Content-Length: 999999999"])))?.status, 403);
    const { response } = await openSocket(port, "/ws", ["Origin: bad"]);
    assert.deepEqual([response?.status, response?.body.toString()], [403, "not you"]);
    assert.deepEqual([handled, transport.bodiesBytes, errors], [0, 0, []]);
    assert.equal((await openSocket(port, "/ws", ["Origin: good"])).response?.status, 101);
  });
});

behaviour("a door's headers that cannot go out end neither the node nor the connection", async (kind) => {
  for (const welcome of ["é", "x".repeat(10_000)]) {
    const broken: Door = { answerAt: () => undefined, headersFor: () => ({ "x-welcome": welcome }) };
    await withTransport(kind, { door: broken, routes }, async ({ port, errors }) => {
      const client = await RawClient.open(port);
      for (const asked of [request("GET", "/hello"), request("GET", "/stream"), request("GET", "/nowhere"), post("/echo", "abc")]) {
        client.write(asked);
        const answer = await client.response();
        assert.deepEqual([answer?.status, answer?.headers.has("x-welcome")], [500, false], asked.toString().slice(0, 30));
      }
      client.destroy();
      assert.equal(errors.length, 4);
    });
  }
});

behaviour("a door that fails over a head has that request answered, and the others", async (kind) => {
  const failing: Door = {
    answerAt: ({ headers }) => {
      if (headers.get("origin") === "bad") throw new Error("the door fell");
      return undefined;
    },
    headersFor: () => undefined,
  };
  await withTransport(kind, { door: failing, routes }, async ({ port, errors }) => {
    const bad = ["Origin: bad"];
    assert.equal((await ask(port, request("GET", "/hello", bad)))?.status, 500);
    assert.equal((await ask(port, post("/echo", "abc", bad)))?.status, 500);
    assert.equal((await ask(port, request("GET", "/hello")))?.status, 200);
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ["the door fell", "the door fell"],
    );
  });
});

behaviour("a door's headers are on every answer, whole or streamed, good or bad", async (kind) => {
  await withTransport(kind, { door, routes }, async ({ port }) => {
    const good = ["Origin: good"];
    const asked: readonly (readonly [status: number, whole: string, method?: string])[] = [
      [200, request("GET", "/hello", good)],
      [200, request("HEAD", "/hello", good), "HEAD"],
      [200, request("GET", "/stream", good)],
      [404, request("GET", "/nowhere", good)],
      [405, request("DELETE", "/hello", good)],
      [413, post("/echo", "x".repeat(2_000), good)],
      [500, request("GET", "/broken", good)],
      [200, post("/echo", "abc", good)],
    ];
    for (const [status, whole, method] of asked) {
      const answer = await ask(port, whole, method);
      assert.deepEqual(
        [answer?.status, answer?.headers.get("x-welcome"), answer?.headers.get("vary")],
        [status, "good", "Origin"],
        whole.slice(0, 40),
      );
    }
    const client = await RawClient.open(port);
    client.write(request("OPTIONS", "/anything", good));
    const answer = await client.response();
    assert.deepEqual(
      [answer?.status, answer?.headers.get("x-welcome"), answer?.headers.get("vary"), answer?.body.length],
      [204, "good", "Origin, Accept", 0],
    );
    client.write(request("GET", "/hello"));
    assert.equal((await client.response())?.headers.has("x-welcome"), false);
    client.destroy();
  });
});
