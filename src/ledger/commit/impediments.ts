/** Why no command runs though the ledger is there for readers: its clock, or its disk; and what else keeps it from being ready. */
import { elapsedMs } from "../../base/clock.js";
import type { Log } from "../../base/log.js";
import { limits } from "../../config.js";
import type { Store } from "../../store/index.js";
import type { CommitQueue } from "./commit.js";
import type { OwedWrites } from "./owed-writes.js";
import { type LedgerClock, ledgerError, type LedgerErrorData } from "../model/index.js";

export interface ImpedimentsContext {
  readonly clock: Pick<LedgerClock, "impediment">;
  readonly store: Pick<Store, "impediment">;
  readonly commits: Pick<CommitQueue, "refusedAtMs">;
  readonly owed: Pick<OwedWrites, "text">;
  readonly log: Log;
}

export class Impediments {
  readonly #context: ImpedimentsContext;
  #wasFull = false;

  constructor(context: ImpedimentsContext) {
    this.#context = context;
  }

  /** Why the ledger is not ready, in words for clients and operators; undefined: it is. */
  text(): string | undefined {
    return this.#known() ?? this.#context.owed.text() ?? this.#trouble();
  }

  refusal(): LedgerErrorData | undefined {
    const text = this.#known();
    return text === undefined ? undefined : ledgerError("SERVICE_NOT_RUNNING", text);
  }

  /** While it lasts nothing needs to be tried. */
  #known(): string | undefined {
    const full = this.#context.store.impediment();
    this.#tell(full);
    return full ?? this.#context.clock.impediment();
  }

  /** Only the next command shows whether it lasts, so one is let through, and after a while asked for, by who sends them to a node that is ready. */
  #trouble(): string | undefined {
    const { refusedAtMs } = this.#context.commits;
    return refusedAtMs === undefined || elapsedMs() - refusedAtMs > limits.refusedCommitToldMs
      ? undefined
      : "The node's storage refused the last that was to be recorded.";
  }

  #tell(full: string | undefined): void {
    if (this.#wasFull === (full !== undefined)) return;
    this.#wasFull = full !== undefined;
    if (full === undefined) this.#context.log.info("commands run again: there is room on the disk");
    else this.#context.log.error("no command runs", { reason: full });
  }
}
