/**
 * Onboarding of an external party: the signatures of its topology transaction are checked and gathered; the party exists
 * as soon as its namespace key and all of its signing keys have signed, and every participant that is to host it has
 * been asked the same. What lacks any of that is kept as a proposal by those that were asked.
 */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { CommitGroup } from "../commit/index.js";
import {
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
} from "../model/index.js";
import { belongsElsewhere, ofAnotherProvider, type PartiesContext, partyExists, type PartyKeeper, writeParty } from "../parties/index.js";
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

interface Onboarding {
  readonly synchronizer: Synchronizer;
  readonly transaction: Uint8Array;
  readonly mapping: PartyToParticipant;
  readonly signedBy: readonly string[];
}

/** Resolves with the party's id, whether it exists now or is only proposed. */
export async function allocateExternalParty(
  request: OnboardingRequest,
  context: OnboardingContext,
): Promise<Result<Party, LedgerErrorData>> {
  const onboarding = readOnboarding(request, context);
  if (isFailure(onboarding)) return onboarding;
  const { party } = onboarding.ok.mapping;
  const written = await context.committer.commit((group) => record(group, onboarding.ok, request, context));
  if (isFailure(written)) return written;
  switch (written.ok) {
    case "exists":
      return fail(partyExists(party, `Party ${party} already exists on synchronizer ${request.synchronizer}`));
    case "elsewhere":
      return fail(ofAnotherProvider(party));
    case "recorded":
      return ok(party);
  }
}

function readOnboarding(request: OnboardingRequest, { identity, synchronizers }: OnboardingContext): Result<Onboarding, LedgerErrorData> {
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
  if (problem !== undefined) return fail(invalidArgument(problem));
  const signedBy = signers(mapping.ok.keys, only, request.combinedSignatures);
  return signedBy === undefined
    ? fail(signatureVerificationFailed())
    : ok({ synchronizer, transaction: only.transaction, mapping: mapping.ok, signedBy });
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

/**
 * Fingerprints of the party's keys that signed; undefined when one of their signatures is wrong. Other keys say nothing about the party.
 */
function signers(
  keys: readonly SigningKey[],
  { transaction, signatures }: OnboardingRequest["transactions"][number],
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
      if (key === undefined) continue;
      if (!isSignedBy(key, hash, signature)) return undefined;
      signed.add(key.fingerprint);
    }
  }
  return [...signed];
}

/**
 * Adds to what was signed before, wherever, and creates the party when nothing is missing. All of it in the commit: what another
 * holder signs at the same time stands before it in the same group, or behind it.
 */
function record(
  group: CommitGroup,
  { synchronizer, transaction, mapping, signedBy }: Onboarding,
  { identityProviderId, trace }: OnboardingRequest,
  context: OnboardingContext,
): "recorded" | "exists" | "elsewhere" {
  const { party, keys, participants } = mapping,
    { participantId } = context.identity;
  const known = context.parties.get(party);
  if (belongsElsewhere(known, identityProviderId)) return "elsewhere";
  if (known?.synchronizers.includes(synchronizer.number)) return "exists";
  const asked = [{ participantId, externalParties: context.externalParties }, ...context.others].flatMap(
    ({ participantId: id, externalParties }) => {
      const proposal = externalParties.get(party, synchronizer.number);
      return proposal !== undefined && Buffer.from(proposal.transaction).equals(transaction) ? [{ id, signedBy: proposal.signedBy }] : [];
    },
  );
  const signers = new Set([...asked.flatMap((one) => one.signedBy), ...signedBy]),
    consenting = new Set([participantId, ...asked.map(({ id }) => id)]);
  const isOnboarded =
    keys.every(({ fingerprint }) => signers.has(fingerprint)) && participants.every(({ participant }) => consenting.has(participant));
  const external: ExternalParty = { party, synchronizer: synchronizer.number, transaction, mapping, signedBy: [...signers], isOnboarded };
  keepExternalParty(group, context.externalParties, external);
  if (!isOnboarded) return "recorded";
  // Its keys are known to all on the synchronizer, as anybody may bring what it has signed.
  for (const other of context.others)
    if (other.synchronizers.isConnectedTo(synchronizer.number)) keepExternalParty(group.of(other.commits), other.externalParties, external);
  writeParty(group, context, {
    party,
    isExternal: true,
    synchronizer,
    hosts: participants,
    local: { annotations: {}, resourceVersion: 0, identityProviderId },
    trace,
  });
  return "recorded";
}
