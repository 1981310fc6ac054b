import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { limits } from "../../src/config.js";
import type { RawReply, RawSocket, UpgradeDecision, WebSocketRoute } from "../../src/http/index.js";
import { freedIsOverwritten } from "../support/freed-memory.js";
import { behaviour, eventually, get, longMs, missingBinding, pattern, route, text, textPattern, withTransport } from "./harness.js";
import { post, RawClient, request } from "./raw-client.js";
import { frame, handshake, opcodes, openSocket, RawWebSocket } from "./web-socket-client.js";

function channel(open: WebSocketRoute["open"], path = "/ws"): WebSocketRoute {
  return {
    path,
    upgrade: ({ params, query }) => ({ accept: { protocol: "daml.ws.auth", context: { params: { ...params }, query } } }),
    open,
  };
}

/** Sends the first message back. */
const echo = channel(async (socket, _context, { bytes }) => socket.send(bytes));

behaviour(
  "a handshake is answered the route's subprotocol if it was offered, and none otherwise; its context reaches open",
  async (kind) => {
    const contexts: unknown[] = [];
    const socket = channel(async (_socket, context) => void contexts.push(context), "/ws/{name}");
    await withTransport(kind, { webSockets: [socket] }, async ({ port }) => {
      const offers: readonly (readonly [offer: string | undefined, answer: string | undefined])[] = [
        [undefined, undefined],
        ["jwt.token.a.b=, daml.ws.auth", "daml.ws.auth"],
        ["daml.ws.auth,jwt.token.a.b", "daml.ws.auth"],
        ["jwt.token.a.b", undefined],
        ["other, daml.ws.author", undefined],
        ["DAML.WS.AUTH", undefined],
      ];
      for (const [offer, answer] of offers) {
        const { socket: client, response } = await openSocket(
          port,
          "/ws/n%20m?x=1",
          offer === undefined ? [] : [`Sec-WebSocket-Protocol: ${offer}`],
        );
        assert.deepEqual(
          [response?.status, response?.headers.get("sec-websocket-protocol"), response?.headers.has("sec-websocket-extensions")],
          [101, answer, false],
          offer,
        );
        client.send("go");
        assert.equal(await client.closeCode(), 1000);
      }
      assert.deepEqual(contexts, Array(6).fill({ params: { name: "n m" }, query: "x=1" }));
    });
  },
);

behaviour("a handshake that the route rejects, or that is malformed, is answered as plain HTTP", async (kind) => {
  const closedDoor: WebSocketRoute = { ...echo, path: "/closed", upgrade: () => ({ reject: text("no entry", 403) }) };
  const broken: WebSocketRoute = {
    ...echo,
    path: "/broken",
    upgrade: () => {
      throw new Error("upgrade");
    },
  };
  const injecting: WebSocketRoute = {
    ...echo,
    path: "/injecting",
    upgrade: () => ({ accept: { protocol: "a\r\nX: y", context: undefined } }),
  };
  await withTransport(kind, { webSockets: [echo, closedDoor, broken, injecting] }, async ({ port, errors }) => {
    const rejected = (await openSocket(port, "/closed")).response;
    assert.deepEqual([rejected?.status, rejected?.body.toString()], [403, "no entry"]);
    assert.equal((await openSocket(port, "/broken")).response?.status, 500);
    assert.equal((await openSocket(port, "/injecting")).response?.status, 500);
    assert.equal(errors.length, 2);
    const outcome = async (whole: string): Promise<number | undefined> => {
      const client = await RawClient.open(port);
      client.write(whole);
      const { status } = (await client.response()) ?? {};
      client.destroy();
      return status;
    };
    assert.equal(await outcome(handshake("/ws", [], "8")), 426);
    assert.equal(await outcome(request("GET", "/ws", ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"])), 400);
    assert.equal(
      await outcome(
        request("GET", "/ws", ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: short"]),
      ),
      400,
    );
    assert.equal(await outcome(handshake("/ws", ["Content-Length: 5"]) + "12345"), 400);
    assert.equal(await outcome(handshake("/ws", ["Host: a", "Host: b"])), 400);
    assert.equal(await outcome(handshake("/ws", ["Sec-WebSocket-Protocol: a", "Sec-WebSocket-Protocol: b"])), 400);
    assert.equal(await outcome(handshake("/ws", ["Sec-WebSocket-Protocol: a, b,c"])), 101);
    assert.equal(await outcome(request("GET", "/ws")), 404);
    assert.equal(await outcome(handshake("/ws").replace("Connection: Upgrade", "Connection: keep-alive")), 404);
    assert.equal(await outcome(handshake("/ws").replace("GET", "POST")), 404);
  });
});

behaviour("a path that others read by a WebSocket is unknown to GET and HEAD without one, also where it takes a POST", async (kind) => {
  await withTransport(kind, { webSockets: [echo], routes: [route("POST", "/ws", async () => text("list"))] }, async ({ port }) => {
    const client = await RawClient.open(port);
    for (const [method, path, status] of [
      ["GET", "/ws", 404],
      ["HEAD", "/ws", 404],
      ["POST", "/ws", 200],
      ["DELETE", "/ws", 405],
    ] as const) {
      client.write(request(method, path));
      assert.deepEqual([method, (await client.response(method))?.status], [method, status]);
    }
    client.destroy();
  });
});

behaviour("a route may take its time to decide on a handshake, which then is answered either way", async (kind) => {
  const deciding = (path: string, decide: () => Promise<UpgradeDecision>): WebSocketRoute => ({ ...echo, path, upgrade: decide });
  const accept = { accept: { protocol: "", context: undefined } },
    asked = new EventEmitter(),
    sockets = [
      deciding("/open", async () => {
        asked.emit("open");
        return sleep(30).then(() => accept);
      }),
      deciding("/soon", async () => accept),
      deciding("/closed", async () => sleep(30).then(() => ({ reject: text("no entry", 403) }))),
      deciding("/broken", async () => sleep(30).then(() => Promise.reject(new Error("upgrade")))),
    ];
  await withTransport(kind, { webSockets: sockets }, async ({ port, errors }) => {
    for (const path of ["/open", "/soon"]) {
      const { socket, response } = await openSocket(port, path);
      assert.equal(response?.status, 101);
      socket.send("hello");
      assert.equal((await socket.next())?.payload.toString(), "hello");
      assert.equal(await socket.closeCode(), 1000);
    }
    const rejected = (await openSocket(port, "/closed")).response;
    assert.deepEqual([rejected?.status, rejected?.body.toString()], [403, "no entry"]);
    assert.equal((await openSocket(port, "/broken")).response?.status, 500);
    assert.equal(errors.length, 1);
    const early = await RawClient.open(port);
    const isAsked = once(asked, "open");
    early.write(handshake("/open"));
    await isAsked; // in one read with the handshake it is bad HTTP to the native code
    early.write(frame(opcodes.text, "too early"));
    assert.equal((await early.response())?.status, 101);
    assert.equal((await new RawWebSocket(early).next())?.payload.toString(), "too early");
    early.destroy();
    for (const leave of ["destroy", "resetAndDestroy"] as const) {
      const client = await RawClient.open(port);
      client.write(handshake("/open"));
      await sleep(10);
      client.socket[leave]();
    }
    await sleep(60);
    assert.equal((await openSocket(port, "/open")).response?.status, 101);
    assert.equal(errors.length, 1);
  });
});

test("uws: a handshake that was decided later stays open, whatever lies in memory that the native code let go", async () => {
  const program = fileURLToPath(new URL("./late-handshakes.js", import.meta.url)),
    { stdout } = await promisify(execFile)(process.execPath, [program], { env: freedIsOverwritten });
  assert.equal(stdout, missingBinding === undefined ? "20 stayed open\n" : "no binding\n");
});

behaviour("a path may hold a POST route and a WebSocket", async (kind) => {
  const both = get("/ws", async () => text("plain"));
  await withTransport(kind, { routes: [both], webSockets: [echo] }, async ({ port }) => {
    assert.equal((await openSocket(port, "/ws")).response?.status, 101);
    const client = await RawClient.open(port);
    client.write(request("GET", "/ws"));
    assert.equal((await client.response())?.body.toString(), "plain");
    client.destroy();
  });
});

behaviour("the first message opens the conversation once: text, binary or fragments; frames go out as text", async (kind) => {
  const messages: string[] = [];
  const socket = channel(async (raw, _context, { bytes }) => {
    messages.push(Buffer.from(bytes).toString());
    await raw.send("as string");
    await raw.send(Buffer.from("as bytes"));
  });
  await withTransport(kind, { webSockets: [socket] }, async ({ port }) => {
    const inputs: readonly (readonly Buffer[])[] = [
      [frame(opcodes.text, "whole")],
      [frame(opcodes.binary, "binary")],
      [
        frame(opcodes.text, "in ", { final: false }),
        frame(opcodes.ping, ""),
        frame(opcodes.continuation, "three ", { final: false }),
        frame(opcodes.continuation, "parts"),
      ],
      [Buffer.concat([frame(opcodes.text, "two in"), frame(opcodes.text, " one packet")])],
    ];
    for (const input of inputs) {
      const { socket: client } = await openSocket(port, "/ws");
      await client.client.writeParts(input, 2);
      let received = await client.next();
      if (received?.opcode === opcodes.pong) received = await client.next();
      assert.deepEqual([received?.opcode, received?.payload.toString()], [opcodes.text, "as string"]);
      const second = await client.next();
      assert.deepEqual([second?.opcode, second?.payload.toString()], [opcodes.text, "as bytes"]);
      assert.equal(await client.closeCode(), 1000);
    }
    assert.deepEqual(messages, ["whole", "binary", "in three parts", "two in"]);
  });
});

behaviour(
  "a frame in the same packet as the handshake is not lost",
  async (kind) => {
    await withTransport(kind, { webSockets: [echo] }, async ({ port }) => {
      const client = await RawClient.open(port);
      client.write(Buffer.concat([Buffer.from(handshake("/ws")), frame(opcodes.text, "early")]));
      assert.equal((await client.response())?.status, 101);
      assert.equal((await new RawWebSocket(client).next())?.payload.toString(), "early");
      client.destroy();
    });
  },
  { uws: "the native code drops what follows a handshake in its packet; a client must wait for the 101 (RFC 6455 section 4.1)" },
);

behaviour("later messages are ignored while the conversation runs", async (kind) => {
  let opened = 0;
  let release = (): void => undefined;
  const socket = channel(async (raw) => {
    opened += 1;
    await new Promise<void>((resolve) => (release = resolve));
    await raw.send("done");
  });
  await withTransport(kind, { webSockets: [socket] }, async ({ port }) => {
    const { socket: client } = await openSocket(port, "/ws");
    for (let at = 0; at < 20; at += 1) client.send(`message ${at}`);
    await sleep(30);
    release();
    assert.equal((await client.next())?.payload.toString(), "done");
    assert.equal(await client.closeCode(), 1000);
    assert.equal(opened, 1);
  });
});

behaviour("a socket that sends messages, pings or pongs without end is closed; the others go on", async (kind) => {
  let opened = 0;
  const socket = channel(async (raw) => {
    opened += 1;
    return new Promise((resolve) => raw.signal.addEventListener("abort", () => resolve()));
  });
  await withTransport(kind, { webSockets: [socket, { ...echo, path: "/echo" }] }, async ({ port, errors }) => {
    for (const one of [frame(opcodes.text, "x"), frame(opcodes.ping, ""), frame(opcodes.pong, "")]) {
      const { socket: client } = await openSocket(port, "/ws"),
        before = opened;
      client.send("go");
      await eventually("the stream is open", () => opened > before);
      const many = Buffer.concat(Array.from({ length: 5_000 }, () => one));
      await eventually("whoever sends without end is closed", () => {
        if (!client.client.ended) client.client.write(many);
        return client.client.ended;
      });
    }
    const { socket: other } = await openSocket(port, "/echo");
    for (let at = 0; at < 20; at += 1) other.send("", opcodes.ping);
    other.send("hello");
    for (let at = 0; at < 20; at += 1) assert.equal((await other.next())?.opcode, opcodes.pong);
    assert.equal((await other.next())?.payload.toString(), "hello");
    assert.deepEqual(errors, []);
  });
});

behaviour("a peer that takes nothing of what is sent is closed, pongs or not; a slow one and an idle one live on", async (kind) => {
  const piece = textPattern(64 * 1024),
    gone: unknown[] = [];
  const socket = channel(async (raw, context, { bytes }) => {
    const pieces = Number(Buffer.from(bytes).toString());
    try {
      for (let sent = 0; sent < pieces; sent += 1) await raw.send(piece);
      await new Promise((resolve) => raw.signal.addEventListener("abort", resolve));
    } finally {
      gone.push((context as { query: string }).query);
    }
  });
  await withTransport(kind, { webSockets: [socket], limits: { webSocketStallMs: 500 } }, async ({ port, errors }) => {
    const opened = async (name: string, pieces: number): Promise<RawWebSocket> => {
      const { socket: client } = await openSocket(port, `/ws?${name}`);
      client.send(String(pieces));
      return client;
    };
    const idle = await opened("idle", 1),
      slow = await opened("slow", 400),
      stalled = await opened("stalled", 400);
    stalled.client.socket.pause();
    const ponging = setInterval(() => stalled.client.socket.destroyed || stalled.send("", opcodes.pong), 50);
    let isSlow = true;
    void (async () => {
      while (isSlow) {
        slow.client.socket.pause();
        await sleep(60);
        slow.client.socket.resume();
        await sleep(2);
      }
    })();
    await eventually("the stalled one is gone", () => gone.length > 0);
    clearInterval(ponging);
    await sleep(1_500);
    assert.deepEqual(gone, ["stalled"]);
    isSlow = false;
    for (let at = 0; at < 400; at += 1) assert.equal((await slow.next())?.payload.length, piece.length);
    assert.equal((await idle.next())?.payload.length, piece.length);
    for (const { client } of [idle, slow, stalled]) client.destroy();
    await eventually("all are gone", () => gone.length === 3);
    assert.deepEqual(errors, []);
  });
});

behaviour("a peer that answers no close frame is gone soon all the same", async (kind) => {
  const refusing: WebSocketRoute = { ...channel(async () => undefined), greet: async (raw) => raw.close(1000, "") };
  await withTransport(kind, { webSockets: [refusing] }, async ({ port, errors }) => {
    const { socket: client } = await openSocket(port, "/ws");
    client.client.write(frame(opcodes.text, "m".repeat(100_000), { final: false }));
    assert.equal(await client.closeCode(), 1000);
    const closing = Date.now();
    await client.client.closed();
    assert.ok(Date.now() - closing < 10_000, `${Date.now() - closing} ms`);
    assert.deepEqual(errors, []);
  });
});

behaviour("a message of the largest size passes, a larger one closes the connection", async (kind) => {
  await withTransport(kind, { webSockets: [echo], limits: { webSocketMessageBytesMax: 100_000 } }, async ({ port, errors }) => {
    const { socket: fits } = await openSocket(port, "/ws");
    fits.send("m".repeat(100_000));
    assert.equal((await fits.next())?.payload.length, 100_000);
    const { socket: large } = await openSocket(port, "/ws");
    large.send("m".repeat(100_001));
    await large.client.closed();
    const { socket: fragments } = await openSocket(port, "/ws");
    fragments.client.write(frame(opcodes.text, "m".repeat(60_000), { final: false }));
    fragments.client.write(frame(opcodes.continuation, "m".repeat(60_000)));
    await fragments.client.closed();
    assert.deepEqual(errors, []);
  });
});

behaviour("a first message is among the bodies until its route lets go of it, or is done", async (kind) => {
  const socket = channel(async (raw, context, message) => {
    const { query } = context as { query: string };
    if (query === "frees") message.free();
    await raw.send(String(message.bytes.length));
    await new Promise((resolve) => raw.signal.addEventListener("abort", resolve));
  });
  await withTransport(kind, { webSockets: [socket] }, async ({ port, transport, errors }) => {
    for (const length of [0, 100, 100_000, 1 << 20])
      for (const [query, kept] of [
        ["frees", 0],
        ["keeps", length],
      ] as const) {
        const { socket: client } = await openSocket(port, `/ws?${query}`);
        client.send(Buffer.alloc(length, "m"));
        assert.equal((await client.next())?.payload.toString(), String(kept));
        assert.equal(transport.bodiesBytes, kept);
        client.client.destroy();
        await eventually("all of it is given back", () => transport.bodiesBytes === 0);
      }
    assert.deepEqual(errors, []);
  });
});

behaviour(
  "a first message that finds no room among the bodies opens nothing: the route may say so, and the socket closes",
  async (kind) => {
    let opened = 0;
    const held = route("POST", "/held", () => new Promise<RawReply>(() => undefined));
    const told: WebSocketRoute = { ...channel(async () => void (opened += 1)), noRoom: async (raw) => raw.send("come again") };
    const silent: WebSocketRoute = { ...channel(async () => void (opened += 1), "/silent") };
    const setup = { routes: [held], webSockets: [told, silent], limits: { bodiesBytesMax: 100_000 } };
    await withTransport(kind, setup, async ({ port, transport, errors }) => {
      const client = await RawClient.open(port);
      client.write(post("/held", "x".repeat(60_000)));
      await eventually("the body is there", () => transport.bodiesBytes === 60_000);
      const { socket: first } = await openSocket(port, "/ws");
      first.send("m".repeat(50_000));
      assert.equal((await first.next())?.payload.toString(), "come again");
      assert.equal(await first.closeCode(), 1013);
      const { socket: second } = await openSocket(port, "/silent");
      second.send("m".repeat(50_000));
      assert.equal(await second.closeCode(), 1013);
      assert.deepEqual([opened, transport.bodiesBytes], [0, 60_000]);
      const { socket: small } = await openSocket(port, "/ws");
      small.send("m".repeat(40_000));
      assert.equal(await small.closeCode(), 1000);
      assert.deepEqual([opened, transport.bodiesBytes, errors], [1, 60_000, []]);
      client.destroy();
    });
  },
);

const badFrames: readonly (readonly [what: string, bytes: Buffer])[] = [
  ["bad UTF-8", frame(opcodes.text, Buffer.from([0xff, 0xfe]))],
  ["a reserved opcode", frame(3, "x")],
  ["a reserved bit", Buffer.concat([Buffer.from([0xc1]), frame(opcodes.text, "x").subarray(1)])],
  ["a continuation of nothing", frame(opcodes.continuation, "x")],
  ["a fragmented ping", frame(opcodes.ping, "x", { final: false })],
];

for (const [what, bytes] of badFrames) {
  behaviour(`a bad frame closes: ${what}`, async (kind) => {
    let opened = 0;
    const socket = channel(async () => void (opened += 1));
    await withTransport(kind, { webSockets: [socket] }, async ({ port, errors }) => {
      const { socket: client } = await openSocket(port, "/ws");
      client.client.write(bytes);
      await client.client.closed();
      assert.deepEqual([opened, errors], [0, []]);
    });
  });
}

/** The native code takes the four bytes after any frame's head for its mask: a frame without one never ends, and the time for it does. */
behaviour("an unmasked frame opens nothing, and its socket closes", async (kind) => {
  let opened = 0;
  const socket = channel(async () => void (opened += 1));
  const webSocketFirstMessageMs = kind === "uws" ? 150 : longMs;
  await withTransport(kind, { webSockets: [socket], limits: { webSocketFirstMessageMs } }, async ({ port, errors }) => {
    for (const bytes of [
      frame(opcodes.text, "x", { masked: false }),
      frame(opcodes.text, '{"beginExclusive":0}', { masked: false }),
      frame(opcodes.binary, "m".repeat(300), { masked: false }),
    ]) {
      const { socket: client } = await openSocket(port, "/ws");
      client.client.write(bytes);
      assert.equal(await client.closeCode(), kind === "uws" ? 1008 : 1002);
      client.client.destroy();
    }
    assert.deepEqual([opened, errors], [0, []]);
  });
});

behaviour("a route may greet: what it closes before the first message takes none", async (kind) => {
  const opened: string[] = [];
  const guarded: WebSocketRoute = {
    ...channel(async (raw, _context, { bytes }) => {
      opened.push(Buffer.from(bytes).toString());
      await raw.send("welcome");
    }, "/{door}"),
    async greet(raw, context) {
      await sleep(20);
      const { params } = context as { params: { door: string } };
      if (params.door === "broken") throw new Error("greeting");
      if (params.door === "open") return;
      await raw.send("no entry");
      raw.close(1000, "");
    },
  };
  await withTransport(kind, { webSockets: [guarded] }, async ({ port, errors }) => {
    for (const message of ["early", undefined]) {
      const { socket: client } = await openSocket(port, "/closed");
      if (message !== undefined) client.send(message);
      assert.equal((await client.next())?.payload.toString(), "no entry");
      assert.equal(await client.closeCode(), 1000);
      client.client.destroy();
    }
    const { socket: client } = await openSocket(port, "/open");
    client.send("hello");
    assert.equal((await client.next())?.payload.toString(), "welcome");
    assert.equal(await client.closeCode(), 1000);
    const { socket: broken } = await openSocket(port, "/broken");
    assert.equal(await broken.closeCode(), 1011);
    broken.client.destroy();
    assert.deepEqual([opened, errors.map((error) => (error as Error).message)], [["hello"], ["greeting"]]);
  });
});

behaviour(
  "a peer that answers no pings is dropped",
  async (kind) => {
    let aborted = false;
    const socket = channel(async (raw) => {
      await new Promise((resolve) => raw.signal.addEventListener("abort", resolve));
      aborted = true;
    });
    await withTransport(kind, { webSockets: [socket], limits: { webSocketIdleSeconds: 0.2 } }, async ({ port }) => {
      const { socket: dead } = await openSocket(port, "/ws");
      dead.send("go");
      const { socket: alive } = await openSocket(port, "/ws");
      const answering = setInterval(() => alive.send("", opcodes.pong), 50);
      await dead.client.closed();
      await eventually("the signal aborts", () => aborted);
      assert.equal(alive.client.ended, false);
      clearInterval(answering);
      alive.client.destroy();
    });
  },
  { uws: "its shortest time is 8 s, too long for every run" },
);

behaviour(
  "who answered while the server was held up is not taken for silent",
  async (kind) => {
    const webSocketIdleSeconds = 0.2;
    const socket = channel(async (raw) => void (await new Promise((resolve) => raw.signal.addEventListener("abort", resolve))));
    await withTransport(kind, { webSockets: [socket], limits: { webSocketIdleSeconds } }, async ({ port }) => {
      const { socket: client } = await openSocket(port, "/ws");
      client.send("go");
      assert.equal((await client.next())?.opcode, opcodes.ping);
      client.send("", opcodes.pong);
      for (const until = performance.now() + webSocketIdleSeconds * 1_000; performance.now() < until;);
      assert.equal((await client.next())?.opcode, opcodes.ping);
      client.client.destroy();
    });
  },
  { uws: "its shortest time is 8 s, too long for every run" },
);

test("a silent peer is pinged before clients and proxies that allow fifty seconds of silence give up", () => {
  const answerWithin = 16, // what uWebSockets.js leaves for the answer, of times of a minute
    ticks = 4; // and how exactly it knows the time
  assert.ok(limits.webSocketIdleSeconds - answerWithin + ticks <= 50);
});

behaviour("pings are answered", async (kind) => {
  await withTransport(kind, { webSockets: [echo] }, async ({ port }) => {
    const { socket: client } = await openSocket(port, "/ws");
    client.send("are you there", opcodes.ping);
    const pong = await client.next();
    assert.deepEqual([pong?.opcode, pong?.payload.toString()], [opcodes.pong, "are you there"]);
    client.client.destroy();
  });
});

behaviour("a socket whose first message does not come in time is closed", async (kind) => {
  await withTransport(kind, { webSockets: [echo], limits: { webSocketFirstMessageMs: 60 } }, async ({ port }) => {
    const { socket: silent } = await openSocket(port, "/ws");
    const { socket: half } = await openSocket(port, "/ws");
    half.client.write(frame(opcodes.text, "never ends").subarray(0, 5));
    assert.equal(await silent.closeCode(), 1008);
    assert.equal(await half.closeCode(), 1008);
  });
});

behaviour("a peer that leaves aborts the signal, and sends reject", async (kind) => {
  const sockets: RawSocket[] = [];
  const socket = channel(async (raw) => {
    sockets.push(raw);
    await sleep(longMs, undefined, { signal: raw.signal }); // rejects with AbortError: not an error of the route
  });
  await withTransport(kind, { webSockets: [socket] }, async ({ port, errors }) => {
    const leave: readonly ((client: RawWebSocket) => void)[] = [
      (client) => client.client.destroy(),
      (client) => client.client.socket.resetAndDestroy(),
      (client) => client.send(Buffer.from([3, 232]), opcodes.close),
      (client) => client.client.socket.end(),
    ];
    for (const [at, how] of leave.entries()) {
      const { socket: client } = await openSocket(port, "/ws");
      client.send("go");
      await eventually("the conversation runs", () => sockets.length === at + 1);
      how(client);
      await eventually("the signal aborts", () => sockets[at]?.signal.aborted === true);
      await assert.rejects(async () => sockets[at]?.send("too late"));
      client.client.destroy();
    }
    assert.deepEqual(errors, []);
  });
});

behaviour("a conversation that fails is reported and closed with 1011", async (kind) => {
  const socket = channel(async (raw) => {
    await raw.send("begun");
    throw new Error("midway");
  });
  await withTransport(kind, { webSockets: [socket] }, async ({ port, errors }) => {
    const { socket: client } = await openSocket(port, "/ws");
    client.send("go");
    assert.equal(await client.closeCode(), 1011);
    client.send(Buffer.from([3, 243]), opcodes.close);
    await client.client.closed();
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ["midway"],
    );
  });
});

behaviour("a route that fails for a reason tells it in one frame, behind which the socket closes as usual", async (kind) => {
  const socket = channel(async (raw) => {
    await raw.send("begun");
    await raw.fail("why");
    await assert.rejects(raw.fail("again"));
  });
  await withTransport(kind, { webSockets: [socket] }, async ({ port, errors }) => {
    const { socket: client } = await openSocket(port, "/ws");
    client.send("go");
    assert.equal((await client.next())?.payload.toString(), "begun");
    assert.equal((await client.next())?.payload.toString(), "why");
    assert.equal(await client.closeCode(), 1000);
    assert.deepEqual(errors, []);
  });
});

behaviour("a route may close with its own code, once everything sent before is out", async (kind) => {
  const socket = channel(async (raw) => {
    for (let at = 0; at < 40; at += 1) void raw.send("q".repeat(100_000)).catch(() => undefined); // not awaited: they queue
    raw.close(4000, "enough");
    await assert.rejects(raw.send("after"));
  });
  await withTransport(kind, { webSockets: [socket] }, async ({ port, errors }) => {
    const { socket: client } = await openSocket(port, "/ws");
    client.send("go");
    for (let at = 0; at < 40; at += 1) assert.equal((await client.next())?.payload.length, 100_000);
    assert.equal(await client.closeCode(), 4000);
    assert.deepEqual(errors, []);
  });
});

for (const many of [1, 40])
  behaviour(
    `frames of any size reach slow readers byte for byte, at their pace, ${many === 1 ? "one by one" : "many together"}`,
    async (kind) => {
      const sizes = [1, 125, 126, 1_000, 12_000, 16_383, 16_384, 17_000, 19_000, 65_535, 65_536, 120_000];
      const frames = 360;
      const sent = [0, 0, 0];
      const payload = (seed: number, at: number): string => textPattern(sizes[(at + seed) % sizes.length] ?? 1, at);
      const socket = channel(async (raw, _context, { bytes: asked }) => {
        const seed = Number(Buffer.from(asked).toString());
        const scratch = Buffer.alloc(120_000); // one buffer for every frame: it may be reused once a send resolved
        for (let at = 0; many > 1 && at < frames; at += many) {
          await raw.sendAll(Array.from({ length: many }, (_, index) => Buffer.from(payload(seed, at + index))));
          sent[seed] = at + many;
        }
        for (let at = 0; many === 1 && at < frames; at += 1) {
          const bytes = scratch.write(payload(seed, at));
          await raw.send(at % 3 === 0 ? payload(seed, at) : scratch.subarray(0, bytes));
          sent[seed] = at + 1;
        }
      });
      await withTransport(kind, { webSockets: [socket], limits: { streamBufferedBytesMax: 64 * 1024 } }, async ({ port, errors }) => {
        await Promise.all(
          sent.map(async (_, seed) => {
            const { socket: client } = await openSocket(port, "/ws");
            client.send(String(seed));
            client.client.socket.pause();
            if (seed === 0) {
              await sleep(250);
              assert.ok((sent[0] ?? 0) < frames, "a reader that does not read holds the producer");
            }
            for (let at = 0; at < frames; at += 1) {
              if (at % 12 === 0) {
                client.client.socket.pause();
                await sleep(6);
                client.client.socket.resume();
              }
              const received = await client.next();
              assert.equal(received?.payload.toString(), payload(seed, at), `frame ${at} of socket ${seed}`);
            }
            assert.equal(await client.closeCode(), 1000);
          }),
        );
        assert.deepEqual(errors, []);
      });
    },
  );

behaviour("large messages are taken whole while others stream", async (kind) => {
  const socket = channel(async (raw, _context, { bytes }) => raw.send(String(Buffer.from(bytes).equals(pattern(1 << 20)))));
  await withTransport(kind, { webSockets: [socket] }, async ({ port }) => {
    await Promise.all(
      [1, 2, 3].map(async () => {
        const { socket: client } = await openSocket(port, "/ws");
        client.send(pattern(1 << 20), opcodes.binary);
        assert.equal((await client.next())?.payload.toString(), "true");
        assert.equal(await client.closeCode(), 1000);
      }),
    );
  });
});
