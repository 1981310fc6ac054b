import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "../support/paths.js";

const folder = join(repositoryRoot(), "src/api");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
  .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));

test("start: no file imports typia, which would load all of it; the name is ambient (typia.d.ts)", () => {
  assert.deepEqual(
    sources.filter(({ text }) => /^import .*"typia";$/m.test(text) && !/^import type .*"typia";$/m.test(text)).map(({ file }) => file),
    [],
  );
});

test("start: the documents' schemas are loaded on demand only", () => {
  const eager = sources.filter(
    ({ file, text }) =>
      !/schemas\.ts$|openapi\.ts$|asyncapi\.ts$/.test(file)
      && /^import .*"(\.\.?\/)+(published-)?(schemas|openapi|asyncapi)\.js";$/m.test(text),
  );
  assert.deepEqual(
    eager.map(({ file }) => file),
    [],
  );
});
