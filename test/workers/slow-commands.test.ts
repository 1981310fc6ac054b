/** One engine thread, and commands that take seconds: what else there is to do is done meanwhile. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { limits } from "../../src/config.js";
import { eventsOf, exercise, World, type Json } from "../scenarios/world.js";
import { counterTemplate, slowDar } from "./slow-model.js";

/** Hashes: longer than others should wait, and more than can be done before the deadline. */
const many = "300000",
  endless = "1000000000";

let world: World, alice: string, counter: string;
before(async () => {
  world = await World.start([slowDar], ["--memory", "--workers", "1"]);
  alice = await world.party("alice");
  counter = (await newCounter()).contractId;
});
after(() => world.stop());

const newCounter = (): Promise<Json> => world.create([alice], counterTemplate, { owner: alice });
const count = (n: string): Json => exercise(counterTemplate, counter, "Count", { n });
const counted = async (n: string): Promise<Json> => eventsOf(await world.transact([alice], [count(n)]))[0].exerciseResult;

test("slow command: it is done, and those that came with it in one turn are done, each once", async () => {
  const held = (await world.activeContracts({ parties: [alice] })).length;
  const [result] = await Promise.all([counted(many), ...Array.from({ length: 30 }, newCounter)]);
  assert.equal(result, many);
  assert.equal((await world.activeContracts({ parties: [alice] })).length, held + 30);
});

test("slow commands: as many as there are reserve threads hold up nobody until their deadline", async () => {
  let ended = 0;
  const slow = Array.from({ length: limits.reserveThreadsMax }, () =>
    world.refused([alice], [count(endless)]).finally(() => {
      ended += 1;
    }),
  );
  for (let index = 0; index < 5; index += 1) await newCounter();
  await Promise.all(Array.from({ length: 30 }, newCounter));
  assert.equal(ended, 0);
  for (const error of await Promise.all(slow))
    assert.deepEqual(
      [error.status, error.code, /interpretDeadlineMs|stopped/.test(error.cause)],
      [409, "INTERPRETATION_TIME_EXCEEDED", true],
    );
  await newCounter();
});

test("slow commands: more than there are threads are done one after the other, and what waited behind them", async () => {
  const slow = Array.from({ length: limits.reserveThreadsMax + 2 }, () => counted(many)),
    others = Promise.all(Array.from({ length: 10 }, newCounter));
  assert.deepEqual(new Set(await Promise.all(slow)), new Set([many]));
  assert.equal((await others).length, 10);
  await newCounter();
});

test("slow commands: a node that is stopped while they run, also on a reserve thread, ends in order", async () => {
  const stopped = await World.start([slowDar], ["--memory", "--workers", "1"]);
  const bob = await stopped.party("bob"),
    { contractId } = await stopped.create([bob], counterTemplate, { owner: bob });
  const slow = Promise.allSettled(
    [0, 1].map(() => stopped.submit([bob], [exercise(counterTemplate, contractId, "Count", { n: endless })])),
  );
  await stopped.create([bob], counterTemplate, { owner: bob }); // by now both are slow
  await stopped.stop();
  await slow;
});
