/**
 * What last happened to something that a wallet's owner gave a tracking id, an offer or a request for traffic: found in his history, where
 * it is known which updates have that id.
 */
import { isFailure, ok } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { EventFormatRequest, Participant, Party } from "../../ledger/index.js";
import type { Contracts } from "../contracts.js";
import type { EventText, TransactionText } from "../history/event-text.js";
import { OffsetsByText } from "../history/offsets-by-text.js";
import { anyPartyFormat, effects, partyFormat, transactionPages } from "../history/reading.js";
import type { LedgerEvent, Transaction } from "../history/transaction.js";
import { reference, templates, type Name } from "../names.js";
import { type Answer, refuse } from "../refusal.js";
import { memberOf } from "../values/json-slices.js";
import type { WalletContext } from "./wallet-context.js";

export const offerTemplates: readonly Name[] = [templates.transferOffer, templates.acceptedTransferOffer];
export const trafficTemplates: readonly Name[] = [templates.buyTrafficRequest];

export interface Tracked {
  readonly trackingId: string;
}
const trackingIdOf = ({ CreatedEvent, ExercisedEvent }: LedgerEvent): string | undefined =>
  CreatedEvent
    ? (CreatedEvent.createArgument as Tracked).trackingId
    : (ExercisedEvent.exerciseResult as { readonly trackingInfo?: Tracked }).trackingInfo?.trackingId;

/** By each party that sees them, with their tracking ids. */
export function trackedOffsets(
  ledger: Pick<Participant, "openUpdates" | "ledgerEnd" | "prunedOffsets">,
  contracts: Pick<Contracts, "knows">,
  turns: Turns,
): OffsetsByText {
  const format = (): EventFormatRequest | undefined => {
    const cumulative = filtersOf([...offerTemplates, ...trafficTemplates].filter((name) => contracts.knows(name)));
    return cumulative.length === 0 ? undefined : anyPartyFormat({ cumulative });
  };
  return new OffsetsByText({ ledger, turns, format, textsIn: trackedIn, keptMax: limits.trackedEventsKeptMax });
}

const textOf = (party: Party, trackingId: string): string => JSON.stringify([party, trackingId]);

const trackedIn = ({ events }: TransactionText): readonly string[] =>
  events.flatMap((event) => {
    const id = idIn(event);
    return id === undefined ? [] : (JSON.parse(event.witnesses) as readonly Party[]).map((party) => textOf(party, id));
  });

function idIn(event: EventText): string | undefined {
  const id = memberIn(event.isCreate ? event.get("createArgument") : memberIn(event.get("exerciseResult"), "trackingInfo"), "trackingId");
  return id === undefined ? undefined : (JSON.parse(id) as string);
}

/** Choices may have results of any kind. */
const memberIn = (value: string | undefined, name: string): string | undefined =>
  value?.startsWith("{") ? memberOf(value, name) : undefined;

const filtersOf = (names: readonly Name[]) =>
  names.map((name) => ({ kind: "template", templateId: reference(name), includeCreatedEventBlob: false }) as const);

/** What is made of the last event of some templates that the owner sees, of those of which something is. Undefined: there is none. */
export async function lastTracked<T>(
  context: Pick<WalletContext, "ledger" | "contracts" | "tracked">,
  { party, trackingId, names }: { readonly party: Party; readonly trackingId: string; readonly names: readonly Name[] },
  make: (event: LedgerEvent, updateId: string) => T | undefined,
): Answer<T | undefined> {
  const { ledger, contracts, tracked } = context,
    known = names.filter((name) => contracts.knows(name));
  if (known.length === 0) return ok(undefined);
  const format = partyFormat({ [party]: { cumulative: filtersOf(known) } }),
    found = await tracked.of(textOf(party, trackingId));
  if (isFailure(found)) return refuse("internal", found.error.cause);
  const { candidates, forgottenTo } = found.ok;
  const lastIn = ({ events, updateId }: Transaction): T | undefined =>
    events
      .filter((event) => trackingIdOf(event) === trackingId)
      .map((event) => make(event, updateId))
      .findLast((made) => made !== undefined);
  for (const offset of candidates) {
    const read = await ledger.readUpdate({ by: { offset }, format: effects(format), form: "flat" }),
      made = isFailure(read) ? undefined : lastIn(JSON.parse(read.ok) as Transaction); // it may have been pruned
    if (made !== undefined) return ok(made);
  }
  for await (const page of transactionPages(ledger, { format, after: 0, to: forgottenTo, descending: true })) {
    if (isFailure(page)) return refuse("internal", page.error.cause);
    for (const transaction of page.ok) {
      const made = lastIn(transaction);
      if (made !== undefined) return ok(made);
    }
  }
  return ok(undefined);
}
