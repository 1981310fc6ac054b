/**
 * Int64 at run time: a number as long as a double holds it exactly, a bigint beyond. Every integer has one form, so `===` is
 * equality, and `<` orders the two forms among each other. Numbers below 2^31 take no memory of their own in V8, and
 * arithmetic on doubles none until its result is stored.
 */
export type Int64 = number | bigint;

const safeMax = BigInt(Number.MAX_SAFE_INTEGER);

/** The one form of an integer. */
export const int64Of = (value: bigint): Int64 => (value <= safeMax && value >= -safeMax ? Number(value) : value);
