import assert from "node:assert/strict";
import { test } from "node:test";
import type { IdentityProviderRecord } from "../../src/ledger/admin/index.js";
import { codeOf, createUser, okOf, withProvider, world } from "./world.js";

const config = (id: string, fields: Partial<IdentityProviderRecord> = {}): IdentityProviderRecord => ({
  identityProviderId: id,
  isDeactivated: false,
  issuer: `https://${id}.example`,
  jwksUrl: "https://keys.example/jwks",
  audience: "aud",
  ...fields,
});

test("identity providers: created ones can be read and are listed by id", async () => {
  const { administration } = await world();
  assert.deepEqual(administration.listIdentityProviders(), []);
  okOf(await administration.createIdentityProvider(config("b")));
  const created = okOf(await administration.createIdentityProvider(config("a id", { audience: "" })));
  assert.deepEqual(okOf(administration.getIdentityProvider("a id")), created);
  assert.deepEqual(
    administration.listIdentityProviders().map(({ identityProviderId }) => identityProviderId),
    ["a id", "b"],
  );
});

test("identity providers: refused creations leave nothing behind", async () => {
  const { administration } = await world();
  const cases: readonly (readonly [IdentityProviderRecord | undefined, string])[] = [
    [undefined, "MISSING_FIELD"],
    [config(""), "MISSING_FIELD"],
    [config("a", { issuer: "" }), "MISSING_FIELD"],
    [config("a", { jwksUrl: "" }), "MISSING_FIELD"],
    [config("a", { jwksUrl: "not a url" }), "INVALID_FIELD"],
    [config("a", { jwksUrl: "file:///etc/passwd" }), "INVALID_FIELD"],
    ...["{tenant}/jwks", "a|b", "%zz", 'a"b', "a b"].map(
      (path) => [config("a", { jwksUrl: `http://x/${path}` }), "INVALID_FIELD"] as const,
    ),
    [config("a".repeat(256)), "INVALID_FIELD"],
    [config("a\0b"), "INVALID_FIELD"],
  ];
  for (const [given, code] of cases) assert.equal(codeOf(await administration.createIdentityProvider(given)), code, JSON.stringify(given));
  assert.deepEqual(administration.listIdentityProviders(), []);
});

test("identity providers: id and issuer are taken once, also when both ask in the same turn", async () => {
  const { administration } = await world();
  okOf(await administration.createIdentityProvider(config("a")));
  assert.equal(codeOf(await administration.createIdentityProvider(config("a", { issuer: "https://other" }))), "IDP_CONFIG_ALREADY_EXISTS");
  assert.equal(
    codeOf(await administration.createIdentityProvider(config("b", { issuer: "https://a.example" }))),
    "IDP_CONFIG_ISSUER_ALREADY_EXISTS",
  );
  const both = await Promise.all(["c", "d"].map((id) => administration.createIdentityProvider(config(id, { issuer: "https://same" }))));
  assert.deepEqual(both.map(codeOf), ["ok", "IDP_CONFIG_ISSUER_ALREADY_EXISTS"]);
});

test("identity providers: there can be 16, and a deleted one makes room", async () => {
  const { administration } = await world();
  const codes = (await Promise.all(Array.from({ length: 17 }, (_, i) => administration.createIdentityProvider(config(`p${i}`))))).map(
    codeOf,
  );
  assert.deepEqual([codes.filter((code) => code === "ok").length, codes.at(-1)], [16, "TOO_MANY_IDENTITY_PROVIDER_CONFIGS"]);
  okOf(await administration.deleteIdentityProvider("p3"));
  okOf(await administration.createIdentityProvider(config("p16")));
});

test("identity providers: an update changes what its mask names", async () => {
  const { administration } = await world();
  okOf(await administration.createIdentityProvider(config("a")));
  const update = (fields: Partial<IdentityProviderRecord>, mask: readonly string[] | undefined, id = "a") =>
    administration.updateIdentityProvider({ config: config(id, fields), mask });
  assert.deepEqual(
    okOf(await update({ isDeactivated: true, issuer: "https://new", audience: "new" }, ["is_deactivated", "audience"])),
    config("a", { isDeactivated: true, audience: "new" }),
  );
  assert.deepEqual(
    okOf(await update({ issuer: "https://new", jwksUrl: "https://new/jwks" }, ["issuer", "jwks_url"])),
    config("a", { isDeactivated: true, audience: "new", issuer: "https://new", jwksUrl: "https://new/jwks" }),
  );
  assert.equal(
    okOf(await update({ issuer: "", audience: "" }, ["issuer", "audience"])).issuer,
    "https://new",
    "an empty issuer is no change",
  );
  assert.equal(okOf(administration.getIdentityProvider("a")).audience, "");
});

test("identity providers: refused updates leave the provider as it was", async () => {
  const { administration } = await world();
  okOf(await administration.createIdentityProvider(config("a")));
  okOf(await administration.createIdentityProvider(config("b")));
  const update = (fields: Partial<IdentityProviderRecord>, mask: readonly string[] | undefined, id = "a") =>
    administration.updateIdentityProvider({ config: config(id, fields), mask });
  assert.equal(codeOf(await update({}, undefined)), "MISSING_FIELD");
  assert.equal(codeOf(await update({}, [])), "INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST");
  assert.equal(codeOf(await update({}, ["isDeactivated"])), "INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST");
  assert.equal(codeOf(await update({}, ["issuer", "issuer"])), "INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST");
  assert.equal(codeOf(await update({ jwksUrl: "nope" }, ["jwks_url"])), "INVALID_FIELD");
  assert.equal(codeOf(await update({ issuer: "https://b.example" }, ["issuer"])), "IDP_CONFIG_ISSUER_ALREADY_EXISTS");
  assert.equal(codeOf(await update({}, ["issuer"], "nope")), "IDP_CONFIG_NOT_FOUND");
  assert.equal(codeOf(await administration.updateIdentityProvider({ config: undefined, mask: ["issuer"] })), "MISSING_FIELD");
  assert.deepEqual(okOf(administration.getIdentityProvider("a")), config("a"));
});

test("identity providers: one with users or parties cannot be deleted; others are gone at once", async () => {
  const { administration, parties } = await world();
  await withProvider(administration, "idp1");
  okOf(await createUser(administration, "u", { identityProviderId: "idp1" }));
  assert.equal(codeOf(await administration.deleteIdentityProvider("idp1")), "INVALID_ARGUMENT");
  okOf(await administration.moveUser({ userId: "u", source: "idp1", target: "" }));
  await parties.allocate({ hint: "p", annotations: {}, identityProviderId: "idp1", synchronizerId: "", userId: "" });
  assert.equal(codeOf(await administration.deleteIdentityProvider("idp1")), "INVALID_ARGUMENT");
  parties.known.clear();
  okOf(await administration.deleteIdentityProvider("idp1"));
  assert.equal(codeOf(await administration.deleteIdentityProvider("idp1")), "IDP_CONFIG_NOT_FOUND");
  assert.equal(codeOf(administration.getIdentityProvider("idp1")), "IDP_CONFIG_NOT_FOUND");
});

test("identity providers: authentication finds them by issuer as they are now", async () => {
  const { administration } = await world();
  const found = (issuer: string) => administration.findIdentityProviderByIssuer(issuer);
  assert.equal(found("https://a.example"), undefined);
  okOf(await administration.createIdentityProvider(config("a")));
  assert.equal(found("https://a.example")?.audience, "aud");
  okOf(
    await administration.updateIdentityProvider({
      config: config("a", { issuer: "https://moved", audience: "x" }),
      mask: ["issuer", "audience"],
    }),
  );
  assert.equal(found("https://a.example"), undefined);
  assert.equal(found("https://moved")?.audience, "x");
  const isActive = (): boolean => administration.isIdentityProviderActive("a");
  assert.deepEqual(
    [isActive(), administration.isIdentityProviderActive("b"), administration.isIdentityProviderActive("")],
    [true, false, true],
  );
  for (const isDeactivated of [true, false]) {
    okOf(await administration.updateIdentityProvider({ config: config("a", { isDeactivated }), mask: ["is_deactivated"] }));
    assert.equal(isActive(), !isDeactivated);
  }
  okOf(await administration.deleteIdentityProvider("a"));
  assert.deepEqual([found("https://moved"), isActive()], [undefined, false]);
});
