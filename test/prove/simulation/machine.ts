/** The simulated machine: a disk, a clock, and on them one ledger after the other, each until it is stopped or dies. */
import { type Ending, onEnding } from "../../../src/base/damage.js";
import type { Clock } from "../../../src/base/clock.js";
import { Turns } from "../../../src/base/turns.js";
import { limits } from "../../../src/config.js";
import { KnownNumbers } from "../../../src/ledger/engine/index.js";
import type { Participant } from "../../../src/ledger/participant/index.js";
import { journalFile, type Store } from "../../../src/store/index.js";
import { createLedger } from "../../ledger/create-ledger.js";
import { smallRuns } from "../../ledger/run-pieces.js";
import type { Random } from "../../support/random.js";
import { packagePayload, summaryOf } from "../../ledger/support.js";
import { inProcess } from "./builtins.js";
import { SimulatedEngine } from "./engine.js";
import { openSimulated, SimulatedFile } from "./file.js";
import { type Life, Scheduler } from "./scheduler.js";

const triedAgainMicros = 5_000;
const beginMicros = 1_767_225_600_000_000; // 2026-01-01

/** What a client that asks a process which dies gets: nobody knows. */
export const died = Symbol("died");

interface Running {
  readonly ledger: Participant;
  readonly store: Store;
  readonly life: Life & { readonly over: Promise<typeof died>; end(): void };
}

function newLife(): Running["life"] {
  let end = (): void => {};
  const over = new Promise<typeof died>((resolve) => {
    end = () => {
      life.isOver = true;
      resolve(died);
    };
  });
  const life = { isOver: false, over, end: () => end() };
  return life;
}

/** What nobody awaits must not fail. */
async function withoutUnhandled(body: () => Promise<void>): Promise<void> {
  const unhandled: unknown[] = [],
    keep = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", keep);
  try {
    await body();
  } finally {
    process.off("unhandledRejection", keep);
    if (unhandled.length > 0) throw unhandled[0];
  }
}

export class Machine {
  readonly scheduler = new Scheduler();
  /** Of those outside of the machine, who live on. */
  readonly outside: Life = { isOver: false };
  readonly file: SimulatedFile;
  readonly engine: SimulatedEngine;
  /** How far the clock on the wall is off. */
  clockOffMicros = 0;
  lives = 0;
  #running: Running | undefined;
  #life: Life = this.outside;

  /** `deduplicationMaxSeconds`: of its ledgers; undefined: as usual. */
  constructor(
    private readonly random: Random,
    private readonly deduplicationMaxSeconds?: number,
  ) {
    this.file = new SimulatedFile(this.scheduler, random);
    this.engine = new SimulatedEngine(this.scheduler, random);
  }

  simulate(body: () => Promise<void>): Promise<void> {
    const { scheduler, random } = this,
      nowMs = (): number => Math.floor((beginMicros + scheduler.now + this.clockOffMicros) / 1_000);
    const noLonger = onEnding((ending) => this.#endBy(ending));
    return inProcess({ scheduler, random, life: () => this.#life, nowMs }, () => withoutUnhandled(() => scheduler.run(body()))).finally(
      noLonger,
    );
  }

  /** What was acknowledged cannot be written to the file: the process ends, and another one starts with a better disk. */
  #endBy({ place }: Ending): void {
    if (place !== journalFile || !this.file.hasFailed) return;
    this.file.hasFailed = false;
    this.crash();
    this.file.fault = undefined;
    void this.start();
  }

  async start(): Promise<void> {
    if (!(this.#life as Partial<Running["life"]>).isOver && this.#life !== this.outside) return; // it was started meanwhile
    const life = newLife(),
      turns = new Turns(limits.turnMs),
      { scheduler, engine } = this;
    this.#life = life;
    const store = await Promise.race([this.#openFile(life, turns), life.over]);
    if (store === died) return;
    const clock: Clock = {
      nowMicros: () => BigInt(beginMicros + scheduler.now + this.clockOffMicros),
      elapsedMicros: () => BigInt(scheduler.now),
    };
    engine.process = { store, life };
    engine.running = 0;
    engine.numbers = new KnownNumbers().at(store.tables);
    engine.tables = store.tables;
    // So few that many die while some are settled, or runs are merged, each time at another part of it.
    const unsettledMax = 8,
      runSizes = { ...smallRuns, runsPerLevel: 2, bucketBytes: 200 };
    const builtInPackages = async () => [{ summary: summaryOf(), payload: packagePayload }];
    const ledger = await Promise.race([
      createLedger({
        store,
        interpreter: engine,
        clock,
        turns,
        builtInPackages,
        unsettledMax,
        runSizes,
        submissionsRunning: () => engine.running,
        deduplicationMaxSeconds: this.deduplicationMaxSeconds,
      }),
      life.over,
    ]);
    if (ledger === died) return;
    this.lives++;
    this.#running = { ledger, store, life };
  }

  /** What the journal has cannot always be written at once: then another process tries it. */
  async #openFile(life: Life, turns: Turns): Promise<Store> {
    for (;;)
      try {
        return await openSimulated(this.file, life, turns);
      } catch (error) {
        if (!/Input\/output error|No space left/.test(String(error))) throw error;
        await this.scheduler.sleep(triedAgainMicros, life);
      }
  }

  /** As when the power goes. */
  crash(): void {
    (this.#life as Running["life"]).end();
    this.#running = undefined;
    this.file.crash();
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    const closed = await Promise.race([running.ledger.close(), running.life.over]);
    if (closed !== died) running.life.end();
  }

  get isUp(): boolean {
    return this.#running !== undefined;
  }

  sleep(micros: number): Promise<void> {
    return this.scheduler.sleep(micros, this.outside);
  }

  async up(): Promise<Running> {
    while (this.#running === undefined) await this.sleep(1_000);
    return this.#running;
  }

  /** What the ledger answers, unless it dies before, once readers find what others were told of. */
  ask<T>(question: (ledger: Participant) => Promise<T> | T): Promise<T | typeof died> {
    return this.askAtOnce(async (ledger) => {
      await ledger.caughtUp();
      return question(ledger);
    });
  }

  async askAtOnce<T>(question: (ledger: Participant) => Promise<T> | T): Promise<T | typeof died> {
    const { ledger, life } = await this.up();
    return Promise.race([Promise.resolve(question(ledger)), life.over]);
  }

  tables(): Promise<Store["tables"]> {
    return openSimulated(this.file, this.outside, new Turns(limits.turnMs)).then(({ tables }) => tables);
  }
}
