/** The figures of a running node, as its operator sees them. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gauges } from "../../src/telemetry/gauges.js";
import { eventually } from "../http/harness.js";
import { counterTemplate, slowDar } from "../workers/slow-model.js";
import { acsDelta, eventFormat, exercise, World } from "./world.js";

let world: World, alice: string;
before(async () => {
  world = await World.start([slowDar], ["--memory", "--workers", "1"]);
  alice = await world.party("alice");
});
after(() => world.stop());

test("metrics: every gauge of the node has a number, and the ledger's file has its size", async () => {
  const figures = await world.figures();
  for (const { name } of gauges) assert.ok(Number.isFinite(figures.get(name)), name);
  assert.equal(figures.get("ledgerline_ledger_end"), await world.ledgerEnd());
  const [file, used] = [figures.get("ledgerline_store_file_bytes")!, figures.get("ledgerline_store_used_bytes")!];
  assert.ok(used > 10_000 && used <= file, `${used} of ${file} bytes`);
});

test("metrics: a command that runs is in flight on an engine thread, the others wait, and a stream is open while it is read", async () => {
  const { contractId } = await world.create([alice], counterTemplate, { owner: alice }),
    n = "300000";
  const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({}) } };
  const channel = await world.open("/v2/updates", { beginExclusive: await world.ledgerEnd(), updateFormat });
  await eventually("the stream is open", async () => (await world.figures()).get("ledgerline_streams_open") === 1);
  const commands = [1, 2, 3].map(() => world.submit([alice], [exercise(counterTemplate, contractId, "Count", { n })]));
  await eventually("one command runs, and the others wait", async () => {
    const figures = await world.figures();
    return (
      figures.get("ledgerline_commands_in_flight") === 3
      && figures.get("ledgerline_engine_threads_running") === 1
      && figures.get("ledgerline_engine_submissions_waiting") === 2
    );
  });
  for (const reply of await Promise.all(commands)) assert.equal(reply.status, 200, reply.text);
  await channel.close();
  await eventually("nothing is open or in flight", async () => {
    const figures = await world.figures();
    return figures.get("ledgerline_streams_open") === 0 && figures.get("ledgerline_commands_in_flight") === 0;
  });
});

test("metrics: refusals are counted by their code", async () => {
  const name = `ledgerline_refusals_total{code="USER_NOT_FOUND"}`,
    before = (await world.figures()).get(name) ?? 0;
  for (const id of ["nobody", "no-one"]) await world.client.get(`/v2/users/${id}`);
  assert.equal((await world.figures()).get(name), before + 2);
});
