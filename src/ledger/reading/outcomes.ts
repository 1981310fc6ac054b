/** What became of submissions, without regard to user and party: for readers that tell of the whole ledger. */
import { fail, ok, type Result } from "../../base/result.js";
import { acceptedUpdateId, decodeCompletion } from "../records/index.js";
import { acceptedStatus, type LedgerErrorData, type Offset, type Party } from "../model/index.js";
import { checkNotPruned, type ReadContext } from "./updates.js";

export interface OutcomesRequest {
  readonly beginExclusive: Offset;
  readonly limit: number;
  readonly descending?: boolean;
}

export interface SubmissionOutcome {
  readonly offset: Offset;
  /** Microseconds. */
  readonly recordTime: bigint;
  readonly actAs: readonly Party[];
  /** "" when rejected. */
  readonly updateId: string;
  /** gRPC status; code 0 = accepted. */
  readonly status: { readonly code: number; readonly message: string };
}

/** `descending`: the newest ones behind `beginExclusive`. */
export function readOutcomes(
  context: ReadContext,
  { beginExclusive, limit, descending = false }: OutcomesRequest,
): Result<readonly SubmissionOutcome[], LedgerErrorData> {
  const { tables, ledgerEnd, pruning } = context,
    end = ledgerEnd.offset;
  const gone = checkNotPruned("outcomes", { from: beginExclusive, to: end }, pruning.offset);
  if (gone) return fail(gone);
  const range = descending ? { start: end, end: beginExclusive, limit, reverse: true } : { start: beginExclusive + 1, end: end + 1, limit };
  return ok([...tables.completions.entries(range)].map(({ key, value }) => outcomeOf(context, key, value)));
}

interface StoredCompletion {
  readonly updateId: string;
  readonly status: { readonly code: number; readonly message: string };
}

function outcomeOf({ parties }: ReadContext, offset: Offset, record: Buffer): SubmissionOutcome {
  const marks = decodeCompletion(record, offset),
    { bytes, start, end, recordTime } = marks;
  const actAs = marks.actAs.map((number) => parties.byNumber(number).party),
    accepted = acceptedUpdateId(marks);
  if (accepted !== undefined) return { offset, recordTime, actAs, updateId: accepted, status: acceptedStatus };
  const { completionResponse } = JSON.parse(bytes.toString("utf8", start, end)) as {
    completionResponse: { Completion: { value: StoredCompletion } };
  };
  const {
    updateId,
    status: { code, message },
  } = completionResponse.Completion.value;
  return { offset, recordTime, actAs, updateId, status: { code, message } };
}
