/** A contract that leaves a synchronizer or arrives on one: in the ledger's JSON, cut into its members, and as Scan prints it. */
import { assert } from "../../base/assert.js";
import type { Offset, Party } from "../../ledger/index.js";
import { asRecordTime } from "../instants.js";
import { migrationId } from "../snapshot-query.js";
import { elementsOf, memberOf, membersOf } from "../values/json-slices.js";
import { EventText, eventText, unquoted } from "./event-text.js";
import { offsetText, type CreatedTreeEvent, type UpdateWriting } from "./update.js";

interface Move {
  readonly submitter: Party;
  readonly source_synchronizer: string;
  readonly target_synchronizer: string;
  readonly migration_id: number;
  readonly unassign_id: string;
  readonly reassignment_counter: number;
}
export interface UnassignmentItem extends Move {
  readonly contract_id: string;
}
export interface AssignmentItem extends Move {
  readonly created_event: CreatedTreeEvent;
}

export interface ReassignmentItem {
  readonly update_id: string;
  readonly offset: string;
  readonly record_time: string;
  readonly event: AssignmentItem | UnassignmentItem;
}

const unassignedPrefix = `{"JsUnassignedEvent":`,
  assignedPrefix = `{"JsAssignmentEvent":`;

/** Members are JSON texts. */
class MoveText {
  readonly #members: ReadonlyMap<string, string>;
  /** Undefined: it leaves. */
  readonly created: EventText | undefined;

  constructor(wrapped: string) {
    const leaves = wrapped.startsWith(unassignedPrefix);
    assert(leaves || wrapped.startsWith(assignedPrefix), "a contract leaves or arrives");
    this.#members = membersOf(
      leaves ? memberOf(wrapped.slice(unassignedPrefix.length, -1), "value")! : wrapped.slice(assignedPrefix.length, -1),
    );
    this.created = leaves ? undefined : new EventText(`{"CreatedEvent":${this.get("createdEvent")}}`);
  }

  get(name: string): string {
    return this.#members.get(name) ?? "null";
  }
  get witnesses(): string {
    return this.created?.witnesses ?? this.get("witnessParties");
  }
}

export class ReassignmentText {
  readonly #members: ReadonlyMap<string, string>;
  readonly moves: readonly MoveText[];

  /** The bare reassignment. */
  constructor(json: string) {
    this.#members = membersOf(json);
    this.moves = elementsOf(this.get("events")).map((event) => new MoveText(event));
  }

  get(name: string): string {
    return this.#members.get(name) ?? "null";
  }
  get offset(): Offset {
    return Number(this.get("offset"));
  }
  get updateId(): string {
    return unquoted(this.get("updateId"));
  }
  /** Creates of what arrives. */
  get events(): readonly EventText[] {
    return this.moves.flatMap(({ created }) => created ?? []);
  }
}

/** The JSON text of a `ReassignmentItem`, which has room for one contract: the first that the DSO sees; undefined: it sees none. */
export function reassignmentText(reassignment: ReassignmentText, writing: UpdateWriting): string | undefined {
  const { dso, form = "current" } = writing,
    { updateId } = reassignment;
  const move = dso === undefined ? undefined : reassignment.moves.find(({ witnesses }) => witnesses.includes(JSON.stringify(dso)));
  if (!move) return undefined;
  const idOf = ({ event }: { readonly event: EventText }): string => `${form === "local" ? "#" : ""}${updateId}:${event.first}`;
  const contract = move.created
    ? `"created_event":${eventText({ event: move.created, children: [], index: 0 }, { ...writing, idOf })}`
    : `"contract_id":${move.get("contractId")}`;
  return (
    `{"update_id":"${updateId}","offset":"${offsetText(form, reassignment.offset)}",`
    + `"record_time":"${asRecordTime(unquoted(reassignment.get("recordTime")))}","event":{"submitter":${move.get("submitter")},`
    + `"source_synchronizer":${move.get("source")},"target_synchronizer":${move.get("target")},"migration_id":${migrationId},`
    + `"unassign_id":${move.get("reassignmentId")},"reassignment_counter":${move.get("reassignmentCounter")},${contract}}}`
  );
}
