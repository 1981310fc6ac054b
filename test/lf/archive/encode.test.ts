import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { isFailure } from "../../../src/base/result.js";
import { limits } from "../../../src/config.js";
import type { Package } from "../../../src/lf/ast.js";
import { decodePackage, encodePackage, readDar } from "../../../src/lf/archive/index.js";
import { testData } from "../../support/paths.js";
import { plain } from "./plain.js";

function decode(id: string, payload: Uint8Array): Package {
  const decoded = decodePackage(id, payload);
  assert.ok(!isFailure(decoded), decoded.error?.message);
  return decoded.ok!;
}

test("encode: what is decoded from LF 2.1, encoded and decoded again is the same package", (context) => {
  const names = readdirSync(testData("engine", "dars")).filter((name) => name.endsWith("-2.1.dar"));
  for (const name of names) {
    const dar = readDar(readFileSync(testData("engine", "dars", name)), limits);
    const { id, payload } = dar.ok!.archives[0]!;
    const original = decode(id, payload);
    const archive = encodePackage(original);
    const copy = decode(archive.id, archive.payload);
    assert.deepEqual(plain(copy), plain(original), name);
    assert.equal(encodePackage(copy).id, archive.id, name);
  }
  context.diagnostic(`${names.length} packages`);
});

test("encode: a package written in the flat form of LF 2.2 means the same as in the nested form", (context) => {
  const names = readdirSync(testData("engine", "dars")).filter((name) => name.endsWith("-2.2.dar"));
  for (const name of names) {
    const read = (file: string) => readDar(readFileSync(testData("engine", "dars", file)), limits).ok!.archives[0]!;
    const flat = read(name);
    const archive = encodePackage(decode(flat.id, flat.payload));
    const copy = decode(archive.id, archive.payload);
    assert.deepEqual([...copy.modules.keys()], [...decode(flat.id, flat.payload).modules.keys()], name);
    assert.deepEqual(plain(copy), plain(decode(flat.id, flat.payload)), name);
  }
  context.diagnostic(`${names.length} packages`);
});
