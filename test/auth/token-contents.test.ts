/**
 * What a token may say, after the recorded rules of the reference (golden auth-rules, "Token contents"); stricter where the name says so.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { authenticationWith, outcomeOf } from "./directory.js";
import { good, hs256, nowSeconds, participantId, type Payload } from "./tokens.js";

const audience = "https://daml.com/jwt/aud/participant/";
const without = (name: string): Payload => ({ ...good("alice"), [name]: undefined });
const refused = "unauthenticated";

const defaultForm: readonly (readonly [string, Payload, string])[] = [
  ["scope", good("alice"), "alice"],
  ["scope among others", good("alice", { scope: "a daml_ledger_api b" }), "alice"],
  ["scope as a list", good("alice", { scope: ["daml_ledger_api"] }), refused],
  ["scp as a list", { ...without("scope"), scp: ["x", "daml_ledger_api"] }, "alice"],
  ["scp as text", { ...without("scope"), scp: "daml_ledger_api" }, "alice"],
  ["an empty scope hides scp", good("alice", { scope: "", scp: ["daml_ledger_api"] }), refused],
  ["another scope hides scp", good("alice", { scope: "x", scp: ["daml_ledger_api"] }), refused],
  ["scope in other letters", good("alice", { scope: "DAML_LEDGER_API" }), refused],
  ["neither scope nor aud", without("scope"), refused],
  ["scope and this participant", good("alice", { aud: participantId }), "alice"],
  ["scope and this participant in a list", good("alice", { aud: [participantId] }), "alice"],
  ["scope and the participant's bare name", good("alice", { aud: "ledgerline" }), "otherParticipant"],
  ["scope and another participant", good("alice", { aud: "x" }), "otherParticipant"],
  ["scope and two audiences", good("alice", { aud: ["x", participantId] }), refused],
  ["scope and no audience in a list", good("alice", { aud: [] }), "alice"],
  ["prefixed participant", { ...without("scope"), aud: audience + participantId }, "alice"],
  ["prefixed participant, scope is not read", good("alice", { scope: "other", aud: [audience + participantId] }), "alice"],
  ["prefixed participant among others", { ...without("scope"), aud: ["x", audience + participantId] }, "alice"],
  ["prefixed participant with its type", { ...without("scope"), aud: `${audience}PAR::${participantId}` }, "otherParticipant"],
  ["prefix alone", { ...without("scope"), aud: audience }, refused],
  ["two prefixed participants", { ...without("scope"), aud: [audience + participantId, `${audience}x`] }, refused],
  ["aud of the wrong kind", good("alice", { aud: 5 }), refused],
  ["aud with a wrong member", good("alice", { aud: [participantId, null] }), refused],
  ["expired", good("alice", { exp: nowSeconds() - 1 }), refused],
  ["expiring now", good("alice", { exp: nowSeconds() }), refused],
  ["a few seconds left", good("alice", { exp: nowSeconds() + 5 }), "alice"],
  ["nearly the maximum life", good("alice", { exp: nowSeconds() + 299 }), "alice"],
  ["more than the maximum life", good("alice", { exp: nowSeconds() + 302 }), refused],
  ["no exp", without("exp"), refused],
  ["exp null", good("alice", { exp: null }), refused],
  ["exp as text", good("alice", { exp: String(nowSeconds() + 100) }), refused],
  ["exp with a fraction", good("alice", { exp: nowSeconds() + 100.5 }), refused],
  ["exp beyond numbers", good("alice", { exp: 1e300 }), refused],
  ["nbf in the future", good("alice", { nbf: nowSeconds() + 2 }), refused],
  ["nbf in the past", good("alice", { nbf: nowSeconds() - 10 }), "alice"],
  ["nbf null", good("alice", { nbf: null }), "alice"],
  ["nbf as text", good("alice", { nbf: "0" }), refused],
  ["iat in the future", good("alice", { iat: nowSeconds() + 2 }), refused],
  ["iat long ago: life counts from now", good("alice", { iat: nowSeconds() - 100_000 }), "alice"],
  ["iat null", good("alice", { iat: null }), "alice"],
  ["iat of the wrong kind", good("alice", { iat: {} }), refused],
  ["no sub", without("sub"), refused],
  ["sub null", good("alice", { sub: null }), refused],
  ["sub a number", good("alice", { sub: 5 }), refused],
  ["sub a list", good("alice", { sub: ["alice"] }), refused],
  ["sub empty", good(""), "malformedUser"],
  ["sub with a blank", good("no good"), "malformedUser"],
  ["sub too long", good("u".repeat(129)), "malformedUser"],
  ["sub with a line break", good("alice\n"), "malformedUser"],
  ["sub unknown", good("nobody"), "unknownUser"],
  ["sub in other letters", good("Alice"), "unknownUser"],
  ["sub deactivated", good("gone"), "unknownUser"],
  ["sub of an identity provider", good("ida"), "unknownUser"],
  ["iss of an identity provider, signed by the service", good("alice", { iss: "https://idp1.example" }), "alice"],
  ["iss of the wrong kind", good("alice", { iss: 5 }), refused],
  ["further claims", good("alice", { admin: true, roles: ["root"], __proto__x: 1 }), "alice"],
];

test("tokens of the default form", async () => {
  const authentication = await authenticationWith();
  for (const [what, payload, expected] of defaultForm) assert.equal(await outcomeOf(authentication, hs256(payload)), expected, what);
});

test("tokens for a target audience name it, whatever their scope", async () => {
  const target = "https://aud.example/ledger";
  const authentication = await authenticationWith({ services: [{ kind: "secret", secret: "s", targetAudience: target }] });
  const cases: readonly (readonly [string, Payload, string])[] = [
    ["text", { ...without("scope"), aud: target }, "alice"],
    ["list", good("alice", { scope: "x", aud: ["y", target] }), "alice"],
    ["a part of it", good("alice", { aud: target.slice(0, -1) }), refused],
    ["more than it", good("alice", { aud: `${target}/` }), refused],
    ["scope only", good("alice"), refused],
    ["default audience", good("alice", { aud: audience + participantId }), refused],
  ];
  for (const [what, payload, expected] of cases) assert.equal(await outcomeOf(authentication, hs256(payload, "s")), expected, what);
});

test("tokens for a target scope have it, whatever their audience", async () => {
  const authentication = await authenticationWith({ services: [{ kind: "secret", secret: "s", targetScope: "ledger_scope" }] });
  const cases: readonly (readonly [string, Payload, string])[] = [
    ["scope", good("alice", { scope: "ledger_scope" }), "alice"],
    ["scope among others, any audience", good("alice", { scope: "a ledger_scope", aud: ["x", "y"] }), "alice"],
    ["scp", { ...without("scope"), scp: ["ledger_scope"] }, "alice"],
    ["scp with blanks", { ...without("scope"), scp: "a ledger_scope" }, "alice"],
    ["scp with blanks in a list", { ...without("scope"), scp: ["x y", "b ledger_scope"] }, "alice"],
    ["scp that has more", { ...without("scope"), scp: "a ledger_scopes" }, refused],
    ["other letters", good("alice", { scope: "Ledger_Scope" }), refused],
    ["default scope", good("alice"), refused],
  ];
  for (const [what, payload, expected] of cases) assert.equal(await outcomeOf(authentication, hs256(payload, "s")), expected, what);
});

test("headers: the algorithm must be the key's, and a token brings no key and no extensions (stricter than the reference)", async () => {
  const authentication = await authenticationWith();
  const signed = (header: Payload) => outcomeOf(authentication, hs256(good("alice"), undefined, header));
  for (const header of [
    { alg: "HS256" },
    { alg: "HS256", typ: "JWT" },
    { alg: "HS256", typ: "at+jwt" },
    { alg: "HS256", typ: "jwt", kid: "ignored" },
    { alg: "HS256", typ: null, kid: null },
  ])
    assert.equal(await signed(header), "alice", JSON.stringify(header));
  for (const header of [
    {},
    { alg: "none" },
    { alg: "None" },
    { alg: "" },
    { alg: null },
    { alg: ["HS256"] },
    { alg: "HS384" },
    { alg: "RS256" },
    { alg: "hs256" },
    { alg: "dir" },
    { alg: "HS256", typ: "JWE" },
    { alg: "HS256", typ: 5 },
    { alg: "HS256", crit: ["exp"] },
    { alg: "HS256", jwk: {} },
    { alg: "HS256", jku: "https://x" },
    { alg: "HS256", x5u: "https://x" },
    { alg: "HS256", x5c: [] },
    { alg: "HS256", b64: false },
    { alg: "HS256", zip: "DEF" },
    { alg: "HS256", enc: "A128GCM" },
    { alg: "HS256", kid: 5 },
    { alg: "HS256", kid: "k".repeat(257) },
  ])
    assert.equal(await signed(header as Payload), refused, JSON.stringify(header));
});

test("shapes: what is no compact token of two JSON objects is refused before any cryptography", async () => {
  const authentication = await authenticationWith();
  const token = hs256(good("alice"));
  const [header, payload, signature] = token.split(".") as [string, string, string];
  const shapes: readonly string[] = [
    "",
    ".",
    "..",
    "...",
    "x",
    "not.a.token",
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `.${payload}.${signature}`,
    `${token}.`,
    `${token}.${token}`,
    `${token},${token}`,
    ` ${token}`,
    `${token}\n`,
    `"${token}"`,
    `${token}=`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}==.${signature}`,
    token.replaceAll("-", "+").replaceAll("_", "/") + "+",
    `${header}.${payload}.${signature}A`,
    hs256("[]"),
    hs256("5"),
    hs256("null"),
    hs256('"alice"'),
    hs256(""),
    hs256("{"),
    hs256(good("alice"), undefined, "[]"),
    hs256(`{"sub":"nobody","sub":"alice","scope":"daml_ledger_api","exp":${nowSeconds() + 100}}`),
    hs256(`{"sub":"alice","scope":"daml_ledger_api","exp":${nowSeconds() + 100},"x":{"a":1,"\\u0061":2}}`),
    hs256(good("alice"), undefined, '{"alg":"none","alg":"HS256"}'),
    hs256(good("alice", { padding: "x".repeat(9_000) })),
  ];
  for (const shape of shapes) assert.equal(await outcomeOf(authentication, shape), refused, shape.slice(0, 80));
  assert.equal(await outcomeOf(authentication, undefined), refused);
  assert.equal(await outcomeOf(authentication, token), "alice");
});

test("life: what was verified once is still held against the clock", async () => {
  let nowMs = Date.now();
  const authentication = await authenticationWith({ nowMs: () => nowMs });
  const token = hs256(good("alice", { exp: Math.floor(nowMs / 1_000) + 100 }));
  assert.equal(await outcomeOf(authentication, token), "alice");
  nowMs += 99_000;
  assert.equal(await outcomeOf(authentication, token), "alice");
  nowMs += 2_000;
  assert.equal(await outcomeOf(authentication, token), refused);
});

test("life: leeway and an unlimited life are for those who configure them", async () => {
  const lenient = await authenticationWith({ rules: { lifeMaxSeconds: Infinity, leewaySeconds: 10 } });
  for (const payload of [
    without("exp"),
    good("alice", { exp: nowSeconds() + 1e6 }),
    good("alice", { exp: nowSeconds() - 5 }),
    good("alice", { nbf: nowSeconds() + 5 }),
  ])
    assert.equal(await outcomeOf(lenient, hs256(payload)), "alice");
  for (const payload of [good("alice", { exp: nowSeconds() - 11 }), good("alice", { nbf: nowSeconds() + 15 })])
    assert.equal(await outcomeOf(lenient, hs256(payload)), refused);
});

test("services: asked in order, each for the scope that its tokens must have", async () => {
  const authentication = await authenticationWith({
    services: [
      { kind: "secret", secret: "one", targetScope: "ledger" },
      { kind: "secret", secret: "two", targetScope: "operations" },
    ],
  });
  assert.equal(await outcomeOf(authentication, hs256(good("alice", { scope: "ledger" }), "one")), "alice");
  assert.equal(await outcomeOf(authentication, hs256(good("alice", { scope: "ledger" }), "two")), refused);
  assert.equal(await outcomeOf(authentication, hs256(good("alice", { scope: "operations" }), "two")), "alice");
});
