import assert from "node:assert/strict";
import { test } from "node:test";
import { attempt } from "../../../src/lf/archive/failure.js";
import { parseManifest, printManifest } from "../../../src/lf/archive/manifest.js";

test("manifest: continued lines are joined, for every way to end a line", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = [
      "Manifest-Version: 1.0",
      "main-dalf: a-",
      " b.dalf",
      "Dalfs: a-b.dalf, c.dalf,",
      "  d.dalf",
      "Format: daml-lf",
      "",
      "Name: ignored",
      "",
    ].join(end);
    assert.deepEqual(parseManifest(text), { main: "a-b.dalf", dependencies: ["c.dalf", "d.dalf"] });
  }
});

test("manifest: what is missing or malformed is said", () => {
  const refused = (text: string) => attempt(() => parseManifest(text)).error;
  assert.match(refused("Dalfs: a\nFormat: daml-lf\n")!.message, /Main-Dalf/);
  assert.match(refused("Main-Dalf: a\nDalfs: a\nFormat: other\n")!.message, /other/);
  assert.equal(refused("no colon\n")!.code, "INVALID_DAR");
  assert.equal(refused(" continued\n")!.code, "INVALID_DAR");
});

test("manifest: what is printed is wrapped at 72 bytes and reads back", () => {
  const manifest = { main: `${"m".repeat(200)}.dalf`, dependencies: ["x.dalf", `${"y".repeat(70)}.dalf`] };
  const text = printManifest(manifest, "name");
  for (const line of text.split("\r\n")) assert.ok(line.length <= 72, line);
  assert.deepEqual(parseManifest(text), manifest);
});
