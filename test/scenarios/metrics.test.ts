/** The figures of a running node, as its operator sees them. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gauges } from "../../src/telemetry/gauges.js";
import { seriesOf } from "../telemetry/series.js";
import { counterTemplate, slowDar } from "../workers/slow-model.js";
import { acsDelta, eventFormat, exercise, World } from "./world.js";

let world: World, alice: string;
before(async () => {
  world = await World.start([slowDar], ["--memory", "--workers", "1"]);
  alice = await world.party("alice");
});
after(() => world.stop());

async function series(): Promise<Map<string, number>> {
  const reply = await world.client.get("/metrics");
  assert.equal(reply.status, 200, reply.text);
  return seriesOf(reply.text);
}

async function until(condition: (figures: Map<string, number>) => boolean): Promise<Map<string, number>> {
  for (const deadline = Date.now() + 120_000; ;) {
    const figures = await series();
    if (condition(figures)) return figures;
    assert.ok(
      Date.now() < deadline,
      JSON.stringify([...figures].filter(([name]) => name.startsWith("ledgerline_") && !name.includes("_bucket"))),
    );
  }
}

test("metrics: every gauge of the node has a number, and the ledger's file has its size", async () => {
  const figures = await series();
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
  await until((figures) => figures.get("ledgerline_streams_open") === 1);
  const commands = [1, 2, 3].map(() => world.submit([alice], [exercise(counterTemplate, contractId, "Count", { n })]));
  const busy = await until(
    (figures) => figures.get("ledgerline_commands_in_flight") === 3 && figures.get("ledgerline_engine_threads_running") === 1,
  );
  assert.ok(busy.get("ledgerline_engine_submissions_waiting")! <= 2);
  for (const reply of await Promise.all(commands)) assert.equal(reply.status, 200, reply.text);
  await channel.close();
  await until((figures) => figures.get("ledgerline_streams_open") === 0 && figures.get("ledgerline_commands_in_flight") === 0);
});

test("metrics: refusals are counted by their code", async () => {
  const name = `ledgerline_refusals_total{code="USER_NOT_FOUND"}`,
    before = (await series()).get(name) ?? 0;
  for (const id of ["nobody", "no-one"]) await world.client.get(`/v2/users/${id}`);
  assert.equal((await series()).get(name), before + 2);
});
