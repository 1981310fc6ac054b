import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { unzipSync, type Zippable, zipSync } from "fflate";
import { limits } from "../../../src/config.js";
import { isFailure } from "../../../src/base/result.js";
import type { LfVersion } from "../../../src/lf/ast.js";
import { loadDar, stableVersions } from "../../../src/lf/archive/index.js";
import { completeDar } from "../../support/lf-builder.js";
import { testData } from "../../support/paths.js";

const anyVersion: ReadonlySet<LfVersion> = new Set([...stableVersions, "2.dev"]);

test("versions: a package of LF 2.dev is refused by its version, unless the caller allows it", () => {
  const bytes = completeDar(readFileSync(testData("engine", "dars", "keys-2.dev.dar")));
  assert.equal(loadDar(bytes, limits).error?.class, "AllowedLanguageVersion");
  assert.ok(!isFailure(loadDar(bytes, limits, { allowed: anyVersion })));
});

test("refusals: a node's error codes for uploads that are no DAR", () => {
  const model = readFileSync(testData("canton", "model1.dar"));
  const codeOf = (bytes: Uint8Array) => loadDar(bytes, limits).error?.code;
  assert.equal(codeOf(Buffer.from("not a zip")), "INVALID_DAR");
  assert.equal(codeOf(new Uint8Array(0)), "INVALID_DAR");
  assert.equal(codeOf(Buffer.from("{}")), "INVALID_DAR");
  assert.equal(codeOf(model.subarray(0, 1000)), "DAR_PARSE_ERROR");
  assert.equal(codeOf(model), "DAR_DEPENDENCIES_NOT_VALID"); // it refers to a stable package that it does not carry
  assert.equal(codeOf(completeDar(model)), undefined);
});

test("refusals: what clients are told beside the code", () => {
  const model = readFileSync(testData("canton", "model1.dar")),
    unzipped = unzipSync(model),
    [main, payload] = Object.entries(unzipped).find(([name]) => name.endsWith(".dalf"))!,
    names = Object.keys(unzipped);
  const detailsOf = (entries: Zippable) => loadDar(zipSync(entries), limits).error?.details;
  const without = (name: string) => Object.fromEntries(Object.entries(unzipped).filter(([other]) => other !== name));
  const list = (left: readonly string[]): string => `List(${left.join(", ")})`;
  assert.deepEqual(detailsOf({}), { entries: "List()" });
  assert.deepEqual(detailsOf({ a: payload, b: payload }), { entries: "List(a, b)" });
  assert.deepEqual(detailsOf({ ...unzipped, "META-INF/MANIFEST.MF": Buffer.from("Format: daml-lf\n") }), { entries: list(names) });
  assert.deepEqual(detailsOf(without(main)), { name: main, entries: list(names.filter((name) => name !== main)) });
  const missing = "9e70a8b3510d617f8a136213f33d6a903a10ca0eeec76bb06ba55d1ed9680f69",
    { mainPackageId, ...dependencies } = loadDar(model, limits).error?.details ?? {};
  assert.match(mainPackageId!, /^[0-9a-f]{64}$/);
  assert.deepEqual(dependencies, { missingDependencies: `Set(${missing})`, extraDependencies: "Set()" });
  const early = loadDar(completeDar(readFileSync(testData("engine", "dars", "keys-2.dev.dar"))), limits).error?.details;
  assert.deepEqual([early?.["languageVersion"], early?.["allowedLanguageVersions"]], ["2.dev", "List(2.1, 2.2, 2.3)"]);
});
