/** Everybody whom a transaction would tell, with the packages of what he would see; and who has a stake in what it uses. */
import type { PackagesByInformee } from "../ledger/engine/index.js";
import type { Interpretation } from "../lf/index.js";

export function packagesByInformee({ transaction, blinding }: Interpretation): PackagesByInformee {
  const packages = new Map<string, Set<string>>(),
    of = (party: string): Set<string> => {
      const known = packages.get(party) ?? new Set();
      packages.set(party, known);
      return known;
    };
  transaction.nodes.forEach((node, id) => {
    if (node.kind !== "create" && node.kind !== "exercise" && node.kind !== "fetch") return;
    const used = [node.templateId.packageId, ...(node.kind === "exercise" && node.interfaceId ? [node.interfaceId.packageId] : [])];
    for (const party of blinding.disclosure[id] ?? []) for (const packageId of used) of(party).add(packageId);
    for (const party of node.stakeholders) of(party);
  });
  return Object.fromEntries([...packages].map(([party, ids]) => [party, [...ids]]));
}
