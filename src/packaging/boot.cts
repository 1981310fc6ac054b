/**
 * The first code of the single executable, on each of its threads: takes program and native parts out of it. Compiled code of the
 * program comes along, so that a start does not compile it again.
 *
 * The system loads native parts from files only. On Linux each is written to a file without a name, which is gone with the process
 * however that ends; elsewhere to a folder of the user's own, once.
 */
import fs = require("node:fs");
import os = require("node:os");
import path = require("node:path");
import sea = require("node:sea");
import v8 = require("node:v8");
import vm = require("node:vm");
import threads = require("node:worker_threads");

/** Where the parts are before there is an executable. */
const folder = sea.isSea() ? undefined : process.env["LEDGERLINE_PARTS"];
/** Compiled code is written there, to go into an executable. */
const makesCode = folder !== undefined && process.env["LEDGERLINE_MAKE_CODE"] === "1";

function part(name: string): Buffer | undefined {
  if (folder !== undefined) {
    const file = path.join(folder, name);
    return fs.existsSync(file) ? fs.readFileSync(file) : undefined;
  }
  try {
    return Buffer.from(sea.getRawAsset(name) as ArrayBuffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND") return undefined;
    throw error;
  }
}

interface Native { readonly exports: object; readonly path: string }

/** By their names; a thread finds those of the main thread in what it is started with. */
const nativePaths = new Map<string, string>(threads.isMainThread ? [] : JSON.parse(process.argv[2] ?? "[]") as [string, string][]);
const natives = new Map<string, Native>();

function native(name: string): object {
  const known = natives.get(name) ?? loadNative(name);
  natives.set(name, known);
  return known.exports;
}

function loadNative(name: string): Native {
  const at = nativePaths.get(name);
  if (at !== undefined) return dlopen(at);
  const bytes = part(`${name}.node`);
  if (bytes === undefined) throw new Error(`this executable holds no ${name}`);
  const loaded = process.platform === "linux" ? loadUnnamed(name, bytes) : dlopen(keptFile(name, bytes));
  nativePaths.set(name, loaded.path);
  return loaded;
}

function dlopen(file: string): Native {
  const loaded = { exports: {} };
  process.dlopen(loaded, file);
  return { exports: loaded.exports, path: file };
}

/** In words for who starts the program. */
class NativeUnavailable extends Error {}

/** O_TMPFILE of Linux, which Node.js does not name: 0o20000000 with O_DIRECTORY. */
const unnamedFile = 0o20_200_000;

/** In memory, if code may be run from there; else on whatever disk allows it. */
function loadUnnamed(name: string, bytes: Buffer): Native {
  const failures: string[] = [];
  for (const place of new Set(["/dev/shm", os.tmpdir(), dataFolder(), process.cwd()])) {
    let descriptor: number | undefined;
    try {
      descriptor = fs.openSync(place, fs.constants.O_RDWR | unnamedFile, 0o700);
      fs.writeFileSync(descriptor, bytes);
      return dlopen(`/proc/self/fd/${descriptor}`); // stays open: threads load it again
    } catch (error) {
      if (descriptor !== undefined) fs.closeSync(descriptor);
      failures.push(`${place}: ${(error as Error).message}`);
    }
  }
  throw new NativeUnavailable(`${name} can be loaded from nowhere (${failures.join("; ")}): give a folder that allows files without a name and running code, for instance TMPDIR=/var/tmp`);
}

const dataFolder = (): string => process.argv.includes("--data") ? process.argv[process.argv.indexOf("--data") + 1] ?? process.cwd() : process.cwd();

function keptFile(name: string, bytes: Buffer): string {
  const kept = path.join(os.homedir(), process.platform === "win32" ? "AppData/Local/ledgerline" : ".cache/ledgerline", String(part("build-id")));
  const file = path.join(kept, `${name}.node`);
  if (fs.existsSync(file)) return file;
  fs.mkdirSync(kept, { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}`;
  fs.writeFileSync(written, bytes, { mode: 0o700 });
  fs.renameSync(written, file);
  return file;
}

/** What the bundles ask for: parts of Node.js, natives, and files that would lie beside the program. */
function ask(name: string): unknown {
  if (name.startsWith("node:")) return require(name);
  if (name === "ledgerline:lmdb") return native("lmdb");
  if (name.startsWith("fs-native-extensions/")) return native("fs-native-extensions");
  if (name === "uWebSockets.js") return native("uws");
  if (name === "ledgerline:fs") return { existsSync: (file: URL) => part(partName(file)) !== undefined, readFileSync: readPart };
  if (!name.startsWith(".") && require("node:module").isBuiltin(name)) return require(name);
  throw Object.assign(new Error(`Cannot find module '${name}' in this executable`), { code: "MODULE_NOT_FOUND" });
}

/** By their address beside the program, as if that were in a folder: `bundle/NAME` or `console/NAME`. */
const partName = ({ pathname }: URL): string => pathname.slice(pathname.indexOf("/dist/") + "/dist/".length).replace(/^bundle\//, "");

function readPart(file: URL, encoding?: BufferEncoding): Buffer | string {
  const bytes = part(partName(file));
  if (bytes === undefined) throw new Error(`this executable holds no ${partName(file)}`);
  return encoding === undefined ? bytes : bytes.toString(encoding);
}

/** The bundle's script, and its exports. */
function run(file: string): { readonly exports: any; writeCode(): void } {
  const text = part(file)?.toString("utf8"), code = makesCode ? undefined : part(`${file}.code`);
  if (text === undefined) throw new Error(`this executable holds no ${file}`);
  const script = new vm.Script(`(function(exports,require,module,__filename,__dirname){${text}\n})`, { filename: file, ...(code === undefined ? {} : { cachedData: code }) });
  if (script.cachedDataRejected === true && process.env["LEDGERLINE_MAKE_CODE"] === "check") process.stderr.write(`the compiled code of ${file} is not used\n`);
  const module = { exports: {} }, at = path.join(path.parse(process.cwd()).root, "ledgerline", "dist", "bundle", file);
  (script.runInThisContext() as (...values: unknown[]) => void)(module.exports, ask, module, at, path.dirname(at));
  const writeCode = (): void => {
    takeFlagsBack();
    fs.writeFileSync(path.join(folder!, `${file}.code`), script.createCachedData());
  };
  return { exports: module.exports, writeCode };
}

/** As `load.cts` does. */
function takeFlagsBack(): void {
  for (const flag of ["--heap-growing-percent=0", "--minor-gc-task"]) v8.setFlagsFromString(flag);
}

/** Threads begin with the same code, as there is no file that they could begin with. */
function startThread(options: import("node:worker_threads").WorkerOptions): import("node:worker_threads").Worker {
  return new threads.Worker(part("boot.js")!.toString("utf8"), { ...options, eval: true, argv: [JSON.stringify([...nativePaths])] });
}

const shared = globalThis as unknown as Record<symbol, unknown>;
const threadKey = Symbol.for("ledgerline.thread"), tasksKey = Symbol.for("ledgerline.tasks");

type Tasks = (file: string) => Promise<Record<string, unknown>>;

/** Node.js itself would print the line of the program in which it was thrown: all of it. */
function tellFailure(error: unknown): void {
  process.stderr.write(error instanceof NativeUnavailable ? `${error.message}.\n` : `${(error as Error).stack ?? String(error)}\n`);
  process.exitCode = 1;
}

if (threads.isMainThread) {
  shared[threadKey] = startThread;
  try {
    const { exports, writeCode } = run("program.js");
    exports.runCommandLine();
    if (makesCode) process.once("exit", writeCode);
  } catch (error) {
    tellFailure(error);
  }
} else {
  takeFlagsBack();
  const { writeCode } = run("threads.js");
  if (makesCode) {
    const tasks = shared[tasksKey] as Tasks;
    shared[tasksKey] = async (file: string) => {
      const handle = (await tasks(file))["default"] as (task: unknown) => unknown;
      return { default: async (task: unknown) => { const reply = await handle(task); writeCode(); return reply; } };
    };
  }
}
