/** A transaction as Scan prints it: the trees that the DSO sees, with event ids that are the same wherever they are made. */
import type { Party } from "../../ledger/index.js";
import { asJavaInstant, asRecordTime, parseInstant } from "../instants.js";
import { migrationId } from "../snapshot-query.js";
import { compactForm, protobufForm } from "../values/forms.js";
import type { ValueTypes } from "../values/value-types.js";
import { choicePosition, createPosition, treesOf, type Created, type Exercised, type Node, type Transaction } from "./transaction.js";

export type Encoding = "compact_json" | "protobuf_json";

interface TreeEventHead {
  readonly event_id: string;
  readonly contract_id: string;
  readonly template_id: string;
  readonly package_name: string;
}
export interface CreatedTreeEvent extends TreeEventHead {
  readonly event_type: "created_event";
  readonly create_arguments: unknown;
  readonly created_at: string;
  readonly signatories: readonly Party[];
  readonly observers: readonly Party[];
}
export interface ExercisedTreeEvent extends TreeEventHead {
  readonly event_type: "exercised_event";
  readonly choice: string;
  readonly choice_argument: unknown;
  readonly child_event_ids: readonly string[];
  readonly exercise_result: unknown;
  readonly consuming: boolean;
  readonly acting_parties: readonly Party[];
  readonly interface_id: string | null;
}

export interface UpdateItem {
  readonly update_id: string;
  readonly migration_id: number;
  readonly workflow_id: string;
  readonly record_time: string;
  readonly synchronizer_id: string;
  readonly effective_at: string;
  readonly root_event_ids: readonly string[];
  readonly events_by_id: Readonly<Record<string, CreatedTreeEvent | ExercisedTreeEvent>>;
  readonly external_transaction_hash?: string;
}

/** Found by its hash, which is then always told. */
export interface SignedUpdateItem extends UpdateItem { readonly external_transaction_hash: string }

/** Hashes of signed transactions are told of those that were recorded from then on. */
const hashesShownFrom = parseInstant("2030-01-01T00:00:00Z")!;

export const visibleTo =
  (dso: Party | undefined) =>
  ({ witnessParties }: { readonly witnessParties: readonly Party[] }): boolean =>
    dso !== undefined && witnessParties.includes(dso);

/** Undefined: the DSO sees nothing of it. The types of its values are at hand. */
export function updateItem(
  transaction: Transaction,
  dso: Party | undefined,
  encoding: Encoding,
  types: ValueTypes,
): UpdateItem | undefined {
  const { roots, all } = treesOf(transaction, visibleTo(dso)),
    hash = transaction.externalTransactionHash;
  if (all.length === 0) return undefined;
  const writer = new EventWriter(transaction.updateId, encoding, types), idOf = ({ index }: Node): string => writer.idOf(index);
  const events = all.map((node) => [idOf(node), writer.event(node)] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    update_id: transaction.updateId,
    migration_id: migrationId,
    workflow_id: transaction.workflowId,
    record_time: asRecordTime(transaction.recordTime),
    synchronizer_id: transaction.synchronizerId,
    effective_at: asJavaInstant(transaction.effectiveAt),
    root_event_ids: roots.map(idOf),
    events_by_id: Object.fromEntries(events),
    ...(hash !== null && parseInstant(transaction.recordTime)! >= hashesShownFrom ? { external_transaction_hash: hash } : {}),
  };
}

class EventWriter {
  constructor(readonly updateId: string, readonly encoding: Encoding, readonly types: ValueTypes) {}

  idOf(index: number): string { return `${this.updateId}:${index}`; }

  event(node: Node): CreatedTreeEvent | ExercisedTreeEvent {
    return node.created ? this.#created(node, node.created) : this.#exercised(node, node.exercised!);
  }

  #head({ index }: Node, { contractId, templateId, packageName }: Created | Exercised): TreeEventHead {
    return { event_id: this.idOf(index), contract_id: contractId, template_id: templateId, package_name: packageName };
  }

  #value(position: Parameters<ValueTypes["inForm"]>[0], json: unknown): unknown {
    return this.types.inForm(position, json, this.encoding === "compact_json" ? compactForm : protobufForm);
  }

  #created(node: Node, event: Created): CreatedTreeEvent {
    return {
      event_type: "created_event", ...this.#head(node, event), create_arguments: this.#value(createPosition(event), event.createArgument),
      created_at: asJavaInstant(event.createdAt), signatories: event.signatories, observers: event.observers,
    };
  }

  #exercised(node: Node, event: Exercised): ExercisedTreeEvent {
    return {
      event_type: "exercised_event", ...this.#head(node, event), choice: event.choice,
      choice_argument: this.#value(choicePosition(event, "choiceArgument"), event.choiceArgument),
      child_event_ids: node.children.map(({ index }) => this.idOf(index)),
      exercise_result: this.#value(choicePosition(event, "exerciseResult"), event.exerciseResult),
      consuming: event.consuming, acting_parties: event.actingParties, interface_id: event.interfaceId,
    };
  }
}
