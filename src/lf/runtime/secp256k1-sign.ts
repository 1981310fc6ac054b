/** Signing with secp256k1, which models cannot do but test scripts can. Keys and signatures are DER in hex. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";

export interface HexKeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

export function generateSecp256k1KeyPair(): HexKeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", {
    namedCurve: "secp256k1",
    privateKeyEncoding: { format: "der", type: "pkcs8" },
    publicKeyEncoding: { format: "der", type: "spki" },
  });
  return { privateKey: privateKey.toString("hex"), publicKey: publicKey.toString("hex") };
}

/** Of a digest, as it is. Undefined when the key is not a PKCS #8 private key of the curve. */
export function signSecp256k1(digest: Uint8Array, privateKey: Uint8Array): string | undefined {
  const key = readKey(privateKey)?.export({ format: "jwk" });
  if (key?.crv !== "secp256k1" || key.d === undefined) return undefined;
  return Buffer.from(secp256k1.sign(digest, Buffer.from(key.d, "base64url"), { prehash: false, format: "der" })).toString("hex");
}

function readKey(der: Uint8Array): KeyObject | undefined {
  try {
    return createPrivateKey({ key: Buffer.from(der), format: "der", type: "pkcs8" });
  } catch {
    return undefined; // node:crypto has no other way to say so
  }
}
