/**
 * Who may use a node that asks for no tokens: programs of this machine, and pages that come from it or were allowed. Over real sockets, on
 * both transports.
 */
import assert from "node:assert/strict";
import { request as ask, type IncomingHttpHeaders } from "node:http";
import { after, before, describe, test } from "node:test";
import { WebSocket } from "ws";
import { errorTable, limitTable, operationTable } from "../../src/api/index.js";
import { spliceOperationTable } from "../../src/api/splice-operation-table.js";
import { helpText } from "../../src/command-line.js";
import { loadBinding } from "../../src/http/uws/binding.js";
import { metricTable } from "../../src/telemetry/index.js";
import { startNodeProcess, type NodeProcess } from "../support/node-process.js";
import { readFileSync } from "node:fs";
import { testData } from "../support/paths.js";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const noBinding = loadBinding().error;
const foreign = "http://evil.example";
const local = "http://localhost:3000";

function send(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string | Uint8Array,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = ask({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on("error", reject).end(body);
  });
}

/** "open", or the status with which the handshake was refused. */
function handshake(port: number, headers: Readonly<Record<string, string>>): Promise<"open" | number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v2/updates`, ["daml.ws.auth"], { headers });
    socket.on("open", () => {
      resolve("open");
      socket.terminate();
    });
    socket.on("unexpected-response", (_, response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    socket.on("error", () => resolve(0));
  });
}

const json = { "content-type": "application/json" };
const party = (hint: string): string => JSON.stringify({ partyIdHint: hint });
const errorOf = ({ text }: Answer): { readonly code: string; readonly cause: string } =>
  JSON.parse(text) as { code: string; cause: string };

for (const kind of ["uws", "node"] as const) {
  describe(`${kind}: without tokens`, { skip: kind === "uws" && noBinding !== undefined ? noBinding : false }, () => {
    let node: NodeProcess;
    before(async () => {
      node = await startNodeProcess([
        "--memory",
        "--transport",
        kind,
        "--allow-origin",
        "https://app.example",
        "--allow-host",
        "ledger.test",
      ]);
    });
    after(async () => {
      await node.stop();
    });
    const parties = async (): Promise<string> => (await send(node.port, "GET", "/v2/parties")).text;

    test("front door: programs without an origin do as before, whatever type they name", async () => {
      for (const headers of [{}, { "content-type": "text/plain" }, { "content-type": "application/x-www-form-urlencoded" }])
        assert.equal(
          (await send(node.port, "POST", "/v2/parties", headers, party(`program-${Object.values(headers).join("").length}`))).status,
          200,
        );
    });

    test("front door: a page from elsewhere allocates no party, prunes nothing and uploads nothing, whatever it calls its body", async () => {
      const dar = readFileSync(testData("quickstart.dar"));
      for (const origin of [
        foreign,
        "null",
        "https://localhost.evil.example",
        "http://127.0.0.1.evil.example",
        "file://",
        "chrome-extension://abc",
        "http://evil.example:7575",
      ]) {
        for (const type of ["text/plain", "application/json", "application/x-www-form-urlencoded"]) {
          const refused = await send(node.port, "POST", "/v2/parties", { origin, "content-type": type }, party("intruder"));
          assert.deepEqual([refused.status, errorOf(refused).code], [403, "ORIGIN_NOT_ALLOWED"], `${origin} ${type}: ${refused.text}`);
          assert.match(errorOf(refused).cause, /Origin.*--allow-origin/s);
          assert.equal(refused.headers["access-control-allow-origin"], undefined);
        }
        assert.equal(
          (await send(node.port, "POST", "/admin/prune", { origin, "content-type": "text/plain" }, '{"pruneUpTo":1}')).status,
          403,
        );
        assert.equal((await send(node.port, "POST", "/v2/dars", { origin, "content-type": "text/plain" }, dar)).status, 403);
        assert.equal((await send(node.port, "GET", "/v2/users", { origin })).status, 403);
        assert.equal((await send(node.port, "GET", "/v2/nowhere", { origin })).status, 403);
      }
      assert.doesNotMatch(await parties(), /intruder/);
    });

    test("front door: a name that was made to point here reads no users (DNS rebinding)", async () => {
      for (const host of [
        "evil.example",
        `evil.example:${node.port}`,
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "10.0.0.1",
        "[fe80::1]",
        "127.0.0.1@evil.example",
      ]) {
        const refused = await send(node.port, "GET", "/v2/users", { host });
        assert.equal(refused.status, 403, `${host}: ${refused.text}`);
        assert.equal(errorOf(refused).code, "HOST_NOT_ALLOWED");
        assert.match(errorOf(refused).cause, /Host.*--allow-host/s);
        assert.notEqual(await handshake(node.port, { host, origin: `http://${host}` }), "open", host);
      }
      for (const host of [
        "127.0.0.1",
        `127.0.0.1:${node.port}`,
        "127.9.8.7:1",
        "localhost",
        "LOCALHOST:80",
        "localhost.",
        "app.localhost:9",
        "[::1]:7575",
        "ledger.test",
        "ledger.test:443",
      ])
        assert.equal((await send(node.port, "GET", "/v2/users", { host })).status, 200, host);
    });

    test("front door: a page of this machine, or one that was allowed, may do everything, and reads the answers", async () => {
      for (const [at, origin] of [
        local,
        "http://127.0.0.1:5173",
        "https://localhost",
        "http://[::1]:8080",
        "http://dev.localhost:4200",
        "https://app.example",
      ].entries()) {
        const made = await send(node.port, "POST", "/v2/parties", { origin, ...json }, party(`page-${at}`));
        assert.deepEqual(
          [made.status, made.headers["access-control-allow-origin"], made.headers["vary"]],
          [200, origin, "Origin"],
          made.text,
        );
        assert.match(String(made.headers["access-control-expose-headers"]), /Ledgerline-List-Limit/i);
        for (const path of ["/v2/users", "/v2/nowhere", "/livez", "/metrics", "/docs/openapi"])
          assert.equal((await send(node.port, "GET", path, { origin })).headers["access-control-allow-origin"], origin, path);
        assert.equal((await send(node.port, "DELETE", "/v2/version", { origin })).headers["access-control-allow-origin"], origin, "405");
        assert.equal(
          (await send(node.port, "POST", "/v2/parties", { origin, ...json }, "{bad")).headers["access-control-allow-origin"],
          origin,
          "400",
        );
      }
      const large = await send(
        node.port,
        "POST",
        "/v2/parties",
        { origin: local, ...json, "content-length": String(9 * 1024 * 1024) },
        Buffer.alloc(9 * 1024 * 1024),
      );
      assert.deepEqual([large.status, large.headers["access-control-allow-origin"]], [413, local]);
      assert.equal((await send(node.port, "GET", "/v2/users")).headers["access-control-allow-origin"], undefined);
    });

    test("front door: a body that comes with an origin says that it is JSON, or the octets of a DAR: browsers ask before they send those", async () => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "text/json-not"]) {
        const refused = await send(node.port, "POST", "/v2/parties", { origin: local, "content-type": type }, party("simple"));
        assert.deepEqual([refused.status, errorOf(refused).code], [415, "CONTENT_TYPE_NOT_ALLOWED"], type);
        assert.equal(refused.headers["access-control-allow-origin"], local);
      }
      assert.doesNotMatch(await parties(), /simple/);
      assert.equal(
        (await send(node.port, "POST", "/v2/parties", { origin: local, "content-type": "application/json; charset=utf-8" }, party("typed")))
          .status,
        200,
      );
      const dar = await send(
        node.port,
        "POST",
        "/v2/dars",
        { origin: local, "content-type": "application/octet-stream" },
        readFileSync(testData("quickstart.dar")),
      );
      assert.equal(dar.status, 200, dar.text);
    });

    test("front door: a browser that asks beforehand is told what it may do", async () => {
      const preflight = { "access-control-request-method": "PATCH", "access-control-request-headers": "authorization,content-type,x-mine" };
      const allowed = await send(node.port, "OPTIONS", "/v2/users/alice/rights", { origin: local, ...preflight });
      assert.deepEqual([allowed.status, allowed.text, allowed.headers["access-control-allow-origin"]], [204, "", local]);
      assert.deepEqual(String(allowed.headers["access-control-allow-methods"]).split(", "), [
        "GET",
        "HEAD",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
      ]);
      assert.equal(allowed.headers["access-control-allow-headers"], "authorization,content-type,x-mine");
      assert.ok(Number(allowed.headers["access-control-max-age"]) > 0);
      assert.match(String(allowed.headers["vary"]), /Origin/);
      assert.equal((await send(node.port, "OPTIONS", "/v2/users", { origin: foreign, ...preflight })).status, 403);
      assert.equal((await send(node.port, "OPTIONS", "/v2/version")).status, 405, "a request of its own");
      const huge = await send(node.port, "OPTIONS", "/v2/users", {
        origin: local,
        ...preflight,
        "access-control-request-headers": "x".repeat(6_000),
      });
      assert.deepEqual([huge.status, /authorization/.test(String(huge.headers["access-control-allow-headers"]))], [204, true]);
    });

    test("front door: a WebSocket opens for the same pages only", async () => {
      for (const origin of [foreign, "null", "http://localhost.evil.example"])
        assert.equal(await handshake(node.port, { origin }), 403, origin);
      for (const origin of [local, "https://app.example", `http://127.0.0.1:${node.port}`])
        assert.equal(await handshake(node.port, { origin }), "open", origin);
      assert.equal(await handshake(node.port, {}), "open");
    });

    test("front door: a browser that opens the address finds a page, and a program a text", async () => {
      const page = await send(node.port, "GET", "/", {
        accept: "text/html,*/*",
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
      });
      assert.deepEqual([page.status, page.headers["content-type"]], [200, "text/html; charset=UTF-8"]);
      assert.match(String(page.headers["content-security-policy"]), /^default-src 'none'/);
      assert.match((await send(node.port, "GET", "/docs/")).text, /^Ledgerline \d/);
      const head = await send(node.port, "HEAD", "/", { accept: "text/html" });
      assert.deepEqual([head.status, head.text, head.headers["content-length"]], [200, "", String(Buffer.byteLength(page.text))]);
      assert.equal((await send(node.port, "POST", "/")).status, 405);
    });

    test("front door: the reference is served as the program has it, to browsers as pages that run nothing", async () => {
      const written = {
        "/docs/operations": operationTable(),
        "/docs/operations/splice": spliceOperationTable(),
        "/docs/errors": errorTable(),
        "/docs/limits": limitTable(),
        "/docs/metrics": metricTable(),
        "/docs/command-line": helpText(),
      };
      const { text: all } = await send(node.port, "GET", "/docs");
      for (const [path, markdown] of Object.entries(written)) {
        assert.ok(all.includes(`${path} `), `${path} is told of`);
        const plain = await send(node.port, "GET", path),
          page = await send(node.port, "GET", path, { accept: "text/html" });
        assert.deepEqual(
          [plain.status, plain.headers["content-type"], plain.text.includes(markdown.trimEnd())],
          [200, "text/markdown; charset=UTF-8", true],
          path,
        );
        assert.match(String(page.headers["content-security-policy"]), /^default-src 'none'; style-src 'sha256-/);
        const rows = markdown.split("\n").filter((line) => line.startsWith("|") && !/^\|[-|]+$/.test(line)).length;
        assert.equal(page.text.split("<tr>").length - 1, rows, path);
        assert.doesNotMatch(page.text, /<script|\]\(|<td>\|/);
      }
    });

    test("front door: what a page of another site embeds without asking is not served; what its user follows is", async () => {
      const marked = (site: string, mode: string, dest: string) =>
        send(node.port, "GET", "/v2/users", { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest });
      assert.equal((await marked("cross-site", "no-cors", "image")).status, 403);
      assert.equal((await marked("cross-site", "no-cors", "script")).status, 403);
      assert.equal((await marked("cross-site", "navigate", "iframe")).status, 403);
      assert.equal((await marked("cross-site", "navigate", "document")).status, 200);
      for (const site of ["none", "same-origin", "same-site"]) assert.equal((await marked(site, "no-cors", "image")).status, 200, site);
    });
  });
}
