import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { behaviour, echo, get, route, text, withTransport } from "./harness.js";
import { post, RawClient, request } from "./raw-client.js";
import { handshake, openSocket } from "./web-socket-client.js";

const hello = get("/hello", async ({ headers }) => text(`hello ${headers.get("authorization")?.length ?? 0}`));

/** Heads that two readers could take differently, each with a follower in its body's place. */
const doubtful: readonly (readonly [what: string, headers: readonly string[]])[] = [
  ["two different lengths", ["Content-Length: 0", "Content-Length: 44"]],
  ["two equal lengths", ["Content-Length: 0", "Content-Length: 0"]],
  ["an empty length", ["Content-Length:"]],
  ["a list of lengths", ["Content-Length: 0, 44"]],
  ["a signed length", ["Content-Length: +0"]],
  ["a hexadecimal length", ["Content-Length: 0x0"]],
  ["a huge length", ["Content-Length: 18446744073709551616"]],
  ["a length and chunks", ["Content-Length: 44", "Transfer-Encoding: chunked"]],
  ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 44"]],
  ["two codings", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"]],
  ["another coding", ["Transfer-Encoding: gzip"]],
  ["identity coding", ["Transfer-Encoding: identity"]],
  ["almost chunked", ["Transfer-Encoding: xchunked"]],
  ["two hosts", ["Host: a", "Host: b"]],
  ["two authorizations", ["Authorization: Bearer a", "Authorization: Bearer b"]],
  ["two lines of protocols", ["Sec-WebSocket-Protocol: a", "Sec-WebSocket-Protocol: jwt.token.x"]],
];

behaviour("a doubtfully framed request is refused, its connection closes, and no follower runs", async (kind) => {
  let ran = 0;
  const count = async (): ReturnType<typeof hello.handle> => {
    ran += 1;
    return text("ran");
  };
  await withTransport(kind, { routes: [route("POST", "/x", count), get("/smuggled", count)] }, async ({ port }) => {
    for (const [what, headers] of doubtful) {
      for (const split of [false, true]) {
        const client = await RawClient.open(port);
        const head = request("POST", "/x", headers);
        const follower = request("GET", "/smuggled");
        if (split) await client.writeParts([head, follower], 3);
        else client.write(head + follower);
        const answer = await client.response().catch(() => undefined);
        assert.ok(answer === undefined || answer.status === 400, `${what}: ${answer?.status}`);
        await client.closed();
        assert.equal(ran, 0, what);
      }
    }
  });
});

behaviour("a doubtful head without follower gets its 400", async (kind) => {
  await withTransport(kind, { routes: [hello] }, async ({ port }) => {
    for (const [what, headers] of doubtful) {
      const client = await RawClient.open(port);
      client.write(request("GET", "/hello", headers));
      assert.equal((await client.response())?.status, 400, what);
      await client.closed();
    }
    const head = await RawClient.open(port);
    head.write(request("HEAD", "/hello", ["Authorization: a", "Authorization: b"]));
    assert.equal((await head.response("HEAD"))?.status, 400);
    await head.closed();
  });
});

behaviour("a request without Host, or in another protocol, never runs", async (kind) => {
  let ran = 0;
  const count = get("/x", async () => {
    ran += 1;
    return text("ran");
  });
  await withTransport(kind, { routes: [count] }, async ({ port }) => {
    const bad = [
      "GET /x HTTP/1.1\r\n\r\n",
      "GET /x HTTP/1.1\r\nHost: a\r\nBad Name: x\r\n\r\n",
      "GET /x HTTP/1.1\r\nHost: a\r\nX: 1\r\n folded\r\n\r\n",
      "GET /x HTTP/2.0\r\nHost: a\r\n\r\n",
      "GET http://a/x HTTP/1.1\r\nHost: a\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ];
    for (const head of bad) {
      const client = await RawClient.open(port);
      client.write(Buffer.from(head, "latin1"));
      const answer = await client.response().catch(() => undefined);
      assert.ok(answer === undefined || answer.status >= 400, head);
      await client.closed();
    }
    assert.equal(ran, 0);
  });
});

behaviour("a head may be cut at every byte: GET, POST and handshake", async (kind) => {
  const socket = { path: "/ws", upgrade: () => ({ accept: { protocol: "", context: undefined } }), open: async () => undefined };
  await withTransport(kind, { routes: [hello, echo()], webSockets: [socket] }, async ({ port }) => {
    const requests = [
      { text: request("GET", "/hello?x=1", ["Authorization: Bearer abc"]), status: 200 },
      { text: post("/echo", "body"), status: 200 },
      { text: request("POST", "/echo", ["Transfer-Encoding: chunked"], "2\r\nab\r\n0\r\n\r\n"), status: 200 },
      { text: handshake("/ws"), status: 101 },
    ];
    const cuts = requests.flatMap(({ text: whole, status }) => Array.from(whole.slice(1), (_, at) => ({ whole, status, at: at + 1 })));
    await inGroups(cuts, 32, async ({ whole, status, at }) => {
      const client = await RawClient.open(port);
      await client.writeParts([whole.slice(0, at), whole.slice(at)], 2);
      assert.equal((await client.response())?.status, status, `cut at ${at}: ${JSON.stringify(whole.slice(0, at))}`);
      client.destroy();
    });
  });
});

behaviour("a token of 12 KB passes in any split, a head above the bound gets 431", async (kind) => {
  await withTransport(kind, { routes: [hello] }, async ({ port }) => {
    const token = "t".repeat(12 * 1024);
    const whole = request("GET", "/hello", [`Authorization: ${token}`]);
    for (const piece of [whole.length, 1, 100, 4_096, 8_191, 12_300]) {
      const client = await RawClient.open(port);
      if (piece === 1) await client.writeParts([...Array.from({ length: 50 }, (_, at) => whole.slice(at, at + 1)), whole.slice(50)], 0);
      else
        await client.writeParts(
          Array.from({ length: Math.ceil(whole.length / piece) }, (_, at) => whole.slice(at * piece, (at + 1) * piece)),
          piece < 1_000 ? 0 : 5,
        );
      assert.equal((await client.response())?.body.toString(), `hello ${token.length}`, `in pieces of ${piece}`);
      client.destroy();
    }
    const client = await RawClient.open(port);
    // No more than goes beyond the bound: what came behind it would have the answer lost with the connection.
    client.write(request("GET", "/hello", [`Authorization: ${"t".repeat(40 * 1024)}`]).slice(0, 20_000));
    assert.equal((await client.response())?.status, 431);
    await client.closed();
  });
});

behaviour("pipelined requests that are answered at once are answered in order", async (kind) => {
  let served = 0;
  const next = get("/next", async () => text(String((served += 1))));
  await withTransport(kind, { routes: [next] }, async ({ port }) => {
    const client = await RawClient.open(port);
    client.write(request("GET", "/next").repeat(500));
    for (let at = 1; at <= 500; at += 1) assert.equal((await client.response())?.body.toString(), String(at));
    client.destroy();
  });
});

behaviour(
  "pipelined requests whose handlers take time are answered in order",
  async (kind) => {
    let served = 0;
    const next = get("/next", async () => {
      const mine = (served += 1);
      await sleep(5);
      return text(String(mine));
    });
    await withTransport(kind, { routes: [next] }, async ({ port }) => {
      const client = await RawClient.open(port);
      client.write(request("GET", "/next").repeat(3));
      for (let at = 1; at <= 3; at += 1) assert.equal((await client.response())?.body.toString(), String(at));
      client.destroy();
    });
  },
  { uws: "a request behind one still pending closes the connection there (documented)" },
);

behaviour("Connection: close is honoured, for whole replies, empty ones and streams", async (kind) => {
  const routes = [
    hello,
    get("/large", async () => text("x".repeat(50_000))),
    get("/empty", async () => ({ status: 204 })),
    get("/stream", async () => ({
      status: 200,
      body: (async function* () {
        yield "a";
        yield "b";
      })(),
    })),
  ];
  await withTransport(kind, { routes }, async ({ port }) => {
    for (const [path, status, bytes] of [
      ["/hello", 200, "hello 0".length],
      ["/large", 200, 50_000],
      ["/empty", 204, 0],
      ["/stream", 200, 2],
      ["/nope", 404, "nothing at GET /nope".length],
    ] as const) {
      const client = await RawClient.open(port);
      client.write(request("GET", path, ["Connection: close"]));
      const answer = await client.response();
      assert.deepEqual([answer?.status, answer?.body.length], [status, bytes], path);
      await client.closed();
    }
    const polite = await RawClient.open(port);
    polite.write(request("GET", "/hello", ["Connection: close, te"]));
    assert.equal((await polite.response())?.headers.get("connection"), "close");
    await polite.closed();
  });
});

behaviour("a plain request that offers HTTP/2 is served as what it is, body included", async (kind) => {
  const h2c = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA"];
  await withTransport(kind, { routes: [hello, echo()] }, async ({ port }) => {
    const client = await RawClient.open(port);
    client.write(request("POST", "/echo", [...h2c, "Content-Length: 300000"]));
    for (let at = 0; at < 3; at += 1) {
      await sleep(2);
      client.write("z".repeat(100_000));
    }
    assert.equal((await client.response())?.body.toString(), "z".repeat(300_000));
    client.write(request("GET", "/hello", h2c));
    assert.equal((await client.response())?.status, 200);
    client.write(request("GET", "/hello"));
    assert.equal((await client.response())?.status, 200);
    client.destroy();
  });
});

behaviour("a WebSocket handshake elsewhere is served as the plain request it is", async (kind) => {
  await withTransport(kind, { routes: [hello] }, async ({ port }) => {
    assert.equal((await openSocket(port, "/hello")).response?.status, 200);
    assert.equal((await openSocket(port, "/nope")).response?.status, 404);
  });
});

async function inGroups<T>(items: readonly T[], size: number, run: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += size) await Promise.all(items.slice(at, at + size).map(run));
}
