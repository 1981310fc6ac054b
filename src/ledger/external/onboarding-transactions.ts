/** Which of the topology transactions of a request are the party's, its namespace's and its keys'; or why they are not good together. */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Signature } from "./signing-keys.js";
import { namespaceOf, type PartyToParticipant, type TopologyMapping } from "./topology.js";
import { decentralizedNamespace } from "./topology-hash.js";

type Kind = TopologyMapping["kind"];

export interface Submitted {
  readonly transaction: Uint8Array;
  readonly content: TopologyMapping;
  /** Of this one alone. */
  readonly signatures: readonly Signature[];
}
type Of<K extends Kind> = Submitted & { readonly content: Extract<TopologyMapping, { readonly kind: K }> };

export interface OnboardingTransactions {
  /** With the party's keys, wherever they are from. */
  readonly mapping: PartyToParticipant;
  readonly hosting: Of<"partyToParticipant">;
  readonly companions: readonly Submitted[];
}

/** What nobody signed does not count, but for the hosting: that is for its hosts to agree to. `combined` is what was signed for all at once. */
export function sortTransactions(submitted: readonly Submitted[], combined: readonly Signature[]): Result<OnboardingTransactions, string> {
  const others = submitted.flatMap(({ content }) => (content.kind === "other" ? [content.number] : []));
  if (others.length > 0) return fail(`mapping ${others.join(", ")} is not one of those that onboard a party`);
  const signed = submitted.filter(({ signatures }) => signatures.length + combined.length > 0);
  const hosting = theOnly(of(signed, "partyToParticipant").length > 0 ? signed : submitted, "partyToParticipant");
  if (isFailure(hosting)) return hosting;
  if (hosting.ok === undefined) return fail("a transaction of type PartyToParticipant is needed");
  const { mapping } = hosting.ok.content,
    keysApart = theOnly(signed, "partyToKeys");
  if (isFailure(keysApart)) return keysApart;
  const apart = keysApart.ok?.content.mapping;
  if (apart !== undefined && apart.party !== mapping.party)
    return fail(`the PartyToKeyMapping is of ${apart.party}, the PartyToParticipant of ${mapping.party}`);
  if ((apart === undefined) === (mapping.keys.length === 0))
    return fail("the party's signing keys have to be in the PartyToParticipant or in a PartyToKeyMapping, and not in both");
  const companions = ofNamespace(namespaceOf(mapping.party), signed, combined);
  if (isFailure(companions)) return companions;
  return ok({
    mapping: { ...mapping, ...(apart && { keys: apart.keys, keyThreshold: apart.keyThreshold }) },
    hosting: hosting.ok,
    companions: [...companions.ok, ...(keysApart.ok ? [keysApart.ok] : [])],
  });
}

/** Those who speak for the namespace: its key, or several owners with theirs. */
function ofNamespace(
  namespace: string,
  signed: readonly Submitted[],
  combined: readonly Signature[],
): Result<readonly Submitted[], string> {
  const delegations = of(signed, "namespaceDelegation").filter(({ signatures, content }) =>
    [...signatures, ...combined].some(({ signedBy }) => signedBy === content.mapping.namespace),
  );
  const decentralized = theOnly(signed, "decentralizedNamespace");
  if (isFailure(decentralized)) return decentralized;
  if (decentralized.ok !== undefined) {
    const { namespace: name, owners } = decentralized.ok.content.mapping;
    if (name !== namespace) return fail(`the namespace ${name} is not that of the party, ${namespace}`);
    if (decentralizedNamespace(owners) !== name) return fail(`the namespace ${name} is not named after its owners`);
    const ofOwners = delegations.filter(({ content }) => owners.includes(content.mapping.namespace));
    return ofOwners.length > limits.namespaceOwnersMax
      ? fail(`${ofOwners.length} owners come with the namespace; it may have ${limits.namespaceOwnersMax}`)
      : ok([...ofOwners, decentralized.ok]);
  }
  const single = theOnly(delegations, "namespaceDelegation");
  if (isFailure(single) || single.ok === undefined) return isFailure(single) ? single : ok([]);
  const { mapping } = single.ok.content;
  if (mapping.key.fingerprint !== mapping.namespace || !mapping.mayDelegate)
    return fail("the NamespaceDelegation is not that of the namespace's own key");
  return mapping.namespace === namespace
    ? ok([single.ok])
    : fail(`the namespace ${mapping.namespace} is not that of the party, ${namespace}`);
}

const of = <K extends Kind>(submitted: readonly Submitted[], kind: K): readonly Of<K>[] =>
  submitted.filter((one): one is Of<K> => one.content.kind === kind);

const names: Readonly<Record<Exclude<Kind, "other">, string>> = {
  partyToParticipant: "PartyToParticipant",
  namespaceDelegation: "NamespaceDelegation",
  decentralizedNamespace: "DecentralizedNamespaceDefinition",
  partyToKeys: "PartyToKeyMapping",
};

function theOnly<K extends Exclude<Kind, "other">>(submitted: readonly Submitted[], kind: K): Result<Of<K> | undefined, string> {
  const [first, ...more] = of(submitted, kind);
  return more.length > 0 ? fail(`only one transaction of type ${names[kind]} can be given, not ${more.length + 1}`) : ok(first);
}
