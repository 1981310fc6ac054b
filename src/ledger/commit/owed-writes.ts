/** What has to be there from the first start on: written then, or once there is room. Until it is the ledger is not ready. */
import { elapsedMs } from "../../base/clock.js";
import { stackOf } from "../../base/error-text.js";
import type { Log } from "../../base/log.js";
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Store } from "../../store/index.js";
import type { Answer } from "../model/index.js";

export interface OwedWritesContext {
  readonly store: Pick<Store, "impediment">;
  readonly log: Log;
}

interface OwedWrite {
  /** What it writes, in words; the same of several participants. */
  readonly what: string;
  write(): Answer<unknown>;
}

export class OwedWrites {
  readonly #context: OwedWritesContext;
  readonly #writes = new Set<OwedWrite>();
  #timer: NodeJS.Timeout | undefined;
  #trying: Promise<void> | undefined;
  /** By `elapsedMs`: where a write fails for another reason than want of room it is left in peace for a while. */
  #notBefore = 0;

  constructor(context: OwedWritesContext) {
    this.#context = context;
  }

  /** Resolves when it was tried once. */
  async write(what: string, write: OwedWrite["write"]): Promise<void> {
    const written = await write();
    if (!isFailure(written)) return;
    this.#context.log.error(`${what} could not be stored`, { reason: written.error.cause });
    this.#writes.add({ what, write });
    this.#timer ??= setInterval(this.#look, limits.owedWritesIntervalMs).unref();
  }

  /** Why the ledger is not ready, in words. */
  text(): string | undefined {
    const [first] = this.#writes;
    return first && `The node has yet to store ${first.what}.`;
  }

  readonly #look = (): void => {
    this.#trying ??= this.#tryAll().finally(() => (this.#trying = undefined)); // in a later turn, also where it finds nothing to do
  };

  /** In their order. */
  async #tryAll(): Promise<void> {
    const { store, log } = this.#context;
    try {
      for (const owed of this.#writes) {
        if (store.impediment() !== undefined || elapsedMs() < this.#notBefore) return;
        this.#notBefore = elapsedMs() + limits.refusedCommitToldMs;
        if (isFailure(await owed.write())) return;
        this.#notBefore = 0;
        this.#writes.delete(owed);
        log.info(`${owed.what} could be stored now`);
      }
      clearInterval(this.#timer);
      this.#timer = undefined; // another may be owed later
    } catch (error) {
      log.error("what every node has could not be stored", { reason: stackOf(error) });
    }
  }

  /** Resolves when nothing is tried any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#trying;
  }
}
