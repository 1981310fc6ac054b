/** DARs that are listed before they are uploaded: what was found sound then needs no second look, and nothing else is different. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { after, before, describe, it } from "node:test";
import { wallClock } from "../../src/base/clock.js";
import { silentLog } from "../../src/base/log.js";
import { limits } from "../../src/config.js";
import { decodePackage, readDar, stablePackages, summarizePackage } from "../../src/lf/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { EngineHost } from "../../src/workers/engine-host.js";
import { EnginePool } from "../../src/workers/index.js";
import type { WorkerReplies } from "../../src/workers/messages.js";
import { SoundPackages, type SoundPackage } from "../../src/workers/sound-packages.js";
import { createLedger } from "../ledger/create-ledger.js";
import { buildDar, buildPackage, ModuleBuilder, type } from "../support/lf-builder.js";
import { testData } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";
import { ownTurns } from "../support/turns.js";

const good = readFileSync(testData("quickstart.dar")),
  bad = readFileSync(testData("engine", "dars-invalid", "bad-type-mismatch.dar"));

/** As they are worked out without anything that is remembered. */
const listed = (bytes: Uint8Array) =>
  readDar(bytes, limits).ok!.archives.map(({ id, payload }) => summarizePackage(decodePackage(id, payload).ok!));

describe("DARs that are listed", () => {
  let folder: string, store: Store;
  before(async () => {
    folder = temporaryFolder("listed");
    store = await openStore({ folder });
  });
  after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const host = () => EngineHost.open({ dataFolder: folder, contractMode: "NUCK" }, () => undefined);
  const list = (engine: EngineHost, bytes: Uint8Array) =>
    engine.run({ kind: "listDar", participant: 0, bytes }) as WorkerReplies["listDar"];
  const read = (engine: EngineHost, bytes: Uint8Array) =>
    engine.run({ kind: "readDar", participant: 0, bytes }) as WorkerReplies["readDar"];

  it("have their packages told, the main one first; again it is the same", async () => {
    const engine = await host();
    for (let times = 0; times < 2; times++) assert.deepEqual(list(engine, good).ok, listed(good));
  });

  it("are read as if they had not been listed, payloads included", async () => {
    const engine = await host();
    list(engine, good);
    assert.deepEqual(read(engine, good), read(await host(), good));
  });

  it("are told, too, where they may not be stored; and refused with the same words when they are", async () => {
    const engine = await host();
    assert.deepEqual(list(engine, bad).ok, listed(bad));
    const refused = read(engine, bad);
    assert.equal(refused.error?.code, "DAR_VALIDATION_ERROR");
    assert.deepEqual(refused, read(await host(), bad));
  });

  it("are refused with the words of who reads them, where they are no DARs", async () => {
    const engine = await host(),
      noDar = Buffer.from("no zip");
    assert.deepEqual(list(engine, noDar), read(engine, noDar));
  });

  it("are checked as upgrades with the same verdict, whether the thread knows their packages or not", async () => {
    const versionOf = (version: string, templates: readonly string[]) => {
      const module = new ModuleBuilder("Main");
      for (const name of templates) module.template(name, { fields: { owner: type.party }, signatories: (self) => [self("owner")] });
      return buildPackage({ name: "team", version, modules: [module] });
    };
    const [older, newer] = [versionOf("1.0.0", ["Kept", "Gone"]), versionOf("2.0.0", ["Kept"])];
    const stable = listed(buildDar(older)).slice(1),
      added = [older, newer, ...stablePackages().filter(({ id }) => stable.some(({ packageId }) => packageId === id))];
    const check = (engine: EngineHost, pair: { readonly older: string; readonly newer: string }) =>
      engine.run({
        kind: "checkUpgrades",
        participant: 0,
        pairs: [pair],
        added: added.map(({ id, payload }) => ({ packageId: id, payload })),
      }) as WorkerReplies["checkUpgrades"];
    const knowing = await host();
    for (const one of [older, newer]) list(knowing, buildDar(one));
    for (const engine of [knowing, await host()]) {
      assert.match(check(engine, { older: older.id, newer: newer.id }).error?.reason ?? "", /template Main:Gone is missing/);
      assert.equal(check(engine, { older: newer.id, newer: older.id }).error, undefined);
    }
  });

  it("are no packages of the ledger", async (t) => {
    const pool = new EnginePool({ dataFolder: folder, contractMode: "NUCK", workers: 1, log: silentLog });
    t.after(() => pool.close());
    const ledger = await createLedger({ store, interpreter: pool.of(0), clock: wallClock(), turns: ownTurns() });
    t.after(() => ledger.close());
    const names = (await ledger.listDar(Uint8Array.from(good))).ok;
    assert.deepEqual(names, listed(good));
    assert.equal(ledger.isPackageKnown(names![0]!.packageId), false);
    assert.equal((await ledger.describePackage(names![0]!.packageId)).error?.code, "PACKAGE_NOT_FOUND");
    assert.match((await ledger.listDar(Buffer.from("no zip"))).error ?? "", /not a zip archive/);
  });

  const skip = process.platform !== "linux" && "only Linux has priorities of threads";
  it("are read by a thread that gives way to all others", { skip }, async (t) => {
    const pool = new EnginePool({ dataFolder: folder, contractMode: "NUCK", workers: 1, log: silentLog });
    t.after(() => pool.close());
    const engine = pool.of(0);
    await engine.describeTypes([]);
    const usual = getPriority(),
      before = nices();
    await engine.listDar(Uint8Array.from(good));
    assert.deepEqual(new Set(before), new Set([usual]));
    assert.deepEqual(new Set(nices()), new Set([usual, Math.min(usual + limits.darReaderNice, constants.priority.PRIORITY_LOW)]));
  });
});

/** Of the threads of this process, as proc(5) has them: the nineteenth field, and the second is a name in parentheses. */
const nices = (): readonly number[] =>
  readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });

it("sound packages: they are kept up to so many bytes of payload, and the oldest go first", () => {
  const sound = new SoundPackages();
  const packageOf = (id: string, bytes: number) => ({ package: { id }, payload: new Uint8Array(bytes) }) as unknown as SoundPackage;
  for (const id of ["one", "two", "three"]) sound.add(packageOf(id, limits.soundPackageBytesMax / 2));
  assert.deepEqual(
    ["one", "two", "three"].map((id) => sound.get(id)?.package.id),
    [undefined, "two", "three"],
  );
  assert.equal(sound.take("two")?.package.id, "two");
  sound.add(packageOf("four", limits.soundPackageBytesMax / 2));
  assert.equal(sound.get("three")?.package.id, "three", "what was taken counts no more");
  sound.add(packageOf("five", limits.soundPackageBytesMax + 1));
  assert.deepEqual(
    ["three", "four", "five"].map((id) => sound.get(id)),
    [undefined, undefined, undefined],
  );
});
