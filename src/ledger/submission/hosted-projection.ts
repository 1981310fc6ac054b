/**
 * What one participant sees of a transaction: the events with a witness that it hosts, and all of what it submits, for whomever. Who else
 * witnesses them shows by what it sees: each event's own informees, and those of what it sees above; of an exercise that it does not see it
 * does not know whom that informs. Contracts of others are not active there, though the transaction tells of them. It numbers the nodes
 * that it sees, also those without events.
 */
import { assert } from "../../base/assert.js";
import { firstIndex } from "../../base/first-index.js";
import type { InterpretedTransaction } from "../interpretation/index.js";
import type { Party, StoredEvent } from "../model/index.js";
import type { PartyRegistry } from "../parties/index.js";
import type { Part } from "./transaction-writing.js";

const isNumbered = /^"lastDescendantNodeId":(\d+)/;

/** An exercise that is seen, while what is below it goes by. */
interface Above {
  /** Node id of its last descendant. */
  readonly last: number;
  readonly witnesses: readonly Party[];
  /** Nobody else witnesses it either, so that what is below has all of its witnesses, too. */
  readonly isWhole: boolean;
}

/** What there is to be seen of a transaction. */
export type SeenTransaction = Pick<InterpretedTransaction, "events" | "untoldNodes">;

/** A participant, as one that sees a transaction. */
export interface Seeing {
  readonly parties: PartyRegistry;
  /** Number of the one where the transaction is. */
  readonly synchronizer: number;
  readonly isSubmitter: boolean;
}

export class HostedProjection {
  #events: StoredEvent[] = [];
  readonly #above: Above[] = [];
  readonly #isHosted: (party: Party) => boolean;
  readonly #isSubmitter: boolean;
  /** What has to be done before `events` can be read. */
  readonly parts: readonly Part[];

  constructor({ events: all, untoldNodes }: SeenTransaction, { parties, synchronizer, isSubmitter }: Seeing) {
    this.#isSubmitter = isSubmitter;
    this.#isHosted = (party) => parties.get(party)?.hostedOn.includes(synchronizer) === true;
    const project = (index: number): void => this.#project(all[index]!);
    const renumber = (): void => {
      // Who sees all events sees all roots, and so everything.
      if (this.#events.length < all.length) this.#events = renumbered(this.#events, this.#numbersBefore(untoldNodes));
    };
    this.parts = [
      [all.length, project],
      [1, renumber],
    ];
  }

  get events(): readonly StoredEvent[] {
    return this.#events;
  }

  /** Of all nodes that are seen, rising. */
  #numbersBefore(untoldNodes: SeenTransaction["untoldNodes"]): readonly number[] {
    const numbers = this.#events.map(({ nodeId }) => nodeId);
    for (const { witnesses, nodeIds } of untoldNodes) if (witnesses.some(this.#isHosted)) for (const id of nodeIds) numbers.push(id);
    return numbers.sort((left, right) => left - right);
  }

  #project(event: StoredEvent): void {
    const above = this.#nearest(event.nodeId);
    if (above === undefined && !this.#isSubmitter && !event.witnesses.some(this.#isHosted)) return;
    const witnesses = witnessesSeen(event, above);
    if (event.kind === "exercise") this.#descend(event, { witnesses, isWhole: witnesses === event.witnesses });
    const isOurs = event.stakeholders.some(this.#isHosted);
    if (isOurs && witnesses === event.witnesses) this.#events.push(event);
    else
      this.#events.push(
        event.kind === "create"
          ? { ...event, witnesses, activates: event.activates && isOurs }
          : { ...event, witnesses, deactivates: event.deactivates && isOurs },
      );
  }

  /** The exercise right above a node, if it is seen: who sees one sees all below it. */
  #nearest(nodeId: number): Above | undefined {
    while (this.#above.length > 0 && this.#above[this.#above.length - 1]!.last < nodeId) this.#above.pop();
    return this.#above[this.#above.length - 1];
  }

  #descend({ nodeId, jsonAfter }: StoredEvent, seen: Omit<Above, "last">): void {
    const last = lastDescendantOf(jsonAfter).nodeId;
    if (last > nodeId) this.#above.push({ last, ...seen });
  }
}

/** The same list where those are all. */
function witnessesSeen({ witnesses, informees }: StoredEvent, above: Above | undefined): readonly Party[] {
  if (informees === undefined || above?.isWhole === true) return witnesses;
  const seen = new Set([...informees, ...(above?.witnesses ?? [])]);
  return seen.size === witnesses.length ? witnesses : [...seen].sort();
}

/** Node ids without gaps for nodes that are not seen. */
function renumbered(events: readonly StoredEvent[], before: readonly number[]): StoredEvent[] {
  return events.map((event) => {
    const nodeId = countUpTo(before, event.nodeId) - 1;
    return event.kind === "create" ? { ...event, nodeId } : { ...event, nodeId, jsonAfter: withLastDescendant(event.jsonAfter, before) };
  });
}

function withLastDescendant(json: string, before: readonly number[]): string {
  const { nodeId, member } = lastDescendantOf(json);
  return `"lastDescendantNodeId":${countUpTo(before, nodeId) - 1}${json.slice(member.length)}`;
}

/** Of an exercise, by the members behind its witnesses. */
function lastDescendantOf(json: string): { readonly nodeId: number; readonly member: string } {
  const found = isNumbered.exec(json);
  assert(found, "an exercise tells of its last descendant first");
  return { nodeId: Number(found[1]), member: found[0] };
}

/** How many of the rising numbers are at most `last`. */
const countUpTo = (numbers: readonly number[], last: number): number => firstIndex(numbers.length, (index) => numbers[index]! > last);
