/** The signature of a token, by the one algorithm that its key is for. The cryptography is jose's. */
import { compactVerify, importX509, type CryptoKey } from "jose";
import { limits } from "../config.js";
import { messageOf } from "../base/error-text.js";
import { type Result, fail, ok } from "../base/result.js";
import type { KeyResolver } from "./key-sets.js";
import type { Token } from "./token.js";

export type CertificateAlgorithm = "RS256" | "ES256" | "ES512";

/** Says why not, or nothing. */
export type Verifier = (token: Token) => Promise<string | undefined>;

const keyOf: Readonly<Record<CertificateAlgorithm, string>> = {
  RS256: "an RSA key",
  ES256: "a key on P-256",
  ES512: "a key on P-521",
};

/** What key sets may hold: never a shared secret, so a public key cannot pass for one. */
const keySetAlgorithms = ["RS256", "ES256", "ES512"];

export const secretVerifier = (secret: string): Verifier => remembering(fixedKey(new TextEncoder().encode(secret), "HS256"));

/** `file`: what to call it where it is none. */
export async function certificateVerifier(pem: string, algorithm: CertificateAlgorithm, file: string): Promise<Result<Verifier, string>> {
  try {
    return ok(remembering(fixedKey(await importX509(pem, algorithm), algorithm)));
  } catch (error) {
    return fail(`${file} is not a certificate for ${algorithm}, which is X.509 in PEM with ${keyOf[algorithm]}: ${messageOf(error)}`);
  }
}

export const keySetVerifier =
  (resolve: KeyResolver): Verifier =>
  async (token) => {
    if (!keySetAlgorithms.includes(token.algorithm)) return "the token's algorithm is none of key sets";
    return problemOf(compactVerify(token.text, resolve, { algorithms: keySetAlgorithms }));
  };

const fixedKey =
  (key: CryptoKey | Uint8Array, algorithm: string): Verifier =>
  async (token) =>
    token.algorithm === algorithm
      ? problemOf(compactVerify(token.text, key, { algorithms: [algorithm] }))
      : `the token is not signed by ${algorithm}`;

/** With a fixed key a text that was verified once stays so; its life is checked at every use. */
function remembering(verify: Verifier): Verifier {
  const verified = new Set<string>();
  return async (token) => {
    if (verified.has(token.text)) return undefined;
    const problem = await verify(token);
    if (problem !== undefined) return problem;
    if (verified.size >= limits.verifiedTokensMax) verified.clear();
    verified.add(token.text);
    return undefined;
  };
}

async function problemOf(verification: Promise<unknown>): Promise<string | undefined> {
  try {
    await verification;
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
