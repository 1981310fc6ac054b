/** What is kept of a participant's past, and for how long. */
import { limits } from "../../config.js";
import { contractSettlement } from "../commit/index.js";
import { longestPeriodOf } from "../intake/index.js";
import { Pruning } from "../keeping/index.js";
import type { Ledger } from "../ledger.js";
import { Acceptances } from "../submission/index.js";
import type { Opening } from "./member.js";

export interface Keeping {
  readonly acceptances: Acceptances;
  readonly pruning: Pruning;
  readonly ledger: Pick<Ledger, "prunedOffsets" | "prune">;
  /** What waits is settled. */
  close(): Promise<void>;
}

export function openKeeping({ member, network }: Opening): Keeping {
  const { tables, committer, ledgerEnd, contracts } = member,
    { log, turns, readerTurns, options } = network,
    { unsettledMax, runSizes: sizes } = options;
  const longestPeriod = longestPeriodOf(options.deduplicationMaxSeconds),
    shared = { tables, committer, ledgerEnd, log, turns, sizes };
  const acceptances = new Acceptances({ ...shared, unsettledMax: unsettledMax ?? limits.acceptancesUnsettledMax, longestPeriod }),
    settlement = contractSettlement({ ...shared, contracts, unsettledMax: unsettledMax ?? limits.contractsUnsettledMax }),
    settlements = [acceptances, settlement];
  const pruning = new Pruning({ tables, committer, ledgerEnd, contracts, settlements, longestPeriod, readerTurns, log });
  return {
    acceptances,
    pruning,
    ledger: {
      prunedOffsets: () => ({ participantPrunedUpToInclusive: pruning.offset, allDivulgedContractsPrunedUpToInclusive: pruning.offset }),
      prune: (upToInclusive) => pruning.prune(upToInclusive),
    },
    close: async () => {
      try {
        await acceptances.close();
      } finally {
        await settlement.close();
      }
    },
  };
}
