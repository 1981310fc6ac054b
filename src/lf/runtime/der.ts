/** The two DER structures that the secp256k1 builtins take: an ECDSA signature and a SubjectPublicKeyInfo of an EC key. */

export interface Signature {
  readonly r: bigint;
  readonly s: bigint;
}
export interface EcKey {
  readonly curve: string /* object identifier, hex */;
  readonly point: Uint8Array;
  /** Nothing follows the outer sequence. */
  readonly isAll: boolean;
}

const sequenceTag = 0x30;
const integerTag = 0x02;
const bitStringTag = 0x03;
const objectIdentifierTag = 0x06;
const ecPublicKey = "2a8648ce3d0201";

interface Element {
  readonly content: Buffer;
  readonly end: number;
}

/** One definite-length element; undefined when the tag differs or the bytes do not hold it. */
const readElement = (bytes: Buffer, offset: number, tag: number): Element | undefined => {
  if (bytes[offset] !== tag) return undefined;
  const first = bytes[offset + 1];
  if (first === undefined) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || lengthBytes > 4 || offset + 2 + lengthBytes > bytes.length) return undefined;
  const length = first < 0x80 ? first : bytes.readUIntBE(offset + 2, lengthBytes);
  const start = offset + 2 + lengthBytes;
  return start + length > bytes.length ? undefined : { content: bytes.subarray(start, start + length), end: start + length };
};

const toInteger = (content: Buffer): bigint => BigInt.asIntN(8 * content.length, BigInt(`0x${content.toString("hex")}`));

const encodeInteger = (value: bigint): Buffer => {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  return encodeElement(integerTag, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
};

/** Content of less than 256 bytes, which two numbers of the largest curve are. */
const encodeElement = (tag: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(content.length < 0x80 ? [tag, content.length] : [tag, 0x81, content.length]), content]);

const encodeSignature = ({ r, s }: Signature): Buffer => encodeElement(sequenceTag, Buffer.concat([encodeInteger(r), encodeInteger(s)]));

/** Only the canonical encoding of two integers in [0, order) is one, as in the reference's library. */
export const decodeSignature = (bytes: Buffer, order: bigint): Signature | undefined => {
  const sequence = readElement(bytes, 0, sequenceTag);
  const r = sequence && readElement(sequence.content, 0, integerTag);
  const s = r && readElement(sequence.content, r.end, integerTag);
  if (r === undefined || s === undefined || r.content.length === 0 || s.content.length === 0) return undefined;
  const signature = { r: toInteger(r.content), s: toInteger(s.content) };
  if (signature.r < 0n || signature.r >= order || signature.s < 0n || signature.s >= order) return undefined;
  return encodeSignature(signature).equals(bytes) ? signature : undefined;
};

export const decodeEcKey = (bytes: Buffer): EcKey | undefined => {
  const info = readElement(bytes, 0, sequenceTag);
  const algorithm = info && readElement(info.content, 0, sequenceTag);
  const kind = algorithm && readElement(algorithm.content, 0, objectIdentifierTag);
  if (info === undefined || algorithm === undefined || kind?.content.toString("hex") !== ecPublicKey) return undefined;
  const curve = readElement(algorithm.content, kind.end, objectIdentifierTag);
  const key = readElement(info.content, algorithm.end, bitStringTag);
  if (curve?.end !== algorithm.content.length || key?.end !== info.content.length) return undefined;
  const unusedBits = key.content[0];
  if (unusedBits === undefined || unusedBits > 7) return undefined;
  const point = Buffer.from(key.content.subarray(1));
  if (point.length > 0) point[point.length - 1]! &= 0xff << unusedBits;
  return { curve: curve.content.toString("hex"), point, isAll: info.end === bytes.length };
};
