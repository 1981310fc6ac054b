/** Who is let in: everybody to the registry and Scan, those with a token behind the validator, admins to what governs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Authentication, type Caller, type Credentials } from "../../src/auth/index.js";
import { everyone, noRights } from "../../src/auth/caller.js";
import { fail, ok } from "../../src/base/result.js";
import { silentLog } from "../../src/base/log.js";
import { ledgerApi, serveApis } from "../../src/api/index.js";
import { registryApis } from "../../src/api/registry/index.js";
import { scanApi } from "../../src/api/scan/index.js";
import { validatorApis } from "../../src/api/validator/index.js";
import { localNames, type Splice } from "../../src/splice/index.js";
import { request, servicesWith } from "../api/support.js";
import { ownTurns } from "../support/turns.js";

const user: Caller = { userId: "user", identityProviderId: "", rights: noRights },
  admin: Caller = { ...everyone, userId: "admin" },
  sv: Caller = { userId: "sv", identityProviderId: "", rights: { ...noRights, actAs: new Set(["sv::1"]) } },
  /** Its own party is the SV's, too, but he may not act as it. */
  watcher: Caller = { ...sv, userId: "watcher", rights: noRights };
/** A bearer token is the name of its caller. */
const authentication: Authentication = {
  enabled: true,
  authenticate: ({ token }: Credentials) =>
    (({ user: ok(user), admin: ok(admin), sv: ok(sv), watcher: ok(watcher) }) as const)[token ?? ""]
    ?? fail({ reason: "unauthenticated", detail: "no token" } as const),
  watch: () => {
    throw new Error("nothing here streams");
  },
} as unknown as Authentication;

const missing = fail({ kind: "notFound", message: "not here" } as const);
const page = { results: [], nextPageToken: undefined };
const splice = {
  names: localNames,
  tokens: [],
  metadata: { info: () => Promise.resolve(ok({ adminId: "dso", supportedApis: {} })) },
  votes: { page: () => Promise.resolve(ok(page)) },
  users: { partyOf: (userId: string) => (["sv", "watcher"].includes(userId) ? "sv::1" : undefined), names: () => [] },
  network: { dsoParty: () => Promise.resolve(ok("dso")), dso: () => Promise.resolve(ok({})), voteRequest: () => Promise.resolve(missing) },
  voting: { party: () => Promise.resolve("sv::1"), votePrice: () => Promise.resolve(missing), cast: () => Promise.resolve(missing) },
} as unknown as Splice;
const services = servicesWith({}),
  spliceServices = { splice, ready: () => true, participantId: "participant::1" };
const served = serveApis(
  [
    ledgerApi({ services, authentication }),
    scanApi(spliceServices),
    ...registryApis({ splice, authentication }),
    ...validatorApis({ services: spliceServices, authentication }),
  ],
  { log: silentLog, turns: ownTurns(), listElementsMax: 200, listWaitMs: 30, observe: () => undefined },
);

const statuses = async (
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: object,
  tokens: readonly (string | undefined)[] = [undefined, "unknown", "user", "admin"],
): Promise<readonly number[]> => {
  const answers = [];
  for (const token of tokens)
    answers.push(
      (
        await request(served, method, path, {
          ...(body ? { body } : {}),
          ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
        })
      ).status,
    );
  return answers;
};

test("tokens: the registry and Scan look at none; behind the validator any user is let in, and the same is closed to others", async () => {
  assert.deepEqual(await statuses("GET", "/registry/metadata/v1/info"), [200, 200, 200, 200]);
  assert.deepEqual(await statuses("GET", "/api/scan/v0/dso-party-id"), [200, 200, 200, 200]);
  assert.deepEqual(await statuses("GET", "/api/validator/v0/scan-proxy/registry/metadata/v1/info"), [401, 401, 200, 200]);
  assert.deepEqual(await statuses("GET", "/api/validator/v0/scan-proxy/dso-party-id"), [401, 401, 200, 200]);
  assert.deepEqual(await statuses("GET", "/api/validator/v0/validator-user"), [404, 404, 404, 404]);
});

test("tokens: votes and users are for admins where they stand behind a validator or an SV, and open on Scan", async () => {
  for (const prefix of ["/api/validator", "/api/sv"])
    assert.deepEqual(await statuses("POST", `${prefix}/v0/admin/sv/voteresults`, { limit: 1 }), [401, 401, 403, 200]);
  assert.deepEqual(await statuses("POST", "/api/scan/v0/admin/sv/voteresults", { limit: 1 }), [200, 200, 200, 200]);
  assert.deepEqual(await statuses("GET", "/api/validator/v0/admin/users"), [401, 401, 403, 200]);
  const unknown = await request(served, "GET", "/api/validator/v0/admin/users", {});
  assert.deepEqual(
    [JSON.parse(unknown.text), unknown.headers?.["www-authenticate"]],
    [{ error: "The supplied authentication is invalid" }, `Bearer realm="splice"`],
  );
});

test("tokens: an SV's operations are for the user whose own party it is and who may act as it, not for others of its party", async () => {
  for (const [method, path, body, wanted] of [
    ["GET", "/v0/admin/authorization", undefined, 200],
    ["POST", "/v0/admin/sv/voteresults", { limit: 1 }, 200],
    ["PUT", "/v0/admin/sv/amulet-price/vote", { amulet_price: "1.0" }, 404],
  ] as const)
    assert.deepEqual(await statuses(method, `/api/sv${path}`, body, ["sv", "watcher", "user", "admin"]), [wanted, 403, 403, wanted], path);
  const told = await request(served, "GET", "/api/sv/v0/admin/authorization", { headers: { authorization: "Bearer user" } });
  assert.deepEqual(JSON.parse(told.text), { error: "Authorization Failed for user" });
  assert.deepEqual(await statuses("GET", "/api/sv/v1/dso"), [200, 200, 200, 200], "what is public stays so");
  assert.deepEqual(
    await statuses("POST", "/api/validator/v0/admin/sv/voteresults", { limit: 1 }, ["sv"]),
    [403],
    "a validator is not the SV",
  );
});

test("tokens: what this node has not of an SV's operations is told to those who operate it, to nobody else", async () => {
  for (const [method, path] of [
    ["GET", "/v0/admin/domain/cometbft/status"],
    ["POST", "/v0/onboard/validator"],
    ["POST", "/v0/admin/reward-accounting-process/archive-dry-runs"],
  ] as const)
    assert.deepEqual(
      await statuses(method, `/api/sv${path}`, undefined, [undefined, "sv", "watcher", "user", "admin"]),
      [401, 501, 403, 403, 501],
      path,
    );
  const told = await request(served, "GET", "/api/sv/v0/admin/domain/cometbft/status", { headers: { authorization: "Bearer user" } });
  assert.deepEqual(JSON.parse(told.text), { error: "Authorization Failed for user" });
});

test("tokens: what an SV votes, by POST and by PUT, is for those who operate it", async () => {
  for (const [method, path, body] of [
    ["PUT", "amulet-price/vote", { amulet_price: "1.0" }],
    ["POST", "votes", { vote_request_contract_id: "x", is_accepted: true, reason_url: "", reason_description: "" }],
  ] as const)
    assert.deepEqual(await statuses(method, `/api/sv/v0/admin/sv/${path}`, body), [401, 401, 403, 404], path);
});
