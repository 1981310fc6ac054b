/** Hashes and signature checks over hex text. What cannot be parsed is fatal: LF code cannot catch it. */
import { p256, p384, p521 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { createHash } from "node:crypto";
import { fatal } from "../errors.js";
import { decodeEcKey, decodeSignature, type Signature } from "./der.js";
import { bytesOfHex, malformedBytes } from "./hex.js";

type Curve = typeof secp256k1.Point;

const secp256k1Curve: Curve = secp256k1.Point;
/** A key may be on any of these, whatever the builtins are called: a signature is verified on the curve of its key. */
const curves: ReadonlyMap<string, Curve> = new Map([
  ["2b8104000a", secp256k1Curve],
  ["2a8648ce3d030107", p256.Point],
  ["2b81040022", p384.Point],
  ["2b81040023", p521.Point],
]);

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

/** Is the key a point of secp256k1? One of a larger curve may not even be of its field, which the reference tells as bytes that are none. */
export const secp256k1ValidateKey = (keyHex: string): boolean => {
  const { x, y } = readKey(keyHex);
  const { ORDER: fieldSize } = secp256k1Curve.Fp;
  if (x >= fieldSize || y >= fieldSize) malformedBytes(keyHex, unreadableKey);
  return pointOf(secp256k1Curve, { x, y }) !== undefined;
};

const verify = (signatureBytes: Buffer, signatureHex: string, digest: Buffer, keyHex: string): boolean => {
  const { curve, x, y } = readKey(keyHex);
  const point = pointOf(curve, { x, y }) ?? malformedBytes(keyHex, unreadableKey);
  const signature = decodeSignature(signatureBytes, curve.Fn.ORDER) ?? malformedSignature(signatureHex);
  return isSigned(curve, signature, digest, point);
};

interface Coordinates {
  readonly x: bigint;
  readonly y: bigint;
}
interface PublicKey extends Coordinates {
  readonly curve: Curve;
}

const readKey = (hex: string): PublicKey => {
  const key = decodeEcKey(bytesOfHex(hex, unreadableKey));
  const curve = key && curves.get(key.curve);
  const point = key && curve && (uncompressed(curve, key.point) ?? (key.isAll ? otherForm(curve, key.point) : undefined));
  if (curve !== undefined && point !== undefined) return { curve, ...point };
  const cause = "not the DER encoding of an elliptic curve key";
  throw fatal("Crypto.MalformedKey", `Malformed public key for ${hex}: ${cause}`, { key: hex, cause });
};

// The reference asks two libraries for a key. The first knows one form of points, and neither minds what follows nor whether the point is
// on its curve; the second knows all forms, and minds both.

const uncompressedTag = 4;

/** A byte more is ignored. */
const uncompressed = ({ Fp }: Curve, point: Uint8Array): Coordinates | undefined => {
  if (point[0] !== uncompressedTag || Math.floor((point.length - 1) / 2) !== Fp.BYTES) return undefined;
  const number = (start: number): bigint => BigInt(`0x${Buffer.from(point.subarray(start, start + Fp.BYTES)).toString("hex")}`);
  return { x: number(1), y: number(1 + Fp.BYTES) };
};

/** Compressed, or hybrid: both coordinates behind a tag that says whether the second is odd. */
const otherForm = (curve: Curve, point: Uint8Array): Coordinates | undefined => {
  const isHybrid = point[0] === 6 || point[0] === 7;
  const found = readPoint(curve, isHybrid ? Buffer.from([uncompressedTag, ...point.subarray(1)]) : point);
  return isHybrid && found !== undefined && Number(found.y & 1n) !== point[0]! - 6 ? undefined : found;
};

const malformedSignature = (signature: string): never => {
  const cause = "error decoding signature bytes.";
  throw fatal("Crypto.MalformedSignature", `Malformed signature for ${signature}: ${cause}`, { signature, cause });
};

type CurvePoint = InstanceType<Curve>;

/** Undefined when off the curve: the library has no other way to say so. */
const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const readPoint = (curve: Curve, bytes: Uint8Array): Coordinates | undefined => attempt(() => curve.fromBytes(bytes).toAffine());

const pointOf = (curve: Curve, coordinates: Coordinates): CurvePoint | undefined =>
  attempt(() => {
    const point = curve.fromAffine(coordinates);
    point.assertValidity();
    return point;
  });

/** FIPS 186-4, 6.4, without a rule on the size of s: the reference accepts a high one. */
const isSigned = (curve: Curve, { r, s }: Signature, digest: Buffer, key: CurvePoint): boolean => {
  if (r === 0n || s === 0n) return false;
  const { Fn } = curve;
  const inverse = Fn.inv(s);
  const u1 = Fn.mul(Fn.create(leftmostBits(digest, Fn.BITS)), inverse);
  const u2 = Fn.mul(r, inverse);
  const sum = multiply(curve, curve.BASE, u1).add(multiply(curve, key, u2));
  return !sum.is0() && sum.toAffine().x % Fn.ORDER === r;
};

const leftmostBits = (digest: Buffer, bits: number): bigint => {
  const all = BigInt(`0x0${digest.toString("hex")}`);
  return all >> BigInt(Math.max(0, 8 * digest.length - bits));
};

const multiply = (curve: Curve, point: CurvePoint, factor: bigint): CurvePoint =>
  factor === 0n ? curve.ZERO : point.multiplyUnsafe(factor);
