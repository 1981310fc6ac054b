/** Signatures and public keys of external parties, from their wire shape to the ledger's terms. */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import {
  fingerprintProblem,
  type KeySpec,
  readRawSigningKey,
  readSigningKey,
  type Signature,
  type SignatureFormat,
  type SigningAlgorithm,
  type SigningKey,
} from "../../ledger/index.js";
import { toBytes } from "../base64.js";
import type { RequestFailure } from "../errors.js";
import { invalidField } from "../failures.js";
import type { SigningPublicKey, WireSignature } from "./types/external-parties.js";

/** Absent: not to be used. */
const formats: Readonly<Record<string, SignatureFormat>> = {
  SIGNATURE_FORMAT_RAW: "raw",
  SIGNATURE_FORMAT_DER: "der",
  SIGNATURE_FORMAT_CONCAT: "concat",
  SIGNATURE_FORMAT_SYMBOLIC: "symbolic",
};
const algorithms: Readonly<Record<string, SigningAlgorithm>> = {
  SIGNING_ALGORITHM_SPEC_ED25519: "ed25519",
  SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256: "ecdsaSha256",
  SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384: "ecdsaSha384",
};
const specs: Readonly<Record<string, KeySpec>> = {
  SIGNING_KEY_SPEC_EC_CURVE25519: "ed25519",
  SIGNING_KEY_SPEC_EC_P256: "p256",
  SIGNING_KEY_SPEC_EC_P384: "p384",
  SIGNING_KEY_SPEC_EC_SECP256K1: "secp256k1",
};

/** `field` is where the signatures stand in the request. */
export function signaturesOf(wires: readonly WireSignature[], field: string): Result<readonly Signature[], RequestFailure> {
  const signatures: Signature[] = [];
  for (const wire of wires) {
    const signature = signatureOf(wire, field);
    if (isFailure(signature)) return signature;
    signatures.push(signature.ok);
  }
  return ok(signatures);
}

function signatureOf(
  { format = "", signature = "", signedBy = "", signingAlgorithmSpec = "" }: WireSignature,
  field: string,
): Result<Signature, RequestFailure> {
  const known = formats[format],
    algorithm = algorithms[signingAlgorithmSpec];
  if (known === undefined) return fail(invalidField("format", `Signature format ${format || "(none)"} is not supported`));
  const noFingerprint = fingerprintProblem(signedBy);
  if (noFingerprint !== undefined) return fail(invalidField(field, noFingerprint));
  if (algorithm === undefined)
    return fail(invalidField(field, `Signing algorithm spec ${signingAlgorithmSpec || "(none)"} is not supported`));
  return ok({ format: known, bytes: toBytes(signature), signedBy, algorithm });
}

/** The error says what is wrong with the key. */
export function publicKeyOf({ format = "", keyData = "", keySpec = "" }: SigningPublicKey): Result<SigningKey, string> {
  const spec = specs[keySpec];
  if (spec === undefined) return fail("Field `key_spec` is not set");
  switch (format) {
    case "CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO":
      return readSigningKey(toBytes(keyData), spec);
    case "CRYPTO_KEY_FORMAT_DER":
      return spec === "p256" || spec === "p384" ? readSigningKey(toBytes(keyData), spec) : fail(formerFormat);
    case "CRYPTO_KEY_FORMAT_RAW":
      return readRawSigningKey(toBytes(keyData), spec);
    default:
      return fail("Field `format` is not set");
  }
}

/** What keys of two curves were given in before the format had its name; the reference takes it of those as what it is now. */
const formerFormat = "keys in DER are given as SubjectPublicKeyInfo, format CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO";
