import { OpeningLock } from "../../src/store/opening-lock.js";

/** The file of a ledger takes nothing meanwhile, so that what is acknowledged is in its journal only. */
export async function withoutWrites(folder: string, body: () => Promise<void>): Promise<void> {
  const lock = new OpeningLock(folder);
  try {
    await lock.during(body);
  } finally {
    lock.close();
  }
}
