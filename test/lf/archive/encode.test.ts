import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { isFailure } from "../../../src/base/result.js";
import { limits } from "../../../src/config.js";
import type { Package } from "../../../src/lf/ast.js";
import { decodePackage, encodePackage, readDar, stablePackages } from "../../../src/lf/archive/index.js";
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

/** With one argument for each type application, and one name for each abstraction, as the flat form has them. */
function oneByOne(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(oneByOne);
  if (typeof value !== "object" || value === null) return value;
  const nested = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, oneByOne(part)]));
  const { kind, types, params } = nested as { kind: unknown; types: unknown[]; params: unknown[] };
  if (kind === "tyApp") return types.reduce((expr, type) => ({ kind, expr, types: [type] }), nested["expr"]);
  if (kind === "abs" || kind === "tyAbs") return params.reduceRight((body, param) => ({ kind, params: [param], body }), nested["body"]);
  return nested;
}

test("encode: what was written in the nested form of LF 2.1 means the same in the flat form of LF 2.3", (context) => {
  const stable = new Set(stablePackages().map(({ id }) => id));
  const packages = readdirSync(testData("engine", "dars"))
    .filter((name) => name.endsWith("-2.1.dar"))
    .map((name) => readDar(readFileSync(testData("engine", "dars", name)), limits).ok!.archives[0]!)
    .map(({ id, payload }) => decode(id, payload))
    // LF 2.3 refers to others by tables of imports, which nothing here writes
    .filter(({ directDependencies }) => [...directDependencies].every((id) => stable.has(id)));
  for (const nested of packages) {
    const flat = encodePackage({ ...nested, minor: "3" });
    assert.deepEqual(plain(decode(flat.id, flat.payload)), oneByOne(plain(nested)), nested.name);
  }
  assert.ok(packages.length > 0);
  context.diagnostic(`${packages.length} packages`);
});
