import assert from "node:assert/strict";
import { test } from "node:test";
import { benches } from "../../bench/benches.js";
import type { BenchCase } from "../../bench/support/bench.js";

for (const bench of benches as readonly BenchCase<unknown>[]) {
  test(`bench ${bench.name}: runs in smoke size and measures something`, { timeout: 120_000 }, async () => {
    const rows = await bench.run(bench.smoke);
    assert.ok(rows.length > 0);
    for (const row of rows) assert.ok(row.value > 0, row.case);
  });
}
