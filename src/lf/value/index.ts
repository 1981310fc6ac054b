/** Values: as compiled code has them and as transactions do, their scalars, and the names in them. */
export * from "./contract-id-format.js";
export * from "./identifiers.js";
export * from "./int64.js";
export * from "./ledger-value.js";
export * from "./numeric.js";
export * from "./text.js";
export * from "./time.js";
export * from "./value.js";
