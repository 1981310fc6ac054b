/**
 * What a transaction does without telling of it: contracts that it fetches, keys that it looks up, and all that was rolled back. Whoever
 * is informed of that has to be where the transaction is, and has to have vetted its packages, as of what is told.
 */
import type { DefinitionId } from "../../lf/index.js";
import { type NodeId, type TransactionNode, union } from "../../lf/transaction/index.js";
import type { Party } from "../model/index.js";

/** A party, and packages that only such nodes use of which it is informed: none where it is told by events of all that they use. */
export interface Untold {
  readonly party: Party;
  readonly packageIds: readonly string[];
}

/** Nodes that have no event, but numbers: by who sees them, in no order. */
export interface UntoldNodes {
  readonly witnesses: readonly Party[];
  readonly nodeIds: readonly NodeId[];
}

interface Seen {
  readonly nodes: readonly TransactionNode[];
  /** Who is informed of each node. */
  readonly disclosure: readonly (readonly Party[])[];
  /** The nodes that are not rolled back. */
  readonly effective: readonly NodeId[];
}

type IsTold = (id: NodeId) => boolean;

const makesEvent = ({ kind }: TransactionNode): boolean => kind === "create" || kind === "exercise";
const nothing = { untold: [], untoldNodes: [] } as const;

export function untoldOf(seen: Seen): { readonly untold: readonly Untold[]; readonly untoldNodes: readonly UntoldNodes[] } {
  const { nodes, effective } = seen;
  if (effective.length === nodes.length && nodes.every(makesEvent)) return nothing;
  const isEffective = new Set(effective),
    isTold = (id: NodeId): boolean => isEffective.has(id) && makesEvent(nodes[id]!);
  return { untold: partiesUntold(seen, isTold), untoldNodes: untoldNodesOf(seen, isTold) };
}

/** Mostly everything is told, or to nobody else. */
function partiesUntold({ nodes, disclosure }: Seen, isTold: IsTold): readonly Untold[] {
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

/** Of a rollback knows whoever sees something below it, which has higher numbers. */
function untoldNodesOf({ nodes, disclosure }: Seen, isTold: IsTold): readonly UntoldNodes[] {
  const byWitnesses = new Map<string, { readonly witnesses: readonly Party[]; readonly nodeIds: NodeId[] }>(),
    ofRollbacks = new Map<NodeId, readonly Party[]>();
  for (let id = nodes.length - 1; id >= 0; id--) {
    if (isTold(id)) continue;
    const node = nodes[id]!;
    let witnesses = disclosure[id]!;
    if (node.kind === "rollback") {
      for (const child of node.children) witnesses = union(witnesses, ofRollbacks.get(child) ?? disclosure[child]!);
      ofRollbacks.set(id, witnesses);
    }
    const who = witnesses.join(),
      known = byWitnesses.get(who);
    if (known === undefined) byWitnesses.set(who, { witnesses, nodeIds: [id] });
    else known.nodeIds.push(id);
  }
  return [...byWitnesses.values()];
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
