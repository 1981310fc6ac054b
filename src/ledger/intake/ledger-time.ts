/** The ledger time that a submission asks for. */
import { timestampInRange } from "../../lf/value/index.js";
import { instantText, invalidArgument, type LedgerErrorData } from "../model/index.js";
import type { CommandSubmission } from "./command-submission.js";

type AskedTime = Pick<CommandSubmission, "minLedgerTimeAbs" | "minLedgerTimeRel">;

export const askedLedgerTime = ({ minLedgerTimeAbs, minLedgerTimeRel }: AskedTime, now: bigint): bigint =>
  minLedgerTimeAbs ?? (minLedgerTimeRel === undefined ? now : now + minLedgerTimeRel);

/** One before now asks for nothing, however long ago. */
export function ledgerTimeProblem(asked: AskedTime, now: bigint): LedgerErrorData | undefined {
  const time = askedLedgerTime(asked, now);
  return time <= now || timestampInRange(time)
    ? undefined
    : invalidArgument(`Can not represent command ledger time ${timeText(time)} as a Daml timestamp`);
}

const dateMicrosMax = 8_640_000_000_000_000_000_000n;

/** Years of more than four digits have a sign. */
export const timeText = (micros: bigint): string =>
  micros > dateMicrosMax || micros < -dateMicrosMax
    ? `${micros / 1_000_000n} seconds after 1970-01-01T00:00:00Z`
    : instantText(micros).replace(/^\+0+/, "+");
