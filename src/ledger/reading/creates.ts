/** How contracts were created, by their ids: for who goes through many of them, and has no use for how they ended. */
import type { EventPlace } from "../../store/index.js";
import { createdParts, type CreatedParts } from "../records/index.js";
import { createdPlace, readState } from "./events.js";
import { placeOrder } from "./place-search.js";
import { PlacedEventsReader } from "./placed-events.js";
import type { ReadContext } from "./read-context.js";

/** Undefined: it is not known, or what is told of it was pruned. */
function placeOf(context: ReadContext, contractId: string): EventPlace | undefined {
  const state = readState(context, contractId),
    place = state && createdPlace(context, state);
  return place && place.offset <= context.ledgerEnd.offset ? place : undefined;
}

/**
 * Of those whose creates can be told, archived since or not, the oldest first, so that those of one update follow each other; the bytes
 * are there until `take` returns. It gives way to others.
 */
export async function takeCreates(
  context: ReadContext,
  contractIds: readonly string[],
  take: (contractId: string, parts: CreatedParts) => void,
): Promise<void> {
  const { answerTurns: turns, log, pruning } = context,
    events = new PlacedEventsReader(log),
    prunedTo = pruning.offset,
    found: { readonly contractId: string; readonly place: EventPlace }[] = [];
  for (const contractId of contractIds) {
    if (turns.isOver) await turns.next();
    const place = placeOf(context, contractId);
    if (place) found.push({ contractId, place });
  }
  found.sort((a, b) => placeOrder.compare(a.place, b.place));
  for (const { contractId, place } of found) {
    if (turns.isOver) {
      events.rest();
      await turns.next();
    }
    if (pruning.offset !== prunedTo && !placeOf(context, contractId)) continue; // it came meanwhile
    const { update, created } = events.at(place);
    take(contractId, createdParts(update, created));
  }
}
