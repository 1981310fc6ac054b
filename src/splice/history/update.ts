/** A transaction as Scan prints it: the trees that the DSO sees, with event ids that are the same wherever they are made. */
import type { GrowingBytes } from "../../base/growing-bytes.js";
import type { Steps } from "../../base/steps.js";
import type { Offset, Party } from "../../ledger/index.js";
import { asJavaInstant, asRecordTime, parseInstant } from "../instants.js";
import { migrationId } from "../snapshot-query.js";
import type { ValueTypes } from "../values/value-types.js";
import type { Node } from "./transaction.js";
import { eventText, treesOfTexts, unquoted, type Encoding, type EventText, type Positions, type TransactionText } from "./event-text.js";

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

/** The same as earlier releases told it, which also had the offset. */
export interface UpdateItemWithOffset extends UpdateItem {
  readonly offset: string;
}

/** Found by its hash, which is then always told. */
export interface SignedUpdateItem extends UpdateItem {
  readonly external_transaction_hash: string;
}

/** Hashes of signed transactions are told of those that were recorded from then on. */
const hashesShownFrom = parseInstant("2030-01-01T00:00:00Z")!;

/**
 * Releases of the operations tell different things. `local`: the offset and numbers of events are those of this ledger;
 * `withOffset`: events are numbered as everywhere, the offset is the same for all; `current`: there is none.
 */
export type UpdateForm = "local" | "withOffset" | "current";

export interface UpdateWriting {
  readonly dso: Party | undefined;
  readonly encoding: Encoding;
  readonly types: ValueTypes;
  readonly positions: Positions;
  /** Also where it is too old to be told. */
  readonly showsHash?: boolean;
  /** Left out: the current one. */
  readonly form?: UpdateForm | undefined;
}

/** The events that the DSO sees; whoever sees an event sees what is below it. */
export function seenBy(dso: Party | undefined, { events }: Pick<TransactionText, "events">): readonly EventText[] {
  if (dso === undefined) return [];
  const quoted = JSON.stringify(dso);
  return events.filter(({ witnesses }) => witnesses.includes(quoted));
}

/** The JSON text of an `UpdateItem`, event by event; false: the DSO sees nothing of it. The types of its values are at hand. */
export function* writeUpdate(out: GrowingBytes, transaction: TransactionText, writing: UpdateWriting): Steps<boolean> {
  const { roots, all } = treesOfTexts(seenBy(writing.dso, transaction)),
    { updateId } = transaction,
    { form = "current" } = writing;
  if (all.length === 0) return false;
  const idOf =
    form === "local"
      ? ({ event }: Node<EventText>) => `#${updateId}:${event.first}`
      : ({ index }: Node<EventText>) => `${updateId}:${index}`;
  const events = all.map((node) => [idOf(node), node] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    recordTime = asRecordTime(unquoted(transaction.get("recordTime")));
  out.text(
    `{"update_id":"${updateId}","migration_id":${migrationId},"workflow_id":${transaction.get("workflowId")},"record_time":"${recordTime}",`
      + `"synchronizer_id":${transaction.get("synchronizerId")},"effective_at":"${asJavaInstant(unquoted(transaction.get("effectiveAt")))}",`
      + `${form === "current" ? "" : `"offset":"${offsetText(form, transaction.offset)}",`}`
      + `"root_event_ids":[${roots.map((node) => `"${idOf(node)}"`).join(",")}],"events_by_id":{`,
  );
  for (const [index, [id, node]] of events.entries()) {
    out.text(`${index > 0 ? "," : ""}"${id}":${eventText(node, { ...writing, idOf })}`);
    yield;
  }
  out.text(`}${hashMember(transaction, recordTime, writing)}}`);
  return true;
}

/** What every offset is where it shall not depend on who tells it. */
const firstOffset = 1;
/** A byte of the format's version, then eight of the number. */
export const offsetText = (form: UpdateForm, offset: Offset): string =>
  `00${(form === "local" ? offset : firstOffset).toString(16).padStart(16, "0")}`;

/** The form of the first release has it always. */
function hashMember(transaction: TransactionText, recordTime: string, { form, showsHash = form === "local" }: UpdateWriting): string {
  const hash = transaction.get("externalTransactionHash");
  return hash !== "null" && (showsHash || parseInstant(recordTime)! >= hashesShownFrom) ? `,"external_transaction_hash":${hash}` : "";
}
