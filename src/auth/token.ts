/** A JSON web token in compact form, taken apart but not yet verified. Strict before any cryptography runs (RFC 8725). */
import { limits } from "../config.js";
import { parseStrictObject } from "./strict-json.js";

export interface Token {
  readonly text: string;
  readonly algorithm: string;
  readonly keyId: string | undefined;
  /** Worth nothing until the signature is checked. */
  readonly claims: Readonly<Record<string, unknown>>;
}

const parts = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;
/** A token that brings or names its own key, or asks for extensions that we do not know, is refused whatever it says. */
const refusedHeaders = ["jwk", "jku", "x5c", "x5u", "crit", "zip", "enc", "b64"] as const;
const types = /^(application\/)?(at\+)?jwt$/i;

export function readToken(text: string): Token | undefined {
  if (text.length > limits.tokenCharsMax) return undefined;
  const [, header, payload, signature] = parts.exec(text) ?? [];
  if (header === undefined || payload === undefined || signature === undefined) return undefined;
  if (![header, payload, signature].every(isCanonical)) return undefined;
  const fields = parseStrictObject(decode(header));
  const claims = parseStrictObject(decode(payload));
  if (fields === undefined || claims === undefined || refusedHeaders.some((name) => name in fields)) return undefined;
  const { alg } = fields,
    kid = fields["kid"] ?? undefined,
    typ = fields["typ"] ?? undefined;
  if (typeof alg !== "string") return undefined;
  if (typ !== undefined && (typeof typ !== "string" || !types.test(typ))) return undefined;
  if (kid !== undefined && (typeof kid !== "string" || kid.length > limits.tokenKeyIdCharsMax)) return undefined;
  return { text, algorithm: alg, keyId: kid, claims };
}

const decode = (base64url: string): string => Buffer.from(base64url, "base64url").toString("utf8");

/** One text per byte string: bits that decoding drops must be zero. */
const isCanonical = (base64url: string): boolean => Buffer.from(base64url, "base64url").toString("base64url") === base64url;
