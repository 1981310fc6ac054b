/** Why no command runs though the ledger is there for readers: its clock, or its disk. */
import type { Log } from "../../base/log.js";
import type { Store } from "../../store/index.js";
import { type LedgerClock, ledgerError, type LedgerErrorData } from "../model/index.js";

export interface ImpedimentsContext {
  readonly clock: Pick<LedgerClock, "impediment">;
  readonly store: Pick<Store, "impediment">;
  readonly log: Log;
}

export class Impediments {
  readonly #context: ImpedimentsContext;
  #wasFull = false;

  constructor(context: ImpedimentsContext) {
    this.#context = context;
  }

  /** In words for clients and operators; undefined: commands run. */
  text(): string | undefined {
    const full = this.#context.store.impediment();
    this.#tell(full);
    return full ?? this.#context.clock.impediment();
  }

  refusal(): LedgerErrorData | undefined {
    const text = this.text();
    return text === undefined ? undefined : ledgerError("SERVICE_NOT_RUNNING", text);
  }

  #tell(full: string | undefined): void {
    if (this.#wasFull === (full !== undefined)) return;
    this.#wasFull = full !== undefined;
    if (full === undefined) this.#context.log.info("commands run again: there is room on the disk");
    else this.#context.log.error("no command runs", { reason: full });
  }
}
