/** Clients of gRPC who send frames that no library would, as many and as fast as they can. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Connections } from "../../src/http/index.js";
import { eventually } from "../http/harness.js";
import {
  cancelled,
  connected,
  dataFrame,
  endsHeaders,
  endsStream,
  firstHead,
  frame,
  headersFrame,
  resetFrame,
  streamNumbers,
} from "../support/http2-frames.js";
import { ask, echo, withServer } from "./server-harness.js";

const timeout = 60_000,
  head = firstHead("/test.Test/Say");

/** The largest step that `count` makes in a turn of the event loop, until it has come so far. */
async function largestStep(count: () => number, end: number): Promise<number> {
  let largest = 0,
    before = count();
  while (before < end) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = count();
    largest = Math.max(largest, now - before);
    before = now;
  }
  return largest;
}

test("grpc floods: of the heads that one connection sends at once few are looked at in a turn", { timeout }, async () => {
  const refused = { code: 16, message: "no", details: undefined },
    grpcReadBytes = 4_096;
  let judged = 0;
  const options = {
    judge: () => ((judged += 1), Promise.resolve(refused)),
    limits: { grpcReadBytes, grpcReadMs: 0, grpcStreamsPerConnectionMax: 5_000 },
  };
  await withServer(
    { Say: echo },
    async ({ server }) => {
      const calls = streamNumbers(3_000).map((stream) => frame(headersFrame, endsHeaders | endsStream, stream, head)),
        socket = await connected(server.port);
      socket.write(Buffer.concat(calls));
      assert.ok((await largestStep(() => judged, calls.length)) <= Math.ceil(grpcReadBytes / calls[0]!.length));
      socket.destroy();
    },
    options,
  );
});

test("grpc floods: a message may come in single bytes, few of them in a turn", { timeout }, async () => {
  const grpcReadBytes = 4_096,
    message = Buffer.concat([Buffer.of(0, 0, 0, 0x4e, 0x20), Buffer.alloc(20_000, "x")]);
  await withServer(
    { Say: echo },
    async ({ server, bodies }) => {
      const pieces = Array.from(message, (byte) => frame(dataFrame, 0, 1, Buffer.of(byte))),
        socket = await connected(server.port);
      socket.write(Buffer.concat([frame(headersFrame, endsHeaders, 1, head), ...pieces.slice(0, -1)]));
      assert.ok((await largestStep(() => bodies.held, message.length - 1)) <= Math.ceil(grpcReadBytes / pieces[0]!.length));
      socket.destroy();
      await eventually("all is given back", () => bodies.held === 0);
    },
    { limits: { grpcReadBytes, grpcReadMs: 0, grpcPieceBytes: 0 } },
  );
});

test("grpc floods: who resets thousands of calls is sent away, and his connection has room for another", { timeout }, async () => {
  await withServer(
    { Say: echo },
    async ({ client, server }) => {
      const calls = streamNumbers(5_000).flatMap((stream) => [
          frame(headersFrame, endsHeaders, stream, head),
          frame(resetFrame, 0, stream, cancelled),
        ]),
        socket = await connected(server.port);
      socket.write(Buffer.concat(calls));
      await new Promise((resolve) => socket.once("close", resolve));
      assert.equal((await ask(client, "Say", Buffer.from("on"))).toString(), "on");
    },
    { connections: new Connections(1, () => undefined), limits: { stallMs: 500 } },
  );
});
