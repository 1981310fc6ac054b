/** A 64 bit integer as it came: a number, or a bigint where a number would not have all of its digits. */
export type Int64 = number | bigint;

export const int64Of = (digits: string): Int64 => (isExact(digits) ? Number(digits) : BigInt(digits));

/** Whether a number has all of its digits. */
export const isExact = (digits: string): boolean => Number.isSafeInteger(Number(digits));
