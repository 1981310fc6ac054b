/** Who hosts a party. */
import type { Party } from "../model/index.js";
import type { Host, PartyHosting } from "../parties/index.js";
import type { Member } from "./member.js";

/** On one synchronizer. Whoever allocated a party hosts it alone; others are hosted by those that they signed for. */
export function hostingOnSynchronizer(members: Iterable<Member>, party: Party, synchronizer: number): PartyHosting {
  const all = [...members],
    external = all.map(({ externalParties }) => externalParties.onboarded(party, synchronizer)).find((one) => one !== undefined);
  if (external) return { hosts: external.mapping.participants, threshold: external.mapping.threshold };
  const hosts = all
    .filter(({ parties }) => parties.get(party)?.hostedOn.includes(synchronizer))
    .map(({ participantId }): Host => ({ participant: participantId, permission: "submission" }));
  return { hosts, threshold: 1 };
}
