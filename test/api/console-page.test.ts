import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { openConsolePage } from "../../src/api/console-page.js";
import { apiWith, request } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const style = "body{color:red}",
  script = "console.log(1)";
const html = `<!doctype html><style>${style}</style><body><script type="module">${script}</script>`;
const folder = temporaryFolder("console");
writeFileSync(join(folder, "page.html"), html);
writeFileSync(join(folder, "page.html.gz"), gzipSync(html));
writeFileSync(join(folder, "page.html.br"), brotliCompressSync(html));

const ask = (headers: Readonly<Record<string, string>>) => {
  const {
    status,
    headers: answered = {},
    body,
  } = openConsolePage(pathToFileURL(`${folder}/`))!.answer({ headers: new Map(Object.entries(headers)) });
  return { status, headers: answered, body: body as Buffer };
};
const digest = (text: string): string => createHash("sha256").update(text).digest("base64");

test("console page: its policy lets its own script and style run, and nothing else; it may talk to where it came from", () => {
  const policy = ask({ host: "localhost:7575" }).headers["content-security-policy"]!.split("; ");
  for (const part of [
    "default-src 'none'",
    `script-src 'sha256-${digest(script)}'`,
    `style-src 'sha256-${digest(style)}'`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "connect-src 'self' ws://localhost:7575 wss://localhost:7575",
  ])
    assert.ok(policy.includes(part), `${part} in ${policy.join("; ")}`);
});

test("console page: a Host that is none is not repeated in the policy", () => {
  for (const host of ["", "a; script-src *", "a b", "a\tb", "*", "x".repeat(300)]) {
    const policy = ask({ host }).headers["content-security-policy"]!;
    assert.ok(policy.endsWith("connect-src 'self'"), policy);
  }
});

test("console page: it comes in the smallest form that the browser takes", () => {
  const brotli = ask({ "accept-encoding": "gzip, deflate, br, zstd" }),
    gzip = ask({ "accept-encoding": "gzip, br;q=0" }),
    plain = ask({ "accept-encoding": "identity" });
  assert.deepEqual(
    [brotli, gzip, plain].map(({ headers }) => headers["content-encoding"]),
    ["br", "gzip", undefined],
  );
  assert.deepEqual([brotliDecompressSync(brotli.body), gunzipSync(gzip.body), plain.body].map(String), [html, html, html]);
  assert.match(brotli.headers["vary"]!, /Accept-Encoding/);
  assert.equal(new Set([brotli, gzip, plain].map(({ headers }) => headers["etag"])).size, 3);
});

test("console page: who has it is told so, without the page", () => {
  const {
    headers: { etag },
  } = ask({ "accept-encoding": "br" });
  const again = ask({ "accept-encoding": "br", "if-none-match": `"other", ${etag}` });
  assert.deepEqual([again.status, again.body], [304, undefined]);
  assert.equal(ask({ "accept-encoding": "br", "if-none-match": '"other"' }).status, 200);
});

test("console page: without it, and where nothing was built, a browser finds the page of addresses", async () => {
  assert.equal(openConsolePage(pathToFileURL(`${folder}/nowhere/`)), undefined);
  const page = await request(apiWith({}, { console: false }), "GET", "/", { headers: { accept: "text/html" } });
  assert.match(page.text, /\/docs\/openapi/);
  const plain = await request(apiWith({}, { console: true }), "GET", "/", { headers: { accept: "*/*" } });
  assert.match(plain.text, /^Ledgerline \d/);
});
