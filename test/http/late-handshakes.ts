/** Twenty WebSockets of which the handshake is decided later than in the call that brings it, each asked for an echo. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { WebSocketRoute } from "../../src/http/index.js";
import { missingBinding, withTransport } from "./harness.js";
import { openSocket } from "./web-socket-client.js";

const late: WebSocketRoute = {
  path: "/late",
  upgrade: () => sleep(1).then(() => ({ accept: { protocol: "", context: undefined } })),
  open: async (socket, _context, { bytes }) => socket.send(bytes),
};

if (missingBinding === undefined)
  await withTransport("uws", { webSockets: [late] }, async ({ port }) => {
    for (let times = 0; times < 20; times++) {
      const { socket } = await openSocket(port, "/late");
      socket.send("hello");
      assert.equal((await socket.next())?.payload.toString(), "hello");
      assert.equal(await socket.closeCode(), 1000);
    }
    console.log("20 stayed open");
  });
else console.log("no binding");
