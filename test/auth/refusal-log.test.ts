/** What a refused client is not told, the operator reads in the log, and nothing of the token or the request with it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Log, LogFields } from "../../src/base/log.js";
import { servedNode } from "../support/served.js";
import { limits } from "../../src/config.js";
import { answerOf, FakeMessage, FakeSocket, ledgerWith, played } from "../api/support.js";
import { createUser, okOf, world } from "../admin/world.js";
import { authenticationWith } from "./directory.js";
import { good, hs256, nowSeconds, participantId } from "./tokens.js";

interface Line {
  readonly message: string;
  readonly fields: LogFields | undefined;
}
const marker = "s3cret-marker";

async function start() {
  const { administration } = await world();
  okOf(await createUser(administration, "alice"));
  okOf(await createUser(administration, "gone", { isDeactivated: true }));
  const lines: Line[] = [];
  const write = (message: string, fields?: LogFields): void => {
    lines.push({ message, fields });
  };
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const api = servedNode({
    services: { ledger: ledgerWith({ participantId }), administration, ready: () => true, staticTime: false },
    authentication: await authenticationWith({ directory: administration }),
    log,
    listElementsMax: 200,
    listWaitMs: 5,
    observe: () => undefined,
  });
  const route = api.routes.find(({ method, path }) => method === "POST" && path === "/v2/users");
  const socket = api.webSockets.find(({ path }) => path === "/v2/updates");
  assert.ok(route && socket);
  const body = Buffer.from(JSON.stringify({ user: { id: marker }, rights: [] }));
  const ask = async (headers: ReadonlyMap<string, string>): Promise<{ readonly status: number; readonly text: string }> =>
    answerOf(
      await played(route, {
        method: "POST",
        path: "/v2/users",
        query: "",
        headers,
        params: {},
        body,
        signal: new AbortController().signal,
      }),
    );
  const connect = async (headers: ReadonlyMap<string, string>): Promise<readonly string[]> => {
    const upgrade = await socket.upgrade({ method: "GET", path: socket.path, query: "", headers, params: {} });
    if ("reject" in upgrade) return [String(upgrade.reject.body)];
    const peer = new FakeSocket();
    await socket.open(peer, upgrade.accept.context, new FakeMessage(JSON.stringify({ beginExclusive: 0, marker })));
    return peer.frames;
  };
  return { lines, ask, connect };
}

const bearer = (token: string): ReadonlyMap<string, string> => new Map([["authorization", `Bearer ${token}`]]);
const marked = (subject: string, more: object = {}): string => hs256(good(subject, { marker, ...more }));

const refused: readonly (readonly [string, ReadonlyMap<string, string>, number, RegExp])[] = [
  ["no token", new Map(), 401, /no token/],
  ["what is no token", bearer(marker), 401, /not a token/],
  ["another signature", bearer(hs256(good("alice", { marker }), marker)), 401, /signature/],
  ["another algorithm", bearer(hs256(good("alice"), marker, { alg: marker })), 401, /not signed by HS256/],
  ["an expired token", bearer(marked("alice", { exp: nowSeconds() - 5 })), 401, /expired/],
  [
    "another participant",
    bearer(marked("alice", { scope: undefined, aud: `https://daml.com/jwt/aud/participant/${marker}` })),
    403,
    /another participant/,
  ],
  ["an unknown user", bearer(marked(marker)), 403, /is not known/],
  ["a deactivated user", bearer(marked("gone")), 403, /is deactivated/],
  ["a missing right", bearer(marked("alice")), 403, /alice lacks the claim identityProviderAdmin/],
];

for (const [what, headers, status, reason] of refused) {
  test(`refusals: ${what} is explained in the log under the answer's trace id, without token or request`, async () => {
    const { ask, lines } = await start();
    const answer = await ask(headers);
    assert.equal(answer.status, status);
    const { traceId, cause } = JSON.parse(answer.text) as { readonly traceId: string; readonly cause: string };
    assert.doesNotMatch(cause, reason);
    assert.deepEqual(
      lines.map(({ message, fields }) => [message, fields?.["operation"], fields?.["traceId"]]),
      [["a request was refused", "createUser", traceId]],
    );
    assert.match(String(lines[0]!.fields?.["reason"]), reason);
    assert.doesNotMatch(JSON.stringify(lines), new RegExp(`${marker}|eyJ`));
  });
}

test("refusals: a scheme without its token is a header that nobody can read, as its plain text tells", async () => {
  const { ask, lines } = await start();
  for (const value of ["Bearer", "Bearer "]) {
    const { status, text } = await ask(new Map([["authorization", value]]));
    assert.deepEqual([status, text], [400, "Invalid value for: header Authorization"]);
  }
  assert.deepEqual(lines, []);
});

test("refusals: a socket's refusal is logged like a request's", async () => {
  const { connect, lines } = await start();
  const refusals: readonly (readonly [ReadonlyMap<string, string>, string, string])[] = [
    [bearer(marked("gone")), "PERMISSION_DENIED", "the user of the token is deactivated"],
    [new Map(), "UNAUTHENTICATED", "no token"],
  ];
  for (const [headers, code, reason] of refusals) {
    const [told] = await connect(headers);
    const { traceId } = JSON.parse(told ?? "") as { readonly traceId: string };
    assert.deepEqual(lines.splice(0), [{ message: "a request was refused", fields: { operation: "updates", code, reason, traceId } }]);
  }
});

test("refusals: however many there are, the log gets a bounded number of lines and how many were left out", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { ask, lines } = await start();
  for (let interval = 0; interval < 2; interval++) {
    for (let index = 0; index < limits.refusalLinesMax + 7; index++) assert.equal((await ask(new Map())).status, 401);
    t.mock.timers.tick(limits.refusalIntervalMs);
    const told = lines.splice(0);
    assert.deepEqual(
      told.slice(0, -1).map(({ message }) => message),
      Array.from({ length: limits.refusalLinesMax }, () => "a request was refused"),
    );
    assert.deepEqual(told.at(-1), { message: "more requests were refused", fields: { leftOut: 7, intervalMs: limits.refusalIntervalMs } });
  }
  await ask(new Map());
  t.mock.timers.tick(limits.refusalIntervalMs);
  assert.deepEqual(
    lines.map(({ message }) => message),
    ["a request was refused"],
  );
});
