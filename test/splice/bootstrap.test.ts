/** Networks that are made from a folder of packages. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fail, ok, type Result } from "../../src/base/result.js";
import { sha256Hex } from "../../src/base/sha256.js";
import { limits } from "../../src/config.js";
import { ledgerError, type Participant } from "../../src/ledger/index.js";
import { readDar } from "../../src/lf/index.js";
import { readDarFolder } from "../../src/splice/bootstrap/dar-folder.js";
import type { HostedNetwork } from "../../src/splice/bootstrap/index.js";
import { KnownDars } from "../../src/splice/bootstrap/known-dars.js";
import { create, exercise } from "../../src/splice/commands.js";
import { Contracts } from "../../src/splice/contracts.js";
import { templates } from "../../src/splice/names.js";
import { hostedDsoNote, Network } from "../../src/splice/network.js";
import { success } from "../ledger/support.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { economyDars } from "./economy-model.js";
import { EconomyWorld } from "./economy-world.js";
import { temporaryFolder } from "../support/folders.js";

const older = economyDars("rounds"),
  newer = economyDars("configStates");
const without = (dars: Readonly<Record<string, Uint8Array>>, part: string) =>
  Object.fromEntries(Object.entries(dars).filter(([name]) => !name.includes(part)));
const only = (dars: Readonly<Record<string, Uint8Array>>, part: string) =>
  Object.fromEntries(Object.entries(dars).filter(([name]) => name.includes(part)));

const made = (result: Result<HostedNetwork, string>): HostedNetwork => result.ok ?? assert.fail(result.error);

describe("bootstrap: folders that do not make a network are refused, and nothing is uploaded", () => {
  let world: EconomyWorld, packages: number;
  before(async () => {
    world = await EconomyWorld.open();
    packages = world.ledger.listPackages().length;
  });
  after(() => world.close());
  const another = new ModuleBuilder("Other");
  another.template("Other", { fields: { owner: type.party }, signatories: (self) => [self("owner")] });
  const twin = buildDar(buildPackage({ name: "splice-wallet", version: "0.1.23", modules: [another] }));
  const cases: readonly (readonly [name: string, files: Readonly<Record<string, Uint8Array>>, reason: RegExp])[] = [
    ["empty", {}, /there is no splice-amulet, no splice-dso-governance, no splice-wallet, no splice-validator-lifecycle\.$/],
    ["half", without(newer, "wallet"), /there is no splice-wallet\.$/],
    [
      "mixed",
      { ...without(older, "wallet"), ...only(newer, "wallet") },
      /splice-dso-governance 0\.1\.18 is made for splice-amulet 0\.1\.13, which does not go together with splice-amulet 0\.1\.22/,
    ],
    [
      "old",
      economyDars("rounds", { version: "0.1.12" }),
      /splice-dso-governance 0\.1\.12 is too old: .* from splice-dso-governance 0\.1\.13 on\.$/,
    ],
    ["twins", { ...newer, "another.dar": twin }, /there are two packages splice-wallet 0\.1\.23\.$/],
    ["broken", { ...newer, "broken.dar": Buffer.from("no zip") }, /broken\.dar: /],
  ];
  for (const [name, files, reason] of cases)
    it(name, async () => {
      const refused = await world.bootstrap(world.folderOf(name, files));
      assert.match(refused.error ?? "", reason);
      assert.equal(world.ledger.listPackages().length, packages);
    });
  it("missing", async () =>
    assert.match((await world.bootstrap("/nowhere/at/all")).error ?? "", /^\/nowhere\/at\/all cannot be read: ENOENT/));
});

describe("bootstrap: packages of before what newer ones ask for", () => {
  let world: EconomyWorld;
  before(async () => {
    world = await EconomyWorld.open();
  });
  after(() => world.close());
  it("make a network of what they know", async () => {
    const { dso } = made(
      await world.bootstrap(
        world.folderOf("old", economyDars("rounds", { version: "0.1.13", lacking: ["initialRound", "initialTrafficState"] })),
      ),
    );
    assert.equal((await new Network(new Contracts(world.ledger), world.ledger).openRounds(dso)).length, 3);
  });
});

describe("bootstrap: a folder with all releases", () => {
  let world: EconomyWorld;
  before(async () => {
    world = await EconomyWorld.open();
  });
  after(() => world.close());
  it("makes the network of the newest, as many as Splice has published", async () => {
    const [wallet] = Object.values(only(newer, "wallet"));
    const all = Array.from({ length: 250 }, (_, number) => [`release-${number}.dar`, wallet!] as const);
    made(await world.bootstrap(world.folderOf("all", { ...newer, ...Object.fromEntries(all) })));
  });
  it("what it read of them is known to the next start by their bytes, which does not unpack them again", async () => {
    await world.restart();
    const known = new KnownDars(world.ledger);
    for (const [name, bytes] of Object.entries(newer)) {
      const dar = readDar(bytes, limits);
      assert.deepEqual(
        known.get(sha256Hex(bytes))?.map(({ packageId }) => packageId),
        dar.ok?.archives.map(({ id }) => id),
        name,
      );
    }
    const [wallet] = Object.values(only(older, "wallet")),
      folder = world.folderOf("one", { "older.dar": wallet! }),
      [read] = (await readDarFolder(folder, known, world.ledger)).ok!;
    assert.equal(known.get(read!.hash), undefined);
    assert.deepEqual([read!.packages[0]?.name, read!.packages[0]?.version], ["splice-wallet", "0.1.13"]);
    const noZip = world.folderOf("no zip", { "known.dar": Buffer.from("no zip") });
    assert.deepEqual((await readDarFolder(noZip, { get: () => read!.packages }, world.ledger)).ok?.[0]?.packages, read!.packages);
  });
});

describe("bootstrap: a DAR that may not be stored", () => {
  let world: EconomyWorld;
  before(async () => {
    world = await EconomyWorld.open();
  });
  after(() => world.close());
  it("is refused when its turn comes, in the order of names and versions; the next start goes on", async () => {
    const module = new ModuleBuilder("Main");
    module.value("number", type.int64, expr.text("a text"));
    const bad = buildDar(buildPackage({ name: "splice-e", version: "1.0.0", modules: [module] }));
    const refused = await world.bootstrap(world.folderOf("bad", { ...newer, "a-bad.dar": bad }));
    assert.match(refused.error ?? "", /bad\/a-bad\.dar was refused: .*type/);
    const uploaded = Object.entries(newer).filter(([, bytes]) => world.ledger.isPackageKnown(readDar(bytes, limits).ok!.main));
    assert.deepEqual(
      uploaded.map(([name]) => name.replace(/-\d.*$/, "")),
      ["splice-dso-governance"],
    );
    made(await world.bootstrap(world.folderOf("good", newer)));
  });
});

describe("bootstrap: a folder is read beside everything else", () => {
  it("between one DAR and the next others have their turn", async () => {
    const names = ["a.dar", "b.dar", "c.dar"],
      folder = temporaryFolder("folder");
    for (const name of names) writeFileSync(join(folder, name), name);
    const seen: string[] = [];
    const ledger = {
      listDar: async (bytes: Uint8Array) => {
        seen.push(Buffer.from(bytes).toString());
        return ok([]);
      },
    };
    const reading = readDarFolder(folder, { get: () => undefined }, ledger);
    while (seen.length < names.length) {
      const before = seen.length;
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(seen.length <= before + 1);
    }
    assert.equal((await reading).ok?.length, names.length);
    rmSync(folder, { recursive: true });
  });
});

for (const [name, dars] of [
  ["older", older],
  ["newer", newer],
] as const) {
  describe(`bootstrap: the ${name} generation`, () => {
    let world: EconomyWorld;
    before(async () => {
      world = await EconomyWorld.open();
    });
    after(() => world.close());

    it("a network is made once, with its parties and users; a second start finds it", async () => {
      const folder = world.folderOf("dars", dars),
        network = made(await world.bootstrap(folder)),
        end = world.ledger.ledgerEnd();
      assert.deepEqual(
        [network.dso, ...network.validators].map((party) => party.split("::")[0]),
        ["DSO", "sv", "validator"],
      );
      const rounds = await world.contracts("openMiningRound");
      assert.deepEqual(
        rounds.map(({ payload }) => payload.round.number),
        ["0", "1", "2"],
      );
      assert.equal((await world.contracts("externalPartyConfigState")).length, name === "newer" ? 2 : 0);
      const user = success(world.ledger.administration.getUser({ userId: "ledger-api-user", identityProviderId: "" }));
      assert.equal(user.primaryParty, network.validators[1]);
      await world.restart();
      assert.deepEqual(made(await world.bootstrap(folder)), network);
      assert.deepEqual(made(await world.bootstrap(world.folderOf("empty", {}))), network, "the packages are on the ledger");
      assert.equal(world.ledger.ledgerEnd(), end, "nothing was written");
    });

    it("what an operator changed of a user stays", async () => {
      const asAdmin = { userId: undefined, participantAdmin: true, admin: true },
        id = { userId: "sv", identityProviderId: "" };
      success(
        await world.ledger.administration.revokeRights({ ...id, rights: success(world.ledger.administration.listRights(id)) }, asAdmin),
      );
      made(await world.bootstrap(world.folderOf("dars", dars)));
      assert.deepEqual(success(world.ledger.administration.listRights(id)), []);
    });
  });
}

it("bootstrap: a process that is stopped at any step goes on with the next", async () => {
  const world = await EconomyWorld.open();
  try {
    const folder = world.folderOf("dars", newer),
      refusal = fail(ledgerError("SERVICE_NOT_RUNNING", "the process is gone"));
    const steps = ["uploadDar", "allocateParty", "submit"] as const;
    /** The ledger until so many steps were taken. */
    const stoppingAfter = (count: number): Participant =>
      new Proxy(world.ledger, {
        get: (ledger, name) => {
          const value = ledger[name as keyof Participant];
          if (!steps.some((step) => step === name)) return value;
          return (...args: unknown[]) => (count-- > 0 ? (value as (...all: unknown[]) => unknown)(...args) : Promise.resolve(refusal));
        },
      });
    let stopped = 0;
    for (; (await world.bootstrap(folder, stoppingAfter(1))).error !== undefined; stopped++)
      assert.ok(stopped < 20, "each start takes a step");
    assert.equal(stopped, 8, "three uploads, three parties, the network and a wallet; the other completes it");
    assert.equal((await world.contracts("amuletRules")).length, 1);
    assert.equal((await world.contracts("openMiningRound")).length, 3);
  } finally {
    await world.close();
  }
});

it("bootstrap: a network whose rules nobody governs any more is told, and not made a second time", async () => {
  const world = await EconomyWorld.open();
  try {
    const folder = world.folderOf("dars", newer),
      { dso } = made(await world.bootstrap(folder)),
      [governing] = await world.contracts("dsoRules");
    await world.submit({ actAs: [dso], commands: [exercise(templates.dsoRules, governing!.contractId, "Archive", {})] });
    await world.restart();
    assert.match((await world.bootstrap(folder)).error ?? "", /has AmuletRules on the ledger, but no DsoRules/);
    assert.equal((await world.contracts("amuletRules")).length, 1);
  } finally {
    await world.close();
  }
});

describe("bootstrap: where somebody made rules before there was a network", () => {
  let world: EconomyWorld;
  before(async () => {
    world = await EconomyWorld.open();
  });
  after(() => world.close());
  it("the node makes its own", async () => {
    const [other, folder] = [await EconomyWorld.open(), world.folderOf("newer", newer)];
    try {
      made(await other.bootstrap(folder));
      const [rules] = await other.contracts<{ readonly dso: string }>("amuletRules");
      for (const dar of Object.values(newer)) await world.upload(dar);
      const [alice] = await world.parties("alice");
      await world.submit({ actAs: [alice], commands: [create(templates.amuletRules, { ...rules!.payload, dso: alice })] });
      assert.match(made(await world.bootstrap(folder)).dso, /^DSO::/);
    } finally {
      await other.close();
    }
  });
});

describe("bootstrap: where others made rules of which they are the DSO", () => {
  let world: EconomyWorld, network: HostedNetwork, folder: string;
  before(async () => {
    world = await EconomyWorld.open();
    folder = world.folderOf("newer", newer);
    network = made(await world.bootstrap(folder));
    const [alice] = await world.parties("alice"),
      [rules] = await world.contracts<{ readonly dso: string }>("amuletRules");
    await world.submit({ actAs: [alice], commands: [create(templates.amuletRules, { ...rules!.payload, dso: alice })] });
    assert.equal((await world.contracts("amuletRules")).length, 2);
  });
  after(() => world.close());
  const dsoAt = async (ledger: Participant) => (await new Network(new Contracts(ledger), ledger).dso()).ok;

  it("the network of the node stays its own, now and behind a restart", async () => {
    assert.equal(await dsoAt(world.ledger), network.dso);
    await world.restart();
    assert.equal(await dsoAt(world.ledger), network.dso);
    assert.deepEqual(made(await world.bootstrap(folder)), network);
  });

  it("so does one that was made before nodes noted whose theirs is", async () => {
    const notes = new Map<string, string>(),
      { ledger } = world;
    const without: Participant = Object.assign(Object.create(ledger) as Participant, {
      readNote: (name: string) => (name === hostedDsoNote ? notes.get(name) : ledger.readNote(name)),
      keepNote: (name: string, text: string) => Promise.resolve(ok(void notes.set(name, text))),
    });
    assert.deepEqual(made(await world.bootstrap(folder, without)), network);
    assert.equal(notes.get(hostedDsoNote), network.dso);
  });
});
