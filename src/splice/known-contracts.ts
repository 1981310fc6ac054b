/**
 * What is made of the contracts of a template in which a party has a stake. Who goes through all of them again and again, as a wallet does
 * for each payment, reads those that are new: of others he asks only where they stand among what is active, and a place there never is
 * another contract's.
 */
import { BoundedMap } from "../base/bounded-map.js";
import type { Turns } from "../base/turns.js";
import type { Offset, Party } from "../ledger/index.js";
import { readNow, type Contracts, type PassedContract, type Place } from "./contracts.js";
import type { Name } from "./names.js";
import { rowOf } from "./rows.js";

export interface KnownContractsOptions<P, T> {
  readonly contracts: Pick<Contracts, "eachBehind" | "pageOfPlaces">;
  readonly turns: Turns;
  readonly template: Name;
  /** Undefined: of this one nothing is made. */
  readonly make: (contract: PassedContract<P>, stakeholder: Party) => T | undefined;
  /** Of all stakeholders together; those who were asked for last are known. */
  readonly knownMax: number;
}

interface Known<T> {
  readonly byRow: ReadonlyMap<number, T | undefined>;
  readonly made: readonly T[];
}

interface Change<T> {
  /** Where they stand now. */
  readonly places: readonly Place[];
  readonly before: Known<T>;
  /** Of the first place that was not there before; -1: there is none. */
  readonly firstNew: number;
}

export class KnownContracts<P, T> {
  readonly #options: KnownContractsOptions<P, T>;
  readonly #known: BoundedMap<Party, Known<T>>;

  constructor(options: KnownContractsOptions<P, T>) {
    this.#options = options;
    this.#known = new BoundedMap(options.knownMax, ({ byRow }) => byRow.size + 1); // who has none takes room, too
  }

  /** Of those that are active at an offset, near the ledger's end; the oldest first. */
  async of(stakeholder: Party, at: Offset): Promise<readonly T[]> {
    const { contracts, template } = this.#options,
      places = readNow(await contracts.pageOfPlaces({ templates: [template], stakeholders: [stakeholder], at, limit: Infinity })),
      before = this.#known.get(stakeholder) ?? nothingKnown;
    const firstNew = places.findIndex((place) => !before.byRow.has(rowOf(place))),
      isSame = firstNew === -1 && places.length === before.byRow.size,
      known = isSame ? before : await this.#read(stakeholder, at, { places, before, firstNew });
    this.#known.set(stakeholder, known);
    return known.made;
  }

  /** What is new stands behind all that was known, but for few. */
  async #read(stakeholder: Party, at: Offset, { places, before, firstNew }: Change<T>): Promise<Known<T>> {
    const { contracts, template, make, turns } = this.#options,
      read = new Map<number, T | undefined>(),
      behind = places[firstNew - 1];
    const visit = (contract: PassedContract<P>): void => {
      read.set(rowOf(contract.place), make(contract, stakeholder));
    };
    if (firstNew >= 0)
      await contracts.eachBehind<P>(template, visit, { stakeholder, at, ...(behind === undefined ? {} : { after: behind }) });
    const byRow = new Map<number, T | undefined>(),
      made: T[] = [];
    for (const place of places) {
      if (turns.isOver) await turns.next();
      const row = rowOf(place),
        one = before.byRow.get(row) ?? read.get(row);
      byRow.set(row, one);
      if (one !== undefined) made.push(one);
    }
    return { byRow, made };
  }
}

const nothingKnown: Known<never> = { byRow: new Map(), made: [] };
