/**
 * Arguments and results of scripts in files. The reference has a codec of its own for them: as the Ledger API writes values,
 * but with numbers for Int64 and Numeric, `null` for None wherever it stands, and records that may be arrays of their fields.
 */
export { parseExactJson } from "./exact-json.js";
export { readPlainJson } from "./read.js";
export { showPlainJson } from "./show.js";
