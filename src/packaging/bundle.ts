/**
 * Puts the built program and its libraries into few files: a node starts from them in a third of the time, and who installs the
 * package installs few others. Native parts stay outside, in packages of their own or as assets of an executable.
 *
 * Names stay as they are: the engine makes text of some of its functions, so nothing may be renamed that they call.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { assert } from "../base/assert.js";
import { keepCode } from "./compiled-code.js";
import { licencesOf } from "./licences.js";

export interface BundleOptions {
  /** Where the files go. */
  readonly folder: string;
  /** "installed": found by Node.js in packages beside this one. "embedded": handed in by whoever runs the bundle. */
  readonly natives: "installed" | "embedded";
}

const source = fileURLToPath(new URL("../", import.meta.url)),
  root = join(source, "../..");

/** What runs on the main thread, and what on others. */
export const bundleFiles = {
  program: "program.js",
  threads: "threads.js",
  /** What Piscina begins a thread with. */
  thread: "thread.js",
  load: "load.js",
  face: "index.js",
  main: "main.js",
  licences: "licences.txt",
} as const;

/** With the compiled code of this Node.js, without which it starts as well, but later. */
export async function bundlePackage(folder: string): Promise<void> {
  await bundle({ folder, natives: "installed" });
  await keepCode(folder).catch((error: unknown) =>
    process.stderr.write(`The bundle has no compiled code, as it could not be run: ${(error as Error).message}\n`),
  );
}

export async function bundle({ folder, natives }: BundleOptions): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) if (file.endsWith(".code")) rmSync(join(folder, file)); // of another text
  const inputs = new Set<string>();
  for (const [file, contents] of [
    [bundleFiles.program, programEntry],
    [bundleFiles.threads, threadsEntry],
  ] as const) {
    const { metafile } = await build({
      stdin: { contents, resolveDir: source, sourcefile: file },
      outfile: join(folder, file),
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node20",
      minifyWhitespace: true,
      metafile: true,
      legalComments: "none",
      logLevel: "warning",
      define: { "import.meta.url": "bundleUrl" },
      external: [...(natives === "installed" ? ["lmdb"] : []), ...neverLoaded],
      banner: { js: 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
      plugins: [ownSources(natives), piscina(natives), ...(natives === "embedded" ? [embeddedNatives] : [])],
    });
    for (const input of Object.keys(metafile.inputs)) inputs.add(input);
  }
  writeFileSync(join(folder, "package.json"), '{"type":"commonjs"}\n');
  copyFileSync(fileURLToPath(new URL("./load.cjs", import.meta.url)), join(folder, bundleFiles.load));
  writeFileSync(join(folder, bundleFiles.thread), `"use strict";\nrequire("./${bundleFiles.load}")("${bundleFiles.threads}");\n`);
  writeFileSync(join(folder, bundleFiles.face), face);
  writeFileSync(join(folder, bundleFiles.main), main, { mode: 0o755 });
  writeFileSync(join(folder, bundleFiles.licences), licencesOf(root, [...inputs, ...consoleInputs()]));
}

/** What the console's page was made of, where it was made (`console/bundle.mjs`). */
function consoleInputs(): readonly string[] {
  const file = join(root, "dist", "console-inputs.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as string[]) : [];
}

const programEntry = `
export { faceFor } from "./packaging/in-process.js";
export const runCommandLine = () => import("./main.js");
`;

/** Piscina's own entry; it asks for the modules of tasks by their files' names. */
const threadsEntry = `
globalThis[Symbol.for("ledgerline.tasks")] = (file) => (/script[\\\\/]thread\\.js$/.test(file) ? import("./script/thread.js") : import("./engine-thread.js"));
require(${JSON.stringify(join(dirname(createRequire(import.meta.url).resolve("piscina")), "worker.js"))});
`;

/**
 * npm leaves a package for another platform out, and who copies a folder from another platform has the wrong one: the program
 * cannot be loaded then. That is a sentence, not the line of the bundle where it was missed. (An error of another realm is no `Error` here.)
 */
const whole = `
function whole(load, otherwise) {
  try {
    return load();
  } catch (error) {
    const [what] = String(error?.message).split("\\n");
    if (error?.code !== "MODULE_NOT_FOUND" && error?.code !== "ERR_DLOPEN_FAILED" && !what.startsWith("No native build")) throw error;
    return otherwise("A part that Ledgerline needs on " + process.platform + "-" + process.arch + " is missing: " + what.replace(/\\.$/, "")
      + ". Install the package again on this platform, without --omit=optional.", error);
  }
}
`;

/**
 * Test runners that give each file a realm of its own (Jest) would load all again for each, and errors of the system would be
 * no \`Error\` there. So the program lives in the process' own realm, once; what it throws is made of the file's \`Error\`.
 */
const face = `"use strict";
const { join } = require("node:path"), { runInThisContext } = require("node:vm");
const load = runInThisContext("(file) => process.getBuiltinModule('node:module').createRequire(file)(file)");
const { startLedgerline, LedgerlineError, version } = whole(() =>
  (process.getBuiltinModule ? load : require)(join(__dirname, "${bundleFiles.load}"))("${bundleFiles.program}").faceFor(Error),
  (sentence, cause) => { throw new Error(sentence, { cause }); });
${whole}exports.startLedgerline = startLedgerline;
exports.LedgerlineError = LedgerlineError;
exports.version = version;
`;

const main = `#!/usr/bin/env node
"use strict";
whole(() => require("./${bundleFiles.load}")("${bundleFiles.program}").runCommandLine(), (sentence) => {
  process.stderr.write(sentence + "\\n");
  process.exitCode = 1;
});
${whole}`;

/** Replaces what must be there: another version of it would be bundled wrongly. */
function replaced(text: string, file: string, changes: readonly (readonly [from: string | RegExp, to: string])[]): string {
  return changes.reduce((before, [from, to]) => {
    const after = before.replace(from, () => to);
    assert(after !== before, `${file} has ${String(from)}`);
    return after;
  }, text);
}

/** What libraries load only for things that nobody asks of them here. */
const neverLoaded: readonly string[] = ["@napi-rs/nice"];

/** Addresses that our modules make of their own place stay the same, though they are in `dist/bundle`, or as if. */
const ownSources = (natives: BundleOptions["natives"]): Plugin => ({
  name: "own sources",
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(source)) return undefined;
      const text = readFileSync(path, "utf8"),
        place = relative(join(root, "dist", "bundle"), path).replaceAll("\\", "/");
      let own = text
        .replace(/^\s*const require = createRequire\(import\.meta\.url\);$/gm, "")
        .replace(/\bcreateRequire\(import\.meta\.url\)/g, "require")
        .replace(/\bimport\.meta\.url\b/g, `new URL(${JSON.stringify(place)},bundleUrl).href`);
      if (natives === "embedded" && readers.includes(place)) own = own.replace('from "node:fs"', 'from "ledgerline:fs"');
      return {
        contents: path === join(source, "version.js") ? `export const version = ${JSON.stringify(packageVersion())};` : own,
        loader: "js",
      };
    });
  },
});

/** Of files beside the program, which in an executable are parts of it. */
const readers: readonly string[] = ["../src/licences.js", "../src/api/console-page.js"];

const packageVersion = (): string => (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

const piscina = (natives: BundleOptions["natives"]): Plugin => ({
  name: "piscina",
  setup({ onLoad }) {
    if (natives === "embedded") {
      onLoad({ filter: /piscina[\\/]dist[\\/]worker_pool[\\/]index\.js$/ }, ({ path }) => ({
        contents: replaced(readFileSync(path, "utf8"), path, [
          ["new node_worker_threads_1.Worker(filename, workerOpts)", 'globalThis[Symbol.for("ledgerline.thread")](workerOpts)'],
        ]),
        loader: "js",
      }));
    }
    onLoad({ filter: /piscina[\\/]dist[\\/]index\.js$/ }, ({ path }) => ({
      contents: replaced(readFileSync(path, "utf8"), path, [["(__dirname, 'worker.js')", `(__dirname, "${bundleFiles.thread}")`]]),
      loader: "js",
    }));
    onLoad({ filter: /piscina[\\/]dist[\\/]worker\.js$/ }, ({ path }) => ({
      contents: replaced(readFileSync(path, "utf8"), path, [
        [
          "handler = await Promise.resolve(`${filename}`).then(s => __importStar(require(s)));",
          'handler = await globalThis[Symbol.for("ledgerline.tasks")](filename);',
        ],
      ]),
      loader: "js",
    }));
  },
});

/** lmdb looks for its native part among its files. */
const embeddedNatives: Plugin = {
  name: "embedded natives",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node-gyp-build-optional-packages$/ }, ({ importer }) => ({
      path: importer.includes("msgpackr") ? "none" : "lmdb",
      namespace: "native",
    }));
    onLoad({ filter: /.*/, namespace: "native" }, ({ path }) => ({
      contents: path === "lmdb" ? "module.exports = () => require('ledgerline:lmdb');" : "module.exports = () => undefined;",
      loader: "js",
    }));
    onResolve({ filter: /^ledgerline:/ }, ({ path }) => ({ path, external: true }));
  },
};
