/**
 * What is stored is not what was written. That is neither a user's mistake nor a bug: it ends the process, whoever may catch the
 * error on its way, because an answer from damaged data would look like any other. So the one who finds damage also tells
 * the process of it; a check that looks for damage has nobody listening.
 */
export class Damage extends Error {
  override readonly name: string = "Damage";
  /** `place`: the table, and the key as far as it is known. */
  constructor(
    readonly place: string,
    readonly problem: string,
    /** For who runs the node. */
    readonly advice = "start again from a backup",
  ) {
    super(`${place}: ${problem}`);
  }
}

type Listener = (damage: Damage) => void;
const listeners = new Set<Listener>();

/** Each node of the thread listens, and all of them hear: nobody knows whose file the damage is in. Returns how to listen no more. */
export function onDamage(listen: Listener): () => void {
  listeners.add(listen);
  return () => void listeners.delete(listen);
}

export function found<D extends Damage>(damage: D): D {
  for (const listen of listeners) listen(damage);
  return damage;
}

/** To be thrown. */
export const damaged = (place: string, problem: string, advice?: string): Damage => found(new Damage(place, problem, advice));
