/** Indexes in runs as they lie in the file; that they tell what the log does is looked at by `verify-log.ts`. */
import { AcceptanceIndex } from "../intake/index.js";
import { findingsOfRuns } from "../runs/index.js";
import type { Check, Verification } from "./verification.js";

export const runs: Check = (verification) => {
  checkRuns(verification, "contracts", () => verification.contracts);
  checkRuns(verification, "acceptances", () => new AcceptanceIndex(verification.tables));
};

function checkRuns(verification: Verification, what: string, open: () => { readonly runs: Parameters<typeof findingsOfRuns>[0] }): void {
  verification.attempt(what, () => {
    for (const finding of findingsOfRuns(open().runs)) verification.find(`${what}, ${finding}`);
  });
}
