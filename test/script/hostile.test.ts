import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import { buildHostileDar } from "./hostile-dar.js";
import { runTests } from "./run-tests.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("hostile");

test("hostile scripts: a million contracts and a throw after a question are a sentence each, shown within bounds, and the next script runs", async () => {
  const dar = join(folder, "hostile.dar");
  writeFileSync(dar, buildHostileDar());
  const { out, errors } = await runTests({ dars: [dar] });
  assert.match(out, /a_floods: failed.*\n.*b_throws: failed.*\n.*c_behaves: ok, 1 active contracts, 1 transactions/);
  const [floods, throws] = errors as [string, string];
  assert.match(
    floods,
    /^Hostile:a_floods failed:\n {2}The script made more than 100,000 contracts and was stopped\.\nAfter the question at:\n {2}flood at Hostile:10:3\n/,
  );
  assert.match(floods, /\n {2}\.\.\. \(\d+ earlier steps are left out\)\n {2}TX \d+ /);
  assert.match(floods, /\n {2}\.\.\. \(99,500 contracts are left out\)\n/);
  assert.ok(floods.split("\n").length < 10 * (limits.scriptShownNodesMax + limits.scriptShownContractsMax), "what is shown is bounded");
  assert.match(
    throws,
    /^Hostile:b_throws failed:\n {2}Unhandled exception Hostile:Refused: not today\nAfter the question at:\n {2}throws at Hostile:20:3\n/,
  );
});
