import assert from "node:assert/strict";
import { test } from "node:test";
import type { Administration, PartyAllocationRequest, PartyDetailsFields } from "../../src/ledger/admin/index.js";
import { anybody, asUser, codeOf, createUser, may, okOf, withProvider, world } from "./world.js";

const allocation = (hint: string, fields: Partial<PartyAllocationRequest> = {}): PartyAllocationRequest => ({
  hint,
  annotations: {},
  resourceVersion: "",
  identityProviderId: "",
  synchronizerId: "",
  userId: "",
  ...fields,
});
const allocate = (administration: Administration, hint: string, fields: Partial<PartyAllocationRequest> = {}, requester = anybody) =>
  administration.allocateParty(allocation(hint, fields), requester);
const details = (fields: Partial<PartyDetailsFields> = {}): PartyDetailsFields => ({
  party: "p::1220ab",
  isLocal: false,
  identityProviderId: "",
  annotations: {},
  resourceVersion: "",
  ...fields,
});

test("parties: an allocated party belongs to the provider asked for and has version 0", async () => {
  const { administration } = await world();
  await withProvider(administration, "idp1");
  assert.deepEqual(okOf(await allocate(administration, "p", { identityProviderId: "idp1", annotations: { k: "v" } })), {
    party: "p::1220ab",
    isLocal: true,
    identityProviderId: "idp1",
    annotations: { k: "v" },
    resourceVersion: "0",
  });
});

test("parties: refused allocations create none and grant nothing", async () => {
  const { administration, parties } = await world();
  await withProvider(administration, "idp1");
  await createUser(administration, "u");
  const cases: readonly (readonly [Partial<PartyAllocationRequest>, string])[] = [
    [{ resourceVersion: "1" }, "INVALID_ARGUMENT"],
    [{ annotations: { k: "" } }, "INVALID_ARGUMENT"],
    [{ annotations: { "-k": "v" } }, "INVALID_ARGUMENT"],
    [{ hint: "not ok !" }, "INVALID_ARGUMENT"],
    [{ hint: "a::b" }, "INVALID_ARGUMENT"],
    [{ hint: "a::b", identityProviderId: "bad id!" }, "INVALID_FIELD"],
    [{ annotations: { "-k": "v" }, identityProviderId: "bad id!" }, "INVALID_ARGUMENT"],
    [{ synchronizerId: "nope", identityProviderId: "nope" }, "INVALID_FIELD"],
    [{ identityProviderId: "nope" }, "INVALID_ARGUMENT"],
    [{ userId: "nobody" }, "USER_NOT_FOUND"],
    [{ userId: "bad id!" }, "INVALID_FIELD"],
    [{ userId: "u", identityProviderId: "idp1" }, "PERMISSION_DENIED"],
  ];
  for (const [fields, code] of cases) assert.equal(codeOf(await allocate(administration, "p", fields)), code, JSON.stringify(fields));
  assert.equal(parties.known.size, 0);
});

test("parties: the named user may act as the new party, and an existing party grants nothing", async () => {
  const { administration } = await world();
  await createUser(administration, "u");
  okOf(await allocate(administration, "p", { userId: "u" }));
  assert.deepEqual(okOf(administration.listRights({ userId: "u", identityProviderId: "" })), [may("CanActAs", "p::1220ab")]);
  await createUser(administration, "thief");
  assert.equal(codeOf(await allocate(administration, "p", { userId: "thief" })), "INVALID_ARGUMENT");
  assert.deepEqual(okOf(administration.listRights({ userId: "thief", identityProviderId: "" })), []);
});

test("self-allocation: the quota counts the different parties in all rights, and those under way", async () => {
  const { administration } = await world({ selfAllocatedPartiesMax: 2 });
  await createUser(administration, "u", {}, [may("CanActAs", "a"), may("CanReadAs", "a")]);
  const self = asUser("u", "user");
  const codes = (await Promise.all(["p", "q", "r"].map((hint) => allocate(administration, hint, { userId: "u" }, self)))).map(codeOf);
  assert.deepEqual(codes.sort(), ["PERMISSION_DENIED", "PERMISSION_DENIED", "ok"]);
  assert.equal(codeOf(await allocate(administration, "s", { userId: "u" }, self)), "PERMISSION_DENIED");
  okOf(await allocate(administration, "t", { userId: "u" }, asUser("boss", "provider admin")));
});

test("self-allocation: without a quota nobody allocates for himself", async () => {
  const { administration } = await world();
  await createUser(administration, "u");
  assert.equal(codeOf(await allocate(administration, "p", { userId: "u" }, asUser("u", "user"))), "PERMISSION_DENIED");
});

test("party details: annotations merge, an empty value deletes, the version grows", async () => {
  const { administration } = await world();
  await allocate(administration, "p", { annotations: { k: "v", "x.y/z": "w" } });
  const update = async (fields: Partial<PartyDetailsFields>, mask: readonly string[]) => {
    const { annotations, resourceVersion } = okOf(await administration.updateParty(details(fields), mask));
    return [annotations, resourceVersion];
  };
  assert.deepEqual(await update({ annotations: { k: "v2", n: "1" } }, ["local_metadata.annotations"]), [
    { k: "v2", "x.y/z": "w", n: "1" },
    1,
  ]);
  assert.deepEqual(await update({ annotations: { k: "" } }, ["local_metadata"]), [{ "x.y/z": "w", n: "1" }, 2]);
  assert.deepEqual(await update({}, ["local_metadata"]), [{ "x.y/z": "w", n: "1" }, 3]);
  assert.deepEqual(await update({ resourceVersion: "3", isLocal: true }, ["is_local", "local_metadata.resource_version"]), [
    { "x.y/z": "w", n: "1" },
    4,
  ]);
});

test("party details: the first update of a local party takes annotations as they come, and the provider; others have none", async () => {
  const { administration, parties } = await world();
  await withProvider(administration, "idp1");
  const unwritten = { identityProviderId: "", annotations: {}, resourceVersion: undefined };
  for (const [party, isLocal] of [["p::1220ab", true] as const, ["q::1220ab", false] as const])
    parties.known.set(party, { party, isLocal, ...unwritten });
  const update = (party: string) =>
    administration.updateParty(details({ party, identityProviderId: "idp1", annotations: { k: "v", n: "" } }), ["local_metadata"]);
  assert.equal(codeOf(await update("q::1220ab")), "PARTY_NOT_FOUND");
  okOf(await update("p::1220ab"));
  const written = { party: "p::1220ab", isLocal: true, identityProviderId: "idp1", annotations: { k: "v", n: "" }, resourceVersion: 0 };
  assert.deepEqual(parties.get("p::1220ab"), written);
  assert.deepEqual(okOf(await update("p::1220ab")).annotations, { k: "v" });
});

test("party details: refused updates leave the party as it was", async () => {
  const { administration, parties } = await world();
  await withProvider(administration, "idp1");
  await allocate(administration, "p", { annotations: { k: "v" } });
  const before = structuredClone(parties.get("p::1220ab"));
  const metadata = ["local_metadata"];
  const cases: readonly (readonly [Partial<PartyDetailsFields> | undefined, readonly string[] | undefined, string])[] = [
    [undefined, metadata, "MISSING_FIELD"],
    [{}, undefined, "MISSING_FIELD"],
    [{}, [], "INVALID_PARTY_DETAILS_UPDATE_REQUEST"],
    [{}, ["nope"], "INVALID_PARTY_DETAILS_UPDATE_REQUEST"],
    [{}, ["local_metadata", "local_metadata"], "INVALID_PARTY_DETAILS_UPDATE_REQUEST"],
    [{ isLocal: false }, ["is_local"], "INVALID_PARTY_DETAILS_UPDATE_REQUEST"],
    [{ resourceVersion: "12345" }, metadata, "CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED"],
    [{ resourceVersion: "1.5" }, metadata, "INVALID_FIELD"],
    [{ annotations: { "a/b/c": "v" } }, metadata, "INVALID_ARGUMENT"],
    [{ identityProviderId: "nope" }, metadata, "INVALID_ARGUMENT"],
    [{ identityProviderId: "idp1" }, metadata, "PERMISSION_DENIED"],
    [{ party: "ghost::1220ab" }, metadata, "PARTY_NOT_FOUND"],
    [{ party: "" }, metadata, "INVALID_ARGUMENT"],
    [{ party: "a!b" }, metadata, "INVALID_ARGUMENT"],
  ];
  for (const [fields, mask, code] of cases)
    assert.equal(codeOf(await administration.updateParty(fields && details(fields), mask)), code, JSON.stringify([fields, mask]));
  assert.deepEqual(parties.get("p::1220ab"), before);
});

test("party details: annotations are bounded in sum", async () => {
  const { administration } = await world();
  const half = "\u00e9".repeat(65 * 1024); // two bytes each
  await allocate(administration, "p", { annotations: { a: half } });
  assert.equal(
    codeOf(await administration.updateParty(details({ annotations: { b: half } }), ["local_metadata"])),
    "MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED",
  );
  okOf(await administration.updateParty(details({ annotations: { a: "", b: half } }), ["local_metadata"]));
});

test("party moves: a moved party is one of the target only, with annotations and version as before", async () => {
  const { administration, parties } = await world();
  await withProvider(administration, "idp1");
  await allocate(administration, "p", { annotations: { k: "v" } });
  const move = async (source: string, target: string) =>
    okOf(await administration.moveParty({ party: "p::1220ab", source, target })).identityProviderId;
  const moved = { party: "p::1220ab", isLocal: true, identityProviderId: "idp1", annotations: { k: "v" }, resourceVersion: 0 };
  assert.equal(await move("", "idp1"), "idp1");
  assert.deepEqual(parties.get("p::1220ab"), moved);
  assert.equal(codeOf(await administration.updateParty(details(), ["local_metadata"])), "PERMISSION_DENIED");
  assert.equal(codeOf(await administration.deleteIdentityProvider("idp1")), "INVALID_ARGUMENT", "it has a party now");
  assert.equal(await move("idp1", "idp1"), "idp1");
  assert.equal(await move("idp1", ""), "");
  okOf(await administration.deleteIdentityProvider("idp1"));
});

test("party moves: a local party about which nothing was written is one of the default provider; others cannot be moved", async () => {
  const { administration, parties } = await world();
  await withProvider(administration, "idp1");
  const unwritten = { identityProviderId: "", annotations: {}, resourceVersion: undefined };
  for (const [party, isLocal] of [["p::1220ab", true] as const, ["q::1220ab", false] as const])
    parties.known.set(party, { party, isLocal, ...unwritten });
  const move = (party: string, source: string, target: string) => administration.moveParty({ party, source, target });
  assert.equal(codeOf(await move("q::1220ab", "", "idp1")), "PARTY_NOT_FOUND");
  assert.equal(codeOf(await move("p::1220ab", "idp1", "")), "PARTY_NOT_FOUND");
  const written = { party: "p::1220ab", isLocal: true, identityProviderId: "idp1", annotations: {}, resourceVersion: 0 };
  assert.deepEqual(okOf(await move("p::1220ab", "", "idp1")), written);
});

test("party moves: refused ones leave the party as it was, and say why", async () => {
  const { administration, parties } = await world();
  await withProvider(administration, "idp1");
  await allocate(administration, "p", { identityProviderId: "idp1" });
  const before = structuredClone(parties.get("p::1220ab"));
  const cases: readonly (readonly [party: string, source: string, target: string, code: string, cause: RegExp])[] = [
    ["", "bad id!", "", "INVALID_ARGUMENT", /Daml-LF Party is empty/],
    ["a!b", "bad id!", "", "INVALID_ARGUMENT", /a!b/],
    ["p::1220ab", "bad id!", "also bad!", "INVALID_FIELD", /source_identity_provider_id/],
    ["p::1220ab", "nope", "bad id!", "INVALID_FIELD", /target_identity_provider_id/],
    ["ghost::1220ab", "nope", "neither", "INVALID_ARGUMENT", /identity_provider_id Id\(nope\) has not been found/],
    ["ghost::1220ab", "idp1", "nope", "INVALID_ARGUMENT", /identity_provider_id Id\(nope\) has not been found/],
    ["ghost::1220ab", "idp1", "", "PARTY_NOT_FOUND", /^Party: 'ghost::1220ab' was not found when updating party's identity provider$/],
    ["p::1220ab", "", "idp1", "PARTY_NOT_FOUND", /^Party: 'p::1220ab' was not found when updating party's identity provider$/],
  ];
  for (const [party, source, target, code, cause] of cases) {
    const { error } = await administration.moveParty({ party, source, target });
    assert.equal(error?.code, code, `${party} ${source} ${target}`);
    assert.match(error.cause, cause);
  }
  assert.deepEqual(parties.get("p::1220ab"), before);
});
