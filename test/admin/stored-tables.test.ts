import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { silentLog } from "../../src/base/log.js";
import { StoredTables } from "../../src/ledger/admin/index.js";
import { CommitQueue, Committer, readLedgerEnd } from "../../src/ledger/commit/index.js";
import { PartyRegistry } from "../../src/ledger/parties/index.js";
import { ContractIndex, TemplateNames } from "../../src/ledger/records/index.js";
import { Batch, CorruptRecord, openStore, type Store } from "../../src/store/index.js";
import { TestClock } from "../ledger/support.js";
import { userSuite } from "./users.suite.js";
import { createUser, okOf, withProvider, worldOver } from "./world.js";
import { temporaryFolder } from "../support/folders.js";
import { ownTurns } from "../support/turns.js";

const folder = temporaryFolder("admin");
const open: Store[] = [];
let ledgers = 0;

async function newStore(name = `ledger-${ledgers++}`): Promise<Store> {
  const store = await openStore({ folder: join(folder, name) });
  open.push(store);
  return store;
}

function tablesOf(store: Store): StoredTables {
  const { tables } = store,
    templates = TemplateNames.read(tables),
    parties = PartyRegistry.read(tables);
  return new StoredTables(
    tables,
    new Committer(new CommitQueue({ store, clock: new TestClock(), log: silentLog, turns: ownTurns() }), {
      tables,
      ledgerEnd: readLedgerEnd(tables),
      templates,
      parties,
      contracts: new ContractIndex(tables),
    }),
  );
}

after(async () => {
  for (const store of open) await store.close();
  rmSync(folder, { recursive: true });
});

userSuite("users on disk", async () => worldOver(tablesOf(await newStore())));

test("on disk: everything is as it was after a restart", async () => {
  const first = await newStore("restart");
  const before = await worldOver(tablesOf(first));
  await withProvider(before.administration, "idp1");
  okOf(
    await createUser(before.administration, "alice", { identityProviderId: "idp1", annotations: { k: "v" } }, [
      { kind: "CanReadAs", party: "p" },
    ]),
  );
  const { nextPageToken } = okOf(before.administration.listUsers({ pageSize: 1, pageToken: "", identityProviderId: "idp1" }));
  open.splice(open.indexOf(first), 1);
  await first.close();
  const { administration } = await worldOver(tablesOf(await newStore("restart")));
  assert.deepEqual(okOf(administration.getUser({ userId: "alice", identityProviderId: "idp1" })).annotations, { k: "v" });
  assert.deepEqual(okOf(administration.listRights({ userId: "alice", identityProviderId: "idp1" })), [{ kind: "CanReadAs", party: "p" }]);
  assert.equal(administration.listIdentityProviders().length, 1);
  assert.equal(okOf(administration.listUsers({ pageSize: 1, pageToken: nextPageToken, identityProviderId: "idp1" })).users.length, 0);
});

test("on disk: a damaged record is noticed", async () => {
  const store = await newStore();
  const { administration } = await worldOver(tablesOf(store));
  okOf(await createUser(administration, "alice"));
  const record = store.tables.users.read("alice")!;
  record[record.length - 3]! ^= 1;
  const batch = new Batch();
  batch.put(store.tables.users, "alice", record);
  await batch.flush();
  assert.throws(() => administration.getUser({ userId: "alice", identityProviderId: "" }), CorruptRecord);
});
