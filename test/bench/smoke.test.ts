import assert from "node:assert/strict";
import { test } from "node:test";
import { against, againstSmoke } from "../../bench/against.js";
import { benches } from "../../bench/benches.js";
import type { BenchCase, BenchRow } from "../../bench/support/bench.js";
import { chart } from "../../bench/support/chart.js";
import { Pace } from "../../bench/support/pace.js";
import { repositoryRoot } from "../support/paths.js";

for (const bench of benches as readonly BenchCase<object>[]) {
  test(`bench ${bench.name}: runs in smoke size and measures something`, { timeout: 300_000 }, async (t) => {
    const pace = new Pace(),
      rows = await bench.run({ ...bench.smoke, pace });
    assert.ok(pace.loopsMs.length > 0, "it looks how fast the machine is");
    for (const { case: what, unmeasured } of rows) if (unmeasured !== undefined) t.diagnostic(`${what}: not measured: ${unmeasured}`);
    const measured = rows.filter(({ unmeasured }) => unmeasured === undefined);
    assert.ok(measured.length > 0);
    for (const row of measured) assert.ok(row.value > 0, row.case);
  });
}

test("bench against: a build stands beside itself, with a rate for each case", { timeout: 300_000 }, async () => {
  const rows = await against(repositoryRoot(), againstSmoke);
  assert.deepEqual(
    rows.map((row) => row.case),
    ["create", "exercise", "page of 200 updates"],
  );
  for (const row of rows) assert.ok(row.value > 0 && row.ceiling!.value > 0, row.case);
});

test("bench chart: each row has a bar on the scale of its kind, what stands beside it, and what was not measured is said", () => {
  const rows: readonly BenchRow[] = [
    { case: "half of it", value: 50, unit: "/s", ceiling: { value: 100, ratio: 0.5 } },
    { case: "all of it & more", value: 200, unit: "/s", ceiling: { value: 100, ratio: 2 } },
    { case: "beside a reference", value: 1, unit: "ms", reference: { value: 4, times: 4 } },
    { case: "by itself", value: 7, unit: "kB" },
    { case: "left out", value: 0, unit: "", unmeasured: "there is no <browser>" },
  ];
  const svg = chart({ one: rows, two: [] });
  const widths = [...svg.matchAll(/<rect x="\d+" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
  assert.deepEqual(widths, [165, 82.5, 165, 330, 330, 330]); // ceiling and ours, twice; then alone
  for (const shown of [
    "50.0 /s, 50 %",
    "all of it &amp; more",
    "1.00 ms, 4.0 times",
    "7.00 kB",
    "not measured: there is no &lt;browser&gt;",
  ])
    assert.ok(svg.includes(`>${shown}</text>`), shown);
});
