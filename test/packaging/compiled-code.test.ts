/** What V8 compiled before is taken by a start; what does not fit is not, and nothing else changes. */
import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { limits } from "../../src/config.js";
import { repositoryRoot } from "../support/paths.js";
import { eventually } from "../http/harness.js";
import { Client, startNodeProcess } from "../support/node-process.js";
import { inTemporaryFolder, run } from "./npm-package.js";

const bundle = join(repositoryRoot(), "dist", "bundle"),
  codeOf = (file: string, version = process.version): string => `${file}.${version}-${process.platform}-${process.arch}.code`,
  isThere = existsSync(join(bundle, codeOf("program.js")));

/** Prints of each file whether its compiled code was taken, where a node tells nothing else. */
const probeTo = (descriptor: number): string => `
const vm = require("node:vm"), { basename } = require("node:path"), { writeSync } = require("node:fs");
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    writeSync(${descriptor}, basename(options.filename) + " " + (options.cachedData === undefined ? "none" : this.cachedDataRejected ? "refused" : "taken") + "\\n");
  }
};`;

/** Starts a node in its process, and stops it when its engine thread is there. */
const program = (folder: string): string =>
  `require(${JSON.stringify(join(folder, "index.js"))}).startLedgerline().then(async (node) => {
     await node.allocateParty("alice");
     await node.uploadDar(${JSON.stringify(join(repositoryRoot(), "test", "data", "quickstart.dar"))});
     await node.stop();
   })`;

async function loadedFiles(folder: string, probeFile: string): Promise<readonly string[]> {
  const { exit, out, err } = await run(process.execPath, ["--require", probeFile, "-e", program(folder)], { cwd: repositoryRoot() });
  assert.deepEqual([exit, err], [0, ""]);
  return [...new Set(out.trim().split("\n"))].sort(); // of several threads
}

describe("compiled code", { skip: isThere ? false : "the build was not bundled", timeout: 300_000 }, () => {
  it("of both files is taken by the program and by its engine threads, and another V8 compiles again", () =>
    inTemporaryFolder(async (folder) => {
      const probeFile = join(folder, "probe.cjs"),
        copied = join(folder, "dist", "bundle");
      writeFileSync(probeFile, probeTo(1));
      assert.deepEqual(await loadedFiles(bundle, probeFile), ["program.js taken", "threads.js taken"]);
      cpSync(bundle, copied, { recursive: true });
      symlinkSync(join(repositoryRoot(), "node_modules"), join(folder, "node_modules"));
      for (const file of ["program.js", "threads.js"]) {
        const code = readFileSync(join(copied, codeOf(file)));
        code[4]! ^= 1; // of the version that made it
        writeFileSync(join(copied, codeOf(file)), code);
      }
      assert.deepEqual(await loadedFiles(copied, probeFile), ["program.js refused", "threads.js refused"]);
    }));

  it("is asked for by the very release of Node.js that made it, as V8 does not look at what releases change of it", () =>
    inTemporaryFolder(async (folder) => {
      const probeFile = join(folder, "probe.cjs"),
        copied = join(folder, "dist", "bundle");
      writeFileSync(probeFile, probeTo(1));
      cpSync(bundle, copied, { recursive: true });
      symlinkSync(join(repositoryRoot(), "node_modules"), join(folder, "node_modules"));
      for (const file of ["program.js", "threads.js"])
        renameSync(join(copied, codeOf(file)), join(copied, codeOf(file, `${process.version}1`)));
      assert.deepEqual(await loadedFiles(copied, probeFile), ["program.js none", "threads.js none"]);
    }));

  it("is taken by a thread that begins while the node is busy, too", () =>
    inTemporaryFolder(async (folder) => {
      const probeFile = join(folder, "probe.cjs"),
        dar = readFileSync(join(repositoryRoot(), "test", "data", "quickstart.dar"));
      writeFileSync(probeFile, probeTo(2));
      const node = await startNodeProcess(["--memory", "--workers", "1"], pathToFileURL(probeFile), join(bundle, "main.js")),
        client = new Client(node.port, 8),
        loads = (): readonly string[] => [...node.stderr().matchAll(/^threads\.js (\w+)$/gm)].map(([, how]) => how!);
      try {
        assert.equal((await client.post("/v2/dars", dar)).status, 200);
        await eventually("engine threads have begun", () => loads().length > 0);
        const before = loads().length,
          { party } = (await client.post("/v2/parties", { partyIdHint: "alice" })).json().partyDetails;
        // One after the other, each is a message.
        for (let index = 0; index <= limits.messagesBetweenTurns; index++) {
          const createArguments = { issuer: party, owner: party, name: "gold", amount: "1" },
            commands = [{ CreateCommand: { templateId: "#ref-model:M:Asset", createArguments } }];
          const body = { commands, commandId: `busy-${index}`, actAs: [party], userId: "me" };
          assert.equal((await client.post("/v2/commands/submit-and-wait", body)).status, 200);
        }
        await sleep(limits.darReaderIdleMs + 1_000); // the thread that read the DAR is gone
        assert.equal((await client.post("/v2/dars/validate", Buffer.from("none"))).status, 400); // read by a thread of its own
        await eventually("another thread has begun", () => loads().length > before);
        assert.deepEqual([...new Set(loads())], ["taken"]);
      } finally {
        client.close();
        await node.stop();
      }
    }));
});
