/**
 * Every participant that hosts somebody who sees a part of a transaction has to have vetted the packages of that part. Who they
 * are is known once the command has run: where one of them lacks a package it runs again, with versions that they all have.
 */
import type { NetworkMember } from "../topology/index.js";
import type { StoredEvent } from "../model/index.js";

/** A participant, and packages that it would have to vet. */
export interface LackedPackages { readonly member: NetworkMember; readonly packageIds: readonly string[] }

const interfacePattern = /^,"interfaceId":"([0-9a-f]{64}):/;

/** Participants that see something of the events, each with what it lacks: mostly nothing. */
export function seenBy(events: readonly StoredEvent[], others: readonly NetworkMember[], { synchronizer, ledgerTime }: { readonly synchronizer: number; readonly ledgerTime: bigint }): readonly LackedPackages[] {
  return others.flatMap((member) => {
    const seen = events.filter(({ witnesses }) => witnesses.some((party) => member.parties.get(party)?.hostedOn.includes(synchronizer) === true));
    const packageIds = [...new Set(seen.flatMap(packagesOf))].filter((id) => !member.packages.isVetted(id, synchronizer, ledgerTime));
    return seen.length === 0 ? [] : [{ member, packageIds }];
  });
}

function packagesOf(event: StoredEvent): readonly string[] {
  const ofTemplate = event.templateId.slice(0, event.templateId.indexOf(":")), ofInterface = event.kind === "exercise" ? interfacePattern.exec(event.json)?.[1] : undefined;
  return ofInterface === undefined ? [ofTemplate] : [ofTemplate, ofInterface];
}

/** Undefined: everybody has everything. */
export function lackText(seen: readonly LackedPackages[]): string | undefined {
  const lacking = seen.filter(({ packageIds }) => packageIds.length > 0);
  return lacking.length === 0 ? undefined : lacking.map(({ member, packageIds }) => `${packageIds.join(", ")} by participant ${member.participantId}`).join("; ");
}
