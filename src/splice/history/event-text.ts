/** An event of a transaction in the ledger's JSON, cut into its members; and as Scan prints it. */
import type { Steps } from "../../base/steps.js";
import { asIsoTime } from "../instants.js";
import { compactForm, protobufForm } from "../values/forms.js";
import { membersOf, membersWithList } from "../values/json-slices.js";
import type { Position, ValueTypes } from "../values/value-types.js";
import { choicePosition, treesOf, type Node } from "./transaction.js";

export type Encoding = "compact_json" | "protobuf_json";

/** Members are JSON texts. */
export class EventText {
  readonly #members: ReadonlyMap<string, string>;
  readonly isCreate: boolean;

  /** `{"CreatedEvent":{..}}` or `{"ExercisedEvent":{..}}` */
  constructor(wrapped: string) {
    this.isCreate = wrapped.startsWith(`{"CreatedEvent":`);
    this.#members = membersOf(wrapped.slice(wrapped.indexOf(":") + 1, -1));
  }

  /** Absent members are null. */
  get(name: string): string {
    return this.#members.get(name) ?? "null";
  }
  get first(): number {
    return Number(this.get("nodeId"));
  }
  get last(): number {
    return this.isCreate ? this.first : Number(this.get("lastDescendantNodeId"));
  }
  get witnesses(): string {
    return this.get("witnessParties");
  }
}

export class TransactionText {
  readonly #members: ReadonlyMap<string, string>;
  readonly events: readonly EventText[];

  private constructor(members: ReadonlyMap<string, string>, events: readonly EventText[]) {
    this.#members = members;
    this.events = events;
  }

  /** Of the bare transaction, event by event. */
  static *of(json: string): Steps<TransactionText> {
    const { members, elements } = yield* membersWithList(json, "events"),
      events: EventText[] = [];
    for (const element of elements) {
      events.push(new EventText(element));
      yield;
    }
    return new TransactionText(members, events);
  }

  get(name: string): string {
    return this.#members.get(name) ?? "null";
  }
  get offset(): number {
    return Number(this.get("offset"));
  }
  get updateId(): string {
    return unquoted(this.get("updateId"));
  }
}

export const treesOfTexts = (events: readonly EventText[]): ReturnType<typeof treesOf<EventText>> => treesOf(events, (event) => event);

/** Of a text without escapes: ids, names and times. */
export const unquoted = (json: string): string => json.slice(1, -1);

/** Where the values of events stand, each place once. */
export class Positions {
  readonly #known = new Map<string, readonly Position[]>();

  of(event: EventText): readonly Position[] {
    const key = event.isCreate ? event.get("templateId") : `${event.get("templateId")}${event.get("interfaceId")}${event.get("choice")}`;
    const known = this.#known.get(key);
    if (known) return known;
    const positions = positionsOf(event);
    this.#known.set(key, positions);
    return positions;
  }

  get all(): readonly Position[] {
    return [...this.#known.values()].flat();
  }
}

function positionsOf(event: EventText): readonly Position[] {
  const templateId = unquoted(event.get("templateId"));
  if (event.isCreate) return [{ at: "createArgument", templateId }];
  const interfaceId = event.get("interfaceId"),
    choice = unquoted(event.get("choice"));
  const position = { templateId, interfaceId: interfaceId === "null" ? null : unquoted(interfaceId), choice };
  return [choicePosition(position, "choiceArgument"), choicePosition(position, "exerciseResult")];
}

export interface EventWriting {
  /** The id of an event. */
  readonly idOf: (node: Node<EventText>) => string;
  readonly encoding: Encoding;
  readonly types: ValueTypes;
  readonly positions: Positions;
}

/** The types of its values are at hand. */
export function eventText(node: Node<EventText>, { idOf, encoding, types, positions }: EventWriting): string {
  const { event, children } = node;
  const form = encoding === "compact_json" ? compactForm : protobufForm,
    [first, second] = positions.of(event);
  const head = `"event_id":"${idOf(node)}","contract_id":${event.get("contractId")},"template_id":${event.get("templateId")},"package_name":${event.get("packageName")}`;
  if (event.isCreate)
    return (
      `{"event_type":"created_event",${head},"create_arguments":${types.textInForm(first!, event.get("createArgument"), form)},`
      + `"created_at":"${asIsoTime(unquoted(event.get("createdAt")))}","signatories":${event.get("signatories")},"observers":${event.get("observers")}}`
    );
  const childIds = children.map((child) => `"${idOf(child)}"`).join(",");
  return (
    `{"event_type":"exercised_event",${head},"choice":${event.get("choice")},"choice_argument":${types.textInForm(first!, event.get("choiceArgument"), form)},`
    + `"child_event_ids":[${childIds}],"exercise_result":${types.textInForm(second!, event.get("exerciseResult"), form)},`
    + `"consuming":${event.get("consuming")},"acting_parties":${event.get("actingParties")},"interface_id":${event.get("interfaceId")}}`
  );
}
