/** The values that calls of one function by itself put aside, see `compile/waiting-call.ts`. */
import type { Value } from "../value/index.js";
import { exceeded, type RuntimeLimits } from "./budget.js";

/** Of one array. */
export const waitingValuesMax = 1024;

/** Arrays that are full, each before the count of its values. */
type Full = (Value[] | number)[];

export const waitingFunctions = ({ recursionDepthMax }: RuntimeLimits) => ({
  setAside: (full: Full | undefined, values: Value[], count: number): Full => {
    const all = full ?? [];
    all.push(values, count);
    if ((all.length / 2) * waitingValuesMax > recursionDepthMax) exceeded("recursionDepthMax");
    return all;
  },
});
