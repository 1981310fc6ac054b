/** What a run tells: lines, failures, and files. */
export { failureText } from "./failure.js";
export { type ReportOptions, Reports } from "./reports.js";
export { fileOf, outcomeLine, totalsLine } from "./summary.js";
export { transactionsText } from "./transactions.js";
