import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { importPKCS8, SignJWT } from "jose";

import { isPublicAddress, requestKeySet } from "../../src/auth/key-set-request.js";
import { testData } from "../support/paths.js";
import { authenticationWith, outcomeOf, TestDirectory } from "./directory.js";
import { good, hs256, keyHolder } from "./tokens.js";

const issued = (subject: string) => good(subject, { iss: "https://idp1.example" });

test("identity providers: their tokens speak for their users only", async () => {
  const keys = await keyHolder("RS256", "k1");
  const directory = new TestDirectory();
  const authentication = await authenticationWith({ directory, requestKeySet: () => Promise.resolve(keys.keySet) });
  assert.equal(await outcomeOf(authentication, await keys.sign(issued("ida"))), "ida");
  assert.equal(await outcomeOf(authentication, await keys.sign(issued("ida"), {})), "ida", "a key id is not needed");
  assert.equal(await outcomeOf(authentication, await keys.sign(issued("alice"))), "unknownUser");
  assert.equal(await outcomeOf(authentication, await keys.sign(good("ida"))), "unauthenticated");
  assert.equal(await outcomeOf(authentication, await keys.sign(good("ida", { iss: "https://other.example" }))), "unauthenticated");
  assert.equal(await outcomeOf(authentication, await (await keyHolder("RS256", "k1")).sign(issued("ida"))), "unauthenticated");
});

test("identity providers: deactivation and a changed audience count at once", async () => {
  const keys = await keyHolder("ES512", "k1");
  const directory = new TestDirectory();
  const authentication = await authenticationWith({ directory, requestKeySet: () => Promise.resolve(keys.keySet) });
  const issuer = "https://idp1.example",
    provider = directory.providers.get(issuer)!;
  const plain = await keys.sign(issued("ida")),
    aimed = await keys.sign({ ...issued("ida"), scope: undefined, aud: "aud1" });
  assert.deepEqual([await outcomeOf(authentication, plain), await outcomeOf(authentication, aimed)], ["ida", "unauthenticated"]);
  directory.providers.set(issuer, { ...provider, audience: "aud1" });
  assert.deepEqual([await outcomeOf(authentication, plain), await outcomeOf(authentication, aimed)], ["unauthenticated", "ida"]);
  directory.providers.set(issuer, { ...provider, isDeactivated: true });
  assert.deepEqual(
    [await outcomeOf(authentication, plain), await outcomeOf(authentication, aimed)],
    ["unauthenticated", "unauthenticated"],
  );
});

test("key confusion: a public key does not pass for a shared secret", async () => {
  const keys = await keyHolder("RS256", "k1");
  const authentication = await authenticationWith({ requestKeySet: () => Promise.resolve(keys.keySet) });
  for (const key of [keys.keySet, JSON.stringify((JSON.parse(keys.keySet) as { keys: unknown[] }).keys[0])]) {
    assert.equal(await outcomeOf(authentication, hs256(issued("ida"), key, { alg: "HS256", kid: "k1" })), "unauthenticated");
    assert.equal(await outcomeOf(authentication, hs256(issued("ida"), key, { alg: "RS256", kid: "k1" })), "unauthenticated");
  }
  const oct = JSON.stringify({ keys: [{ kty: "oct", k: Buffer.from("s").toString("base64url"), kid: "k1", alg: "HS256" }] });
  const lax = await authenticationWith({ requestKeySet: () => Promise.resolve(oct) });
  assert.equal(
    await outcomeOf(lax, hs256(issued("ida"), "s", { alg: "HS256", kid: "k1" })),
    "unauthenticated",
    "a set cannot bring in shared secrets",
  );
});

test("a configured key set wants a key id, and its tokens are of the default provider", async () => {
  const keys = await keyHolder("RS256", "k1");
  const authentication = await authenticationWith({
    services: [{ kind: "keySet", url: "https://keys.example" }],
    requestKeySet: () => Promise.resolve(keys.keySet),
  });
  assert.equal(await outcomeOf(authentication, await keys.sign(good("alice"))), "alice");
  assert.equal(await outcomeOf(authentication, await keys.sign(good("alice"), {})), "unauthenticated");
  assert.equal(await outcomeOf(authentication, await keys.sign(good("ida"))), "unknownUser");
});

test("unreachable and broken key sets deny, and are not asked at a caller's pace", async () => {
  let nowMs = 1_700_000_000_000,
    asked = 0,
    answer: () => Promise<string> = () => Promise.reject(new Error("unreachable"));
  const keys = await keyHolder("ES256", "k1");
  const authentication = await authenticationWith({
    nowMs: () => nowMs,
    elapsedMs: () => nowMs,
    requestKeySet: () => {
      asked++;
      return answer();
    },
  });
  const token = (keyId = "k1") =>
    keys.sign({ sub: "ida", scope: "daml_ledger_api", iss: "https://idp1.example", exp: Math.floor(nowMs / 1_000) + 100 }, { kid: keyId });
  for (let i = 0; i < 20; i++) assert.equal(await outcomeOf(authentication, await token()), "unauthenticated");
  assert.equal(asked, 1);
  for (const broken of ["", "[]", "{}", '{"keys":5}', '{"keys":[{}]}']) {
    nowMs += 10_001;
    answer = () => Promise.resolve(broken);
    assert.equal(await outcomeOf(authentication, await token()), "unauthenticated", broken);
  }
  nowMs += 10_001;
  answer = () => Promise.resolve(keys.keySet);
  assert.equal(await outcomeOf(authentication, await token()), "ida");
  const before = asked;
  nowMs += 10_001;
  for (let i = 0; i < 50; i++) assert.equal(await outcomeOf(authentication, await token(`random-${i}`)), "unauthenticated");
  assert.equal(asked - before, 1, "unknown key ids cost one fetch in ten seconds");
});

/** An authentication whose identity provider can be made to answer otherwise, and whose two clocks stand until they are moved. */
async function ageing() {
  const [old, fresh] = [await keyHolder("ES256", "old"), await keyHolder("ES256", "fresh")];
  const clocks = { nowMs: 1_700_000_000_000, elapsedMs: 0 };
  const provider = { asked: 0, answer: (): Promise<string> => Promise.resolve(old.keySet) };
  const authentication = await authenticationWith({
    nowMs: () => clocks.nowMs,
    elapsedMs: () => clocks.elapsedMs,
    requestKeySet: () => {
      provider.asked++;
      return provider.answer();
    },
  });
  const by = async (keys: typeof old): Promise<string> => {
    const exp = Math.floor(clocks.nowMs / 1_000) + 100;
    return outcomeOf(authentication, await keys.sign({ sub: "ida", scope: "daml_ledger_api", iss: "https://idp1.example", exp }));
  };
  const pass = (ms: number): void => {
    clocks.nowMs += ms;
    clocks.elapsedMs += ms;
  };
  assert.equal(await by(old), "ida");
  return { old, fresh, clocks, provider, by, pass };
}

const unreachable = (): Promise<string> => Promise.reject(new Error("unreachable"));
const minuteMs = 60_000;

test("a rotated key is found after one further fetch", async () => {
  const { old, fresh, provider, by, pass } = await ageing();
  provider.answer = () => Promise.resolve(fresh.keySet);
  pass(10_001);
  assert.equal(await by(fresh), "ida");
  assert.equal(await by(old), "unauthenticated");
});

test("key sets: one that ages is fetched beside its use, and nobody waits for it", async () => {
  const { old, provider, by, pass } = await ageing();
  pass(5 * minuteMs);
  assert.deepEqual([await by(old), provider.asked], ["ida", 1]);
  const answers: ((keySet: string) => void)[] = [];
  provider.answer = () => new Promise((resolve) => answers.push(resolve));
  pass(1);
  for (let i = 0; i < 5; i++) assert.deepEqual([await by(old), provider.asked], ["ida", 2]);
  answers[0]!(old.keySet);
  await new Promise(setImmediate);
  pass(5 * minuteMs);
  assert.deepEqual([await by(old), provider.asked], ["ida", 2], "it is as fresh as its last answer");
});

test("key sets: a failed answer locks nobody out, whatever the set's age was; half an hour of them does", async () => {
  const { old, provider, by, pass } = await ageing();
  provider.answer = unreachable;
  for (const minutes of [5, 5, 1, 18]) {
    pass(minutes * minuteMs + 1);
    for (let tries = 0; tries < 3; tries++) assert.equal(await by(old), "ida");
  }
  assert.equal(provider.asked, 5, "once for each of them");
  pass(minuteMs);
  assert.equal(await by(old), "unauthenticated");
  provider.answer = () => Promise.resolve(old.keySet);
  pass(10_000);
  assert.equal(await by(old), "ida");
});

test("key sets: a key that was withdrawn ends with the next answer, which a set of ten minutes waits for", async () => {
  for (const [minutes, outcomes] of [
    [5, ["ida", "unauthenticated"]],
    [10, ["unauthenticated", "unauthenticated"]],
  ] as const) {
    const { old, fresh, provider, by, pass } = await ageing();
    provider.answer = () => Promise.resolve(fresh.keySet);
    pass(minutes * minuteMs + 1);
    assert.deepEqual([await by(old), await by(old)], outcomes);
    assert.equal(provider.asked, 2);
  }
});

test("key sets: a clock that is set makes none older or younger", async () => {
  const { old, fresh, clocks, provider, by, pass } = await ageing();
  clocks.nowMs += 3 * 60 * minuteMs;
  provider.answer = unreachable;
  assert.deepEqual([await by(old), provider.asked], ["ida", 1]);
  clocks.nowMs -= 6 * 60 * minuteMs;
  provider.answer = () => Promise.resolve(fresh.keySet);
  pass(10_001);
  assert.deepEqual([await by(fresh), await by(old)], ["ida", "unauthenticated"], "a key that is not known yet is looked for");
  provider.answer = unreachable;
  pass(30 * minuteMs + 1);
  assert.equal(await by(fresh), "unauthenticated", "and an old set is no set");
});

test("certificates: each algorithm's key verifies its own tokens only", async () => {
  for (const algorithm of ["RS256", "ES256", "ES512"] as const) {
    const file = (ending: string): string => readFileSync(testData("auth", `${algorithm.toLowerCase()}.${ending}`), "utf8");
    const authentication = await authenticationWith({ services: [{ kind: "certificate", algorithm, pem: file("crt"), file: "a" }] });
    const own = await new SignJWT(good("alice")).setProtectedHeader({ alg: algorithm }).sign(await importPKCS8(file("key"), algorithm));
    assert.equal(await outcomeOf(authentication, own), "alice", algorithm);
    assert.equal(
      await outcomeOf(authentication, await (await keyHolder(algorithm, "k")).sign(good("alice"))),
      "unauthenticated",
      algorithm,
    );
    assert.equal(await outcomeOf(authentication, hs256(good("alice"), file("crt"))), "unauthenticated", algorithm);
    assert.equal(await outcomeOf(authentication, hs256(good("alice"), file("crt"), { alg: algorithm })), "unauthenticated", algorithm);
  }
});

test("configuration: a certificate that is none and an empty secret are refused at the start", async () => {
  await assert.rejects(authenticationWith({ services: [{ kind: "certificate", algorithm: "ES256", pem: "nonsense", file: "a" }] }));
  await assert.rejects(
    authenticationWith({
      services: [{ kind: "certificate", algorithm: "ES256", pem: readFileSync(testData("auth", "rs256.crt"), "utf8"), file: "a" }],
    }),
  );
  await assert.rejects(authenticationWith({ services: [{ kind: "secret", secret: "" }] }));
});

test("addresses: private, loopback, link-local and mapped ones are not public", () => {
  for (const address of ["8.8.8.8", "172.15.0.1", "172.32.0.1", "192.0.1.1", "2606:4700::1111", "100.63.0.1"])
    assert.ok(isPublicAddress(address), address);
  for (const address of [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "nonsense",
  ])
    assert.ok(!isPublicAddress(address), address);
});

test("key set requests: what only this machine can reach is not reached for others", async () => {
  for (const url of [
    "http://example.org/jwks",
    "https://127.0.0.1/jwks",
    "https://[::1]/jwks",
    "https://169.254.169.254/latest",
    "https://localhost/jwks",
    "ftp://example.org/x",
    "file:///etc/passwd",
    "https://[::ffff:127.0.0.1]/",
  ]) {
    await assert.rejects(requestKeySet(url, { allowPrivateNetwork: false }), url);
  }
});

test("key set requests: no redirects, no large bodies, no errors as keys", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/ok") return void response.end('{"keys":[]}');
    if (request.url === "/moved") return void response.writeHead(302, { location: "/ok" }).end();
    if (request.url === "/large") return void response.end("x".repeat(70_000));
    response.writeHead(500).end("{}");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const at = (path: string) =>
    requestKeySet(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { allowPrivateNetwork: true });
  assert.equal(await at("/ok"), '{"keys":[]}');
  for (const path of ["/moved", "/large", "/broken"]) await assert.rejects(at(path), path);
  server.close();
});
