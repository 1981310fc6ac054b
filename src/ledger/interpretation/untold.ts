/**
 * What a transaction does without telling of it: contracts that it fetches, keys that it looks up, and all that was rolled back. Whoever
 * is informed of that has to be where the transaction is, and has to have vetted its packages, as of what is told.
 */
import type { DefinitionId } from "../../lf/index.js";
import type { NodeId, TransactionNode } from "../../lf/transaction/index.js";
import type { Party } from "../model/index.js";

/** A party, and packages that only such nodes use of which it is informed: none where it is told by events of all that they use. */
export interface Untold {
  readonly party: Party;
  readonly packageIds: readonly string[];
}

interface Seen {
  readonly nodes: readonly TransactionNode[];
  /** Who is informed of each node. */
  readonly disclosure: readonly (readonly Party[])[];
  /** The nodes that are not rolled back. */
  readonly effective: readonly NodeId[];
}

const makesEvent = ({ kind }: TransactionNode): boolean => kind === "create" || kind === "exercise";

/** Mostly everything is told, or to nobody else. */
export function untoldOf({ nodes, disclosure, effective }: Seen): readonly Untold[] {
  const isEffective = new Set(effective),
    isTold = (id: NodeId): boolean => isEffective.has(id) && makesEvent(nodes[id]!);
  if (effective.length === nodes.length && nodes.every(makesEvent)) return [];
  const told = new Map<Party, Set<string>>(),
    untold = new Map<Party, Set<string>>();
  for (let id = 0; id < nodes.length; id++) if (isTold(id)) inform(told, disclosure[id]!, usedBy(nodes[id]!));
  for (let id = 0; id < nodes.length; id++) if (!isTold(id)) inform(untold, disclosure[id]!, usedBy(nodes[id]!));
  return [...untold].flatMap(([party, packageIds]) => {
    const known = told.get(party),
      more = known === undefined ? [...packageIds] : [...packageIds].filter((id) => !known.has(id));
    return known === undefined || more.length > 0 ? [{ party, packageIds: more }] : [];
  });
}

function inform(informed: Map<Party, Set<string>>, parties: readonly Party[], packageIds: readonly string[]): void {
  if (packageIds.length === 0) return; // a rollback by itself is nobody's
  for (const party of parties) {
    const known = informed.get(party);
    if (known === undefined) informed.set(party, new Set(packageIds));
    else for (const id of packageIds) known.add(id);
  }
}

function usedBy(node: TransactionNode): readonly string[] {
  if (node.kind === "rollback") return [];
  const interfaceId: DefinitionId | undefined = node.kind === "exercise" ? node.interfaceId : undefined;
  return interfaceId === undefined ? [node.templateId.packageId] : [node.templateId.packageId, interfaceId.packageId];
}
