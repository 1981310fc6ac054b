import assert from "node:assert/strict";
import { test } from "node:test";
import { fail, ok } from "../../src/base/result.js";
import { ChangeQueue } from "../../src/ledger/admin/change-queue.js";
import type { Draft } from "../../src/ledger/admin/draft.js";
import { invalidArgument } from "../../src/ledger/model/errors.js";
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
