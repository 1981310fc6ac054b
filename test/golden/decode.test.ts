import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { testData } from "../support/paths.js";
import { mutants } from "./mutants.js";
import { runDecode, runFamily, type RecordedDar } from "./decode.js";

for (const { family, cases, equal, explained, differences } of runDecode(testData("engine"))) {
  test(`packages of the reference: ${family}, every verdict, rule, place, count and definition`, (context) => {
    context.diagnostic(`${family}: ${equal} of ${cases} equal, ${explained.length} explained`);
    for (const line of explained) context.diagnostic(line);
    assert.deepEqual(differences, []);
    assert.equal(equal + explained.length, cases);
  });
}

test("packages canary: no leaf of a recorded verdict can change unnoticed", () => {
  const recorded = ["decode-own.json", "decode-invalid.json"].flatMap(
    (name) => JSON.parse(readFileSync(testData("engine", name), "utf8")) as RecordedDar[],
  );
  const samples = [
    ["dars", "keys-2.3.dar"],
    ["dars-invalid", "bad-choice-body-type.dar"],
    ["dars-invalid", "mal-wrong-hash.dar"],
  ] as const;
  for (const [folder, dar] of samples) {
    const { dar: _, ...rest } = recorded.find((each) => each.dar === dar)!;
    const changed = [...mutants(rest)].map((mutant) => ({ dar, ...(mutant as object) }));
    assert.ok(changed.length > 0);
    for (const each of changed)
      assert.equal(runFamily("canary", [each], testData("engine", folder), new Set(["keys-2.3.dar"])).equal, 0, JSON.stringify(each));
  }
});
