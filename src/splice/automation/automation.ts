/**
 * Keeps a network alive by ledger time: looks at what has fallen due, does it, and waits until the ledger or its time moves
 * on. It keeps nothing that the ledger does not: who starts it anew finds the same things due.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { stackOf } from "../../base/error-text.js";
import type { Log } from "../../base/log.js";
import { limits } from "../../config.js";
import type { Offset } from "../../ledger/index.js";
import { Submitter } from "../submitter.js";
import { Attendant, type Moment } from "./attendant.js";
import { EconomyReader, type AutomatedLedger, type EconomySettings } from "./economy.js";
import type { Trigger } from "./trigger.js";

export interface AutomationOptions extends EconomySettings {
  readonly ledger: AutomatedLedger;
  readonly triggers: readonly Trigger[];
  readonly log: Log;
  /** A task that was done, or refused with a code; `lagSeconds`: ledger time since it was due. */
  readonly observe?: (trigger: string, outcome: string, lagSeconds: number) => void;
}

interface Turn {
  readonly hasActed: boolean;
  /** Something is left that was not tried yet. */
  readonly hasUntried: boolean;
  /** Ledger time at which more falls due though nothing happens. */
  readonly nextAt: bigint | undefined;
}

const nothing: Turn = { hasActed: false, hasUntried: false, nextAt: undefined };

const userId = "splice-automation";
const microsPerMilli = 1_000n;

export class Automation {
  readonly #options: AutomationOptions;
  readonly #economy: EconomyReader;
  readonly #attendants: readonly Attendant[];
  readonly #closing = new AbortController();
  /** Those who wait until nothing is due. */
  readonly #settling = new Set<() => void>();
  /** Ends the pause between two turns. */
  #wake: () => void = () => undefined;
  readonly #ended: Promise<void>;

  constructor(options: AutomationOptions) {
    this.#options = options;
    this.#economy = new EconomyReader(options.ledger, options);
    const submitter = new Submitter(options.ledger, { userId });
    this.#attendants = options.triggers.map(
      (trigger) => new Attendant({ ...options, trigger, submitter, nowMicros: () => options.ledger.nowMicros() }),
    );
    this.#ended = this.#run();
  }

  /** Resolves when all that is due at the ledger's time was done, or tried and failed, or after `timeoutMs`; true: the former. */
  settle(timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#settling.delete(done);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#settling.delete(done);
        resolve(false);
      }, timeoutMs);
      this.#settling.add(done);
      this.#wake();
    });
  }

  /** Resolves when nothing of it is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#ended;
    for (const done of this.#settling) done();
  }

  async #run(): Promise<void> {
    const { ledger } = this.#options;
    /** Who waited when a turn began that found nothing to do; nobody: something was done since, or nobody waits. */
    let told: readonly (() => void)[] = [];
    while (!this.#closing.signal.aborted) {
      const begun: Begun = { ms: performance.now(), offset: ledger.ledgerEnd(), time: ledger.nowMicros() };
      const waiting = [...this.#settling],
        waits = { isAwaited: waiting.length > 0, isLast: told.length > 0 };
      const { hasActed, hasUntried, nextAt } = await this.#turn(begun, waits).catch((error: Error) => this.#failed(error));
      if (hasActed || hasUntried) told = [];
      else if (waiting.length > 0 && told.length === 0)
        told = waiting; // once more, with those that rest
      else {
        for (const done of told) done();
        told = [];
        await this.#pause(begun, nextAt);
      }
    }
  }

  async #turn({ time: now, ms }: Begun, waits: Pick<Moment, "isAwaited" | "isLast">): Promise<Turn> {
    let economy = await this.#economy.read(),
      turn = nothing;
    for (const attendant of this.#attendants) {
      if (economy === undefined || this.#closing.signal.aborted) break;
      const attended = await attendant.attend(economy, { now, ms, ledgerEnd: this.#options.ledger.ledgerEnd(), ...waits });
      if (attended.hasActed) economy = await this.#economy.read(); // what comes behind sees what was done
      turn = {
        hasActed: turn.hasActed || attended.hasActed,
        hasUntried: turn.hasUntried || attended.hasUntried,
        nextAt: earlier(turn.nextAt, attended.nextAt),
      };
    }
    return turn;
  }

  /** A bug of ours; the node serves others. */
  async #failed(error: unknown): Promise<Turn> {
    this.#options.log.error("a turn of automation failed", { error: stackOf(error) });
    await sleep(limits.automationRetryMs, undefined, { signal: this.#closing.signal }).catch(() => undefined); // closing
    return nothing;
  }

  /** Until there is news, but on a busy ledger not at each of them. */
  async #pause({ ms, offset, time }: Begun, nextAt: bigint | undefined): Promise<void> {
    const waiting = new AbortController(),
      { signal } = waiting;
    this.#wake = () => waiting.abort();
    if (this.#closing.signal.aborted || this.#settling.size > 0) return;
    const retryAtMs = Math.min(...this.#attendants.map((attendant) => attendant.retryAtMs()));
    const dueInMs = nextAt === undefined ? Infinity : Number((nextAt - time) / microsPerMilli) + 1;
    const timeoutMs = Math.min(limits.automationIdleMs, dueInMs, Math.max(1, retryAtMs - performance.now()));
    await this.#options.ledger.waitBehind(offset, timeoutMs, signal);
    const restMs = ms + limits.automationIntervalMs - performance.now();
    if (restMs > 0 && !signal.aborted) await sleep(restMs, undefined, { signal }).catch(() => undefined); // woken
  }
}

/** When a turn began. */
interface Begun {
  readonly ms: number;
  readonly offset: Offset;
  readonly time: bigint;
}

const earlier = (left: bigint | undefined, right: bigint | undefined): bigint | undefined =>
  left === undefined || (right !== undefined && right < left) ? right : left;
