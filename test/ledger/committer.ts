/** A committer over a store of its own. */
import type { TestContext } from "node:test";
import { silentLog } from "../../src/base/log.js";
import { CommitQueue, type CommitQueueOptions, Committer } from "../../src/ledger/commit/commit.js";
import { LedgerEnd } from "../../src/ledger/commit/ledger-end.js";
import { PartyRegistry } from "../../src/ledger/parties/party-registry.js";
import { ContractIndex, TemplateNames } from "../../src/ledger/records/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { TestClock } from "./support.js";
import { temporaryFolder } from "../support/folders.js";
import { ownTurns } from "../support/turns.js";

export interface OpenCommitter {
  readonly committer: Committer;
  readonly queue: CommitQueue;
  readonly store: Store;
  readonly ledgerEnd: LedgerEnd;
  readonly folder: string;
}

export async function openCommitter(
  t: TestContext,
  {
    turns = ownTurns(),
    coming,
    keepsReserve = false,
  }: Partial<Pick<CommitQueueOptions, "turns" | "coming">> & { readonly keepsReserve?: boolean } = {},
): Promise<OpenCommitter> {
  const folder = temporaryFolder(),
    store = await openStore({ folder, turns, keepsReserve }),
    ledgerEnd = new LedgerEnd(0, 0n);
  const queue = new CommitQueue({ store, clock: new TestClock(), log: silentLog, turns, coming });
  const committer = new Committer(queue, {
    tables: store.tables,
    ledgerEnd,
    templates: new TemplateNames(),
    parties: new PartyRegistry(),
    contracts: new ContractIndex(store.tables),
  });
  t.after(async () => {
    await queue.close();
    await store.close();
  });
  return { committer, queue, store, ledgerEnd, folder };
}
