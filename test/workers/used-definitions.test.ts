import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { limits } from "../../src/config.js";
import { Engine } from "../../src/lf/index.js";
import { UsedDefinitions } from "../../src/workers/used-definitions.js";
import { highestVersions, packageReader, readPackages } from "../golden/scenario-packages.js";
import { harnessSalt } from "../golden/scenario-ledger.js";
import { exercise, World } from "../scenarios/world.js";
import { testData } from "../support/paths.js";
import { counterTemplate, slowDar } from "./slow-model.js";
import { temporaryFolder } from "../support/folders.js";

const folders: string[] = [];
const newFolder = (): string => {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
};
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const packageId = "ab".repeat(32);
const compiled = (name: string, mode: "value" | "run", nodes = 1) => ({ definition: { packageId, module: "A.B", name }, mode, nodes });
const opened = (folder: string, problems: string[] = []): UsedDefinitions =>
  new UsedDefinitions(folder, (problem) => void problems.push(problem));
const names = (folder: string): readonly string[] => [...opened(folder).all()].map(({ id: { name }, mode }) => `${name} ${mode}`);

test("used definitions: they are there again in the order of their first use, each once, and huge ones are not", () => {
  const folder = newFolder(),
    used = opened(folder);
  used.add(compiled("b", "run"));
  used.add(compiled("a", "value"));
  used.write();
  used.add(compiled("b", "run"));
  used.add(compiled("b", "value"));
  used.add(compiled("huge", "value", limits.usedDefinitionNodesMax + 1));
  used.write();
  assert.deepEqual(names(folder), ["b run", "a value", "b value"]);
  assert.equal(statSync(join(folder, "used-definitions")).mode & 0o777, 0o600);
});

test("used definitions: two threads that learn the same do not disturb each other", () => {
  const folder = newFolder(),
    one = opened(folder),
    other = opened(folder);
  for (const used of [one, other]) {
    used.add(compiled("a", "value"));
    used.write();
  }
  assert.deepEqual(names(folder), ["a value"]);
});

test("used definitions: lines that were cut short, or are none, are passed over, and what is added behind them is found", () => {
  const folder = newFolder(),
    file = join(folder, "used-definitions");
  writeFileSync(file, `value ${packageId}:A.B:a\n\u0000\u0001 nonsense\nvalue ${packageId}:A.B:x; process.exit(1)\nrun ${packageId}:A.`);
  const used = opened(folder);
  used.add(compiled("c", "run"));
  used.write();
  assert.deepEqual(names(folder), ["a value", "c run"]);
});

test("used definitions: a file that is too large is begun anew, and no more than a bound is kept", () => {
  const folder = newFolder(),
    file = join(folder, "used-definitions");
  appendFileSync(file, Buffer.alloc(limits.usedDefinitionsBytesMax + 1, "x"));
  assert.deepEqual(names(folder), []);
  const used = opened(folder);
  for (let index = 0; index <= limits.usedDefinitionsMax; index += 1) used.add(compiled(`d${index}`, "value"));
  used.write();
  assert.equal(names(folder).length, limits.usedDefinitionsMax);
});

test("used definitions: where they cannot be read or written, that is told and nothing else happens", () => {
  const folder = newFolder(),
    problems: string[] = [];
  mkdirSync(join(folder, "used-definitions"));
  const used = opened(folder, problems);
  used.add(compiled("a", "value"));
  used.write();
  assert.deepEqual([[...used.all()].length, problems.map((problem) => /EISDIR/.test(problem))], [1, [true, true]]);
});

test("prepared definitions: commands give the same, and compile nothing that was prepared", () => {
  const packages = readPackages(testData("engine", "dars"), [{ dar: "iou-2.1", packageId: "" }]);
  const submit = (engine: Engine) =>
    engine.interpret(
      {
        actAs: ["a"],
        readAs: [],
        disclosed: [],
        ledgerTime: 0n,
        preparationTime: 0n,
        submissionSeed: new Uint8Array(32),
        participantId: "p",
        packagePreference: highestVersions(packages),
        mode: "NUCK",
        commands: [
          {
            kind: "createAndExercise",
            template: { package: { name: "iou" }, module: "Iou", name: "Iou" },
            createArgument: { json: { issuer: "a", owner: "a", amount: "1.0", watchers: [] } },
            choice: "Split",
            argument: { json: { part: "0.25" } },
          },
        ],
      },
      { salt: harnessSalt, reader: { readContract: () => undefined, readKey: () => [] } },
    );

  const used: Parameters<Engine["prepare"]>[] = [];
  const first = submit(
    new Engine({ packages: packageReader(packages), limits, onCompile: ({ definition, mode }) => used.push([definition, mode]) }),
  );
  const seen: string[] = [],
    prepared = new Engine({
      packages: packageReader(packages),
      limits,
      onCompile: ({ definition: { name }, mode }) => seen.push(`${name} ${mode}`),
    });
  assert.ok(used.every((each) => prepared.prepare(...each)));
  assert.equal(prepared.prepare({ ...used[0]![0], name: "noSuchValue" }, "value"), false);
  assert.equal(prepared.prepare({ ...used[0]![0], packageId: "00".repeat(32) }, "run"), false);
  const before = seen.length;
  assert.deepEqual([before > 0, submit(prepared).ok?.transaction], [true, first.ok?.transaction]);
  assert.ok(first.ok, JSON.stringify(first.error));
  assert.equal(seen.length, before);
});

test("used definitions: a node remembers them, and starts with whatever it finds in their place", async () => {
  const folder = newFolder(),
    file = join(folder, "used-definitions");
  let alice = "",
    counter = "";
  const count = async (world: World): Promise<void> => {
    await world.transact([alice], [exercise(counterTemplate, counter, "Count", { n: "3" })]);
  };
  const inNode = async (use: (world: World) => Promise<void>): Promise<void> => {
    const world = await World.start([], ["--data", folder, "--workers", "1"]);
    try {
      await use(world);
    } finally {
      await world.stop();
    }
  };
  await inNode(async (world) => {
    await world.upload(slowDar);
    alice = await world.party("alice");
    counter = (await world.create([alice], counterTemplate, { owner: alice })).contractId;
    await count(world);
  });
  assert.match(readFileSync(file, "utf8"), /^value [0-9a-f]{64}:Slow:hash$/m);
  await inNode(count);
  writeFileSync(file, Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 37) & 0xff)));
  await inNode(count);
  assert.match(readFileSync(file, "utf8"), /^value [0-9a-f]{64}:Slow:hash$/m);
});
