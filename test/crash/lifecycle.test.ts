/** Start, stop and start again: what a node keeps, and how it ends. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test, type TestContext } from "node:test";
import { eventually } from "../http/harness.js";
import { tested } from "../support/node-process.js";
import { seriesOf } from "../telemetry/series.js";
import { storyDar, storyTemplate } from "../scenarios/story-model.js";
import { acsDelta, create, eventFormat, exercise, World, type Json } from "../scenarios/world.js";
import { hostileDar, machineTemplate } from "../scenarios/hostile-model.js";
import { temporaryFolder } from "../support/folders.js";

const note = storyTemplate("Note");
const noteOf = (party: string, text = "note"): Json => ({ owner: party, reader: party, text });

/** Of a process that should end at once. */
const hungMs = 120_000;

/** Nothing of what ran was waited for until the drain time was over. */
const drained = /"drained":true,[^\n]*"msg":"stopped"/;

async function figure(world: World, name: string): Promise<number> {
  return seriesOf((await world.client.get("/metrics")).text).get(name)!;
}

/** A node that ends with its test, whatever becomes of it. */
async function start(t: TestContext, dars: readonly Uint8Array[], args: readonly string[] = ["--memory"]): Promise<World> {
  const world = await World.start(dars, args);
  t.after(() => world.node.stop("SIGKILL"));
  return world;
}

test("durability none: what was acknowledged is there after the process was killed, and after a stop; the log says so", async (t) => {
  const folder = temporaryFolder(),
    args = ["--data", folder, "--durability", "none", "--log-level", "info"],
    first = await start(t, [storyDar], args);
  const party = await first.party("alice");
  for (let index = 0; index < 20; index++) await first.create([party], note, noteOf(party, `note ${index}`));
  assert.match(first.node.stderr(), /"durability":"none"/);
  await first.node.stop("SIGKILL");
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const again = await start(t, [], args);
    assert.equal((await again.activeContracts()).length, 20);
    await again.node.stop(signal);
  }
  const verified = spawnSync(tested.file, [...tested.args, "verify", "--data", folder], { encoding: "utf8" });
  assert.equal(verified.status, 0, verified.stderr);
  const synced = await start(t, [], ["--data", folder, "--log-level", "info"]);
  assert.equal((await synced.activeContracts()).length, 20);
  assert.match(synced.node.stderr(), /"durability":"sync"/);
});

test("restart: packages, parties, contracts, history, completions and deduplication are as before, offsets go on", async (t) => {
  const folder = temporaryFolder();
  const look = async (world: World): Promise<Json> => ({
    end: await world.ledgerEnd(),
    active: await world.activeContracts(),
    updates: await world.transactions({}),
    completions: await world.completions([party]),
    packages: (await world.client.get("/v2/packages")).json().packageIds.sort(),
    parties: (await world.client.get("/v2/parties")).json(),
    id: (await world.client.get("/v2/parties/participant-id")).json(),
  });
  const first = await start(t, [storyDar], ["--data", folder]);
  const party = await first.party("alice");
  const kept = first.commands([party], [create(note, noteOf(party))]);
  assert.equal((await first.client.post("/v2/commands/submit-and-wait", kept)).status, 200);
  const gone = await first.create([party], note, noteOf(party));
  await first.transact([party], [exercise(note, gone.contractId, "Discard")]);
  const before = await look(first);
  await first.stop();
  for (let restart = 0; restart < 3; restart++) {
    const again = await start(t, [], ["--data", folder]);
    assert.deepEqual(await look(again), before);
    await again.stop();
  }
  const last = await start(t, [], ["--data", folder]);
  assert.equal((await last.client.post("/v2/commands/submit-and-wait", kept)).json().code, "DUPLICATE_COMMAND");
  assert.equal((await last.submit([party], [exercise(note, gone.contractId, "Discard")])).json().code, "CONTRACT_NOT_FOUND");
  assert.equal((await last.create([party], note, noteOf(party))).offset, before.end + 2, "after the completion of the duplicate");
});

test("one folder: a second process refuses to start on it, says so, and does no harm", async (t) => {
  const folder = temporaryFolder();
  const world = await start(t, [storyDar], ["--data", folder]);
  for (const command of [
    ["start", "--port", "0", "--data", folder],
    ["verify", "--data", folder],
  ]) {
    const second = spawnSync(tested.file, [...tested.args, ...command], { encoding: "utf8", timeout: hungMs });
    assert.deepEqual([second.status, second.stdout], [1, ""]);
    assert.ok(second.stderr.includes(folder) && second.stderr.includes(String(world.node.child.pid)), second.stderr);
  }
  await world.create([await world.party("alice")], note, noteOf(await world.party("bob"))).catch(() => undefined);
  assert.equal((await world.client.get("/readyz")).status, 200);
});

test("SIGTERM: a command under way is answered, tails and waiting lists end at once, and the exit code is 0", async (t) => {
  const folder = temporaryFolder();
  const world = await start(t, [hostileDar], ["--data", folder, "--log-level", "info"]);
  const party = await world.party("alice");
  const machine = (await world.create([party], machineTemplate, { owner: party })).contractId;
  const end = await world.ledgerEnd();
  const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({}) } };
  const tails = await Promise.all(Array.from({ length: 5 }, () => world.open("/v2/updates", { beginExclusive: 0, updateFormat })));
  for (const tail of tails) await tail.until((element) => element.update.Transaction !== undefined);
  const waiting = world.client.post("/v2/updates?stream_idle_timeout_ms=15000", { beginExclusive: end, updateFormat });
  await eventually("the list waits, too", async () => (await figure(world, "ledgerline_streams_open")) === tails.length + 1);
  let isAnswered = false;
  const underWay = world.submit([party], [exercise(machineTemplate, machine, "Tree", { n: "12" })]);
  void underWay.finally(() => (isAnswered = true));
  await eventually("it runs", async () => isAnswered || (await figure(world, "ledgerline_commands_in_flight")) > 0);
  const code = await world.node.stop("SIGTERM");
  assert.equal(code, 0, world.node.stderr());
  assert.match(world.node.stderr(), drained);
  assert.deepEqual([(await underWay).status, (await waiting).status], [200, 200]);
  for (const tail of tails) assert.equal(await tail.closed, 1001);
  world.client.close();
  const again = await start(t, [], ["--data", folder]);
  assert.equal(await again.ledgerEnd(), (await underWay).json().completionOffset);
});

test("SIGTERM: while the engine is still loading the node ends like any other", async (t) => {
  const folder = temporaryFolder();
  for (let round = 0; round < 8; round++) {
    const world = await start(t, [], ["--data", folder, "--workers", "2"]);
    await new Promise((resolve) => setTimeout(resolve, round * 25));
    await world.stop();
  }
});

test("SIGTERM: an idle node with open tails does not wait for them", async (t) => {
  const world = await start(t, [storyDar], ["--memory", "--log-level", "info"]);
  const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({}) } };
  const tail = await world.open("/v2/updates", { beginExclusive: 0, updateFormat });
  await eventually("it is read", async () => (await figure(world, "ledgerline_streams_open")) === 1);
  await world.stop();
  assert.match(world.node.stderr(), drained);
  assert.equal(await tail.closed, 1001);
});
