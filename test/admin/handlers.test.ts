/** What clients see of administration: bodies, codes and who means which identity provider. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLog } from "../../src/base/log.js";
import { ok } from "../../src/base/result.js";
import type { Served } from "../../src/api/index.js";
import { servedNode } from "../support/served.js";
import { noAuthentication, noRights, type Caller } from "../../src/auth/index.js";
import type { Ledger } from "../../src/ledger/ledger.js";
import type { VettingUpdate } from "../../src/ledger/packages/vetting.js";
import { ledgerWith, request } from "../api/support.js";
import { createUser, may, okOf, withProvider, world, type World } from "./world.js";

async function start(caller?: Caller, ledger: Partial<Ledger> = {}): Promise<World & { readonly api: Served }> {
  const given = await world();
  const authentication =
    caller === undefined ? noAuthentication : { ...noAuthentication, enabled: true, authenticate: () => Promise.resolve(ok(caller)) };
  const api = servedNode({
    services: { ledger: ledgerWith(ledger), administration: given.administration, ready: () => true, staticTime: false },
    authentication,
    log: silentLog,
    listElementsMax: 200,
    listWaitMs: 5,
    observe: () => undefined,
  });
  return { ...given, api };
}

const bodyOf = (answer: { readonly text: string }): unknown => JSON.parse(answer.text);
const adminOfIdp1: Caller = { userId: "idp1-admin", identityProviderId: "idp1", rights: { ...noRights, identityProviderAdminOf: "idp1" } };
const party = { "user-id": "u" },
  nobody = { "user-id": "nobody" };

test("users: a created user comes back with every field, in the order of the reference", async () => {
  const { api } = await start();
  const created = await request(api, "POST", "/v2/users", { body: { user: { id: "u" } } });
  assert.equal(
    created.text,
    '{"user":{"id":"u","primaryParty":"","isDeactivated":false,"metadata":{"resourceVersion":"0","annotations":{}},"identityProviderId":"","primaryPartyAuthentication":false}}',
  );
  assert.deepEqual(bodyOf(await request(api, "GET", "/v2/users/{user-id}", { params: party })), bodyOf(created));
});

test("rights: every kind goes in and comes out in its wrapper", async () => {
  const { api } = await start();
  const rights = [
    ...["CanActAs", "CanReadAs", "CanExecuteAs"].map((kind) => ({ kind: { [kind]: { value: { party: "p" } } } })),
    ...["ParticipantAdmin", "IdentityProviderAdmin", "CanReadAsAnyParty", "CanExecuteAsAnyParty"].map((kind) => ({
      kind: { [kind]: { value: {} } },
    })),
  ];
  await request(api, "POST", "/v2/users", { body: { user: { id: "u" } } });
  const granted = await request(api, "POST", "/v2/users/{user-id}/rights", { params: party, body: { userId: "u", rights } });
  assert.deepEqual(bodyOf(granted), { newlyGrantedRights: rights });
  assert.deepEqual(bodyOf(await request(api, "GET", "/v2/users/{user-id}/rights", { params: party })), { rights });
  assert.deepEqual(bodyOf(await request(api, "PATCH", "/v2/users/{user-id}/rights", { params: party, body: { userId: "u", rights } })), {
    newlyRevokedRights: rights,
  });
});

test("requests that contradict their path, or name no readable id, are refused by the JSON layer", async () => {
  const { api } = await start();
  const cases: readonly (readonly [string, string, Readonly<Record<string, string>>, unknown])[] = [
    ["PATCH", "/v2/users/{user-id}", party, { user: { id: "other" }, updateMask: { paths: ["primary_party"] } }],
    ["PATCH", "/v2/users/{user-id}", party, {}],
    ["POST", "/v2/users/{user-id}/rights", party, {}],
    ["PATCH", "/v2/users/{user-id}/rights", party, { userId: "other" }],
    ["PATCH", "/v2/users/{user-id}/identity-provider-id", party, {}],
    ["PATCH", "/v2/idps/{idp-id}", { "idp-id": "a" }, { identityProviderConfig: { identityProviderId: "b" } }],
    ["PATCH", "/v2/parties/{party}", { party: "a" }, { partyDetails: { party: "b" } }],
    ["GET", "/v2/users/{user-id}", { "user-id": "bad id" }, undefined],
    ["GET", "/v2/users/{user-id}/rights", { "user-id": "bad id" }, undefined],
    ["DELETE", "/v2/users/{user-id}", { "user-id": "bad id" }, undefined],
  ];
  for (const [method, route, params, body] of cases) {
    const answer = await request(api, method, route, { params, body });
    const { code, definiteAnswer, context } = bodyOf(answer) as {
      readonly code: string;
      readonly definiteAnswer: boolean;
      readonly context: object;
    };
    assert.deepEqual([answer.status, code, definiteAnswer, context], [400, "INVALID_ARGUMENT", false, {}], `${method} ${route}`);
  }
});

test("a user id that is none is told with the form of one, in paths and in bodies", async () => {
  const { api } = await start(),
    causeOf = async (...[method, route, asked]: [string, string, object]): Promise<string> =>
      (bodyOf(await request(api, method, route, asked)) as { readonly cause: string }).cause;
  const problem = 'User ID "bad id" does not match regex "[a-zA-Z0-9@^$.!`\\-#+\'~_|:\\(\\)]{1,128}"';
  assert.equal(
    await causeOf("GET", "/v2/users/{user-id}", { params: { "user-id": "bad id" } }),
    `The submitted request has invalid arguments: Malformed user-id: ${problem}`,
  );
  assert.equal(
    await causeOf("POST", "/v2/users", { body: { user: { id: "bad id" } } }),
    `The submitted command has a field with invalid value: Invalid field id: ${problem}`,
  );
});

test("users: why one was not changed is told with the id of a submission, which every change has for itself; reads have none", async () => {
  const { api } = await start(),
    user = { id: "nobody" };
  await request(api, "POST", "/v2/users", { body: { user: { id: "u" } } });
  const changes: readonly (readonly [method: string, route: string, asked: object])[] = [
    ["POST", "/v2/users", { body: { user: { id: "u" } } }],
    ["PATCH", "/v2/users/{user-id}", { params: nobody, body: { user, updateMask: { paths: ["primary_party"] } } }],
    ["DELETE", "/v2/users/{user-id}", { params: nobody }],
    ["POST", "/v2/users/{user-id}/rights", { params: nobody, body: { userId: "nobody" } }],
    ["PATCH", "/v2/users/{user-id}/rights", { params: nobody, body: { userId: "nobody" } }],
  ];
  const submissionIdOf = async (...[method, route, asked]: (typeof changes)[number]): Promise<unknown> => {
    const answer = await request(api, method, route, asked);
    assert.ok(answer.status === 404 || answer.status === 409, `${method} ${route}: ${answer.text}`);
    return (bodyOf(answer) as { readonly context: { readonly submissionId?: string } }).context.submissionId;
  };
  const ids = await Promise.all(changes.map((change) => submissionIdOf(...change)));
  for (const id of ids) assert.match(String(id), /^'[0-9a-f-]{36}'$/);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(await submissionIdOf("GET", "/v2/users/{user-id}", { params: nobody }), undefined);
});

test("wrong shapes are told in plain text, with the place", async () => {
  const { api } = await start();
  for (const [body, place] of [
    [{ user: { id: "u", isDeactivated: "yes" } }, "isDeactivated"],
    [{ user: { id: "u" }, rights: [{ kind: { Nope: {} } }] }, "kind"],
    [{ user: { id: "u" }, rights: [{ kind: { ParticipantAdmin: {} } }] }, "value"],
    [{ user: { id: 5 } }, "id"],
  ] as const) {
    const answer = await request(api, "POST", "/v2/users", { body });
    assert.equal(answer.status, 400);
    assert.match(answer.text, new RegExp(`^Invalid value for: body \\(.*${place}`));
  }
});

test("without authentication there is no authenticated user", async () => {
  const { api } = await start();
  const { code, cause } = bodyOf(await request(api, "GET", "/v2/authenticated-user")) as { readonly code: string; readonly cause: string };
  assert.equal(code, "INVALID_TOKEN");
  assert.match(cause, /No tokens are asked for here\. .*\/v2\/users\/\{user-id\}/);
});

test("an admin of an identity provider who names none means his own", async () => {
  const asked: string[] = [];
  const { api, administration } = await start(adminOfIdp1, {
    listParties: ({ identityProviderId }) => {
      asked.push(identityProviderId);
      return ok({ parties: [], nextPageToken: "" });
    },
    getParties: (_, identityProviderId) => {
      asked.push(identityProviderId);
      return [];
    },
  });
  await withProvider(administration, "idp1");
  okOf(await createUser(administration, "outside"));
  assert.equal((await request(api, "POST", "/v2/users", { body: { user: { id: "inside" } } })).status, 200);
  assert.equal(okOf(administration.getUser({ userId: "inside", identityProviderId: "idp1" })).identityProviderId, "idp1");
  const { users } = bodyOf(await request(api, "GET", "/v2/users")) as { readonly users: readonly { readonly id: string }[] };
  assert.deepEqual(
    users.map(({ id }) => id),
    ["inside"],
  );
  assert.equal((await request(api, "GET", "/v2/users/{user-id}", { params: { "user-id": "outside" } })).status, 403);
  assert.equal(
    (await request(api, "GET", "/v2/users/{user-id}", { params: { "user-id": "inside" }, query: "identity-provider-id=idp2" })).status,
    403,
  );
  const { partyDetails } = bodyOf(await request(api, "POST", "/v2/parties", { body: { partyIdHint: "p" } })) as {
    readonly partyDetails: { readonly identityProviderId: string };
  };
  assert.equal(partyDetails.identityProviderId, "idp1");
  await request(api, "GET", "/v2/parties");
  await request(api, "GET", "/v2/parties/{party}", { params: { party: "p::1220ab" } });
  assert.deepEqual(asked, ["idp1", "idp1"]);
});

test("a participant admin who names no identity provider means the default one", async () => {
  const { api, administration } = await start({ userId: "root", identityProviderId: "", rights: { ...noRights, participantAdmin: true } });
  await withProvider(administration, "idp1");
  okOf(await createUser(administration, "inside", { identityProviderId: "idp1" }));
  assert.equal((await request(api, "GET", "/v2/users/{user-id}", { params: { "user-id": "inside" } })).status, 403);
  assert.equal(
    (await request(api, "GET", "/v2/users/{user-id}", { params: { "user-id": "inside" }, query: "identity-provider-id=idp1" })).status,
    200,
  );
  assert.equal((await request(api, "DELETE", "/v2/users/{user-id}", { params: { "user-id": "inside" } })).status, 403);
});

test("users of another identity provider are listed, asked for their rights and deleted by who names it", async () => {
  const { api, administration } = await start({ userId: "root", identityProviderId: "", rights: { ...noRights, participantAdmin: true } });
  await withProvider(administration, "idp1");
  okOf(await createUser(administration, "inside", { identityProviderId: "idp1" }, [may("CanReadAs", "p")]));
  const params = { "user-id": "inside" },
    query = "identity-provider-id=idp1";
  const ask = async (method: string, route: string, asked: object): Promise<unknown> => bodyOf(await request(api, method, route, asked));
  const { users } = (await ask("GET", "/v2/users", { query })) as { readonly users: readonly { readonly id: string }[] };
  assert.deepEqual(
    users.map(({ id }) => id),
    ["inside"],
  );
  const rights = [{ kind: { CanReadAs: { value: { party: "p" } } } }];
  assert.deepEqual(await ask("GET", "/v2/users/{user-id}/rights", { params, query }), { rights });
  assert.equal((await request(api, "GET", "/v2/users/{user-id}/rights", { params })).status, 403);
  assert.deepEqual(await ask("DELETE", "/v2/users/{user-id}", { params, query }), {});
});

test("an admin of an identity provider names no other one where users are listed, asked for their rights or deleted", async () => {
  const { api } = await start(adminOfIdp1);
  for (const [method, route] of [
    ["GET", "/v2/users"],
    ["GET", "/v2/users/{user-id}/rights"],
    ["DELETE", "/v2/users/{user-id}"],
    ["GET", "/admin/authenticated-user/rights"],
  ] as const)
    assert.equal((await request(api, method, route, { params: party, query: "identity-provider-id=idp2" })).status, 403, route);
});

test("a user is told his own rights without being named, where there are tokens", async () => {
  const { api, administration } = await start({ userId: "u", identityProviderId: "idp1", rights: noRights });
  await withProvider(administration, "idp1");
  okOf(await createUser(administration, "u", { identityProviderId: "idp1" }, [may("CanActAs", "p")]));
  assert.deepEqual(bodyOf(await request(api, "GET", "/admin/authenticated-user/rights")), {
    rights: [{ kind: { CanActAs: { value: { party: "p" } } } }],
  });
  const { code } = bodyOf(await request((await start()).api, "GET", "/admin/authenticated-user/rights")) as { readonly code: string };
  assert.equal(code, "INVALID_TOKEN");
});

test("a party is moved to another identity provider by participant admins only", async () => {
  const route = "/admin/parties/{party}/identity-provider-id",
    params = { party: "p::1220ab" };
  const { api, administration, parties } = await start();
  await withProvider(administration, "idp1");
  await parties.allocate({ hint: "p", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" });
  const moved = await request(api, "PATCH", route, { params, body: { targetIdentityProviderId: "idp1" } });
  assert.deepEqual([moved.status, bodyOf(moved), parties.get("p::1220ab")?.identityProviderId], [200, {}, "idp1"]);
  const again = await request(api, "PATCH", route, { params, body: { targetIdentityProviderId: "idp1" } });
  assert.deepEqual([again.status, (bodyOf(again) as { readonly code: string }).code], [404, "PARTY_NOT_FOUND"]);
  const forbidden = await request((await start(adminOfIdp1)).api, "PATCH", route, { params, body: { sourceIdentityProviderId: "idp1" } });
  assert.equal(forbidden.status, 403);
});

test("package vetting: changes, windows and serials reach the ledger as meant, and its state is printed", async () => {
  const seen: VettingUpdate[] = [];
  const state = {
    packages: [{ packageId: "ab", name: "n", version: "1.0.0", vetting: { validFrom: 1_577_836_800_000_000n, validUntil: undefined } }],
    participantId: "p::1220",
    synchronizerId: "s::1220",
    serial: 3,
  };
  const { api } = await start(undefined, {
    updateVettedPackages: (update) => {
      seen.push(update);
      return Promise.resolve(ok({ past: undefined, next: state }));
    },
  });
  const body = {
    changes: [
      { operation: { Vet: { value: { packages: [{ packageId: "ab" }], newValidFromInclusive: "2020-01-01T00:00:00Z" } } } },
      { operation: { Unvet: { value: { packages: [{ packageName: "n", packageVersion: "1.0.0" }] } } } },
      { operation: { Empty: {} } },
    ],
    expectedTopologySerial: { serial: { Prior: { value: 2 } } },
    updateVettedPackagesForceFlags: ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES"],
  };
  for (const route of ["/v2/package-vetting/update", "/v2/package-vetting"]) {
    assert.deepEqual(bodyOf(await request(api, "POST", route, { body })), {
      pastVettedPackages: null,
      newVettedPackages: {
        packages: [
          {
            packageId: "ab",
            validFromInclusive: "2020-01-01T00:00:00Z",
            validUntilExclusive: null,
            packageName: "n",
            packageVersion: "1.0.0",
          },
        ],
        participantId: "p::1220",
        synchronizerId: "s::1220",
        topologySerial: 3,
      },
    });
  }
  assert.deepEqual(seen[0], {
    changes: [
      { kind: "vet", packages: [{ packageId: "ab", name: "", version: "" }], validFrom: 1_577_836_800_000_000n, validUntil: undefined },
      { kind: "unvet", packages: [{ packageId: "", name: "n", version: "1.0.0" }] },
      undefined,
    ],
    dryRun: false,
    synchronizerId: "",
    expectedSerial: 2,
    allowIncompatibleUpgrades: true,
  });
  const noDay = {
    changes: [{ operation: { Vet: { value: { packages: [{ packageId: "ab" }], newValidUntilExclusive: "2020-02-31T00:00:00Z" } } } }],
  };
  assert.equal((await request(api, "POST", "/v2/package-vetting/update", { body: noDay })).status, 400);
  assert.equal(seen.length, 2);
  for (const NoPrior of [{}, null])
    assert.equal(
      (await request(api, "POST", "/v2/package-vetting/update", { body: { expectedTopologySerial: { serial: { NoPrior } } } })).status,
      200,
    );
  assert.deepEqual(
    seen.slice(2).map(({ expectedSerial }) => expectedSerial),
    ["none", "none"],
  );
  const otherFlag = { updateVettedPackagesForceFlags: ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES"] };
  assert.equal((await request(api, "POST", "/v2/package-vetting/update", { body: otherFlag })).status, 200);
  assert.equal(seen.at(-1)!.allowIncompatibleUpgrades, false);
});
