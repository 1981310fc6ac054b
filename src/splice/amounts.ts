/** Amounts and times as clients write them. */
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { timestampMax } from "../lf/value/index.js";
import { parseDecimal, plainDecimal, showDecimal, unscaled } from "./decimal.js";
import { javaInstant } from "./instants.js";
import { invalid, type Refusal } from "./refusal.js";

const pattern = /^\d{1,28}(\.\d{1,10})?$/;
const scale = 10n ** 10n;

const amountField = "amount";

/** Above zero, in smallest parts. */
export function amountOf(text: string, field = amountField): Result<bigint, Refusal> {
  const parts = pattern.test(text) ? parseDecimal(text) : 0n;
  return parts > 0n ? ok(parts) : noAmount(text, field);
}

/** The same in whatever form Java's BigDecimal reads, such as that with an exponent. */
export function wideAmountOf(text: string): Result<bigint, Refusal> {
  const [, whole = "", fraction = "", exponent = ""] = widePattern.exec(text) ?? [];
  if (whole === "" && fraction === "") return noAmount(text);
  const plain = unscaled(plainDecimal(`${whole || "0"}.${fraction || "0"}${exponent}`)).replace(/^0+(?=\d)/, ""),
    amount = amountOf(plain);
  return isFailure(amount) ? noAmount(text) : amount;
}

/** Longer ones are no amounts. */
const widePattern = /^\+?(\d{0,50})(?:\.(\d{0,50}))?(e[+-]?\d{1,10})?$/i;

const noAmount = (text: string, field = amountField): { readonly error: Refusal } =>
  invalid(`Field \`${field}\` must be a decimal above zero with at most ten digits behind the point: ${text}`);

/** What an amount of dollars is in Amulet at a price, the last digit rounded up. */
export function inAmulet(dollars: bigint, price: string): string {
  const divisor = parseDecimal(price);
  return showDecimal((dollars * scale + divisor - 1n) / divisor);
}

/** Microseconds since the epoch as a time of the ledger. */
export function timeOf(micros: number, field: string): Result<string, Refusal> {
  const isTime = Number.isSafeInteger(micros) && micros >= 0 && BigInt(micros) <= timestampMax;
  return isTime
    ? ok(javaInstant(BigInt(micros)))
    : fail(invalid(`Field \`${field}\` is no time in microseconds since 1970: ${micros}`).error);
}
