import { ledgerOperations } from "./ledger/index.js";
import { type AnyOperation, methodOf, pathOf } from "./operation.js";

/** Tables of operations in Markdown; a test holds the pages to them. */
export const operationTable = (): string => tableOf(ledgerOperations);

export function tableOf(of: Readonly<Record<string, AnyOperation>>): string {
  const rows = Object.values<AnyOperation>(of).map(
    (operation) => `| ${methodOf(operation.route)} | \`${pathOf(operation.route)}\` | ${operation.summary}${remark(operation)} |`,
  );
  return ["| Method | Path | What it does |", "|---|---|---|", ...rows.sort(byPath)].join("\n") + "\n";
}

const byPath = (left: string, right: string): number => {
  const key = (row: string): string => row.split("|").slice(1, 3).reverse().join(" ");
  return key(left) < key(right) ? -1 : 1;
};

function remark(operation: AnyOperation): string {
  const remarks = [...(operation.kind === "stream" ? ["List and WebSocket."] : []), ...(operation.deprecated ? ["Deprecated."] : [])];
  return remarks.length === 0 ? "" : ` *${remarks.join(" ")}*`;
}
