import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { limits } from "../../src/config.js";
import { Metrics, type Figures } from "../../src/telemetry/index.js";
import { seriesOf } from "./series.js";

const figures: Figures = {
  isReady: () => true,
  ledgerEnd: () => 41,
  commandsInFlight: () => 3,
  openStreams: () => 5,
  bodiesBytes: () => 9,
  engine: () => ({ waiting: 7, running: 2, runningOnReserve: 1, darsWaiting: 4 }),
  store: () => ({ fileBytes: 16_384, usedBytes: 8_192 }),
  oldestReaderCommits: () => 6,
  scanPrintedOffset: () => 12,
  logLinesDropped: () => 13,
};
const build = () => ({ version: "1.2.3", transport: "node" });

describe("metrics", () => {
  it("tell the node's figures when they are asked for", async () => {
    const series = seriesOf(await new Metrics({ figures, build }).text());
    for (const [name, value] of [
      ["ready", 1],
      ["ledger_end", 41],
      ["commands_in_flight", 3],
      ["streams_open", 5],
      ["request_bodies_bytes", 9],
      ["engine_submissions_waiting", 7],
      ["engine_threads_running", 2],
      ["engine_reserve_threads_running", 1],
      ["engine_dars_waiting", 4],
      ["store_file_bytes", 16_384],
      ["store_used_bytes", 8_192],
      ["store_oldest_reader_commits", 6],
      ["scan_printed_offset", 12],
    ] as const)
      assert.equal(series.get(`ledgerline_${name}`), value, name);
    assert.equal(series.get(`ledgerline_build_info{version="1.2.3",transport="node",node="${process.version}"}`), 1);
    const [anonymous, resident] = [series.get("ledgerline_memory_anonymous_bytes")!, series.get("process_resident_memory_bytes")!];
    assert.ok(anonymous > 1e6 && resident > 1e6, `${anonymous} of ${resident} bytes`);
  });

  it("tell a millisecond from two, and count refusals by their code", async () => {
    const metrics = new Metrics({ figures, build });
    metrics.load();
    for (const seconds of [0.0009, 0.0014, 0.0019]) metrics.observe("submitAndWait", "ok", seconds);
    for (const operation of ["submitAndWait", "createUser"]) metrics.observe(operation, "INVALID_ARGUMENT", 40);
    const series = seriesOf(await metrics.text());
    const bucket = (le: string) => series.get(`ledgerline_request_seconds_bucket{le="${le}",operation="submitAndWait"}`);
    assert.deepEqual(["0.0005", "0.001", "0.0015", "0.002", "30", "+Inf"].map(bucket), [0, 1, 2, 3, 3, 4]);
    assert.equal(series.get(`ledgerline_requests_total{operation="submitAndWait",outcome="ok"}`), 3);
    assert.equal(series.get(`ledgerline_refusals_total{code="INVALID_ARGUMENT"}`), 2);
    assert.equal(series.get(`ledgerline_refusals_total{code="ok"}`), undefined);
  });

  it("tell a node that is not ready, and of the refusals that alerts are about from before the first", async () => {
    const series = seriesOf(await new Metrics({ figures: { ...figures, isReady: () => false }, build }).text());
    assert.equal(series.get("ledgerline_ready"), 0);
    assert.equal(series.get(`ledgerline_refusals_total{code="SERVICE_NOT_RUNNING"}`), 0);
  });

  it("tell everybody how long the main thread was held up, until a minute is over", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const metrics = new Metrics({ figures, build });
    t.after(() => metrics.close());
    metrics.load();
    const longest = async () => seriesOf(await metrics.text()).get("ledgerline_event_loop_delay_max_seconds")!;
    await setTimeout(30);
    for (const until = performance.now() + 500; performance.now() < until;);
    await setTimeout(30);
    for (const reader of ["Prometheus", "the console", "another Prometheus"]) assert.ok((await longest()) >= 0.45, reader);
    t.mock.timers.tick(limits.eventLoopDelayWindowMs / 2);
    assert.ok((await longest()) >= 0.45, "half a window later");
    t.mock.timers.tick(limits.eventLoopDelayWindowMs / 2);
    const left = await longest();
    assert.ok(left < 0.45, `${left} s`);
  });

  it("come back after their library could not be loaded, with what is counted from then on", async () => {
    const require = createRequire(import.meta.url);
    let isBroken = true;
    const library = () => {
      if (isBroken) throw new Error("too many open files");
      return require("prom-client");
    };
    const metrics = new Metrics({ figures, build, library });
    assert.throws(() => metrics.load(), /too many open files/);
    metrics.observe("version", "ok", 0.001);
    await assert.rejects(metrics.text(), /too many open files/);
    isBroken = false;
    assert.equal(seriesOf(await metrics.text()).get("ledgerline_ledger_end"), 41);
    metrics.observe("version", "ok", 0.001);
    assert.equal(seriesOf(await metrics.text()).get(`ledgerline_requests_total{operation="version",outcome="ok"}`), 1);
  });
});
