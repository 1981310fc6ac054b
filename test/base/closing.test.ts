import assert from "node:assert/strict";
import { test } from "node:test";
import { Closing, waitForAll } from "../../src/base/closing.js";

test("closing: all is closed in reverse, whatever fails, and the first failure is what is told", async () => {
  const closed: string[] = [],
    told: unknown[] = [],
    closing = new Closing((error) => told.push(error));
  const [first, second] = [new Error("the door"), new Error("the pool")];
  closing.add(() => closed.push("folder"));
  closing.add(() => {
    throw second;
  });
  closing.add(async () => {
    await Promise.resolve();
    closed.push("network");
  });
  closing.add(() => Promise.reject(first));
  await assert.rejects(closing.close(), (error) => error === first);
  assert.deepEqual(
    [closed, told],
    [
      ["network", "folder"],
      [first, second],
    ],
  );
});

test("closing: what was closed is not closed again", async () => {
  const closed: string[] = [],
    closing = new Closing(assert.ifError);
  closing.add(() => closed.push("once"));
  await closing.close();
  await closing.close();
  assert.deepEqual(closed, ["once"]);
});

test("closing: who waits for all waits for those behind one that failed", async () => {
  let isOver = false;
  const slow = new Promise<void>((resolve) =>
    setImmediate(() => {
      isOver = true;
      resolve();
    }),
  );
  await assert.rejects(waitForAll([Promise.reject(new Error("the first door")), slow]), /the first door/);
  assert.equal(isOver, true);
  assert.deepEqual(await waitForAll([Promise.resolve(1), Promise.resolve(2)]), [1, 2]);
});
