/** State that is looked at from several places: a value and those who are told of its changes. */
import { useEffect, useRef, useState } from "preact/hooks";

export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(first: T) {
    this.#value = first;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Some fields; where all of them are what they were, nobody is told. */
  change(of: Partial<T>): void {
    const isOther = (name: keyof T): boolean => !Object.is(of[name], this.#value[name]);
    if ((Object.keys(of) as (keyof T)[]).some(isOther)) this.set({ ...this.#value, ...of });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState(0);
  useEffect(() => {
    const seen = store.value,
      stop = store.subscribe(() => redraw((count) => count + 1));
    if (!Object.is(shown.current, seen)) redraw((count) => count + 1); // changed between the drawing and now
    return stop;
  }, [store]);
  const shown = useRef(store.value);
  shown.current = store.value;
  return store.value;
}

export type Loaded<T> = { readonly value?: T; readonly failure?: Error; readonly isLoading: boolean };

/** What a request gives, asked for anew whenever a key changes; an answer that comes too late is dropped. */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Loaded<T>>({ isLoading: true });
  useEffect(() => {
    let isWanted = true;
    setState((before) => ({ ...before, isLoading: true }));
    load().then(
      (value) => isWanted && setState({ value, isLoading: false }),
      (failure: Error) => isWanted && setState({ failure, isLoading: false }),
    );
    return () => void (isWanted = false);
  }, keys);
  return state;
}
