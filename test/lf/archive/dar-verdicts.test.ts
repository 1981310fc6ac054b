import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
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
