import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { loadBinding } from "../../src/http/uws/binding.js";
import { behaviour, eventually, get, pattern, text, textPattern, withTransport } from "./harness.js";
import { ask, RawClient, request } from "./raw-client.js";

const binding = loadBinding();
const mebibyte = 1 << 20;

/** Reads in bursts with pauses, so that the server's kernel buffer is full again and again. */
async function readSlowly(client: RawClient, pauses: number): Promise<void> {
  for (let at = 0; at < pauses; at += 1) {
    client.socket.pause();
    await sleep(8);
    client.socket.resume();
    await sleep(1);
  }
}

behaviour("whole bodies of every size and kind arrive as they are", async (kind) => {
  const bodies = [1, 100, 12 * 1024 - 1, 12 * 1024, 12 * 1024 + 1, 16 * 1024, 40_000, 300_000, 3 * mebibyte].flatMap((bytes) => [
    pattern(bytes),
    textPattern(bytes),
    "ä€😀".repeat(bytes / 9 + 1),
  ]);
  const bytes = get("/{index}", async ({ params }) => ({ status: 200, body: bodies[Number(params["index"])] ?? "" }));
  await withTransport(kind, { routes: [bytes] }, async ({ port }) => {
    const client = await RawClient.open(port);
    for (const [index, body] of bodies.entries()) {
      client.write(request("GET", `/${index}`));
      const answer = await client.response();
      assert.ok(answer?.body.equals(Buffer.from(body as string)), `body ${index} of ${body.length}`);
    }
    client.destroy();
  });
});

behaviour("large bodies reach slow readers byte for byte, many at once", async (kind) => {
  const large = get("/large/{seed}", async ({ params }) => ({ status: 200, body: pattern(6 * mebibyte, Number(params["seed"])) }));
  await withTransport(kind, { routes: [large] }, async ({ port }) => {
    await Promise.all(
      [1, 2, 3, 4].map(async (seed) => {
        const client = await RawClient.open(port);
        client.write(request("GET", `/large/${seed}`));
        await readSlowly(client, 20);
        const answer = await client.response();
        assert.ok(answer?.body.equals(pattern(6 * mebibyte, seed)));
        client.destroy();
      }),
    );
  });
});

behaviour("a body's memory is given back once, and not before a slow reader has all of it", async (kind) => {
  let released = 0;
  const bytes = pattern(6 * mebibyte, 3);
  const release = (): void => {
    released += 1;
    bytes.fill(0); // what reading on would show
  };
  const large = get("/large", async () => ({ status: 200, body: bytes, release }));
  await withTransport(kind, { routes: [large] }, async ({ port }) => {
    const client = await RawClient.open(port);
    client.write(request("GET", "/large"));
    client.socket.pause();
    await sleep(30);
    assert.equal(released, 0);
    await readSlowly(client, 10);
    const answer = await client.response();
    assert.ok(answer?.body.equals(pattern(6 * mebibyte, 3)));
    await eventually("the body is released", () => released === 1);
    client.destroy();
  });
  assert.equal(released, 1);
});

behaviour("a body's memory is given back when its reader leaves", async (kind) => {
  let released = 0;
  const large = get("/large", async () => ({ status: 200, body: pattern(6 * mebibyte), release: () => (released += 1) }));
  const late = get("/late", async () => {
    await sleep(50);
    return { status: 200, body: "late", release: () => (released += 1) };
  });
  await withTransport(kind, { routes: [large, late] }, async ({ port }) => {
    for (const [path, expected] of [
      ["/large", 1],
      ["/late", 2],
    ] as const) {
      const client = await RawClient.open(port);
      client.write(request("GET", path));
      client.socket.pause();
      await sleep(20);
      client.destroy();
      await eventually(`${path} is released`, () => released === expected);
    }
  });
  assert.equal(released, 2);
});

behaviour("streams reach slow readers byte for byte, in chunks of any size, at their pace", async (kind) => {
  const sizes = [1, 3, 700, 5_000, 12 * 1024, 12 * 1024 + 1, 40_000, 16 * 1024 - 5, 100_000];
  const produced = [0, 0, 0];
  const total = 12 * mebibyte;
  const stream = get("/stream/{seed}", async ({ params }) => {
    const seed = Number(params["seed"]);
    const source = pattern(total, seed);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      const scratch = Buffer.alloc(100_000); // one buffer for every chunk: the transport must not keep it
      for (let at = 0, turn = seed; at < total; turn += 1) {
        const bytes = Math.min(sizes[turn % sizes.length] ?? 1, total - at);
        source.copy(scratch, 0, at, at + bytes);
        at += bytes;
        produced[seed] = at;
        if (turn % 50 === 0) await sleep(1);
        yield scratch.subarray(0, bytes);
      }
    }
    return { status: 200, headers: { "X-Long": "h".repeat(2_000) }, body: chunks() };
  });
  await withTransport(kind, { routes: [stream] }, async ({ port, errors }) => {
    await Promise.all(
      produced.map(async (_, seed) => {
        const client = await RawClient.open(port);
        client.write(request("GET", `/stream/${seed}`));
        if (seed === 0) {
          client.socket.pause();
          await sleep(300);
          assert.ok((produced[0] ?? 0) < total, "a reader that does not read holds the producer");
          client.socket.resume();
        }
        await readSlowly(client, 25);
        const answer = await client.response();
        assert.equal(answer?.body.length, total);
        assert.ok(answer.body.equals(pattern(total, seed)), `stream ${seed}`);
        client.write(request("GET", "/nope"));
        assert.equal((await client.response())?.status, 404, "the connection goes on");
        client.destroy();
      }),
    );
    assert.deepEqual(errors, []);
  });
});

test(
  "the slow-reader test is sharp: several writes in one cork do lose bytes on this version",
  { skip: binding.error === undefined ? false : `no uWebSockets.js binding here: ${binding.error}` },
  async () => {
    const native = binding.ok;
    if (native === undefined) return;
    const piece = pattern(6_000);
    const app = native.App().any("/*", (response) => {
      let live = true;
      let left = 400;
      const pump = (): boolean => {
        for (let room = true; live && room && left > 0; left -= 1)
          response.cork(() => {
            for (let at = 0; at < 8; at += 1) room = response.write(piece);
          });
        if (live && left === 0) response.cork(() => response.end());
        live &&= left > 0;
        return true;
      };
      response.onAborted(() => (live = false)).onWritable(pump);
      setImmediate(pump);
    });
    const port = await new Promise<number>((resolve) =>
      app.listen("127.0.0.1", 0, 0, (socket) => socket && resolve(native.us_socket_local_port(socket))),
    );
    const whole = Buffer.concat(Array.from({ length: 8 * 400 }, () => piece));
    const damaged = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = await RawClient.open(port);
        client.write(request("GET", "/"));
        await readSlowly(client, 25);
        const late = sleep(2_000).then(() => undefined); // a lost chunk end leaves the reader waiting
        const answer = await Promise.race([client.response().catch(() => undefined), late]);
        client.destroy();
        return !answer?.body.equals(whole);
      }),
    );
    app.close();
    assert.ok(damaged.includes(true), "the defect is gone: simplify the adapter");
  },
);

behaviour("a stream's first chunk is sent before the next one is asked for", async (kind) => {
  let more = (): void => undefined;
  const gate = new Promise<void>((resolve) => (more = resolve));
  const stream = get("/stream", async () => ({
    status: 200,
    body: (async function* () {
      yield "first";
      await gate;
      yield "";
      yield "second";
    })(),
  }));
  await withTransport(kind, { routes: [stream] }, async ({ port }) => {
    const client = await RawClient.open(port);
    client.write(request("GET", "/stream"));
    await eventually("the first chunk", () => client.unread.includes("first"));
    more();
    assert.equal((await client.response())?.body.toString(), "firstsecond");
    client.destroy();
  });
});

behaviour("an empty stream is an empty body", async (kind) => {
  const stream = get("/stream", async () => ({ status: 200, body: (async function* () {})() as AsyncIterable<string> }));
  await withTransport(kind, { routes: [stream] }, async ({ port }) => {
    const client = await RawClient.open(port);
    for (let turn = 0; turn < 2; turn += 1) {
      client.write(request("GET", "/stream"));
      assert.equal((await client.response())?.body.length, 0);
    }
    client.destroy();
  });
});

behaviour("a stream that fails midway ends the connection, not the body", async (kind) => {
  const stream = get("/stream", async () => ({
    status: 200,
    body: (async function* () {
      yield "begun";
      throw new Error("midway");
    })(),
  }));
  await withTransport(kind, { routes: [stream] }, async ({ port, errors }) => {
    const client = await RawClient.open(port);
    client.write(request("GET", "/stream"));
    const whole = await client.response().catch(() => undefined);
    assert.equal(whole, undefined, "nobody takes what came for the whole");
    await client.closed();
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ["midway"],
    );
  });
});

behaviour("a reader that leaves a stream stops its producer", async (kind) => {
  let aborted = false;
  let finished = false;
  const stream = get("/stream", async ({ signal }) => {
    signal.addEventListener("abort", () => (aborted = true));
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield "x".repeat(20_000);
      } finally {
        finished = true;
      }
    }
    return { status: 200, body: endless() };
  });
  await withTransport(kind, { routes: [stream] }, async ({ port, errors }) => {
    const client = await RawClient.open(port);
    client.write(request("GET", "/stream"));
    await eventually("the stream runs", () => client.socket.bytesRead > 100_000);
    client.socket.resetAndDestroy();
    await eventually("the signal aborts and the producer ends", () => aborted && finished);
    assert.deepEqual(errors, []);
  });
});

behaviour("an idle stream notices that its reader left", async (kind) => {
  let aborted = false;
  const stream = get("/stream", async ({ signal }) => ({
    status: 200,
    body: (async function* () {
      yield "x";
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      aborted = true;
    })(),
  }));
  await withTransport(kind, { routes: [stream] }, async ({ port }) => {
    const client = await RawClient.open(port);
    client.write(request("GET", "/stream"));
    await eventually("the stream runs", () => client.unread.includes("x"));
    client.destroy();
    await eventually("the signal aborts", () => aborted);
  });
});

behaviour("a header that could end the head early is refused", async (kind) => {
  const bad: readonly Readonly<Record<string, string>>[] = [
    { "X-A": "a\r\nSet-Cookie: b" },
    { "X-A": "a\nb" },
    { "X-A": "a\0b" },
    { "X-A\r\nX-B": "a" },
    { "X A": "a" },
    { "X-A": "é€" },
    { "Content-Length": "1" },
    { "transfer-encoding": "chunked" },
    { Connection: "close" },
    { "X-A": "a".repeat(5_000) },
  ];
  const route = get("/{index}", async ({ params }) => ({ status: 200, headers: bad[Number(params["index"])] ?? {}, body: "x" }));
  await withTransport(kind, { routes: [route] }, async ({ port, errors }) => {
    for (const index of bad.keys()) {
      const answer = await ask(port, request("GET", `/${index}`));
      assert.equal(answer?.status, 500, JSON.stringify(bad[index]).slice(0, 60));
      assert.deepEqual(
        [...answer.headers.keys()].filter((name) => name.startsWith("x-") || name === "set-cookie"),
        [],
      );
    }
    assert.equal(errors.length, bad.length);
  });
});

behaviour("replies without a body have no length, no vendor header is sent, and status and headers pass", async (kind) => {
  const routes = [get("/none", async () => ({ status: 204, headers: { "X-A": "b" } })), get("/teapot", async () => text("short", 418))];
  await withTransport(kind, { routes }, async ({ port }) => {
    const client = await RawClient.open(port);
    client.write(request("GET", "/none"));
    const none = await client.response();
    assert.deepEqual([none?.status, none?.headers.get("x-a"), none?.headers.has("content-length")], [204, "b", false]);
    client.write(request("GET", "/teapot"));
    const teapot = await client.response();
    assert.deepEqual([teapot?.status, teapot?.headers.get("content-type"), teapot?.body.toString()], [418, "text/plain", "short"]);
    assert.ok(teapot?.headers.has("date"));
    assert.ok(!teapot?.headers.has("server") && !teapot?.headers.has("uwebsockets") && !teapot?.headers.has("x-powered-by"));
    client.destroy();
  });
});

behaviour("a pipelining client that does not read is held, not buffered without end", async (kind) => {
  let served = 0;
  const body = "p".repeat(10_000);
  const page = get("/page", async () => {
    served += 1;
    return text(body);
  });
  await withTransport(kind, { routes: [page] }, async ({ port }) => {
    const client = await RawClient.open(port);
    client.socket.pause();
    for (let at = 0; at < 200 && !client.ended; at += 1) {
      client.write(request("GET", "/page").repeat(50));
      await sleep(1);
    }
    await sleep(50);
    assert.ok(served < 5_000, `${served} of 10,000 replies were made for a reader that takes none`);
    client.destroy();
  });
});

describe("connections that nobody uses", { concurrency: true }, () => {
  behaviour("one is kept for at least as long as its last answer told, and an answer that closes tells nothing", async (kind) => {
    await withTransport(kind, { routes: [get("/", async () => text("x"))] }, async ({ port }) => {
      for (let isShown = false; !isShown;) {
        const client = await RawClient.open(port),
          since = performance.now();
        client.write(request("GET", "/"));
        const told = Number(/^timeout=(\d+)$/.exec((await client.response())?.headers.get("keep-alive") ?? "")?.[1]) * 1_000;
        await sleep(Math.min(told, 7_000));
        isShown = performance.now() - since < told + 500; // a process that was held up for longer shows nothing
        client.write(request("GET", "/", ["Connection: close"]));
        const last = await client.response();
        if (isShown) assert.deepEqual([last?.status, last?.headers.get("keep-alive")], [200, undefined]);
        client.destroy();
      }
    });
  });
});

behaviour(
  "a reader that stands still before the end of a stream is cut off, whatever of it is left",
  async (kind) => {
    const piece = "x".repeat(1_024);
    let taken = 0,
      released = 0,
      left = Infinity,
      first: number | undefined;
    const stream = get("/stream", async () => ({
      status: 200,
      body: (async function* () {
        for (; left > 0; left -= 1, taken += 1) yield piece;
      })(),
      release: () => (released += 1),
    }));
    await withTransport(kind, { routes: [stream], limits: { stallMs: 100 } }, async ({ port }) => {
      // The first finds out how much is taken from the handler before the reader is waited for.
      for (const less of [0, 2, 6, 12]) {
        if (first !== undefined) left = first - less;
        const client = await RawClient.open(port),
          before = released;
        client.write(request("GET", "/stream"));
        client.socket.pause();
        await eventually("the reply is given up", () => released === before + 1);
        client.destroy();
        first ??= taken;
      }
    });
  },
  { uws: "the native time-out is 10 s and cannot be set" },
);
