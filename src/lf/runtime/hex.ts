/** Bytes as LF carries them: lower-case hex text of even length, and UTF-8. */
import { fatal } from "../errors.js";

const hexText = /^(?:[0-9a-f]{2})*$/;

export const malformedBytes = (value: string, cause: string): never => {
  throw fatal("Crypto.MalformedByteEncoding", `Invalid byte encoding format for ${value}: ${cause}`, { value, cause });
};

export const bytesOfHex = (hex: string, cause: string): Buffer =>
  hexText.test(hex) ? Buffer.from(hex, "hex") : malformedBytes(hex, cause);

/** Lone surrogates become `?` as on the JVM, not U+FFFD as in Node. */
export const utf8Bytes = (text: string): Buffer => Buffer.from(text.replace(loneSurrogate, "?"), "utf8");

const loneSurrogate = /\p{Surrogate}/gu; // with the u flag a paired surrogate is not one

/**
 * The number of replacement characters for a broken sequence follows the JVM where the two differ: one per maximal subpart, one for an
 * encoded surrogate, of which the last byte may be missing.
 */
export const bytesToText = (bytes: Buffer): string => {
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? decodeLikeTheJvm(bytes) : text;
};

/** Node follows WHATWG and gives a replacement for each byte of an encoded surrogate (ED A0..BF 80..BF), the JVM one for all. */
const decodeLikeTheJvm = (bytes: Buffer): string => {
  const parts: string[] = [];
  let from = 0;
  for (let index = 0; index + 1 < bytes.length; index += 1) {
    if (bytes[index] !== 0xed || (bytes[index + 1]! & 0xe0) !== 0xa0) continue;
    parts.push(bytes.toString("utf8", from, index), "\ufffd");
    index += isContinuation(bytes[index + 2]) ? 2 : 1;
    from = index + 1;
  }
  parts.push(bytes.toString("utf8", from));
  return parts.join("");
};

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
