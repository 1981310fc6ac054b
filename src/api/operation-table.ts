import { type AnyOperation, methodOf, pathOf } from "./operation.js";
import { operations } from "./operations.js";
import { registryOperations } from "./registry/index.js";
import { scanOperations } from "./scan/index.js";
import { isImplemented } from "./splice/unimplemented.js";
import { svOperations, validatorOperations } from "./validator/index.js";

/** The README's tables, in Markdown; a test holds the README to them. */
export const operationTable = (): string => table(operations);

/** Of the token standard's servers; what is not there yet comes last, in one line. */
export function spliceOperationTable(): string {
  const served = {
    "/registry": registryOperations,
    "/api/scan": scanOperations,
    "/api/validator": validatorOperations,
    "/api/sv": svOperations,
  };
  return Object.entries<Readonly<Record<string, AnyOperation>>>(served)
    .map(([prefix, all]) => {
      const [there, missing] = [true, false].map((isThere) =>
        Object.entries(all).filter(([, operation]) => isImplemented(operation) === isThere),
      );
      const paths = missing!.map(([, { route }]) => `\`${methodOf(route)} ${pathOf(route)}\``).join(", ");
      return `Below \`${prefix}\`:\n\n${table(Object.fromEntries(there!))}${paths === "" ? "" : `\nNot there yet (501): ${paths}.\n`}`;
    })
    .join("\n");
}

function table(of: Readonly<Record<string, AnyOperation>>): string {
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
