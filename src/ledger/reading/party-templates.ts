/** The templates of which parties have contracts, active or archived: the ranges that a reader of all of a party's contracts goes through. */
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";
import type { LedgerEnd } from "../commit/index.js";
import type { Offset } from "../model/index.js";
import { templatesIn } from "./update-scan.js";

export class ActiveTemplates {
  readonly #tables: Pick<Tables, "active" | "archived">;
  readonly #ledgerEnd: Pick<LedgerEnd, "offset">;
  /** By party, as it is at an offset. */
  readonly #known = new Map<number, readonly number[]>();
  #knownAt: Offset = -1;

  constructor(tables: Pick<Tables, "active" | "archived">, ledgerEnd: Pick<LedgerEnd, "offset">) {
    this.#tables = tables;
    this.#ledgerEnd = ledgerEnd;
  }

  /** Perhaps more than there are: pruning may have taken the last contract of one. */
  of(party: number): readonly number[] {
    const { offset } = this.#ledgerEnd;
    if (offset !== this.#knownAt || this.#known.size >= limits.activeTemplatesPartiesMax) this.#known.clear();
    this.#knownAt = offset;
    let known = this.#known.get(party);
    if (known === undefined) this.#known.set(party, (known = allTemplatesIn(this.#tables, party)));
    return known;
  }
}

/** Contracts that are of use to a reader are active or archived by now, so their template is in one of the indexes. */
export const allTemplatesIn = ({ active, archived }: Pick<Tables, "active" | "archived">, party: number): readonly number[] => [
  // Also at the ledger's end: the tables show a commit a moment before the ledger's end is told.
  ...new Set([...templatesIn(active, party), ...templatesIn(archived, party)]),
];
