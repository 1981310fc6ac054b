/**
 * What uploads that never end cost a node. Its own memory is looked at, so this needs Linux. LEDGERLINE_MEMORY=1 also uploads where
 * everybody may; `test/http/bodies.test.ts` has the same in small.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { loadBinding } from "../../src/http/uws/binding.js";
import { RawClient, request } from "../http/raw-client.js";
import { startNodeProcess, type NodeProcess } from "../support/node-process.js";
import { isOn } from "../support/knobs.js";

const uploads = 8;
const uploadBytes = 60 * 1024 * 1024;
const piece = Buffer.alloc(1024 * 1024, "x");
const noProc = existsSync("/proc/self/status") ? undefined : "no /proc here";

function memoryMb(node: NodeProcess, figure: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${node.child.pid}/status`, "utf8");
  return Number(new RegExp(`^${figure}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
}

/** All but the last byte, or until the node has answered. */
async function uploadAlmost(client: RawClient): Promise<void> {
  client.write(request("POST", "/v2/dars", ["Content-Type: application/octet-stream", `Content-Length: ${uploadBytes + 1}`]));
  for (let sent = 0; sent < uploadBytes && !client.ended && client.unread.length === 0; sent += piece.length) {
    if (!client.socket.write(piece))
      await Promise.race([new Promise((resolve) => client.socket.once("drain", resolve)), client.closed(), sleep(1_000)]);
  }
}

async function peakAndRest(kind: string, flags: readonly string[]): Promise<{ readonly peakMb: number; readonly restMb: number }> {
  const node = await startNodeProcess(["--memory", "--transport", kind, ...flags]);
  try {
    const before = memoryMb(node, "VmRSS");
    const clients = await Promise.all(Array.from({ length: uploads }, () => RawClient.open(node.port)));
    for (const { socket } of clients) socket.setMaxListeners(0);
    await Promise.all(clients.map(uploadAlmost));
    for (const client of clients) client.destroy();
    const patience = Date.now() + 5_000;
    while (memoryMb(node, "VmRSS") - before > 100 && Date.now() < patience) await sleep(50);
    return { peakMb: memoryMb(node, "VmHWM") - before, restMb: memoryMb(node, "VmRSS") - before };
  } finally {
    await node.stop();
  }
}

for (const kind of ["uws", "node"] as const) {
  const skip = noProc ?? (kind === "uws" && loadBinding().error !== undefined ? "no uWebSockets.js binding here" : false);

  test(`memory: ${kind}: ${uploads} uploads of 60 MB without a token are not taken`, { skip, timeout: 300_000 }, async () => {
    const { peakMb } = await peakAndRest(kind, ["--auth", "hs256:secret"]);
    assert.ok(peakMb < 120, `the node took ${Math.round(peakMb)} MB`);
  });

  const skipLong = isOn("LEDGERLINE_MEMORY") ? skip : "switched on by LEDGERLINE_MEMORY=1";
  test(
    `memory: ${kind}: where everybody may upload, all uploads together stay within their budget, and what was broken off is given back`,
    { skip: skipLong, timeout: 300_000 },
    async () => {
      const { peakMb, restMb } = await peakAndRest(kind, []);
      assert.ok(peakMb < 256 + 150, `the node took ${Math.round(peakMb)} MB`);
      assert.ok(restMb < 100, `the node kept ${Math.round(restMb)} MB`);
    },
  );
}
