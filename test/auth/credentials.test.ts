import assert from "node:assert/strict";
import { test } from "node:test";
import { credentialsOf, parseServiceOption } from "../../src/auth/index.js";

const tokenOf = (headers: Readonly<Record<string, string>>): string | undefined => credentialsOf(new Map(Object.entries(headers))).token;

test("Authorization: every spelling of the scheme that the reference takes", () => {
  for (const value of ["Bearer T", "bearer T", "BEARER T", "Bearer  T", "Bearer\tT", "  Bearer T", "Bearer T  "])
    assert.equal(tokenOf({ authorization: value }), "T", value);
});

test("Authorization: other schemes bring no token, a scheme without one brings a bad one", () => {
  for (const value of ["T", "", "Basic dTpw", "Token T", "xBearer T"]) assert.equal(tokenOf({ authorization: value }), undefined, value);
  for (const value of ["Bearer", "Bearer "]) assert.equal(tokenOf({ authorization: value }), "", value);
});

test("Authorization: two tokens are none that anybody signed; beside another scheme one counts", () => {
  assert.equal(tokenOf({ authorization: "Bearer T, Bearer T" }), "T,T");
  assert.equal(tokenOf({ authorization: "Basic dTpw, Bearer T" }), "T");
});

test("Sec-WebSocket-Protocol: the token may stand anywhere among the protocols", () => {
  for (const value of [
    "jwt.token.T",
    "jwt.token.T,daml.ws.auth",
    "jwt.token.T, daml.ws.auth",
    "daml.ws.auth,jwt.token.T",
    "daml.ws.auth , jwt.token.T",
    "jwt.token.T,jwt.token.U",
  ])
    assert.equal(tokenOf({ "sec-websocket-protocol": value }), "T", value);
  for (const value of ["", "daml.ws.auth", "T", "JWT.TOKEN.T", "jwt.token."])
    assert.equal(tokenOf({ "sec-websocket-protocol": value }), undefined, value);
});

test("Authorization wins over the protocol, also when it is bad; another scheme does not", () => {
  assert.equal(tokenOf({ authorization: "Bearer A", "sec-websocket-protocol": "jwt.token.T" }), "A");
  assert.equal(tokenOf({ authorization: "Bearer", "sec-websocket-protocol": "jwt.token.T" }), "");
  assert.equal(tokenOf({ authorization: "Basic dTpw", "sec-websocket-protocol": "jwt.token.T" }), "T");
});

test("--auth: the forms that it takes", () => {
  assert.equal(parseServiceOption("none").ok, undefined);
  assert.deepEqual(parseServiceOption("hs256:a:b").ok, { kind: "secret", secret: "a:b" });
  assert.deepEqual(parseServiceOption("es512:/x/y.crt").ok, { kind: "certificate", algorithm: "ES512", file: "/x/y.crt" });
  assert.deepEqual(parseServiceOption("jwks:https://x/y").ok, { kind: "keySet", url: "https://x/y" });
  for (const text of ["", "hs256", "hs256:", "hs512:x", "jwks:nope", "basic:x"])
    assert.notEqual(parseServiceOption(text).error, undefined, text);
});
