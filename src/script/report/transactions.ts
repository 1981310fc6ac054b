/** The transaction view of scripts, as text and as a page. */
import { type LedgerRecord, type ScriptOutcome, showDefinition, showScript } from "../outcome.js";
import { escaped, page } from "./markup.js";
import { outcomeLine } from "./summary.js";
import { leftOut, recordLines } from "./text-tree.js";

export const transactionsText = (outcome: ScriptOutcome): string =>
  [`Transactions of ${showScript(outcome.script)}:`, ...viewLines(outcome).map((line) => `  ${line}`), ""].join("\n");

function viewLines({ ledger, result, trace }: ScriptOutcome): readonly string[] {
  if (ledger === undefined) return ["nothing is known of its ledger"];
  return [
    ...recordLines(ledger),
    ...leftOut(ledger.activeLeftOut, "active contract"),
    `Active contracts: ${ledger.active.map(({ contract }) => contract).join(", ") || "none"}`,
    ...(result === undefined ? [] : `Return value: ${result}`.split("\n")),
    ...(trace.length === 0 ? [] : ["Trace:", ...trace.map((line) => `  ${line}`)]),
  ];
}

export const transactionsHtml = (title: string, outcomes: readonly ScriptOutcome[]): string =>
  page(title, outcomes.map(scriptHtml).join("\n"));

function scriptHtml(outcome: ScriptOutcome): string {
  const { failure, ledger } = outcome;
  return [
    `<details><summary class="${failure === undefined ? "passed" : "failed"}">${escaped(outcomeLine(outcome))}</summary>`,
    ...(failure === undefined ? [] : [`<pre class="failed">${escaped(failure.message)}</pre>`]),
    `<pre>${escaped(viewLines(outcome).join("\n"))}</pre>`,
    ...(ledger === undefined ? [] : [activeTable(ledger)]),
    "</details>",
  ].join("\n");
}

/** Undefined: nothing is known of its ledger. */
export const tableHtml = (title: string, { ledger }: ScriptOutcome): string | undefined => ledger && page(title, activeTable(ledger));

/** The contracts at the end, by template. */
function activeTable({ active }: LedgerRecord): string {
  const byTemplate = new Map<string, string[]>();
  for (const { contract, template, argument } of active) {
    const name = showDefinition(template);
    byTemplate.set(name, [
      ...(byTemplate.get(name) ?? []),
      `<tr><td>${escaped(contract)}</td>${argument.map(({ name: field, value }) => `<td title="${escaped(field)}">${escaped(value)}</td>`).join("")}</tr>`,
    ]);
  }
  return [...byTemplate].map(([name, rows]) => `<h4>${escaped(name)}</h4><table>${rows.join("")}</table>`).join("\n");
}
