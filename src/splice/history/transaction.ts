/** A transaction as the ledger's JSON has it, with every event and all who see it; and what the DSO sees of it. */
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
type LedgerEvent =
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
export interface Node {
  /** In pre-order, over those that are looked at. */
  readonly index: number;
  readonly created: Created | undefined;
  readonly exercised: Exercised | undefined;
  readonly children: readonly Node[];
}

export const eventOf = ({ created, exercised }: Node): Event => (created ?? exercised)!;

/** The events that `isSeen` lets through as trees; whoever sees an event sees what is below it. */
export function treesOf(
  transaction: Pick<Transaction, "events">,
  isSeen: (event: Event) => boolean,
): { readonly roots: readonly Node[]; readonly all: readonly Node[] } {
  const roots: Node[] = [],
    all: Node[] = [],
    open: { readonly children: Node[]; readonly last: number }[] = [];
  for (const { CreatedEvent: created, ExercisedEvent: exercised } of transaction.events) {
    const event = (created ?? exercised)!;
    if (!isSeen(event)) continue;
    while (open.length > 0 && event.nodeId > open.at(-1)!.last) open.pop();
    const children: Node[] = [], node = { index: all.length, created, exercised, children };
    (open.at(-1)?.children ?? roots).push(node);
    all.push(node);
    if (exercised) open.push({ children, last: exercised.lastDescendantNodeId });
  }
  return { roots, all };
}

/** Where the values of an event stand. */
export const positionsOf = ({ created, exercised }: Node): readonly Position[] =>
  created ? [createPosition(created)] : [choicePosition(exercised!, "choiceArgument"), choicePosition(exercised!, "exerciseResult")];
export const createPosition = ({ templateId }: Created): Position => ({ at: "createArgument", templateId });
export const choicePosition = ({ templateId, interfaceId, choice }: Exercised, at: "choiceArgument" | "exerciseResult"): Position => ({
  at,
  templateId,
  interfaceId,
  choice,
});
