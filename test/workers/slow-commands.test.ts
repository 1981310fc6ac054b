/** One engine thread, and commands that take seconds: what else there is to do is done meanwhile. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { limits } from "../../src/config.js";
import { eventsOf, exercise, World, type Json } from "../scenarios/world.js";
import { counterTemplate, slowDar } from "./slow-model.js";

/** Hashes: seconds on any machine. */
const many = "500000", more = "1000000";

let world: World, alice: string, counter: string;
before(async () => {
  world = await World.start([slowDar], ["--memory", "--workers", "1"]);
  alice = await world.party("alice");
  counter = (await newCounter()).contractId;
});
after(() => world.stop());

const newCounter = (): Promise<Json> => world.create([alice], counterTemplate, { owner: alice });

interface Slow { readonly transaction: Promise<Json>; isDone(): boolean }
function slowCommand(n = many): Slow {
  let done = false;
  const transaction = world.transact([alice], [exercise(counterTemplate, counter, "Count", { n })]).finally(() => { done = true; });
  return { transaction, isDone: () => done };
}
const resultOf = (transaction: Json): Json => eventsOf(transaction)[0].exerciseResult;

test("slow command: others are done while it runs, and it is done, too", async () => {
  const slow = slowCommand(more); // so long that a thread can start meanwhile
  for (let index = 0; index < 5; index += 1) await newCounter();
  assert.equal(slow.isDone(), false);
  assert.equal(resultOf(await slow.transaction), more);
});

test("slow command: those that came with it in one turn are done before it, each once", async () => {
  const held = (await world.activeContracts({ parties: [alice] })).length;
  const slow = slowCommand();
  await Promise.all(Array.from({ length: 30 }, newCounter));
  assert.equal(slow.isDone(), false);
  assert.equal((await world.activeContracts({ parties: [alice] })).length, held + 30);
  assert.equal(resultOf(await slow.transaction), many);
});

test("slow commands: as many as there are reserve threads hold up nobody", async () => {
  const slow = Array.from({ length: limits.reserveThreadsMax }, () => slowCommand());
  await Promise.all(Array.from({ length: 10 }, newCounter));
  assert.ok(slow.every((each) => !each.isDone()));
  for (const { transaction } of slow) assert.equal(resultOf(await transaction), many);
});

test("slow commands: more than there are threads are done one after the other, and what waited behind them", async () => {
  const slow = Array.from({ length: limits.reserveThreadsMax + 2 }, () => slowCommand()), others = Promise.all(Array.from({ length: 10 }, newCounter));
  for (const { transaction } of slow) assert.equal(resultOf(await transaction), many);
  assert.equal((await others).length, 10);
  await newCounter();
});
