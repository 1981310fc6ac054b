/**
 * The recorded matrix, cell by cell, through our own operations: real tokens, real users and rights, and a ledger that
 * says yes to whatever it is asked. A cell is equal, or falls under one of the named rules below.
 */
import assert from "node:assert/strict";
import { readPlainSubmission } from "../../src/api/ledger/plain-submissions.js";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { silentLog } from "../../src/base/log.js";
import { fail, ok } from "../../src/base/result.js";
import type { Served } from "../../src/api/index.js";
import { servedNode } from "../support/served.js";
import { ledgerOperations } from "../../src/api/ledger/index.js";
import { createAuthentication } from "../../src/auth/token-authentication.js";
import { invalidArgument, ledgerError, missingField } from "../../src/ledger/model/errors.js";
import type { Ledger } from "../../src/ledger/ledger.js";
import type { UpdateFormatRequest } from "../../src/ledger/reading/formats.js";
import { answerOf, FakeMessage, FakeSocket, ledgerWith, NumberCursor, played } from "../api/support.js";
import { createUser, may, okOf, withProvider, world } from "../admin/world.js";
import { testData } from "../support/paths.js";
import { matrixRequests, type MatrixWorld } from "./matrix-requests.js";
import { Verdicts } from "./stricter-rules.js";
import { good, hs256, keyHolder, nowSeconds, participantId, secret, type KeyHolder, type Payload } from "./tokens.js";

interface Matrix {
  readonly principals: readonly string[];
  readonly lines: readonly (readonly [string, string, string])[];
}
const matrix = JSON.parse(readFileSync(testData("auth", "matrix.json"), "utf8")) as Matrix;

const A = "A::1220ab",
  B = "B::1220ab",
  P1 = "P1::1220ab";

const saysYes: Partial<Ledger> = {
  participantId,
  submit: (request) =>
    Promise.resolve(request.actAs.length === 0 ? fail(missingField("actAs")) : ok({ updateId: "1220ab", completionOffset: 7 })),
  submitUnread: async ({ body, userId, accepts }) => {
    const plain = readPlainSubmission(body);
    if (plain === undefined || plain.actAs.length === 0 || !accepts({ ...plain, userId: plain.userId || userId }))
      return { kind: "to be read" };
    return { kind: "submitted", submissionId: "", result: ok({ updateId: "1220ab", completionOffset: 7 }) };
  },
  submitAsync: () => Promise.resolve(ok(undefined)),
  prunedOffsets: () => ({ participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0 }),
  openUpdates: () => ok(new NumberCursor(1)),
  openCompletions: ({ userId, parties }) =>
    userId === undefined || parties.length > 0 ? ok(new NumberCursor(1)) : fail(missingField("parties")),
  openActiveContracts: () => ok(new NumberCursor(1)),
  readUpdateAs: (_, { format }) =>
    Promise.resolve(!("unreadable" in format) && namesParties(format) ? ok("{}") : fail(invalidArgument("no parties"))),
  readEventsByContractId: () => Promise.resolve(ok("{}")),
  readContract: () => Promise.resolve(ok("{}")),
  readUpdatesPage: () => Promise.resolve(ok(Buffer.from("{}"))),
  readActiveContractsPage: () => Promise.resolve(ok(Buffer.from("{}"))),
  validateDar: () => Promise.resolve(ok(undefined)),
  uploadDar: () => Promise.resolve(ok(undefined)),
  listPackages: () => [],
  readPackage: () => ok(new Uint8Array()),
  isPackageKnown: () => true,
  packageSummary: () => undefined,
  listVettedPackages: () => ok({ states: [], nextPageToken: new Uint8Array() }),
  updateVettedPackages: () =>
    Promise.resolve(ok({ past: undefined, next: { packages: [], participantId, synchronizerId: "s", serial: 1 } })),
  preferredPackages: () => ok({ packages: [], synchronizerId: "s" }),
  preferredPackageVersion: () => ok(undefined),
  listParties: () => ok({ parties: [], nextPageToken: "" }),
  external: {
    isExternal: () => false,
    generateTopology: () => ok({ party: "p::1220", fingerprint: "1220", transactions: [], combinedHash: new Uint8Array(34) }),
    readOnboarding: () => ok(() => Promise.resolve(ok({ party: "p::1220", isSigned: true }))),
    allocate: () => Promise.resolve(ok({ party: "p::1220", isSigned: true })),
  },
  reassign: () => Promise.resolve(fail(invalidArgument("there is one synchronizer"))),
  reassignAsync: () => Promise.resolve(fail(invalidArgument("there is one synchronizer"))),
  interactive: {
    prepare: () =>
      Promise.resolve(ok({ transaction: new Uint8Array(), hash: new Uint8Array(32), hashingDetails: undefined, preparedAt: 0n })),
    execute: () => Promise.resolve(fail(ledgerError("FAILED_TO_EXECUTE_TRANSACTION", "not signed"))),
    executeAsync: () => Promise.resolve(fail(ledgerError("FAILED_TO_EXECUTE_TRANSACTION", "not signed"))),
  },
  getParties: () => [],
  hostsOf: () => [],
};

const namesParties = ({ includeTransactions }: UpdateFormatRequest): boolean =>
  includeTransactions !== undefined
  && (Object.keys(includeTransactions.eventFormat.filtersByParty).length > 0
    || includeTransactions.eventFormat.filtersForAnyParty !== undefined);

async function start() {
  const { administration, parties } = await world();
  for (const id of ["idp1", "idp2"]) await withProvider(administration, id);
  for (const [hint, identityProviderId] of [
    ["A", ""],
    ["B", ""],
    ["P1", "idp1"],
  ] as const)
    await parties.allocate({ hint, annotations: {}, identityProviderId, synchronizerId: "", userId: "" });
  const users: readonly (readonly [string, Parameters<typeof createUser>[3], object?])[] = [
    ["u-none", []],
    ["u-deactivated", [may("CanActAs", A), { kind: "ParticipantAdmin" }], { isDeactivated: true }],
    ["u-read-a", [may("CanReadAs", A)]],
    ["u-act-a", [may("CanActAs", A)]],
    ["u-exec-a", [may("CanExecuteAs", A)]],
    ["u-read-any", [{ kind: "CanReadAsAnyParty" }]],
    ["u-exec-any", [{ kind: "CanExecuteAsAnyParty" }]],
    ["u-admin", [{ kind: "ParticipantAdmin" }]],
    ["u-idpadmin", [{ kind: "IdentityProviderAdmin" }]],
    ["idp1-admin", [{ kind: "IdentityProviderAdmin" }], { identityProviderId: "idp1" }],
    ["idp1-victim", [], { identityProviderId: "idp1" }],
    ["idp2-admin", [{ kind: "IdentityProviderAdmin" }], { identityProviderId: "idp2" }],
    ["victim", []],
  ];
  for (const [id, rights, fields] of users) okOf(await createUser(administration, id, fields, rights));
  const keys = { idp1: await keyHolder("RS256", "idp1"), idp2: await keyHolder("RS256", "idp2") };
  const authentication = await createAuthentication({
    services: [{ kind: "secret", secret }],
    participantId,
    directory: administration,
    rules: { lifeMaxSeconds: 300, leewaySeconds: 0 },
    nowMs: Date.now,
    elapsedMs: () => performance.now(),
    requestKeySet: (url) => Promise.resolve(url.includes("idp1") ? keys.idp1.keySet : keys.idp2.keySet),
  });
  if (authentication.error !== undefined) throw new Error(authentication.error);
  const api = servedNode({
    services: { ledger: ledgerWith(saysYes), administration, ready: () => true, staticTime: false },
    authentication: authentication.ok,
    log: silentLog,
    listElementsMax: 200,
    listWaitMs: 5,
    observe: () => undefined,
  });
  return { api, administration, keys };
}

type Principals = Readonly<Record<string, { readonly user: string; readonly token: () => string | Promise<string> | undefined }>>;

function principalsOf(keys: Readonly<Record<"idp1" | "idp2", KeyHolder>>): Principals {
  const admin = "participant_admin";
  const of = (user: string, more: Payload = {}) => ({ user, token: () => hs256(good(user, more)) });
  const issued = (idp: "idp1" | "idp2") => ({
    user: `${idp}-admin`,
    token: () => keys[idp].sign(good(`${idp}-admin`, { iss: `https://${idp}.example` })),
  });
  return {
    none: { user: admin, token: () => undefined },
    malformed: { user: admin, token: () => "not.a.token" },
    "bad-signature": { user: admin, token: () => hs256(good(admin), "another-secret") },
    "alg-none": { user: admin, token: () => hs256(good(admin), secret, { alg: "none", typ: "JWT" }).replace(/[^.]*$/, "") },
    expired: of(admin, { exp: nowSeconds() - 60 }),
    "not-yet-valid": of(admin, { nbf: nowSeconds() + 100 }),
    "no-exp": of(admin, { exp: undefined }),
    "long-life": of(admin, { exp: nowSeconds() + 3_600 }),
    "wrong-audience": of(admin, { scope: undefined, aud: "https://daml.com/jwt/aud/participant/other" }),
    "wrong-scope": of(admin, { scope: "other" }),
    "unknown-user": of("nobody"),
    deactivated: of("u-deactivated"),
    "no-rights": of("u-none"),
    "read-A": of("u-read-a"),
    "act-A": of("u-act-a"),
    "execute-A": of("u-exec-a"),
    "read-any": of("u-read-any"),
    "execute-any": of("u-exec-any"),
    "idp-admin-default": of("u-idpadmin"),
    "idp-admin-own": issued("idp1"),
    "idp-admin-foreign": issued("idp2"),
    admin: of("u-admin"),
  };
}

/** `403/NA` with a failed lookup is `403t`; other codes are named. */
function outcomeOf(status: number, body: string): string {
  if (status === 200) return "200";
  const error = body.startsWith("{")
    ? (JSON.parse(body) as { readonly code?: string; readonly context?: Readonly<Record<string, string>> })
    : {};
  const lookup = error.context?.["ledger_api_error"] === undefined ? "" : "t";
  return error.code === undefined || error.code === "NA" ? `${status}${lookup}` : `${status}/${error.code}`;
}

async function overHttp(
  api: Served,
  operation: string,
  request: { readonly path: string; readonly body?: unknown },
  headers: ReadonlyMap<string, string>,
): Promise<string> {
  const [method, pattern] = operation.split(" ") as [string, string];
  const route = api.routes.find((candidate) => candidate.method === method && candidate.path === pattern);
  assert.ok(route, operation);
  const [path, query = ""] = request.path.split("?") as [string, string?];
  const names = pattern.split("/"),
    texts = path.split("/");
  const params = Object.fromEntries(
    names.flatMap((name, index) => (name.startsWith("{") ? [[name.slice(1, -1), decodeURIComponent(texts[index]!)]] : [])),
  );
  const body =
    request.body instanceof Uint8Array ? request.body : Buffer.from(request.body === undefined ? "" : JSON.stringify(request.body));
  const { status, text } = answerOf(
    await played(route, { method, path, query, headers, params, body, signal: new AbortController().signal }),
  );
  return outcomeOf(status, text);
}

async function overSocket(api: Served, operation: string, body: unknown, headers: ReadonlyMap<string, string>): Promise<string> {
  const route = api.webSockets.find(({ path }) => path === operation.split(" ")[1]);
  assert.ok(route, operation);
  const upgrade = await route.upgrade({ method: "GET", path: route.path, query: "", headers, params: {} });
  if ("reject" in upgrade) return outcomeOf(upgrade.reject.status, String(upgrade.reject.body));
  const socket = new FakeSocket();
  socket.leavesAfter = 1;
  // It leaves with the first frame.
  await route.open(socket, upgrade.accept.context, new FakeMessage(JSON.stringify(body))).catch(() => undefined);
  const [frame = ""] = socket.frames;
  const error = JSON.parse(frame) as { readonly code?: string; readonly grpcCodeValue?: number };
  if (error.code === undefined) return "data";
  const status = error.grpcCodeValue === 16 ? 401 : error.grpcCodeValue === 7 ? 403 : 400;
  return `f${outcomeOf(status, frame)}`;
}

test("matrix: every recorded cell is equal or falls under a named rule", async (context) => {
  const { api, administration, keys } = await start();
  const principals = principalsOf(keys);
  let names = 0;
  const fresh = (prefix: string): string => `${prefix}-${++names}`;
  const victim = async (identityProviderId: string): Promise<string> =>
    okOf(await createUser(administration, fresh("v"), { identityProviderId })).id;
  const providers: string[] = [];
  const provider = async (): Promise<string> => {
    const id = fresh("idp");
    await withProvider(administration, id);
    providers.push(id);
    return id;
  };
  const verdicts = new Verdicts();
  for (const [operation, target, cells] of matrix.lines) {
    for (const [index, recorded] of cells.split(" ").entries()) {
      const principal = matrix.principals[index]!,
        { user, token } = principals[principal]!;
      const make = matrixRequests[operation]?.[target];
      assert.ok(make, `the table of requests has ${operation} for ${target}`);
      const asked: MatrixWorld = { A, B, P1, user, principal, fresh, victim, provider };
      const request = await make(asked),
        text = await token();
      const headers = new Map(text === undefined ? [] : [["authorization", `Bearer ${text}`]]);
      const ours = operation.startsWith("WS")
        ? await overSocket(api, operation, request.body, headers)
        : await overHttp(api, operation, request, headers);
      for (const id of [...providers.splice(0), `idp-${names}`]) await administration.deleteIdentityProvider(id); // there can be 16 only
      verdicts.add({ operation, target, principal, recorded, ours });
    }
  }
  for (const line of verdicts.lines) context.diagnostic(line);
  assert.deepEqual(verdicts.failures, []);
});

test("matrix: every operation has its lines", () => {
  const listed = new Set(matrix.lines.map(([operation]) => operation));
  const missing = Object.values(ledgerOperations)
    .flatMap(({ kind, route }) => (kind === "stream" ? [route, route.replace("POST", "WS")] : [route]))
    .filter((route) => !listed.has(route));
  assert.deepEqual(missing, []);
});
