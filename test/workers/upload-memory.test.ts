/** What uploads leave in memory: what is known of the packages, not their bytes, and nothing at all for those that are known. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { wallClock } from "../../src/base/clock.js";
import { silentLog } from "../../src/base/log.js";
import { openStore } from "../../src/store/index.js";
import { EngineHost } from "../../src/workers/engine-host.js";
import { collectGarbage } from "../../src/workers/garbage.js";
import { EnginePool } from "../../src/workers/index.js";
import { createLedger } from "../ledger/create-ledger.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { success } from "../ledger/support.js";
import { temporaryFolder } from "../support/folders.js";
import { ownTurns } from "../support/turns.js";

const templates = 20,
  uploads = 15;
/** Much more than what is known of a package: mostly the names of its templates. */
const payloadBytes = 300_000,
  bytesOfPackageMax = 30_000;
/** Of looking whether more is collected. */
const roundsMax = 50,
  noiseBytes = 4_096;
/** Of all uploads together: a third of what they bring. V8 keeps more of its own now and then. */
const bytesOfNothingMax = (uploads * payloadBytes) / 3;

function darOf(name: string): Uint8Array {
  const module = new ModuleBuilder("Main");
  module.value("ballast", type.text, expr.text(randomBytes(payloadBytes / 2).toString("hex")));
  for (let index = 0; index < templates; index++)
    module.template(`Template${index}`, { fields: { owner: type.party }, signatories: (self) => [self("owner")] });
  return buildDar(buildPackage({ name, version: "1.0.0", modules: [module] }));
}

/** What is still there when nothing more goes: other threads give up what they were sent in their own time. */
async function liveBytes(): Promise<number> {
  let least = Infinity;
  for (let round = 0, unchanged = 0; round < roundsMax && unchanged < 4; round++) {
    await (round < 4 ? turn() : sleep(20));
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage(),
      live = heapUsed + external;
    unchanged = live < least - noiseBytes ? 0 : unchanged + 1;
    least = Math.min(least, live);
  }
  return least;
}

/** By how much memory rises with `uploads` calls, after a few that fill what is filled once. */
async function growth(call: (index: number) => unknown): Promise<number> {
  for (let index = -5; index < 0; index++) await call(index);
  const before = await liveBytes();
  for (let index = 0; index < uploads; index++) await call(index);
  return (await liveBytes()) - before;
}

test("uploads: the main thread keeps what is known of a package, and nothing of one that it knows already", async (t) => {
  const folder = temporaryFolder("uploads");
  const store = await openStore({ folder });
  t.after(() => store.close());
  const pool = new EnginePool({ dataFolder: folder, contractMode: "NUCK", workers: 1, log: silentLog });
  t.after(() => pool.close());
  const ledger = await createLedger({ store, interpreter: pool.of(0), clock: wallClock(), turns: ownTurns() });
  t.after(() => ledger.close());
  // An upload gives its bytes away, as those of a request are.
  const upload = async (dar: Uint8Array): Promise<void> => {
    success(await ledger.uploadDar(Uint8Array.from(dar), { vetAllPackages: true, synchronizerId: "" }));
  };
  const same = darOf("same"),
    fresh = Array.from({ length: uploads + 5 }, (_, index) => darOf(`fresh-${index}`));
  const ofFresh = await growth((index) => upload(fresh[index + 5]!)),
    ofSame = await growth(() => upload(same));
  t.diagnostic(`a new package of ${payloadBytes} bytes and ${templates} templates: ${Math.round(ofFresh / uploads)} bytes`);
  t.diagnostic(`${uploads} uploads of a known one: ${ofSame} bytes`);
  assert.ok(ofFresh < uploads * bytesOfPackageMax, `${ofFresh} bytes for ${uploads} new packages`);
  assert.ok(ofSame < bytesOfNothingMax, `${ofSame} bytes for ${uploads} uploads of one package`);

  const host = await EngineHost.open({ dataFolder: folder, contractMode: "NUCK" }, () => undefined);
  const ofReading = await growth(() => host.run({ kind: "readDar", participant: 0, bytes: same }));
  t.diagnostic(`a thread that reads it ${uploads} times: ${ofReading} bytes`);
  assert.ok(ofReading < bytesOfNothingMax, `${ofReading} bytes for ${uploads} readings of one DAR`);
});
