/** Prunes a ledger at rest. */
import type { Clock } from "../../base/clock.js";
import type { Log } from "../../base/log.js";
import type { Result } from "../../base/result.js";
import { Store } from "../../store/index.js";
import { CommitQueue, Committer, readLedgerEnd } from "../commit/index.js";
import type { LedgerErrorData, Offset } from "../model/index.js";
import { PartyRegistry } from "../parties/index.js";
import { Pruning } from "./pruning.js";
import { TemplateNames } from "../records/index.js";

export interface PruneOptions { readonly upToInclusive: Offset; readonly clock: Clock; readonly log: Log }

export async function pruneLedger(folder: string, { upToInclusive, clock, log }: PruneOptions): Promise<Result<void, LedgerErrorData>> {
  const store = await Store.open({ folder });
  try {
    const { tables } = store, ledgerEnd = readLedgerEnd(tables);
    const queue = new CommitQueue({ store, clock, log });
    const committer = new Committer(queue, { tables, ledgerEnd, templates: TemplateNames.read(tables), parties: PartyRegistry.read(tables) });
    try {
      return await new Pruning({ tables, committer, ledgerEnd, log }).prune(upToInclusive);
    } finally {
      await queue.close();
    }
  } finally {
    await store.close();
  }
}
