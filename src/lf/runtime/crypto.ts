/** Hashes and signature checks over hex text. What cannot be parsed is fatal: LF code cannot catch it. */
import { p256, p384, p521 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { createHash } from "node:crypto";
import { fatal } from "../errors.js";
import { decodeEcKey, decodeSignature, type EcKey, type Signature } from "./der.js";
import { bytesOfHex, malformedBytes } from "./hex.js";

const Point = secp256k1.Point;
const order = Point.Fn.ORDER;

const secp256k1Curve = "2b8104000a";
/** Keys on these parse, and no signature verifies with them. */
const otherCurves: Readonly<Record<string, typeof p256.Point>> = {
  "2a8648ce3d030107": p256.Point,
  "2b81040022": p384.Point,
  "2b81040023": p521.Point,
};

const unreadableHex = "can not parse hex string";
const unreadableSignature = "can not parse signature hex string";
const unreadableMessage = "can not parse message hex string";
const unreadableKey = "can not parse DER encoded public key hex string";

export const sha256Hex = (hex: string): string => createHash("sha256").update(bytesOfHex(hex, unreadableHex)).digest("hex");
export const keccak256Text = (hex: string): string => Buffer.from(keccak_256(bytesOfHex(hex, unreadableHex))).toString("hex");

/** SHA-256 of the message, which is read before the signature, then ECDSA. */
export const secp256k1Bool = (signature: string, message: string, key: string): boolean => {
  const digest = createHash("sha256").update(bytesOfHex(message, unreadableMessage)).digest();
  return verify(bytesOfHex(signature, unreadableSignature), signature, digest, key);
};

/** ECDSA over the digest as given. */
export const secp256k1WithEcdsaBool = (signature: string, digest: string, key: string): boolean =>
  verify(bytesOfHex(signature, unreadableSignature), signature, bytesOfHex(digest, unreadableMessage), key);

/** Is the key a point of the curve, other than infinity? */
export const secp256k1ValidateKey = (key: string): boolean => {
  const parsed = parseKey(key);
  return parsed.curve === secp256k1Curve && readPoint(Point, parsed) !== undefined;
};

const verify = (signatureBytes: Buffer, signatureHex: string, digest: Buffer, keyHex: string): boolean => {
  const key = parseKey(keyHex);
  const curve = key.curve === secp256k1Curve ? Point : otherCurves[key.curve]!;
  const point = readPoint(curve, key) ?? malformedBytes(keyHex, unreadableKey);
  const signature = decodeSignature(signatureBytes, order) ?? malformedSignature(signatureHex);
  return point instanceof Point && isSigned(signature, digest, point);
};

const parseKey = (hex: string): EcKey => {
  const key = decodeEcKey(bytesOfHex(hex, unreadableKey));
  if (key !== undefined && (key.curve === secp256k1Curve || key.curve in otherCurves)) return key;
  const cause = "not the DER encoding of an elliptic curve key";
  throw fatal("Crypto.MalformedKey", `Malformed public key for ${hex}: ${cause}`, { key: hex, cause });
};

const malformedSignature = (signature: string): never => {
  const cause = "not the DER encoding of an ECDSA signature";
  throw fatal("Crypto.MalformedSignature", `Malformed signature for ${signature}: ${cause}`, { signature, cause });
};

type CurvePoint = InstanceType<typeof Point>;

/** Compressed and uncompressed forms; undefined when off the curve. */
const readPoint = (curve: typeof Point | typeof p256.Point, key: EcKey): CurvePoint | undefined => {
  try {
    return curve.fromBytes(key.point) as CurvePoint;
  } catch {
    return undefined; // the library has no other way to say so
  }
};

/** FIPS 186-4, 6.4, without a rule on the size of s: the reference accepts a high one. */
const isSigned = ({ r, s }: Signature, digest: Buffer, key: CurvePoint): boolean => {
  if (r === 0n || s === 0n) return false;
  const z = BigInt(`0x0${digest.subarray(0, 32).toString("hex")}`);
  const inverse = Point.Fn.inv(s);
  const u1 = Point.Fn.mul(Point.Fn.create(z), inverse);
  const u2 = Point.Fn.mul(r, inverse);
  const sum = multiply(Point.BASE, u1).add(multiply(key, u2));
  return !sum.is0() && sum.toAffine().x % order === r;
};

const multiply = (point: CurvePoint, factor: bigint): CurvePoint => (factor === 0n ? Point.ZERO : point.multiplyUnsafe(factor));
