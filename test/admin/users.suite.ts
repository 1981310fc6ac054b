/** What users and rights do, whatever tables they lie in (after the user management suites of the Ledger API's own test tool). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import type { AdministrationTables, RequestedRight, Right } from "../../src/ledger/admin/index.js";
import { anybody, asUser, codeOf, createUser, may, okOf, user, withProvider, type World } from "./world.js";

export function userSuite(subject: string, start: () => Promise<World<AdministrationTables>>): void {
  const suite = (name: string, run: (world: World<AdministrationTables>) => Promise<void>): void =>
    void test(`${subject}: ${name}`, async () => run(await start()));

  suite("a new ledger has the default admin and nobody else", async ({ administration }) => {
    const { users, nextPageToken } = okOf(administration.listUsers({ pageSize: 0, pageToken: "", identityProviderId: "" }));
    assert.deepEqual(
      users.map(({ id, resourceVersion }) => [id, resourceVersion]),
      [["participant_admin", 0]],
    );
    assert.equal(nextPageToken, "");
    assert.deepEqual(okOf(administration.listRights({ userId: "participant_admin", identityProviderId: "" })), [
      { kind: "ParticipantAdmin" },
    ]);
  });

  suite("a created user can be read back with version 0", async ({ administration }) => {
    const created = okOf(
      await createUser(administration, "alice", { primaryParty: "alice::12", annotations: { k: "v" } }, [may("CanActAs", "alice::12")]),
    );
    assert.equal(created.resourceVersion, 0);
    assert.deepEqual(okOf(administration.getUser({ userId: "alice", identityProviderId: "" })), created);
    assert.deepEqual(okOf(administration.listRights({ userId: "alice", identityProviderId: "" })), [may("CanActAs", "alice::12")]);
  });

  suite("a user id is taken once, also when both ask in the same turn", async ({ administration }) => {
    const codes = (await Promise.all([createUser(administration, "twin"), createUser(administration, "twin")])).map(codeOf);
    assert.deepEqual(codes, ["ok", "USER_ALREADY_EXISTS"]);
  });

  suite("refused creations leave nothing behind", async ({ administration }) => {
    const cases: readonly (readonly [string, Awaited<ReturnType<typeof createUser>>, string])[] = [
      ["no user", await administration.createUser({ user: undefined, rights: [] }, anybody), "MISSING_FIELD"],
      ["empty id", await createUser(administration, ""), "MISSING_FIELD"],
      ["forbidden character", await createUser(administration, "bad id!"), "INVALID_FIELD"],
      ["129 characters", await createUser(administration, "u".repeat(129)), "INVALID_FIELD"],
      ["a version", await createUser(administration, "a", { resourceVersion: "1" }), "INVALID_ARGUMENT"],
      ["an empty annotation", await createUser(administration, "a", { annotations: { k: "" } }), "INVALID_ARGUMENT"],
      ["a bad annotation key", await createUser(administration, "a", { annotations: { "a b": "v" } }), "INVALID_ARGUMENT"],
      ["an unknown provider", await createUser(administration, "a", { identityProviderId: "nope" }), "INVALID_ARGUMENT"],
      ["a malformed provider", await createUser(administration, "a", { identityProviderId: "\u{1F600}" }), "INVALID_FIELD"],
      ["a malformed primary party", await createUser(administration, "a", { primaryParty: "no!good" }), "INVALID_ARGUMENT"],
      ["a right without a kind", await createUser(administration, "a", {}, [undefined]), "INVALID_ARGUMENT"],
      ["a right on no party", await createUser(administration, "a", {}, [may("CanActAs", "")]), "INVALID_ARGUMENT"],
    ];
    for (const [what, result, code] of cases) assert.equal(codeOf(result), code, what);
    assert.equal(codeOf(administration.getUser({ userId: "a", identityProviderId: "" })), "USER_NOT_FOUND");
  });

  suite("ids may have every letter of their format and 128 of them", async ({ administration }) => {
    for (const id of ["u".repeat(128), "a.Z-0", "@^$.!`-#+'~_|:()"]) assert.equal(okOf(await createUser(administration, id)).id, id);
  });

  suite("updates change what the mask names, grow the version, and leave the rest", async ({ administration }) => {
    await createUser(administration, "bob", { primaryParty: "p", annotations: { a: "1", b: "2" } });
    const deactivated = okOf(
      await administration.updateUser({ user: user("bob", { isDeactivated: true, primaryParty: "q" }), mask: ["is_deactivated"] }, anybody),
    );
    assert.deepEqual([deactivated.isDeactivated, deactivated.primaryParty, deactivated.resourceVersion], [true, "p", 1]);
    const annotated = okOf(
      await administration.updateUser(
        { user: user("bob", { annotations: { a: "", b: "3", c: "4" } }), mask: ["metadata.annotations"] },
        anybody,
      ),
    );
    assert.deepEqual([annotated.annotations, annotated.resourceVersion], [{ b: "3", c: "4" }, 2]);
    const cleared = okOf(await administration.updateUser({ user: user("bob"), mask: ["primary_party", "is_deactivated"] }, anybody));
    assert.deepEqual([cleared.primaryParty, cleared.isDeactivated], ["", false]);
    const unchanged = okOf(await administration.updateUser({ user: user("bob"), mask: ["metadata"] }, anybody));
    assert.deepEqual([unchanged.annotations, unchanged.resourceVersion], [{ b: "3", c: "4" }, 4]);
  });

  suite("a parent path takes over only what differs from its default", async ({ administration }) => {
    await createUser(administration, "eve", { annotations: { a: "1" } });
    const updated = okOf(await administration.updateUser({ user: user("eve", { annotations: { b: "2" } }), mask: ["metadata"] }, anybody));
    assert.deepEqual(updated.annotations, { a: "1", b: "2" });
  });

  suite("refused updates leave the user as it was", async ({ administration }) => {
    const created = okOf(await createUser(administration, "carl", { annotations: { a: "1" } }));
    const update = (fields: Parameters<typeof user>[1], mask: readonly string[] | undefined) =>
      administration.updateUser({ user: user("carl", fields), mask }, anybody);
    assert.equal(codeOf(await update({}, undefined)), "MISSING_FIELD");
    assert.equal(codeOf(await update({}, [])), "INVALID_USER_UPDATE_REQUEST");
    assert.equal(codeOf(await update({}, ["zz"])), "INVALID_USER_UPDATE_REQUEST");
    assert.equal(codeOf(await update({}, ["isDeactivated"])), "INVALID_USER_UPDATE_REQUEST");
    assert.equal(codeOf(await update({}, ["is_deactivated", "is_deactivated"])), "INVALID_USER_UPDATE_REQUEST");
    assert.equal(codeOf(await update({}, ["metadata.annotations.a"])), "INVALID_USER_UPDATE_REQUEST");
    assert.equal(codeOf(await update({ resourceVersion: "7" }, ["primary_party"])), "CONCURRENT_USER_UPDATE_DETECTED");
    assert.equal(codeOf(await update({ resourceVersion: "x" }, ["primary_party"])), "INVALID_FIELD");
    assert.equal(codeOf(await update({ identityProviderId: "nope" }, ["primary_party"])), "INVALID_ARGUMENT");
    assert.deepEqual(okOf(administration.getUser({ userId: "carl", identityProviderId: "" })), created);
    assert.equal(codeOf(await administration.updateUser({ user: user("nobody"), mask: ["primary_party"] }, anybody)), "USER_NOT_FOUND");
  });

  suite("of updates that expect the same version one wins", async ({ administration }) => {
    await createUser(administration, "race");
    const attempts = Array.from({ length: 20 }, (_, i) =>
      administration.updateUser({ user: user("race", { primaryParty: `p${i}`, resourceVersion: "0" }), mask: ["primary_party"] }, anybody),
    );
    const codes = (await Promise.all(attempts)).map(codeOf);
    assert.equal(codes.filter((code) => code === "ok").length, 1);
    assert.equal(codes.filter((code) => code === "CONCURRENT_USER_UPDATE_DETECTED").length, 19);
    assert.equal(okOf(administration.getUser({ userId: "race", identityProviderId: "" })).resourceVersion, 1);
  });

  suite("updates without a version all count", async ({ administration }) => {
    await createUser(administration, "many");
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        administration.updateUser({ user: user("many", { annotations: { [`k${i}`]: "v" } }), mask: ["metadata.annotations"] }, anybody),
      ),
    );
    const { resourceVersion, annotations } = okOf(administration.getUser({ userId: "many", identityProviderId: "" }));
    assert.deepEqual([resourceVersion, Object.keys(annotations).length], [50, 50]);
  });

  suite("annotations are bounded in one request and in sum", async ({ administration }) => {
    const half = "x".repeat(130 * 1024);
    assert.equal(codeOf(await createUser(administration, "big", { annotations: { a: half, b: half } })), "INVALID_ARGUMENT");
    okOf(await createUser(administration, "big", { annotations: { a: half } }));
    assert.equal(
      codeOf(await administration.updateUser({ user: user("big", { annotations: { b: half } }), mask: ["metadata.annotations"] }, anybody)),
      "MAX_USER_ANNOTATIONS_SIZE_EXCEEDED",
    );
    okOf(
      await administration.updateUser({ user: user("big", { annotations: { a: "", b: half } }), mask: ["metadata.annotations"] }, anybody),
    );
  });

  suite("a deleted user is gone with its rights, and its id is free", async ({ administration }) => {
    await createUser(administration, "dora", {}, [may("CanReadAs", "p")]);
    okOf(await administration.deleteUser({ userId: "dora", identityProviderId: "" }, anybody));
    assert.equal(codeOf(await administration.deleteUser({ userId: "dora", identityProviderId: "" }, anybody)), "USER_NOT_FOUND");
    assert.equal(codeOf(administration.listRights({ userId: "dora", identityProviderId: "" })), "USER_NOT_FOUND");
    okOf(await createUser(administration, "dora"));
    assert.deepEqual(okOf(administration.listRights({ userId: "dora", identityProviderId: "" })), []);
  });

  suite("nobody deletes or deactivates himself, nor gives up his own admin right", async ({ administration }) => {
    await createUser(administration, "root", {}, [{ kind: "ParticipantAdmin" }, { kind: "IdentityProviderAdmin" }]);
    const self = asUser("root", "participant admin");
    assert.equal(codeOf(await administration.deleteUser({ userId: "root", identityProviderId: "" }, self)), "INVALID_ARGUMENT");
    assert.equal(
      codeOf(await administration.updateUser({ user: user("root", { isDeactivated: true }), mask: ["is_deactivated"] }, self)),
      "INVALID_ARGUMENT",
    );
    const revoke = (rights: readonly Right[]) => administration.revokeRights({ userId: "root", identityProviderId: "", rights }, self);
    assert.equal(codeOf(await revoke([{ kind: "ParticipantAdmin" }])), "INVALID_ARGUMENT");
    assert.deepEqual(okOf(await revoke([{ kind: "IdentityProviderAdmin" }])), [{ kind: "IdentityProviderAdmin" }]);
    okOf(await administration.deleteUser({ userId: "root", identityProviderId: "" }, asUser("other", "participant admin")));
  });

  suite("granting answers what is new, revoking what was there, and neither touches the version", async ({ administration }) => {
    await createUser(administration, "gina", {}, [may("CanActAs", "p")]);
    const of = { userId: "gina", identityProviderId: "" };
    const grant = [may("CanActAs", "p"), may("CanReadAs", "p"), may("CanReadAs", "p"), { kind: "ParticipantAdmin" } as const];
    assert.deepEqual(okOf(await administration.grantRights({ ...of, rights: grant }, anybody)), [
      may("CanReadAs", "p"),
      { kind: "ParticipantAdmin" },
    ]);
    assert.deepEqual(okOf(await administration.grantRights({ ...of, rights: grant }, anybody)), []);
    assert.deepEqual(okOf(await administration.revokeRights({ ...of, rights: [may("CanReadAs", "p"), may("CanReadAs", "q")] }, anybody)), [
      may("CanReadAs", "p"),
    ]);
    assert.deepEqual(okOf(administration.listRights(of)), [may("CanActAs", "p"), { kind: "ParticipantAdmin" }]);
    assert.equal(okOf(administration.getUser(of)).resourceVersion, 0);
  });

  suite("every kind of right can be granted and is listed as granted", async ({ administration }) => {
    const all: readonly Right[] = [
      { kind: "ParticipantAdmin" },
      { kind: "IdentityProviderAdmin" },
      { kind: "CanReadAsAnyParty" },
      { kind: "CanExecuteAsAnyParty" },
      may("CanActAs", "p"),
      may("CanReadAs", "p"),
      may("CanExecuteAs", "p"),
    ];
    await createUser(administration, "full", {}, all);
    assert.deepEqual(okOf(administration.listRights({ userId: "full", identityProviderId: "" })), all);
  });

  suite("a user has at most 1,000 rights, and a refused grant grants nothing", async ({ administration }) => {
    const rights = Array.from({ length: 1_000 }, (_, i) => may("CanReadAs", `p${i}`));
    await createUser(administration, "rich", {}, rights.slice(0, 999));
    const of = { userId: "rich", identityProviderId: "" };
    assert.equal(
      codeOf(await administration.grantRights({ ...of, rights: [may("CanActAs", "a"), may("CanActAs", "b")] }, anybody)),
      "TOO_MANY_USER_RIGHTS",
    );
    assert.equal(
      okOf(await administration.grantRights({ ...of, rights: [...rights.slice(0, 500), may("CanActAs", "a")] }, anybody)).length,
      1,
    );
    assert.equal(okOf(administration.listRights(of)).length, 1_000);
    assert.equal(codeOf(await createUser(administration, "richer", {}, [...rights, may("CanActAs", "a")])), "TOO_MANY_USER_RIGHTS");
  });

  suite("a page holds what was asked, pages join without gap or repetition while users come and go", async ({ administration }) => {
    const names = Array.from({ length: 30 }, (_, i) => `user-${String(i).padStart(2, "0")}`);
    await Promise.all(names.map((name) => createUser(administration, name)));
    const seen: string[] = [];
    let pageToken = "";
    for (let page = 0; page === 0 || pageToken !== ""; page++) {
      const { users, nextPageToken } = okOf(administration.listUsers({ pageSize: 7, pageToken, identityProviderId: "" }));
      assert.ok(users.length <= 7);
      seen.push(...users.map(({ id }) => id));
      pageToken = nextPageToken;
      okOf(await createUser(administration, `aaa-${page}`)); // before every place still to come
      if (page === 1) okOf(await administration.deleteUser({ userId: users.at(-1)!.id, identityProviderId: "" }, anybody));
      if (page === 1) okOf(await createUser(administration, "zzz"));
    }
    assert.deepEqual(seen, ["participant_admin", ...names, "zzz"].sort());
    assert.equal(new Set(seen).size, seen.length);
  });

  suite("page sizes: 0 and too large mean the maximum, negative is refused, strange tokens too", async ({ administration }) => {
    await withProvider(administration, "idp1");
    const list = (pageSize: number, pageToken = "", identityProviderId = "") =>
      administration.listUsers({ pageSize, pageToken, identityProviderId });
    await Promise.all(["a", "b", "c"].map((id) => createUser(administration, id)));
    assert.equal(okOf(list(0)).users.length, 4);
    assert.equal(okOf(list(1_000_000)).users.length, 4);
    assert.equal(codeOf(list(-1)), "INVALID_ARGUMENT");
    const { nextPageToken } = okOf(list(2));
    assert.equal(okOf(list(2, nextPageToken)).users.length, 2);
    assert.equal(codeOf(list(2, nextPageToken, "idp1")), "INVALID_ARGUMENT");
    for (const token of ["abc", "%%%", `${nextPageToken}x`, nextPageToken.slice(1), nextPageToken.toLowerCase()])
      assert.equal(codeOf(list(2, token)), "INVALID_ARGUMENT", token);
  });

  suite("users of an identity provider are listed with it and reached through it only", async ({ administration }) => {
    await withProvider(administration, "idp1");
    okOf(await createUser(administration, "ivan", { identityProviderId: "idp1" }, [may("CanReadAs", "p")]));
    const ids = (identityProviderId: string) =>
      okOf(administration.listUsers({ pageSize: 0, pageToken: "", identityProviderId })).users.map(({ id }) => id);
    assert.deepEqual([ids("idp1"), ids("")], [["ivan"], ["participant_admin"]]);
    assert.equal(codeOf(administration.getUser({ userId: "ivan", identityProviderId: "" })), "PERMISSION_DENIED");
    assert.equal(codeOf(administration.listRights({ userId: "ivan", identityProviderId: "" })), "PERMISSION_DENIED");
    assert.equal(codeOf(await administration.deleteUser({ userId: "ivan", identityProviderId: "" }, anybody)), "PERMISSION_DENIED");
    assert.equal(codeOf(await createUser(administration, "ivan")), "PERMISSION_DENIED");
    assert.equal(codeOf(await createUser(administration, "ivan", { identityProviderId: "idp1" })), "USER_ALREADY_EXISTS");
  });

  suite("a moved user is found at the target only, with rights and version as before", async ({ administration }) => {
    await withProvider(administration, "idp1");
    await createUser(administration, "mona", {}, [may("CanReadAs", "p")]);
    const move = (source: string, target: string, userId = "mona") => administration.moveUser({ userId, source, target });
    assert.equal(codeOf(await move("idp1", "")), "PERMISSION_DENIED");
    assert.equal(codeOf(await move("", "nope")), "INVALID_ARGUMENT");
    assert.equal(codeOf(await move("", "idp1", "nobody")), "USER_NOT_FOUND");
    okOf(await move("", "idp1"));
    assert.deepEqual(
      okOf(administration.listUsers({ pageSize: 0, pageToken: "", identityProviderId: "idp1" })).users.map(({ id, resourceVersion }) => [
        id,
        resourceVersion,
      ]),
      [["mona", 0]],
    );
    assert.deepEqual(okOf(administration.listRights({ userId: "mona", identityProviderId: "idp1" })), [may("CanReadAs", "p")]);
    assert.deepEqual(
      okOf(administration.listUsers({ pageSize: 0, pageToken: "", identityProviderId: "" })).users.map(({ id }) => id),
      ["participant_admin"],
    );
    okOf(await move("idp1", ""));
    okOf(await move("", ""));
  });

  suite("admins of an identity provider hand out rights on its parties only", async ({ administration, parties }) => {
    await withProvider(administration, "idp1");
    await parties.allocate({ hint: "own", annotations: {}, identityProviderId: "idp1", synchronizerId: "", userId: "" });
    await parties.allocate({ hint: "other", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" });
    const admin = asUser("idp1-admin", "provider admin");
    okOf(await createUser(administration, "v", { identityProviderId: "idp1" }, [may("CanActAs", "own::1220ab")], admin));
    const of = { userId: "v", identityProviderId: "idp1" };
    for (const party of ["other::1220ab", "ghost::1220ab"]) {
      assert.equal(
        codeOf(await createUser(administration, "w", { identityProviderId: "idp1" }, [may("CanActAs", party)], admin)),
        "UNKNOWN_RESOURCE",
      );
      assert.equal(codeOf(await administration.grantRights({ ...of, rights: [may("CanReadAs", party)] }, admin)), "UNKNOWN_RESOURCE");
      assert.equal(codeOf(await administration.revokeRights({ ...of, rights: [may("CanReadAs", party)] }, admin)), "UNKNOWN_RESOURCE");
      okOf(await administration.grantRights({ ...of, rights: [may("CanReadAs", party)] }, anybody));
    }
    okOf(await administration.grantRights({ ...of, rights: [may("CanExecuteAs", "ghost::1220ab")] }, admin));
    const both = await administration.grantRights({ ...of, rights: [may("CanActAs", "p"), may("CanReadAs", "p")] }, admin);
    assert.deepEqual(both.error?.resources, [["PARTIES", "p"]], "each party is told once");
  });

  suite("what is wrong with a request is told before what its user may not do", async ({ administration }) => {
    const self = asUser("participant_admin", "participant admin");
    const revoke = (...rights: readonly RequestedRight[]) =>
      administration.revokeRights({ userId: "participant_admin", identityProviderId: "", rights }, self);
    const refused = await revoke({ kind: "ParticipantAdmin" }, may("CanActAs", "no party!"));
    assert.match(refused.error?.cause ?? "", /no party!/);
    assert.match((await revoke({ kind: "ParticipantAdmin" })).error?.cause ?? "", /own admin rights/);
    const tooMuch = { k: "v".repeat(limits.annotationsBytesMax - 1) };
    okOf(await createUser(administration, "full", { annotations: tooMuch }));
    const stale = user("full", { annotations: { l: "v" }, resourceVersion: "7" });
    assert.equal(
      codeOf(await administration.updateUser({ user: stale, mask: ["metadata.annotations"] }, anybody)),
      "CONCURRENT_USER_UPDATE_DETECTED",
    );
  });

  suite("authentication sees every change as soon as it is answered", async ({ administration }) => {
    const sees = (): unknown => {
      const found = administration.findUser("seen");
      return found && [found.isDeactivated, [...found.rights.actAs], found.rights.participantAdmin, found.rights.identityProviderAdminOf];
    };
    assert.equal(sees(), undefined);
    await createUser(administration, "seen", {}, [may("CanActAs", "p")]);
    assert.deepEqual(sees(), [false, ["p"], false, undefined]);
    await administration.grantRights(
      { userId: "seen", identityProviderId: "", rights: [{ kind: "IdentityProviderAdmin" }, { kind: "ParticipantAdmin" }] },
      anybody,
    );
    assert.deepEqual(sees(), [false, ["p"], true, ""]);
    await administration.updateUser({ user: user("seen", { isDeactivated: true }), mask: ["is_deactivated"] }, anybody);
    await administration.revokeRights({ userId: "seen", identityProviderId: "", rights: [may("CanActAs", "p")] }, anybody);
    assert.deepEqual(sees(), [true, [], true, ""]);
    await administration.deleteUser({ userId: "seen", identityProviderId: "" }, anybody);
    assert.equal(sees(), undefined);
    assert.equal(administration.findUser("no good"), undefined);
  });
}
