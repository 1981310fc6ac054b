/**
 * Onboarding of an external party: the signatures of its topology transaction are checked and gathered; the party exists
 * as soon as its namespace key and all of its signing keys have signed, and every participant that is to host it has
 * been asked the same. What lacks any of that is kept as a proposal by those that were asked.
 */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { CommitGroup } from "../commit/index.js";
import {
  authorizationsMissing,
  type Identity,
  invalidArgument,
  invalidField,
  type LedgerErrorData,
  logicalSynchronizerId,
  type Party,
  partyProblem,
  signatureVerificationFailed,
  type Synchronizer,
  type TraceContext,
  uniqueIdentifierProblem,
  unknownMembers,
} from "../model/index.js";
import { belongsElsewhere, ofAnotherProvider, type PartiesContext, partyExists, type PartyKeeper, writeParty } from "../parties/index.js";
import type { PartyRecord } from "../records/index.js";
import { type ExternalParties, type ExternalParty, keepExternalParty } from "./external-parties.js";
import { isSignedBy, type Signature, type SigningKey } from "./signing-keys.js";
import type { PartyToParticipant } from "./topology.js";
import { combinedHash, topologyHash } from "./topology-hash.js";
import { decodePartyToParticipant } from "./topology-reader.js";

export interface OnboardingRequest {
  readonly synchronizer: string;
  readonly transactions: readonly { readonly transaction: Uint8Array; readonly signatures: readonly Signature[] }[];
  /** Over the hash of all transactions together. */
  readonly combinedSignatures: readonly Signature[];
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

type SignedTransaction = OnboardingRequest["transactions"][number];

interface Proposal extends SignedTransaction {
  readonly synchronizer: Synchronizer;
  readonly mapping: PartyToParticipant;
}

interface Onboarding extends Proposal {
  readonly signedBy: readonly string[];
}

/** Resolves with the party's id, whether it exists now or is only proposed. */
export async function allocateExternalParty(
  request: OnboardingRequest,
  context: OnboardingContext,
): Promise<Result<Party, LedgerErrorData>> {
  const proposal = readProposal(request, context);
  if (isFailure(proposal)) return proposal;
  const { party } = proposal.ok.mapping,
    problem = standing(context.parties.durable(party), proposal.ok, request) ?? unknownHosts(proposal.ok, context);
  if (problem !== undefined) return fail(problem);
  const signedBy = signers(proposal.ok.mapping.keys, proposal.ok, request.combinedSignatures);
  if (signedBy === undefined) return fail(signatureVerificationFailed());
  const written = await context.committer.commit((group) => record(group, { ...proposal.ok, signedBy }, request, context));
  if (isFailure(written)) return written;
  return written.ok === undefined ? ok(party) : fail(written.ok);
}

function readProposal(request: OnboardingRequest, { identity, synchronizers }: OnboardingContext): Result<Proposal, LedgerErrorData> {
  const synchronizerId = logicalSynchronizerId(request.synchronizer),
    malformed = uniqueIdentifierProblem(synchronizerId);
  if (malformed !== undefined) return fail(invalidField("synchronizer", malformed));
  const synchronizer = synchronizers.find(synchronizerId);
  if (synchronizer === undefined)
    return fail(invalidArgument(`This node is not connected to the requested synchronizer ${synchronizerId}.`));
  const [only, ...others] = request.transactions;
  if (only === undefined) return fail(invalidField("onboarding_transactions.transactions", "Transactions field is empty"));
  if (others.length > 0)
    return fail(
      invalidField(
        "onboarding_transactions.transactions",
        "one PartyToParticipant transaction, with the party's signing keys in it, is all that onboarding takes",
      ),
    );
  const mapping = decodePartyToParticipant(only.transaction);
  if (isFailure(mapping)) return fail(invalidField("onboarding_transactions.transaction", `Invalid transaction: ${mapping.error.message}`));
  const problem = checkMapping(mapping.ok, identity);
  return problem === undefined ? ok({ ...only, synchronizer, mapping: mapping.ok }) : fail(invalidArgument(problem));
}

const namespaceOf = (party: Party): string => party.slice(party.indexOf("::") + 2);

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
  if (!fingerprints.includes(namespaceOf(party))) return "the party's namespace is not the fingerprint of one of its signing keys";
  return keyThreshold < 1 || keyThreshold > keys.length
    ? `the signing threshold ${keyThreshold} does not fit ${keys.length} signing keys`
    : undefined;
}

/** What is wrong about a party that is known already. */
function standing(
  known: PartyRecord | undefined,
  { synchronizer, mapping: { party } }: Proposal,
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
  for (const { participantId, synchronizers } of others) if (synchronizers.isConnectedTo(synchronizer.number)) there.add(participantId);
  const unknown = mapping.participants.map(({ participant }) => participant).filter((participant) => !there.has(participant));
  return unknown.length > 0 ? unknownMembers(unknown) : undefined;
}

/**
 * Fingerprints of the party's keys that signed; undefined when one of their signatures is wrong. Other keys say nothing about the party.
 * Of several signatures by one key the first counts, and those of the transaction come before those of all together.
 */
function signers(
  keys: readonly SigningKey[],
  { transaction, signatures }: SignedTransaction,
  combined: readonly Signature[],
): readonly string[] | undefined {
  const signed = new Set<string>();
  const hashes = [
    [topologyHash(transaction), signatures],
    [combinedHash([transaction]), combined],
  ] as const;
  for (const [hash, given] of hashes) {
    for (const signature of given) {
      const key = keys.find(({ fingerprint }) => fingerprint === signature.signedBy);
      if (key === undefined || signed.has(key.fingerprint)) continue;
      if (!isSignedBy(key, hash, signature)) return undefined;
      signed.add(key.fingerprint);
    }
  }
  return [...signed];
}

/**
 * Adds to what was signed before, wherever, and creates the party when nothing is missing. All of it in the commit: what another
 * holder signs at the same time stands before it in the same group, or behind it. Gives what is wrong.
 */
function record(
  group: CommitGroup,
  onboarding: Onboarding,
  request: OnboardingRequest,
  context: OnboardingContext,
): LedgerErrorData | undefined {
  const { synchronizer, transaction, mapping, signedBy } = onboarding,
    { party, keys, participants } = mapping,
    { participantId } = context.identity;
  const problem = standing(context.parties.get(party), onboarding, request);
  if (problem !== undefined) return problem;
  const wasAsked = context.externalParties.get(party, synchronizer.number) !== undefined;
  const asked = [{ participantId, externalParties: context.externalParties }, ...context.others].flatMap(
    ({ participantId: id, externalParties }) => {
      const proposal = externalParties.get(party, synchronizer.number);
      return proposal !== undefined && Buffer.from(proposal.transaction).equals(transaction) ? [{ id, signedBy: proposal.signedBy }] : [];
    },
  );
  const signers = new Set([...asked.flatMap((one) => one.signedBy), ...signedBy]),
    consenting = new Set([participantId, ...asked.map(({ id }) => id)]);
  const missing = keys.flatMap(({ fingerprint }) => (signers.has(fingerprint) ? [] : [fingerprint])),
    isOnboarded = missing.length === 0 && participants.every(({ participant }) => consenting.has(participant));
  // Where the namespace signs for a party of one host, nothing may be missing any more: its other keys sign before.
  if (!isOnboarded && participants.length === 1 && signedBy.includes(namespaceOf(party))) return authorizationsMissing(missing);
  const external: ExternalParty = { party, synchronizer: synchronizer.number, transaction, mapping, signedBy: [...signers], isOnboarded };
  keepExternalParty(group, context.externalParties, external);
  if (!isOnboarded) return undefined;
  // Its keys are known to all on the synchronizer, as anybody may bring what it has signed.
  for (const other of context.others)
    if (other.synchronizers.isConnectedTo(synchronizer.number)) keepExternalParty(group.of(other.commits), other.externalParties, external);
  writeParty(group, context, {
    party,
    isExternal: true,
    synchronizer,
    hosts: participants,
    // An earlier proposal is the first version of what is kept about the party.
    local: { annotations: {}, resourceVersion: wasAsked ? 1 : 0, identityProviderId: request.identityProviderId },
    trace: request.trace,
  });
  return undefined;
}
