/** Where our authorisation differs from the reference's on purpose, by name; README "Who may do what" tells them to users. */

/**
 * One question and the two answers: `401`, `403t` (the context tells of a failed user lookup), `400/CODE`, `f403` (first frame of a
 * socket), `data`.
 */
export interface Cell {
  readonly operation: string;
  readonly target: string;
  readonly principal: string;
  readonly recorded: string;
  readonly ours: string;
}

interface Rule {
  readonly name: string;
  readonly fits: (cell: Cell) => boolean;
}

/** The first rule that fits a cell counts. */
const rules: readonly Rule[] = [
  {
    name: "health and version do not look at tokens",
    fits: ({ operation, recorded, ours }) => /livez|readyz|version$/.test(operation) && recorded === "403t" && ours === "200",
  },
  {
    name: "a token is asked for before the request is looked at",
    fits: ({ recorded, ours }) => /^f?4(00|04)/.test(recorded) && /^f?40[13]( 1000)?$/.test(ours),
  },
];

export const equal = "equal",
  different = "different";

export const verdictOf = (cell: Cell, more: readonly Rule[] = []): string =>
  cell.recorded === cell.ours ? equal : ([...rules, ...more].find(({ fits }) => fits(cell))?.name ?? different);

/** Counts by verdict, and what is to be said of them. */
export class Verdicts {
  readonly #counts = new Map<string, number>();
  readonly different: Cell[] = [];
  constructor(readonly more: readonly Rule[] = []) {}

  add(cell: Cell): void {
    const verdict = verdictOf(cell, this.more);
    this.#counts.set(verdict, (this.#counts.get(verdict) ?? 0) + 1);
    if (verdict === different) this.different.push(cell);
  }

  get lines(): readonly string[] {
    const all = [...this.#counts.values()].reduce((sum, count) => sum + count, 0),
      equalCount = this.#counts.get(equal) ?? 0;
    const stricter = [...this.#counts].filter(([verdict]) => verdict !== equal && verdict !== different);
    return [
      `${all} cells: ${equalCount} equal, ${all - equalCount - this.different.length} under a named rule, ${this.different.length} different`,
      ...stricter.map(([rule, count]) => `${count} because ${rule}`),
    ];
  }

  /** A rule that excuses nothing any more. */
  get unused(): readonly string[] {
    return this.more.map(({ name }) => name).filter((name) => !this.#counts.has(name));
  }

  get failures(): readonly string[] {
    return this.different.map((cell) => Object.values(cell).join(" | "));
  }
}
