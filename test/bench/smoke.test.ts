import assert from "node:assert/strict";
import { test } from "node:test";
import { against, againstSmoke } from "../../bench/against.js";
import { benches } from "../../bench/benches.js";
import type { BenchCase } from "../../bench/support/bench.js";
import { repositoryRoot } from "../support/paths.js";

for (const bench of benches as readonly BenchCase<unknown>[]) {
  test(`bench ${bench.name}: runs in smoke size and measures something`, { timeout: 300_000 }, async (t) => {
    const rows = await bench.run(bench.smoke);
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
