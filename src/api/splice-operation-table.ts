/** The operations of the token standard's servers, in Markdown; apart from others, as not every node has their code loaded. */
import { type AnyOperation, methodOf, pathOf } from "./operation.js";
import { tableOf } from "./operation-table.js";
import { registryOperations } from "./registry/index.js";
import { scanOperations } from "./scan/index.js";
import { isImplemented } from "./splice/unimplemented.js";
import { svOperations, validatorOperations } from "./validator/index.js";

/** What is not there yet comes last, in one line. */
export function spliceOperationTable(): string {
  const served = {
    "/registry": registryOperations,
    "/api/scan": scanOperations,
    "/api/validator": validatorOperations,
    "/api/sv": svOperations,
  };
  return Object.entries<Readonly<Record<string, AnyOperation>>>(served)
    .map(([prefix, all]) => {
      const there = Object.fromEntries(Object.entries(all).filter(([, operation]) => isImplemented(operation)));
      return `Below \`${prefix}\`:\n\n${tableOf(there)}${missingFrom(Object.values(all))}`;
    })
    .join("\n");
}

function missingFrom(all: readonly AnyOperation[]): string {
  const byReason = new Map<string, string[]>();
  for (const { missingBecause: why, route } of all) {
    if (why === undefined) continue;
    const path = `\`${methodOf(route)} ${pathOf(route)}\``;
    byReason.set(why, [...(byReason.get(why) ?? []), path]);
  }
  if (byReason.size === 0) return "";
  return `\n${[...byReason].map(([why, paths]) => `501, as ${why}: ${paths.join(", ")}.`).join("\n\n")}\n`;
}
