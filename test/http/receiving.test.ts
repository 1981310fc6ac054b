/** Bodies that come in from many connections share the turns of the event loop. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Turns } from "../../src/base/turns.js";
import { Receiving, type Receiver } from "../../src/http/receiving.js";
import type { Route } from "../../src/http/index.js";
import { behaviour, echo, eventually, get, pattern, text, withTransport } from "./harness.js";
import { ask, RawClient, request } from "./raw-client.js";

class Told implements Receiver {
  readonly told: string[] = [];
  pauseBody(): void {
    this.told.push("pause");
  }
  resumeBody(): void {
    this.told.push("resume");
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test("receiving: once a turn took enough all wait for the next one, also who begins meanwhile; who is done is left alone", async () => {
  const receiving = new Receiving(new Turns(0)),
    [first, second, late, done] = [new Told(), new Told(), new Told(), new Told()] as const;
  for (const receiver of [first, second, done]) receiving.enter(receiver);
  receiving.leave(done);
  receiving.took();
  receiving.took();
  receiving.enter(late);
  assert.deepEqual(
    [first, second, late, done].map(({ told }) => told),
    [["pause"], ["pause"], ["pause"], []],
  );
  await nextTurn();
  assert.deepEqual(
    [first, second, late, done].map(({ told }) => told),
    [["pause", "resume"], ["pause", "resume"], ["pause", "resume"], []],
  );
});

test("receiving: a turn that has time left goes on", () => {
  const receiving = new Receiving(new Turns(1_000)),
    one = new Told();
  receiving.enter(one);
  receiving.took();
  assert.deepEqual(one.told, []);
});

behaviour("bodies of many connections arrive whole when each turn takes only a part of them", async (kind) => {
  const bytes = 3 * 1024 * 1024;
  await withTransport(kind, { routes: [echo(bytes)], turns: new Turns(0) }, async ({ port, transport }) => {
    const bodies = Array.from({ length: 6 }, (_, seed) => pattern(bytes, seed));
    const answers = await Promise.all(
      bodies.map((body) => ask(port, Buffer.concat([Buffer.from(request("POST", "/echo", [`Content-Length: ${bytes}`])), body]))),
    );
    assert.deepEqual(
      answers.map((answer, seed) => answer?.body.equals(bodies[seed]!)),
      bodies.map(() => true),
    );
    assert.equal(transport.bodiesBytes, 0);
  });
});

/** Sends the same again and again, as fast as it is taken, until the connection ends or the time is over; whether it ended. */
async function floods(port: number, head: string, again: Buffer, ms = 10_000): Promise<boolean> {
  const client = await RawClient.open(port),
    end = Date.now() + ms;
  client.write(head);
  while (!client.ended && Date.now() < end) {
    client.write(again);
    if (client.socket.writableLength > 4 * again.length)
      await Promise.race([once(client.socket, "drain"), client.closed()]).catch(() => undefined);
    else await nextTurn();
  }
  client.destroy();
  return client.ended && Date.now() < end;
}

const hello = get("/hello", async () => text("hello"));
const refused: Route = { ...echo(), path: "/refused", admit: () => ({ reply: text("who are you", 401) }) };
const onlyNative = { node: "node:http gives a turn no more of a connection than 64 KiB, and divides bodies among turns" };

behaviour(
  "a body in single bytes without end is cut off, whether it is wanted or not",
  async (kind) => {
    await withTransport(kind, { routes: [echo(1 << 26), refused, hello] }, async ({ port, transport }) => {
      const byteByByte = Buffer.from("1\r\n \r\n".repeat(50_000));
      for (const path of ["/echo", "/refused", "/nowhere"])
        assert.ok(await floods(port, request("POST", path, ["Transfer-Encoding: chunked"]), byteByByte), path);
      assert.equal((await ask(port, request("GET", "/hello")))?.status, 200);
      await eventually("all of it is given back", () => transport.bodiesBytes === 0);
    });
  },
  onlyNative,
);

behaviour(
  "a body in single bytes that come one after the other, or many in chunks of usual sizes at once, is taken whole",
  async (kind) => {
    await withTransport(kind, { routes: [echo(1 << 24)] }, async ({ port }) => {
      const bytes = pattern(3 * 1024 * 1024),
        chunked = (size: number, of: Buffer): Buffer[] =>
          Array.from({ length: Math.ceil(of.length / size) }, (_, at) => of.subarray(at * size, (at + 1) * size)).flatMap((piece) => [
            Buffer.from(`${piece.length.toString(16)}\r\n`),
            piece,
            Buffer.from("\r\n"),
          ]);
      for (const [size, of] of [
        [1, bytes.subarray(0, 3_000)],
        [1_024, bytes],
        [16_384, bytes],
        [65_536, bytes],
      ] as const) {
        const whole = Buffer.concat([
          Buffer.from(request("POST", "/echo", ["Transfer-Encoding: chunked"])),
          ...chunked(size, of),
          Buffer.from("0\r\n\r\n"),
        ]);
        assert.ok((await ask(port, whole))?.body.equals(of), `chunks of ${size}`);
      }
    });
  },
);

behaviour(
  "requests pipelined without end are cut off",
  async (kind) => {
    await withTransport(kind, { routes: [hello, refused] }, async ({ port, errors }) => {
      for (const one of [request("GET", "/hello"), request("GET", "/nowhere"), request("POST", "/refused", ["Content-Length: 2"], "{}")])
        assert.ok(await floods(port, "", Buffer.from(one.repeat(2_000))), one);
      assert.equal((await ask(port, request("GET", "/hello")))?.status, 200);
      assert.deepEqual(errors, []);
    });
  },
  { node: "waits its turn there: no more is read while replies are not taken" },
);
