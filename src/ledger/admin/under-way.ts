/** How many of something are under way for each of some names, as what is not written yet has to count too. */
export class UnderWay {
  readonly #counts = new Map<string, number>();

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  begin(name: string): void {
    this.#counts.set(name, this.count(name) + 1);
  }

  end(name: string): void {
    const left = this.count(name) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }
}
