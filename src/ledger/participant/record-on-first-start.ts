/**
 * What is written once: the packages that every node has, and the node as a party. Where the disk is full the ledger is there for
 * readers without, and writes it once there is room.
 */
import { ok } from "../../base/result.js";
import type { Answer } from "../model/index.js";
import { type PackagesContext, storePackages } from "../packages/index.js";
import { type PartiesContext, writeParty } from "../parties/index.js";
import type { Opening } from "./member.js";

type Node = Pick<Opening, "member" | "network">;
type Written = Answer<void>;

export async function recordOnFirstStart(
  node: Node,
  { packages, parties }: { readonly packages: PackagesContext; readonly parties: PartiesContext },
): Promise<void> {
  const { owed } = node.network;
  await owed.write("the packages that every node has", () => packages.vettingChanges.run(() => storeBuiltInPackages(node, packages)));
  await owed.write("the node's own party", () => recordAsParty(node, parties));
}

async function storeBuiltInPackages({ member, network }: Node, context: PackagesContext): Written {
  const { packages, synchronizers } = member,
    everywhere = synchronizers.connected.map(({ number }) => number),
    isStored = (packageId: string): boolean => packages.get(packageId) !== undefined;
  const builtIn = (await network.options.builtInPackages?.(isStored)) ?? [];
  const missing = builtIn.filter(({ summary: { packageId } }) =>
    everywhere.some((number) => packages.get(packageId)?.vettings[number] === undefined),
  );
  return missing.length > 0 ? storePackages(missing, everywhere, context) : ok(undefined);
}

/** Telling of it is the first update. */
async function recordAsParty({ member }: Node, context: PartiesContext): Written {
  const { parties, synchronizers, committer } = member,
    { participantId } = member.identity;
  const hosts = [{ participant: participantId, permission: "submission" }] as const;
  const unknownTo = synchronizers.connected.filter(({ number }) => parties.get(participantId)?.hostedOn.includes(number) !== true);
  if (unknownTo.length === 0) return ok(undefined);
  return committer.commit((group) => {
    for (const synchronizer of unknownTo) writeParty(group, context, { party: participantId, isExternal: false, synchronizer, hosts });
  });
}
