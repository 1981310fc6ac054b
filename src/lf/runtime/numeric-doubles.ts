/**
 * Products and quotients of Numerics whose digits fit doubles, exactly and without big integers. The product of two doubles
 * is held as its rounded value and the error of the rounding (T. J. Dekker, A floating-point technique for extending the
 * available precision, 1971), so that the remainder of a guessed quotient comes out exactly.
 */

/** Powers of ten that leave room for twice a remainder below 2^53. */
export const safePowerMax = 15;
export const safePowers: readonly number[] = Array.from({ length: safePowerMax + 1 }, (_, exponent) => 10 ** exponent);
const divisorMax = 10 ** safePowerMax;
/** With a smaller quotient the guess is at most two off. */
const quotientMax = 2 ** 50;

/** Added and taken away again, it leaves of a smaller number the nearest integer. */
const integerBoundary = 1.5 * 2 ** 52;
/** Twice what the rounding of a product and of its quotient can come to, as a part of the quotient. */
const roundingsMax = 2 ** -51;

/**
 * The nearest integer to product / divisor; NaN where the roundings of both might decide between two. `product` may be a rounded one,
 * of two safe integers, the divisor is a safe integer and not 0.
 */
export const clearQuotient = (product: number, divisor: number): number => {
  const quotient = product / divisor;
  const nearest = quotient + integerBoundary - integerBoundary;
  const size = Math.abs(quotient);
  return size < quotientMax && Math.abs(quotient - nearest) + size * roundingsMax < 0.5 ? nearest : NaN;
};

/** a * b / divisor, rounded half-even; undefined where this is out of reach. All are safe integers, the divisor is positive. */
export const multiplyThenDivide = (a: number, b: number, divisor: number): number | undefined => {
  const product = a * b;
  let quotient = Math.round(product / divisor);
  if (divisor > divisorMax || quotient > quotientMax || quotient < -quotientMax) return undefined;
  const back = quotient * divisor;
  // Both differences are of near neighbours or of small integers: no rounding.
  let rest = product - back + (productError(a, b, product) - productError(quotient, divisor, back));
  for (; 2 * rest > divisor || (2 * rest === divisor && quotient % 2 !== 0); rest -= divisor) quotient += 1;
  for (; 2 * rest < -divisor || (2 * rest === -divisor && quotient % 2 !== 0); rest += divisor) quotient -= 1;
  return quotient + 0; // never -0
};

/** Splits 53 bits into two halves. */
const splitter = 2 ** 27 + 1;

/** What the rounding of a * b to `product` left out. */
const productError = (a: number, b: number, product: number): number => {
  const scaledA = splitter * a,
    scaledB = splitter * b;
  const highA = scaledA - (scaledA - a),
    highB = scaledB - (scaledB - b);
  const lowA = a - highA,
    lowB = b - highB;
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
};
