/** A ledger under another clock than the one it was written by. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { storyDar, storyTemplate } from "../scenarios/story-model.js";
import { create, World, type Json } from "../scenarios/world.js";
import { temporaryFolder } from "../support/folders.js";

const note = storyTemplate("Note");
const noteOf = (party: string): Json => ({ owner: party, reader: party, text: "note" });
const hourMs = 3_600_000;

test("clock: static time goes on where the wall clock was, the wall clock where static time was; a day ahead is too far, and told", async (t) => {
  const folder = temporaryFolder("clock");
  let party = "";
  const start = async (dars: readonly Uint8Array[], ...args: readonly string[]): Promise<World> => {
    const world = await World.start(dars, ["--data", folder, ...args]);
    t.after(() => world.node.stop("SIGKILL"));
    return world;
  };
  const submit = (world: World, more: object = {}): Promise<{ status: number; json(): any }> =>
    world.client.post("/v2/commands/submit-and-wait", { ...world.commands([party], [create(note, noteOf(party))]), ...more });
  const later = (hours: number): object => ({ minLedgerTimeAbs: new Date(Date.now() + hours * hourMs).toISOString() });

  const wall = await start([storyDar]);
  party = await wall.party("alice");
  assert.equal((await submit(wall)).status, 200);
  await wall.stop();

  const still = await start([], "--static-time");
  assert.equal((await submit(still)).status, 200, "a ledger made by wall clock");
  assert.equal((await submit(still, later(12))).status, 200);
  await still.stop();

  const behind = await start([]);
  assert.equal((await submit(behind)).status, 200, "the clock is half a day behind");
  assert.match(behind.node.stderr(), /"behind":"11 hours".*by which commands run until it has caught up/);
  assert.equal((await behind.client.get("/readyz")).status, 200);
  await behind.stop();

  const further = await start([], "--static-time");
  assert.equal((await submit(further, later(60))).status, 200);
  await further.stop();

  const stopped = await start([]);
  const reason = /The node's clock \(.*\) is 2 days behind the ledger's own time \(.*\); commands run when it is at most 1 day behind\./;
  assert.match(stopped.node.stderr(), new RegExp(`^${reason.source}$`, "m"));
  const ready = await stopped.client.get("/readyz");
  assert.equal(ready.status, 503);
  assert.match(ready.text, reason);
  const refused = await submit(stopped);
  assert.deepEqual([refused.status, refused.json().code, refused.json().retryInfo], [503, "SERVICE_NOT_RUNNING", "1 second"]);
  assert.match(refused.json().cause, reason);
  assert.equal((await stopped.activeContracts()).length, 5);
  await stopped.stop();

  const meant = await start([], "--clock-behind-max", String(3 * 24 * 3600));
  assert.equal((await submit(meant)).status, 200);
  await meant.stop();
});
