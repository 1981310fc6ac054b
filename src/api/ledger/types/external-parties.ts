import type { tags } from "typia";
import type { Base64, Int32Input } from "./scalars.js";

/** The published document has these as plain strings; other names are refused all the same. */
export type CryptoKeyFormat = string & tags.Pattern<"^CRYPTO_KEY_FORMAT_(UNSPECIFIED|DER|RAW|DER_X509_SUBJECT_PUBLIC_KEY_INFO)$">;
export type SigningKeySpec = string & tags.Pattern<"^SIGNING_KEY_SPEC_(UNSPECIFIED|EC_CURVE25519|EC_P256|EC_P384|EC_SECP256K1)$">;
export type SignatureFormat = string & tags.Pattern<"^SIGNATURE_FORMAT_(UNSPECIFIED|RAW|DER|CONCAT|SYMBOLIC)$">;
export type SignatureAlgorithm = string & tags.Pattern<"^SIGNING_ALGORITHM_SPEC_(UNSPECIFIED|ED25519|EC_DSA_SHA_256|EC_DSA_SHA_384)$">;

export interface AllocateExternalPartyRequest {
  readonly synchronizer?: string;
  readonly onboardingTransactions?: readonly SignedTransaction[];
  readonly multiHashSignatures?: readonly WireSignature[];
  readonly identityProviderId?: string;
  readonly waitForAllocation?: boolean | null;
  readonly userId?: string;
}

export interface AllocateExternalPartyResponse {
  readonly partyId: string;
}

export interface SignedTransaction {
  readonly transaction?: Base64;
  readonly signatures?: readonly WireSignature[];
}

export interface WireSignature {
  readonly format: SignatureFormat;
  readonly signature?: Base64;
  readonly signedBy?: string;
  readonly signingAlgorithmSpec: SignatureAlgorithm;
}

export interface GenerateExternalPartyTopologyRequest {
  readonly synchronizer?: string;
  readonly partyHint?: string;
  readonly publicKey?: SigningPublicKey | null;
  readonly localParticipantObservationOnly?: boolean;
  readonly otherConfirmingParticipantUids?: readonly string[];
  readonly confirmationThreshold?: Int32Input;
  readonly observingParticipantUids?: readonly string[];
}

export interface GenerateExternalPartyTopologyResponse {
  readonly partyId: string;
  readonly publicKeyFingerprint: string;
  readonly topologyTransactions: readonly string[];
  readonly multiHash: string;
}

export interface SigningPublicKey {
  readonly format: CryptoKeyFormat;
  readonly keyData?: Base64;
  readonly keySpec: SigningKeySpec;
}
