/** The licences of a bundle, on whatever platform and release of Node.js it is made. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { licencesOf } from "../../src/packaging/licences.js";

const needed = ["lmdb", "fs-native-extensions"];

/** A repository in which npm installed these. */
function installed(t: TestContext, packages: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), "ledgerline-licences-"));
  t.after(() => rmSync(root, { recursive: true }));
  const dependencies = Object.fromEntries(needed.map((name) => [name, "1.2.3"])),
    optionalDependencies = { "uWebSockets.js": "1.2.3", "uWebSockets.js-node22": "1.2.3" };
  writeFileSync(join(root, "package.json"), JSON.stringify({ dependencies, optionalDependencies }));
  for (const file of ["LICENSE", "NOTICE"]) writeFileSync(join(root, file), `${file} of ours\n`);
  for (const name of packages) {
    const folder = join(root, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "1.2.3", license: "MIT" }));
    writeFileSync(join(folder, "LICENSE"), `licence of ${name}\n`);
  }
  return root;
}

for (const transport of [["uWebSockets.js"], ["uWebSockets.js-node22"], []])
  test(`licences: a bundle is made where npm installs ${transport.join() || "no"} native transport`, (t) => {
    const root = installed(t, [...needed, ...transport, "piscina"]),
      text = licencesOf(root, ["node_modules/piscina/dist/index.js", "src/main.ts"]);
    const named = [...text.matchAll(/^(\S+) 1\.2\.3 \(MIT\)\n\nlicence of \1$/gm)].map(([, name]) => name!);
    assert.deepEqual(named.sort(), [...needed, ...transport, "piscina"].sort());
    assert.match(text, /^Ledgerline\n\nLICENSE of ours\n\nNOTICE of ours$/m);
  });

test("licences: what the bundle cannot do without is not left out in silence", (t) => {
  const root = installed(t, ["lmdb"]);
  assert.throws(() => licencesOf(root, []), /fs-native-extensions/);
});
