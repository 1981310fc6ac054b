/**
 * What clients saw, against the log. The node gives a total order, so checking is a linear replay. `README.md` lists the invariants.
 * Knows nothing of how the history came to be: a simulation or real clients may hand it in.
 */
import assert from "node:assert/strict";

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any;

export type Period =
  { readonly kind: "none" } | { readonly kind: "duration"; readonly micros: number } | { readonly kind: "offset"; readonly offset: number };

/** One attempt at a command. Instants are numbers that rise with whatever the clients did. */
export interface Attempt {
  readonly commandId: string;
  readonly submissionId: string;
  readonly period: Period;
  readonly invokedAt: number;
  endedAt: number;
  outcome:
    | { readonly kind: "accepted"; readonly offset: number; readonly updateId: string }
    | { readonly kind: "refused"; readonly code: string }
    /** Asynchronous: its completion tells. */
    | { readonly kind: "on its way" }
    | { readonly kind: "unknown" };
}

export interface LedgerEndSeen {
  readonly invokedAt: number;
  readonly endedAt: number;
  readonly offset: number;
}

export interface History {
  readonly attempts: readonly Attempt[];
  readonly ends: readonly LedgerEndSeen[];
  /** Of a node with another longest deduplication period than the usual. */
  readonly longestPeriodSeconds?: number | undefined;
}

/** All that the log had, also what is pruned by now, ascending. */
export interface Log {
  readonly transactions: readonly Json[];
  readonly completions: readonly Json[];
}

const microsOf = (instant: string): bigint => {
  const [, upToSecond = "", fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(instant)!;
  return BigInt(Date.parse(`${upToSecond}Z`)) * 1_000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
};

const isAccepted = ({ status }: Json): boolean => (status?.code ?? 0) === 0;

export function checkHistory({ attempts, ends, longestPeriodSeconds = usualSeconds }: History, log: Log): void {
  const transactions = new Map<number, Json>(log.transactions.map((one) => [one.offset, one]));
  const accepted = log.completions.filter(isAccepted),
    bySubmission = new Map<string, Json[]>();
  for (const completion of log.completions)
    bySubmission.set(completion.submissionId, [...(bySubmission.get(completion.submissionId) ?? []), completion]);

  rising(
    "offsets of transactions (I1)",
    log.transactions.map(({ offset }) => offset),
  );
  rising(
    "offsets of completions (I1)",
    log.completions.map(({ offset }) => offset),
  );
  rising(
    "record times (I12)",
    log.transactions.map(({ recordTime }) => microsOf(recordTime)),
  );
  ledgerEndNeverFalls(ends);

  assert.deepEqual(
    accepted.map(({ offset, updateId, commandId }) => [offset, updateId, commandId]),
    log.transactions.map(({ offset, updateId, commandId }) => [offset, updateId, commandId]),
    "every transaction has one completion that accepts it, and every such completion a transaction (I2)",
  );
  for (const attempt of attempts) outcomeHolds(attempt, transactions, bySubmission.get(attempt.submissionId) ?? []);
  for (const completions of bySubmission.values())
    assert.equal(completions.length, 1, `submission ${completions[0].submissionId} has ${completions.length} completions (I4)`);
  oncePerWindow(attempts, log.transactions, longestPeriodSeconds * microsPerSecond);
  realTimeOrder(attempts);
  endsSeeWhatWasAcknowledged(attempts, ends);
  oneArchiveEach(log.transactions);
}

function rising(what: string, values: readonly (number | bigint)[]): void {
  for (let index = 1; index < values.length; index++)
    assert.ok(values[index]! > values[index - 1]!, `${what} rise: ${values[index]} after ${values[index - 1]}`);
}

function ledgerEndNeverFalls(ends: readonly LedgerEndSeen[]): void {
  const byEnd = [...ends].sort((a, b) => a.endedAt - b.endedAt);
  let most = 0,
    next = 0;
  for (const seen of [...ends].sort((a, b) => a.invokedAt - b.invokedAt)) {
    for (; next < byEnd.length && byEnd[next]!.endedAt < seen.invokedAt; next++) most = Math.max(most, byEnd[next]!.offset);
    assert.ok(seen.offset >= most, `the ledger end fell from ${most} to ${seen.offset} (I1)`);
  }
}

function outcomeHolds(
  { outcome, commandId, submissionId }: Attempt,
  transactions: ReadonlyMap<number, Json>,
  completions: readonly Json[],
): void {
  const what = `${commandId} by ${submissionId}`;
  if (outcome.kind === "accepted") {
    const transaction = transactions.get(outcome.offset);
    assert.ok(transaction, `${what} was acknowledged at ${outcome.offset}, where there is nothing (I2)`);
    assert.deepEqual(
      [transaction.updateId, transaction.commandId],
      [outcome.updateId, commandId],
      `${what}: what is at ${outcome.offset} is not what was acknowledged (I2)`,
    );
    assert.deepEqual(
      completions.map(({ offset }) => offset),
      [outcome.offset],
      `${what}: its completion (I2)`,
    );
  }
  if (outcome.kind === "refused")
    assert.ok(!completions.some(isAccepted), `${what} was refused with ${outcome.code}, but took effect (I3)`);
}

const usualSeconds = 7 * 24 * 3600,
  microsPerSecond = 1_000_000;

/** Attempts of a change have the same period. */
function oncePerWindow(attempts: readonly Attempt[], transactions: readonly Json[], longestMicros: number): void {
  const periods = new Map(attempts.map(({ commandId, period }) => [commandId, period])),
    effects = new Map<string, Json[]>();
  for (const transaction of transactions) effects.set(transaction.commandId, [...(effects.get(transaction.commandId) ?? []), transaction]);
  for (const [commandId, all] of effects) {
    const period = periods.get(commandId);
    assert.ok(period, `${commandId} took effect, but nobody asked for it (I2)`);
    for (let index = 1; index < all.length; index++) {
      const [before, after] = [all[index - 1], all[index]],
        apart = microsOf(after.recordTime) - microsOf(before.recordTime);
      const isFree =
        period.kind === "offset"
          ? before.offset <= period.offset
          : apart >= BigInt(Math.min(longestMicros, period.kind === "duration" ? period.micros : Infinity));
      assert.ok(isFree, `${commandId} took effect at ${before.offset} and at ${after.offset}, inside its window (I5)`);
    }
  }
}

/** Acknowledged before another was invoked: before it in the log. */
function realTimeOrder(attempts: readonly Attempt[]): void {
  const known = attempts.flatMap(({ invokedAt, endedAt, outcome, commandId }) =>
    outcome.kind === "accepted" ? [{ invokedAt, endedAt, offset: outcome.offset, commandId }] : [],
  );
  const byEnd = [...known].sort((a, b) => a.endedAt - b.endedAt);
  let last: (typeof known)[number] | undefined,
    next = 0;
  for (const one of [...known].sort((a, b) => a.invokedAt - b.invokedAt)) {
    for (; next < byEnd.length && byEnd[next]!.endedAt < one.invokedAt; next++)
      if (last === undefined || byEnd[next]!.offset > last.offset) last = byEnd[next]!;
    assert.ok(
      last === undefined || one.offset > last.offset,
      `${one.commandId} has offset ${one.offset}, but ${last?.commandId} at ${last?.offset} was acknowledged before it was sent (I7)`,
    );
  }
}

function endsSeeWhatWasAcknowledged(attempts: readonly Attempt[], ends: readonly LedgerEndSeen[]): void {
  const latestFirst = [...ends].sort((a, b) => b.invokedAt - a.invokedAt),
    byEnd = [...attempts].sort((a, b) => b.endedAt - a.endedAt);
  let least = Infinity,
    next = 0;
  for (const { endedAt, outcome, commandId } of byEnd) {
    for (; next < latestFirst.length && latestFirst[next]!.invokedAt > endedAt; next++) least = Math.min(least, latestFirst[next]!.offset);
    if (outcome.kind !== "accepted") continue;
    assert.ok(least >= outcome.offset, `${commandId} was acknowledged at ${outcome.offset}, and later the ledger end was ${least} (I8)`);
  }
}

/** What is used was made before and is not gone. */
function oneArchiveEach(transactions: readonly Json[]): void {
  const state = new Map<string, { readonly effectiveAt: bigint; archivedAt: number | undefined }>();
  for (const { offset, effectiveAt, events } of transactions) {
    for (const event of events) {
      const created = event.CreatedEvent,
        exercised = event.ExercisedEvent;
      if (created) {
        assert.ok(!state.has(created.contractId), `contract ${created.contractId} is created again at ${offset} (I6)`);
        state.set(created.contractId, { effectiveAt: microsOf(effectiveAt), archivedAt: undefined });
        continue;
      }
      const contract = state.get(exercised.contractId);
      assert.ok(contract, `contract ${exercised.contractId} is used at ${offset}, but nobody made it (I6)`);
      assert.equal(contract.archivedAt, undefined, `contract ${exercised.contractId} is used at ${offset}, after it was archived (I6)`);
      assert.ok(
        microsOf(effectiveAt) >= contract.effectiveAt,
        `the ledger time of ${offset} is before that of a contract that it uses (I12)`,
      );
      if (exercised.consuming) contract.archivedAt = offset;
    }
  }
}
