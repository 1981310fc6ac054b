/** Loaded before the bundle, on each of its threads: writes the code that V8 compiled of its files beside them. */
import fs = require("node:fs");
import path = require("node:path");
import vm = require("node:vm");
import threads = require("node:worker_threads");

const scripts = new Map<string, vm.Script>();

class KeptScript extends vm.Script {
  constructor(text: string, options: vm.ScriptOptions) {
    super(text, options);
    if (options.filename !== undefined) scripts.set(options.filename, this);
  }
}
(vm as { Script: typeof vm.Script }).Script = KeptScript as typeof vm.Script;

/** What was never called is not compiled, so later is better. */
function writeCode(): void {
  for (const [file, script] of scripts) {
    const { codeOf, takeFlagsBack } = require(path.join(path.dirname(file), "load.js")) as typeof import("./load.cjs");
    takeFlagsBack();
    fs.writeFileSync(codeOf(file), script.createCachedData());
  }
}

type Handle = (task: unknown) => unknown;
type Tasks = (file: string) => Promise<{ readonly default: Handle }>;

/** A thread does not see its own end. */
function keepBehindTasks(): void {
  let tasks: Tasks;
  Object.defineProperty(globalThis, Symbol.for("ledgerline.tasks"), {
    set(given: Tasks) {
      tasks = given;
    },
    get: () => async (file: string) => {
      const { default: handle } = await tasks(file);
      return {
        default: async (task: unknown): Promise<unknown> => {
          const reply = await handle(task);
          writeCode();
          return reply;
        },
      };
    },
  });
}

if (threads.isMainThread) process.once("exit", writeCode);
else keepBehindTasks();
