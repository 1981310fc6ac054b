/**
 * How many commands may run at once. Every command has a place from its begin to its durable end, whatever ends it. A request
 * for which there is none stands in line for a while, before anybody looks at its body: to refuse it at once would only bring
 * it back at once, and the node would do nothing but refuse. A command that waits for a later ledger time stands aside: it
 * runs no more than one that has not come yet, and another of the same change may run meanwhile.
 */
import { assert } from "../../base/assert.js";
import { fail, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import { type ChangeId, changeText, type Admission } from "../intake/index.js";
import { ledgerError, type LedgerErrorData } from "../model/index.js";

export interface StartingCommand {
  readonly key: string;
  readonly change: ChangeId;
  readonly submissionId: string;
  readonly synchronizerId: string;
}

interface InLine {
  leave(admitted: Result<Admission, LedgerErrorData>): void;
}

/** What places are of; only they call it. */
interface Places {
  keptLeft(): void;
  left(command: StartingCommand): void;
  /** False when too many stand there, or hold too much. */
  stepsAside(command: StartingCommand, bytes: number): boolean;
  /** Why it may not run: another of the same change does. */
  stepsBack(command: StartingCommand, bytes: number): LedgerErrorData | undefined;
}

class KeptPlace implements Admission {
  #isKept = true;
  constructor(private readonly places: Places) {}

  /** False when it was given back, or has been used for a command before. */
  use(): boolean {
    const was = this.#isKept;
    this.release();
    return was;
  }
  release(): void {
    if (this.#isKept) this.places.keptLeft();
    this.#isKept = false;
  }
}

/** Of one command. */
export class Place {
  #isUsed = false;
  constructor(
    private readonly places: Places,
    private readonly command: StartingCommand,
  ) {}

  /** Gives it back. */
  leave(): void {
    this.places.left(this.command);
  }

  /** The same when the work has ended. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    assert(!this.#isUsed, "a place is for one command");
    this.#isUsed = true;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Others have it meanwhile, and may be of the same change. `bytes`: what the command holds. */
  async aside<T>(bytes: number, wait: () => Promise<T>): Promise<Result<T, LedgerErrorData>> {
    if (!this.places.stepsAside(this.command, bytes)) return fail(tooMany("wait for a later ledger time"));
    let waited: T;
    try {
      waited = await wait();
    } catch (error) {
      this.places.stepsBack(this.command, bytes);
      throw error;
    }
    const refusal = this.places.stepsBack(this.command, bytes);
    return refusal === undefined ? ok(waited) : fail(refusal);
  }
}

export class InFlight {
  /** Those that run, by change key. */
  readonly #commands = new Map<string, StartingCommand>();
  readonly #line = new Set<InLine>();
  #kept = 0;
  #aside = 0;
  #asideBytes = 0;
  readonly #places: Places = {
    keptLeft: () => {
      this.#kept--;
      this.#letIn();
    },
    left: (command) => {
      this.#forget(command);
    },
    stepsAside: (command, bytes) => {
      if (this.#aside >= limits.commandsAsideMax || this.#asideBytes >= limits.commandsAsideBytesMax) return false;
      this.#aside++;
      this.#asideBytes += bytes;
      this.#forget(command);
      return true;
    },
    stepsBack: (command, bytes) => {
      this.#aside--;
      this.#asideBytes -= bytes;
      const running = this.#commands.get(command.key);
      if (running !== undefined) return inFlightAlready(command, running);
      this.#commands.set(command.key, command); // also where all places are taken: its turn was before theirs
      return undefined;
    },
  };

  /** Commands that run. */
  get size(): number {
    return this.#commands.size;
  }

  /** Those, and others that were let in. */
  get underWay(): number {
    return this.size + this.#kept;
  }

  /** At once where there is room; else in its turn, or when it stood in line for too long, or gave up. */
  admit(signal: () => AbortSignal): Result<Admission, LedgerErrorData> | Promise<Result<Admission, LedgerErrorData>> {
    if (this.#hasRoom() && this.#line.size === 0) return ok(this.#keep());
    return this.#line.size >= limits.commandsInLineMax ? fail(tooMany("run")) : this.#standInLine(signal());
  }

  #standInLine(signal: AbortSignal): Promise<Result<Admission, LedgerErrorData>> {
    return new Promise((answer) => {
      const leave = (admitted: Result<Admission, LedgerErrorData>): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        this.#line.delete(inLine);
        answer(admitted);
      };
      const giveUp = (): void => leave(fail(tooMany("run"))),
        inLine = { leave };
      const timer = setTimeout(giveUp, limits.commandInLineMs);
      signal.addEventListener("abort", giveUp);
      this.#line.add(inLine);
    });
  }

  #hasRoom(): boolean {
    return this.underWay < limits.commandsInFlightMax;
  }

  #keep(): KeptPlace {
    this.#kept++;
    return new KeptPlace(this.#places);
  }

  #letIn(): void {
    for (const first of this.#line) {
      if (!this.#hasRoom()) return;
      first.leave(ok(this.#keep()));
    }
  }

  /** Another of the same change may have come while it stood aside. */
  #forget(command: StartingCommand): void {
    if (this.#commands.get(command.key) === command) this.#commands.delete(command.key);
    this.#letIn();
  }

  /** `admission`: the place that was kept for it. */
  enter(command: StartingCommand, admission: Admission | undefined): Result<Place, LedgerErrorData> {
    const running = this.#commands.get(command.key);
    if (running !== undefined) return fail(inFlightAlready(command, running));
    const hasRoom = this.#hasRoom();
    this.#commands.set(command.key, command); // before the kept place is given back, so that nobody in line gets it
    if ((admission instanceof KeptPlace && admission.use()) || hasRoom) return ok(new Place(this.#places, command));
    this.#commands.delete(command.key);
    return fail(tooMany("run"));
  }
}

const inFlightAlready = ({ change, synchronizerId }: StartingCommand, running: StartingCommand): LedgerErrorData =>
  ledgerError("SUBMISSION_ALREADY_IN_FLIGHT", "The submission is already in-flight", {
    context: {
      changeId: changeText(change),
      existingSubmissionId: `Some(${running.submissionId})`,
      existingSubmissionSynchronizerId: synchronizerId,
    },
  });

const tooMany = (what: "run" | "wait for a later ledger time"): LedgerErrorData =>
  ledgerError(
    "PARTICIPANT_BACKPRESSURE",
    `As many commands as may ${what} at once do so: ${what === "run" ? limits.commandsInFlightMax : limits.commandsAsideMax}.`,
  );
