/** Whoever asks Scan for a page of many large updates or events, as anybody may, holds up nobody else meanwhile. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { create, World } from "../scenarios/world.js";
import { names, standInDars } from "../splice/stand-in-world.js";

const transactions = 200,
  createsEach = 100,
  tries = 3;
/** Of the main thread's own time. A page that was printed in one turn took half as long again. */
const boundMs = 60;

test(`large pages: beside a page of ${transactions} transactions of ${createsEach} contracts no turn of the event loop is long`, async (t) => {
  const world = await World.start(standInDars, ["--memory"], new URL("../support/turn-probe.js", import.meta.url));
  t.after(() => world.node.stop("SIGKILL"));
  const longestTurnMs = async (): Promise<number> => {
    await sleep(5);
    world.node.child.send({});
    return ((await once(world.node.child, "message")) as [{ readonly longestTurnMs: number }])[0].longestTurnMs;
  };
  const dso = await world.party("dso");
  await world.create([dso], names.rules, { dso, configSchedule: "", isDevNet: true });
  const commands = Array.from({ length: createsEach }, () => create(names.featured, { dso, provider: dso }));
  for (let made = 0; made < transactions; made += 10)
    await Promise.all(Array.from({ length: 10 }, async () => assert.equal((await world.submit([dso], commands)).status, 200)));
  for (const path of ["/api/scan/v2/updates", "/api/scan/v0/events"]) {
    let longest = Infinity;
    for (let attempt = 0; attempt < tries && longest > boundMs; attempt++) {
      await longestTurnMs();
      const page = await world.client.post(path, { page_size: 1_000 });
      assert.equal(page.status, 200, page.text);
      const { transactions: updates, events } = JSON.parse(page.text) as Readonly<Record<string, readonly unknown[]>>;
      assert.ok((updates ?? events!).length > transactions);
      longest = Math.min(longest, await longestTurnMs());
    }
    t.diagnostic(`${path}: ${Math.round(longest)} ms`);
    assert.ok(longest <= boundMs, `${path}: ${Math.round(longest)} ms`);
  }
});
