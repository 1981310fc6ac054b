/**
 * Contracts of a network by a key in their payloads, of a template of which there may be many: not everybody who looks for one goes through
 * all of them. They are read once, then only those that are new. What was archived is found to be, and forgotten, when it is looked for.
 */
import { Exclusive } from "../base/exclusive.js";
import type { Turns } from "../base/turns.js";
import { limits } from "../config.js";
import type { Offset, Participant, Party } from "../ledger/index.js";
import { readNow, type Contract, type Contracts, type PassedContract, type Place } from "./contracts.js";
import type { Name } from "./names.js";
import type { OfDso } from "./network.js";
import { lastRow, placeOf, rowOf } from "./rows.js";

export interface KeyedContractsOptions<P> {
  readonly contracts: Pick<Contracts, "eachBehind" | "findOf" | "newest" | "page">;
  readonly ledger: Pick<Participant, "ledgerEnd">;
  readonly turns: Turns;
  readonly template: Name;
  readonly keyOf: (payload: P) => string;
  /** With more of them all are gone through, each time, until half as many are left. */
  readonly knownMax?: number;
}

interface KnownContract {
  readonly key: string;
  readonly contractId: string;
  /** In the list of what is active. */
  readonly place: Place;
  readonly created: Place;
}
/** In the order in which they were read. */
interface Known {
  readonly dso: Party;
  readonly contracts: Map<string, KnownContract>;
  readonly byKey: Map<string, Set<string>>;
  /** All that were active then. */
  readTo: Offset;
}

export class KeyedContracts<P extends OfDso> {
  readonly #options: Required<KeyedContractsOptions<P>>;
  readonly #reading = new Exclusive();
  #known: Known | undefined;
  /** A network that had too many to know them when they were gone through last. */
  #tooLarge: Party | undefined;

  constructor(options: KeyedContractsOptions<P>) {
    this.#options = { knownMax: limits.keyedContractsKnownMax, ...options };
  }

  /** Those of some keys, the oldest first. */
  async of(dso: Party, keys: readonly string[]): Promise<readonly Contract<P>[]> {
    const { contracts, template, turns } = this.#options,
      wanted = new Set(keys),
      known = await this.#knownOf(dso),
      found: Contract<P>[] = [];
    const ids = known ? [...wanted].flatMap((key) => [...(known.byKey.get(key) ?? [])]) : await this.#idsAmongAll(dso, wanted);
    for (const id of ids) {
      if (turns.isOver) await turns.next();
      const contract = await contracts.findOf<P>(template, id);
      if (contract) found.push(contract);
      else if (known) forget(known, id);
    }
    return found.sort((a, b) => rowOf(a.place) - rowOf(b.place));
  }

  /** The last `max` of those that are wanted, the newest first. */
  async newest(dso: Party, max: number, isWanted: (created: Place) => boolean): Promise<readonly Contract<P>[]> {
    const known = await this.#knownOf(dso);
    if (known === undefined) return this.#newestAmongAll(dso, max, isWanted);
    const wanted = [...known.contracts.values()].filter(({ created }) => isWanted(created));
    for (let count = max; ; count *= 2) {
      const some = wanted.slice(-count),
        found = await this.#read(known, some);
      if (found.length >= max || some.length === wanted.length) return found.slice(-max).reverse(); // else some are archived
    }
  }

  /** Those that are still active, the oldest first. */
  async #read(known: Known, some: readonly KnownContract[]): Promise<readonly Contract<P>[]> {
    if (some.length === 0) return [];
    const { contracts, template } = this.#options,
      left = new Set(some.map(({ contractId }) => contractId)),
      first = some.reduce((row, { place }) => Math.min(row, rowOf(place)), Infinity);
    const query = { templates: [template], stakeholders: [known.dso], limit: some.length, withBlobs: true, after: placeOf(first - 1) },
      found = readNow(await contracts.page<P>(query, ({ contractId }) => left.delete(contractId)));
    for (const contractId of left) forget(known, contractId);
    return found;
  }

  /** Undefined: there are too many to know them. */
  #knownOf(dso: Party): Promise<Known | undefined> {
    return this.#reading.run(async () => {
      const { knownMax } = this.#options;
      if (this.#tooLarge === dso) return undefined;
      let known = this.#known?.dso === dso ? this.#known : nothingKnown(dso);
      await this.#readOn(known);
      // Of those that are known many may be archived.
      if (known.contracts.size > knownMax && known === this.#known) await this.#readOn((known = nothingKnown(dso)));
      const isTooLarge = known.contracts.size > knownMax;
      this.#tooLarge = isTooLarge ? dso : undefined;
      this.#known = isTooLarge ? undefined : known;
      return this.#known;
    });
  }

  async #readOn(known: Known): Promise<void> {
    const { contracts, ledger, template, keyOf, knownMax } = this.#options,
      at = ledger.ledgerEnd();
    if (at === known.readTo) return;
    const visit = ({ payload, contractId, place, created }: PassedContract<P>): void => {
      if (payload.dso !== known.dso || known.contracts.size > knownMax) return;
      forget(known, contractId); // one that went to another synchronizer comes again
      remember(known, { key: keyOf(payload), contractId, place, created });
    };
    await contracts.eachBehind<P>(template, visit, { stakeholder: known.dso, at, after: placeOf(lastRow(known.readTo)) });
    known.readTo = at;
  }

  async #idsAmongAll(dso: Party, keys: ReadonlySet<string>): Promise<readonly string[]> {
    const { contracts, ledger, template, keyOf } = this.#options,
      ids: string[] = [];
    let passed = 0;
    const visit = ({ payload, contractId }: PassedContract<P>): void => {
      if (payload.dso !== dso) return;
      passed++;
      if (keys.has(keyOf(payload))) ids.push(contractId);
    };
    await contracts.eachBehind<P>(template, visit, { stakeholder: dso, at: ledger.ledgerEnd() });
    this.#wentThrough(dso, passed);
    return ids;
  }

  async #newestAmongAll(dso: Party, max: number, isWanted: (created: Place) => boolean): Promise<readonly Contract<P>[]> {
    const { contracts, template } = this.#options;
    let passed = 0;
    const newest = await contracts.newest<P>(template, max, ({ payload, created }) => {
      if (payload.dso !== dso) return false;
      passed++;
      return isWanted(created);
    });
    this.#wentThrough(dso, passed);
    return newest;
  }

  /** At half of what may be known, so that around the bound they are not read in vain each time. */
  #wentThrough(dso: Party, passed: number): void {
    if (this.#tooLarge === dso && passed <= this.#options.knownMax / 2) this.#tooLarge = undefined;
  }
}

const nothingKnown = (dso: Party): Known => ({ dso, contracts: new Map(), byKey: new Map(), readTo: 0 });

function remember({ contracts, byKey }: Known, contract: KnownContract): void {
  const { key, contractId } = contract,
    ids = byKey.get(key) ?? new Set();
  contracts.set(contractId, contract);
  byKey.set(key, ids.add(contractId));
}

function forget({ contracts, byKey }: Known, contractId: string): void {
  const key = contracts.get(contractId)?.key,
    ids = key === undefined ? undefined : byKey.get(key);
  contracts.delete(contractId);
  ids?.delete(contractId);
  if (key !== undefined && ids?.size === 0) byKey.delete(key);
}
