/** A disk without room: what is there can be read and removed, nothing else is written, and with room again all goes on by itself. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { journalFile, reserveFile, openStore } from "../../src/store/index.js";
import { eventually } from "../http/harness.js";
import { acsDelta, create, eventFormat, exercise, World, type Json } from "../scenarios/world.js";
import { storyDar, storyTemplate } from "../scenarios/story-model.js";
import { type Reply, tested } from "../support/node-process.js";
import { temporaryFolder } from "../support/folders.js";

const note = storyTemplate("Note"),
  unmountable = "a small disk cannot be mounted here";
const noteOf = (party: string, chars: number): Json => ({ owner: party, reader: party, text: "x".repeat(chars) });
const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({}) } };

interface Disk {
  readonly path: string;
  readonly data: string;
  readonly ballast: string;
  fill(): void;
}

/** A small disk of our own needs the right to mount one. */
function smallDisk(t: TestContext, size = "40m"): Disk | undefined {
  const path = temporaryFolder("small-disk"),
    data = join(path, "data"),
    ballast = join(path, "ballast");
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path]).status === 0;
  t.after(() => {
    if (isMounted) spawnSync("umount", ["--lazy", path]);
    rmdirSync(path);
  });
  return isMounted ? { path, data, ballast, fill: () => fill(ballast) } : undefined;
}

/** To the last byte. */
function fill(path: string): void {
  const file = openSync(path, "a");
  for (const bytes of [1024 * 1024, 4096, 1]) {
    try {
      while (writeSync(file, Buffer.alloc(bytes)) === bytes);
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
    }
  }
  closeSync(file);
}

async function start(t: TestContext, dars: readonly Uint8Array[], { data }: Disk, more: readonly string[] = []): Promise<World> {
  const world = await World.start(dars, ["--data", data, ...more]);
  t.after(() => world.node.stop("SIGKILL"));
  return world;
}

/** Canton's code, and what tells its clients to try again. */
function assertRefused(reply: Reply): void {
  assert.equal(reply.status, 503, reply.text);
  const { code, errorCategory, grpcCodeValue, retryInfo } = reply.json();
  assert.deepEqual(
    { code, errorCategory, grpcCodeValue, retryInfo },
    { code: "SERVICE_NOT_RUNNING", errorCategory: 1, grpcCodeValue: 14, retryInfo: "1 second" },
  );
}

test("full disk: writes are 503 and leave nothing, reads go on, and with room again all goes on", async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return t.skip(unmountable);
  const world = await start(t, [storyDar], disk),
    party = await world.party("alice");
  writeFileSync(disk.ballast, Buffer.alloc(10 * 1024 * 1024));
  const write = () => world.submit([party], [create(note, noteOf(party, 20_000))]);
  const acknowledged: string[] = [];
  let refused = 0;
  // A reserve that was being made while the disk became full gives back what it took, and commands run on for a moment.
  const isFull = async (): Promise<boolean> => (await world.client.get("/readyz")).text.includes("The node's disk is full");
  for (let round = 0; refused < 20 || !(await isFull()); round++) {
    assert.ok(round < 1_000, `${acknowledged.length} commands ran, ${refused} were refused`);
    for (const reply of await Promise.all(Array.from({ length: 4 }, write))) {
      if (reply.status === 200) acknowledged.push(reply.json().updateId);
      else {
        refused++;
        assertRefused(reply);
      }
    }
  }
  const end = await world.ledgerEnd();
  assert.equal(
    (await world.client.post("/v2/state/active-contracts?limit=1", { activeAtOffset: end, eventFormat: eventFormat({}) })).status,
    200,
  );
  assert.ok(await isFull());
  rmSync(disk.ballast);
  const next = await write();
  assert.deepEqual([next.status, next.json().completionOffset], [200, end + 1], next.text);
  await world.stop();
  const again = await start(t, [], disk);
  assert.equal(await again.ledgerEnd(), end + 1);
  for (const updateId of acknowledged) {
    const reply = await again.client.post("/v2/updates/update-by-id", { updateId, updateFormat });
    assert.equal(reply.status, 200, reply.text);
  }
  await again.stop();
});

/** A ledger at rest of `notes` large contracts, of which the first `discarded` are archived, with its reserve; then no byte is free. */
async function fullDisk(
  t: TestContext,
  disk: Disk,
  notes: number,
  discarded: number,
): Promise<{ readonly party: string; readonly end: number }> {
  const world = await start(t, [storyDar], disk),
    party = await world.party("alice");
  const created = [];
  for (let index = 0; index < notes; index++) created.push(await world.create([party], note, noteOf(party, 20_000)));
  for (const { contractId } of created.slice(0, discarded)) await world.transact([party], [exercise(note, contractId, "Discard")]);
  await eventually("the reserve is made", () => existsSync(join(disk.data, reserveFile)));
  assert.equal(
    (
      await world.client.post("/v2/users", {
        user: { id: "leaver", primaryParty: "", isDeactivated: false, identityProviderId: "" },
        rights: [],
      })
    ).status,
    200,
  );
  const end = await world.ledgerEnd();
  await world.stop();
  disk.fill();
  return { party, end };
}

test("full disk: a node starts on it for readers, says so once, and takes commands by itself when there is room", async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return t.skip(unmountable);
  const { party, end } = await fullDisk(t, disk, 30, 0);
  rmSync(join(disk.data, "lock.mdb")); // as where a ledger was put back from a copy
  disk.fill();
  const world = await start(t, [], disk),
    readiness = await world.client.get("/readyz");
  assert.deepEqual([readiness.status, (await world.client.get("/livez")).status, await world.ledgerEnd()], [503, 200, end]);
  assert.match(readiness.text, /The node's disk is full: of the \d+\.\d MB that commands need/);
  assert.equal((await world.activeContracts()).length, 30);
  assert.equal((await world.transactions({})).length > 0, true);
  for (let round = 0; round < 3; round++) assertRefused(await world.submit([party], [create(note, noteOf(party, 10))]));
  assert.deepEqual([await world.ledgerEnd(), (await world.completions([party])).length], [end, 30]);
  assert.equal(world.node.stderr().match(/no command runs/g)?.length, 1, world.node.stderr());
  rmSync(disk.ballast);
  const reply = await world.submit([party], [create(note, noteOf(party, 10))]);
  assert.deepEqual([reply.status, (await world.client.get("/readyz")).status], [200, 200], reply.text);
  await world.stop();
});

test("full disk: pruning has a reserve, and where it makes room enough commands run again", async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return t.skip(unmountable);
  const { party, end } = await fullDisk(t, disk, 150, 140),
    portFile = join(disk.data, "port"),
    world = await start(t, [], disk, ["--port-file", portFile]);
  assert.deepEqual([readFileSync(portFile, "utf8"), /Cannot write .*port: ENOSPC/.test(world.node.stderr())], ["", true]);
  assertRefused(await world.submit([party], [create(note, noteOf(party, 20_000))]));
  const pruned = await world.client.post("/admin/prune", { pruneUpTo: end - 1 });
  assert.deepEqual([pruned.status, pruned.json()], [200, { participantPrunedUpToInclusive: end - 1 }], pruned.text);
  assert.equal(existsSync(join(disk.data, reserveFile)), false);
  const reply = await world.submit([party], [create(note, noteOf(party, 20_000))]);
  assert.deepEqual([reply.status, (await world.client.get("/readyz")).status], [200, 200], reply.text);
  assert.equal((await world.activeContracts()).length, 11);
  await world.stop();
  assert.match(spawnSync(tested.file, [...tested.args, "verify", "--data", disk.data], { encoding: "utf8" }).stdout, /sound/);
});

test("full disk: a ledger at rest can be pruned, and users be removed from one that runs", async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return t.skip(unmountable);
  const { end } = await fullDisk(t, disk, 60, 50),
    world = await start(t, [], disk);
  assert.equal((await world.client.request("DELETE", "/v2/users/leaver")).status, 200);
  await world.stop();
  const pruned = spawnSync(tested.file, [...tested.args, "prune", String(end - 1), "--data", disk.data], { encoding: "utf8" });
  assert.deepEqual([pruned.status, pruned.stdout], [0, `Pruned up to offset ${end - 1}.\n`], pruned.stderr);
});

test("full disk: where there is no ledger yet the start says what is missing", (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return t.skip(unmountable);
  mkdirSync(disk.data);
  disk.fill();
  const { status, stdout, stderr } = spawnSync(tested.file, [...tested.args, "start", "--port", "0", "--data", disk.data], {
    encoding: "utf8",
    timeout: 120_000,
  });
  assert.deepEqual([status, stdout], [1, ""], stderr);
  assert.match(stderr, /There is no room on the disk of .*: /);
  assert.doesNotMatch(stderr, /\n {4}at /);
});

/** Its outcome, and what it said but for what LMDB tells by itself. */
function refusedStart(data: string, command = `exec "$@"`): { readonly status: number | null; readonly sentences: readonly string[] } {
  const args = ["start", "--port", "0", "--log-level", "silent", "--data", data],
    { status, stderr } = spawnSync("sh", ["-c", command, "sh", tested.file, ...tested.args, ...args], {
      encoding: "utf8",
      timeout: 120_000,
    });
  return {
    status,
    sentences: stderr.split("\n").filter((line) => /^(?:There is no room|The system refused|The ledger's first)/.test(line)),
  };
}

test("full disk: with too little room for a new ledger it is refused in a sentence", (t) => {
  for (const size of ["60k", "200k", "1000k"]) {
    const disk = smallDisk(t, size);
    if (disk === undefined) return t.skip(unmountable);
    const { status, sentences } = refusedStart(disk.data);
    assert.deepEqual([size, status, sentences.length], [size, 1, 1]);
    assert.match(sentences[0]!, /^There is no room on the disk of \S+: a new ledger needs 1\.0 MB, and [01]\.\d MB are free\.$/);
  }
});

test("full disk: a limit of the process on files is told in a sentence", { skip: process.platform !== "linux" }, () => {
  for (const kilobytes of [20, 100]) {
    const limit = `ulimit -f $(( ${kilobytes} * 1024 / 512 )) && exec "$@"`,
      { status, sentences } = refusedStart(join(temporaryFolder("limited"), "data"), limit);
    assert.deepEqual([kilobytes, status, sentences.length], [kilobytes, 1, 1]);
    assert.match(sentences[0]!, /ulimit -f/);
  }
});

test("full disk: a new ledger that has no room for a journal is there for readers, complete, and takes commands when there is room", async (t) => {
  const disk = smallDisk(t, "1100k");
  if (disk === undefined) return t.skip(unmountable);
  const world = await start(t, [], disk);
  assert.equal((await world.client.get("/v2/packages")).json().packageIds.length, 27);
  assert.equal((await world.client.get("/readyz")).status, 503);
  assert.equal(statSync(join(disk.data, journalFile)).size, 0, "what it could not be as a whole is left to the ledger's file");
  assert.equal(spawnSync("mount", ["-o", "remount,size=50m", disk.path]).status, 0);
  assert.equal((await world.client.get("/readyz")).status, 200);
  await world.party("alice");
  await world.stop();
});

test(
  "full disk: doctor warns of it where a ledger is there to be read, and says that none can be made",
  { timeout: 300_000 },
  async (t) => {
    const disk = smallDisk(t);
    if (disk === undefined) return t.skip(unmountable);
    const world = await start(t, [], disk);
    assert.equal(await world.node.stop(), 0);
    await (await openStore({ folder: `${disk.data}-begun` })).close();
    disk.fill();
    const doctor = (data: string) =>
      spawnSync(tested.file, [...tested.args, "doctor", "--port", "0", "--data", data], { encoding: "utf8" });
    const there = doctor(disk.data),
      none = doctor(`${disk.data}-2`),
      begun = doctor(`${disk.data}-begun`);
    assert.equal(there.status, 0, there.stdout + there.stderr);
    assert.match(there.stdout, /^warning .*0\.0 GB are free .*: commands will be refused until there is more\.$/m);
    assert.deepEqual([none.status, begun.status], [1, 1], begun.stdout);
    assert.match(begun.stdout, /^problem .*0\.0 GB are free .*: no ledger can be made until there is more\.$/m);
    assert.match(none.stdout, /^problem .*0\.0 GB are free .*: no ledger can be made until there is more\.$/m);
  },
);
