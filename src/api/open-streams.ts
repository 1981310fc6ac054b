/** Streams that wait for what comes next: they would hold up a shutdown to its last millisecond, so they are told of it. */
export class OpenStreams {
  readonly #open = new Set<AbortController>();
  #ended = false;

  get ended(): boolean {
    return this.#ended;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Aborts when the node stops; to be left in any case. */
  enter(): { readonly signal: AbortSignal; leave(): void } {
    const controller = new AbortController();
    this.#open.add(controller);
    if (this.#ended) controller.abort();
    return { signal: controller.signal, leave: () => this.#open.delete(controller) };
  }

  end(): void {
    this.#ended = true;
    for (const controller of this.#open) controller.abort();
  }
}
