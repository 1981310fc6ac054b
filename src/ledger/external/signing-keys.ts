/** Public keys with which external parties sign, and the checks of their signatures. */
import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { BoundedMap } from "../../base/bounded-map.js";
import { fail, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import { keyFingerprint } from "../model/index.js";

export type KeySpec = "ed25519" | "p256" | "p384" | "secp256k1";

export interface SigningKey {
  readonly spec: KeySpec;
  /** X.509 SubjectPublicKeyInfo in DER. */
  readonly spki: Buffer;
  readonly fingerprint: string;
}

/** Symbolic ones are of keys for tests: no key here makes them. */
export type SignatureFormat = "raw" | "der" | "concat" | "symbolic";
export type SigningAlgorithm = "ed25519" | "ecdsaSha256" | "ecdsaSha384";

export interface Signature {
  readonly format: SignatureFormat;
  readonly bytes: Uint8Array;
  /** Fingerprint of the key. */
  readonly signedBy: string;
  readonly algorithm: SigningAlgorithm;
}

const curves: Readonly<Record<Exclude<KeySpec, "ed25519">, string>> = { p256: "prime256v1", p384: "secp384r1", secp256k1: "secp256k1" };

const ed25519Head = Buffer.from("302a300506032b6570032100", "hex");
const ed25519KeyBytes = 32;

/** A key in SubjectPublicKeyInfo form; other encodings of the same key would have another fingerprint and are refused. */
export function readSigningKey(spki: Uint8Array, spec: KeySpec): Result<SigningKey, string> {
  const key = parse(spki);
  if (key === undefined) return fail("the bytes are not a SubjectPublicKeyInfo in DER");
  if (specOf(key) !== spec) return fail(`the key is not of specification ${spec}`);
  const bytes = Buffer.from(Uint8Array.from(spki).buffer); // it stays, and would keep the piece of memory that small buffers share
  if (!key.export({ type: "spki", format: "der" }).equals(bytes)) return fail("the key is not encoded canonically");
  const hashed = spec === "ed25519" ? bytes.subarray(ed25519Head.length) : bytes;
  return ok({ spec, spki: bytes, fingerprint: keyFingerprint(hashed) });
}

/** The bare key: only Ed25519 has a single form of it. */
export function readRawSigningKey(raw: Uint8Array, spec: KeySpec): Result<SigningKey, string> {
  if (spec !== "ed25519" || raw.length !== ed25519KeyBytes) return fail("only an Ed25519 key of 32 bytes can be given in raw form");
  return readSigningKey(Buffer.concat([ed25519Head, raw]), spec);
}

function parse(spki: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(spki), type: "spki", format: "der" });
  } catch {
    return undefined; // node:crypto has no other way to say so
  }
}

function specOf(key: KeyObject): KeySpec | undefined {
  if (key.asymmetricKeyType === "ed25519") return "ed25519";
  const curve = key.asymmetricKeyType === "ec" ? key.asymmetricKeyDetails?.namedCurve : undefined;
  return (Object.keys(curves) as (keyof typeof curves)[]).find((spec) => curves[spec] === curve);
}

const algorithmOf: Readonly<Record<KeySpec, SigningAlgorithm>> = {
  ed25519: "ed25519",
  p256: "ecdsaSha256",
  secp256k1: "ecdsaSha256",
  p384: "ecdsaSha384",
};
const digestOf: Readonly<Record<SigningAlgorithm, string | null>> = { ed25519: null, ecdsaSha256: "sha256", ecdsaSha384: "sha384" };

/** EdDSA signatures are a concatenation, ECDSA signatures DER; the raw format stands for either. */
export function isSignedBy(key: SigningKey, message: Uint8Array, signature: Signature): boolean {
  const format: SignatureFormat = key.spec === "ed25519" ? "concat" : "der";
  if (signature.signedBy !== key.fingerprint || signature.algorithm !== algorithmOf[key.spec]) return false;
  if (signature.format !== "raw" && signature.format !== format) return false;
  return verify(digestOf[signature.algorithm], message, publicKeyOf(key), signature.bytes);
}

/** By fingerprint: to read one takes twice as long as to verify with it. */
const publicKeys = new BoundedMap<string, KeyObject>(limits.publicKeysKeptMax);

function publicKeyOf({ fingerprint, spki }: SigningKey): KeyObject {
  const known = publicKeys.get(fingerprint);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: spki, type: "spki", format: "der" });
  publicKeys.set(fingerprint, key);
  return key;
}
