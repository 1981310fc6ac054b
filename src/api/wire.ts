/** Types that travel with a value at compile time only: what an operation takes and answers, without run-time work. */
declare const wireType: unique symbol;

export interface Wire<T> {
  readonly [wireType]?: T;
}

export type WireType<W> = W extends Wire<infer T> ? T : never;

/** JSON of a `T` that is already rendered, as text or as UTF-8: it is sent as it is, never parsed or encoded again. */
export class Spliced<T> implements Wire<T> {
  declare readonly [wireType]?: T;
  /** `release`: once it was sent, or nobody will take it. */
  constructor(
    readonly json: string | Uint8Array,
    readonly release?: () => void,
  ) {}
}

export const spliced = <T>(json: string | Uint8Array, release?: () => void): Spliced<T> => new Spliced<T>(json, release);
