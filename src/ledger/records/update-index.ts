/** Under which keys of the index readers find an update. */
import { anyParty, anyTemplate, type IndexRange, reassignmentTemplate, topologyTemplate } from "./index-ranges.js";

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
  const visited = new Map<number, Set<number>>();
  const visitOnce = (party: number, template: number): void => {
    let templates = visited.get(party);
    if (templates === undefined) visited.set(party, (templates = new Set()));
    if (templates.has(template)) return;
    templates.add(template);
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
