/** A prepared transaction that came back: is it whole, meant for here, and signed by all who submit it? */
import { fail, isFailure } from "../../base/result.js";
import { readSubmitter, splitPrepared, type HashingScheme } from "../../lf/interactive/index.js";
import {
  invalidField,
  ledgerError,
  type LedgerErrorData,
  logicalSynchronizerId,
  missingField,
  type Outcome,
  type Party,
  setOf,
  uniqueIdentifierProblem,
} from "../model/index.js";
import type { PartyToParticipant } from "./topology.js";
import { notExecutable, type SignedFacts, unreadablePrepared } from "../interpretation/index.js";
import { isSignedBy, type Signature } from "./signing-keys.js";

export interface PartySignatures {
  readonly party: Party;
  readonly signatures: readonly Signature[];
}

export interface SignedTransaction {
  readonly prepared: Uint8Array;
  /** Undefined: not named. */
  readonly hashingScheme: HashingScheme | undefined;
  /** A failure says what is wrong about one of them. */
  readonly signatures: Outcome<readonly PartySignatures[]>;
}

/** The parties that would submit, as far as the bytes can be read; for whoever checks rights before anything else. */
export function submittersOf(prepared: Uint8Array): readonly Party[] {
  const parts = splitPrepared(prepared);
  if (isFailure(parts) || parts.ok.metadata === undefined) return [];
  const submitter = readSubmitter(parts.ok.metadata);
  return isFailure(submitter) ? [] : submitter.ok.actAs;
}

/** The rules that come before and behind those of what was signed. */
export interface RulesAround {
  /** Of who executes it and how: told as soon as the bytes can be read. */
  readonly before: () => LedgerErrorData | undefined;
  readonly behind: () => LedgerErrorData | undefined;
}

/** What is wrong about the request itself, or the signatures. */
export function checkSigned(
  { prepared, hashingScheme, signatures }: SignedTransaction,
  { before, behind }: RulesAround,
): Outcome<readonly PartySignatures[]> {
  const parts = splitPrepared(prepared);
  if (isFailure(parts)) return fail(unreadablePrepared());
  const submitter = parts.ok.metadata && readSubmitter(parts.ok.metadata);
  if (submitter !== undefined && isFailure(submitter)) return fail(unreadablePrepared());
  const misnamed = before();
  if (misnamed) return fail(misnamed);
  if (isFailure(signatures)) return signatures;
  if (hashingScheme === undefined) return fail(invalidField("hashing_scheme_version", "Unspecified version"));
  if (submitter === undefined) return fail(missingField("synchronizer_id"));
  const { synchronizerId } = submitter.ok;
  if (uniqueIdentifierProblem(logicalSynchronizerId(synchronizerId)) !== undefined) return fail(noSynchronizerId(synchronizerId));
  const unfit = behind();
  return unfit ? fail(unfit) : signatures;
}

/** Of either form: what is neither is told as what is no physical one, by the words that clients look for. */
function noSynchronizerId(text: string): LedgerErrorData {
  const [, , suffix, ...more] = text.split("::");
  const reason =
    suffix === undefined || more.length > 0
      ? `Unable to parse \`${text}\` as physical synchronizer id`
      : `Cannot parse ${suffix} as a physical synchronizer id suffix`;
  return invalidField("synchronizer_id", `Unable to convert field \`synchronizer_id\`: ${reason}`);
}

/** What a party has signed about its keys, for the synchronizer that a transaction is for. */
export type KeysOf = (party: Party) => Pick<PartyToParticipant, "keys" | "keyThreshold"> | undefined;

/** Who signed, of a transaction that was read and hashed. */
export function checkSigners(
  { hash, metadata: { actAs, mediatorGroup } }: SignedFacts,
  signatures: readonly PartySignatures[],
  keysOf: KeysOf,
): LedgerErrorData | undefined {
  if (actAs.length === 0) return ledgerError("MALFORMED_REQUEST", "The prepared transaction names no submitters.");
  const unsigned = checkSignatures(actAs, hash, signatures, keysOf);
  if (unsigned !== undefined) return notExecutable(unsigned);
  return mediatorGroup === 0
    ? undefined
    : ledgerError("SYNCHRONIZER_WITHOUT_MEDIATOR", `The synchronizer has no mediator group ${mediatorGroup}.`);
}

/** Whoever signs has to be hosted by somebody who confirms for him, in Canton's words. */
export function checkSignersHosted(signers: readonly Party[], isHosted: (party: Party) => boolean): LedgerErrorData | undefined {
  const strangers = [...new Set(signers)].filter((party) => !isHosted(party));
  if (strangers.length === 0) return undefined;
  return ledgerError("MALFORMED_REQUEST", "Malformed request", {
    context: {
      message: "Transaction confirmation request creation failed",
      reason: `ParticipantAuthorizationError(The following parties are not hosted with confirmation rights on the synchronizer: ${setOf(strangers)})`,
    },
  });
}

function checkSignatures(
  actAs: readonly Party[],
  hash: Uint8Array,
  signatures: readonly PartySignatures[],
  keysOf: KeysOf,
): string | undefined {
  const given = byParty(signatures);
  const without = actAs.filter((party) => !given.has(party));
  if (without.length > 0) return `The following actAs parties did not provide an external signature: ${without.join(", ")}`;
  for (const party of actAs) {
    const problem = checkParty(party, hash, given.get(party) ?? [], keysOf);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A party may be named several times, as by those that hold a key of it each: then the same signature counts once. */
function byParty(signatures: readonly PartySignatures[]): ReadonlyMap<Party, readonly Signature[]> {
  const given = new Map<Party, readonly Signature[]>();
  for (const { party, signatures: more } of signatures) {
    const before = given.get(party);
    given.set(party, before === undefined ? more : [...new Map([...before, ...more].map((one) => [signatureKey(one), one])).values()]);
  }
  return given;
}

const signatureKey = ({ format, bytes, signedBy, algorithm }: Signature): string =>
  [format, algorithm, signedBy, Buffer.from(bytes).toString("base64")].join(" ");

/** As many of the party's keys as it asks for must have signed. The hash is shown so that a signer can compare. */
function checkParty(party: Party, hash: Uint8Array, signatures: readonly Signature[], keysOf: KeysOf): string | undefined {
  const known = keysOf(party);
  if (known === undefined) return `no signing keys of ${party} are known on the synchronizer`;
  const { keys, keyThreshold } = known;
  if (signatures.length > keys.length)
    return `${signatures.length} signatures were given for ${party}, which has ${keys.length} signing keys`;
  const valid = new Set<string>();
  let invalid = 0;
  for (const signature of signatures) {
    const key = keys.find(({ fingerprint }) => fingerprint === signature.signedBy);
    if (key !== undefined && isSignedBy(key, hash, signature)) valid.add(key.fingerprint);
    else invalid++;
  }
  if (valid.size >= keyThreshold) return undefined;
  return `Received ${valid.size} valid signatures from distinct keys (${invalid} invalid), but expected at least ${keyThreshold} valid for ${party}. Transaction hash to be signed: 1220${Buffer.from(hash).toString("hex")}. Ensure the correct transaction hash is signed with the correct key(s).`;
}
