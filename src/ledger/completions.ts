/** Streams of completions of one user (or all) and some parties (or all). */
import type { Cursor, ElementWriter } from "../base/element-writer.js";
import { damaged } from "../base/damage.js";
import { fail, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import { placeText } from "../store/index.js";
import { CheckpointSchedule } from "./checkpoints.js";
import { decodeCompletion, type CompletionMarks } from "./completion-record.js";
import { proveCompletions } from "./log-gaps.js";
import { missingField, negativeOffset, offsetAfterLedgerEnd } from "./errors.js";
import type { LedgerErrorData, Offset, Party } from "./model.js";
import { whileLogging } from "./request-log.js";
import { checkNotPruned, writeCheckpoint, type ReadContext } from "./updates.js";

export interface CompletionsRequest { readonly userId: string | undefined; readonly parties: readonly Party[]; readonly beginExclusive: Offset }

function requestProblem(context: ReadContext, { userId, parties, beginExclusive }: CompletionsRequest): LedgerErrorData | undefined {
  if (userId !== undefined && parties.length === 0) return missingField("parties");
  if (beginExclusive < 0) return negativeOffset("begin_exclusive", beginExclusive);
  const end = context.ledgerEnd.offset;
  if (beginExclusive > end) return offsetAfterLedgerEnd("Begin", beginExclusive, end);
  return checkNotPruned("completions", { from: beginExclusive, to: end }, context.pruning.offset);
}

const comma = Buffer.from(",");

export class CompletionsCursor implements Cursor<LedgerErrorData> {
  readonly #context: ReadContext;
  readonly #request: CompletionsRequest;
  readonly #checkpoints: CheckpointSchedule;
  #position: Offset;
  #ended = false;
  #failure: LedgerErrorData | undefined;

  private constructor(context: ReadContext, request: CompletionsRequest) {
    this.#context = context;
    this.#request = request;
    this.#position = request.beginExclusive;
    this.#checkpoints = new CheckpointSchedule(Date.now);
  }

  /** Without a user all completions of the parties are given, without parties those of everyone; with a user parties are needed. */
  static open(context: ReadContext, request: CompletionsRequest): Result<Cursor<LedgerErrorData>, LedgerErrorData> {
    const problem = requestProblem(context, request);
    return problem ? fail(whileLogging(problem)) : ok(new CompletionsCursor(context, request));
  }

  get ended(): boolean { return this.#ended; }
  get failure(): LedgerErrorData | undefined { return this.#failure; }

  read(max: number, out: ElementWriter): number | Promise<number> {
    if (this.#isOvertaken()) return 0;
    for (let batches = 0; batches < limits.streamEmptyBatchesMax; batches++) {
      const end = this.#context.ledgerEnd.offset, size = Math.min(max, limits.streamBatchElements);
      const offsets = this.#scan(end, size);
      let written = 0;
      for (const offset of offsets) {
        if (this.#write(offset, out)) written++;
        this.#position = offset;
      }
      if (offsets.length < size) this.#position = Math.max(end, this.#position);
      if (written > 0) return written;
      if (offsets.length < size) return this.#caughtUp(out);
    }
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.read(max, out));
  }

  /** Whether what is still to be read was pruned meanwhile. */
  #isOvertaken(): boolean {
    const gone = checkNotPruned("completions", { from: this.#position, to: this.#context.ledgerEnd.offset }, this.#context.pruning.offset);
    if (!gone) return false;
    this.#failure = whileLogging(gone);
    this.#ended = true;
    return true;
  }

  #scan(end: Offset, limit: number): readonly Offset[] {
    const { completions, completionIndex } = this.#context.tables;
    const first = this.#position + 1;
    if (this.#request.parties.length === 0) {
      const offsets = completions.keys({ start: first, end: end + 1, limit });
      proveCompletions(this.#context.tables, offsets, { low: first, high: end, descending: false, complete: offsets.length < limit });
      return offsets;
    }
    const all = new Set<Offset>();
    for (const number of this.#numbers()) {
      for (const key of completionIndex.keys({ start: { party: number, offset: first }, end: { party: number, offset: end + 1 }, limit })) all.add(key.offset);
    }
    // Each range gave its first `limit`, so the first `limit` of their union are certain.
    return [...all].sort((a, b) => a - b).slice(0, limit);
  }

  #numbers(): number[] {
    return this.#request.parties.map((party) => this.#context.parties.get(party)?.number).filter((number) => number !== undefined);
  }

  #write(offset: Offset, out: ElementWriter): boolean {
    const record = this.#context.tables.completions.readShared(offset);
    if (!record) throw damaged(placeText("completions", { offset }), "the index leads here, but there is no completion");
    const completion = decodeCompletion(record, offset);
    if (this.#request.userId !== undefined && completion.userId !== this.#request.userId) return false;
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

  #visibleParties(completion: CompletionMarks): readonly number[] {
    if (this.#request.parties.length === 0) return completion.actAs;
    const asked = new Set(this.#numbers());
    return completion.actAs.filter((number) => asked.has(number));
  }

  #caughtUp(out: ElementWriter): number {
    const { ledgerEnd } = this.#context;
    if (this.#position !== ledgerEnd.offset || !this.#checkpoints.take(this.#position)) return 0;
    writeCheckpoint(out, "completionResponse", this.#position, ledgerEnd.recordTime, this.#context.synchronizerId);
    return 1;
  }

  wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const concern = this.#request.parties.length === 0 ? "all" : new Set(this.#numbers());
    return this.#context.ledgerEnd.waitBehind(this.#position, concern, Math.min(timeoutMs, this.#checkpoints.dueInMs), signal);
  }

  close(): void { this.#ended = true; }
}
