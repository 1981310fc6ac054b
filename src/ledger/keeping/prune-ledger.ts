/** Prunes a ledger at rest. */
import type { Clock } from "../../base/clock.js";
import type { Log } from "../../base/log.js";
import { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import { openStore, type Store, type Tables } from "../../store/index.js";
import { CommitQueue, Committer, contractSettlement, readLedgerEnd } from "../commit/index.js";
import { longestPeriodOf } from "../intake/index.js";
import { type Offset, type Outcome, readIdentity } from "../model/index.js";
import { PartyRegistry } from "../parties/index.js";
import { Pruning } from "./pruning.js";
import { ContractIndex, TemplateNames } from "../records/index.js";
import { Acceptances } from "../submission/index.js";

export interface PruneOptions {
  readonly participantName: string | undefined;
  readonly upToInclusive: Offset;
  readonly deduplicationMaxSeconds: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Of one participant; without a name of the first. Undefined: there is none of that name. */
export async function pruneLedger(
  folder: string,
  { participantName, upToInclusive, deduplicationMaxSeconds, clock, log }: PruneOptions,
): Promise<Outcome<void> | undefined> {
  const turns = new Turns(limits.turnMs),
    store = await openStore({ folder, turns });
  try {
    const tables = tablesOf(store, participantName);
    if (tables === undefined) return undefined;
    const ledgerEnd = readLedgerEnd(tables);
    const queue = new CommitQueue({ store, clock, log, turns }),
      contracts = new ContractIndex(tables);
    const committer = new Committer(queue, {
      tables,
      ledgerEnd,
      templates: TemplateNames.read(tables),
      parties: PartyRegistry.read(tables),
      contracts,
    });
    const settling = { tables, committer, ledgerEnd, log, turns };
    const longestPeriod = longestPeriodOf(deduplicationMaxSeconds);
    const settlements = [
      new Acceptances({ ...settling, unsettledMax: limits.acceptancesUnsettledMax, longestPeriod }),
      contractSettlement({ ...settling, contracts, unsettledMax: limits.contractsUnsettledMax }),
    ];
    try {
      const pruning = new Pruning({ tables, committer, ledgerEnd, contracts, settlements, longestPeriod, readerTurns: turns, log });
      return await pruning.prune(upToInclusive);
    } finally {
      for (const settlement of settlements) await settlement.close();
      await queue.close();
    }
  } finally {
    await store.close();
  }
}

const tablesOf = (store: Store, name: string | undefined): Tables | undefined =>
  Array.from({ length: store.sets }, (_, set) => store.tablesOf(set)).find((tables) => {
    const identity = readIdentity(tables);
    return name === undefined || identity?.participantName === name;
  });
