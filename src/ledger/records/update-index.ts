/** Under which keys of the index readers find an update. */
import { assert } from "../../base/assert.js";
import { u32Max } from "../../store/index.js";
import { anyParty, anyTemplate, type IndexRange, reassignmentTemplate, topologyTemplate } from "./index-ranges.js";

/** Parties have numbers of 32 bits. */
const templatesMax = Math.floor(Number.MAX_SAFE_INTEGER / (u32Max + 1));
/** The numbers that stand for no template are the highest there are. */
const noTemplatesFrom = reassignmentTemplate,
  noTemplates = u32Max + 1 - noTemplatesFrom;

/** A range as one number. */
export function rangeNumber(party: number, template: number): number {
  const rank = template < noTemplatesFrom ? template + noTemplates : template - noTemplatesFrom;
  assert(rank < templatesMax, "a party and a template fit into one number");
  return party * templatesMax + rank;
}

/** The part of an event that the index goes by. */
export interface IndexedEvent {
  readonly template: number;
  readonly stakeholders: readonly number[];
  readonly witnesses: readonly number[];
}

/**
 * Under every witness with every template that it sees, under every witness with any template, and under any party with every template;
 * each once.
 */
export function indexVisitor(visit: (party: number, template: number) => void): (event: IndexedEvent) => void {
  const visited = new Set<number>();
  const visitOnce = (party: number, template: number): void => {
    const range = rangeNumber(party, template);
    if (visited.has(range)) return;
    visited.add(range);
    visit(party, template);
  };
  const visitBoth = (party: number, template: number): void => {
    visitOnce(party, anyTemplate);
    visitOnce(party, template);
  };
  return ({ template, stakeholders, witnesses }) => {
    visitOnce(anyParty, template);
    for (const party of witnesses) visitBoth(party, template);
    for (const party of stakeholders) visitBoth(party, template);
  };
}

export function transactionIndex(events: readonly IndexedEvent[]): IndexRange[] {
  const entries: IndexRange[] = [];
  events.forEach(
    indexVisitor((party, template) => {
      entries.push({ party, template });
    }),
  );
  return entries;
}

/** Of a reassignment, by all stakeholders of its contracts. */
export const reassignmentIndex = (events: readonly IndexedEvent[]): IndexRange[] =>
  [...new Set([anyParty, ...events.flatMap(({ stakeholders }) => stakeholders)])].map((party) => ({
    party,
    template: reassignmentTemplate,
  }));

/** Of a topology update, by the parties that it is about. */
export const topologyIndex = (parties: readonly number[]): IndexRange[] =>
  [anyParty, ...parties].map((party) => ({ party, template: topologyTemplate }));
