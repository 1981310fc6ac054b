import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "../support/paths.js";

const folder = join(repositoryRoot(), "src/api");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
  .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));

/** Of one line or several; types alone load nothing. */
const importOf = (path: string): RegExp => new RegExp(`^import (?!type\\b)[^;]*?"${path}";$`, "m");

test("start: no file imports typia, which would load all of it; the name is ambient (typia.d.ts)", () => {
  assert.deepEqual(
    sources.filter(({ text }) => importOf("typia").test(text)).map(({ file }) => file),
    [],
  );
});

test("start: the documents' schemas are loaded on demand only", () => {
  const eager = sources.filter(
    ({ file, text }) =>
      !/schemas\.ts$|openapi\.ts$|asyncapi\.ts$/.test(file)
      && importOf(String.raw`(?:\.\.?\/)+(?:[\w-]+\/)*(?:[\w-]+-)?(?:schemas|openapi|asyncapi)\.js`).test(text),
  );
  assert.deepEqual(
    eager.map(({ file }) => file),
    [],
  );
});
