/**
 * Uploads of damaged DARs: every one is answered with a documented code, the same by validation and by upload, changes
 * nothing, and leaves no memory behind. Damage is done to the zip file, to one of its entries, and to a package whose name
 * is then made to fit, so that it reaches the decoder and the type checker.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { unzipSync, zipSync } from "fflate";
import { limits } from "../../../src/config.js";
import { encodeDar, packageIdOf, readDar, type Archive } from "../../../src/lf/archive/index.js";
import { mutate, numberPositions } from "../../lf/validation/mutation.js";
import { Random } from "../../support/random.js";
import { completeDar } from "../../support/lf-builder.js";
import { testData } from "../../support/paths.js";
import type { Reply } from "../../support/node-process.js";
import { World, type Json } from "../../scenarios/world.js";
import type { Play, Scenario } from "../scenario.js";

/** Error codes of DAR uploads (Canton's `PackageServiceError` and `DarParseError` groups), as far as a damaged file can cause them. */
const documented = new Set([
  "INVALID_DAR",
  "INVALID_ZIP_ENTRY",
  "ZIP_BOMB",
  "DAR_PARSE_ERROR",
  "DAR_VALIDATION_ERROR",
  "DAR_DEPENDENCIES_NOT_VALID",
  "ALLOWED_LANGUAGE_VERSIONS",
]);
const memoryGrowthMaxMb = 200,
  enoughForAllKinds = 60;

interface Base {
  readonly dar: Uint8Array;
  readonly main: Archive;
  readonly dependencies: readonly Archive[];
  readonly numbers: readonly number[];
}

const readBases = (): readonly Base[] =>
  [
    ["canton", "model1"],
    ["engine", "dars", "asset-2.1"],
    ["engine", "dars", "types-2.2"],
    ["engine", "dars", "keys-2.3"],
    ["engine", "dars", "exc-2.1"],
  ].map((path) => {
    const dar = completeDar(readFileSync(testData(...path.slice(0, -1), `${path.at(-1)!}.dar`)));
    const [main, ...dependencies] = readDar(dar, limits).ok!.archives;
    return { dar, main: main!, dependencies, numbers: numberPositions(main!.payload) };
  });

type Damage = (bytes: Buffer, at: number, random: Random) => Uint8Array;
const damages: readonly Damage[] = [
  (bytes, at, random) => {
    bytes[at] = bytes[at]! ^ (1 << random.below(8));
    return bytes;
  },
  (bytes, at, random) => {
    bytes[at] = random.below(256);
    return bytes;
  },
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(16))]),
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1 + random.below(16), random.below(256)), bytes.subarray(at)]),
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(random.below(bytes.length))]),
];

function damaged(original: Uint8Array, random: Random): Uint8Array {
  let bytes: Uint8Array = Uint8Array.from(original);
  for (let times = 1 + random.below(3); times > 0 && bytes.length > 0; times--)
    bytes = random.one(damages)(Buffer.from(bytes), random.below(bytes.length), random);
  return bytes;
}

const kinds: Readonly<Record<string, (base: Base, random: Random) => Uint8Array>> = {
  file: ({ dar }, random) => damaged(random.below(2) === 0 ? dar : zipSync(unzipSync(dar), { level: 9 }), random),
  entry({ dar }, random) {
    const entries = unzipSync(dar),
      name = random.one(Object.keys(entries));
    return zipSync({ ...entries, [name]: damaged(entries[name]!, random) });
  },
  package({ main, dependencies, numbers }, random) {
    const payload = random.below(3) === 0 ? damaged(main.payload, random) : mutate(main.payload, numbers, random);
    return encodeDar("damaged", { id: packageIdOf(payload), payload }, dependencies);
  },
};

const observe = async (world: World): Promise<Json> => ({
  end: await world.ledgerEnd(),
  packages: (await world.client.get("/v2/packages")).json().packageIds.sort(),
  vetted: (await world.client.post("/v2/package-vetting/list", {})).json(),
  parties: (await world.client.get("/v2/parties")).json(),
});
const verdictOf = (reply: Reply): string => (reply.status === 200 ? "well-formed" : `${reply.status} ${reply.json().code}`);
/** Of the node's process, in MB: what it holds itself. */
const memoryMb = (world: World): number =>
  Math.round(Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${world.node.child.pid}/status`, "utf8"))![1]) / 1024);

async function tryDar(
  play: Play,
  world: World,
  { bases, state }: { readonly bases: readonly Base[]; readonly state: Json },
  seed: number,
): Promise<void> {
  const random = new Random(seed),
    kind = random.one(Object.keys(kinds)),
    bytes = kinds[kind]!(random.one(bases), random);
  const verdict = verdictOf(await world.client.post("/v2/dars/validate", bytes));
  play.count(verdict);
  if (verdict !== "well-formed") {
    assert.ok(verdict.startsWith("400 ") && documented.has(verdict.slice(4)), `${kind}: ${verdict}`);
    assert.equal(verdictOf(await world.client.post("/v2/dars", bytes)), verdict, kind);
  }
  assert.deepEqual(await observe(world), state, kind);
}

export const damagedDars: Scenario = {
  name: "damaged-dars",
  unit: "DARs",
  sizes: { test: 60, ci: 800, night: 100_000 },
  holds: "a damaged DAR gets a documented code, the same by validation and by upload, changes nothing and leaves no memory behind",
  async run(play) {
    const world = await World.start([]);
    play.after(() => world.node.stop("SIGKILL"));
    const bases = readBases(),
      state = await observe(world);
    let warm = memoryMb(world);
    await play.cases(async (seed, index) => {
      await tryDar(play, world, { bases, state }, seed);
      if (index === Math.floor(play.size / 5)) warm = memoryMb(world);
    });
    const end = memoryMb(world);
    assert.ok(end < warm + memoryGrowthMaxMb, `from ${warm} to ${end} MB`);
    if (play.size >= enoughForAllKinds) assert.ok(Object.keys(play.counts).length > 3, "damage of several kinds");
    await world.upload(bases[0]!.dar);
    await world.stop();
  },
};
