/** Change ids: which commands were accepted lately. */
import { microsOf, microsPerSecond } from "../../base/clock.js";
import { jsonText } from "../../base/json-text.js";
import { sha256Hex } from "../../base/sha256.js";
import { limits } from "../../config.js";
import { timestampMin } from "../../lf/value/index.js";
import { RecordReader, unseal, type RecordWriter, type Tables } from "../../store/index.js";
import { type EffectiveDeduplication, ledgerError, type LedgerErrorData, type Offset, type Party } from "../model/index.js";
import type { CommandSubmission } from "./command-submission.js";

const version = 1;
const keyHexChars = 32; // 16 bytes

export interface ChangeId {
  readonly userId: string;
  readonly commandId: string;
  /** Each once. */
  readonly actAs: readonly Party[];
}

/** The same for the same parties, in whatever order. */
export function changeKey({ userId, commandId, actAs }: ChangeId): string {
  let text = `[${jsonText(userId)},${jsonText(commandId)}`;
  for (const party of actAs.length > 1 ? [...actAs].sort() : actAs) text += `,${jsonText(party)}`;
  return sha256Hex(`${text}]`).slice(0, keyHexChars);
}
export const changeText = (change: ChangeId): string => `ChangeId(${change.userId},${change.commandId},Set(${change.actAs.join(", ")}))`;

export interface Acceptance {
  readonly offset: Offset;
  readonly recordTime: bigint;
  readonly submissionId: string;
}

export const encodeAcceptance = (writer: RecordWriter, acceptance: Acceptance): Buffer =>
  writer.reset().offset(acceptance.offset).i64(acceptance.recordTime).text(acceptance.submissionId).finish(version);

export function readAcceptance(tables: Pick<Tables, "deduplication">, key: string): Acceptance | undefined {
  const record = tables.deduplication.read(key);
  return record && decodeAcceptance(record);
}

export function decodeAcceptance(record: Buffer): Acceptance {
  const reader = new RecordReader(unseal(record, version, "deduplication"));
  return { offset: reader.offset(), recordTime: reader.i64(), submissionId: reader.text() };
}

type Period = CommandSubmission["deduplication"];

/** The longest period there is, in microseconds: who asks for none, or for a longer one, has it. */
export type LongestPeriod = bigint;
export const longestPeriodOf = (seconds: number = limits.deduplicationDurationMaxSeconds): LongestPeriod => microsOf(seconds);

type Duration = Extract<Period, { kind: "duration" }>;
/** In microseconds. The nanoseconds may take away from the seconds. */
export const askedLength = ({ seconds, nanos }: Duration): bigint => microsOf(seconds) + BigInt(Math.floor(nanos / 1_000));

const lengthOf = (period: Exclude<Period, { kind: "offset" }>, longest: LongestPeriod): bigint => {
  const asked = period.kind === "none" ? longest : askedLength(period);
  return asked < longest ? asked : longest;
};

export interface DeduplicationTimes {
  readonly now: bigint;
  readonly longest: LongestPeriod;
}

/** It would begin before there is time. */
const isBoundless = (period: Period, { now }: DeduplicationTimes): period is Duration =>
  period.kind === "duration" && now - askedLength(period) < timestampMin;

/** Both ends count, which shows where time stands still. Of one without a beginning nobody can tell. */
export const isInside = (acceptance: Acceptance, period: Period, times: DeduplicationTimes): boolean =>
  period.kind === "offset"
    ? acceptance.offset > period.offset
    : !isBoundless(period, times) && acceptance.recordTime >= times.now - lengthOf(period, times.longest);

interface Asked {
  readonly change: ChangeId;
  readonly period: Period;
  /** The last one of the change. */
  readonly acceptance: Acceptance | undefined;
}

/** Acceptances up to the pruning offset may be forgotten, so where none is found none can be looked for from there on. */
export function periodProblem(
  { change, period, acceptance }: Asked,
  times: DeduplicationTimes,
  pruning: { readonly offset: Offset },
): LedgerErrorData | undefined {
  const tooEarly = (requestedPeriod: string, supported: Readonly<Record<string, string>>): LedgerErrorData =>
    ledgerError("INVALID_DEDUPLICATION_PERIOD", "The deduplication period begins too early; the context has the earliest beginning.", {
      context: { changeId: changeText(change), requestedPeriod, ...supported },
    });
  if (isBoundless(period, times)) {
    const longest = isoDuration(times.now - timestampMin);
    return tooEarly(`DeduplicationDuration(${isoDuration(askedLength(period))})`, { longest_duration: longest });
  }
  if (period.kind !== "offset" || acceptance !== undefined || period.offset >= pruning.offset) return undefined;
  const offset = period.offset === 0 ? "None" : `Some(Offset(${period.offset}))`;
  return tooEarly(`DeduplicationOffset(${offset})`, { earliest_offset: String(pruning.offset) });
}

/** As completions tell it of a command whose period could not be had. */
export const noPeriod: EffectiveDeduplication = { kind: "duration", seconds: 0, nanos: 0 };

/** In hours at most, and without what is nothing. */
export function isoDuration(micros: bigint): string {
  const [hours, minutes, rest] = [micros / 3_600_000_000n, (micros / 60_000_000n) % 60n, micros % 60_000_000n],
    fraction = String(rest % microsPerSecond)
      .padStart(6, "0")
      .replace(/0+$/, ""),
    seconds = `${rest / microsPerSecond}${fraction && `.${fraction}`}`;
  const parts = `${hours > 0n ? `${hours}H` : ""}${minutes > 0n ? `${minutes}M` : ""}${seconds === "0" ? "" : `${seconds}S`}`;
  return `PT${parts || "0S"}`;
}

/** The period that was really applied, as completions say it. */
export function effectivePeriod(
  period: Period,
  acceptance: Acceptance | undefined,
  times: DeduplicationTimes,
  pruning: { readonly offset: Offset },
): EffectiveDeduplication {
  // Everything was looked through, so the period reaches back as far as it truly can: to where the ledger begins or is pruned, to
  // an acceptance that was too old to count, or, for a duplicate, to just before the acceptance that it repeats.
  if (!acceptance) return { kind: "offset", offset: pruning.offset };
  return { kind: "offset", offset: isInside(acceptance, period, times) ? acceptance.offset - 1 : acceptance.offset };
}

/** What was signed could come again for that long behind its first use, at most: it may be prepared as far ahead as behind. */
export const signedForMicros = 2n * microsOf(limits.preparationTimeToleranceSeconds);

export const duplicateCommand = (change: ChangeId, acceptance: Acceptance): LedgerErrorData =>
  ledgerError("DUPLICATE_COMMAND", "Command submission already exists.", {
    context: {
      changeId: changeText(change),
      completion_offset: String(acceptance.offset),
      accepted: "true",
      existingSubmissionId: `Some(${acceptance.submissionId})`,
    },
  });
