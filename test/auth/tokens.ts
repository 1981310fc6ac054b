/** Tokens as services and identity providers would sign them. */
import { createHmac } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";

export const secret = "test-secret-not-for-use";
export const participantId = "ledgerline::1220aa";
export const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

export type Payload = Readonly<Record<string, unknown>>;
const base64url = (value: unknown): string => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** By hand, so that also what no library would sign can be signed. */
export function hs256(payload: Payload | string, key = secret, header: Payload | string = { alg: "HS256", typ: "JWT" }): string {
  const signed = `${base64url(header)}.${base64url(payload)}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

export const good = (subject: string, more: Payload = {}): Payload => ({
  sub: subject,
  scope: "daml_ledger_api",
  exp: nowSeconds() + 200,
  ...more,
});

export interface KeyHolder {
  readonly keySet: string;
  sign(payload: Payload, header?: Payload): Promise<string>;
}

export async function keyHolder(algorithm: "RS256" | "ES256" | "ES512", keyId: string): Promise<KeyHolder> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return {
    keySet: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: keyId, use: "sig", alg: algorithm }] }),
    sign: (payload, header = { kid: keyId }) => sign(payload, { alg: algorithm, ...header }, privateKey),
  };
}

const sign = (payload: Payload, header: Payload, key: CryptoKey): Promise<string> =>
  new SignJWT(payload).setProtectedHeader(header as { alg: string }).sign(key);
