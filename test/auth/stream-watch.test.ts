import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { noRights, type Caller, type Watched } from "../../src/auth/index.js";
import { authenticationWith, TestDirectory } from "./directory.js";
import { good, hs256, nowSeconds } from "./tokens.js";

async function watched(payload: Readonly<Record<string, unknown>> = {}, leewaySeconds = 0, watched: Watched = "stream") {
  mock.timers.enable({ apis: ["setInterval"] });
  let nowMs = Date.now();
  const directory = new TestDirectory();
  const authentication = await authenticationWith({ directory, nowMs: () => nowMs, rules: { lifeMaxSeconds: 300, leewaySeconds } });
  const caller = (await authentication.authenticate({ token: hs256(good("alice", payload)) })).ok as Caller;
  const watch = authentication.watch(caller, watched);
  const pass = (ms: number): void => {
    nowMs += ms;
    mock.timers.tick(ms);
  };
  return { directory, watch, pass, end: () => watch.end?.reason, watchOf: (of: Caller) => authentication.watch(of, watched) };
}

test.afterEach(() => mock.timers.reset());

test("a stream ends within seconds of its token's end, also when it is idle", async () => {
  const { watch, pass, end } = await watched({ exp: nowSeconds() + 5 });
  pass(3_000);
  assert.equal(end(), undefined);
  pass(4_000);
  assert.equal(end(), "tokenExpired");
  assert.ok(watch.signal.aborted);
});

test("a stream goes on for as long as its token would be taken again, beyond its end where clocks may differ", async () => {
  for (const exp of [nowSeconds() - 10, nowSeconds() + 5]) {
    const { watch, pass, end } = await watched({ exp }, 60);
    const restMs = (exp - nowSeconds() + 60) * 1_000;
    pass(restMs - 2_000);
    assert.deepEqual([end(), watch.signal.aborted], [undefined, false]);
    pass(4_000);
    assert.equal(end(), "tokenExpired");
    mock.timers.reset();
  }
});

test("a list waits on when its token ended, but tells at that moment that nothing more is for its bearer; it ends with a right", async () => {
  const { watch, pass, end } = await watched({ exp: nowSeconds() + 5 }, 0, "list");
  assert.equal(watch.tokenEnd(), undefined);
  pass(5_000);
  assert.equal(watch.tokenEnd()?.reason, "tokenExpired");
  pass(60_000);
  assert.deepEqual([end(), watch.signal.aborted], [undefined, false]);
  mock.timers.reset();
  const { directory, watch: another, pass: passAgain } = await watched({}, 0, "list");
  directory.users.delete("alice");
  passAgain(1_000);
  assert.deepEqual([another.end?.reason, another.tokenEnd(), another.signal.aborted], ["rightsChanged", undefined, true]);
});

test("a stream ends when its user's rights change in any way, at most five seconds later", async () => {
  for (const change of [
    (directory: TestDirectory) => directory.add("alice", { rights: { ...noRights, readAs: new Set(["p"]) } }),
    (directory: TestDirectory) => directory.add("alice", { rights: { ...noRights, participantAdmin: true } }),
    (directory: TestDirectory) => directory.add("alice", { isDeactivated: true }),
    (directory: TestDirectory) => directory.add("alice", { identityProviderId: "idp1" }),
    (directory: TestDirectory) => void directory.users.delete("alice"),
  ]) {
    const { directory, pass, end } = await watched();
    pass(1_000);
    change(directory);
    assert.equal(end(), undefined);
    pass(4_999);
    assert.equal(end(), "rightsChanged");
    mock.timers.reset();
  }
});

test("a new right alone ends a stream at its fifth look, so that a short list does not fail; fewer rights do at once", async () => {
  const more = { ...noRights, readAs: new Set(["p"]) };
  for (const [before, after, isAtOnce] of [
    [noRights, more, false],
    [noRights, { ...noRights, actAsAnyParty: true }, false],
    [more, noRights, true],
    [more, { ...noRights, readAs: new Set(["q", "r"]) }, true],
  ] as const) {
    const { directory, pass, watchOf } = await watched();
    pass(700); // the looks of others are between its own seconds
    directory.add("alice", { rights: before });
    const stream = watchOf({ userId: "alice", identityProviderId: "", rights: before });
    pass(50);
    directory.add("alice", { rights: after });
    pass(1_000);
    assert.equal(stream.end?.reason, isAtOnce ? "rightsChanged" : undefined);
    pass(2_000);
    assert.equal(stream.end?.reason, isAtOnce ? "rightsChanged" : undefined);
    pass(1_500);
    assert.equal(stream.end?.reason, "rightsChanged");
    mock.timers.reset();
  }
});

test("a stream ends when the identity provider of its user is deactivated; others go on", async () => {
  const { directory, watch, pass, end, watchOf } = await watched();
  const ida = watchOf({ userId: "ida", identityProviderId: "idp1", rights: noRights });
  pass(10_000);
  assert.equal(ida.signal.aborted, false);
  const [[issuer, provider] = assert.fail("there is a provider")] = directory.providers;
  directory.providers.set(issuer, { ...provider, isDeactivated: true });
  pass(5_000);
  assert.equal(ida.end?.reason, "rightsChanged");
  assert.deepEqual([end(), watch.signal.aborted], [undefined, false]);
});

test("a stream goes on while its user has the same rights, however they were read", async () => {
  const { directory, pass, end } = await watched();
  for (let i = 0; i < 10; i++) {
    directory.add("alice", { rights: { ...noRights, actAs: new Set() } });
    pass(10_000);
  }
  assert.equal(end(), undefined);
});

test("a closed watch costs and says nothing any more", async () => {
  const { watch, pass, end } = await watched({ exp: nowSeconds() + 5 });
  watch.close();
  watch.close();
  pass(60_000);
  assert.equal(end(), undefined);
  assert.equal(watch.signal.aborted, false);
});
