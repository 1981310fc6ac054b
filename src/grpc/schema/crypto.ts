import { bytes, enumeration, protoFile, string } from "./fields.js";

const { file, message, enumOf } = protoFile("com.daml.ledger.api.v2", "crypto.proto");
export const cryptoFile = file;

const SigningKeySpec = enumOf("SigningKeySpec", {
  SIGNING_KEY_SPEC_UNSPECIFIED: 0,
  SIGNING_KEY_SPEC_EC_CURVE25519: 1,
  SIGNING_KEY_SPEC_EC_P256: 2,
  SIGNING_KEY_SPEC_EC_P384: 3,
  SIGNING_KEY_SPEC_EC_SECP256K1: 4,
});

const CryptoKeyFormat = enumOf("CryptoKeyFormat", {
  CRYPTO_KEY_FORMAT_UNSPECIFIED: 0,
  CRYPTO_KEY_FORMAT_DER: 1,
  CRYPTO_KEY_FORMAT_RAW: 2,
  CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO: 3,
});

export const SigningAlgorithmSpec = enumOf("SigningAlgorithmSpec", {
  SIGNING_ALGORITHM_SPEC_UNSPECIFIED: 0,
  SIGNING_ALGORITHM_SPEC_ED25519: 1,
  SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256: 2,
  SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384: 3,
});

const SignatureFormat = enumOf("SignatureFormat", {
  SIGNATURE_FORMAT_UNSPECIFIED: 0,
  SIGNATURE_FORMAT_RAW: 1,
  SIGNATURE_FORMAT_DER: 2,
  SIGNATURE_FORMAT_CONCAT: 3,
  SIGNATURE_FORMAT_SYMBOLIC: 10000,
});

export const SigningPublicKey = message("SigningPublicKey", {
  format: enumeration(1, CryptoKeyFormat),
  key_data: bytes(2),
  key_spec: enumeration(3, SigningKeySpec),
});

export const Signature = message("Signature", {
  format: enumeration(1, SignatureFormat),
  signature: bytes(2),
  signed_by: string(3),
  signing_algorithm_spec: enumeration(4, SigningAlgorithmSpec),
});
