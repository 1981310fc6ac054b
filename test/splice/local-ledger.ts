/** A ledger with one engine thread in this process, for what stands above it and below HTTP. */
import { wallClock, type Clock } from "../../src/base/clock.js";
import { silentLog, type Log } from "../../src/base/log.js";
import type { Participant } from "../../src/ledger/index.js";
import { openStore } from "../../src/store/index.js";
import { EnginePool } from "../../src/workers/index.js";
import { createLedger } from "../ledger/create-ledger.js";
import { success } from "../ledger/support.js";
import { ownTurns } from "../support/turns.js";

export interface LocalLedger {
  readonly ledger: Participant;
  upload(dar: Uint8Array): Promise<void>;
  /** Parties by their hints. */
  parties<Hints extends readonly string[]>(...hints: Hints): Promise<{ [K in keyof Hints]: string }>;
  /** The folder stays, so that it can be opened again. */
  close(): Promise<void>;
}

export async function openLocalLedger(
  folder: string,
  { clock = wallClock(), log = silentLog }: { readonly clock?: Clock; readonly log?: Log } = {},
): Promise<LocalLedger> {
  const store = await openStore({ folder });
  const pool = new EnginePool({ dataFolder: folder, contractMode: "NUCK", workers: 1, log });
  const ledger = await createLedger({ store, interpreter: pool.of(0), clock, log, turns: ownTurns() });
  const party = async (hint: string): Promise<string> =>
    success(await ledger.allocateParty({ hint, annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" })).party;
  return {
    ledger,
    upload: async (dar) => {
      success(await ledger.uploadDar(Uint8Array.from(dar), { vetAllPackages: true, synchronizerId: "" }));
    },
    parties: async (...hints) => {
      const allocated: string[] = [];
      for (const hint of hints) allocated.push(await party(hint));
      return allocated as { [K in keyof typeof hints]: string };
    },
    close: async () => {
      await ledger.close();
      await pool.close();
      await store.close();
    },
  };
}
