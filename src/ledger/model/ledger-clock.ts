/**
 * Time as the ledger sees it: never earlier than what it recorded. Record times rise, so a ledger whose clock once was ahead
 * has a time of its own that the clock has yet to reach; commands run by it, as all they are checked against is recorded by
 * it, too. It goes on at half the pace of the clock, which so catches up. What a clock that was set back would do to a running
 * ledger is the same thing.
 *
 * How far the two may be apart has a bound: nobody should find out later that a year's commands ran in another year.
 */
import { type Clock, microsOf, microsPerSecond, StaticClock } from "../../base/clock.js";
import type { Log } from "../../base/log.js";
import { limits } from "../../config.js";
import { instantText } from "./instant.js";

export interface LedgerClockOptions {
  readonly clock: Clock;
  /** Of the ledger end. */
  readonly recordTime: bigint;
  readonly behindMaxSeconds: number;
  readonly log: Log;
}

export class LedgerClock {
  readonly #clock: Clock;
  readonly #behindMax: bigint;
  readonly #log: Log;
  /** The last reading of the clock that was no earlier than the ledger's own time. */
  #reached: { readonly now: bigint; readonly elapsed: bigint };
  #isImpeded = false;

  constructor({ clock, recordTime, behindMaxSeconds, log }: LedgerClockOptions) {
    if (clock instanceof StaticClock) clock.advanceTo(recordTime);
    this.#clock = clock;
    this.#behindMax = microsOf(behindMaxSeconds);
    this.#log = log;
    this.#reached = { now: recordTime, elapsed: clock.elapsedMicros() };
    const behind = this.nowMicros() - clock.nowMicros(),
      worthTelling = microsOf(limits.ledgerTimeToleranceSeconds);
    if (behind > worthTelling && this.impediment() === undefined)
      log.warn("the clock is behind the ledger's own time, by which commands run until it has caught up", { behind: durationText(behind) });
  }

  nowMicros(): bigint {
    return this.#ownAt(this.#clock.nowMicros());
  }

  /** `now`: what the clock says. */
  #ownAt(now: bigint): bigint {
    const elapsed = this.#clock.elapsedMicros(),
      reached = this.#reached;
    const own = reached.now + (elapsed - reached.elapsed) / 2n;
    if (now < own) return own;
    this.#reached = { now, elapsed };
    return now;
  }

  /** Tells of moves of a clock that does not move by itself. */
  onMove(listener: () => void): void {
    if (this.#clock instanceof StaticClock) this.#clock.onMove(listener);
  }

  /** False for a clock that moves by itself. */
  moveTo(micros: bigint): boolean {
    if (!(this.#clock instanceof StaticClock)) return false;
    this.#clock.advanceTo(micros);
    return true;
  }

  /** Why no command runs now, in words for clients and operators. */
  impediment(): string | undefined {
    const now = this.#clock.nowMicros(),
      own = this.#ownAt(now);
    const text =
      own - now <= this.#behindMax
        ? undefined
        : `The node's clock (${instantText(now)}) is ${durationText(own - now)} behind the ledger's own time (${instantText(own)}); commands run when it is at most ${durationText(this.#behindMax)} behind.`;
    this.#tell(text);
    return text;
  }

  #tell(impediment: string | undefined): void {
    if (this.#isImpeded === (impediment !== undefined)) return;
    this.#isImpeded = impediment !== undefined;
    if (impediment === undefined) this.#log.info("commands run again: the clock has caught up with the ledger's own time");
    else this.#log.error("no command runs", { reason: impediment });
  }
}

const units = [
  ["day", 86_400n],
  ["hour", 3_600n],
  ["minute", 60n],
  ["second", 1n],
] as const;

function durationText(micros: bigint): string {
  const seconds = micros / microsPerSecond;
  const [name, length] = units.find(([, unit]) => seconds >= unit) ?? units[units.length - 1]!;
  const count = seconds / length;
  return `${count} ${name}${count === 1n ? "" : "s"}`;
}
