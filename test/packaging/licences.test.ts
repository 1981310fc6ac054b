/** The licences of a bundle, on whatever platform and release of Node.js it is made. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { licencesOf } from "../../src/packaging/licences.js";
import { repositoryRoot } from "../support/paths.js";
import { freshBundle } from "./npm-package.js";
import { temporaryFolder } from "../support/folders.js";

const needed = ["lmdb", "fs-native-extensions"];

/** A repository in which npm installed these. */
function installed(packages: readonly string[]): string {
  const root = temporaryFolder("licences");
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
  test(`licences: a bundle is made where npm installs ${transport.join() || "no"} native transport`, () => {
    const root = installed([...needed, ...transport, "piscina"]),
      text = licencesOf(root, ["node_modules/piscina/dist/index.js", "src/main.ts"]);
    const named = [...text.matchAll(/^(\S+) 1\.2\.3 \(MIT\)\n\nlicence of \1$/gm)].map(([, name]) => name!);
    assert.deepEqual(named.sort(), [...needed, ...transport, "piscina"].sort());
    assert.match(text, /^Ledgerline\n\nLICENSE of ours\n\nNOTICE of ours$/m);
  });

test("licences: those of sources that a package brings along for its native part are there once, and those that it does not are kept here", () => {
  const root = installed([...needed, "uWebSockets.js-node22"]),
    lmdb = join(root, "node_modules", "lmdb"),
    kept = join(root, "src", "packaging", "licences");
  for (const folder of ["dependencies/first", "dependencies/second", "node_modules/other", ".hidden"]) {
    mkdirSync(join(lmdb, folder), { recursive: true });
    writeFileSync(join(lmdb, folder, "COPYRIGHT"), folder.startsWith("dependencies") ? "of a library\n" : "of nobody here\n");
    writeFileSync(join(lmdb, folder, "license.js"), "a program\n");
  }
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, "uWebSockets.js.txt"), "what the binary contains\n");
  const text = licencesOf(root, []);
  assert.match(text, /^lmdb 1\.2\.3 \(MIT\)\n\nlicence of lmdb\n\nof a library\n\n=/m);
  assert.match(text, /^licence of uWebSockets\.js-node22\n\nwhat the binary contains$/m);
  assert.doesNotMatch(text, /nobody|program/);
});

test("licences: each part of the bundle and of the console's page has a text, also LMDB and what uWebSockets.js contains", async () => {
  await freshBundle();
  const [, ...parts] = readFileSync(join(repositoryRoot(), "dist", "bundle", "licences.txt"), "utf8").split(`\n${"=".repeat(80)}\n\n`),
    headed = new Map(parts.map((part) => [part.slice(0, part.indexOf(" ")), part]));
  assert.deepEqual(
    [...headed].filter(([, text]) => text.length < 500).map(([name]) => name),
    [],
  );
  assert.ok(headed.has("preact") && headed.has("yaml"), [...headed.keys()].join(" "));
  for (const words of [/OpenLDAP Public License/i, /Yann Collet/]) assert.match(headed.get("lmdb")!, words);
  for (const [name, text] of headed)
    if (name.startsWith("uWebSockets.js")) for (const words of [/BoringSSL/, /LiteSpeed/, /Mark Adler/]) assert.match(text, words);
});

test("licences: what the bundle cannot do without is not left out in silence", () => {
  const root = installed(["lmdb"]);
  assert.throws(() => licencesOf(root, []), /fs-native-extensions/);
});
