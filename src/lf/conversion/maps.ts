/** Maps from decoded entries: the runtime's maps and its order of keys. */
import { compare, mapOperations } from "../runtime/index.js";
import { compareText, type LfMap, type Value } from "../value/index.js";

type Entries = readonly (readonly [Value, Value])[];

const byText = mapOperations((a, b) => compareText(a as string, b as string));
const byAnyKey = mapOperations(compare);

/** Keys are texts in any order; a later one wins. */
export const textMapOf = (entries: Entries): LfMap => byText.fromEntries(entries);

/** Entries in any order; a later one wins. */
export const genMapOf = (entries: Entries): LfMap => byAnyKey.fromEntries(entries);

/** Undefined when the keys are not strictly ascending. */
export function genMapFromOrdered(entries: Entries): LfMap | undefined {
  for (let i = 1; i < entries.length; i++) if (compare(entries[i - 1]![0], entries[i]![0]) >= 0) return undefined;
  return genMapOf(entries);
}
