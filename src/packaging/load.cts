/**
 * Loads a file of the bundle, with V8's compiled code of it where that lies beside it: a start spends half of its time on compiling
 * otherwise. Code of another text is not taken by V8, which compiles then.
 */
import fs = require("node:fs");
import modules = require("node:module");
import path = require("node:path");
import v8 = require("node:v8");
import vm = require("node:vm");
import threads = require("node:worker_threads");

type Wrapped = (exports: object, require: NodeRequire, module: { exports: object }, filename: string, dirname: string) => void;

const loaded = new Map<string, { exports: object }>();

/**
 * Each release of Node.js has its own: V8 compares its version with that of the code, but not the patches on it that come with Node.js,
 * and ends the process where those differ.
 */
function codeOf(file: string): string {
  return `${file}.${process.version}-${process.platform}-${process.arch}.code`;
}
load.codeOf = codeOf;

/** V8 refuses code that was compiled with other flags than it has now: engine threads change these, and do so again (`workers/garbage.ts`). */
function takeFlagsBack(): void {
  for (const flag of ["--heap-growing-percent=0", "--minor-gc-task"]) v8.setFlagsFromString(flag);
}
load.takeFlagsBack = takeFlagsBack;

if (!threads.isMainThread && (threads.workerData as { isOwnProcess?: boolean } | undefined)?.isOwnProcess === true) takeFlagsBack();

/** Once for a process, or a thread of it, as by `require`. */
function load(name: string): object {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const file = path.join(__dirname, name),
    code = codeOf(file),
    text = `(function(exports,require,module,__filename,__dirname){${fs.readFileSync(file, "utf8")}\n})`;
  const script = new vm.Script(text, { filename: file, ...(fs.existsSync(code) ? { cachedData: fs.readFileSync(code) } : {}) });
  const module = { exports: {} };
  loaded.set(name, module);
  (script.runInThisContext() as Wrapped)(module.exports, modules.createRequire(file), module, file, __dirname);
  return module.exports;
}

export = load;
