/** A transaction with as many events or key queries as one may have holds up nobody else for long while it is committed. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { test, type TestContext } from "node:test";
import { keyedDar, keyedTemplate } from "../scenarios/keyed-model.js";
import { create, exercise, exerciseByKey, type Command, World } from "../scenarios/world.js";
import { testData } from "../support/paths.js";

const creates = 50_000,
  lookUps = 5_000,
  boundBesideLookUpsMs = 100,
  tries = 3,
  main = "#bench:Bench:Main",
  named = keyedTemplate("Named");
/**
 * Of the main thread's own time. When the commit was one turn it took 700 ms here; now it is 150 ms, of which the most is to take the
 * transaction over from the engine thread, and to hand its records to LMDB, each of which goes at once.
 */
const boundMs = 400;

interface Watched {
  readonly world: World;
  readonly alice: string;
  /** Since it was last asked. */
  longestTurnMs(): Promise<number>;
}

async function start(t: TestContext, dar: Uint8Array): Promise<Watched> {
  const world = await World.start([dar], ["--memory", "--workers", "1"], new URL("../support/turn-probe.js", import.meta.url));
  t.after(() => world.node.stop("SIGKILL"));
  return {
    world,
    alice: await world.party("alice"),
    longestTurnMs: async () => {
      await sleep(5);
      world.node.child.send({});
      return ((await once(world.node.child, "message")) as [{ readonly longestTurnMs: number }])[0].longestTurnMs;
    },
  };
}

/** Commits them as one transaction, while others ask whether the node lives. */
async function longestTurnBeside(commands: readonly Command[], { world, alice, longestTurnMs }: Watched, t: TestContext): Promise<number> {
  await longestTurnMs();
  const before = await world.ledgerEnd(),
    committed = world.submit([alice], commands);
  let isUnderWay = true,
    alive = 0;
  void committed.finally(() => {
    isUnderWay = false;
  });
  for (; isUnderWay; await sleep(20)) {
    assert.equal((await world.client.get("/livez")).status, 200);
    alive++;
  }
  assert.equal((await committed).status, 200, (await committed).text);
  assert.equal(await world.ledgerEnd(), before + 1);
  const longest = await longestTurnMs();
  t.diagnostic(`${Math.round(longest)} ms; /livez answered ${alive} times meanwhile`);
  return longest;
}

test(
  `large commit: beside a transaction of ${creates} creates no turn of the event loop takes more than ${boundMs} ms`,
  { timeout: 300_000 },
  async (t) => {
    const watched = await start(t, readFileSync(testData("engine", "dars", "bench-2.1.dar"))),
      { world, alice } = watched,
      { contractId } = await world.create([alice], main, { p: alice });
    let longest = Infinity;
    for (let attempt = 0; attempt < tries && longest > boundMs; attempt++) {
      const commands = [exercise(main, contractId, "CreateMany", { n: String(creates) })];
      longest = Math.min(longest, await longestTurnBeside(commands, watched, t));
    }
    assert.ok(longest <= boundMs, `${Math.round(longest)} ms`);
  },
);

test(
  `large commit: beside one that archives what it finds by ${lookUps} keys none takes more than ${boundBesideLookUpsMs} ms`,
  { timeout: 300_000 },
  async (t) => {
    const watched = await start(t, keyedDar),
      { world, alice } = watched,
      keys = Array.from({ length: lookUps }, (_, index) => ({ owner: alice, name: `name ${index}` }));
    let longest = Infinity;
    for (let attempt = 0; attempt < tries && longest > boundBesideLookUpsMs; attempt++) {
      const made = await world.submit(
        [alice],
        keys.map((key) => create(named, key)),
      );
      assert.equal(made.status, 200, made.text);
      const commands = keys.map((key) => exerciseByKey(named, key, "Close"));
      longest = Math.min(longest, await longestTurnBeside(commands, watched, t));
    }
    assert.ok(longest <= boundBesideLookUpsMs, `${Math.round(longest)} ms`);
  },
);
