/**
 * Web pages in a real browser, before a node without tokens: one of another loopback port, which may use it, and one of a foreign
 * name, which may not.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { browserProgram, noBrowser } from "../support/browser-program.js";
import { Client, startNodeProcess, type NodeProcess } from "../support/node-process.js";
import { temporaryFolder } from "../support/folders.js";

type Outcomes = Readonly<Record<string, string>>;

/** Runs in the page, which tells its own server what came of each attempt. */
const script = (node: string): string => `
const node = ${JSON.stringify(node)};
const json = { "content-type": "application/json" };
const updates = { beginExclusive: 0, updateFormat: { includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: { filtersForAnyParty: {}, verbose: true } } } };
const hint = (text) => JSON.stringify({ partyIdHint: text + "-" + location.hostname.replaceAll(".", "-") });
const talk = (socket) => new Promise((resolve) => {
  socket.onerror = () => resolve("blocked");
  socket.onopen = () => socket.send("{bad");
  socket.onmessage = ({ data }) => resolve(JSON.parse(data).code);
});
const attempts = {
  read: async () => (await fetch(node + "/v2/users")).status,
  write: async () => (await fetch(node + "/v2/parties", { method: "POST", headers: { ...json, authorization: "Bearer none", "x-of-mine": "1" }, body: hint("written") })).status,
  remove: async () => (await fetch(node + "/v2/users/nobody", { method: "DELETE" })).status,
  header: async () => (await fetch(node + "/v2/updates?limit=0", { method: "POST", headers: json, body: JSON.stringify(updates) })).headers.get("Ledgerline-List-Limit"),
  unread: async () => (await fetch(node + "/v2/parties", { method: "POST", mode: "no-cors", headers: { "content-type": "text/plain" }, body: hint("unread") })).type,
  image: () => new Promise((resolve) => { const image = new Image(); image.onerror = () => resolve("nothing to see"); image.onload = () => resolve("seen"); image.src = node + "/v2/users"; }),
  socket: () => talk(new WebSocket(node.replace("http", "ws") + "/v2/updates", ["daml.ws.auth"])),
  plainSocket: () => talk(new WebSocket(node.replace("http", "ws") + "/v2/updates")),
};
const outcomes = {};
for (const [name, attempt] of Object.entries(attempts)) outcomes[name] = String(await attempt().catch(() => "blocked"));
await fetch("/outcomes", { method: "POST", body: JSON.stringify(outcomes) });
`;

/** Opens a page that was served under this name, and waits for what it tells. */
async function outcomesOf(hostname: string, node: string): Promise<Outcomes> {
  const profile = temporaryFolder("browser");
  let tell = (_outcomes: Outcomes): void => undefined;
  const told = new Promise<Outcomes>((resolve) => (tell = resolve));
  const server = createServer((request, response) => {
    if (request.url !== "/outcomes")
      return void response.setHeader("content-type", "text/html").end(`<!doctype html><script type="module">${script(node)}</script>`);
    let body = "";
    request
      .on("data", (chunk: Buffer) => (body += chunk.toString()))
      .on("end", () => {
        response.end();
        tell(JSON.parse(body) as Outcomes);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://${hostname}:${(server.address() as AddressInfo).port}/page`;
  const flags = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    `--user-data-dir=${profile}`,
    "--host-resolver-rules=MAP *.test 127.0.0.1",
    "--remote-debugging-port=0",
  ];
  const child = spawn(browserProgram!, [...flags, address], { stdio: "ignore", detached: true });
  const closed = new Promise((resolve) => child.once("close", resolve));
  try {
    return await Promise.race([told, closed.then(() => assert.fail("the browser ended without a word of its page"))]);
  } finally {
    process.kill(-child.pid!, "SIGKILL");
    await closed;
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

describe("browser", { skip: noBrowser }, () => {
  let node: NodeProcess;
  before(async () => {
    node = await startNodeProcess(["--memory"]);
  });
  after(async () => {
    await node.stop();
  });

  async function partyHints(): Promise<string> {
    const client = new Client(node.port);
    const { text } = await client.get("/v2/parties");
    client.close();
    return text;
  }

  test("browser: a page of another port of this machine reads, writes, and opens sockets", { timeout: 90_000 }, async () => {
    assert.deepEqual(await outcomesOf("localhost", `http://127.0.0.1:${node.port}`), {
      read: "200",
      write: "200",
      remove: "404",
      header: "0",
      unread: "opaque",
      image: "nothing to see",
      socket: "INVALID_ARGUMENT",
      plainSocket: "INVALID_ARGUMENT",
    });
    const hints = await partyHints();
    assert.match(hints, /written-localhost/);
    assert.doesNotMatch(hints, /unread/); // a type that any page may send
  });

  test("browser: a page of a foreign name does none of it, nor under that name", { timeout: 90_000 }, async () => {
    const none = {
      read: "blocked",
      write: "blocked",
      remove: "blocked",
      header: "blocked",
      unread: "opaque",
      image: "nothing to see",
      socket: "blocked",
      plainSocket: "blocked",
    };
    assert.deepEqual(await outcomesOf("foreign.test", `http://127.0.0.1:${node.port}`), none);
    assert.deepEqual(await outcomesOf("rebound.test", `http://rebound.test:${node.port}`), none);
    assert.doesNotMatch(await partyHints(), /foreign|rebound/);
  });
});
