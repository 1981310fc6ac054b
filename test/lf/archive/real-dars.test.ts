import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import { loadDar } from "../../../src/lf/archive/index.js";

/** Public DARs are not part of this repository: name a folder that holds some to run this on them. */
const folder = process.env["LEDGERLINE_REAL_DARS"];

/** Refused for what they are. */
const refused: Readonly<Record<string, string>> = {
  "dummy-1.15.dar": "ALLOWED_LANGUAGE_VERSIONS", // Daml-LF 1
  "DamlDefinitionsServiceMain.dar": "DAR_PARSE_ERROR", // an early 2.dev encoding that no engine reads any more
  "illformed.dar": "DAR_VALIDATION_ERROR", // written to be ill-typed
};

test("real DARs: every package id matches, everything decodes and is well typed", { skip: folder === undefined ? "LEDGERLINE_REAL_DARS names no folder of DARs" : false }, (context) => {
  const names = readdirSync(folder!).filter((name) => name.endsWith(".dar"));
  const packages = new Set<string>();
  const times: number[] = [];
  for (const name of names) {
    const start = performance.now();
    const loaded = loadDar(readFileSync(join(folder!, name)), limits, { known: packages });
    times.push(performance.now() - start);
    assert.equal(loaded.error?.code, refused[name], `${name}: ${loaded.error?.message ?? "accepted"}`);
    for (const { package: package_ } of loaded.ok?.packages ?? []) packages.add(package_.id);
  }
  times.sort((left, right) => left - right);
  context.diagnostic(`${names.length} DARs, ${packages.size} packages, median ${times[times.length >> 1]!.toFixed(0)} ms, slowest ${times.at(-1)!.toFixed(0)} ms`);
});
