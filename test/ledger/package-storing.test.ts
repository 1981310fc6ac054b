/** How packages are written: bytes of many go ahead of what makes them known, so that others' commits do not stand behind all of them. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fail } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import type { Committer } from "../../src/ledger/commit/index.js";
import type { DarContents } from "../../src/ledger/interpretation/index.js";
import { storageUnavailable } from "../../src/ledger/model/index.js";
import { PackageRegistry, storePackages } from "../../src/ledger/packages/index.js";
import { openCommitter } from "./committer.js";

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
  const counted: Pick<Committer, "commit"> = {
    commit: async (job, options) => (isRefused(++commits) ? fail(storageUnavailable()) : committer.commit(job, options)),
  };
  return {
    packages,
    store: () => storePackages(uploaded, [0], { packages, committer: counted as Committer }),
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
