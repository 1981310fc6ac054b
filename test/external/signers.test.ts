/** Who has signed a prepared transaction, however the signatures are spread over the request. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { test } from "node:test";
import { checkSigners, type PartySignatures } from "../../src/ledger/external/signed-transaction.js";
import { readSigningKey, type Signature, type SigningKey } from "../../src/ledger/external/signing-keys.js";
import type { SignedFacts } from "../../src/ledger/interpretation/index.js";

const party = "shared::1220ab",
  hash = Buffer.alloc(32, 7);

interface Holder {
  readonly key: SigningKey;
  readonly secret: KeyObject;
}
function holder(): Holder {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = readSigningKey(publicKey.export({ type: "spki", format: "der" }), "ed25519");
  return { key: key.ok!, secret: privateKey };
}
const holders = [holder(), holder()] as const;
const signed = ({ key, secret }: Holder, message = hash): Signature => ({
  format: "concat",
  bytes: sign(null, message, secret),
  signedBy: key.fingerprint,
  algorithm: "ed25519",
});

const ofHolder = (one: Holder): PartySignatures => ({ party, signatures: [signed(one)] });

const facts = { hash, metadata: { actAs: [party], mediatorGroup: 0 }, packages: [], usesKeys: false } as unknown as SignedFacts;
const refusal = (signatures: readonly PartySignatures[]): string | undefined =>
  checkSigners(facts, signatures, () => ({ keys: holders.map(({ key }) => key), keyThreshold: 2 }))?.code;

test("signers: a party that is named once for each of its keys is signed for by all of them", () => {
  const [first, second] = [ofHolder(holders[0]), ofHolder(holders[1])];
  assert.equal(refusal([first, second]), undefined);
  assert.equal(refusal([second, first]), undefined);
  assert.equal(refusal([first]), "FAILED_TO_EXECUTE_TRANSACTION");
  assert.equal(refusal([{ party, signatures: holders.map((one) => signed(one)) }]), undefined);
});

test("signers: the same signature counts once where the party is named again, and twice where it is not", () => {
  const [first, second] = [signed(holders[0]), signed(holders[1])];
  assert.equal(
    refusal([
      { party, signatures: [first, second] },
      { party, signatures: [first] },
    ]),
    undefined,
  );
  assert.equal(refusal([{ party, signatures: [first, second, first] }]), "FAILED_TO_EXECUTE_TRANSACTION", "more than it has keys");
});
