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
      const [there, missing] = [true, false].map((isThere) =>
        Object.entries(all).filter(([, operation]) => isImplemented(operation) === isThere),
      );
      const paths = missing!.map(([, { route }]) => `\`${methodOf(route)} ${pathOf(route)}\``).join(", ");
      return `Below \`${prefix}\`:\n\n${tableOf(Object.fromEntries(there!))}${paths === "" ? "" : `\nNot there yet (501): ${paths}.\n`}`;
    })
    .join("\n");
}
