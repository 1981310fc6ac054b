/** The life of users, their rights and identity providers (after the user and provider suites of the Ledger API's own test tool). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { limits } from "../../src/config.js";
import { AdministeredNode, mask, right } from "./administration-world.js";
import type { Json } from "./world.js";

let node: AdministeredNode;
before(async () => {
  node = await AdministeredNode.start();
});
after(() => node.stop());

const encode = encodeURIComponent;
const get = async (id: string, provider = ""): Promise<Json> =>
  (await node.ask("GET", `/v2/users/${id}?identity-provider-id=${provider}`)).user;
const grant = (userId: string, ...rights: readonly Json[]): Promise<Json> =>
  node.ask("POST", `/v2/users/${userId}/rights`, { userId, rights });
const revoke = (userId: string, ...rights: readonly Json[]): Promise<Json> =>
  node.ask("PATCH", `/v2/users/${userId}/rights`, { userId, rights });
const move = (userId: string, source: string, target: string): readonly [string, string, Json] => [
  "PATCH",
  `/v2/users/${userId}/identity-provider-id`,
  { userId, sourceIdentityProviderId: source, targetIdentityProviderId: target },
];
const update = (id: string, fields: Json, ...paths: readonly string[]): readonly [string, string, Json] => [
  "PATCH",
  `/v2/users/${encode(id)}`,
  { user: { id, ...fields }, updateMask: mask(...paths) },
];
const list = async (pageSize: number, token = ""): Promise<{ ids: string[]; next: string }> => {
  const { users, nextPageToken } = await node.ask("GET", `/v2/users?pageSize=${pageSize}&pageToken=${encode(token)}`);
  return { ids: users.map(({ id }: Json) => id), next: nextPageToken };
};
/** How often each outcome came. */
function tally(outcomes: readonly string[]): Json {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
const atOnce = 8;
const together = (request: () => readonly [string, string, Json?]): Promise<string[]> =>
  Promise.all(Array.from({ length: atOnce }, () => node.refusal(...request())));

test("users: the ledger begins with an admin", async () => {
  assert.equal((await get("participant_admin")).isDeactivated, false);
  assert.deepEqual(await node.rightsOf("participant_admin"), [right("ParticipantAdmin")]);
});

test("users: created with everything, a user reads so; the same again is refused", async () => {
  const { party } = await node.party(),
    fields = {
      primaryParty: party,
      isDeactivated: true,
      primaryPartyAuthentication: false,
      metadata: { resourceVersion: "", annotations: { k: "v" } },
    };
  const user = await node.user(fields, [right("CanActAs", party), right("CanReadAs", party), right("ParticipantAdmin")]);
  assert.deepEqual(user, { id: user.id, ...fields, identityProviderId: "", metadata: { resourceVersion: "0", annotations: { k: "v" } } });
  assert.deepEqual(await get(user.id), user);
  assert.equal((await node.rightsOf(user.id)).length, 3);
  assert.equal(await node.refusal("POST", "/v2/users", { user: { id: user.id }, rights: [] }), "409 USER_ALREADY_EXISTS");
});

test("users: authentication by the primary party can be set at creation and afterwards", async () => {
  const { id, primaryPartyAuthentication } = await node.user({ primaryPartyAuthentication: true });
  assert.equal(primaryPartyAuthentication, true);
  assert.equal((await node.ask(...update(id, {}, "primary_party_authentication"))).user.primaryPartyAuthentication, false);
  assert.equal(
    (await node.ask(...update(id, { primaryPartyAuthentication: true }, "primary_party_authentication"))).user.primaryPartyAuthentication,
    true,
  );
});

test("users: arguments that cannot be are refused by field", async () => {
  const create = (user: Json, rights: readonly Json[] = []): Promise<string> => node.refusal("POST", "/v2/users", { user, rights });
  assert.equal(await create({ id: "" }), "400 MISSING_FIELD");
  assert.equal(await create({ id: "?" }), "400 INVALID_FIELD");
  assert.equal(await create({ id: node.fresh("u"), primaryParty: "party2-!!" }), "400 INVALID_ARGUMENT");
  assert.equal(await create({ id: node.fresh("u") }, [right("CanActAs", "party3-!!")]), "400 INVALID_ARGUMENT");
  assert.equal(await create({ id: node.fresh("u"), metadata: { resourceVersion: "1", annotations: {} } }), "400 INVALID_ARGUMENT");
  assert.equal(await node.refusal("GET", "/v2/users/%3F"), "400 INVALID_ARGUMENT");
  assert.equal(await node.refusal("GET", "/v2/users/nobody"), "404 USER_NOT_FOUND");
});

test("users: a deleted one is gone, with its rights, and may come again with none", async () => {
  const { id } = await node.user({}, [right("ParticipantAdmin")]);
  await node.ask("DELETE", `/v2/users/${id}`);
  for (const [method, path] of [
    ["GET", `/v2/users/${id}`],
    ["GET", `/v2/users/${id}/rights`],
    ["DELETE", `/v2/users/${id}`],
  ] as const)
    assert.equal(await node.refusal(method, path), "404 USER_NOT_FOUND");
  await node.user({ id });
  assert.deepEqual(await node.rightsOf(id), []);
});

test("races: of creations of one user one wins, of deletions one", async () => {
  const id = node.fresh("raced");
  assert.deepEqual(tally(await together(() => ["POST", "/v2/users", { user: { id }, rights: [] }])), {
    "200": 1,
    "409 USER_ALREADY_EXISTS": atOnce - 1,
  });
  assert.deepEqual(tally(await together(() => ["DELETE", `/v2/users/${id}`])), { "200": 1, "404 USER_NOT_FOUND": atOnce - 1 });
});

test("races: the same rights granted and revoked many times at once are there once, and gone once", async () => {
  const { id } = await node.user(),
    { party } = await node.party(),
    rights = [right("CanActAs", party), right("CanReadAs", party), right("ParticipantAdmin")];
  const granted = await Promise.all(Array.from({ length: atOnce }, () => grant(id, ...rights)));
  assert.equal(granted.flatMap(({ newlyGrantedRights }) => newlyGrantedRights).length, rights.length);
  assert.equal((await node.rightsOf(id)).length, rights.length);
  const revoked = await Promise.all(Array.from({ length: atOnce }, () => revoke(id, ...rights)));
  assert.equal(revoked.flatMap(({ newlyRevokedRights }) => newlyRevokedRights).length, rights.length);
  assert.deepEqual(await node.rightsOf(id), []);
});

test("rights: granting tells what is new, revoking what was there, nothing is both, and unknown users have none", async () => {
  const { id } = await node.user(),
    { party } = await node.party(),
    [act, read] = [right("CanActAs", party), right("CanReadAs", party)];
  assert.deepEqual((await grant(id, act, act)).newlyGrantedRights, [act]);
  assert.deepEqual((await grant(id, act, read)).newlyGrantedRights, [read]);
  assert.deepEqual((await revoke(id, act, right("ParticipantAdmin"))).newlyRevokedRights, [act]);
  assert.deepEqual([(await grant(id)).newlyGrantedRights, (await revoke(id)).newlyRevokedRights], [[], []]);
  assert.deepEqual(await node.rightsOf(id), [read]);
  assert.equal(
    await node.refusal("POST", `/v2/users/${id}/rights`, { userId: id, rights: [{ kind: { Empty: {} } }] }),
    "400 INVALID_ARGUMENT",
  );
  for (const method of ["POST", "PATCH"])
    assert.equal(await node.refusal(method, "/v2/users/nobody/rights", { userId: "nobody", rights: [act] }), "404 USER_NOT_FOUND");
});

test("rights: a user has as many as the version tells, and a grant beyond grants nothing", async () => {
  const { maxRightsPerUser } = (await node.ask("GET", "/v2/version")).features.userManagement;
  const many = Array.from({ length: maxRightsPerUser }, (_, index) => right("CanActAs", `p${index}`)),
    { id } = await node.user({}, many);
  assert.equal(
    await node.refusal("POST", `/v2/users/${id}/rights`, { userId: id, rights: [right("CanReadAs", "one-more")] }),
    "400 TOO_MANY_USER_RIGHTS",
  );
  assert.equal((await node.rightsOf(id)).length, maxRightsPerUser);
  assert.equal(
    await node.refusal("POST", "/v2/users", { user: { id: node.fresh("u") }, rights: [...many, right("ParticipantAdmin")] }),
    "400 TOO_MANY_USER_RIGHTS",
  );
});

test("pages: a user is on its page once created and gone once deleted, and later pages stay", async () => {
  const { ids: first, next } = await list(2),
    { ids: second } = await list(2, next);
  const id = `${first[0]!}-a`; // right behind the first one
  await node.user({ id });
  assert.ok((await list(2)).ids.includes(id));
  assert.deepEqual((await list(2, next)).ids, second);
  await node.ask("DELETE", `/v2/users/${id}`);
  assert.deepEqual((await list(2)).ids, first);
});

test("pages: the list ends, with every user once; what is no page is refused; too large a page is the largest", async () => {
  const { ids: all } = await list(0),
    seen: string[] = [];
  for (let token = "", begun = false; !begun || token !== ""; begun = true) {
    const page = await list(3, token);
    seen.push(...page.ids);
    token = page.next;
  }
  assert.deepEqual(seen, all);
  assert.deepEqual((await list(limits.usersPageElementsMax + 1)).ids, all);
  assert.equal(await node.refusal("GET", "/v2/users?pageSize=-1"), "400 INVALID_ARGUMENT");
  assert.equal(await node.refusal("GET", "/v2/users?pageToken=UnknownToken"), "400 INVALID_ARGUMENT");
});

test("user updates: every field that its mask names, and none beside", async () => {
  const { party } = await node.party(),
    { id } = await node.user({ metadata: { resourceVersion: "", annotations: { k: "v" } } });
  const everything = { primaryParty: party, isDeactivated: true, metadata: { resourceVersion: "", annotations: { k2: "v2" } } };
  const { user } = await node.ask(...update(id, everything, "primary_party", "is_deactivated", "metadata"));
  assert.deepEqual(
    [user.primaryParty, user.isDeactivated, user.metadata],
    [party, true, { resourceVersion: "1", annotations: { k: "v", k2: "v2" } }],
  );
  assert.deepEqual(await get(id), user);
  const changes: readonly (readonly [string, Json, Json])[] = [
    ["is_deactivated", {}, { isDeactivated: false }],
    ["primary_party", {}, { primaryParty: "" }],
    ["primary_party", { primaryParty: party }, { primaryParty: party }],
    ["is_deactivated", { isDeactivated: true, primaryParty: "" }, { isDeactivated: true, primaryParty: party }],
    ["metadata", {}, {}],
  ];
  for (const [path, fields, expected] of changes) {
    const changed = (await node.ask(...update(id, fields, path))).user;
    assert.deepEqual({ ...changed, ...expected }, changed, path);
  }
});

test("user updates: without a user, of nobody, or of what is no user id they are refused", async () => {
  assert.match(await node.refusal("PATCH", "/v2/users/somebody", { updateMask: mask("primary_party") }), /^400/);
  assert.equal(await node.refusal(...update("nobody", {}, "primary_party")), "404 USER_NOT_FOUND");
  assert.match(await node.refusal(...update("%%!!", {}, "primary_party")), /^400/);
});

test("providers of users: one goes from provider to provider, and is found at its own only", async () => {
  const [a, b] = [await node.provider(), await node.provider()],
    { id } = await node.user({ identityProviderId: a });
  await node.ask(...move(id, a, b));
  assert.equal((await get(id, b)).identityProviderId, b);
  assert.equal(await node.refusal("GET", `/v2/users/${id}?identity-provider-id=${a}`), "403 NA");
  await node.ask(...move(id, b, ""));
  assert.equal((await get(id)).identityProviderId, "");
  await node.ask(...move(id, "", a));
  await node.ask(...move(id, a, a));
  assert.equal((await get(id, a)).identityProviderId, a);
  for (const provider of [a, b]) assert.match(await node.refusal(...move(id, b, provider)), /^403 NA$/);
  await node.ask(...move(id, a, ""));
});

test("providers of users: those that do not exist are refused on either side", async () => {
  const { id } = await node.user();
  assert.equal(await node.refusal(...move(id, "nope", "")), "400 INVALID_ARGUMENT");
  assert.equal(await node.refusal(...move(id, "", "nope")), "400 INVALID_ARGUMENT");
});

test("identity providers: created, read, listed, changed and removed", async () => {
  const id = await node.provider({ audience: "aud", isDeactivated: false }),
    path = `/v2/idps/${id}`;
  const config = (await node.ask("GET", path)).identityProviderConfig;
  assert.deepEqual(config, {
    identityProviderId: id,
    isDeactivated: false,
    issuer: `https://${id}.example`,
    jwksUrl: `https://${id}.example/jwks`,
    audience: "aud",
  });
  assert.ok((await node.ask("GET", "/v2/idps")).identityProviderConfigs.some(({ identityProviderId }: Json) => identityProviderId === id));
  const change = async (fields: Json, ...paths: readonly string[]): Promise<Json> =>
    (await node.ask("PATCH", path, { identityProviderConfig: { identityProviderId: id, ...fields }, updateMask: mask(...paths) }))
      .identityProviderConfig;
  assert.equal((await change({ isDeactivated: true }, "is_deactivated")).isDeactivated, true);
  assert.equal((await change({ jwksUrl: "https://new.example/jwks" }, "jwks_url")).jwksUrl, "https://new.example/jwks");
  assert.equal((await change({ issuer: `https://new-${id}.example` }, "issuer")).issuer, `https://new-${id}.example`);
  assert.deepEqual(await change({ audience: "" }, "audience"), {
    identityProviderId: id,
    isDeactivated: true,
    issuer: `https://new-${id}.example`,
    jwksUrl: "https://new.example/jwks",
    audience: "",
  });
  await node.ask("DELETE", path);
  for (const method of ["GET", "DELETE"]) assert.equal(await node.refusal(method, path), "404 IDP_CONFIG_NOT_FOUND");
});

test("identity providers: arguments that cannot be are refused by field", async () => {
  const id = await node.provider(),
    config = (fields: Json): Json => ({
      identityProviderId: node.fresh("idp"),
      issuer: `https://${node.fresh("i")}.example`,
      jwksUrl: "https://x.example/jwks",
      ...fields,
    });
  const create = (fields: Json): Promise<string> => node.refusal("POST", "/v2/idps", { identityProviderConfig: config(fields) });
  const cases: readonly (readonly [Json, string])[] = [
    [{ identityProviderId: "" }, "400 MISSING_FIELD"],
    [{ identityProviderId: "\u{1F600}" }, "400 INVALID_FIELD"],
    [{ issuer: "" }, "400 MISSING_FIELD"],
    [{ jwksUrl: "" }, "400 MISSING_FIELD"],
    [{ jwksUrl: "url" }, "400 INVALID_FIELD"],
    [{ identityProviderId: id }, "409 IDP_CONFIG_ALREADY_EXISTS"],
    [{ issuer: `https://${id}.example` }, "409 IDP_CONFIG_ISSUER_ALREADY_EXISTS"],
  ];
  for (const [fields, refusal] of cases) assert.equal(await create(fields), refusal, JSON.stringify(fields));
  const change = (identityProviderConfig: Json, updateMask: Json): Promise<string> =>
    node.refusal("PATCH", `/v2/idps/${id}`, { identityProviderConfig: { identityProviderId: id, ...identityProviderConfig }, updateMask });
  assert.equal(await change({}, mask()), "400 INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST");
  assert.equal(await change({}, { paths: null }), "400 INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST");
  assert.equal(await change({}, mask("nope")), "400 INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST");
  assert.equal(await change({ jwksUrl: "url" }, mask("jwks_url")), "400 INVALID_FIELD");
  for (const [method, path] of [
    ["GET", "/v2/idps/%F0%9F%98%80"],
    ["DELETE", "/v2/idps/%F0%9F%98%80"],
  ] as const)
    assert.equal(await node.refusal(method, path), "400 INVALID_FIELD");
});
