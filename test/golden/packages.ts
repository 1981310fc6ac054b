/** Every DAR of a folder: decoded, validated and compiled, all of it and not only what is reached. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { assert } from "../../src/base/assert.js";
import { isFailure } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import type { Package, PackageId } from "../../src/lf/ast.js";
import { loadDar } from "../../src/lf/archive/index.js";
import { PackageInterface } from "../../src/lf/package-interface.js";
import { compileAll, compilerOf, type Compilation } from "./compile-all.js";

/** What the reference refuses too: the code of the refusal, what its message says, and why. */
const refusedByAll: readonly (readonly [code: string, message: RegExp, why: string])[] = [
  ["ALLOWED_LANGUAGE_VERSIONS", /Daml-LF 1\./, "Daml-LF 1"],
  ["DAR_PARSE_ERROR", /builtin function with number 400[01]|named by string, which Daml-LF 2\.dev/, "an early encoding of LF 2.dev"],
  ["DAR_VALIDATION_ERROR", /in package dc0563f935abf08b/, "ill-typed on purpose"],
];

export interface LoadedFile {
  readonly dar: string;
  readonly bytes: number;
  readonly packages: number;
  readonly functions: number;
  /** Processor time of this process. */
  readonly loadMs: number;
  readonly compileMs: number;
  readonly refusal?: string;
  readonly isExpected: boolean;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

interface Loaded {
  readonly file: LoadedFile;
  readonly compiled: readonly Compilation[];
}

/** `known` packages were validated and compiled with a DAR before; what this DAR adds goes there. */
function loadFile(folder: string, dar: string, known: Map<PackageId, Package>): Loaded {
  const bytes = readFileSync(join(folder, dar));
  const began = cpuMs();
  const loaded = loadDar(bytes, limits, { earlier: known });
  const loadMs = cpuMs() - began;
  if (isFailure(loaded)) {
    const { code, message } = loaded.error;
    const why = refusedByAll.find(([itsCode, itsMessage]) => itsCode === code && itsMessage.test(message))?.[2];
    return {
      file: {
        dar,
        bytes: bytes.length,
        packages: 0,
        functions: 0,
        loadMs,
        compileMs: 0,
        refusal: `${code}: ${why ?? message}`,
        isExpected: why !== undefined,
      },
      compiled: [],
    };
  }
  const fresh = loaded.ok.packages.map((each) => each.package).filter(({ id }) => !known.has(id));
  for (const package_ of fresh) known.set(package_.id, package_);
  const compiler = compilerOf(new PackageInterface({ getPackage: (id) => known.get(id) }));
  const compiled = fresh.map((package_) => compileAll(compiler, package_));
  const refusal = compiled.find((each) => each.refusal !== undefined)?.refusal;
  const file = {
    dar,
    bytes: bytes.length,
    packages: fresh.length,
    functions: compiled.reduce((sum, { functions }) => sum + functions.length, 0),
    loadMs,
    compileMs: cpuMs() - began - loadMs,
    isExpected: refusal === undefined,
    ...(refusal === undefined ? {} : { refusal }),
  };
  return { file, compiled };
}

export interface FolderCount {
  readonly files: readonly LoadedFile[];
  readonly packages: ReadonlyMap<PackageId, Package>;
}

export function loadFolder(folder: string): FolderCount {
  const packages = new Map<PackageId, Package>();
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".dar"))
    .sort()
    .map((dar) => loadFile(folder, dar, packages).file);
  return { files, packages };
}

export interface Alone extends LoadedFile {
  readonly heapMb: number;
}

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};

/** The DAR with the most bytes, from nothing; the heap that its decoded and compiled packages hold. */
export function loadLargest(folder: string): Alone | undefined {
  const dars = readdirSync(folder).filter((name) => name.endsWith(".dar"));
  const sizes = new Map(dars.map((dar) => [dar, statSync(join(folder, dar)).size]));
  const largest = dars.sort((a, b) => sizes.get(b)! - sizes.get(a)!)[0];
  if (largest === undefined) return undefined;
  const packages = new Map<PackageId, Package>();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const { file, compiled } = loadFile(folder, largest, packages);
  collectGarbage();
  const heapMb = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  assert(compiled.length === packages.size, "the packages and their code are held until here");
  return { ...file, heapMb };
}
