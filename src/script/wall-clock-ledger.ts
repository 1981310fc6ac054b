/**
 * A ledger in memory whose scripts read the system's clock. As in the reference that is all: they cannot set a time, and code of choices
 * still finds the ledger's own, 1970.
 */
import { MemoryLedger } from "./memory/index.js";
import { refusal } from "./stop.js";

export class WallClockLedger extends MemoryLedger {
  override async time(): Promise<bigint> {
    return BigInt(Date.now()) * 1000n;
  }
  override async setTime(): Promise<void> {
    throw refusal("Scripts that run by the wall clock cannot set the time.", "Leave --wall-clock-time out.");
  }
}
