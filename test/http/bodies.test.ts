/** What is taken of a body, from whom, and what is given back. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { HeadDecision, RawReply, Route } from "../../src/http/index.js";
import { behaviour, echo, eventually, get, longMs, pattern, route, text, withTransport } from "./harness.js";
import { ask, post, RawClient, request } from "./raw-client.js";

const whole = 8 * 1024 * 1024;
const piece = Buffer.alloc(64 * 1024, "p");
/** At most what a connection has read together with the head. */
const readWithHead = 600 * 1024;

const unauthorised: HeadDecision = { reply: text("who are you", 401) };

function guarded(
  decide: () => HeadDecision | Promise<HeadDecision>,
  handle: Route["handle"] = async ({ body }, context) => text(`${body.length} for ${String(context)}`),
): Route {
  return {
    ...route("POST", "/guarded", handle, 16 * 1024 * 1024),
    admit: ({ headers }) => (headers.has("authorization") ? { context: headers.get("authorization") } : decide()),
  };
}

const upload = (bytes: number, headers: readonly string[] = [], path = "/guarded"): string =>
  request("POST", path, [`Content-Length: ${bytes}`, ...headers]);

behaviour("a route that refuses by the head takes nothing of the body, and waits only a moment for its end", async (kind) => {
  let handled = 0;
  const refuse = guarded(
    () => unauthorised,
    async () => ((handled += 1), text("in")),
  );
  await withTransport(kind, { routes: [refuse] }, async ({ port, transport, errors }) => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => RawClient.open(port)));
    await Promise.all(
      clients.map(async (client) => {
        client.write(upload(whole));
        const answer = await client.response(); // none of the body was sent
        assert.deepEqual([answer?.status, answer?.body.toString()], [401, "who are you"]);
        assert.equal(answer?.headers.get("connection"), "close");
        for (let at = 0; at < 20; at += 1) client.write(piece);
        await client.closed();
        assert.equal(transport.bodiesBytes, 0);
      }),
    );
    const chunked = await ask(port, request("POST", "/guarded", ["Transfer-Encoding: chunked"], "5\r\nhello\r\n"));
    assert.equal(chunked?.status, 401);
    assert.deepEqual([handled, errors], [0, []]);
  });
});

behaviour("a connection goes on after a refusal by the head, once its body went by", async (kind) => {
  for (const later of [false, true]) {
    const refuse = guarded(() => (later ? sleep(30, unauthorised) : unauthorised));
    const setup = { routes: [refuse, get("/hello", async () => text("hello"))], limits: { lingerMs: longMs } };
    await withTransport(kind, setup, async ({ port, transport }) => {
      const client = await RawClient.open(port);
      for (const bytes of [10, 3_000_000])
        for (const [path, status] of [
          ["/guarded", 401],
          ["/nowhere", 404],
          ["/hello", 405],
        ] as const) {
          client.write(upload(bytes, [], path));
          client.write(pattern(bytes));
          assert.equal((await client.response())?.status, status);
          client.write(request("GET", "/hello"));
          assert.equal((await client.response())?.body.toString(), "hello");
        }
      assert.equal(transport.bodiesBytes, 0);
      client.destroy();
    });
  }
});

behaviour("a connection ends after a refusal by the head where its body does not: after a while, or so many bytes", async (kind) => {
  const refuse = guarded(() => unauthorised);
  const setup = (lingerMs: number, lingerBytesMax: number) => ({ routes: [refuse], limits: { lingerMs, lingerBytesMax } });
  const sendWithoutEnd = async (port: number, path: string): Promise<number | undefined> => {
    const client = await RawClient.open(port);
    client.write(upload(1_000_000_000_000, [], path));
    const sending = setInterval(() => client.socket.writableLength < 10 * piece.length && client.write(piece), 1);
    const answer = await client.response();
    await client.closed();
    clearInterval(sending);
    return answer?.status;
  };
  for (const [lingerMs, lingerBytesMax] of [
    [100, Infinity],
    [longMs, 2_000_000],
  ] as const)
    await withTransport(kind, setup(lingerMs, lingerBytesMax), async ({ port, transport, errors }) => {
      assert.deepEqual([await sendWithoutEnd(port, "/guarded"), await sendWithoutEnd(port, "/nowhere")], [401, 404]);
      assert.deepEqual([transport.bodiesBytes, errors], [0, []]);
    });
});

behaviour("while a head is being decided on, its body stays with the client; then all of it arrives", async (kind) => {
  const undecided: (() => void)[] = [],
    bodies: Buffer[] = [];
  const slow = guarded(
    () => new Promise((resolve) => undecided.push(() => resolve({ context: "later" }))),
    async ({ body }, context) => {
      bodies.push(Buffer.from(body));
      return text(String(context));
    },
  );
  await withTransport(kind, { routes: [slow, echo(whole)] }, async ({ port, transport, errors }) => {
    const client = await RawClient.open(port);
    for (const bytes of [5, 100_000, whole]) {
      client.write(upload(bytes));
      client.write(pattern(bytes, bytes));
      await eventually("the head is being decided on", () => undecided.length === 1);
      // What somebody else sends comes to its answer, so this could have been taken as well.
      assert.equal((await ask(port, upload(whole, [], "/echo") + "e".repeat(whole)))?.body.length, whole);
      assert.ok(transport.bodiesBytes <= readWithHead, `${transport.bodiesBytes} bytes of ${bytes} were taken`);
      assert.equal(bodies.length, 0);
      undecided.pop()!();
      assert.equal((await client.response())?.body.toString(), "later");
      assert.ok(bodies.shift()?.equals(pattern(bytes, bytes)));
      assert.equal(transport.bodiesBytes, 0);
    }
    client.destroy();
    assert.deepEqual(errors, []);
  });
});

behaviour("what is decided on the head reaches the handler; a route that decides nothing lets everybody in", async (kind) => {
  await withTransport(kind, { routes: [guarded(() => unauthorised), echo()] }, async ({ port }) => {
    assert.equal((await ask(port, post("/guarded", "abc", ["Authorization: alice"])))?.body.toString(), "3 for alice");
    assert.equal((await ask(port, request("POST", "/guarded", ["Authorization: bob"])))?.body.toString(), "0 for bob");
    assert.equal((await ask(port, post("/echo", "abc")))?.body.toString(), "abc");
  });
});

behaviour("a decision that fails is answered 500 and reported, at once or later", async (kind) => {
  for (const fault of [
    () => {
      throw new Error("deciding");
    },
    async () => {
      await sleep(5);
      throw new Error("deciding");
    },
  ]) {
    await withTransport(kind, { routes: [guarded(fault)] }, async ({ port, errors, transport }) => {
      assert.equal((await ask(port, post("/guarded", "abc")))?.status, 500);
      assert.deepEqual([errors.map((error) => (error as Error).message), transport.bodiesBytes], [["deciding"], 0]);
    });
  }
});

behaviour("a client that leaves while its head is decided on is not served", async (kind) => {
  let decide = (): void => undefined;
  let handled = 0;
  const slow = guarded(
    () => new Promise((resolve) => (decide = () => resolve({ context: undefined }))),
    async () => ((handled += 1), text("in")),
  );
  await withTransport(kind, { routes: [slow] }, async ({ port, transport, errors }) => {
    const client = await RawClient.open(port);
    client.write(upload(200_000));
    client.write(piece);
    await sleep(30);
    client.destroy();
    await sleep(30);
    decide();
    await sleep(10);
    assert.deepEqual([handled, transport.bodiesBytes, errors], [0, 0, []]);
  });
});

behaviour("all bodies together have a budget: who comes too late is told to come again, and the rest goes on", async (kind) => {
  await withTransport(kind, { routes: [echo(1 << 20)], limits: { bodiesBytesMax: 1_000_000 } }, async ({ port, transport, errors }) => {
    const first = await RawClient.open(port);
    const bytes = pattern(700_000);
    first.write(upload(bytes.length, [], "/echo"));
    first.write(bytes.subarray(0, 600_000));
    await eventually("the first part is there", () => transport.bodiesBytes === 600_000);
    const declared = await RawClient.open(port);
    declared.write(post("/echo", "x".repeat(500_000)));
    const refused = await declared.response();
    assert.deepEqual(
      [refused?.status, refused?.body.toString(), refused?.headers.get("connection")],
      [503, "no room for the body of /echo", "close"],
    );
    const counted = await RawClient.open(port);
    counted.write(request("POST", "/echo", ["Transfer-Encoding: chunked"]) + `7a120\r\n${"y".repeat(500_000)}\r\n0\r\n\r\n`);
    assert.equal((await counted.response())?.status, 503);
    assert.equal((await ask(port, post("/echo", "small")))?.body.toString(), "small");
    await eventually("what the refused ones held is given back", () => transport.bodiesBytes === 600_000);
    first.write(bytes.subarray(600_000));
    assert.ok((await first.response())?.body.equals(bytes));
    await eventually("so is the first one", () => transport.bodiesBytes === 0);
    assert.equal((await ask(port, post("/echo", "z".repeat(900_000))))?.status, 200);
    for (const client of [first, declared, counted]) client.destroy();
    assert.deepEqual(errors, []);
  });
});

behaviour("what an upload held that was broken off is given back", async (kind) => {
  await withTransport(kind, { routes: [echo(1 << 20)] }, async ({ port, transport }) => {
    for (const leave of ["destroy", "resetAndDestroy"] as const) {
      const client = await RawClient.open(port);
      client.write(upload(1_000_000, [], "/echo"));
      client.write(pattern(500_000));
      await eventually("the part is there", () => transport.bodiesBytes === 500_000);
      client.socket[leave]();
      await eventually("it is given back", () => transport.bodiesBytes === 0);
    }
  });
});

behaviour("a body counts while its handler works, also when nobody waits for the answer any more", async (kind) => {
  let finish = (_reply: RawReply): void => undefined;
  const slow = route("POST", "/slow", () => new Promise((resolve) => (finish = resolve)));
  await withTransport(kind, { routes: [slow], limits: { requestDeadlineMs: 80 } }, async ({ port, transport }) => {
    for (const stays of [true, false]) {
      const client = await RawClient.open(port);
      client.write(post("/slow", "x".repeat(1_000)));
      await eventually("the handler has it", () => transport.bodiesBytes === 1_000);
      if (stays) assert.equal((await client.response())?.status, 503); // the deadline
      client.destroy();
      await sleep(20);
      assert.equal(transport.bodiesBytes, 1_000);
      finish(text("late"));
      await eventually("it is done with", () => transport.bodiesBytes === 0);
    }
  });
});
