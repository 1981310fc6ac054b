/**
 * Onboarding of an external party: the signatures of its topology transactions are checked and gathered; the party exists
 * as soon as those who speak for its namespace and all of its signing keys have signed, and every participant that is to host it
 * has been asked the same. What lacks any of that is kept as a proposal by those that were asked.
 */
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { CommitGroup } from "../commit/index.js";
import {
  type Answer,
  authorizationsMissing,
  type Identity,
  invalidArgument,
  invalidField,
  type LedgerErrorData,
  logicalSynchronizerId,
  missingField,
  type Outcome,
  type Party,
  partyProblem,
  signatureVerificationFailed,
  type Synchronizer,
  type TraceContext,
  uniqueIdentifierProblem,
  unknownMembers,
} from "../model/index.js";
import {
  belongsElsewhere,
  isOn,
  ofAnotherProvider,
  type PartiesContext,
  partyExists,
  type PartyKeeper,
  writeLocal,
  writeParty,
} from "../parties/index.js";
import type { PartyRecord } from "../records/index.js";
import { type ExternalParties, type ExternalParty, keepExternalParty, type Proposed } from "./external-parties.js";
import { isDecentralized, isDelegation, isPartyToKeys, type Namespace, namespaceOfParty, type Signed } from "./namespaces.js";
import { type OnboardingTransactions, sortTransactions, type Submitted } from "./onboarding-transactions.js";
import { isSignedBy, type Signature, type SigningKey } from "./signing-keys.js";
import { namespaceOf, type PartyToParticipant, type TopologyMapping } from "./topology.js";
import { combinedHash, topologyHash } from "./topology-hash.js";
import { decodeTopology } from "./topology-reader.js";

/** A failure says what is wrong about one of them. */
type Signatures = Outcome<readonly Signature[]>;

export interface OnboardingRequest {
  readonly synchronizer: string;
  readonly transactions: readonly { readonly transaction: Uint8Array; readonly signatures: Signatures }[];
  /** Over the hash of all transactions together. */
  readonly combinedSignatures: Signatures;
  readonly identityProviderId: string;
  readonly trace: TraceContext;
}

export interface ExternalPartyKeeper extends PartyKeeper {
  readonly externalParties: ExternalParties;
}

export interface OnboardingContext extends Omit<PartiesContext, "checks" | "others"> {
  readonly externalParties: ExternalParties;
  /** The other participants. */
  readonly others: readonly ExternalPartyKeeper[];
}

interface Proposal extends OnboardingTransactions {
  readonly synchronizer: Synchronizer;
  readonly combined: { readonly hash: Uint8Array; readonly signatures: readonly Signature[] };
}

interface Onboarding extends Pick<Proposal, "synchronizer" | "mapping"> {
  /** Of the party to its participants. */
  readonly hosting: Signed;
  readonly companions: readonly Signed[];
}

export interface Onboarded {
  readonly party: Party;
  /** All whose signatures the party needs signed this request: who only names a party speaks for nobody. */
  readonly isSigned: boolean;
}

/** Resolves whether the party exists now or is only proposed. */
export type Onboard = () => Answer<Onboarded>;

/** Or what is wrong about the request itself, whoever asks and whatever is known. */
export function readOnboarding(request: OnboardingRequest, context: OnboardingContext): Outcome<Onboard> {
  const proposal = readProposal(request, context);
  return isFailure(proposal) ? proposal : ok(() => onboard(proposal.ok, request, context));
}

export async function allocateExternalParty(request: OnboardingRequest, context: OnboardingContext): Answer<Onboarded> {
  const onboarding = readOnboarding(request, context);
  return isFailure(onboarding) ? onboarding : onboarding.ok();
}

async function onboard(proposal: Proposal, request: OnboardingRequest, context: OnboardingContext): Answer<Onboarded> {
  const { party } = proposal.mapping,
    problem = standing(context.parties.durablyKept(party), proposal, request) ?? unknownHosts(proposal, context);
  if (problem !== undefined) return fail(problem);
  const onboarding = checkSignatures(proposal, context);
  if (isFailure(onboarding)) return onboarding;
  const written = await context.committer.commit((group) => record(group, onboarding.ok, request, context));
  if (isFailure(written)) return written;
  const recorded = written.ok;
  return isFailure(recorded) ? recorded : ok({ party, isSigned: recorded.ok });
}

function readProposal(request: OnboardingRequest, { identity, synchronizers }: OnboardingContext): Outcome<Proposal> {
  if (request.synchronizer === "") return fail(missingField("synchronizer"));
  const synchronizerId = logicalSynchronizerId(request.synchronizer),
    malformed = uniqueIdentifierProblem(synchronizerId);
  if (malformed !== undefined) return fail(invalidField("synchronizer", malformed));
  const synchronizer = synchronizers.find(synchronizerId);
  if (synchronizer === undefined)
    return fail(invalidArgument(`This node is not connected to the requested synchronizer ${synchronizerId}.`));
  const submitted = readTransactions(request);
  if (isFailure(submitted)) return submitted;
  if (submitted.ok.length === 0) return fail(invalidField("onboarding_transactions.transactions", "Transactions field is empty"));
  const signatures = request.combinedSignatures;
  if (isFailure(signatures)) return signatures;
  const sorted = sortTransactions(submitted.ok, signatures.ok);
  if (isFailure(sorted)) return fail(invalidArgument(sorted.error));
  const problem = checkMapping(sorted.ok.mapping, identity);
  if (problem !== undefined) return fail(invalidArgument(problem));
  const hash = combinedHash(submitted.ok.map(({ transaction }) => transaction));
  return ok({ ...sorted.ok, synchronizer, combined: { hash, signatures: signatures.ok } });
}

const unreadable = (reason: string): LedgerErrorData =>
  invalidField("onboarding_transactions.transaction", `Invalid transaction: ${reason}`);

const keyCount = (content: TopologyMapping): number =>
  content.kind === "partyToParticipant" || content.kind === "partyToKeys" ? content.mapping.keys.length : 0;

function readTransactions({ transactions }: OnboardingRequest): Outcome<readonly Submitted[]> {
  const { length } = transactions,
    { onboardingTransactionsMax, signingKeysMax } = limits;
  if (length > onboardingTransactionsMax)
    return fail(
      invalidField(
        "onboarding_transactions.transactions",
        `A party is onboarded by at most ${onboardingTransactionsMax} transactions, not ${length}`,
      ),
    );
  const submitted: Submitted[] = [];
  let keys = 0;
  for (const { transaction, signatures } of transactions) {
    const content = decodeTopology(transaction);
    if (isFailure(content)) return fail(unreadable(content.error.message));
    keys += keyCount(content.ok);
    if (keys > signingKeysMax) return fail(unreadable(`a party has at most ${signingKeysMax} signing keys, all transactions together`));
    if (isFailure(signatures)) return signatures;
    submitted.push({ transaction, content: content.ok, signatures: signatures.ok });
  }
  return ok(submitted);
}

function checkMapping(
  { party, participants, threshold, keys, keyThreshold }: PartyToParticipant,
  { participantId }: Identity,
): string | undefined {
  const malformed = uniqueIdentifierProblem(party) ?? partyProblem(party);
  if (malformed !== undefined) return malformed;
  const confirming = participants.filter(({ permission }) => permission === "confirmation");
  const names = participants.map(({ participant }) => participant),
    fingerprints = keys.map(({ fingerprint }) => fingerprint);
  if (participants.some(({ permission }) => permission === "submission"))
    return "an external party must not be hosted with the permission to submit";
  if (!names.includes(participantId)) return `the party is not to be hosted by this node (${participantId})`;
  if (new Set(names).size < names.length || new Set(fingerprints).size < fingerprints.length)
    return "a participant or a signing key is named more than once";
  if (confirming.length === 0) return "at least one participant has to confirm";
  if (threshold < 1 || threshold > confirming.length)
    return `the confirmation threshold ${threshold} does not fit ${confirming.length} confirming participants`;
  return keyThreshold < 1 || keyThreshold > keys.length
    ? `the signing threshold ${keyThreshold} does not fit ${keys.length} signing keys`
    : undefined;
}

/** What is wrong about a party that is known already. */
function standing(
  known: PartyRecord | undefined,
  { synchronizer, mapping: { party } }: Pick<Proposal, "synchronizer" | "mapping">,
  { identityProviderId }: OnboardingRequest,
): LedgerErrorData | undefined {
  if (belongsElsewhere(known, identityProviderId)) return ofAnotherProvider(party);
  return known?.synchronizers.includes(synchronizer.number)
    ? partyExists(party, `Party ${party} already exists on synchronizer ${synchronizer.id}`)
    : undefined;
}

/** Nobody waits for the consent of a participant that is not on the synchronizer. */
function unknownHosts({ synchronizer, mapping }: Proposal, { identity, others }: OnboardingContext): LedgerErrorData | undefined {
  const there = new Set([identity.participantId]);
  for (const other of others) if (isOn(other, synchronizer.number)) there.add(other.participantId);
  const unknown = mapping.participants.map(({ participant }) => participant).filter((participant) => !there.has(participant));
  return unknown.length > 0 ? unknownMembers(unknown) : undefined;
}

/** With the keys that signed each of the transactions. Signatures by other keys say nothing about the party. */
function checkSignatures(
  { synchronizer, mapping, hosting, companions, combined }: Proposal,
  context: OnboardingContext,
): Outcome<Onboarding> {
  const keys = [
      ...mapping.keys,
      ...companions.flatMap(({ content }) => (content.kind === "namespaceDelegation" ? [content.mapping.key] : [])),
    ],
    known = mapping.keys.some(({ fingerprint }) => fingerprint === namespaceOf(mapping.party))
      ? undefined
      : namespaceOfParty(mapping, knownCompanions(synchronizer, context));
  const byName = new Map([...(known?.keys ?? []), ...keys].map((key) => [key.fingerprint, key]));
  const signed: Signed[] = [];
  for (const { transaction, content, signatures } of [hosting, ...companions]) {
    const given = [
      [topologyHash(transaction), signatures],
      [combined.hash, combined.signatures],
    ] as const;
    const { namespace } = content.kind === "namespaceDelegation" ? content.mapping : {};
    const signedBy = signers(namespace === undefined ? byName : only(byName, namespace), given);
    if (signedBy === undefined) return fail(signatureVerificationFailed());
    if (content.kind === "decentralizedNamespace") {
      const missing = content.mapping.owners.filter((owner) => !signedBy.has(owner));
      if (missing.length > 0) return fail(authorizationsMissing(missing));
    }
    signed.push({ transaction, content, signedBy });
  }
  const [first, ...others] = signed as [Signed, ...Signed[]];
  return ok({ synchronizer, mapping, hosting: first, companions: others });
}

type Keys = ReadonlyMap<string, SigningKey>;
const only = (keys: Keys, name: string): Keys => new Map([...keys].filter(([fingerprint]) => fingerprint === name));

/**
 * Fingerprints of the keys that signed; undefined when one of their signatures is wrong. Of several signatures by one key the first
 * counts, and those of the transaction come before those of all together.
 */
function signers(keys: Keys, given: readonly (readonly [Uint8Array, readonly Signature[]])[]): ReadonlySet<string> | undefined {
  const signed = new Set<string>();
  for (const [hash, signatures] of given) {
    for (const signature of signatures) {
      const key = keys.get(signature.signedBy);
      if (key === undefined || signed.has(key.fingerprint)) continue;
      if (!isSignedBy(key, hash, signature)) return undefined;
      signed.add(key.fingerprint);
    }
  }
  return signed;
}

/** What is known of namespaces by parties that were onboarded or proposed before. */
function knownCompanions({ number }: Synchronizer, { externalParties, others }: OnboardingContext): readonly Signed[] {
  const known: Signed[] = [];
  for (const parties of [externalParties, ...others.map((other) => other.externalParties)])
    for (const { synchronizer, companions } of parties.all()) if (synchronizer === number) known.push(...companions);
  return known;
}

/**
 * Adds to what was signed before, wherever, and creates the party when nothing is missing. All of it in the commit: what another
 * holder signs at the same time stands before it in the same group, or behind it. Gives whether this request alone has all signatures.
 */
function record(group: CommitGroup, onboarding: Onboarding, request: OnboardingRequest, context: OnboardingContext): Outcome<boolean> {
  const { synchronizer, mapping, hosting } = onboarding,
    { transaction } = hosting,
    { party, participants } = mapping,
    { participantId } = context.identity;
  const problem = standing(context.parties.kept(party), onboarding, request);
  if (problem !== undefined) return fail(problem);
  const proposed: Proposed = { party, synchronizer: synchronizer.number, transaction, companions: onboarding.companions };
  const asked = [{ participantId, externalParties: context.externalParties }, ...context.others].flatMap(
    ({ participantId: id, externalParties }) => {
      const proposal = externalParties.proposal(proposed);
      return proposal === undefined ? [] : [{ id, proposal }];
    },
  );
  const signedBy = new Set([...asked.flatMap(({ proposal }) => proposal.signedBy), ...hosting.signedBy]),
    companions = united([...asked.flatMap(({ proposal }) => proposal.companions), ...onboarding.companions]),
    consenting = new Set([participantId, ...asked.map(({ id }) => id)]);
  const namespace = (): Namespace | undefined => namespaceOfParty(mapping, knownCompanions(synchronizer, context)),
    missing = missingSigners({ ...onboarding, hosting: { ...hosting, signedBy }, companions }, namespace),
    isOnboarded = missing.length === 0 && participants.every(({ participant }) => consenting.has(participant));
  // Where those who speak for the namespace sign for a party of one host, nothing may be missing any more: its other keys sign before.
  if (!isOnboarded && participants.length === 1 && isOfNamespace(onboarding)) return fail(authorizationsMissing(missing));
  const external: ExternalParty = { ...proposed, mapping, signedBy: [...signedBy], companions, isOnboarded };
  keepExternalParty(group, context.externalParties, external);
  const isSigned = missingSigners(onboarding, namespace).length === 0,
    local = { annotations: {}, identityProviderId: request.identityProviderId };
  if (!isOnboarded) {
    writeLocal(group, context.parties, party, local);
    return ok(isSigned);
  }
  // Its keys are known to all on the synchronizer, as anybody may bring what it has signed.
  for (const other of context.others)
    if (isOn(other, synchronizer.number)) keepExternalParty(group.of(other.commits), other.externalParties, external);
  writeParty(group, context, {
    party,
    isExternal: true,
    synchronizer,
    hosts: participants,
    local,
    trace: request.trace,
  });
  return ok(isSigned);
}

/** Whether a party is signed for by its namespace's key, or comes with that. */
function isOfNamespace({ mapping: { party }, hosting, companions }: Onboarding): boolean {
  const namespace = namespaceOf(party);
  if (hosting.signedBy.has(namespace)) return true;
  return hosting.signedBy.size > 0 && companions.some(isDelegation) && !companions.some(isDecentralized);
}

/** The same transaction, as often as it was brought: with all who signed it. */
function united(companions: readonly Signed[]): readonly Signed[] {
  const byBytes = new Map<string, Signed>();
  for (const companion of companions) {
    const key = Buffer.from(companion.transaction).toString("base64"),
      before = byBytes.get(key);
    byBytes.set(key, before === undefined ? companion : { ...before, signedBy: new Set([...before.signedBy, ...companion.signedBy]) });
  }
  return [...byBytes.values()];
}

/** Whose signatures are missing; of a namespace that nobody is known to speak for, its own. */
function missingSigners({ mapping, hosting, companions }: Onboarding, known: () => Namespace | undefined): readonly string[] {
  const namespace = namespaceOfParty(mapping, companions) ?? known();
  const ofNamespace = (signedBy: ReadonlySet<string>): readonly string[] => {
    if (namespace === undefined) return [namespaceOf(mapping.party)];
    const missing = lacking(namespace.keys, signedBy);
    return namespace.keys.length - missing.length >= namespace.threshold ? [] : missing;
  };
  const apart = companions.find(isPartyToKeys);
  const missing =
    apart === undefined
      ? lacking(mapping.keys, hosting.signedBy)
      : [...lacking(mapping.keys, apart.signedBy), ...ofNamespace(apart.signedBy)];
  return [...new Set([...missing, ...ofNamespace(hosting.signedBy)])];
}

const lacking = (keys: PartyToParticipant["keys"], signedBy: ReadonlySet<string>): readonly string[] =>
  keys.flatMap(({ fingerprint }) => (signedBy.has(fingerprint) ? [] : [fingerprint]));
