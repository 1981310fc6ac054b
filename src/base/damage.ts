/**
 * What is stored is not what was written. That is neither a user's mistake nor a bug: it ends the process, whoever may catch the
 * error on its way, because an answer from damaged data would look like any other. So the one who finds damage also tells
 * the process of it; a check that looks for damage has nobody listening.
 */
export class Damage extends Error {
  override readonly name: string = "Damage";
  /** `place`: the table, and the key as far as it is known. */
  constructor(readonly place: string, readonly problem: string) { super(`${place}: ${problem}`); }
}

type Listener = (damage: Damage) => void;
let listener: Listener | undefined;

/** One for the thread. */
export function onDamage(listen: Listener | undefined): void { listener = listen; }

export function found<D extends Damage>(damage: D): D {
  listener?.(damage);
  return damage;
}

/** To be thrown. */
export const damaged = (place: string, problem: string): Damage => found(new Damage(place, problem));
