/** The newest durable offset, and the signal on which blocked readers wait. */
import type { Offset } from "../model/index.js";
import { type HistoryEnd, noHistory } from "./history.js";
import { assert } from "../../base/assert.js";

/**
 * Numbers of parties, `anyParty` among them: of a commit those under which the indexes have it, of a reader those whose
 * index it reads. "all": the commit is for every reader, or the reader for every commit.
 */
export type Concerned = ReadonlySet<number> | "all";

interface Waiting {
  readonly concern: Concerned;
  readonly wake: () => void;
}

export class LedgerEnd {
  #offset: Offset;
  #recordTime: bigint;
  readonly #waiting = new Set<Waiting>();
  /**
   * Those of `#waiting` that wait for commits of some parties only, by party: a commit must not cost what thousands of idle readers cost.
   */
  readonly #byParty = new Map<number, Set<Waiting>>();
  /** The others. */
  readonly #forAll = new Set<Waiting>();

  /** What is acknowledged, while no reader finds it yet. */
  #promised: Offset;
  /** Asks that readers soon find it. */
  #hurry: () => void = () => undefined;
  readonly #catchingUp = new Set<{ readonly offset: Offset; readonly resolve: () => void }>();

  /** All that the log holds up to `offset`. */
  history: HistoryEnd;

  constructor(offset: Offset, recordTime: bigint, history = noHistory(offset)) {
    this.#offset = this.#promised = offset;
    this.#recordTime = recordTime;
    this.history = history;
  }

  get offset(): Offset {
    return this.#offset;
  }
  /** Record time at the end; never falls. */
  get recordTime(): bigint {
    return this.#recordTime;
  }

  /** The last one that somebody may have been told of. */
  get promised(): Offset {
    return this.#promised;
  }
  /** Readers find it later: soon after `hurry`, which is called once somebody waits for that. */
  promise(offset: Offset, hurry: () => void): void {
    assert(offset > this.#promised, "what is acknowledged comes behind what was");
    this.#promised = offset;
    this.#hurry = hurry;
    if (this.#waiting.size > 0) hurry();
  }

  /** Resolves once readers find all that somebody may have been told of by now; undefined: they do. */
  caughtUp(): Promise<void> | undefined {
    const offset = this.#promised;
    if (offset === this.#offset) return undefined;
    this.#hurry();
    return new Promise((resolve) => this.#catchingUp.add({ offset, resolve }));
  }

  advance(offset: Offset, recordTime: bigint, concerned: Concerned): void {
    assert(offset > this.#offset && recordTime > this.#recordTime, "the ledger end moves forward");
    this.#offset = offset;
    this.#recordTime = recordTime;
    if (offset > this.#promised) this.#promised = offset;
    for (const behind of this.#catchingUp)
      if (behind.offset <= offset) {
        this.#catchingUp.delete(behind);
        behind.resolve();
      }
    for (const { wake } of concerned === "all" ? [...this.#waiting] : this.#waitingFor(concerned)) wake();
  }

  #waitingFor(parties: ReadonlySet<number>): Set<Waiting> {
    const found = new Set(this.#forAll);
    for (const party of parties) for (const waiting of this.#byParty.get(party) ?? []) found.add(waiting);
    return found;
  }

  /**
   * Resolves when a commit behind `offset` is there that concerns the reader, after `timeoutMs`, on abort, or when the ledger
   * closes. At once when there is any behind `offset`.
   */
  waitBehind(offset: Offset, concern: Concerned, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#offset > offset || signal.aborted || timeoutMs <= 0) return Promise.resolve();
    if (this.#promised > this.#offset) this.#hurry();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        this.#remove(waiting);
        resolve();
      };
      const waiting = { concern, wake };
      const timer = setTimeout(wake, timeoutMs);
      signal.addEventListener("abort", wake, { once: true });
      this.#add(waiting);
    });
  }

  #add(waiting: Waiting): void {
    this.#waiting.add(waiting);
    if (waiting.concern === "all") this.#forAll.add(waiting);
    else
      for (const party of waiting.concern) {
        const others = this.#byParty.get(party);
        if (others) others.add(waiting);
        else this.#byParty.set(party, new Set([waiting]));
      }
  }

  #remove(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    if (waiting.concern === "all") this.#forAll.delete(waiting);
    else
      for (const party of waiting.concern) {
        const others = this.#byParty.get(party);
        others?.delete(waiting);
        if (others?.size === 0) this.#byParty.delete(party);
      }
  }

  /** Every waiting reader looks how far it is. */
  wakeAll(): void {
    for (const { wake } of [...this.#waiting]) wake();
  }

  close(): void {
    this.wakeAll();
  }
}
