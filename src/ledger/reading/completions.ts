/** Streams of completions of one user (or all) and some parties (or all). */
import type { Cursor, ElementWriter } from "../../base/element-writer.js";
import { damaged } from "../../base/damage.js";
import { fail, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import { placeText, type Tables } from "../../store/index.js";
import { CheckpointSchedule } from "./checkpoints.js";
import {
  type CompletionMarks,
  isOfUser,
  marksOfCompletion,
  type Piece,
  readOffsets,
  unsealCompletion,
  userBytes,
} from "../records/index.js";
import {
  invalidArgument,
  invalidField,
  type LedgerErrorData,
  missingField,
  negativeOffset,
  type Offset,
  type AskedOffset,
  offsetAfterLedgerEnd,
  type Outcome,
  type Party,
  partiesProblem,
  userIdProblem,
  whileLogging,
} from "../model/index.js";
import { proveCompletions } from "./log-gaps.js";
import { MergedRanges } from "./merged-ranges.js";
import { NumberedParties } from "../parties/index.js";
import { checkNotPruned } from "./pruned.js";
import type { ReadContext } from "./read-context.js";
import { ascending, offsetPieces } from "./update-scan.js";

export interface CompletionsRequest {
  readonly userId: string | undefined;
  readonly parties: readonly Party[];
  readonly beginExclusive: AskedOffset;
}

function requestProblem(context: ReadContext, { userId, parties, beginExclusive }: CompletionsRequest): LedgerErrorData | undefined {
  const ofUser = userId === undefined ? undefined : userIdProblem(userId);
  if (ofUser !== undefined) return invalidField("user_id", ofUser);
  const ofParties = partiesProblem(parties);
  if (ofParties !== undefined) return invalidArgument(ofParties);
  if (beginExclusive < 0) return negativeOffset("begin_exclusive", beginExclusive);
  const end = context.ledgerEnd.offset;
  if (beginExclusive > end) return offsetAfterLedgerEnd("Begin", beginExclusive, end);
  if (userId !== undefined && parties.length === 0) return missingField("parties");
  return checkNotPruned("completions", { from: Number(beginExclusive), to: end }, context.pruning.offset);
}

const comma = Buffer.from(",");

type Keys = (from: Offset, before: Offset, limit: number) => readonly Offset[];
const keysOfAll =
  (tables: Tables): Keys =>
  (start, end, limit) => {
    const offsets = tables.completions.keys({ start, end, limit });
    proveCompletions(tables, offsets, { low: start, high: end - 1, descending: false, complete: offsets.length < limit });
    return offsets;
  };
const keysOfParty =
  ({ completionIndex }: Tables, party: number): Keys =>
  (from, before, limit) =>
    readOffsets(completionIndex, { party }, { from, to: before - 1 }, limit);

export class CompletionsCursor implements Cursor<LedgerErrorData> {
  readonly #context: ReadContext;
  /** As records have it. */
  readonly #user: Uint8Array | undefined;
  readonly #checkpoints: CheckpointSchedule;
  readonly #parties: NumberedParties;
  #position: Offset;
  /** Up to the ledger's end when it began, which is `lastOffset`. */
  #search: { readonly offsets: MergedRanges<Offset>; readonly lastOffset: Offset } | undefined;
  #ended = false;
  #failure: LedgerErrorData | undefined;

  private constructor(context: ReadContext, request: CompletionsRequest) {
    this.#context = context;
    this.#user = request.userId === undefined ? undefined : userBytes(request.userId);
    this.#position = Number(request.beginExclusive);
    this.#checkpoints = new CheckpointSchedule();
    this.#parties = new NumberedParties(request.parties, context.parties);
  }

  /** Without a user all completions of the parties are given, without parties those of everyone; with a user parties are needed. */
  static open(context: ReadContext, request: CompletionsRequest): Outcome<Cursor<LedgerErrorData>> {
    const problem = requestProblem(context, request);
    return problem ? fail(whileLogging(problem)) : ok(new CompletionsCursor(context, request));
  }

  get ended(): boolean {
    return this.#ended;
  }
  get failure(): LedgerErrorData | undefined {
    return this.#failure;
  }

  /** Gives way where the turn is over, also while nothing is found. */
  read(max: number, out: ElementWriter): number | Promise<number> {
    return this.#context.turns.isOver ? this.#readLater(max, out) : this.#readNow(max, out);
  }

  async #readLater(max: number, out: ElementWriter): Promise<number> {
    await this.#context.turns.next();
    return this.#ended || out.mayBegin?.() === false ? 0 : this.#readNow(max, out);
  }

  #readNow(max: number, out: ElementWriter): number | Promise<number> {
    do {
      if (this.#isOvertaken()) return 0;
      const { offsets, lastOffset } = (this.#search ??= this.#beginSearch());
      const written = this.#writeAll(offsets.step(Math.min(max, limits.streamBatchElements)), out);
      if (offsets.isAtEnd) {
        this.#search = undefined;
        this.#position = Math.max(lastOffset, this.#position);
        return written > 0 ? written : this.#checkpoints.writeDue(out, "completionResponse", this.#position, this.#context);
      }
      if (written > 0) return written;
    } while (!this.#context.turns.isOver);
    return this.#readLater(max, out);
  }

  #writeAll(offsets: readonly Offset[], out: ElementWriter): number {
    let written = 0;
    for (const offset of offsets) {
      if (this.#write(offset, out)) written++;
      this.#position = offset;
    }
    return written;
  }

  #beginSearch(): { readonly offsets: MergedRanges<Offset>; readonly lastOffset: Offset } {
    const { tables, ledgerEnd } = this.#context,
      begin = this.#position,
      lastOffset = ledgerEnd.offset;
    // Without parties everybody's; and where there are fewer completions than parties all are looked at.
    const isAll = this.#parties.isAny || lastOffset - begin <= this.#parties.numbers.size;
    const keysOf = isAll ? [keysOfAll(tables)] : [...this.#parties.numbers].map((party) => keysOfParty(tables, party));
    const readers = keysOf.map((keys) => (after: Offset | undefined, limit: number): Piece<Offset> => {
      const items = keys((after ?? begin) + 1, lastOffset + 1, limit);
      return { items, reached: items.length === limit ? items[limit - 1] : undefined };
    });
    return { offsets: new MergedRanges(readers, ascending, offsetPieces), lastOffset };
  }

  /** Whether what is still to be read was pruned meanwhile. */
  #isOvertaken(): boolean {
    const gone = checkNotPruned("completions", { from: this.#position, to: this.#context.ledgerEnd.offset }, this.#context.pruning.offset);
    if (!gone) return false;
    this.#failure = whileLogging(gone);
    this.#ended = true;
    return true;
  }

  #write(offset: Offset, out: ElementWriter): boolean {
    const record = this.#context.tables.completions.readShared(offset);
    if (!record) throw damaged(placeText("completions", { offset }), "the index leads here, but there is no completion");
    unsealCompletion(record, offset); // also of another's: that it is his is not to be believed before
    if (this.#user !== undefined && !isOfUser(record, this.#user)) return false;
    const completion = marksOfCompletion(record);
    const actAs = this.#visibleParties(completion);
    if (actAs.length === 0) return false;
    out.begin();
    out.bytes(record.subarray(completion.start, completion.actAsSlot));
    actAs.forEach((number, index) => {
      if (index > 0) out.bytes(comma);
      out.bytes(this.#context.parties.jsonOf(number));
    });
    out.bytes(record.subarray(completion.actAsSlot, completion.end));
    out.end();
    return true;
  }

  #visibleParties({ actAs }: CompletionMarks): readonly number[] {
    if (this.#parties.isAny) return actAs;
    const asked = this.#parties.numbers;
    return actAs.filter((number) => asked.has(number));
  }

  wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const { isAny, numbers } = this.#parties,
      concern = isAny || numbers.size > limits.concernedPartiesMax ? "all" : numbers;
    return this.#context.ledgerEnd.waitBehind(this.#position, concern, Math.min(timeoutMs, this.#checkpoints.dueInMs), signal);
  }

  close(): void {
    this.#ended = true;
  }
}
