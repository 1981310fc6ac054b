/** Which templates were created and which choices exercised, of transactions that were committed. */
import type { DefinitionId, Transaction, TransactionNode } from "../lf/index.js";
import type { Coverage } from "./outcome.js";
import type { ScriptPackages } from "./packages.js";

export function coverageOf(transactions: Iterable<Transaction>, packages: ScriptPackages): Coverage {
  const created = new Set<string>(),
    exercised = new Set<string>();
  const nameOf = (id: DefinitionId): string => {
    const { package: package_, module, name } = packages.nameOf(id);
    return `${package_}:${module}:${name}`;
  };
  const add = (node: TransactionNode): void => {
    if (node.kind === "create") created.add(nameOf(node.templateId));
    // A choice of an interface counts for the interface, whatever template ran it; to archive counts for the template.
    if (node.kind === "exercise")
      exercised.add(`${nameOf(node.choice === "Archive" ? node.templateId : (node.interfaceId ?? node.templateId))}:${node.choice}`);
  };
  for (const { nodes } of transactions) nodes.forEach(add);
  return { created: [...created].sort(), exercised: [...exercised].sort() };
}
