import assert from "node:assert/strict";
import { test } from "node:test";
import { fail, isFailure, ok } from "../../src/base/result.js";
import { ChangeQueue } from "../../src/ledger/admin/change-queue.js";
import type { Draft } from "../../src/ledger/admin/draft.js";
import type { Right } from "../../src/ledger/admin/rights.js";
import type { Change } from "../../src/ledger/admin/tables.js";
import { invalidArgument } from "../../src/ledger/model/errors.js";
import { type LedgerErrorData, storageUnavailable } from "../../src/ledger/model/index.js";
import { MemoryTables } from "./memory-tables.js";
import { anybody, codeOf, createUser, okOf, world, worldOver } from "./world.js";

const queueOver = (tables: MemoryTables): ChangeQueue => new ChangeQueue(tables, () => undefined);
const mark = (key: string) => (draft: Draft) => {
  draft.put("marks", key, true);
  return ok(key);
};

test("changes of one turn become one write, each on the outcome of those before", async () => {
  const tables = new MemoryTables();
  const queue = queueOver(tables);
  const count = (draft: Draft) => ok(draft.keys("marks", { prefix: "", after: "", limit: 100 }).length);
  const answers = await Promise.all([queue.run(mark("a")), queue.run(mark("b")), queue.run(count), queue.run(mark("a")), queue.run(count)]);
  assert.deepEqual(
    answers.map((answer) => answer.ok),
    ["a", "b", 2, "a", 2],
  );
  assert.equal(tables.writes, 1);
});

test("a refused change leaves no trace, also not of what it had put before", async () => {
  const tables = new MemoryTables();
  const queue = queueOver(tables);
  const half = (draft: Draft) => {
    draft.put("marks", "half", true);
    return fail(invalidArgument("no"));
  };
  const [refused, kept] = await Promise.all([queue.run(half), queue.run(mark("a"))]);
  assert.equal(codeOf(refused), "INVALID_ARGUMENT");
  assert.equal(kept.ok, "a");
  assert.deepEqual(tables.keys("marks", { prefix: "", after: "", limit: 9 }), ["a"]);
});

test("a write that throws is told to all of its group, and the next ones go on", async (t) => {
  const tables = new MemoryTables(),
    queue = queueOver(tables),
    write = t.mock.method(tables, "write");
  write.mock.mockImplementationOnce(() => Promise.reject(new Error("a bug in another part of the commit")));
  const told = await Promise.allSettled([queue.run(mark("a")), queue.run(mark("b"))]);
  assert.deepEqual(
    told.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal((await queue.run(mark("c"))).ok, "c");
  assert.deepEqual(tables.keys("marks", { prefix: "", after: "", limit: 9 }), ["c"]);
});

test("when the disk refuses, everybody of the group hears it and nothing was changed", async () => {
  const { tables, administration } = await world();
  const before = tables.dump();
  tables.failing = true;
  const codes = (await Promise.all([createUser(administration, "a"), createUser(administration, "b")])).map(codeOf);
  assert.deepEqual(codes, ["SERVICE_NOT_RUNNING", "SERVICE_NOT_RUNNING"]);
  assert.equal(tables.dump(), before);
  assert.equal(administration.findUser("a"), undefined);
  tables.failing = false;
  okOf(await createUser(administration, "a"));
});

test("what only takes away is written apart from what adds, in their order, so that on a full disk the one goes and the other is refused", async (t) => {
  const { tables, administration } = await world(),
    alice: Right = { kind: "CanActAs", party: "alice" },
    bob: Right = { kind: "CanActAs", party: "bob" },
    ofUser = (userId: string) => ({ userId, identityProviderId: "" });
  for (const userId of ["gone", "kept"]) okOf(await createUser(administration, userId, {}, [alice, bob]));
  const write = tables.write.bind(tables),
    writes: boolean[] = [];
  t.mock.method(tables, "write", (changes: readonly Change[], options: { readonly removes: boolean }) => {
    writes.push(options.removes);
    return options.removes ? write(changes) : Promise.resolve(fail(storageUnavailable()));
  });
  const answers = await Promise.all([
    createUser(administration, "first"),
    administration.deleteUser(ofUser("gone"), anybody),
    administration.revokeRights({ ...ofUser("kept"), rights: [bob] }, anybody),
    administration.revokeRights({ ...ofUser("kept"), rights: [bob] }, anybody), // nothing any more
    createUser(administration, "gone"),
    administration.grantRights({ ...ofUser("kept"), rights: [bob] }, anybody),
    administration.deleteUser(ofUser("kept"), anybody),
  ]);
  const refused = "SERVICE_NOT_RUNNING";
  assert.deepEqual(
    answers.map((answer) => (isFailure<unknown, LedgerErrorData>(answer) ? answer.error.code : "done")),
    [refused, "done", "done", "done", refused, refused, "done"],
  );
  assert.deepEqual(writes, [false, true, false, true]);
  for (const userId of ["first", "gone", "kept"]) assert.equal(administration.findUser(userId), undefined);
});

test("a bug in one change reaches its caller only", async () => {
  const tables = new MemoryTables();
  const queue = queueOver(tables);
  const [broken, fine] = await Promise.allSettled([
    queue.run(() => {
      throw new Error("bug");
    }),
    queue.run(mark("a")),
  ]);
  assert.equal(broken.status, "rejected");
  assert.equal(fine.status, "fulfilled");
});

test("nobody is answered before the write: what is answered can be read", async () => {
  const { administration } = await world();
  const answered = createUser(administration, "later", {}, [], anybody);
  assert.equal(codeOf(administration.getUser({ userId: "later", identityProviderId: "" })), "USER_NOT_FOUND");
  okOf(await answered);
  okOf(administration.getUser({ userId: "later", identityProviderId: "" }));
});

test("the default admin comes once: deleted, it stays deleted at the next start", async () => {
  const { tables, administration } = await world();
  okOf(await administration.deleteUser({ userId: "participant_admin", identityProviderId: "" }, anybody));
  const again = await worldOver(tables);
  assert.equal(codeOf(again.administration.getUser({ userId: "participant_admin", identityProviderId: "" })), "USER_NOT_FOUND");
});
