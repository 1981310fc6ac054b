/** A transaction as the ledger's JSON has it, with every event and all who see it, and its events as trees. */
import type { Offset, Party } from "../../ledger/index.js";
import type { Position } from "../values/value-types.js";

interface Event {
  readonly nodeId: number;
  readonly contractId: string;
  readonly templateId: string;
  readonly packageName: string;
  readonly witnessParties: readonly Party[];
}
export interface Created extends Event {
  readonly createArgument: unknown;
  readonly createdAt: string;
  readonly signatories: readonly Party[];
  readonly observers: readonly Party[];
}
export interface Exercised extends Event {
  readonly interfaceId: string | null;
  readonly choice: string;
  readonly choiceArgument: unknown;
  readonly exerciseResult: unknown;
  readonly actingParties: readonly Party[];
  readonly consuming: boolean;
  readonly lastDescendantNodeId: number;
}
export type LedgerEvent =
  | { readonly CreatedEvent: Created; readonly ExercisedEvent?: undefined }
  | { readonly ExercisedEvent: Exercised; readonly CreatedEvent?: undefined };

export interface Transaction {
  readonly updateId: string;
  readonly workflowId: string;
  readonly effectiveAt: string;
  readonly recordTime: string;
  readonly synchronizerId: string;
  readonly offset: Offset;
  readonly externalTransactionHash: string | null;
  readonly events: readonly LedgerEvent[];
}

/** An event with its place among those around it. */
export interface Node<E> {
  /** In pre-order, over those that are looked at. */
  readonly index: number;
  readonly event: E;
  readonly children: readonly Node<E>[];
}

/** The ids of an event and of the last one below it. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Events in pre-order as trees. */
export function treesOf<E>(
  events: readonly E[],
  spanOf: (event: E) => Span,
): { readonly roots: readonly Node<E>[]; readonly all: readonly Node<E>[] } {
  const roots: Node<E>[] = [],
    all: Node<E>[] = [],
    open: { readonly children: Node<E>[]; readonly last: number }[] = [];
  for (const event of events) {
    const { first, last } = spanOf(event),
      children: Node<E>[] = [],
      node = { index: all.length, event, children };
    while (open.length > 0 && first > open.at(-1)!.last) open.pop();
    (open.at(-1)?.children ?? roots).push(node);
    all.push(node);
    if (last > first) open.push({ children, last });
  }
  return { roots, all };
}

export const spanOfEvent = ({ CreatedEvent, ExercisedEvent }: LedgerEvent): Span =>
  CreatedEvent
    ? { first: CreatedEvent.nodeId, last: CreatedEvent.nodeId }
    : { first: ExercisedEvent.nodeId, last: ExercisedEvent.lastDescendantNodeId };

export const choicePosition = (
  { templateId, interfaceId, choice }: Pick<Exercised, "templateId" | "interfaceId" | "choice">,
  at: "choiceArgument" | "exerciseResult",
): Position => ({ at, templateId, interfaceId, choice });
