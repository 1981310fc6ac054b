/** What became of submissions, without regard to user and party: for readers that tell of the whole ledger. */
import { fail, ok } from "../../base/result.js";
import type { Tables } from "../../store/index.js";
import { acceptedUpdateId, decodeCompletion, kindOf, topologyKind } from "../records/index.js";
import { acceptedStatus, offsetOfUpdateId, type Offset, type Outcome, type Party } from "../model/index.js";
import { checkNotPruned } from "./pruned.js";
import type { ReadContext } from "./read-context.js";

export interface OutcomesRequest {
  readonly beginExclusive: Offset;
  /** Left out: what is there. */
  readonly endInclusive?: Offset;
  readonly limit: number;
  readonly descending?: boolean;
}

export interface SubmissionOutcome {
  readonly offset: Offset;
  /** Microseconds. */
  readonly recordTime: bigint;
  /** The participant where it was submitted. */
  readonly participantId: string;
  /** Empty where another participant pruned what it knew of its submission. */
  readonly actAs: readonly Party[];
  /** "" when rejected. */
  readonly updateId: string;
  /** gRPC status; code 0 = accepted. */
  readonly status: { readonly code: number; readonly message: string };
}

/** Where submissions and their ends are known. */
interface Submitter extends Pick<ReadContext, "parties"> {
  readonly participantId: string;
  readonly tables: Pick<Tables, "completions">;
}

export interface OutcomesContext extends ReadContext {
  readonly participantId: string;
  /** The participants beside this one: transactions that were submitted there have their completions there. */
  readonly others: readonly Submitter[];
}

/** Of what was submitted here, and of transactions and reassignments that others submitted and somebody here sees. `descending`: the newest ones. */
export function readOutcomes(
  context: OutcomesContext,
  { beginExclusive, endInclusive = Infinity, limit, descending = false }: OutcomesRequest,
): Outcome<readonly SubmissionOutcome[]> {
  const { tables, ledgerEnd, pruning, others } = context,
    end = Math.min(endInclusive, ledgerEnd.offset);
  const gone = checkNotPruned("outcomes", { from: beginExclusive, to: ledgerEnd.offset }, pruning.offset);
  if (gone) return fail(gone);
  const range = descending ? { start: end, end: beginExclusive, limit, reverse: true } : { start: beginExclusive + 1, end: end + 1, limit };
  const own = [...tables.completions.entries(range)];
  if (others.length === 0) return ok(own.map(({ key, value }) => outcomeOf(context, key, value)));
  return ok(
    withThoseOfOthers(context, own, { first: descending ? end : beginExclusive + 1, last: descending ? beginExclusive + 1 : end, limit }),
  );
}

/** Offsets have no gaps: one without a completion has an update that was not submitted here. */
function withThoseOfOthers(
  context: OutcomesContext,
  own: readonly { readonly key: Offset; readonly value: Buffer }[],
  { first, last, limit }: { readonly first: Offset; readonly last: Offset; readonly limit: number },
): readonly SubmissionOutcome[] {
  const step = first <= last ? 1 : -1,
    all: SubmissionOutcome[] = [];
  let next = first;
  const addUntil = (end: Offset): void => {
    for (; next !== end && all.length < limit; next += step) {
      const outcome = outcomeElsewhere(context, next);
      if (outcome) all.push(outcome);
    }
  };
  for (const { key, value } of own) {
    addUntil(key);
    if (all.length === limit) return all;
    all.push(outcomeOf(context, key, value));
    next = key + step;
  }
  addUntil(last + step);
  return all;
}

/** Undefined: nobody submitted the update. */
function outcomeElsewhere({ tables, log, others, participantId }: OutcomesContext, offset: Offset): SubmissionOutcome | undefined {
  const record = tables.updates.readShared(offset);
  if (!record || kindOf(record) === topologyKind) return undefined;
  const { recordTime, updateId } = log.get(offset),
    accepted = { offset, recordTime, updateId, status: acceptedStatus },
    there = offsetOfUpdateId(updateId);
  for (const other of there === undefined ? [] : others) {
    const completion = other.tables.completions.read(there!);
    if (completion === undefined) continue;
    const submitted = outcomeOf(other, there!, completion);
    if (submitted.updateId === updateId) return { ...submitted, offset };
  }
  return { ...accepted, participantId, actAs: [] };
}

interface StoredCompletion {
  readonly updateId: string;
  readonly status: { readonly code: number; readonly message: string };
}

function outcomeOf({ parties, participantId }: Submitter, offset: Offset, record: Buffer): SubmissionOutcome {
  const marks = decodeCompletion(record, offset),
    { bytes, start, end, recordTime } = marks;
  const actAs = marks.actAs.map((number) => parties.byNumber(number).party),
    accepted = acceptedUpdateId(marks);
  if (accepted !== undefined) return { offset, recordTime, participantId, actAs, updateId: accepted, status: acceptedStatus };
  const { completionResponse } = JSON.parse(bytes.toString("utf8", start, end)) as {
    completionResponse: { Completion: { value: StoredCompletion } };
  };
  const {
    updateId,
    status: { code, message },
  } = completionResponse.Completion.value;
  return { offset, recordTime, participantId, actAs, updateId, status: { code, message } };
}
