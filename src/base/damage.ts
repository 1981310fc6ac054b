/**
 * Why a process cannot go on with its ledger. That is neither a user's mistake nor a bug: it ends the process, whoever may catch the
 * error on its way, because an answer from damaged data would look like any other. So the one who finds it also tells
 * the process of it; a check that looks for damage has nobody listening.
 */
export abstract class Ending extends Error {
  /** What is to be said of the ledger. */
  abstract readonly verdict: string;
  /** `place`: the table, and the key as far as it is known; or the file. */
  constructor(
    readonly place: string,
    readonly problem: string,
    /** For who runs the node. */
    readonly advice: string,
  ) {
    super(`${place}: ${problem}`);
  }
}

/** What is stored is not what was written. */
export class Damage extends Ending {
  override readonly name: string = "Damage";
  override readonly verdict = "is damaged";
  constructor(place: string, problem: string) {
    super(place, problem, "start again from a backup");
  }
}

/** All that was acknowledged is stored, but nothing more can be by this process. */
export class Unwritable extends Ending {
  override readonly name = "Unwritable";
  override readonly verdict = "cannot be written any more";
  constructor(place: string, problem: string) {
    super(place, problem, "a start on a disk that can be written goes on with all that was acknowledged");
  }
}

/** What is written goes to a file that nobody finds by its name any more. */
export class Displaced extends Ending {
  override readonly name = "Displaced";
  override readonly verdict = "is not where it was opened";
  constructor(place: string, problem: string) {
    super(place, problem, "start it where it is now, or put it back; only if it is gone, start again from a backup");
  }
}

type Listener = (ending: Ending) => void;
const listeners = new Set<Listener>();

/** Each node of the thread listens, and all of them hear: nobody knows whose file it is. Returns how to listen no more. */
export function onEnding(listen: Listener): () => void {
  listeners.add(listen);
  return () => void listeners.delete(listen);
}

export function found<E extends Ending>(ending: E): E {
  for (const listen of listeners) listen(ending);
  return ending;
}

/** To be thrown. */
export const damaged = (place: string, problem: string): Damage => found(new Damage(place, problem));
/** The same. */
export const unwritable = (place: string, problem: string): Unwritable => found(new Unwritable(place, problem));
