/** A ledger with static time, a folder of packages, and the network that is made and kept alive with them. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StaticClock } from "../../src/base/clock.js";
import type { Log, LogFields } from "../../src/base/log.js";
import type { Result } from "../../src/base/result.js";
import { Automation, triggers, type Trigger } from "../../src/splice/automation/index.js";
import { bootstrapNetwork, spliceMembers, type HostedNetwork } from "../../src/splice/bootstrap/index.js";
import { Contracts, type Contract } from "../../src/splice/contracts.js";
import { anyPartyFormat, transactionPages } from "../../src/splice/history/reading.js";
import { treesOf, type Exercised, type LedgerEvent } from "../../src/splice/history/transaction.js";
import { templates } from "../../src/splice/names.js";
import { Submitter, type Submission, type Submitted } from "../../src/splice/submitter.js";
import { success } from "../ledger/support.js";
import { temporaryFolder } from "../support/folders.js";
import { openLocalLedger, type LocalLedger } from "./local-ledger.js";
import { ownTurns } from "../support/turns.js";

export const tickMicros = 600_000_000n;
/** Some day. */
export const begin = BigInt(Date.parse("2026-01-01T00:00:00Z")) * 1_000n;

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}
export interface Task {
  readonly trigger: string;
  readonly outcome: string;
  readonly lagSeconds: number;
}

export class EconomyWorld {
  readonly log: LogLine[] = [];
  readonly tasks: Task[] = [];
  readonly #clock: StaticClock;
  readonly #folder: string;
  #local: LocalLedger;
  #automation: Automation | undefined;

  private constructor(folder: string, clock: StaticClock, local: LocalLedger) {
    this.#folder = folder;
    this.#clock = clock;
    this.#local = local;
  }

  static async open(): Promise<EconomyWorld> {
    const folder = temporaryFolder(),
      clock = new StaticClock();
    clock.advanceTo(begin);
    mkdirSync(join(folder, "ledger"));
    return new EconomyWorld(folder, clock, await openLocalLedger(join(folder, "ledger"), { clock }));
  }

  get ledger() {
    return this.#local.ledger;
  }
  get now(): bigint {
    return this.ledger.nowMicros();
  }
  upload(dar: Uint8Array): Promise<void> {
    return this.#local.upload(dar);
  }
  parties<Hints extends readonly string[]>(...hints: Hints) {
    return this.#local.parties(...hints);
  }

  /** Files of a folder, by name. */
  folderOf(name: string, files: Readonly<Record<string, Uint8Array>>): string {
    const path = join(this.#folder, name);
    mkdirSync(path, { recursive: true });
    for (const [file, bytes] of Object.entries(files)) writeFileSync(join(path, file), bytes);
    return path;
  }

  /** `ledger`: another that stands before it. */
  bootstrap(folder: string, ledger = this.ledger): Promise<Result<HostedNetwork, string>> {
    return bootstrapNetwork({ ledger, log: this.#logger, turns: ownTurns(), folder, members: spliceMembers });
  }

  /** Instead of what ran before. */
  async automate(
    validators: readonly string[],
    chosen: readonly Trigger[] = triggers,
    acceptanceDelaySeconds = 0,
    told: { readonly scanUrl?: string; readonly programVersion?: string } = {},
  ): Promise<Automation> {
    await this.#automation?.close();
    this.#automation = new Automation({
      ledger: this.ledger,
      validators,
      triggers: chosen,
      acceptanceDelaySeconds,
      ...told,
      log: this.#logger,
      observe: (trigger, outcome, lagSeconds) => this.tasks.push({ trigger, outcome, lagSeconds }),
    });
    await this.settle();
    return this.#automation;
  }
  async settle(): Promise<void> {
    assert.ok(await this.#automation!.settle(20_000), "nothing is due any more");
  }
  async stopAutomation(): Promise<void> {
    await this.#automation?.close();
    this.#automation = undefined;
  }
  /** Moves time, and waits for what follows. */
  async moveBy(micros: bigint): Promise<void> {
    this.#clock.advanceTo(this.now + micros);
    if (this.#automation) await this.settle();
  }

  async contracts<P = any>(name: keyof typeof templates): Promise<readonly Contract<P>[]> {
    return new Contracts(this.ledger).all<P>(templates[name]);
  }
  async submit(submission: Submission): Promise<Submitted> {
    return success(await new Submitter(this.ledger, { userId: "tester" }).submit(submission));
  }
  /** The choices that transactions began with which nobody else made. */
  async madeBy(party: string): Promise<readonly string[]> {
    const choices: string[] = [];
    for await (const events of this.#transactions())
      for (const { event } of treesOf(events, spanOf).roots)
        if (event.ExercisedEvent?.actingParties.join() === party) choices.push(event.ExercisedEvent.choice);
    return choices;
  }
  /** Of a choice, in the order of the ledger. */
  async exercises(choice: string): Promise<readonly Exercised[]> {
    const found: Exercised[] = [];
    for await (const events of this.#transactions())
      for (const { ExercisedEvent } of events) if (ExercisedEvent?.choice === choice) found.push(ExercisedEvent);
    return found;
  }
  async *#transactions(): AsyncIterable<readonly LedgerEvent[]> {
    const format = anyPartyFormat({ cumulative: [{ kind: "wildcard", includeCreatedEventBlob: false }] });
    for await (const page of transactionPages(this.ledger, { format, after: 0, to: this.ledger.ledgerEnd() }))
      for (const { events } of success(page)) yield events;
  }
  /** How often a trigger did something. */
  done(trigger: string): number {
    return this.tasks.filter((task) => task.trigger === trigger && task.outcome === "ok").length;
  }

  async restart(): Promise<void> {
    await this.stopAutomation();
    await this.#local.close();
    this.#local = await openLocalLedger(join(this.#folder, "ledger"), { clock: this.#clock });
  }
  async close(): Promise<void> {
    await this.stopAutomation();
    await this.#local.close();
  }

  readonly #line =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      this.log.push({ level, message, fields });
    };
  readonly #logger: Log = { debug: this.#line("debug"), info: this.#line("info"), warn: this.#line("warn"), error: this.#line("error") };
}

const spanOf = ({ CreatedEvent, ExercisedEvent }: LedgerEvent) =>
  ExercisedEvent
    ? { first: ExercisedEvent.nodeId, last: ExercisedEvent.lastDescendantNodeId }
    : { first: CreatedEvent.nodeId, last: CreatedEvent.nodeId };
