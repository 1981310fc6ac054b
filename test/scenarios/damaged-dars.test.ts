/**
 * Uploads of damaged DARs: every one is answered with a documented code, the same by validation and by upload, changes
 * nothing, and leaves no memory behind. Damage is done to the zip file, to one of its entries, and to a package whose name
 * is then made to fit, so that it reaches the decoder and the type checker.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { unzipSync, zipSync } from "fflate";
import { limits } from "../../src/config.js";
import { encodeDar, packageIdOf, readDar, type Archive } from "../../src/lf/archive/index.js";
import { mutate, numberPositions } from "../lf/validation/mutation.js";
import { Random } from "../lf/validation/random.js";
import { completeDar } from "../support/lf-builder.js";
import { testData } from "../support/paths.js";
import type { Reply } from "../support/node-process.js";
import { World, type Json } from "./world.js";

/** The long form: LEDGERLINE_DARS=2000 npm test -- damaged-dars. One case again: LEDGERLINE_SEED=7 LEDGERLINE_DARS=1. */
const seed = Number(process.env["LEDGERLINE_SEED"] ?? 20_261_121);
const count = Number(process.env["LEDGERLINE_DARS"] ?? 60);

/** Error codes of DAR uploads (Canton's `PackageServiceError` and `DarParseError` groups), as far as a damaged file can cause them. */
const documented = new Set(["INVALID_DAR", "INVALID_ZIP_ENTRY", "ZIP_BOMB", "DAR_PARSE_ERROR", "DAR_VALIDATION_ERROR", "DAR_DEPENDENCIES_NOT_VALID", "ALLOWED_LANGUAGE_VERSIONS"]);
const memoryGrowthMaxMb = 200;

interface Base { readonly dar: Uint8Array; readonly main: Archive; readonly dependencies: readonly Archive[]; readonly numbers: readonly number[] }

const bases: readonly Base[] = [["canton", "model1"], ["engine", "dars", "asset-2.1"], ["engine", "dars", "types-2.2"], ["engine", "dars", "keys-2.3"], ["engine", "dars", "exc-2.1"]].map((path) => {
  const dar = completeDar(readFileSync(testData(...path.slice(0, -1), `${path.at(-1)!}.dar`)));
  const [main, ...dependencies] = readDar(dar, limits).ok!.archives;
  return { dar, main: main!, dependencies, numbers: numberPositions(main!.payload) };
});

type Damage = (bytes: Buffer, at: number, random: Random) => Uint8Array;
const damages: readonly Damage[] = [
  (bytes, at, random) => { bytes[at] = bytes[at]! ^ (1 << random.below(8)); return bytes; },
  (bytes, at, random) => { bytes[at] = random.below(256); return bytes; },
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(16))]),
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1 + random.below(16), random.below(256)), bytes.subarray(at)]),
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(random.below(bytes.length))]),
];

function damaged(original: Uint8Array, random: Random): Uint8Array {
  let bytes: Uint8Array = Uint8Array.from(original);
  for (let times = 1 + random.below(3); times > 0 && bytes.length > 0; times--) bytes = random.pick(damages)(Buffer.from(bytes), random.below(bytes.length), random);
  return bytes;
}

const kinds: Readonly<Record<string, (base: Base, random: Random) => Uint8Array>> = {
  file: ({ dar }, random) => damaged(random.below(2) === 0 ? dar : zipSync(unzipSync(dar), { level: 9 }), random),
  entry({ dar }, random) {
    const entries = unzipSync(dar), name = random.pick(Object.keys(entries));
    return zipSync({ ...entries, [name]: damaged(entries[name]!, random) });
  },
  package({ main, dependencies, numbers }, random) {
    const payload = random.below(3) === 0 ? damaged(main.payload, random) : mutate(main.payload, numbers, random);
    return encodeDar("damaged", { id: packageIdOf(payload), payload }, dependencies);
  },
};

let world: World;
before(async () => { world = await World.start([]); });
after(() => world.stop());

const observe = async (): Promise<Json> => ({
  end: await world.ledgerEnd(),
  packages: (await world.client.get("/v2/packages")).json().packageIds.sort(),
  vetted: (await world.client.post("/v2/package-vetting/list", {})).json(),
  parties: (await world.client.get("/v2/parties")).json(),
});
const verdictOf = (reply: Reply): string => (reply.status === 200 ? "well-formed" : `${reply.status} ${reply.json().code}`);
/** Of the node's process, in MB: what it holds itself, and the highest it ever was with everything mapped. */
const memory = (): { readonly own: number; readonly peak: number } => {
  const status = readFileSync(`/proc/${world.node.child.pid}/status`, "utf8");
  const of = (name: string): number => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024);
  return { own: of("RssAnon"), peak: of("VmHWM") };
};

test(`damaged DARs: ${count} of them get documented codes, change nothing and leave no memory behind`, { timeout: 1_800_000 }, async (context) => {
  const verdicts = new Map<string, number>(), state = await observe();
  let warm = memory();
  for (let round = 0; round < count; round++) {
    const random = new Random(seed + round), kind = random.pick(Object.keys(kinds)), again = `LEDGERLINE_SEED=${seed + round} LEDGERLINE_DARS=1: ${kind}`;
    const bytes = kinds[kind]!(random.pick(bases), random);
    const verdict = verdictOf(await world.client.post("/v2/dars/validate", bytes));
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (verdict !== "well-formed") {
      assert.ok(verdict.startsWith("400 ") && documented.has(verdict.slice(4)), `${again}: ${verdict}`);
      assert.equal(verdictOf(await world.client.post("/v2/dars", bytes)), verdict, again);
    }
    assert.deepEqual(await observe(), state, again);
    if (round === Math.floor(count / 5)) warm = memory();
  }
  const end = memory();
  context.diagnostic(`seed ${seed}: ${[...verdicts].sort(([, a], [, b]) => b - a).map(([verdict, times]) => `${times} ${verdict}`).join(", ")}`);
  context.diagnostic(`memory of the node: ${warm.own} MB after a fifth, ${end.own} MB at the end, peak ${end.peak} MB`);
  assert.ok(end.own < warm.own + memoryGrowthMaxMb, `from ${warm.own} to ${end.own} MB`);
  if (count >= 60) assert.ok([...verdicts.keys()].filter((verdict) => verdict !== "well-formed").length >= 3, "damage of several kinds");
  await world.upload(bases[0]!.dar);
});
