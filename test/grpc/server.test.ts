/** The server of gRPC, which moves bytes: by the library's own client, and by clients that mean it no good. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect as connectHttp2, constants } from "node:http2";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { connect as connectSecurely } from "node:tls";
import { setTimeout as sleep } from "node:timers/promises";
import { deflateSync, gzipSync } from "node:zlib";
import { credentials, Metadata } from "@grpc/grpc-js";
import { BodyBudget, CannotListen, Connections, TlsIdentity } from "../../src/http/index.js";
import { eventually } from "../http/harness.js";
import { connected } from "../support/http2-frames.js";
import { repositoryRoot } from "../support/paths.js";
import { Random } from "../support/random.js";
import { ask, collect, echo, failureOf, listen, stream, unary, withServer } from "./server-harness.js";

const timeout = 60_000,
  text = (words: string): Buffer => Buffer.from(words),
  never = new Promise<never>(() => undefined);

/** Frames of messages, of which each says whether it is packed. */
const framed = (message: Uint8Array, isPacked: number): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = isPacked;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

test("grpc server: a message is answered by its handler, which has the metadata by names in lower case", { timeout }, async () => {
  let seen: ReadonlyMap<string, string> | undefined;
  const handler = unary(async ({ headers, message }) => {
    seen = headers;
    return { ok: Buffer.concat([message, text("!")]) };
  });
  await withServer({ Say: handler }, async ({ client, server, bodies, errors }) => {
    const metadata = { Authorization: "Bearer me", "x-two": "one" };
    const made = await ask(client, "Say", text("hello"), { metadata: { ...metadata, "X-TWO": "one, two" } });
    assert.equal(made.toString(), "hello!");
    assert.equal(seen?.get("authorization"), "Bearer me");
    assert.equal(seen.get("x-two"), "one, one, two");
    assert.equal(seen.get("host"), `127.0.0.1:${server.port}`);
    assert.deepEqual(
      [...seen.keys()].filter((name) => name.endsWith("-bin") || name.startsWith(":") || name === "content-type" || name === "te"),
      [],
    );
    assert.equal((await ask(client, "Say", Buffer.alloc(0))).toString(), "!");
    await eventually("all is given back", () => bodies.held === 0);
    assert.deepEqual(errors, []);
  });
});

test("grpc server: a failure has its code, any text and its details", { timeout }, async () => {
  const details = Buffer.from([8, 9, 18, 1, 0x80]),
    message = "A 100% bad\nthing: ä, 🙂 and \ud800";
  const error = { code: 9, message, details };
  const handlers = { Fail: unary(async () => ({ error })), FailLater: stream(async (_, sink) => (await sink.send(text("one")), error)) };
  await withServer(handlers, async ({ client, errors }) => {
    for (const failure of [await failureOf(ask(client, "Fail", text(""))), (await collect(listen(client, "FailLater", text("")))).error!]) {
      assert.equal(failure.code, 9);
      assert.equal(failure.details, message.replace("\ud800", "\ufffd"));
      assert.deepEqual(failure.metadata.get("grpc-status-details-bin"), [details]);
    }
    assert.deepEqual(errors, []);
  });
});

test("grpc server: a method that nobody has is unimplemented, in the reference's words", { timeout }, async () => {
  await withServer({ Say: echo }, async ({ client }) => {
    for (const path of ["/test.Test/Sing", "/no.Such/Thing"]) {
      const { code, details } = await failureOf(ask(client, path, text("")));
      assert.deepEqual([code, details], [12, `Method not found: ${path.slice(1)}`]);
    }
  });
});

test("grpc server: a bug of a handler is an internal error without a word of it, and is told", { timeout }, async () => {
  const bug = new Error("a secret");
  const handlers = { Break: unary(() => Promise.reject(bug)), BreakLater: stream(() => Promise.reject(bug)) };
  await withServer(handlers, async ({ client, errors }) => {
    for (const failure of [
      await failureOf(ask(client, "Break", text(""))),
      (await collect(listen(client, "BreakLater", text("")))).error!,
    ]) {
      assert.equal(failure.code, 13);
      assert.doesNotMatch(failure.details, /secret/);
    }
    assert.deepEqual(errors, [bug, bug]);
  });
});

test("grpc server: a stream sends no more than is taken", { timeout }, async () => {
  const size = 64 * 1024,
    count = 400;
  let sent = 0;
  const many = stream(async (_, sink) => {
    for (; sent < count; sent += 1) await sink.send(Buffer.alloc(size, sent));
    return undefined;
  });
  await withServer({ Many: many }, async ({ server }) => {
    const session = connectHttp2(`http://127.0.0.1:${server.port}`),
      call = session.request({ ":method": "POST", ":path": "/test.Test/Many", "content-type": "application/grpc", te: "trailers" });
    call.end(Buffer.alloc(5));
    let before = -1;
    await eventually("it waits", async () => {
      if (sent === before && sent > 0) return true;
      before = sent;
      await sleep(100);
      return false;
    });
    assert.ok(sent < 10, `${sent} were sent`);
    let taken = 0;
    for await (const piece of call) taken += (piece as Buffer).length;
    assert.equal(taken, count * (size + 5));
    session.destroy();
  });
  sent = 0;
  await withServer({ Many: many }, async ({ client }) => {
    const { messages, error } = await collect(listen(client, "Many", text("")));
    assert.equal(error, undefined);
    assert.deepEqual(
      messages.map((message, at) => message.length === size && message[0] === at % 256),
      Array(count).fill(true),
    );
  });
});

test("grpc server: a handler hears when its client cancels, and when the deadline passes", { timeout }, async () => {
  const aborted: string[] = [];
  let begun = 0;
  const wait = (name: string, signal: AbortSignal): Promise<never> => {
    begun += 1;
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => {
        aborted.push(name);
        reject(signal.reason as Error);
      }),
    );
  };
  const handlers = {
    Wait: unary(({ signal, message }) => wait(message.toString(), signal)),
    WaitLong: stream(({ signal, message }) => wait(message.toString(), signal)),
  };
  await withServer(handlers, async ({ client, errors, bodies }) => {
    const cancel = new AbortController(),
      cancelled = failureOf(ask(client, "Wait", text("cancelled"), { signal: cancel.signal })),
      stopped = listen(client, "WaitLong", text("stopped")),
      ended = collect(stopped);
    await eventually("both run", () => begun === 2);
    cancel.abort();
    stopped.cancel();
    assert.equal((await cancelled).code, 1);
    assert.equal((await ended).error?.code, 1);
    assert.equal((await failureOf(ask(client, "Wait", text("late"), { deadlineMs: 100 }))).code, 4);
    assert.equal((await collect(listen(client, "WaitLong", text("later"), { deadlineMs: 100 }))).error?.code, 4);
    await eventually("all heard", () => aborted.length === 4);
    assert.deepEqual(aborted.sort(), ["cancelled", "late", "later", "stopped"]);
    await eventually("all is given back", () => bodies.held === 0);
    assert.deepEqual(errors, []);
  });
});

test("grpc server: a deadline in years is none", { timeout }, async () => {
  await withServer({ Say: echo }, async ({ client }) => {
    assert.equal((await ask(client, "Say", text("yes"), { deadlineMs: 5 * 365 * 86_400_000 })).toString(), "yes");
  });
});

test("grpc server: a message that is too large is refused, and one that is as large as may be is taken", { timeout }, async () => {
  const handlers = { Say: { ...echo, messageBytesMax: 100_000 }, SayMore: { ...echo, messageBytesMax: 200_000 } };
  await withServer(handlers, async ({ client, server, bodies }) => {
    assert.equal((await ask(client, "Say", Buffer.alloc(100_000))).length, 100_000);
    for (const size of [100_001, 30_000_000]) {
      const { code, details } = await failureOf(ask(client, "Say", Buffer.alloc(size)));
      assert.equal(code, 8);
      assert.equal(details, `gRPC message exceeds maximum size 100000: ${size}`);
    }
    assert.equal((await ask(client, "Say", Buffer.alloc(100_000))).length, 100_000);
    assert.equal((await ask(client, "SayMore", Buffer.alloc(200_000))).length, 200_000);
    const packed = (size: number): Buffer => framed(gzipSync(Buffer.alloc(size)), 1),
      asGzip = { "grpc-encoding": "gzip" };
    assert.equal(await statusOf(server.port, packed(100_000), asGzip), "0");
    assert.equal(await statusOf(server.port, packed(100_001), asGzip), "8");
    await eventually("all is given back", () => bodies.held === 0);
  });
});

test("grpc server: with all messages at their limit others are refused, and single bytes count for more", { timeout }, async () => {
  const bodies = new BodyBudget(1_000_000);
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const hold = unary(async ({ message }) => (await held, { ok: message }));
  await withServer(
    { Hold: hold, Say: echo },
    async ({ client, server }) => {
      const first = ask(client, "Hold", Buffer.alloc(600_000));
      await eventually("it is held", () => bodies.held >= 600_000);
      const { code, details } = await failureOf(ask(client, "Say", Buffer.alloc(600_000)));
      assert.equal(code, 8);
      assert.match(details, /at their limit/);
      letGo();
      assert.equal((await first).length, 600_000);
      assert.equal((await ask(client, "Say", Buffer.alloc(600_000))).length, 600_000);
      await eventually("all is given back", () => bodies.held === 0);
      const session = connectHttp2(`http://127.0.0.1:${server.port}`),
        slow = session.request({ ":method": "POST", ":path": "/test.Test/Say", "content-type": "application/grpc", te: "trailers" });
      slow.write(Buffer.from([0, 0, 1, 0, 0]));
      slow.on("error", () => undefined);
      const status = new Promise((resolve) => slow.once("response", (head) => resolve(head["grpc-status"])));
      for (let at = 0; at < 9_000 && !slow.closed; at += 1)
        await Promise.race([status, new Promise((resolve) => slow.write(Buffer.alloc(1), resolve))]);
      assert.equal(await status, "8");
      session.destroy();
      await eventually("all is given back again", () => bodies.held === 0);
    },
    { bodies },
  );
});

test("grpc server: who is refused by his head is told so before his message came, and none of it is taken", { timeout }, async () => {
  const refused = { code: 16, message: "Who are you?", details: Buffer.from([8, 16]) },
    judged: string[] = [];
  await withServer(
    { Say: echo },
    async ({ server, client, bodies, errors }) => {
      const session = connectHttp2(`http://127.0.0.1:${server.port}`),
        call = session.request({ ":method": "POST", ":path": "/test.Test/Say", "content-type": "application/grpc" });
      call.write(Buffer.concat([Buffer.from([0, 0, 16, 0, 0]), Buffer.alloc(50_000)]));
      const head = await new Promise<Readonly<Record<string, unknown>>>((resolve) => call.once("response", resolve));
      assert.deepEqual([head["grpc-status"], head["grpc-message"]], ["16", "Who%20are%20you?"]);
      assert.equal(head["grpc-status-details-bin"], refused.details.toString("base64"));
      assert.equal(bodies.held, 0);
      session.destroy();
      assert.equal((await ask(client, "Say", text("me"), { metadata: { who: "me" } })).toString(), "me");
      assert.equal((await failureOf(ask(client, "Say", text("me"), { metadata: { who: "nobody knows" } }))).code, 13);
      assert.deepEqual(judged, ["/test.Test/Say", "/test.Test/Say", "/test.Test/Say"]);
      assert.match(String(errors), /no such thing/);
    },
    {
      judge: async (path, headers) => {
        judged.push(path);
        if (headers.get("who") === "nobody knows") throw new Error("no such thing");
        return headers.has("who") ? undefined : refused;
      },
    },
  );
});

test("grpc server: a message that does not come is given up", { timeout }, async () => {
  await withServer(
    { Say: echo },
    async ({ server, bodies }) => {
      const session = connectHttp2(`http://127.0.0.1:${server.port}`),
        slow = session.request({ ":method": "POST", ":path": "/test.Test/Say", "content-type": "application/grpc", te: "trailers" });
      slow.write(Buffer.from([0, 0, 0]));
      const status = await new Promise((resolve) => slow.once("response", (head) => resolve(head["grpc-status"])));
      assert.equal(status, "1");
      session.destroy();
      await eventually("all is given back", () => bodies.held === 0);
    },
    { limits: { stallMs: 200 } },
  );
});

test("grpc server: a client that takes nothing is cut off, and its handler hears", { timeout }, async () => {
  let ended: unknown;
  const endless = stream(async (_, sink) => {
    try {
      for (;;) await sink.send(Buffer.alloc(65_536));
    } catch (error) {
      ended = error;
      throw error;
    }
  });
  await withServer(
    { Endless: endless, Large: unary(async () => ({ ok: Buffer.alloc(10_000_000) })) },
    async ({ server, errors, bodies }) => {
      const head = { ":method": "POST", "content-type": "application/grpc", te: "trailers" },
        message = Buffer.alloc(5);
      const session = connectHttp2(`http://127.0.0.1:${server.port}`);
      for (const method of ["Endless", "Large"]) {
        const call = session.request({ ...head, ":path": `/test.Test/${method}` });
        call.on("error", () => undefined);
        call.end(message);
        await eventually("it is cut off", () => call.rstCode === constants.NGHTTP2_CANCEL);
      }
      await eventually("the handler heard", () => ended !== undefined);
      assert.ok(!session.destroyed);
      session.destroy();
      // One that does not even read its connection.
      const socket = connect(server.port, "127.0.0.1"),
        other = connectHttp2(`http://127.0.0.1:${server.port}`, { createConnection: () => socket });
      other.on("error", () => undefined);
      const call = other.request({ ...head, ":path": "/test.Test/Endless" }, { endStream: false });
      call.on("error", () => undefined);
      ended = undefined;
      call.end(message);
      await new Promise((resolve) => call.once("response", resolve));
      await eventually("the handler heard again", () => ended !== undefined);
      other.destroy();
      await eventually("all is given back", () => bodies.held === 0);
      assert.deepEqual(errors, []);
    },
    { limits: { webSocketStallMs: 200, grpcTakenBytesPerSecondMin: 1 << 30, lingerMs: 100 } },
  );
});

test("grpc server: a close waits for what runs and takes nothing new; what does not end is ended", { timeout }, async () => {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const hold = unary(async ({ message }) => (await held, { ok: message }));
  await withServer({ Hold: hold, Say: echo }, async ({ client, server, bodies }) => {
    const first = ask(client, "Hold", text("mine"));
    await eventually("it is held", () => bodies.held > 0);
    const closed = server.close(30_000);
    assert.equal((await failureOf(ask(client, "Say", text("")))).code, 14);
    letGo();
    assert.equal((await first).toString(), "mine");
    assert.equal(await closed, true);
  });
  let aborted = 0;
  const endless = stream(async ({ signal }) => {
    signal.addEventListener("abort", () => (aborted += 1));
    return never;
  });
  await withServer({ Endless: endless, Stuck: unary(() => never) }, async ({ client, server, bodies }) => {
    const streamed = collect(listen(client, "Endless", text(""))),
      stuck = failureOf(ask(client, "Stuck", text(""))),
      idle = connect(server.port, "127.0.0.1").resume(),
      gone = new Promise((resolve) => idle.once("close", resolve));
    await eventually("both run", () => bodies.held > 128);
    assert.equal(await server.close(100), false);
    assert.equal((await streamed).error?.code, 14);
    assert.equal((await stuck).code, 14);
    await gone;
    assert.equal(aborted, 1);
  });
});

test("grpc server: whatever comes that is no HTTP/2 ends, and others are served on", { timeout }, async () => {
  const endOf = (socket: Socket, bytes: string | Buffer): Promise<string> =>
    new Promise((resolve) => {
      const chunks: Buffer[] = [];
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
      socket.write(bytes);
    });
  await withServer(
    { Say: echo },
    async ({ client, server, errors }) => {
      const frame = Buffer.from([255, 255, 255, 0, 0, 0, 0, 0, 1]),
        preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
      for (const garbage of [
        "GET / HTTP/1.1\r\nHost: me\r\n\r\n",
        "\0".repeat(1_000),
        "x",
        preface,
        Buffer.concat([preface, settings, frame]),
      ])
        await endOf(connect(server.port, "127.0.0.1"), garbage);
      const session = connectHttp2(`http://127.0.0.1:${server.port}`),
        plain = session.request({ ":path": "/" });
      const status = await new Promise((resolve) => plain.once("response", (head) => resolve(head[":status"])));
      assert.equal(status, 415);
      session.destroy();
      assert.equal((await ask(client, "Say", text("on"))).toString(), "on");
      assert.deepEqual(errors, []);
    },
    { limits: { stallMs: 500, grpcKeepAliveMs: 500, grpcKeepAliveAnswerMs: 500 } },
  );
});

test("grpc server: who resets calls as fast as he can loses his connection", { timeout }, async () => {
  let ran = 0;
  const count = unary(async ({ message }) => ((ran += 1), { ok: message }));
  await withServer({ Count: count }, async ({ client, server, bodies }) => {
    const session = connectHttp2(`http://127.0.0.1:${server.port}`);
    session.on("error", () => undefined);
    const closed = new Promise((resolve) => session.once("close", resolve));
    for (let at = 0; at < 20_000 && !session.destroyed && !session.closed; at += 1) {
      const call = session.request({ ":method": "POST", ":path": "/test.Test/Count", "content-type": "application/grpc", te: "trailers" });
      call.on("error", () => undefined);
      call.close(constants.NGHTTP2_CANCEL);
      if (at % 100 === 0) await sleep(1);
    }
    await closed;
    assert.equal(ran, 0);
    assert.equal((await ask(client, "Count", text("on"))).toString(), "on");
    await eventually("all is given back", () => bodies.held === 0);
  });
});

test("grpc server: metadata that is too long is refused", { timeout }, async () => {
  await withServer({ Say: echo }, async ({ client }) => {
    assert.equal((await ask(client, "Say", text("on"))).toString(), "on");
    assert.equal((await ask(client, "Say", text("on"), { metadata: { "x-long": "x".repeat(7_000) } })).toString(), "on");
    await failureOf(ask(client, "Say", text(""), { metadata: { "x-long": "x".repeat(9_000) } }));
    assert.equal((await ask(client, "Say", text("on"))).toString(), "on");
  });
});

test("grpc server: ten thousand calls at once are all answered", { timeout: 2 * timeout }, async () => {
  await withServer({ Say: echo }, async ({ client, bodies, errors }) => {
    const answers = await Promise.all(Array.from({ length: 10_000 }, (_, at) => ask(client, "Say", text(String(at)))));
    assert.deepEqual(
      answers.map(String),
      Array.from({ length: 10_000 }, (_, at) => String(at)),
    );
    await eventually("all is given back", () => bodies.held === 0);
    assert.deepEqual(errors, []);
  });
});

test("grpc server: of calls that are cancelled, reset, cut off or late nothing is held afterwards", { timeout }, async () => {
  const random = new Random(11);
  const slow = unary(async ({ message, signal }) => {
    await sleep(random.below(8), undefined, { signal }).catch(() => undefined);
    return { ok: message };
  });
  await withServer({ Slow: slow }, async ({ server, client, bodies, errors }) => {
    const leaving = async (): Promise<void> => {
      const session = connectHttp2(`http://127.0.0.1:${server.port}`);
      session.on("error", () => undefined);
      const calls = Array.from({ length: 20 }, async () => {
        const late = random.below(3) === 0 ? { "grpc-timeout": `${1 + random.below(6)}m` } : {},
          call = session.request({ ":method": "POST", ":path": "/test.Test/Slow", "content-type": "application/grpc", ...late });
        const message = framed(Buffer.alloc(random.below(40_000)), 0),
          gone = new Promise((resolve) => call.once("close", resolve));
        call.on("error", () => undefined).resume();
        call.write(message.subarray(0, random.below(2) === 0 ? message.length : random.below(message.length)));
        if (random.below(2) === 0) call.end();
        await sleep(random.below(8));
        if (random.below(3) > 0) call.close([0, 2, 8][random.below(3)]);
        else session.destroy();
        await gone;
      });
      await Promise.all(calls);
      session.destroy();
    };
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 5 }, leaving));
    await eventually("all is given back", () => bodies.held === 0);
    assert.equal((await ask(client, "Slow", text("me"))).toString(), "me");
    await eventually("all is given back again", () => bodies.held === 0);
    client.close();
    assert.equal(await server.close(60_000), true, "nothing runs");
    assert.deepEqual(errors, []);
  });
});

test("grpc server: a connection too many is closed at once", { timeout }, async () => {
  const told: number[] = [];
  await withServer(
    { Say: echo },
    async ({ client, server }) => {
      assert.equal((await ask(client, "Say", text("on"))).toString(), "on");
      const more = connect(server.port, "127.0.0.1").resume();
      await new Promise((resolve) => more.once("close", resolve));
      assert.deepEqual(told, [1]);
      assert.equal((await ask(client, "Say", text("on"))).toString(), "on");
    },
    { connections: new Connections(1, (max) => told.push(max)) },
  );
});

test("grpc server: a connection is closed that calls nothing for long, and one that answers no ping", { timeout }, async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve)),
    handlers = { Wait: unary(async ({ message }) => (await released, { ok: message })) };
  await withServer(
    handlers,
    async ({ server }) => {
      const session = connectHttp2(`http://127.0.0.1:${server.port}`),
        mute = await connected(server.port),
        order: string[] = [];
      let pings = 0;
      session.on("ping", () => (pings += 1));
      session.once("close", () => order.push("idle"));
      mute.once("close", () => order.push("mute"));
      const call = session.request({ ":method": "POST", ":path": "/test.Test/Wait", "content-type": "application/grpc" });
      call.resume().end(framed(text("on"), 0));
      await eventually("the one who does not answer is closed", () => order.length > 0);
      await eventually("the other one is asked on", () => pings > 5);
      assert.deepEqual(order, ["mute"]);
      release();
      await eventually("who has nothing to ask any more is closed", () => order.length > 1);
    },
    { limits: { grpcIdleMs: 300, grpcKeepAliveMs: 100, grpcKeepAliveAnswerMs: 100 } },
  );
});

test("grpc server: a port that is in use is told in words", { timeout }, async () => {
  await withServer({ Say: echo }, async ({ server }) => {
    await assert.rejects(
      withServer({}, async () => undefined, { port: server.port }),
      (error) => error instanceof CannotListen && error.message.includes("the port is in use"),
    );
  });
});

const file = (name: string): Buffer => readFileSync(join(repositoryRoot(), "test/data/tls", name));
const material = { certChain: file("node.pem"), privateKey: file("node.key"), trustCollection: undefined };

test("grpc server: by TLS, whose certificates may be exchanged and asked of clients", { timeout }, async () => {
  const tls = new TlsIdentity(material),
    channel = credentials.createSsl(file("authority.pem"));
  await withServer(
    { Say: echo },
    async ({ client, server }) => {
      assert.equal((await ask(client, "Say", text("safe"))).toString(), "safe");
      const nameShown = (): Promise<string> =>
        new Promise((resolve) => {
          const socket = connectSecurely({ port: server.port, host: "127.0.0.1", ca: file("authority.pem"), ALPNProtocols: ["h2"] }, () => {
            resolve(socket.getPeerCertificate().fingerprint256);
            socket.destroy();
          });
        });
      const before = await nameShown();
      tls.replace({ ...material, certChain: file("renewed.pem"), privateKey: file("renewed.key") });
      assert.notEqual(await nameShown(), before);
      assert.equal((await ask(client, "Say", text("still"))).toString(), "still");
      const plain = connect(server.port, "127.0.0.1");
      plain.resume().on("error", () => undefined);
      plain.write("GET / HTTP/1.1\r\n\r\n");
      await new Promise((resolve) => plain.once("close", resolve));
    },
    { tls, channel },
  );
  const asking = new TlsIdentity({ ...material, trustCollection: file("authority.pem") });
  const known = credentials.createSsl(file("authority.pem"), file("client.key"), file("client.pem"));
  await withServer({ Say: echo }, async ({ client }) => assert.equal((await ask(client, "Say", text("me"))).toString(), "me"), {
    tls: asking,
    channel: known,
  });
  await withServer({ Say: echo }, async ({ client }) => assert.equal((await failureOf(ask(client, "Say", text("who")))).code, 14), {
    tls: asking,
    channel,
  });
});

/** What a call is answered with that sends these frames; undefined: it was cut off. */
async function statusOf(port: number, frames: Buffer, metadata: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const session = connectHttp2(`http://127.0.0.1:${port}`),
    call = session.request({ ":method": "POST", ":path": "/test.Test/Say", "content-type": "application/grpc", ...metadata });
  let status: string | undefined;
  const take = (head: Readonly<Record<string, unknown>>): void => {
    status ??= head["grpc-status"] as string | undefined;
  };
  session.on("error", () => undefined);
  call.on("error", () => undefined);
  call.on("response", take);
  call.on("trailers", take);
  call.resume().end(frames);
  await new Promise((resolve) => call.once("close", resolve));
  session.destroy();
  return status;
}

test("grpc server: a call has one message, and the whole of it, in whatever pieces", { timeout }, async () => {
  const one = framed(text("me"), 0);
  const cases: readonly (readonly [code: string, frames: Buffer, metadata?: Readonly<Record<string, string>>])[] = [
    ["0", one],
    ["0", framed(Buffer.alloc(0), 0)],
    ["0", one, { "grpc-timeout": "59S" }],
    ["13", Buffer.alloc(0)],
    ["13", one.subarray(0, 3)],
    ["13", one.subarray(0, 6)],
    ["13", Buffer.concat([one, one])],
    ["13", Buffer.concat([one, one.subarray(0, 3)])],
    ["13", one, { "grpc-timeout": "soon" }],
    ["13", one, { "grpc-timeout": "123456789S" }],
  ];
  await withServer({ Say: echo }, async ({ server, bodies, errors }) => {
    for (const [code, frames, metadata] of cases)
      assert.equal(await statusOf(server.port, frames, metadata), code, `${frames.toString("hex")}`);
    await eventually("all is given back", () => bodies.held === 0);
    assert.deepEqual(errors, []);
  });
});

test("grpc server: a compressed message counts as long as it is", { timeout }, async () => {
  const packed = framed(gzipSync(Buffer.alloc(900_000)), 1);
  await withServer(
    { Say: echo },
    async ({ server, bodies }) => {
      assert.equal(await statusOf(server.port, packed, { "grpc-encoding": "gzip" }), "0");
      assert.ok(bodies.take(500_000));
      assert.equal(await statusOf(server.port, packed, { "grpc-encoding": "gzip" }), "8");
    },
    { bodies: new BodyBudget(1_000_000) },
  );
});

test(
  "grpc server: messages that become long when they are unpacked are unpacked one at a time, as far as there is room",
  { timeout },
  async () => {
    const packed = framed(gzipSync(Buffer.alloc(60_000_000)), 1),
      room = 8_000_000;
    await withServer(
      { Say: echo },
      async ({ server, bodies, errors }) => {
        const bomb = (): Promise<unknown> => statusOf(server.port, packed, { "grpc-encoding": "gzip" });
        const before = process.memoryUsage.rss(),
          statuses = await Promise.all(Array.from({ length: 40 }, bomb));
        assert.deepEqual([...new Set(statuses)], ["8"]);
        assert.ok(process.memoryUsage.rss() - before < 40 * room, "they are not unpacked at the same time");
        await eventually("all is given back", () => bodies.held === 0);
        assert.equal(await statusOf(server.port, framed(text("me"), 0)), "0");
        assert.deepEqual(errors, []);
      },
      { bodies: new BodyBudget(room) },
    );
  },
);

test("grpc server: a message packed in no way that there is is refused", { timeout }, async () => {
  await withServer({ Say: echo }, async ({ server, bodies }) => {
    const cases: readonly (readonly [code: string, frame: Buffer, encoding: string | undefined])[] = [
      ["0", framed(text("me"), 0), "gzip"],
      ["0", framed(deflateSync(text("me")), 1), "deflate"],
      ["13", framed(text("me"), 1), undefined],
      ["13", framed(text("me"), 2), "gzip"],
      ["13", framed(text("no gzip"), 1), "gzip"],
      ["12", framed(text("me"), 1), "br"],
    ];
    for (const [code, frame, encoding] of cases)
      assert.equal(await statusOf(server.port, frame, encoding === undefined ? {} : { "grpc-encoding": encoding }), code);
    await eventually("all is given back", () => bodies.held === 0);
  });
});

test("grpc server: a conversation may be silent, but not in the midst of a message, and what waits in it counts", { timeout }, async () => {
  await withServer(
    {},
    async ({ server, bodies }) => {
      const session = connectHttp2(`http://127.0.0.1:${server.port}`),
        path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        open = () => session.request({ ":method": "POST", ":path": path, "content-type": "application/grpc" });
      const question = framed(Buffer.from([0x3a, 1, 0x2a]), 0), // which services there are
        silent = open(),
        stuck = open();
      let answers = 0;
      silent.on("data", () => answers++);
      silent.write(question);
      await eventually("it is answered", () => answers > 0);
      await eventually("what was answered is given back", () => bodies.held === 0);
      let status: unknown;
      stuck.on("response", (head) => (status = head["grpc-status"])).resume();
      stuck.write(question.subarray(0, 7));
      await eventually("it is refused", () => status !== undefined);
      assert.equal(status, "1");
      silent.write(question);
      await eventually("the silent one is answered on", () => answers > 1);
      silent.pause();
      const many = Buffer.concat(Array.from({ length: 1_000 }, () => question));
      silent.write(many);
      await eventually("questions count that wait for a client who takes no answers", () => bodies.held > many.length / 4);
      session.destroy();
      await eventually("all is given back", () => bodies.held === 0);
    },
    { limits: { stallMs: 200, streamBufferedBytesMax: 1_000 } },
  );
});

test("grpc server: what names of metadata a client sends twice is one text", { timeout }, async () => {
  let seen: string | undefined;
  const handler = unary(async ({ headers, message }) => ((seen = headers.get("x-two")), { ok: message }));
  await withServer({ Say: handler }, async ({ client }) => {
    const metadata = new Metadata();
    metadata.add("x-two", "one");
    metadata.add("x-two", "two");
    await new Promise<void>((resolve, reject) => {
      const same = (bytes: Buffer): Buffer => bytes;
      client.makeUnaryRequest("/test.Test/Say", same, same, text(""), metadata, (error) => (error === null ? resolve() : reject(error)));
    });
    assert.equal(seen, "one, two");
  });
});
