/** How packages are written: bytes of many go ahead of what makes them known, so that others' commits do not stand behind all of them. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { fail } from "../../src/base/result.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import type { Committer } from "../../src/ledger/commit/index.js";
import type { DarContents } from "../../src/ledger/interpretation/index.js";
import { storageUnavailable } from "../../src/ledger/model/index.js";
import { listPackageSizes, PackageRegistry, readPackage, readPayload, storePackages } from "../../src/ledger/packages/index.js";
import { Batch, type Tables } from "../../src/store/index.js";
import { openCommitter } from "./committer.js";
import { success } from "./support.js";

const summaryOf = (number: number): DarContents["packages"][number]["summary"] => ({
  packageId: `${number}`.padStart(64, "0"),
  name: `package-${number}`,
  version: "1.0.0",
  lfVersion: "2.1",
  isUtility: false,
  dependencies: [],
  templates: [],
  interfaces: [],
  implements: {},
});

/** Each half as long as what one commit stores. */
const uploaded = Array.from({ length: 7 }, (_, number) => ({
    summary: summaryOf(number),
    payload: Buffer.alloc(limits.packageBytesPerCommit / 2 + 1, number),
  })),
  ids = uploaded.map(({ summary }) => summary.packageId);

/** `isRefused`: of a commit, counted from 1. */
async function storing(t: TestContext, isRefused: (commit: number) => boolean = () => false) {
  const { committer, store } = await openCommitter(t),
    packages = new PackageRegistry();
  let commits = 0;
  const counted: Pick<Committer, "commit" | "commitPlain"> = {
    commit: async (job, options) => (isRefused(++commits) ? fail(storageUnavailable()) : committer.commit(job, options)),
    commitPlain: async (job, ...options) => (isRefused(++commits) ? fail(storageUnavailable()) : committer.commitPlain(job, ...options)),
  };
  return {
    packages,
    tables: store.tables,
    store: (some = uploaded) => storePackages(some, [0], { packages, committer: counted }),
    commits: () => commits,
    payloads: () => [...store.tables.packagePayloads.all()].map(({ key }) => key),
    records: () => [...store.tables.packages.all()].map(({ key }) => key),
  };
}

test("packages: bytes that are more than a commit should store go in several, and are known with the last", async (t) => {
  const { packages, store, commits, payloads, records } = await storing(t);
  assert.equal((await store()).error, undefined);
  assert.equal(commits(), 7);
  assert.deepEqual([payloads(), records(), [...packages.ids()].sort()], [ids, ids, ids]);
  assert.equal((await store()).error, undefined);
  assert.equal(commits(), 8, "what is known is not written again");
});

for (const refuseAt of [1, 4, 7])
  test(`packages: where commit ${refuseAt} of seven is refused none of them is there`, async (t) => {
    const { packages, store, payloads, records } = await storing(t, (commit) => commit === refuseAt);
    assert.equal((await store()).error?.code, storageUnavailable().code);
    assert.deepEqual([payloads(), records(), packages.ids()], [[], [], []]);
    assert.equal((await store()).error, undefined, "a later upload finds nothing in its way");
    assert.deepEqual([payloads(), records()], [ids, ids]);
  });

test("packages: bytes of an upload that broke off are there for nobody, and are written again with the same upload", async (t) => {
  const { packages, store, payloads, records } = await storing(t, (commit) => commit >= 4 && commit <= 5); // what would remove them, too
  assert.equal((await store()).error?.code, storageUnavailable().code);
  assert.deepEqual([payloads(), records(), packages.ids()], [ids.slice(0, 3), [], []]);
  assert.equal((await store()).error, undefined);
  assert.deepEqual([payloads(), records(), [...packages.ids()].sort()], [ids, ids, ids]);
});

const large = { summary: summaryOf(9), payload: randomBytes(3.5 * limits.packageBytesPerCommit) },
  largeId = large.summary.packageId;

test("packages: a large one lies in parts, and is there for whoever reads it once its own record is", async (t) => {
  const { packages, store, tables, commits, payloads } = await storing(t, (commit) => commit === 4 || commit === 5);
  const some = [uploaded[0]!, large, uploaded[1]!];
  assert.equal((await store(some)).error?.code, storageUnavailable().code);
  assert.equal(readPayload(tables, largeId), undefined);
  assert.equal((await store(some)).error, undefined);
  assert.equal(commits(), 5 + 6, "each commit has one part at most");
  const parts = [0, 1, 2, 3].map((number) => `${largeId}/${number}`);
  assert.deepEqual(payloads(), [ids[0], ids[1], largeId, ...parts]);
  for (const { summary, payload } of some) {
    assert.ok(readPayload(tables, summary.packageId)!.equals(payload));
    assert.ok(success(readPackage(summary.packageId, { tables, packages })).length === payload.length);
  }
  const sizes = await listPackageSizes({ tables, packages }, new Turns(limits.turnMs));
  assert.deepEqual(
    sizes.map(({ summary, bytes }) => [summary, bytes]),
    some.map(({ summary, payload }) => [summary, payload.length]),
  );
});

for (const [what, damage] of [
  ["is missing", (batch: Batch, { packagePayloads }: Tables) => batch.remove(packagePayloads, `${largeId}/2`)],
  [
    "is too short",
    (batch: Batch, { packagePayloads }: Tables) => batch.put(packagePayloads, `${largeId}/2`, packagePayloads.read(`${largeId}/3`)!),
  ],
] as const)
  test(`packages: where a part ${what}, whoever reads it meets damage`, async (t) => {
    const { store, tables } = await storing(t);
    assert.equal((await store([large])).error, undefined);
    const batch = new Batch();
    damage(batch, tables);
    await batch.flush();
    assert.throws(
      () => readPayload(tables, largeId),
      /table packagePayloads, ".*9": (part 2 of 4 is missing|its parts have \d+ bytes instead of \d+)/,
    );
  });
