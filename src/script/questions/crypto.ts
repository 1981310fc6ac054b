/** Keys and signatures of secp256k1, for models that check them. */
import { createHash } from "node:crypto";
import { generateSecp256k1KeyPair, signSecp256k1, type Value } from "../../lf/running-code.js";
import { hexBytes } from "../../ledger/index.js";
import { questionFailed } from "../stop.js";
import { tuple } from "../values.js";
import { question, type Questions } from "./question.js";

export const cryptoQuestions: Questions = {
  Secp256k1Sign: question(async ([key, message]) => sign(key!, createHash("sha256").update(bytesOf(message!)).digest())),
  Secp256k1WithEcdsaSign: question(async ([key, digest]) => sign(key!, bytesOf(digest!))),
  Secp256k1GenerateKeyPair: question(async () => {
    const { privateKey, publicKey } = generateSecp256k1KeyPair();
    return tuple(privateKey, publicKey);
  }),
};

function sign(key: Value, digest: Uint8Array): Value {
  const signature = signSecp256k1(digest, bytesOf(key));
  if (signature === undefined)
    throw questionFailed("InvalidKeySpecException", "the private key is not a secp256k1 key in the DER encoding of PKCS #8");
  return signature;
}

function bytesOf(hex: Value): Uint8Array {
  const text = hex as string,
    bytes = text === text.toLowerCase() ? hexBytes(text) : undefined;
  if (bytes === undefined) throw questionFailed("IllegalArgumentException", `cannot parse HexString ${text}`);
  return bytes;
}
