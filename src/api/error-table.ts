/** The table of the README: every code that the ledger answers with, by code. */
import { errorCodes } from "../ledger/index.js";
import { categoryFacts } from "./errors.js";

export function errorTable(): string {
  const rows = Object.entries(errorCodes).sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, { category, explanation, resolution }]) => {
    const facts = categoryFacts(category);
    const shown = facts?.redacted ? " (shown as `NA`)" : "";
    return `| \`${code}\`${shown} | ${facts?.http} | ${category} | ${facts?.retry ? "yes" : ""} | ${explanation} ${resolution} |`;
  });
  return ["| code | HTTP | category | retry | meaning and what to do |", "|---|---|---|---|---|", ...rows].join("\n");
}
