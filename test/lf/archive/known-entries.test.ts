/** What was unpacked once is not unpacked again, and whatever is not the same is checked as ever. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import { readDar, type Dar } from "../../../src/lf/archive/index.js";
import { KnownEntries } from "../../../src/lf/archive/known-entries.js";
import { manifestName, printManifest } from "../../../src/lf/archive/manifest.js";
import { openZip, readZip } from "../../../src/lf/archive/zip.js";
import { writeZip } from "../../../src/lf/archive/zip-writer.js";
import { testData } from "../../support/paths.js";

const bytes = readFileSync(testData("quickstart.dar"));
const contents = (dar: Dar | undefined) => dar?.archives.map(({ id, payload }) => [id, Buffer.from(payload).toString("base64")]);

/** The same packages, with another manifest. */
function withManifest(
  edit: (main: string, dependencies: readonly string[]) => { main: string; dependencies: readonly string[] },
): Uint8Array {
  const entries = new Map(readZip(bytes, limits)),
    names = [...entries.keys()].filter((name) => name.endsWith(".dalf"));
  const { main, dependencies } = edit(names[0]!, names.slice(1));
  return writeZip(entries.set(manifestName, Buffer.from(printManifest({ main, dependencies }, "edited"))));
}

test("known entries: a DAR that was seen before says the same, and has the same payloads when they are asked for", () => {
  const known = new KnownEntries(1_000),
    first = readDar(bytes, limits, known).ok,
    again = readDar(bytes, limits, known).ok;
  assert.deepEqual(contents(first), contents(readDar(bytes, limits).ok));
  assert.deepEqual(contents(again), contents(first));
});

test("known entries: what is known to be sound is not unpacked before it is asked for", () => {
  const known = new KnownEntries(1_000),
    zip = Buffer.from(writeZip(new Map([["a", Buffer.from("content")]])));
  zip.writeUInt32LE(1, zip.lastIndexOf(Buffer.from("PK\x01\x02")) + 16); // another checksum
  assert.throws(() => openZip(zip, limits, known), /does not have the checksum it says/);
  known.isSound = () => true;
  const entry = openZip(zip, limits, known).get("a")!;
  assert.throws(() => entry.content(), /does not have the checksum it says/);
});

test("known entries: a DAR whose entries were seen before is refused when its manifest lies", () => {
  const known = new KnownEntries(1_000),
    honest = withManifest((main, dependencies) => ({ main, dependencies }));
  assert.equal(readDar(honest, limits, known).error, undefined);
  for (const lie of [
    withManifest((main, dependencies) => ({ main, dependencies: [...dependencies, "nowhere.dalf"] })),
    withManifest((_, dependencies) => ({ main: "nowhere.dalf", dependencies })),
    withManifest((_, dependencies) => ({ main: manifestName, dependencies })),
  ]) {
    const { error } = readDar(lie, limits, known);
    assert.ok(error !== undefined);
    assert.deepEqual(error, readDar(lie, limits).error);
  }
});

test("known entries: the same packed bytes are looked at again where another size or checksum is said of them", () => {
  const known = new KnownEntries(1_000),
    zip = Buffer.from(writeZip(new Map([["a", Buffer.from("content")]]))),
    directory = zip.lastIndexOf(Buffer.from("PK\x01\x02"));
  openZip(zip, limits, known);
  for (const field of [16, 24]) {
    const lying = Buffer.from(zip);
    lying.writeUInt32LE(lying.readUInt32LE(directory + field) + 1, directory + field);
    assert.throws(() => openZip(lying, limits, known), /does not have the checksum it says|has another size than it says/);
    assert.throws(() => openZip(lying, limits, known), "nor is it known from then on");
  }
});

test("known entries: the oldest are forgotten", () => {
  const known = new KnownEntries(2);
  for (const key of ["one", "two", "three"]) known.addSound(key);
  known.addPackage("two", "id");
  assert.deepEqual(
    ["one", "two", "three"].map((key) => [known.isSound(key), known.packageIn(key)]),
    [
      [false, undefined],
      [true, "id"],
      [true, undefined],
    ],
  );
});
