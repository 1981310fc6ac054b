/** What a run tells: lines, failures, and files. */
export { decodeResults } from "./coverage-file.js";
export { CoverageResults } from "./coverage-results.js";
export { failureText } from "./failure.js";
export { type ReportOptions, Reports } from "./reports.js";
export { fileOf, outcomeLine, totalsLine } from "./summary.js";
export { transactionsText } from "./transactions.js";
