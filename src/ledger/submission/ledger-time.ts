/** The ledger time that a command asks for: one that lies ahead is waited for. */
import { microsOf } from "../../base/clock.js";
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import { type LedgerClock, ledgerError, type LedgerErrorData } from "../model/index.js";
import type { Place } from "./in-flight.js";

export interface WaitingContext {
  readonly clock: LedgerClock;
  /** Aborts when the ledger closes. */
  readonly closing: AbortSignal;
}

/** How far ledger time and record time of a transaction may be apart. */
export const ledgerTimeTolerance = microsOf(limits.ledgerTimeToleranceSeconds);

export const ledgerTimeTooFar = (): LedgerErrorData =>
  ledgerError("LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND", "Ledger time and record time of the transaction are too far apart.");

/**
 * For as long as it takes, as in Canton: whoever asked is told after a while that there is no answer yet, and the command runs all the
 * same. A clock that does not move by itself is moved. `bytes`: what is held of the command meanwhile.
 */
export async function waitFor(time: bigint, place: Place, bytes: number, context: WaitingContext): Promise<LedgerErrorData | undefined> {
  if (context.clock.nowMicros() >= time || context.clock.moveTo(time)) return undefined;
  const { clock, closing } = context,
    reached = await place.aside({ until: time, bytes }, (givesWay) => isReached(time, clock, [closing, givesWay]));
  if (isFailure(reached)) return reached.error;
  return reached.ok
    ? undefined
    : ledgerError("SERVICE_NOT_RUNNING", "The node closes; a command that waited for its ledger time did not run.");
}

const microsPerMilli = 1_000n;

/** False when one of the signals aborts before. */
async function isReached(time: bigint, clock: LedgerClock, ends: readonly AbortSignal[]): Promise<boolean> {
  for (let at = clock.nowMicros(); at < time; at = clock.nowMicros()) {
    if (ends.some(({ aborted }) => aborted)) return false;
    await sleep((time - at) / microsPerMilli + 1n, ends);
  }
  return true;
}

const sleepMsMax = BigInt(limits.ledgerTimeSleepMaxMs);
function sleep(ms: bigint, ends: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const end of ends) end.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Number(ms < sleepMsMax ? ms : sleepMsMax));
    for (const end of ends) end.addEventListener("abort", done, { once: true });
  });
}
