/** The table of the README beside it: every code that the ledger answers with, by code. */
import { type ErrorCode, errorCodes } from "../ledger/index.js";
import { categoryFacts } from "./errors.js";

export function errorTable(): string {
  const rows = Object.entries(errorCodes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, entry]: [string, ErrorCode]) => {
      const { category, explanation, resolution } = entry;
      const facts = categoryFacts(category);
      const shown = facts?.redacted && !entry.shown ? " (shown as `NA`)" : "";
      return `| \`${code}\`${shown} | ${entry.http ?? facts?.http} | ${category} | ${facts?.retry ? "yes" : ""} | ${explanation} ${resolution} |`;
    });
  return ["| code | HTTP | category | retry | meaning and what to do |", "|---|---|---|---|---|", ...rows].join("\n");
}
