/** How many connections there may be, and what becomes of one more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Connections, connectionsMax } from "../../src/http/index.js";
import { behaviour, eventually, get, text, withTransport } from "./harness.js";
import { ask, RawClient, request } from "./raw-client.js";
import { openSocket } from "./web-socket-client.js";

test("connections: a process keeps some of its open files for other things, and half of few", () => {
  assert.deepEqual([100, 420, 1_024, 1_048_576, Infinity].map(connectionsMax), [50, 210, 768, 1_048_320, Infinity]);
});

class Counted extends Connections {
  open = 0;

  override enter(): boolean {
    this.open += 1;
    return super.enter();
  }
  override leave(): void {
    this.open -= 1;
    super.leave();
  }
}

const hello = get("/hello", async () => text("hello"));
const socket = {
  path: "/ws",
  upgrade: () => ({ accept: { protocol: "", context: undefined } }),
  open: () => new Promise<void>(() => undefined),
};

behaviour("a connection too many is closed at once and the others go on; there is room again once some end, sockets too", async (kind) => {
  const told: number[] = [];
  const connections = new Counted(4, (max) => told.push(max));
  await withTransport(kind, { routes: [hello], webSockets: [socket], connections }, async ({ port, errors }) => {
    const isServed = async (client: RawClient): Promise<boolean> => {
      client.write(request("GET", "/hello"));
      return (await client.response().catch(() => undefined))?.status === 200;
    };
    for (let times = 1; times <= 2; times += 1) {
      const sockets = [await openSocket(port, "/ws"), await openSocket(port, "/ws")];
      const clients = [await RawClient.open(port), await RawClient.open(port)];
      for (const client of clients) assert.ok(await isServed(client));
      for (let more = 0; more < 3; more += 1) await (await RawClient.open(port)).closed();
      assert.deepEqual(told, Array(times).fill(4));
      for (const client of clients) assert.ok(await isServed(client));
      sockets[0]!.socket.client.destroy();
      await eventually("it has left", () => connections.open === 3);
      assert.equal((await ask(port, request("GET", "/hello", ["Connection: close"])))?.status, 200);
      assert.deepEqual(told, Array(times).fill(4));
      for (const client of [sockets[1]!.socket.client, ...clients]) client.destroy();
      await eventually("all have left", () => connections.open === 0);
    }
    assert.deepEqual(errors, []);
  });
});
