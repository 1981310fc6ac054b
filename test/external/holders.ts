/** Who holds the keys of external parties, and signs for them. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { isFailure, ok, type Result } from "../../src/base/result.js";
import { readSigningKey, type Signature, type SigningKey } from "../../src/ledger/external/signing-keys.js";
import { encodePartyToParticipant, type PartyToParticipant } from "../../src/ledger/external/topology.js";
import { combinedHash, topologyHash } from "../../src/ledger/external/topology-hash.js";
import type { Ledger } from "../../src/ledger/ledger.js";
import type { Answer, LedgerErrorData, Party } from "../../src/ledger/model/index.js";

export interface Holder {
  readonly key: SigningKey;
  readonly secret: KeyObject;
}

export function holder(): Holder {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = readSigningKey(publicKey.export({ type: "spki", format: "der" }), "ed25519");
  assert.ok(!isFailure(key));
  return { key: key.ok, secret: privateKey };
}

export const signature = ({ key, secret }: Holder, message: Uint8Array): Signature => ({
  format: "concat",
  bytes: sign(null, message, secret),
  signedBy: key.fingerprint,
  algorithm: "ed25519",
});

export function transactionOf(
  ledger: Pick<Ledger, "participantId">,
  holders: readonly Holder[],
  change: Partial<PartyToParticipant> = {},
): Uint8Array {
  const party = `ext::${holders[0]!.key.fingerprint}`,
    participants = [{ participant: ledger.participantId, permission: "confirmation" as const }];
  return encodePartyToParticipant({ party, threshold: 1, participants, keys: holders.map(({ key }) => key), keyThreshold: 1, ...change });
}

export const allocateWith = (
  ledger: Pick<Ledger, "external">,
  transaction: Uint8Array,
  signers: readonly Holder[],
  { synchronizer, own = [], identityProviderId = "" }: Where,
) =>
  ledger.external.allocate({
    synchronizer,
    identityProviderId,
    trace: { traceparent: null, tracestate: null },
    transactions: [{ transaction, signatures: ok(own.map((one) => signature(one, topologyHash(transaction)))) }],
    combinedSignatures: ok(signers.map((one) => signature(one, combinedHash([transaction])))),
  });

interface Where {
  readonly synchronizer: string;
  /** Who signs the transaction itself. */
  readonly own?: readonly Holder[];
  readonly identityProviderId?: string;
}

/** Gives the party. */
export const allocate = async (
  ledger: Ledger,
  transaction: Uint8Array,
  signers: readonly Holder[],
  own: readonly Holder[] = [],
  synchronizer = ledger.synchronizerId,
): Answer<Party> => partyOf(await allocateWith(ledger, transaction, signers, { synchronizer, own }));

export const partyOf = (onboarded: Result<{ readonly party: Party }, LedgerErrorData>): Result<Party, LedgerErrorData> =>
  isFailure(onboarded) ? onboarded : ok(onboarded.ok.party);
