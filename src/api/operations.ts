import { ledgerOperations } from "./ledger/index.js";

/** Every operation, by the name that metrics and logs use. All else is derived from this. */
export const operations = { ...ledgerOperations };

export type Operations = typeof operations;
