import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { behaviour, echo, eventually, get, longMs, route, text, withTransport } from "./harness.js";
import { ask, post, RawClient, request } from "./raw-client.js";

const hello = get("/v2/version", async () => text("hello"));

behaviour("a request reaches its route with method, path, query, headers and decoded parameters", async (kind) => {
  const seen: unknown[] = [];
  const user = get("/v2/users/{user-id}/rights/{right}", async ({ method, path, query, params, headers }) => {
    seen.push({ method, path, query, params: { ...params }, list: headers.get("x-list") });
    return text("ok");
  });
  await withTransport(kind, { routes: [user] }, async ({ port }) => {
    const answer = await ask(port, request("GET", "/v2/users/a%2Fb%20%C3%A4/rights/x?limit=2&q=%20?", ["X-List: one", "x-list: two"]));
    assert.equal(answer?.status, 200);
    const path = "/v2/users/a%2Fb%20%C3%A4/rights/x";
    assert.deepEqual(seen, [
      { method: "GET", path, query: "limit=2&q=%20?", params: { "user-id": "a/b ä", right: "x" }, list: "one, two" },
    ]);
  });
});

behaviour("unknown paths, other methods and undecodable paths are told apart", async (kind) => {
  await withTransport(
    kind,
    { routes: [hello, route("POST", "/v2/version", async () => text("posted")), get("/v2/p/{x}", async () => text("p"))] },
    async ({ port }) => {
      const outcome = async (method: string, path: string): Promise<string> => {
        const answer = await ask(port, method === "POST" ? post(path, "{}") : request(method, path), method);
        return `${answer?.status} ${answer?.body.toString()}`;
      };
      assert.equal(await outcome("GET", "/v2/nope"), "404 nothing at GET /v2/nope");
      assert.equal(await outcome("POST", "/v2/nope"), "404 nothing at POST /v2/nope");
      assert.equal(await outcome("DELETE", "/v2/version"), "405 try GET POST HEAD");
      assert.equal(await outcome("OPTIONS", "/v2/version"), "405 try GET POST HEAD");
      assert.equal(await outcome("GET", "/v2/version/"), "200 hello");
      assert.equal(await outcome("GET", "/v2//version//"), "200 hello"); // empty segments do not count
      assert.equal(await outcome("GET", "//v2/nope"), "404 nothing at GET //v2/nope");
      assert.equal(await outcome("GET", "/v2/%76ersion"), "200 hello");
      assert.equal(await outcome("GET", "/v2/p/"), "404 nothing at GET /v2/p/");
      assert.match(await outcome("GET", "/v2/p/%zz"), /^400 /);
      assert.match(await outcome("GET", "/v2/p/%ff"), /^400 /);
      assert.equal(await outcome("GET", "/"), "404 nothing at GET /");
    },
  );
});

behaviour("HEAD is answered by the GET route without its body, and the connection goes on", async (kind) => {
  const stream = get("/stream", async () => ({
    status: 200,
    body: (async function* () {
      yield "never read";
    })(),
  }));
  await withTransport(kind, { routes: [hello, stream, route("POST", "/only-post", async () => text("x"))] }, async ({ port }) => {
    const client = await RawClient.open(port);
    client.write(request("HEAD", "/v2/version"));
    const answer = await client.response("HEAD");
    assert.deepEqual([answer?.status, answer?.headers.get("content-length")], [200, "5"]);
    client.write(request("HEAD", "/stream"));
    assert.equal((await client.response("HEAD"))?.status, 200);
    client.write(request("HEAD", "/only-post"));
    assert.equal((await client.response("HEAD"))?.status, 405);
    client.write(request("GET", "/v2/version"));
    assert.equal((await client.response())?.body.toString(), "hello");
    client.destroy();
  });
});

behaviour("bodies arrive whole, by length or in chunks, however they are cut", async (kind) => {
  await withTransport(kind, { routes: [echo()] }, async ({ port }) => {
    const client = await RawClient.open(port);
    const large = "0123456789abcdef".repeat(20_000);
    client.write(post("/echo", large));
    assert.equal((await client.response())?.body.toString(), large);
    await client.writeParts([request("POST", "/echo", ["Transfer-Encoding: chunked"]), "5\r\nhe", "llo\r\n", "1", "\r\n!\r\n0\r\n\r\n"]);
    assert.equal((await client.response())?.body.toString(), "hello!");
    client.write(post("/echo", ""));
    assert.equal((await client.response())?.body.length, 0);
    client.write(request("POST", "/echo"));
    assert.equal((await client.response())?.body.length, 0);
    client.write(request("POST", "/echo", ["Expect: 100-continue", "Content-Length: 3"]) + "abc");
    assert.equal((await client.response())?.body.toString(), "abc");
    client.destroy();
  });
});

behaviour("who waits to be told to send the body is told, however the expectation is written, and has one answer", async (kind) => {
  await withTransport(kind, { routes: [echo(), route("POST", "/bare", () => Promise.resolve({ status: 200 }))] }, async ({ port }) => {
    for (const expectation of ["100-continue", "100-Continue"])
      for (const [path, more] of [
        ["/echo", []],
        ["/bare", ["Connection: close"]],
      ] as const) {
        const client = await RawClient.open(port);
        client.write(request("POST", path, [`Expect: ${expectation}`, "Content-Length: 3", ...more]));
        assert.equal((await client.take(25))?.toString(), "HTTP/1.1 100 Continue\r\n\r\n", `${path} ${expectation}`);
        client.write("abc");
        const answer = await client.response();
        assert.deepEqual([answer?.status, answer?.body.toString()], [200, path === "/echo" ? "abc" : ""]);
        if (path === "/echo") {
          client.write(post("/echo", "again"));
          assert.equal((await client.response())?.body.toString(), "again");
        }
        client.destroy();
      }
  });
});

behaviour(
  "no body is written over that of another request, and the memory of a large one is free once its handler is done with it",
  async (kind) => {
    const kept: Uint8Array[] = [],
      larges: Uint8Array[] = [];
    const keep = route("POST", "/keep", async ({ body }) => {
      kept.push(body);
      return text("ok");
    });
    const large = route("POST", "/large", async ({ body }) => {
      larges.push(body);
      return text(`${body.length}`);
    });
    const early = route("POST", "/early", async (request) => {
      const bytes = request.body.length;
      request.freeBody();
      return text(`${bytes} then ${request.body.length}`);
    });
    await withTransport(kind, { routes: [keep, large, early] }, async ({ port }) => {
      const client = await RawClient.open(port);
      const sent = ["a", "b", "c"].flatMap((letter) => [letter.repeat(1_000), letter.repeat(10_000)]);
      for (const body of sent) {
        client.write(post("/keep", body));
        await client.response();
      }
      for (const [path, answer] of [
        ["/large", "900000"],
        ["/early", "900000 then 0"],
      ] as const) {
        client.write(post(path, "x".repeat(900_000)));
        assert.equal((await client.response())?.body.toString(), answer);
      }
      client.destroy();
      assert.deepEqual(
        larges.map(({ length }) => length),
        [0],
      );
      assert.deepEqual(
        kept.map((body) => Buffer.from(body).toString()),
        sent,
      );
      assert.ok(
        kept.every((body) => body.length < 4_096 || (body.byteOffset === 0 && body.buffer.byteLength === body.length)),
        "a body of some size owns its memory, so that it can be moved to a worker",
      );
    });
  },
);

behaviour("a body that is too large by its declared length gets 413, and the connection closes", async (kind) => {
  await withTransport(kind, { routes: [echo(1_000)] }, async ({ port }) => {
    const client = await RawClient.open(port);
    client.write(post("/echo", "x".repeat(200_000)));
    const answer = await client.response();
    assert.deepEqual([answer?.status, answer?.body.toString(), answer?.headers.get("connection")], [413, "more than 1000 bytes", "close"]);
    await client.closed();
    assert.equal((await ask(port, request("POST", "/echo", ["Content-Length: 999999999999999"])))?.status, 413);
    assert.equal((await ask(port, post("/echo", "x".repeat(1_000))))?.status, 200);
  });
});

behaviour("a body that is too large by counting gets 413, and the connection closes", async (kind) => {
  await withTransport(kind, { routes: [echo(1_000)] }, async ({ port }) => {
    const client = await RawClient.open(port);
    const chunk = `190\r\n${"y".repeat(400)}\r\n`;
    await client.writeParts([request("POST", "/echo", ["Transfer-Encoding: chunked"]), chunk, chunk, chunk, chunk]);
    assert.equal((await client.response())?.status, 413);
    await client.closed();
    const polite = await RawClient.open(port);
    polite.write(request("POST", "/echo", ["Transfer-Encoding: chunked"]) + chunk + chunk + chunk + "0\r\n\r\n");
    assert.equal((await polite.response())?.status, 413);
    await polite.closed();
  });
});

behaviour("a handler that throws is answered 500 and reported, and the server lives", async (kind) => {
  const routes = [
    get("/sync", () => {
      throw new Error("at once");
    }),
    get("/async", async () => {
      await sleep(1);
      throw new Error("later");
    }),
    hello,
  ];
  await withTransport(kind, { routes }, async ({ port, errors }) => {
    for (const path of ["/sync", "/async"]) {
      const answer = await ask(port, request("GET", path));
      assert.equal(answer?.status, 500);
      assert.doesNotMatch(answer.body.toString(), /at once|later/);
    }
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ["at once", "later"],
    );
    assert.equal((await ask(port, request("GET", "/v2/version")))?.status, 200);
  });
});

behaviour("a reply that is not one is answered 500 and reported", async (kind) => {
  const bad = get("/x", async () => ({ status: 99 }));
  await withTransport(kind, { routes: [bad] }, async ({ port, errors }) => {
    assert.equal((await ask(port, request("GET", "/x")))?.status, 500);
    assert.equal(errors.length, 1);
  });
});

behaviour("a request that takes too long is answered by the deadline, and its handler is told", async (kind) => {
  let aborted = false;
  const slow = get("/slow", async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    aborted = true;
    return text("nobody waits");
  });
  const patient = { ...get("/patient", async () => (await sleep(120), text("in its own time"))), deadlineMs: 5_000 };
  await withTransport(kind, { routes: [slow, hello, patient], limits: { requestDeadlineMs: 60 } }, async ({ port, errors }) => {
    assert.equal((await ask(port, request("GET", "/patient")))?.body.toString(), "in its own time");
    const client = await RawClient.open(port);
    client.write(request("GET", "/slow"));
    const answer = await client.response();
    assert.deepEqual([answer?.status, answer?.body.toString()], [503, "too late"]);
    await eventually("the handler is told", () => aborted);
    client.write(request("GET", "/v2/version"));
    assert.equal((await client.response())?.body.toString(), "hello");
    assert.deepEqual(errors, []);
    client.destroy();
  });
});

behaviour("a client that goes away before the answer aborts the signal, and the answer is dropped", async (kind) => {
  let started = 0;
  let aborted = 0;
  let release = (): void => undefined;
  const slow = get("/slow", async ({ signal }) => {
    started += 1;
    signal.addEventListener("abort", () => (aborted += 1));
    await new Promise<void>((resolve) => (release = resolve));
    if (started === 2) signal.throwIfAborted(); // what a handler may do instead of answering
    return text("for nobody");
  });
  await withTransport(kind, { routes: [slow, hello] }, async ({ port, errors }) => {
    for (const leave of ["destroy", "resetAndDestroy"] as const) {
      const client = await RawClient.open(port);
      const before = started;
      client.write(request("GET", "/slow"));
      await eventually("the handler runs", () => started === before + 1);
      client.socket[leave]();
      await eventually("the signal aborts", () => aborted === started);
      release();
    }
    await sleep(10);
    assert.deepEqual(errors, []);
    assert.equal((await ask(port, request("GET", "/v2/version")))?.status, 200);
  });
});

behaviour("a client that goes away aborts every request it pipelined", async (kind) => {
  const signals: AbortSignal[] = [];
  const slow = get("/slow", async ({ signal }) => {
    signals.push(signal);
    await sleep(longMs, undefined, { signal });
    return text("for nobody");
  });
  await withTransport(kind, { routes: [slow] }, async ({ port, transport, errors }) => {
    const client = await RawClient.open(port);
    client.write(request("GET", "/slow").repeat(3));
    await eventually("a handler runs", () => signals.length > 0);
    client.destroy();
    await eventually("every signal aborts", () => signals.every(({ aborted }) => aborted));
    await transport.close(longMs); // nothing runs any more
    assert.deepEqual(errors, []);
  });
});

behaviour("a client that goes away inside its body leaves nothing behind", async (kind) => {
  await withTransport(kind, { routes: [echo(), hello] }, async ({ port, transport }) => {
    const client = await RawClient.open(port);
    client.write(request("POST", "/echo", ["Content-Length: 100"]) + "only this");
    await sleep(20);
    client.destroy();
    await sleep(20);
    await transport.close(longMs); // nothing runs any more
  });
});

behaviour("a signal stays quiet when the reply went out", async (kind) => {
  const signals: AbortSignal[] = [];
  const quiet = get("/quiet", async ({ signal }) => {
    signals.push(signal);
    return text("ok");
  });
  await withTransport(kind, { routes: [quiet] }, async ({ port }) => {
    await ask(port, request("GET", "/quiet"));
    await sleep(20);
    assert.equal(signals[0]?.aborted, false);
  });
});

behaviour("who waits to be told to send a body that is not wanted gets its answer at once", async (kind) => {
  const setup = { routes: [echo(100)], limits: { lingerMs: longMs } };
  await withTransport(kind, setup, async ({ port }) => {
    for (const expectation of kind === "node" ? ["100-continue", "100-Continue"] : ["100-Continue"])
      for (const [path, status] of [
        ["/echo", 413],
        ["/nowhere", 404],
      ] as const) {
        const client = await RawClient.open(port);
        client.write(request("POST", path, [`Expect: ${expectation}`, "Content-Length: 1000"]));
        assert.equal((await client.take(12))?.toString(), `HTTP/1.1 ${status}`);
        await client.closed();
      }
  });
});

behaviour(
  "a body that comes a byte now and then is given up, a slow one is taken",
  async (kind) => {
    await withTransport(kind, { routes: [echo()], limits: { stallMs: 200, bodyBytesPerSecondMin: 1_000 } }, async ({ port }) => {
      const sendIn = async (piece: string): Promise<number | undefined> => {
        const client = await RawClient.open(port);
        client.write(request("POST", "/echo", [`Content-Length: ${60 * piece.length}`]));
        for (let sent = 0; sent < 60 && !client.ended; sent += 1) {
          client.write(piece);
          await sleep(20);
        }
        const answer = await client.response();
        client.destroy();
        return answer?.status;
      };
      assert.deepEqual([await sendIn("x"), await sendIn("x".repeat(400))], [undefined, 200]);
    });
  },
  { uws: "the native bound is 16 kB/s over 10 s and cannot be set" },
);

behaviour(
  "a stalled body is given up",
  async (kind) => {
    await withTransport(kind, { routes: [echo()], limits: { stallMs: 100 } }, async ({ port }) => {
      const client = await RawClient.open(port);
      client.write(request("POST", "/echo", ["Content-Length: 100"]) + "only this");
      await client.closed();
    });
  },
  { uws: "the native time-out is 10 s and cannot be set: measured at adoption, too long for every run" },
);
