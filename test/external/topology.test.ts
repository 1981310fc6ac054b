import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isFailure } from "../../src/base/result.js";
import { generateTopology, type TopologyRequest } from "../../src/ledger/external/generate-topology.js";
import { isSignedBy, type KeySpec, readRawSigningKey, readSigningKey, type SigningKey } from "../../src/ledger/external/signing-keys.js";
import { ExternalParties } from "../../src/ledger/external/external-parties.js";
import { encodePartyToParticipant, type PartyToParticipant } from "../../src/ledger/external/topology.js";
import { decodePartyToParticipant, decodeTopology } from "../../src/ledger/external/topology-reader.js";
import type { Identity } from "../../src/ledger/model/identity.js";
import { Synchronizers } from "../../src/ledger/model/synchronizers.js";
import { testData } from "../support/paths.js";
import { topologyTransaction } from "./companions.js";

interface Recorded {
  readonly name: string;
  readonly request: {
    readonly synchronizer: string;
    readonly partyHint: string;
    readonly publicKey: { readonly format: string; readonly keyData: string; readonly keySpec: string };
    readonly localParticipantObservationOnly?: boolean;
    readonly otherConfirmingParticipantUids?: readonly string[];
    readonly observingParticipantUids?: readonly string[];
  };
  readonly answer: {
    readonly partyId: string;
    readonly publicKeyFingerprint: string;
    readonly topologyTransactions: readonly string[];
    readonly multiHash: string;
  };
}

/** Answers of the reference node, whose participant was this one. */
const recorded = JSON.parse(readFileSync(testData("interactive", "topology.json"), "utf8")) as readonly Recorded[];
const participantId = "sandbox::1220b51808d5e84b92012c6b0965ee7e6ffa51e1086df89b91ef8a74809ea2078abd";
const specs: Readonly<Record<string, KeySpec>> = {
  SIGNING_KEY_SPEC_EC_CURVE25519: "ed25519",
  SIGNING_KEY_SPEC_EC_P256: "p256",
  SIGNING_KEY_SPEC_EC_P384: "p384",
  SIGNING_KEY_SPEC_EC_SECP256K1: "secp256k1",
};
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const identity = (synchronizerId: string): Identity => ({
  participantName: "sandbox",
  participantId,
  namespace: participantId.slice("sandbox::".length),
  synchronizerId,
  synchronizerAlias: "synchronizer-1",
  namespaceKey: Buffer.alloc(0),
  pageTokenKey: Buffer.alloc(0),
});

const contextOf = (synchronizerId: string) => {
  const all = [{ number: 0, id: synchronizerId, alias: "synchronizer-1" }];
  return { identity: identity(synchronizerId), synchronizers: new Synchronizers(all, all) };
};

function requestOf({ request }: Recorded): TopologyRequest {
  const { format, keyData, keySpec } = request.publicKey,
    bytes = Buffer.from(keyData, "base64"),
    spec = specs[keySpec]!;
  return {
    synchronizer: request.synchronizer,
    partyHint: request.partyHint,
    publicKey: format === "CRYPTO_KEY_FORMAT_RAW" ? readRawSigningKey(bytes, spec) : readSigningKey(bytes, spec),
    localParticipantObservationOnly: request.localParticipantObservationOnly ?? false,
    otherConfirmingParticipants: request.otherConfirmingParticipantUids ?? [],
    observingParticipants: request.observingParticipantUids ?? [],
    confirmationThreshold: 0,
    keysApart: false,
  };
}

test("topology: the generated transactions, fingerprints and hashes are the reference's, for every kind of key", () => {
  for (const one of recorded) {
    const generated = generateTopology(requestOf(one), contextOf(one.request.synchronizer));
    assert.ok(!isFailure(generated), one.name);
    const { party, fingerprint, transactions, combinedHash } = generated.ok;
    const shown = {
      partyId: party,
      publicKeyFingerprint: fingerprint,
      topologyTransactions: transactions.map((bytes) => Buffer.from(bytes).toString("base64")),
      multiHash: Buffer.from(combinedHash).toString("base64"),
    };
    assert.deepEqual(shown, one.answer, one.name);
  }
});

test("topology: with its key apart a party signs for its namespace, then for its hosts, then for its key", () => {
  for (const one of recorded) {
    const generated = generateTopology({ ...requestOf(one), keysApart: true }, contextOf(one.request.synchronizer));
    assert.ok(!isFailure(generated), one.name);
    const { party, fingerprint, transactions } = generated.ok,
      inOne = decodePartyToParticipant(Buffer.from(one.answer.topologyTransactions[0]!, "base64"));
    assert.ok(!isFailure(inOne), one.name);
    const [{ spki, spec }] = inOne.ok.keys as readonly [SigningKey],
      key = { format: 4, public_key: spki, usage: [1, 3, 4, 5], key_spec: Object.values(specs).indexOf(spec) + 1 };
    assert.deepEqual(transactions.map(hex), [
      hex(topologyTransaction({ namespace_delegation: { namespace: fingerprint, target_key: key, can_sign_all_mappings: {} } })),
      hex(encodePartyToParticipant({ ...inOne.ok, keys: [], keyThreshold: 0 })),
      hex(topologyTransaction({ party_to_key_mapping: { party, threshold: 1, signing_keys: [key] } })),
    ]);
    assert.deepEqual(
      transactions.map((transaction) => decodeTopology(transaction).ok?.kind),
      ["namespaceDelegation", "partyToParticipant", "partyToKeys"],
    );
  }
});

test("topology: a transaction is read back as it was written", () => {
  for (const { name, answer } of recorded) {
    const bytes = Buffer.from(answer.topologyTransactions[0]!, "base64"),
      mapping = decodePartyToParticipant(bytes);
    assert.ok(!isFailure(mapping), name);
    assert.equal(Buffer.from(encodePartyToParticipant(mapping.ok)).toString("hex"), bytes.toString("hex"), name);
  }
});

test("topology: no byte of a transaction can be cut off, and none of what is signed is passed over", () => {
  const bytes = Buffer.from(recorded[0]!.answer.topologyTransactions[0]!, "base64");
  for (let length = 0; length < bytes.length; length++)
    assert.ok(isFailure(decodePartyToParticipant(bytes.subarray(0, length))), `${length} bytes`);
  assert.ok(isFailure(decodePartyToParticipant(Buffer.concat([bytes, Buffer.from([0x18, 0x01])]))));
});

const problems: readonly (readonly [string, Partial<TopologyRequest>, RegExp])[] = [
  ["no key", { publicKey: undefined }, /public_key/],
  ["no hint", { partyHint: "" }, /hint is empty/],
  ["a hint with a bad character", { partyHint: "not ok !" }, /party_hint/],
  ["a synchronizer without namespace", { synchronizer: "nope" }, /namespace/],
  ["another synchronizer", { synchronizer: `nope::1220${"ab".repeat(32)}` }, /not connected/],
  ["an observer without namespace", { observingParticipants: ["nonsense"] }, /namespace/],
  ["nobody who confirms", { localParticipantObservationOnly: true }, /confirming/],
  ["a threshold that is too high", { confirmationThreshold: 3 }, /threshold/],
  ["a negative threshold", { confirmationThreshold: -1 }, /negative/],
  ["this node among the others", { otherConfirmingParticipants: [participantId] }, /anyway/],
  ["a participant twice", { otherConfirmingParticipants: ["other::1220aa"], observingParticipants: ["other::1220aa"] }, /more than once/],
];
for (const [title, change, says] of problems) {
  test(`topology: ${title} is refused`, () => {
    const one = recorded[0]!,
      generated = generateTopology({ ...requestOf(one), ...change }, contextOf(one.request.synchronizer));
    assert.equal(generated.error?.code, "INVALID_ARGUMENT");
    assert.match(generated.error.cause, says);
  });
}

test("signing keys: keys of another kind, cut, padded or in raw form of a curve are refused", () => {
  const ed = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" });
  const p256 = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey.export({ type: "spki", format: "der" });
  assert.ok(!isFailure(readSigningKey(ed, "ed25519")) && !isFailure(readSigningKey(p256, "p256")));
  for (const refused of [
    readSigningKey(ed, "p256"),
    readSigningKey(p256, "secp256k1"),
    readSigningKey(ed.subarray(0, 20), "ed25519"),
    readSigningKey(Buffer.concat([ed, Buffer.from([0])]), "ed25519"),
    readRawSigningKey(p256.subarray(-65), "p256"),
    readRawSigningKey(ed.subarray(-31), "ed25519"),
  ]) {
    assert.ok(isFailure(refused));
  }
});

test("external parties: what stays in memory of one is no part of a larger piece of memory", () => {
  const { publicKey } = generateKeyPairSync("ed25519"),
    spki = publicKey.export({ type: "spki", format: "der" });
  const shared = (bytes: Uint8Array): Uint8Array => Buffer.from(bytes); // small ones lie in a piece of Node.js' own
  const key = readSigningKey(shared(spki), "ed25519");
  assert.ok(!isFailure(key));
  const mapping: PartyToParticipant = { party: "p::1220", threshold: 1, participants: [], keys: [key.ok], keyThreshold: 1 },
    parties = new ExternalParties();
  parties.set({
    party: mapping.party,
    synchronizer: 0,
    transaction: shared(encodePartyToParticipant(mapping)),
    mapping,
    signedBy: [],
    companions: [],
    isOnboarded: true,
  });
  const { transaction } = parties.onboarded(mapping.party, 0)!;
  assert.deepEqual(Buffer.from(transaction), Buffer.from(encodePartyToParticipant(mapping)));
  for (const { buffer, length } of [transaction, key.ok.spki]) assert.equal(buffer.byteLength, length);
});

test("signing keys: a signature holds only in the form and by the algorithm of its key", () => {
  const message = Buffer.from("what is signed");
  const kinds = [
    ["ed25519", generateKeyPairSync("ed25519"), null, "ed25519", "concat"],
    ["p256", generateKeyPairSync("ec", { namedCurve: "prime256v1" }), "sha256", "ecdsaSha256", "der"],
    ["p384", generateKeyPairSync("ec", { namedCurve: "secp384r1" }), "sha384", "ecdsaSha384", "der"],
    ["secp256k1", generateKeyPairSync("ec", { namedCurve: "secp256k1" }), "sha256", "ecdsaSha256", "der"],
  ] as const;
  for (const [spec, pair, digest, algorithm, format] of kinds) {
    const key = readSigningKey(pair.publicKey.export({ type: "spki", format: "der" }), spec);
    assert.ok(!isFailure(key), spec);
    const bytes = sign(digest, message, pair.privateKey),
      signature = { format, bytes, signedBy: key.ok.fingerprint, algorithm };
    assert.ok(isSignedBy(key.ok, message, signature) && isSignedBy(key.ok, message, { ...signature, format: "raw" }), spec);
    assert.ok(!isSignedBy(key.ok, Buffer.from("else"), signature), spec);
    assert.ok(!isSignedBy(key.ok, message, { ...signature, format: format === "der" ? "concat" : "der" }), spec);
    assert.ok(!isSignedBy(key.ok, message, { ...signature, algorithm: algorithm === "ecdsaSha384" ? "ecdsaSha256" : "ecdsaSha384" }), spec);
    assert.ok(!isSignedBy(key.ok, message, { ...signature, bytes: new Uint8Array(0) }), spec);
    assert.ok(!isSignedBy(key.ok, message, { ...signature, signedBy: `1220${"00".repeat(32)}` }), spec);
  }
});
