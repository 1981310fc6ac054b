/**
 * Which events of an update a reader gets, and whether he gets them as they are stored.
 *
 * ACS delta: creates and archives that change the set of active contracts, for stakeholders.
 * Ledger effects: creates and exercises, for witnesses. Fetches and rolled-back nodes are in neither.
 */
import type { Steps } from "../../base/steps.js";
import { limits } from "../../config.js";
import type { TransactionShape } from "../model/index.js";
import type { EventMarks, EventTraits, UpdateMarks } from "../records/index.js";
import type { EventFilter, TemplateMatch } from "./filters.js";
import type { UpdateKind } from "./update-kinds.js";
import type { WantedView } from "./views.js";

/** What a reader asks for of transactions. */
export interface TransactionFilter {
  readonly filter: EventFilter;
  readonly shape: TransactionShape;
}

/** The events of an update that a reader gets, with what was asked of each. */
export interface Selection {
  readonly events: readonly EventMarks[];
  readonly matches: readonly TemplateMatch[];
}

export const selectEvents = (update: UpdateMarks, asked: TransactionFilter): Selection | undefined => selectAmong(update.events, asked);

/** The same of a transaction with many events. */
export interface PartedSelection {
  /** None where the reader gets no event. */
  readonly parts: readonly Selection[];
  /** Whether he gets the transaction as it lies in its record, if he asks for one of its submitters. */
  readonly isAsStored: boolean;
}

export function* selectInParts(update: UpdateMarks, asked: TransactionFilter): Steps<PartedSelection> {
  const parts: Selection[] = [];
  let isStored = true;
  for (const events of update.eventParts(limits.readStepEvents)) {
    const part = selectAmong(events, asked);
    if (part) parts.push(part);
    isStored &&= part !== undefined && isAsStored(events, part, asked);
    yield;
  }
  return { parts, isAsStored: isStored };
}

function selectAmong(among: readonly EventMarks[], { filter, shape }: TransactionFilter): Selection | undefined {
  let events: EventMarks[] | undefined, matches: TemplateMatch[] | undefined;
  for (const event of among) {
    if (shape === "acsDelta" && !event.changesActiveContracts) continue;
    const seenBy = shape === "acsDelta" ? event.stakeholders : event.witnesses;
    const match = filter.match(event.template, seenBy);
    if (!match) continue;
    if (events && matches) {
      events.push(event);
      matches.push(match);
    } else {
      // Most have one; an array of one from the start is a tenth of what a first push makes room for.
      events = [event];
      matches = [match];
    }
  }
  return events && matches && { events, matches };
}

/** The same of a reassignment: all who have a stake in a contract see where it goes. */
export function selectReassigned(update: UpdateMarks, filter: EventFilter): Selection | undefined {
  const seen = update.events.flatMap((event) => {
    const match = filter.match(event.template, event.stakeholders);
    return match ? [{ event, match }] : [];
  });
  return seen.length === 0 ? undefined : { events: seen.map(({ event }) => event), matches: seen.map(({ match }) => match) };
}

/** Views that have to be computed before the selection can be written. */
export function wantedViews(update: UpdateMarks, selection: Selection): WantedView[] {
  return selection.events.flatMap((event, index) =>
    event.isCreate
      ? selection.matches[index]!.views.map((interfaceId) => ({
          place: { offset: update.offset, nodeId: event.nodeId },
          template: event.template,
          interfaceId,
        }))
      : [],
  );
}

/** Whether the reader gets all of a transaction that he submitted as it lies in its record: most readers do, and one copy is quicker. */
export function isAsStored(all: readonly EventMarks[], { events, matches }: Selection, { filter, shape }: TransactionFilter): boolean {
  if (events.length !== all.length) return false;
  for (let index = 0; index < events.length; index++) if (!isEventAsStored(events[index]!, matches[index]!, filter, shape)) return false;
  return true;
}

/** The same of a kind of transactions. */
export const getsAsStored = ({ submitters, events }: UpdateKind, { filter, shape }: TransactionFilter): boolean =>
  filter.asksOneOf(submitters)
  && events.every((event) => {
    if (shape === "acsDelta" && !event.changesActiveContracts) return false;
    const match = filter.match(event.template, shape === "acsDelta" ? event.stakeholders : event.witnesses);
    return match !== undefined && isEventAsStored(event, match, filter, shape);
  });

/** A reader who asks for all who see it, and for nothing that is not in it. */
export const asksForStored = (match: TemplateMatch, seenBy: readonly number[], filter: EventFilter): boolean =>
  !match.blob && match.views.length === 0 && filter.asksAll(seenBy);

/** A contract that became active lies there for its stakeholders. */
export const isActivationAsStored = (event: EventMarks, match: TemplateMatch, filter: EventFilter): boolean =>
  isEventAsStored(event, match, filter, "acsDelta");

function isEventAsStored(event: EventTraits, match: TemplateMatch, filter: EventFilter, shape: TransactionShape): boolean {
  const { stakeholders, witnesses } = event;
  if (!asksForStored(match, witnesses, filter)) return false;
  if (shape === "acsDelta") return event.isCreate && stakeholders === witnesses && event.changesActiveContracts;
  const isDelta = event.changesActiveContracts && (filter.asksAnyParty || filter.asksOneOf(stakeholders));
  return isDelta === event.changesActiveContracts;
}
