/**
 * Every participant that hosts somebody who sees a part of a transaction has to have vetted the packages of that part. Who they
 * are is known once the command has run: where one of them lacks a package it runs again, with versions that they all have.
 */
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import type { InterpretedTransaction, PackagesByInformee } from "../interpretation/index.js";
import type { Party, StoredEvent } from "../model/index.js";
import { isStep } from "../records/index.js";
import type { NetworkMember } from "../topology/index.js";

/** A participant, and packages that it would have to vet. */
export interface LackedPackages {
  readonly member: NetworkMember;
  readonly packageIds: readonly string[];
}

const interfacePattern = /^,"interfaceId":"([0-9a-f]{64}):/;

interface Seen {
  readonly synchronizer: number;
  readonly ledgerTime: bigint;
}

/** Participants that see something of a transaction, each with what it lacks: mostly nothing. In steps, as there may be many events. */
export function* seenBy(
  { events, untold }: Pick<InterpretedTransaction, "events" | "untold">,
  others: readonly NetworkMember[],
  { synchronizer, ledgerTime }: Seen,
): Steps<readonly LackedPackages[]> {
  const all: LackedPackages[] = [];
  for (const member of others) {
    const used = new Set<string>();
    for (const { party, packageIds } of untold)
      if (packageIds.length > 0 && isHostedBy(member, party, synchronizer)) for (const id of packageIds) used.add(id);
    for (let index = 0; index < events.length; index++) {
      if (isStep(index)) yield;
      const event = events[index]!;
      if (event.witnesses.some((party) => isHostedBy(member, party, synchronizer))) addPackages(event, used);
    }
    if (used.size > 0) all.push({ member, packageIds: [...used].filter((id) => !member.packages.isVetted(id, synchronizer, ledgerTime)) });
  }
  return all;
}

/** Who sees something of a transaction, and of what packages. */
export function* packagesSeen({ events, untold }: Pick<InterpretedTransaction, "events" | "untold">): Steps<PackagesByInformee> {
  const seen = new Map<Party, Set<string>>(untold.map(({ party, packageIds }) => [party, new Set(packageIds)]));
  let looked = 0;
  for (const event of events)
    for (const party of event.witnesses) {
      if (isStep(looked++)) yield;
      const known = seen.get(party) ?? new Set();
      seen.set(party, known);
      addPackages(event, known);
    }
  return Object.fromEntries(Array.from(seen, ([party, packageIds]) => [party, [...packageIds]]));
}

interface Informed extends Seen {
  readonly packagesByInformee: PackagesByInformee;
}

/** The same by the packages of what each party would see. */
export function lackedBy(
  others: readonly NetworkMember[],
  { packagesByInformee, synchronizer, ledgerTime }: Informed,
): readonly LackedPackages[] {
  return others.flatMap((member) => {
    const used = Object.entries(packagesByInformee).flatMap(([party, packageIds]) =>
      isHostedBy(member, party, synchronizer) ? packageIds : [],
    );
    return used.length === 0
      ? []
      : [{ member, packageIds: [...new Set(used)].filter((id) => !member.packages.isVetted(id, synchronizer, ledgerTime)) }];
  });
}

export const isHostedBy = ({ parties }: NetworkMember, party: Party, synchronizer: number): boolean =>
  parties.get(party)?.hostedOn.includes(synchronizer) === true;

function addPackages(event: StoredEvent, used: Set<string>): void {
  used.add(event.templateId.slice(0, event.templateId.indexOf(":")));
  const ofInterface = event.kind === "exercise" ? interfacePattern.exec(event.json)?.[1] : undefined;
  if (ofInterface !== undefined) used.add(ofInterface);
}

/** Undefined: everybody has everything. */
export function lackText(seen: readonly LackedPackages[]): string | undefined {
  const lacking = seen.filter(({ packageIds }) => packageIds.length > 0);
  return lacking.length === 0
    ? undefined
    : lacking.map(({ member, packageIds }) => `${packageIds.join(", ")} by participant ${member.participantId}`).join("; ");
}

/** What others who see something of a transaction lack, as a text. */
export async function lackedByOthers(
  transaction: Pick<InterpretedTransaction, "events" | "untold">,
  seen: Seen,
  { others, turns }: { readonly others: readonly NetworkMember[]; readonly turns: Turns },
): Promise<string | undefined> {
  return others.length === 0 ? undefined : lackText(await turns.through(seenBy(transaction, others, seen)));
}
