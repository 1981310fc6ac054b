/**
 * Finds contracts that were active at an offset, by their places and in the order of creation.
 *
 * Active at n = active now and created at or before n, and archived after n and created at or before n. Both indexes are in
 * the order of creation. A contract that is archived while a search goes on moves from one to the other: so each piece of a
 * range is read in both at once, the active ones first, and no long snapshot is needed. What was found stays found.
 */
import { limits } from "../../config.js";
import type { EventPlace, Tables } from "../../store/index.js";
import {
  anyTemplate,
  archivedLater,
  type EntryOrder,
  type IndexRange,
  KeptEntries,
  lastNodeId,
  type MarkTables,
  type Piece,
  placeNumbers,
} from "../records/index.js";
import type { EventFilter } from "./filters.js";
import { MergedRanges } from "./merged-ranges.js";
import { activeTemplatesIn, rangesHeld } from "./party-templates.js";
import type { Offset } from "../model/index.js";
import type { ReadContext } from "./read-context.js";

const comparePlaces = (a: EventPlace, b: EventPlace): number => a.offset - b.offset || a.nodeId - b.nodeId;

const earlier = (a: EventPlace | undefined, b: EventPlace | undefined): EventPlace | undefined =>
  !a || (b && comparePlaces(b, a) < 0) ? b : a;

/** In order, each once, none behind `last`. */
function mergePlaces(places: EventPlace[], last: EventPlace | undefined): EventPlace[] {
  const merged: EventPlace[] = [];
  for (const place of places.sort(comparePlaces)) {
    if (last && comparePlaces(place, last) > 0) break;
    const before = merged[merged.length - 1];
    if (!before || comparePlaces(before, place) !== 0) merged.push(place);
  }
  return merged;
}

const sizes = { aheadMax: limits.mergedAheadMax, pieceMin: limits.mergedPieceMin, pieceMax: limits.streamBatchElements };

/** What began and did not end, and what ended. */
export interface PlaceIndex extends MarkTables {
  readonly active: Tables["active"];
  /** What of `active` is in memory. */
  readonly kept: KeptEntries<EventPlace>;
  /** Of which a party has entries. */
  templatesOf(party: number): ReadonlySet<number>;
}

export const placeOrder: EntryOrder<EventPlace> = {
  compare: comparePlaces,
  next: ({ offset, nodeId }) => ({ offset, nodeId: nodeId + 1 }),
  ...placeNumbers,
};

export const activeIndex = ({ tables, keptActive, activeTemplates }: ReadContext): PlaceIndex => ({
  active: tables.active,
  archived: tables.archived,
  archiveMarks: tables.archiveMarks,
  kept: keptActive,
  templatesOf: (party) => activeTemplates.of(party),
});

/** Contracts on their way between synchronizers, by the places of their unassignments, have an index of the same kind; they are few. */
export function inFlightIndex({ tables: { unassigned, assigned, assignedMarks } }: ReadContext): PlaceIndex {
  const tables = { active: unassigned, archived: assigned };
  return {
    ...tables,
    archiveMarks: assignedMarks,
    kept: new KeptEntries(placeOrder),
    templatesOf: (party) => activeTemplatesIn(tables, party),
  };
}

export class PlaceSearch {
  readonly #index: PlaceIndex;
  readonly #filter: EventFilter;
  readonly #activeAt: Offset;
  /** Up to here everything was given. */
  #position: EventPlace;
  #revision: number | undefined;
  /** Those of the filter, and how many of them were looked into for their templates. */
  #ranges: readonly IndexRange[] = [];
  #resolvedCount = 0;
  #resolved: IndexRange[] = [];
  #merged: MergedRanges<EventPlace> | undefined;

  constructor(index: PlaceIndex, filter: EventFilter, activeAt: Offset, position: EventPlace) {
    this.#index = index;
    this.#filter = filter;
    this.#activeAt = activeAt;
    this.#position = position;
  }

  get isAtEnd(): boolean {
    return this.#merged?.isAtEnd === true;
  }

  /**
   * The next places, at most `max`. Looks at a bounded part of the indexes: none were found is not the end. All of them are wanted, as the
   * indexes are by party and template.
   */
  step(max: number): readonly EventPlace[] {
    this.#resolve();
    if (this.#merged === undefined) return [];
    const places = this.#merged.step(max);
    if (places.length > 0) this.#position = places[places.length - 1]!;
    return places;
  }

  /** One range a step. Parties that came since have no contracts here; packages that came may make the filter mean more. */
  #resolve(): void {
    const { revision } = this.#filter;
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#ranges = rangesHeld(this.#filter.ranges(), (party) => this.#index.templatesOf(party));
      this.#resolvedCount = 0;
      this.#resolved = [];
      this.#merged = undefined;
    }
    if (this.#merged !== undefined) return;
    const ranges = this.#ranges,
      next = ranges[this.#resolvedCount++];
    if (next !== undefined) this.#resolved.push(...this.#templatesOf(next));
    if (this.#resolvedCount < ranges.length) return;
    const from = this.#position;
    this.#merged = new MergedRanges(
      this.#resolved.map((range) => (after, limit) => this.#read(range, after ?? from, limit)),
      comparePlaces,
      sizes,
    );
  }

  #templatesOf(range: IndexRange): readonly IndexRange[] {
    if (range.template !== anyTemplate) return [range];
    return Array.from(this.#index.templatesOf(range.party), (template) => ({ ...range, template }));
  }

  #read(range: IndexRange, after: EventPlace, limit: number): Piece<EventPlace> {
    const index = this.#index,
      activeAt = this.#activeAt,
      from = { offset: after.offset, nodeId: after.offset === 0 ? 0 : after.nodeId + 1 },
      stretch = { from, to: { offset: activeAt, nodeId: lastNodeId } };
    const active = index.kept.read(range, stretch, limit, (asked, most) =>
      index.active.keys({ start: { ...range, ...asked.from }, end: { ...range, offset: activeAt + 1, nodeId: 0 }, limit: most }),
    );
    const { places, searchedTo } = archivedLater(index, { range, from, activeAt, limit, entriesMax: limits.archivedSearchMax });
    // Behind where one of them was cut there may be more of it, so nothing behind that is certain yet.
    const reached = earlier(active.reached, searchedTo);
    if (places.length === 0 && reached === active.reached) return active;
    return { items: mergePlaces([...active.items, ...places], reached), reached };
  }
}
