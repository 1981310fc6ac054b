/** The rules of the front door, by head alone; `test/main/front-door.test.ts` has them over sockets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestFailure } from "../../src/api/errors.js";
import { ledgerOperations } from "../../src/api/ledger/index.js";
import type { AnyOperation } from "../../src/api/operation.js";
import { loopbackOnly, Origins, type OriginRules } from "../../src/api/origins.js";
import { isLoopback } from "../../src/base/loopback.js";
import type { Head } from "../../src/http/head.js";

const head = (headers: Readonly<Record<string, string>>, method = "GET"): Head => ({
  method,
  path: "/v2/users",
  query: "",
  headers: new Map(Object.entries({ host: "localhost:7575", ...headers })),
});

function doorWith(rules: Partial<OriginRules>): (asked: Head) => string {
  const origins = new Origins({ ...loopbackOnly, ...rules }, (failure: RequestFailure) => ({ status: 403, body: failure.code }));
  return (asked) => {
    const answer = origins.answerAt(asked);
    return answer === undefined
      ? (origins.headersFor(asked)?.["access-control-allow-origin"] ?? "served")
      : String(answer.body ?? answer.status);
  };
}

test("origins: loopback is what leads to this machine and nowhere else", () => {
  for (const host of ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "localhost", "LocalHost", "localhost.", "a.b.localhost"])
    assert.equal(isLoopback(host), true, host);
  for (const host of [
    "",
    "0.0.0.0",
    "::",
    "128.0.0.1",
    "10.0.0.1",
    "127.0.0.1.example",
    "localhost.example",
    "notlocalhost",
    "127.1",
    "2130706433",
  ])
    assert.equal(isLoopback(host), false, host);
});

test("origins: what no browser sends as an origin is nobody's, though the Host says the same", () => {
  for (const authentication of [undefined, { enabled: true, isSecretPublished: false }]) {
    const door = doorWith({ host: "0.0.0.0", ...(authentication && { authentication }) });
    for (const host of ["a".repeat(4_000), "a\x7f", "é", "a b", "127.0.0.1\t"]) {
      const said = door(head({ host, origin: `http://${host}` }));
      assert.equal(said, authentication ? "served" : "HOST_NOT_ALLOWED", JSON.stringify(host.slice(0, 9)));
    }
    assert.equal(door(head({ origin: `http://${"a".repeat(4_000)}` })), authentication ? "served" : "ORIGIN_NOT_ALLOWED");
  }
});

test("origins: a node that listens beyond loopback without tokens is known by any address, and by the names that it was given", () => {
  const door = doorWith({ host: "0.0.0.0", allowedHosts: ["Ledger.internal"] });
  for (const host of ["192.168.1.5:7575", "10.1.2.3", "[2001:db8::1]:80", "localhost", "ledger.internal", "LEDGER.internal.:7575"])
    assert.equal(door(head({ host })), "served", host);
  for (const host of ["evil.example", "ledger.internal.evil.example", "192.168.1.5.evil.example", "0x7f.1"])
    assert.equal(door(head({ host })), "HOST_NOT_ALLOWED", host);
  assert.equal(doorWith({ host: "ledger.lan" })(head({ host: "ledger.lan:7575" })), "served");
  assert.equal(doorWith({})(head({ host: "192.168.1.5" })), "HOST_NOT_ALLOWED");
});

test("origins: a page that the node itself served may use it, under the names that it is known by", () => {
  const door = doorWith({ host: "0.0.0.0", allowedHosts: ["ledger.internal"] });
  assert.equal(door(head({ host: "ledger.internal:7575", origin: "http://ledger.internal:7575" })), "http://ledger.internal:7575");
  assert.equal(door(head({ host: "ledger.internal:7575", origin: "http://ledger.internal:8080" })), "ORIGIN_NOT_ALLOWED");
  assert.equal(door(head({ host: "evil.example", origin: "http://evil.example" })), "HOST_NOT_ALLOWED");
});

test("origins: what is allowed by name is allowed to the letter", () => {
  const door = doorWith({ allowedOrigins: ["https://app.example:8443", "null", "capacitor://localhost"] });
  for (const origin of ["https://app.example:8443", "HTTPS://APP.example:8443", "null", "capacitor://localhost"])
    assert.equal(door(head({ origin })), origin);
  for (const origin of [
    "https://app.example",
    "http://app.example:8443",
    "https://x.app.example:8443",
    "ionic://localhost",
    "http://localhost:80:80",
    "http://user@localhost",
    "",
  ])
    assert.equal(door(head({ origin })), "ORIGIN_NOT_ALLOWED", origin);
});

test("origins: with tokens any name will do, and other pages' requests are served without being shown to the page", () => {
  const door = doorWith({ authentication: { enabled: true, isSecretPublished: false }, allowedOrigins: ["https://app.example"] });
  const foreign = "https://evil.example";
  assert.equal(door(head({ host: "ledger.example.com" })), "served");
  assert.equal(door(head({ origin: foreign })), "served");
  assert.equal(door(head({ origin: foreign, "content-type": "text/plain", "content-length": "5" }, "POST")), "served");
  assert.equal(door(head({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" })), "served");
  assert.equal(door(head({ origin: foreign, upgrade: "websocket", connection: "Upgrade" })), "ORIGIN_NOT_ALLOWED");
  assert.equal(door(head({ origin: foreign, "access-control-request-method": "POST" }, "OPTIONS")), "ORIGIN_NOT_ALLOWED");
  for (const origin of ["https://app.example", "http://localhost:3000"]) {
    assert.equal(door(head({ origin })), origin);
    assert.equal(door(head({ origin, "access-control-request-method": "POST" }, "OPTIONS")), "204");
  }
});

test("origins: a link of another site is followed, but its form is not taken", () => {
  const navigation = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  for (const [method, outcome] of [
    ["GET", "served"],
    ["HEAD", "served"],
    ["POST", "ORIGIN_NOT_ALLOWED"],
    ["DELETE", "ORIGIN_NOT_ALLOWED"],
  ] as const) {
    assert.equal(doorWith({})(head(navigation, method)), outcome, method);
    assert.equal(doorWith(published)(head(navigation, method)), outcome, method);
    assert.equal(doorWith({})(head({ ...navigation, "sec-fetch-site": "none" }, method)), "served", method);
  }
});

const published: Partial<OriginRules> = { authentication: { enabled: true, isSecretPublished: true } };

test("origins: tokens that everybody can sign do not help a page whose name was made to point here", () => {
  const door = doorWith({ ...published, allowedHosts: ["ledgerline"], allowedOrigins: ["https://app.example"] });
  const host = "evil.example:2975",
    socket = { upgrade: "websocket", connection: "Upgrade" },
    signed = { authorization: "Bearer signed.by.itself" };
  for (const more of [{}, signed, socket, { origin: `http://${host}`, ...signed }, { origin: `http://${host}`, ...socket }])
    assert.equal(door(head({ host, ...more })), "HOST_NOT_ALLOWED");
  for (const asked of [head({ origin: "https://evil.example", ...signed }), head({ origin: "https://evil.example", ...socket })])
    assert.equal(door(asked), "ORIGIN_NOT_ALLOWED");
  assert.equal(door(head({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" })), "ORIGIN_NOT_ALLOWED");
  assert.equal(door(head({ host: "ledgerline:2975", ...signed })), "served");
  assert.equal(door(head({ origin: "https://app.example", ...signed })), "https://app.example");
  assert.equal(door(head({ host: "192.168.1.5:2975" })), "HOST_NOT_ALLOWED");
  assert.equal(doorWith({ ...published, host: "0.0.0.0" })(head({ host: "192.168.1.5:2975" })), "served");
});

test("origins: with such tokens the names below localhost are this machine's, and their pages do all they did", () => {
  const door = doorWith(published);
  const names = [
    "json-ledger-api.localhost",
    "scan.localhost",
    "wallet.localhost",
    "sv.localhost",
    "canton.localhost",
    "localhost",
    "127.0.0.1",
    "[::1]",
  ];
  for (const name of names) {
    assert.equal(door(head({ host: `${name}:2000` })), "served", name);
    const origin = `http://${name}:3000`;
    assert.equal(door(head({ host: "scan.localhost:4000", origin, upgrade: "websocket" })), origin);
    for (const type of ["application/json", "text/plain"])
      assert.equal(door(head({ origin, "content-type": type, "content-length": "5" }, "POST")), origin, "a token's header is asked about");
    assert.equal(door(head({ origin, "access-control-request-method": "POST" }, "OPTIONS")), "204");
  }
});

test("origins: they are judged by what authenticates now", () => {
  let isSecretPublished = false;
  const door = doorWith({
    authentication: {
      enabled: true,
      get isSecretPublished() {
        return isSecretPublished;
      },
    },
  });
  assert.equal(door(head({ host: "ledger.example.com" })), "served");
  isSecretPublished = true;
  assert.equal(door(head({ host: "ledger.example.com" })), "HOST_NOT_ALLOWED");
});

test("origins: no operation changes anything by GET, which pages can have done without being asked", () => {
  const changing = Object.values<AnyOperation>(ledgerOperations).filter(
    ({ route, summary }) =>
      route.startsWith("GET ") && /^(Creates|Removes|Changes|Grants|Revokes|Submits|Vets|Moves|Adds|Checks, stores)\b/.test(summary),
  );
  assert.deepEqual(
    changing.map(({ route }) => route),
    [],
  );
});
