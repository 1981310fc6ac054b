import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import { isFailure } from "../../../src/base/result.js";
import type { LfVersion, Package } from "../../../src/lf/ast.js";
import { decodePackage, isUtilityPackage, loadDar, readDar, stableVersions } from "../../../src/lf/archive/index.js";
import { completeDar } from "../../support/lf-builder.js";
import { testData } from "../../support/paths.js";

/** What the reference engine said of each DAR: `test/data/engine/decode-*.json`, its prose left out. */
interface Accepted {
  readonly dar: string;
  readonly main: Readonly<Record<"id" | "name" | "version" | "lf", string>> & Readonly<Record<"modules" | "definitions" | "values" | "serializableTypes" | "templates" | "choices" | "interfaces" | "exceptions" | "directDeps", number>> & { readonly utility: boolean };
  readonly mainDetail: readonly {
    readonly module: string;
    readonly templates?: Readonly<Record<string, { readonly choices: readonly string[] }>>;
    readonly interfaces?: Readonly<Record<string, { readonly choices: readonly string[]; readonly methods: readonly string[] }>>;
  }[];
  readonly check: string;
}
interface Verdict { readonly dar: string; readonly decodeError?: string; readonly main?: string; readonly check?: string }

const read = <T>(name: string): T => JSON.parse(readFileSync(testData("engine", name), "utf8")) as T;
const anyVersion: ReadonlySet<LfVersion> = new Set([...stableVersions, "2.dev"]);

function decodeMain(bytes: Uint8Array): Package {
  const dar = readDar(bytes, limits);
  assert.ok(!isFailure(dar), dar.error?.message);
  const main = dar.ok!.archives[0]!;
  const decoded = decodePackage(main.id, main.payload);
  assert.ok(!isFailure(decoded), decoded.error?.message);
  return decoded.ok!;
}

const total = (package_: Package, count: (module: Package["modules"] extends ReadonlyMap<string, infer M> ? M : never) => number): number =>
  [...package_.modules.values()].reduce((sum, module) => sum + count(module), 0);

function countsOf(package_: Package): Accepted["main"] {
  return {
    id: package_.id, name: package_.name, version: package_.version, lf: package_.lfVersion, utility: isUtilityPackage(package_),
    modules: package_.modules.size,
    definitions: total(package_, (module) => module.dataTypes.size + module.synonyms.size + module.values.size),
    values: total(package_, (module) => module.values.size),
    serializableTypes: total(package_, (module) => [...module.dataTypes.values()].filter((type) => type.serializable).length),
    templates: total(package_, (module) => module.templates.size),
    choices: total(package_, (module) => [...module.templates.values()].reduce((sum, template) => sum + template.choices.size, 0)),
    interfaces: total(package_, (module) => module.interfaces.size),
    exceptions: total(package_, (module) => module.exceptions.size),
    directDeps: package_.directDependencies.size,
  };
}

test("decode: every DAR of ours has the counts, templates, choices and interfaces that the reference engine sees", (context) => {
  const cases = read<Accepted[]>("decode-own.json");
  for (const { dar, main, mainDetail } of cases) {
    const package_ = decodeMain(readFileSync(testData("engine", "dars", dar)));
    assert.deepEqual(countsOf(package_), main, dar);
    for (const detail of mainDetail) {
      const module = package_.modules.get(detail.module)!;
      for (const [name, { choices }] of Object.entries(detail.templates ?? {})) assert.deepEqual([...module.templates.get(name)!.choices.keys()].sort(), choices, `${dar} ${name}`);
      for (const [name, { choices, methods }] of Object.entries(detail.interfaces ?? {})) {
        assert.deepEqual([...module.interfaces.get(name)!.choices.keys()].sort(), choices, `${dar} ${name}`);
        assert.deepEqual([...module.interfaces.get(name)!.methods.keys()].sort(), methods, `${dar} ${name}`);
      }
    }
  }
  context.diagnostic(`${cases.length} of ${cases.length} DARs decode alike`);
});

test("load: every DAR of ours, completed by the stable packages, gets the reference's verdict", () => {
  for (const { dar, check } of read<Accepted[]>("decode-own.json")) {
    const bytes = completeDar(readFileSync(testData("engine", "dars", dar)));
    const loaded = loadDar(bytes, limits);
    assert.equal(loaded.error?.class ?? "ok", check, dar);
    assert.ok(!isFailure(loadDar(bytes, limits, { allowed: anyVersion })), dar);
  }
});

/** Verdicts that differ, with the reason. */
const differences: Readonly<Record<string, string>> = {
  "mal-lf1.dar": "we refuse Daml-LF 1 by its version; the reference reads it first and stumbles over its content",
  "mal-extra-dependency.dar": "the reference's engine refuses, its node warns below LF 2.2; we are a node",
};

test("refusals: damaged and ill-formed DARs get the reference's class of error, and nothing is refused that it accepts", (context) => {
  const cases = read<Verdict[]>("decode-invalid.json");
  for (const { dar, decodeError, check } of cases) {
    const loaded = loadDar(readFileSync(testData("engine", "dars-invalid", dar)), limits);
    if (!(dar in differences)) assert.equal(loaded.error?.class ?? "ok", decodeError ?? check, `${dar}: ${loaded.error?.message ?? "accepted"}`);
  }
  context.diagnostic(`${cases.length - Object.keys(differences).length} of ${cases.length} verdicts alike, ${Object.keys(differences).length} explained`);
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
