import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { ok } from "../../src/base/result.js";
import type { Ledger } from "../../src/ledger/ledger.js";
import { combinedHash, decentralizedNamespace, topologyHash } from "../../src/ledger/external/topology-hash.js";
import type { Participant } from "../../src/ledger/index.js";
import type { Host } from "../../src/ledger/parties/index.js";
import { startDoors } from "../ledger/doors.js";
import { closeFixture, failure, openFixture, startLedger, success } from "../ledger/support.js";
import { decentralized, delegation, partyToKeys, topologyTransaction } from "./companions.js";
import { type Holder, holder, partyOf, signature, transactionOf } from "./holders.js";
import { temporaryFolder } from "../support/folders.js";

const isKnown = (ledger: Ledger | Participant, party: string): boolean => ledger.getParties([party], "").length > 0;

/** Each transaction with those that sign it; `all` sign all of them at once. Gives the party. */
const bring = async (
  ledger: Ledger | Participant,
  transactions: readonly (readonly [transaction: Uint8Array, signers: readonly Holder[]])[],
  all: readonly Holder[] = [],
) =>
  partyOf(
    await ledger.external.allocate({
      synchronizer: ledger.synchronizerId,
      identityProviderId: "",
      trace: { traceparent: null, tracestate: null },
      transactions: transactions.map(([transaction, signers]) => ({
        transaction,
        signatures: ok(signers.map((one) => signature(one, topologyHash(transaction)))),
      })),
      combinedSignatures: ok(all.map((one) => signature(one, combinedHash(transactions.map(([transaction]) => transaction))))),
    }),
  );

test("namespaces: a party may sign by other keys than that of its namespace, whose delegation comes along", async (t) => {
  const { ledger } = await startLedger(t);
  for (const former of [false, true]) {
    const [owner, signer] = [holder(), holder()],
      party = `ext::${owner.key.fingerprint}`,
      root = former ? delegation(owner, { can_sign_all_mappings: undefined, is_root_delegation: true }) : delegation(owner);
    const hosting = transactionOf(ledger, [signer], { party });
    const lacking = failure(
      await bring(
        ledger,
        [
          [root, []],
          [hosting, []],
        ],
        [owner],
      ),
    );
    assert.match(lacking.code, new RegExp(`missing authorizations by keys ${signer.key.fingerprint}`));
    success(
      await bring(
        ledger,
        [
          [root, []],
          [hosting, [signer]],
        ],
        [owner],
      ),
    );
    assert.ok(isKnown(ledger, party) && ledger.external.isExternal(party));
    const second = transactionOf(ledger, [signer], { party: `second::${owner.key.fingerprint}` });
    assert.ok(isKnown(ledger, success(await bring(ledger, [[second, [owner, signer]]]))), "the namespace is known by now");
  }
});

test("namespaces: keys in a transaction of their own are the party's, as clients of former releases have them", async (t) => {
  const folder = temporaryFolder(),
    [owner, signer] = [holder(), holder()],
    party = `ext::${owner.key.fingerprint}`;
  let fixture = await openFixture(folder);
  const hosting = transactionOf(fixture.ledger, [owner], { keys: [], keyThreshold: 0 }),
    keys = partyToKeys(party, 1, [signer]);
  const withKeysSignedBy = (signers: readonly Holder[], all: readonly Holder[]) =>
    bring(
      fixture.ledger,
      [
        [delegation(owner), []],
        [hosting, []],
        [keys, signers],
      ],
      all,
    );
  assert.match(failure(await withKeysSignedBy([], [owner])).code, new RegExp(signer.key.fingerprint));
  success(await withKeysSignedBy([signer], [owner]));
  assert.ok(isKnown(fixture.ledger, party));
  await closeFixture(fixture);

  fixture = await openFixture(folder);
  t.after(() => closeFixture(fixture));
  assert.ok(fixture.ledger.external.isExternal(party));
});

test("namespaces: keys that were signed for in one transaction are not the party's by another that was not", async (t) => {
  const { doors } = await startDoors(t),
    [owner, one, other] = [holder(), holder(), holder()],
    party = `ext::${owner.key.fingerprint}`;
  const participants = doors.slice(0, 2).map(({ participantId }): Host => ({ participant: participantId, permission: "confirmation" })),
    hosting = transactionOf(doors[0], [owner], { participants, keys: [], keyThreshold: 0 });
  const withKeys = (keyThreshold: number) => partyToKeys(party, keyThreshold, [one, other]);
  success(
    await bring(doors[0], [
      [delegation(owner), [owner]],
      [hosting, [owner]],
      [withKeys(2), [owner, one, other]],
    ]),
  );
  success(
    await bring(doors[1], [
      [hosting, []],
      [withKeys(1), [one]],
    ]),
  );
  for (const door of doors) assert.ok(!isKnown(door, party));
  success(
    await bring(doors[1], [
      [hosting, []],
      [withKeys(2), [one]],
    ]),
  );
  for (const door of doors) assert.ok(isKnown(door, party));
});

test("namespaces: several owners speak for one together, as many as it says, and each of them for its being so", async (t) => {
  const { ledger } = await startLedger(t),
    owners = [holder(), holder(), holder()],
    signer = holder();
  const namespace = decentralizedNamespace(owners.map(({ key }) => key.fingerprint)),
    party = `ext::${namespace}`,
    hosting = transactionOf(ledger, [signer], { party });
  const definition = decentralized(namespace, 2, owners),
    delegations = owners.map((owner) => [delegation(owner), [owner]] as const);
  const unauthorized = failure(await bring(ledger, [...delegations, [definition, owners.slice(1)], [hosting, [signer, ...owners]]]));
  assert.match(unauthorized.code, new RegExp(`missing authorizations by keys ${owners[0]!.key.fingerprint}$`));

  success(await bring(ledger, [...delegations, [definition, owners], [hosting, [signer, owners[1]!]]]));
  assert.ok(!isKnown(ledger, party), "one of two that have to");
  success(await bring(ledger, [[hosting, [owners[2]!]]]));
  assert.ok(isKnown(ledger, party) && ledger.external.isExternal(party));
});

test("namespaces: of a party with several hosts it is enough that one of them is told who speaks for it", async (t) => {
  const { doors } = await startDoors(t),
    owners = [holder(), holder()],
    signer = holder();
  const namespace = decentralizedNamespace(owners.map(({ key }) => key.fingerprint)),
    participants = doors.map(({ participantId }): Host => ({ participant: participantId, permission: "confirmation" })),
    hosting = transactionOf(doors[0], [signer], { party: `ext::${namespace}`, participants, threshold: 2 });
  const party = success(await bring(doors[1], [[hosting, []]]));
  success(await bring(doors[2], [[hosting, [signer]]]));
  for (const door of doors) assert.ok(!isKnown(door, party));
  success(
    await bring(
      doors[0],
      [
        [delegation(owners[0]!), []],
        [delegation(owners[1]!), []],
        [decentralized(namespace, 1, owners), []],
        [hosting, []],
      ],
      owners,
    ),
  );
  for (const door of doors) assert.ok(isKnown(door, party));
});

test("namespaces: a party of one that nobody is known to speak for is only proposed", async (t) => {
  const { ledger } = await startLedger(t),
    signer = holder();
  const hosting = transactionOf(ledger, [signer], { party: `ext::1220${"ab".repeat(32)}` });
  assert.ok(!isKnown(ledger, success(await bring(ledger, [[hosting, [signer]]]))));
});

async function refusal(t: TestContext, transactions: (ledger: Ledger, one: Holder) => readonly Uint8Array[]): Promise<string> {
  const { ledger } = await startLedger(t),
    one = holder();
  const brought = transactions(ledger, one).map((transaction) => [transaction, []] as const);
  return failure(await bring(ledger, brought, [one])).code;
}

const other = holder(),
  elsewhere = `ext::${other.key.fingerprint}`;
const unfit: readonly (readonly [string, (ledger: Ledger, one: Holder) => readonly Uint8Array[]])[] = [
  ["two hostings", (ledger, one) => [transactionOf(ledger, [one]), transactionOf(ledger, [one], { threshold: 2 })]],
  ["no hosting", (_, one) => [delegation(one)]],
  [
    "another kind of mapping",
    (ledger, one) => [transactionOf(ledger, [one]), Buffer.from("0a0a080110011a0422020a0010 1e".replace(" ", ""), "hex")],
  ],
  ["keys in two places", (ledger, one) => [transactionOf(ledger, [one]), partyToKeys(`ext::${one.key.fingerprint}`, 1, [one])]],
  ["keys nowhere", (ledger, one) => [delegation(one), transactionOf(ledger, [one], { keys: [], keyThreshold: 0 })]],
  [
    "keys of another party",
    (ledger, one) => [transactionOf(ledger, [one], { keys: [], keyThreshold: 0 }), partyToKeys(elsewhere, 1, [one])],
  ],
  ["a namespace that is not the party's", (ledger, one) => [delegation(one), transactionOf(ledger, [one], { party: elsewhere })]],
  [
    "a namespace that is not named after its owners",
    (ledger, one) => [decentralized("1220ab", 1, [one]), transactionOf(ledger, [one], { party: "ext::1220ab" })],
  ],
];
for (const [title, transactions] of unfit) {
  test(`namespaces: an onboarding with ${title} is refused`, async (t) => {
    assert.equal(await refusal(t, transactions), "INVALID_ARGUMENT");
  });
}

test("namespaces: transactions that are in themselves wrong are refused by field", async (t) => {
  for (const wrong of [
    (one: Holder) => delegation(one, { can_sign_all_mappings: undefined }),
    (one: Holder) => decentralized("1220ab", 2, [one]),
    (one: Holder) => partyToKeys(elsewhere, 2, [one]),
    (one: Holder) =>
      partyToKeys(
        elsewhere,
        1,
        Array.from({ length: 21 }, () => one),
      ),
    (one: Holder) =>
      topologyTransaction(
        { party_to_key_mapping: { party: `ext::${one.key.fingerprint}`, threshold: 1, signing_keys: [] } },
        { serial: 2 },
      ),
  ])
    assert.equal(await refusal(t, (_, one) => [wrong(one)]), "INVALID_FIELD");
});
