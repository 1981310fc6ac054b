/** A prepared transaction that came back: is it whole, meant for here, and signed by all who submit it? */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import {
  hashPrepared, inputPackages, reachableNodes, readMetadata, readSubmitter, readTransaction, splitPrepared,
  type HashingScheme, type PreparedFailure, type PreparedTransaction,
} from "../../lf/interactive/index.js";
import { invalidField, jsonError, ledgerError, missingField } from "../errors.js";
import type { LedgerErrorData, Party } from "../model.js";
import { physicalSynchronizerId } from "../synchronizer-id.js";
import type { ExternalParties } from "./external-parties.js";
import { isSignedBy, type Signature } from "./signing-keys.js";

/** Of a party that is named twice the last signatures count. */
export interface PartySignatures { readonly party: Party; readonly signatures: readonly Signature[] }

export interface SignedTransaction {
  readonly prepared: Uint8Array;
  /** Undefined: not named. */
  readonly hashingScheme: HashingScheme | undefined;
  readonly signatures: readonly PartySignatures[];
}

export interface VerifiedTransaction { readonly prepared: PreparedTransaction; readonly hash: Uint8Array }

const failed = (reason: string): LedgerErrorData => ledgerError("FAILED_TO_EXECUTE_TRANSACTION", `The transaction cannot be executed: ${reason}`);

/** The parties that would submit, as far as the bytes can be read; for whoever checks rights before anything else. */
export function submittersOf(prepared: Uint8Array): readonly Party[] {
  const parts = splitPrepared(prepared);
  if (isFailure(parts) || parts.ok.metadata === undefined) return [];
  const submitter = readSubmitter(parts.ok.metadata);
  return isFailure(submitter) ? [] : submitter.ok.actAs;
}

/** What is wrong about the request itself. */
export function checkSigned({ prepared, hashingScheme }: SignedTransaction): LedgerErrorData | undefined {
  const parts = splitPrepared(prepared);
  if (isFailure(parts)) return unreadable();
  const submitter = parts.ok.metadata && readSubmitter(parts.ok.metadata);
  if (submitter === undefined) return missingField("synchronizer_id");
  if (isFailure(submitter)) return unreadable();
  if (submitter.ok.synchronizerId === "") return invalidField("synchronizer_id", "it is empty");
  return hashingScheme === undefined ? invalidField("hashing_scheme_version", "Unspecified version") : undefined;
}

const unreadable = (): LedgerErrorData => jsonError("INVALID_ARGUMENT", "The submitted request has invalid arguments: Cannot parse prepared_transaction");

/** Decodes, hashes and checks the signatures. */
export function verifySigned(signed: SignedTransaction, context: { readonly synchronizerId: string; readonly externalParties: ExternalParties }): Result<VerifiedTransaction, LedgerErrorData> {
  const prepared = decode(signed.prepared);
  if (isFailure(prepared)) return prepared;
  const structure = checkStructure(prepared.ok, context.synchronizerId);
  if (structure !== undefined) return fail(failed(structure));
  const hash = hashPrepared(prepared.ok, signed.hashingScheme ?? "V2");
  if (isFailure(hash)) return fail(failed(hash.error.message));
  const { actAs, mediatorGroup } = prepared.ok.metadata;
  if (actAs.length === 0) return fail(ledgerError("MALFORMED_REQUEST", "The prepared transaction names no submitters."));
  const unsigned = checkSignatures(actAs, hash.ok, signed.signatures, context.externalParties);
  if (unsigned !== undefined) return fail(failed(unsigned));
  if (mediatorGroup !== 0) return fail(ledgerError("SYNCHRONIZER_WITHOUT_MEDIATOR", `The synchronizer has no mediator group ${mediatorGroup}.`));
  return ok({ prepared: prepared.ok, hash: hash.ok });
}

function decode(bytes: Uint8Array): Result<PreparedTransaction, LedgerErrorData> {
  const parts = splitPrepared(bytes);
  if (isFailure(parts)) return fail(unreadable());
  if (parts.ok.metadata === undefined) return fail(missingField("metadata"));
  const metadata = readMetadata(parts.ok.metadata);
  if (isFailure(metadata)) return fail(fromPrepared(metadata.error));
  if (parts.ok.transaction === undefined) return fail(missingField("transaction"));
  const transaction = readTransaction(parts.ok.transaction);
  return isFailure(transaction) ? fail(fromPrepared(transaction.error)) : ok({ transaction: transaction.ok, metadata: metadata.ok });
}

function fromPrepared(failure: PreparedFailure): LedgerErrorData {
  switch (failure.kind) {
    case "malformed": return unreadable();
    case "missing": return missingField(failure.field);
    case "content": return failed(failure.message);
  }
}

function checkStructure({ transaction, metadata }: PreparedTransaction, synchronizerId: string): string | undefined {
  if (transaction.roots.length !== 1) return `it has ${transaction.roots.length} root nodes; exactly one is supported`;
  const nodes = reachableNodes(transaction);
  if (nodes === undefined) return "a node that another one refers to is missing";
  const used = inputPackages(nodes), given = new Set(metadata.inputContracts.map(({ create }) => create.contractId));
  const missing = [...used.keys()].find((contractId) => !given.has(contractId)), superfluous = [...given].find((contractId) => !used.has(contractId));
  if (missing !== undefined) return `contract ${missing} is used but is not among the input contracts`;
  if (superfluous !== undefined) return `contract ${superfluous} is among the input contracts but is not used`;
  const physical = physicalSynchronizerId(synchronizerId);
  return metadata.synchronizerId === physical ? undefined : `it is for synchronizer ${metadata.synchronizerId}; this node submits to the physical synchronizer ${physical}`;
}

function checkSignatures(actAs: readonly Party[], hash: Uint8Array, signatures: readonly PartySignatures[], externalParties: ExternalParties): string | undefined {
  const given = new Map(signatures.map((one) => [one.party, one.signatures]));
  const without = actAs.filter((party) => !given.has(party));
  if (without.length > 0) return `The following actAs parties did not provide an external signature: ${without.join(", ")}`;
  for (const party of actAs) {
    const problem = checkParty(party, hash, given.get(party) ?? [], externalParties);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** As many of the party's keys as it asks for must have signed. The hash is shown so that a signer can compare. */
function checkParty(party: Party, hash: Uint8Array, signatures: readonly Signature[], externalParties: ExternalParties): string | undefined {
  const mapping = externalParties.onboarded(party)?.mapping;
  if (mapping === undefined) return `no signing keys of ${party} are known`;
  const { keys, keyThreshold } = mapping;
  if (signatures.length > keys.length) return `${signatures.length} signatures were given for ${party}, which has ${keys.length} signing keys`;
  const valid = new Set<string>();
  for (const signature of signatures) {
    const key = keys.find(({ fingerprint }) => fingerprint === signature.signedBy);
    if (key !== undefined && isSignedBy(key, hash, signature)) valid.add(key.fingerprint);
  }
  if (valid.size >= keyThreshold) return undefined;
  return `Received ${valid.size} valid signatures from distinct keys, but expected at least ${keyThreshold} valid for ${party}. Transaction hash to be signed: 1220${Buffer.from(hash).toString("hex")}. Ensure the correct transaction hash is signed with the correct key(s).`;
}
