/**
 * The templates of which parties have something in an index: the ranges of it that a reader of all that a party has goes through. What was
 * found of a party stays so; what commits add to that is told.
 */
import { groupBy } from "../../base/group-by.js";
import { limits } from "../../config.js";
import { u32Max, offsetMax, type Tables } from "../../store/index.js";
import { anyTemplate, type IndexRange } from "../records/index.js";

export class PartyTemplates {
  readonly #find: (party: number) => Iterable<number>;
  readonly #known = new Map<number, Set<number>>();
  /** Parties and templates of theirs. */
  #count = 0;

  /** `find`: in the tables, as they are now. */
  constructor(find: (party: number) => Iterable<number>) {
    this.#find = find;
  }

  /** Perhaps more than there are: pruning may have taken the last of one. */
  of(party: number): ReadonlySet<number> {
    const known = this.#known.get(party);
    if (known !== undefined) return known;
    const found = new Set(this.#find(party));
    if (this.#count + 1 + found.size > limits.partyTemplatesKeptMax) {
      this.#known.clear();
      this.#count = 0;
    }
    this.#known.set(party, found);
    this.#count += 1 + found.size;
    return found;
  }

  /** A commit added something, which the tables show by now: whoever is not known yet is found with it. */
  add(party: number, template: number): void {
    const known = this.#known.get(party);
    if (known === undefined || known.has(template)) return;
    known.add(template);
    this.#count++;
  }
}

/**
 * Those of the ranges in which there may be something: an interface may have thousands of implementations, and a party contracts of few.
 * Who asks for few templates of a party looks into their ranges as they are.
 */
export function rangesHeld(ranges: readonly IndexRange[], templatesOf: (party: number) => ReadonlySet<number>): readonly IndexRange[] {
  if (ranges.length < limits.namedTemplatesMin) return ranges;
  return [...groupBy(ranges, ({ party }) => party)].flatMap(([party, asked]) => {
    if (asked.length < limits.namedTemplatesMin) return asked;
    const templates = templatesOf(party);
    return asked.filter(({ template }) => template === anyTemplate || templates.has(template));
  });
}

/** Contracts that are of use to a reader are active or archived by now, so their template is in one of the indexes. */
export const activeTemplatesIn = ({ active, archived }: Pick<Tables, "active" | "archived">, party: number): ReadonlySet<number> =>
  // Also at the ledger's end: the tables show a commit a moment before the ledger's end is told.
  new Set([...templatesIn(active, party), ...templatesIn(archived, party)]);

/** Found by skipping from one to the next. */
export function templatesIn(table: Tables["active"] | Tables["archived"] | Tables["updateIndex"], party: number): number[] {
  const templates: number[] = [];
  const end = { party, template: u32Max, offset: offsetMax, nodeId: u32Max, archivedOffset: offsetMax };
  for (let template: number = anyTemplate; template < u32Max;) {
    const [found] = table.keys({ start: { party, template: template + 1, offset: 0, nodeId: 0, archivedOffset: 0 }, end, limit: 1 });
    if (!found) break;
    templates.push((template = found.template));
  }
  return templates;
}
