/**
 * All of a transaction that it depends on whether a reader gets it as it lies in its record: the transactions of a ledger are of few kinds.
 * Most readers get most transactions so, and where the kind is known nothing of the record needs to be read.
 */
import { limits } from "../../config.js";
import { type EventMarks, type EventTraits, isTransactionOf, PartyLists, transactionKind, UpdateMarks } from "../records/index.js";

export interface UpdateKind {
  readonly submitters: readonly number[];
  readonly events: readonly EventTraits[];
}

export class UpdateKinds {
  readonly #parties: PartyLists;
  readonly #known = new Map<string, UpdateKind>();
  /** Those that were asked for last, the last one first: whoever reads a history asks for the same few again and again. */
  readonly #recent: UpdateKind[] = [];

  constructor(parties: PartyLists) {
    this.#parties = parties;
  }

  /**
   * Of an unsealed record that begins at `head`, equal ones as one object. Undefined of what has none: other updates, and transactions with
   * so much in them that few are alike.
   */
  of(record: Buffer, head = 0): UpdateKind | undefined {
    const recent = this.#recent;
    for (let index = 0; index < recent.length; index++) {
      const kind = recent[index]!;
      if (!isTransactionOf(record, head, kind.submitters, kind.events)) continue;
      for (let at = index; at > 0; at--) recent[at] = recent[at - 1]!;
      return (recent[0] = kind);
    }
    const kind = this.#find(new UpdateMarks(record, head, this.#parties));
    if (kind !== undefined && recent.unshift(kind) > limits.updateKindsRecentMax) recent.pop();
    return kind;
  }

  #find(update: UpdateMarks): UpdateKind | undefined {
    const { kind, eventCount, submitters } = update;
    if (kind !== transactionKind || eventCount === 0 || eventCount > limits.updateKindEventsMax) return undefined;
    const { events } = update,
      parties = events.reduce((sum, { witnesses, stakeholders }) => sum + witnesses.length + stakeholders.length, submitters.length);
    if (parties > limits.updateKindPartiesMax) return undefined;
    const name = [submitters.join(), ...events.map(nameOf)].join(";"),
      known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#known.size >= limits.updateKindsKeptMax) this.#known.clear();
    const made = { submitters, events: events.map(traitsOf) };
    this.#known.set(name, made);
    return made;
  }
}

const nameOf = ({ flags, template, stakeholders, witnesses }: EventMarks): string =>
  `${flags}/${template}/${stakeholders.join()}/${witnesses === stakeholders ? "" : witnesses.join()}`;

/** Without the record that they were read from. */
const traitsOf = ({ flags, isCreate, changesActiveContracts, template, stakeholders, witnesses }: EventMarks): EventTraits => ({
  flags,
  isCreate,
  changesActiveContracts,
  template,
  stakeholders,
  witnesses,
});
