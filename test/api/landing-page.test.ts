import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { version } from "../../src/version.js";
import { apiWith, request } from "./support.js";

const api = apiWith({});
const accept = (types: string) => ({ headers: { accept: types } });

for (const path of ["/", "/docs"]) {
  test(`landing page: ${path} tells a browser in a page, and others in text, what this is and where things are`, async () => {
    const page = await request(api, "GET", path, accept("text/html,application/xhtml+xml,*/*;q=0.8"));
    const plain = await request(api, "GET", path);
    assert.deepEqual(
      [page.status, page.contentType, plain.status, plain.contentType],
      [200, "text/html; charset=UTF-8", 200, "text/plain; charset=UTF-8"],
    );
    for (const { text } of [page, plain])
      for (const named of [`Ledgerline ${version}`, "/docs/openapi", "/docs/asyncapi", "/metrics", "/livez", "/readyz", "README.md"])
        assert.ok(text.includes(named), `${named} in ${text}`);
    assert.equal((await request(api, "GET", path, accept("application/json"))).contentType, "text/plain; charset=UTF-8");
  });
}

test("landing page: it needs nothing from elsewhere, and its policy allows its own style and nothing else", async () => {
  const { text, headers } = await request(api, "GET", "/", accept("text/html"));
  assert.doesNotMatch(text, /<script|<link|<img|src=|@import|url\(|https?:/i);
  const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? "";
  const policy = headers["content-security-policy"] ?? "";
  assert.ok(policy.startsWith("default-src 'none'; ") && policy.includes("frame-ancestors 'none'"), policy);
  assert.ok(policy.includes(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`), policy);
  assert.equal(headers["x-content-type-options"], "nosniff");
});

/** What stands beside the ledger's own API. */
const besides = /^\/metrics$|^\/docs\/openapi\/(registry|scan|validator|sv)$/;

test("landing page: every place that it names is there", async () => {
  const { text } = await request(api, "GET", "/");
  const places = [...text.matchAll(/^(\/\S+)/gm)].map(([, path]) => path!);
  assert.ok(places.length >= 6);
  const served = api.routes.map(({ path }) => path);
  assert.deepEqual(
    places.filter((path) => !besides.test(path) && !served.includes(path)),
    [],
  );
});
