/**
 * Snapshots of the active contracts. A snapshot is a time, which means an offset: nothing is stored twice. There is one every
 * few hours, as soon as something was recorded behind it, and those that were asked for.
 */
import { microsOf } from "../base/clock.js";
import { Exclusive } from "../base/exclusive.js";
import { isFailure, ok } from "../base/result.js";
import { limits } from "../config.js";
import type { Offset, Participant } from "../ledger/index.js";
import type { Network } from "./network.js";
import { type Answer, invalid, refuse } from "./refusal.js";

export interface Snapshot {
  /** Microseconds. */
  readonly recordTime: bigint;
  readonly offset: Offset;
}

const intervalMicros = microsOf(limits.acsSnapshotIntervalSeconds);
/** Under which the times of those that were asked for are kept. */
const note = "splice/forced-acs-snapshots";

type Ledger = Pick<Participant, "readOutcomes" | "offsetAt" | "prunedOffsets" | "readNote" | "keepNote">;

export class Snapshots {
  readonly #ledger: Ledger;
  readonly #network: Network;
  readonly #changes = new Exclusive();
  /** Rising. */
  #forced: readonly bigint[];

  constructor(ledger: Ledger, network: Network) {
    this.#ledger = ledger;
    this.#network = network;
    this.#forced = (JSON.parse(ledger.readNote(note) ?? "[]") as string[]).map(BigInt);
  }

  atOrBefore(time: bigint): Snapshot | undefined {
    const { first, last } = this.#periodic(),
      latest = last < time ? last : time;
    const periodic = latest >= first ? latest - positiveRemainder(latest, intervalMicros) : undefined;
    return this.#newest([
      periodic !== undefined && periodic >= first ? periodic : undefined,
      this.#forced.findLast((forced) => forced <= time),
    ]);
  }

  at(time: bigint): Snapshot | undefined {
    const found = this.atOrBefore(time);
    return found?.recordTime === time ? found : undefined;
  }

  after(time: bigint): Snapshot | undefined {
    const { first, last } = this.#periodic(),
      next = time < first ? first : time - positiveRemainder(time, intervalMicros) + intervalMicros;
    const periodic = next <= last ? this.#readable(next) : undefined,
      forced = this.#forced.find((each) => each > time && this.#readable(each));
    if (forced === undefined || (periodic && periodic.recordTime < forced)) return periodic;
    return this.#readable(forced);
  }

  latest(): Snapshot | undefined {
    return this.atOrBefore(2n ** 62n);
  }

  /** One at the newest update. */
  force(): Answer<Snapshot> {
    return this.#changes.run(() => this.#force());
  }

  async #force(): Answer<Snapshot> {
    const rules = await this.#network.amuletRules();
    if (isFailure(rules)) return invalid("No amulet rules.");
    const newest = this.#newestUpdate();
    if (newest === undefined) return invalid("No updates ever happened for a snapshot.");
    const known = this.at(newest);
    if (known) return ok(known);
    const forced = [...this.#forced, newest].sort(compareTimes).slice(-limits.acsSnapshotsForcedMax);
    const kept = await this.#ledger.keepNote(note, JSON.stringify(forced.map(String)));
    if (isFailure(kept)) return refuse("unavailable", kept.error.cause);
    this.#forced = forced;
    return ok(this.#readable(newest)!);
  }

  /** The span of those that come by themselves: behind the first update, and before the newest. */
  #periodic(): { readonly first: bigint; readonly last: bigint } {
    const [oldest] = this.#outcomes(false),
      newest = this.#newestUpdate();
    if (!oldest || newest === undefined) return { first: 1n, last: 0n };
    const first = oldest.recordTime - positiveRemainder(oldest.recordTime, intervalMicros) + intervalMicros;
    const last = newest - 1n - positiveRemainder(newest - 1n, intervalMicros);
    return { first, last };
  }

  #newestUpdate(): bigint | undefined {
    return this.#outcomes(true)[0]?.recordTime;
  }

  #outcomes(descending: boolean): readonly { readonly recordTime: bigint }[] {
    const found = this.#ledger.readOutcomes({ beginExclusive: this.#pruned, limit: 1, descending });
    return isFailure(found) ? [] : found.ok;
  }

  get #pruned(): Offset {
    return this.#ledger.prunedOffsets().participantPrunedUpToInclusive;
  }

  #newest(times: readonly (bigint | undefined)[]): Snapshot | undefined {
    const newest = times
      .filter((time) => time !== undefined)
      .sort(compareTimes)
      .at(-1);
    return newest === undefined ? undefined : this.#readable(newest);
  }

  /** What was active before the history that is left cannot be told. */
  #readable(recordTime: bigint): Snapshot | undefined {
    const offset = this.#ledger.offsetAt(recordTime);
    return offset === undefined || offset === 0 ? undefined : { recordTime, offset };
  }
}

const compareTimes = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const positiveRemainder = (value: bigint, divisor: bigint): bigint => ((value % divisor) + divisor) % divisor;
