/**
 * From when to when the DSO saw updates of each synchronizer. It is remembered as far as somebody looked: of a synchronizer with few
 * updates, or none, not everybody who asks goes through all history.
 */
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { LedgerErrorData, Offset, Participant, Party } from "../../ledger/index.js";
import { asIsoTime } from "../instants.js";
import { unquoted, type TransactionText } from "./event-text.js";
import { partyFormat, updateTextPages } from "./reading.js";
import type { ReassignmentText } from "./reassignment.js";

export interface Recorded {
  readonly offset: Offset;
  readonly recordTime: string;
}
export interface RecordedSpan {
  readonly first: Recorded;
  readonly last: Recorded;
}

/** By synchronizer, those that were found first coming first. */
type BySynchronizer = ReadonlyMap<string, Recorded>;

interface Known {
  readonly dso: Party;
  /** Up to here nothing was overlooked. */
  readonly to: Offset;
  readonly first: BySynchronizer;
  readonly last: BySynchronizer;
}

type Ledger = Pick<Participant, "openUpdates" | "prunedOffsets" | "ledgerEnd" | "allSynchronizers">;

interface RecordedSpansContext {
  readonly ledger: Ledger;
  readonly turns: Turns;
}

export const synchronizerOf = (update: TransactionText | ReassignmentText): string => unquoted(update.get("synchronizerId"));

export class RecordedSpans {
  readonly #context: RecordedSpansContext;
  readonly #looking = new Exclusive();
  #known: Known | undefined;

  constructor(context: RecordedSpansContext) {
    this.#context = context;
  }

  /** By synchronizer, in the order in which they were first used. */
  async of(dso: Party): Promise<Result<ReadonlyMap<string, RecordedSpan>, LedgerErrorData>> {
    const looked = await this.#looking.run(() => this.#look(dso));
    if (isFailure(looked)) return looked;
    const { first, last } = looked.ok;
    return ok(new Map([...first].map(([synchronizer, one]) => [synchronizer, { first: one, last: last.get(synchronizer) ?? one }])));
  }

  async #look(dso: Party): Promise<Result<Known, LedgerErrorData>> {
    const before = this.#stillKnown(dso) ?? { dso, to: 0, first: new Map(), last: new Map() },
      to = this.#context.ledger.ledgerEnd();
    if (to <= before.to) return ok(before);
    const first = await this.#find(before, to, before.first);
    if (isFailure(first)) return first;
    const last = await this.#find(before, to, undefined);
    if (isFailure(last)) return last;
    return ok((this.#known = { dso, to, first: first.ok, last: new Map([...before.last, ...last.ok]) }));
  }

  /** What was pruned is none of it any more. */
  #stillKnown(dso: Party): Known | undefined {
    const known = this.#known,
      pruned = this.#context.ledger.prunedOffsets().participantPrunedUpToInclusive;
    return known?.dso === dso && [...known.first.values()].every(({ offset }) => offset > pruned) ? known : undefined;
  }

  /** From where somebody looked before: the first of each that is not `found` yet, or, where that is undefined, the last of each. */
  async #find({ dso, to: after }: Known, to: Offset, found: BySynchronizer | undefined): Promise<Result<BySynchronizer, LedgerErrorData>> {
    const { length } = this.#context.ledger.allSynchronizers,
      times = new Map(found),
      span = {
        format: partyFormat({ [dso]: { cumulative: [] } }),
        after,
        to,
        descending: found === undefined,
        pageSize: length === 1 ? 1 : limits.scanPageElementsMax,
      };
    if (times.size >= length) return ok(times);
    for await (const page of updateTextPages(this.#context, span)) {
      if (isFailure(page)) return page;
      for (const update of page.ok) {
        const synchronizer = synchronizerOf(update);
        if (!times.has(synchronizer))
          times.set(synchronizer, { offset: update.offset, recordTime: asIsoTime(unquoted(update.get("recordTime"))) });
      }
      if (times.size >= length) break;
    }
    return ok(times);
  }
}
