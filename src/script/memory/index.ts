/** A ledger in memory, fresh for each script. */
export { MemoryLedger } from "./memory-ledger.js";
export { partySuffixes } from "./party-suffixes.js";
export { type MemoryStep, showStep } from "./record.js";
