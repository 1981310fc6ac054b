/** The index of contracts as it lies in the file; that it tells what the log does is looked at by `verify-log.ts`. */
import { findingsOfRuns } from "../runs/index.js";
import type { Check } from "./verification.js";

export const contractRuns: Check = (verification) => {
  const { table, list, kind } = verification.contracts.runs;
  verification.attempt("contracts", () => {
    for (const finding of findingsOfRuns(table, list, kind)) verification.find(`contracts, ${finding}`);
  });
};
