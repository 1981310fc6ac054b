/** Who speaks for a namespace: the key that it is named after, or so many of its owners together. */
import type { SigningKey } from "./signing-keys.js";
import { namespaceOf, type PartyToParticipant, type TopologyMapping } from "./topology.js";

/** A transaction with the fingerprints of the keys that signed it. */
export interface Signed<M extends TopologyMapping = TopologyMapping> {
  readonly transaction: Uint8Array;
  readonly content: M;
  readonly signedBy: ReadonlySet<string>;
}

export interface Namespace {
  readonly keys: readonly SigningKey[];
  readonly threshold: number;
}

type Of<K extends TopologyMapping["kind"]> = Signed<Extract<TopologyMapping, { readonly kind: K }>>;
const isOf =
  <K extends TopologyMapping["kind"]>(kind: K) =>
  (signed: Signed): signed is Of<K> =>
    signed.content.kind === kind;

export const isDelegation = isOf("namespaceDelegation"),
  isDecentralized = isOf("decentralizedNamespace"),
  isPartyToKeys = isOf("partyToKeys");

/** The key of a namespace, where it was shown with its own signature. */
const rootKey = (namespace: string, known: readonly Signed[]): SigningKey | undefined =>
  known.filter(isDelegation).find(({ content: { mapping }, signedBy }) => mapping.key.fingerprint === namespace && signedBy.has(namespace))
    ?.content.mapping.key;

/** Undefined: nobody is known to speak for it. The definition of a decentralized one counts once all of its owners have signed it. */
function findNamespace(namespace: string, known: readonly Signed[]): Namespace | undefined {
  const root = rootKey(namespace, known);
  if (root !== undefined) return { keys: [root], threshold: 1 };
  for (const { content, signedBy } of known.filter(isDecentralized)) {
    const { threshold, owners } = content.mapping;
    if (content.mapping.namespace !== namespace || !owners.every((owner) => signedBy.has(owner))) continue;
    const keys = owners.flatMap((owner) => rootKey(owner, known) ?? []);
    if (keys.length === owners.length) return { keys, threshold };
  }
  return undefined;
}

/** A party whose namespace is the fingerprint of one of its signing keys speaks for itself. */
export function namespaceOfParty(
  { party, keys }: Pick<PartyToParticipant, "party" | "keys">,
  known: readonly Signed[],
): Namespace | undefined {
  const namespace = namespaceOf(party),
    own = keys.find(({ fingerprint }) => fingerprint === namespace);
  return own === undefined ? findNamespace(namespace, known) : { keys: [own], threshold: 1 };
}
