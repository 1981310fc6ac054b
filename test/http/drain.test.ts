import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { behaviour, eventually, get, longMs, text, withTransport } from "./harness.js";
import { RawClient, request } from "./raw-client.js";
import { openSocket } from "./web-socket-client.js";

/** Far less than anything waits for by itself. */
const atOnceMs = 4_000;

async function refused(port: number): Promise<boolean> {
  return RawClient.open(port).then(
    (client) => (client.destroy(), false),
    () => true,
  );
}

behaviour("close: new connections are refused, running requests and streams finish, idle connections end", async (kind) => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const slow = get("/slow", async () => (await gate, text("finished")));
  const stream = get("/stream", async () => ({
    status: 200,
    body: (async function* () {
      yield "a";
      await gate;
      yield "b";
    })(),
  }));
  await withTransport(kind, { routes: [slow, stream] }, async ({ port, transport, errors }) => {
    const [idle, waiting, streaming] = await Promise.all([RawClient.open(port), RawClient.open(port), RawClient.open(port)]);
    waiting.write(request("GET", "/slow"));
    streaming.write(request("GET", "/stream"));
    await eventually("the stream runs", () => streaming.unread.includes("a"));
    const closed = transport.close(longMs);
    assert.equal(closed, transport.close(1), "closing twice is closing once");
    await eventually("connections are refused", () => refused(port));
    release();
    const answer = await waiting.response();
    assert.deepEqual([answer?.body.toString(), answer?.headers.get("connection")], ["finished", "close"]);
    assert.equal((await streaming.response())?.body.toString(), "ab");
    await closed;
    await Promise.all([idle.closed(), waiting.closed(), streaming.closed()]);
    assert.deepEqual(errors, []);
  });
});

behaviour("close: what still runs at the deadline is cut off and told", async (kind) => {
  let httpAborted = false;
  let socketAborted = false;
  const forever = get("/forever", async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    httpAborted = true;
    return text("nobody");
  });
  const channel = {
    path: "/ws",
    upgrade: () => ({ accept: { protocol: "", context: undefined } }),
    async open(socket: { signal: AbortSignal; send(text: string): Promise<void> }): Promise<void> {
      await socket.send("running");
      await new Promise((resolve) => socket.signal.addEventListener("abort", resolve));
      socketAborted = true;
    },
  };
  await withTransport(kind, { routes: [forever], webSockets: [channel] }, async ({ port, transport, errors }) => {
    const client = await RawClient.open(port);
    client.write(request("GET", "/forever"));
    const { socket: open } = await openSocket(port, "/ws");
    open.send("go");
    assert.equal((await open.next())?.payload.toString(), "running");
    const closed = transport.close(120);
    assert.equal(await open.closeCode(), 1001);
    await closed;
    await client.closed();
    await eventually("both are told", () => httpAborted && socketAborted);
    assert.deepEqual(errors, []);
  });
});

behaviour("close: a WebSocket that finishes in time closes as always, and one without a request at once", async (kind) => {
  let release = (): void => undefined;
  const channel = {
    path: "/ws",
    upgrade: () => ({ accept: { protocol: "", context: undefined } }),
    async open(socket: { send(text: string): Promise<void> }): Promise<void> {
      await socket.send("running");
      await new Promise<void>((resolve) => (release = resolve));
      await socket.send("last");
    },
  };
  await withTransport(kind, { webSockets: [channel] }, async ({ port, transport }) => {
    const keptAlive = await RawClient.open(port);
    keptAlive.write(request("GET", "/nope"));
    await keptAlive.response();
    const { socket } = await openSocket(port, "/ws");
    socket.send("go");
    assert.equal((await socket.next())?.payload.toString(), "running");
    const { socket: unopened } = await openSocket(port, "/ws");
    const closed = transport.close(longMs);
    assert.equal(await unopened.closeCode(), 1001);
    release();
    assert.equal((await socket.next())?.payload.toString(), "last");
    assert.equal(await socket.closeCode(), 1000);
    socket.client.destroy();
    await closed;
    await keptAlive.closed();
  });
});

behaviour("close: it waits also for what works on after its client left, and for no longer than it is given", async (kind) => {
  for (const isReleased of [true, false]) {
    let working = 0,
      release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const work = async (): Promise<void> => {
      working += 1;
      await gate;
      working -= 1;
    };
    const slow = get("/slow", async () => (await work(), text("nobody")));
    const channel = { path: "/ws", upgrade: () => ({ accept: { protocol: "", context: undefined } }), open: work };
    await withTransport(kind, { routes: [slow], webSockets: [channel] }, async ({ port, transport, errors }) => {
      const client = await RawClient.open(port);
      client.write(request("GET", "/slow"));
      const { socket } = await openSocket(port, "/ws");
      socket.send("go");
      await eventually("both work", () => working === 2);
      client.destroy();
      socket.client.destroy();
      const closed = transport.close(isReleased ? longMs : 200);
      await sleep(100);
      assert.equal(working, 2);
      if (isReleased) release();
      assert.equal(await closed, isReleased);
      assert.equal(working, isReleased ? 0 : 2);
      assert.deepEqual(errors, []);
    });
    release();
  }
});

behaviour("close: with nothing running it is over at once", async (kind) => {
  await withTransport(kind, { routes: [get("/x", async () => text("x"))] }, async ({ port, transport }) => {
    const client = await RawClient.open(port);
    client.write(request("GET", "/x"));
    await client.response();
    const begun = performance.now();
    await transport.close(longMs);
    await client.closed();
    const ms = performance.now() - begun;
    assert.ok(ms < atOnceMs, `after ${ms} ms`);
    assert.ok(await refused(port));
  });
});
