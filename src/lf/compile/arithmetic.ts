/**
 * Int64 arithmetic in place: on doubles while both arguments and the result are safe integers, by the runtime's function
 * otherwise. V8 learns of each place by itself which numbers it sees; a shared function would see those of all packages.
 */
import type { Runtime } from "./runtime.js";
import type { Body } from "./body.js";
import { emitOperands, isNumber, typeTests } from "./operand.js";
import { sequence } from "./sequence.js";

const helpers: Readonly<Record<string, keyof Runtime>> = {
  ADD_INT64: "addInt64",
  SUB_INT64: "subInt64",
  MUL_INT64: "mulInt64",
  DIV_INT64: "divInt64",
  MOD_INT64: "modInt64",
};

export const emitArithmetic = (body: Body, name: string, args: readonly string[]): string | undefined => {
  const helper = helpers[name];
  if (helper === undefined) return undefined;
  const { prefix, names } = emitOperands(body, args);
  const [a, b] = names as [string, string];
  const { test, result } = overDoubles(body, name, a, b);
  const condition = [...typeTests(names), ...test].join(" && ");
  const code = condition === "" ? result : `${condition} ? ${result} : ${body.unit.helper(helper)}(${a}, ${b})`;
  return sequence(prefix, `(${code})`);
};

/** The result on doubles, and when it is right. */
const overDoubles = (body: Body, name: string, a: string, b: string): { readonly test: readonly string[]; readonly result: string } => {
  switch (name) {
    case "ADD_INT64":
      return safe(body.temporary(), `${a} + ${b}`);
    case "SUB_INT64":
      return safe(body.temporary(), `${a} - ${b}`);
    case "MUL_INT64": {
      const { test, result } = safe(body.temporary(), `${a} * ${b}`);
      return { test, result: `${result} + 0` }; // never -0
    }
    case "DIV_INT64":
      return { test: divisible(b), result: `Math.trunc(${a} / ${b}) + 0` };
    default:
      return { test: divisible(b), result: remainder(a, b) };
  }
};

const safeMax = Number.MAX_SAFE_INTEGER;

/** The product is at most as large as the dividend, so it is exact. Quicker than %, which V8 leaves to the C library. */
export const remainder = (a: string, b: string): string => `${a} - Math.trunc(${a} / ${b}) * ${b}`;

/** The exact result of two doubles is the rounded one as long as that is safe: rounding is monotonic. */
export const safe = (name: string, code: string): { readonly test: readonly string[]; readonly result: string } => ({
  test: [`(${name} = ${code}) <= ${safeMax}`, `${name} >= ${-safeMax}`],
  result: name,
});

export const divisible = (b: string): readonly string[] => (isNumber(b) && b !== "0" ? [] : [`${b} !== 0`]);
