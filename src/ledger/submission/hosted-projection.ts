/**
 * What one participant sees of a transaction: the events with a witness that it hosts. Its witnesses there are those it hosts and
 * the contract's stakeholders; contracts of others are not active there, though the transaction tells of them.
 */
import { assert } from "../../base/assert.js";
import { firstIndex } from "../../base/first-index.js";
import type { Party, StoredEvent } from "../model/index.js";
import type { PartyRegistry } from "../parties/index.js";
import type { Part } from "./transaction-writing.js";

const isNumbered = /^"lastDescendantNodeId":(\d+)/;

export class HostedProjection {
  #events: StoredEvent[] = [];
  /** What has to be done before `events` can be read. */
  readonly parts: readonly Part[];

  constructor(all: readonly StoredEvent[], parties: PartyRegistry, synchronizer: number) {
    const isHosted = (party: Party): boolean => parties.get(party)?.hostedOn.includes(synchronizer) === true;
    const project = (index: number): void => {
      const event = projected(all[index]!, isHosted);
      if (event !== undefined) this.#events.push(event);
    };
    const renumber = (): void => {
      if (this.#events.length < all.length) this.#events = renumbered(this.#events);
    };
    this.parts = [
      [all.length, project],
      [1, renumber],
    ];
  }

  get events(): readonly StoredEvent[] {
    return this.#events;
  }
}

function projected(event: StoredEvent, isHosted: (party: Party) => boolean): StoredEvent | undefined {
  const { stakeholders } = event;
  if (!event.witnesses.some(isHosted)) return undefined;
  const isSeen = (party: Party): boolean => isHosted(party) || stakeholders.includes(party);
  const witnesses = event.witnesses.every(isSeen) ? event.witnesses : event.witnesses.filter(isSeen);
  const isOurs = stakeholders.some(isHosted);
  if (isOurs && witnesses === event.witnesses) return event;
  return event.kind === "create"
    ? { ...event, witnesses, activates: event.activates && isOurs }
    : { ...event, witnesses, deactivates: event.deactivates && isOurs };
}

/** Node ids without gaps, which would tell of nodes that are not seen. */
function renumbered(events: readonly StoredEvent[]): StoredEvent[] {
  const before = events.map(({ nodeId }) => nodeId);
  return events.map((event, nodeId) =>
    event.kind === "create" ? { ...event, nodeId } : { ...event, nodeId, jsonAfter: withLastDescendant(event.jsonAfter, before) },
  );
}

function withLastDescendant(json: string, before: readonly number[]): string {
  const found = isNumbered.exec(json);
  assert(found, "an exercise tells of its last descendant first");
  return `"lastDescendantNodeId":${countUpTo(before, Number(found[1])) - 1}${json.slice(found[0].length)}`;
}

/** How many of the rising numbers are at most `last`. */
const countUpTo = (numbers: readonly number[], last: number): number => firstIndex(numbers.length, (index) => numbers[index]! > last);
