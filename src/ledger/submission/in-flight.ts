/**
 * How many commands may run at once. Every command has a place from its begin to its durable end, whatever ends it; a reassignment is one,
 * too. A request for which there is none stands in line for a while, before anybody looks at its body: to refuse it at once would only
 * bring it back at once, and the node would do nothing but refuse. A command that waits for a later ledger time stands aside: it
 * runs no more than one that has not come yet, and another of the same change may run meanwhile. Where too many stand aside, those
 * with the farthest times give way: who has his years ahead must not keep out who waits for seconds.
 */
import { assert } from "../../base/assert.js";
import { BriefMap } from "../../base/brief-map.js";
import { fail, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import { type ChangeId, changeText, type Admission } from "../intake/index.js";
import { type Answer, ledgerError, type LedgerErrorData, type Outcome } from "../model/index.js";

export interface StartingCommand {
  readonly key: string;
  readonly change: ChangeId;
  readonly submissionId: string;
  readonly synchronizerId: string;
}

interface InLine {
  leave(admitted: Outcome<Admission>): void;
}

/** A command that waits for a later ledger time. */
interface Aside {
  readonly command: StartingCommand;
  /** What is held of it. */
  readonly bytes: number;
  readonly until: bigint;
  /** Ends the wait. */
  readonly givesWay: AbortController;
  /** Of one that gave way: what there was too much of. */
  metBound?: Bound;
}

/** What there may be too much of: commands that run, commands that wait for a later ledger time, what these hold. */
type Bound = "running" | "aside" | "asideBytes";

/** What places are of; only they call it. */
interface Places {
  keptLeft(): void;
  left(command: StartingCommand): void;
  /** Why it may not: too many stand there, or hold too much, none of them for longer. */
  stepsAside(aside: Aside): LedgerErrorData | undefined;
  /** Why it may not run: it gave way, or another of the same change does. */
  stepsBack(aside: Aside): LedgerErrorData | undefined;
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

  /** Others have it meanwhile, and may be of the same change. `bytes`: what the command holds. `wait` ends early where it gives way. */
  async aside<T>({ until, bytes }: Pick<Aside, "until" | "bytes">, wait: (givesWay: AbortSignal) => Promise<T>): Answer<T> {
    const aside: Aside = { command: this.command, bytes, until, givesWay: new AbortController() };
    const problem = this.places.stepsAside(aside);
    if (problem !== undefined) return fail(problem);
    let waited: T;
    try {
      waited = await wait(aside.givesWay.signal);
    } catch (error) {
      this.places.stepsBack(aside);
      throw error;
    }
    const refusal = this.places.stepsBack(aside);
    return refusal === undefined ? ok(waited) : fail(refusal);
  }
}

export class InFlight {
  /** Those that run, by change key. */
  readonly #commands = new BriefMap<string, StartingCommand>(limits.briefEntriesLeftMax);
  readonly #line = new Set<InLine>();
  #kept = 0;
  readonly #aside = new Set<Aside>();
  #asideBytes = 0;
  readonly #places: Places = {
    keptLeft: () => {
      this.#kept--;
      this.#letIn();
    },
    left: (command) => {
      this.#forget(command);
    },
    stepsAside: (aside) => {
      for (let bound = this.#boundAside(); bound !== undefined; bound = this.#boundAside()) {
        const farthest = farthestOf(this.#aside);
        if (farthest === undefined || farthest.until <= aside.until) return tooMany(bound);
        this.#noLongerAside(farthest);
        farthest.metBound = bound;
        farthest.givesWay.abort();
      }
      this.#aside.add(aside);
      this.#asideBytes += aside.bytes;
      this.#forget(aside.command);
      return undefined;
    },
    stepsBack: (aside) => {
      const { command, metBound } = aside;
      this.#noLongerAside(aside);
      if (metBound !== undefined) return tooMany(metBound);
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
  admit(signal: () => AbortSignal): Outcome<Admission> | Answer<Admission> {
    if (this.#hasRoom() && this.#line.size === 0) return ok(this.#keep());
    if (this.#line.size >= limits.commandsInLineMax) return fail(tooMany("running"));
    const gone = signal();
    return gone.aborted ? fail(tooMany("running")) : this.#standInLine(gone);
  }

  /** `signal` has not aborted: one that has tells nobody. */
  #standInLine(signal: AbortSignal): Answer<Admission> {
    return new Promise((answer) => {
      const leave = (admitted: Outcome<Admission>): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        this.#line.delete(inLine);
        answer(admitted);
      };
      const giveUp = (): void => leave(fail(tooMany("running"))),
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

  /** Which one keeps another from standing aside. */
  #boundAside(): Bound | undefined {
    if (this.#aside.size >= limits.commandsAsideMax) return "aside";
    return this.#asideBytes >= limits.commandsAsideBytesMax ? "asideBytes" : undefined;
  }

  #noLongerAside(aside: Aside): void {
    if (this.#aside.delete(aside)) this.#asideBytes -= aside.bytes;
  }

  /** Another of the same change may have come while it stood aside. */
  #forget(command: StartingCommand): void {
    if (this.#commands.get(command.key) === command) this.#commands.delete(command.key);
    this.#letIn();
  }

  /** `admission`: the place that was kept for it. */
  enter(command: StartingCommand, admission: Admission | undefined): Outcome<Place> {
    const running = this.#commands.get(command.key);
    if (running !== undefined) return fail(inFlightAlready(command, running));
    const hasRoom = this.#hasRoom();
    this.#commands.set(command.key, command); // before the kept place is given back, so that nobody in line gets it
    if ((admission instanceof KeptPlace && admission.use()) || hasRoom) return ok(new Place(this.#places, command));
    this.#commands.delete(command.key);
    return fail(tooMany("running"));
  }
}

function farthestOf(asides: Iterable<Aside>): Aside | undefined {
  let farthest: Aside | undefined;
  for (const aside of asides) if (farthest === undefined || aside.until > farthest.until) farthest = aside;
  return farthest;
}

const inFlightAlready = ({ change, synchronizerId }: StartingCommand, running: StartingCommand): LedgerErrorData =>
  ledgerError("SUBMISSION_ALREADY_IN_FLIGHT", "The submission is already in-flight", {
    context: {
      changeId: changeText(change),
      existingSubmissionId: `Some(${running.submissionId})`,
      existingSubmissionSynchronizerId: synchronizerId,
    },
  });

const metBounds: Readonly<Record<Bound, string>> = {
  running: `As many commands as may run at once do so: ${limits.commandsInFlightMax}.`,
  aside: `As many commands as may wait for a later ledger time at once do so: ${limits.commandsAsideMax}.`,
  asideBytes: `Commands that wait for a later ledger time hold as much as they may: ${limits.commandsAsideBytesMax} bytes.`,
};
const tooMany = (bound: Bound): LedgerErrorData => ledgerError("PARTICIPANT_BACKPRESSURE", metBounds[bound]);
