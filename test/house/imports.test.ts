import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "../support/paths.js";

/** What a folder of src may import; a name not listed may import nothing but itself. Downwards only. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "main.ts": [
    "node.ts",
    "data-at-rest.ts",
    "sandbox.ts",
    "start-failure.ts",
    "command-line.ts",
    "start-options.ts",
    "licences.ts",
    "version.ts",
    "config.ts",
    "base",
    "script",
    "packaging",
  ],
  packaging: [
    "node.ts",
    "data-at-rest.ts",
    "start-failure.ts",
    "command-line.ts",
    "start-options.ts",
    "flags.ts",
    "data-folder.ts",
    "version.ts",
    "config.ts",
    "base",
    "workers",
    "ledger",
    "store",
    "http",
    "auth",
  ],
  "sandbox.ts": ["node.ts", "start-failure.ts", "command-line.ts", "base"],
  "command-line.ts": ["configuration-file.ts", "start-options.ts", "script-command-line.ts", "script", "flags.ts", "config.ts", "base"],
  "start-options.ts": ["flags.ts", "config.ts", "base", "auth"],
  "script-command-line.ts": ["script", "flags.ts", "config.ts", "base"],
  "flags.ts": ["base"],
  "data-folder.ts": ["config.ts", "base"],
  "version.ts": [],
  "licences.ts": [],
  "configuration-file.ts": ["base"],
  "node.ts": [
    "tls.ts",
    "serving.ts",
    "hosted-network.ts",
    "start-failure.ts",
    "start-options.ts",
    "data-folder.ts",
    "version.ts",
    "config.ts",
    "base",
    "telemetry",
    "workers",
    "ledger",
    "lf",
    "store",
    "auth",
  ],
  "data-at-rest.ts": [
    "start-failure.ts",
    "start-options.ts",
    "command-line.ts",
    "data-folder.ts",
    "config.ts",
    "base",
    "telemetry",
    "ledger",
    "store",
  ],
  "engine-thread.ts": ["workers", "api"],
  "hosted-network.ts": [
    "localnet",
    "serving.ts",
    "start-failure.ts",
    "start-options.ts",
    "config.ts",
    "version.ts",
    "base",
    "splice",
    "ledger",
  ],
  localnet: ["serving.ts", "config.ts", "splice", "lf"],
  "serving.ts": [
    "site-user.ts",
    "token-standard.ts",
    "start-failure.ts",
    "command-line.ts",
    "start-options.ts",
    "version.ts",
    "config.ts",
    "base",
    "telemetry",
    "api",
    "grpc",
    "ledger",
    "auth",
    "http",
  ],
  "site-user.ts": ["config.ts", "ledger"],
  "token-standard.ts": ["start-failure.ts", "start-options.ts", "config.ts", "base", "api", "splice", "ledger", "auth"],
  "tls.ts": ["start-failure.ts", "start-options.ts", "base", "http"],
  "start-failure.ts": ["data-folder.ts", "base", "ledger", "store"],
  console: ["config.ts", "api"],
  grpc: ["config.ts", "base", "lf", "ledger", "http", "api"],
  api: ["config.ts", "version.ts", "base", "splice", "ledger", "auth", "http"],
  splice: ["config.ts", "base", "ledger", "lf", "store"],
  script: ["config.ts", "base", "workers", "ledger", "lf"],
  workers: ["config.ts", "base", "ledger", "lf", "store"],
  ledger: ["config.ts", "base", "lf", "store"],
  lf: ["config.ts", "base"],
  store: ["config.ts", "base"],
  auth: ["config.ts", "base"],
  http: ["config.ts", "base"],
  telemetry: ["config.ts", "base"],
  base: [],
  "config.ts": [],
};

/** The one folder that may import an outside library. Node's own modules are free. */
const owners: Readonly<Record<string, readonly string[]>> = {
  lmdb: ["store"],
  piscina: ["workers"],
  "@noble/curves": ["lf"],
  "@noble/hashes": ["lf"],
  jose: ["auth"],
  ws: ["http"],
  "uWebSockets.js": ["http"],
  "fs-native-extensions": ["base"],
  typia: ["api"],
  esbuild: ["packaging", "console"],
  yaml: ["configuration-file.ts"],
  "smol-toml": ["configuration-file.ts"],
  pino: ["telemetry"],
  "prom-client": ["telemetry"],
  preact: ["console"],
};

/** Native code, which is asked for by name where it may be missing. */
const required: readonly string[] = ["uWebSockets.js", "fs-native-extensions"];

const source = join(repositoryRoot(), "src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => /\.(?:tsx?|mjs)$/.test(file));
const folderOf = (file: string): string => file.split("/")[0]!;
const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(source, file), "utf8").matchAll(
      /^(?:import|export)\b[^;"'=]*?\bfrom\s*["']([^"']+)["']|^import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm,
    ),
  ].map((match) => (match[1] ?? match[2] ?? match[3])!);

test("house: every import points downwards", () => {
  const wrong: string[] = [];
  for (const file of files) {
    for (const specifier of importsOf(file).filter((name) => name.startsWith("."))) {
      const target = folderOf(relative(source, resolve(dirname(join(source, file)), specifier)).replace(/\.js$/, ".ts"));
      if (target !== folderOf(file) && !(allowed[folderOf(file)] ?? []).includes(target)) wrong.push(`${file} imports ${specifier}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** What a file of ours imports, of what this program is made of. */
const importedBy = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith("."))
    .map((specifier) => relative(source, resolve(dirname(join(source, file)), specifier)).replace(/\.js$/, ".ts"))
    .map((target) => (files.includes(`${target}x`) ? `${target}x` : target));

/** Doors of a folder beside its `index.ts`, with their reason. */
const doors: readonly string[] = [
  "lf/running-code.ts", // for who asks compiled code itself, and not its face
  "workers/thread.ts", // for a thread, which has no use for the pool
  "api/ledger/plain-submissions.ts", // for a thread, which has no use for the API
];
test("house: a folder with a face is entered by it", () => {
  const faced = new Set(files.filter((file) => file.endsWith("/index.ts")).map((file) => dirname(file)));
  const around = files.flatMap((file) =>
    importedBy(file).flatMap((target) => {
      const folder = dirname(target);
      const isAtHome = `${dirname(file)}/`.startsWith(`${folder}/`) || folder === ".";
      return isAtHome || !faced.has(folder) || target.endsWith("/index.ts") || doors.includes(target) ? [] : [`${file} imports ${target}`];
    }),
  );
  assert.deepEqual(around, []);
});

test("house: imports go in no circle", () => {
  assert.deepEqual(circlesOf(files, importedBy), []);
});

/** Sets of files each of which reaches all others of it (Tarjan's strongly connected components). */
function circlesOf(all: readonly string[], next: (file: string) => readonly string[]): string[][] {
  const numbers = new Map<string, number>(),
    lowest = new Map<string, number>(),
    stack: string[] = [],
    circles: string[][] = [];
  const visit = (file: string): void => {
    numbers.set(file, numbers.size);
    lowest.set(file, numbers.get(file)!);
    stack.push(file);
    for (const other of next(file)) {
      if (!numbers.has(other)) {
        if (!all.includes(other)) continue;
        visit(other);
        lowest.set(file, Math.min(lowest.get(file)!, lowest.get(other)!));
      } else if (stack.includes(other)) lowest.set(file, Math.min(lowest.get(file)!, numbers.get(other)!));
    }
    if (lowest.get(file) !== numbers.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of all) if (!numbers.has(file)) visit(file);
  return circles;
}

test("house: every outside library is imported by its one folder only", () => {
  const wrong: string[] = [];
  for (const file of files) {
    for (const specifier of importsOf(file).filter((name) => !name.startsWith(".") && !name.startsWith("node:"))) {
      const library = specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");
      if (!(owners[library] ?? []).includes(folderOf(file))) wrong.push(`${file} imports ${specifier}`);
    }
  }
  assert.deepEqual(wrong, []);
  const used = new Set(
    files.flatMap(importsOf).map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    ),
  );
  assert.deepEqual(
    Object.keys(owners).filter((library) => !used.has(library) && !required.includes(library)),
    [],
    "libraries that nothing imports any more",
  );
});

test("house: files hold one idea and stay readable", () => {
  const long = files.filter((file) => readFileSync(join(source, file), "utf8").split("\n").length > 700);
  assert.deepEqual(
    long.filter((file) => !/types|stable-packages|^config\.ts$/.test(file)), // tables are as long as what there is to tell
    [],
  );
});
