import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailure, ok } from "../../src/base/result.js";
import { type PartyToParticipant } from "../../src/ledger/external/topology.js";
import { combinedHash, topologyHash } from "../../src/ledger/external/topology-hash.js";
import type { Ledger } from "../../src/ledger/ledger.js";
import type { Signature } from "../../src/ledger/external/signing-keys.js";
import { partyToKeys } from "./companions.js";
import { allocate, type Holder, holder, signature, transactionOf } from "./holders.js";
import { closeFixture, failure, openFixture, startLedger, submission, success } from "../ledger/support.js";
import { temporaryFolder } from "../support/folders.js";

const isKnown = (ledger: Ledger, party: string): boolean => ledger.getParties([party], "").length > 0;

test("onboarding: a party exists once its key has signed, over the transaction or over all of them together", async (t) => {
  const { ledger } = await startLedger(t);
  for (const [signers, own] of [
    [true, false],
    [false, true],
  ]) {
    const one = holder(),
      transaction = transactionOf(ledger, [one]);
    const party = success(await allocate(ledger, transaction, signers ? [one] : [], own ? [one] : []));
    assert.ok(isKnown(ledger, party) && ledger.external.isExternal(party));
    assert.equal(ledger.getParties([party], "")[0]?.isLocal, true);
  }
});

test("onboarding: without a signature, or with one of a key that is not the party's, it is only proposed", async (t) => {
  const { ledger } = await startLedger(t),
    one = holder(),
    transaction = transactionOf(ledger, [one]);
  for (const signers of [[], [holder()]]) {
    const party = success(await allocate(ledger, transaction, signers));
    assert.ok(!isKnown(ledger, party) && !ledger.external.isExternal(party));
  }
  const party = success(await allocate(ledger, transaction, [one]));
  assert.ok(isKnown(ledger, party));
  assert.equal(failure(await allocate(ledger, transaction, [one])).code, "INVALID_ARGUMENT");
});

test("onboarding: a proposal is the first version of what is kept about a party", async (t) => {
  const { ledger } = await startLedger(t),
    [proposed, atOnce] = [holder(), holder()];
  success(await allocate(ledger, transactionOf(ledger, [proposed]), []));
  for (const [one, version] of [
    [proposed, "1"],
    [atOnce, "0"],
  ] as const) {
    const party = success(await allocate(ledger, transactionOf(ledger, [one]), [one]));
    assert.equal(ledger.getParties([party], "")[0]?.resourceVersion, version);
  }
});

test("onboarding: a wrong signature by the party's key is refused, unless the key has signed the transaction itself, or the party exists", async (t) => {
  const { ledger } = await startLedger(t),
    one = holder(),
    transaction = transactionOf(ledger, [one]);
  const [wrong, right] = [
    { ...signature(one, combinedHash([transaction])), bytes: new Uint8Array(64).fill(1) },
    signature(one, topologyHash(transaction)),
  ];
  const allocateWith = (own: readonly Signature[], combined: readonly Signature[]) =>
    ledger.external.allocate({
      synchronizer: ledger.synchronizerId,
      identityProviderId: "",
      trace: { traceparent: null, tracestate: null },
      transactions: [{ transaction, signatures: ok(own) }],
      combinedSignatures: ok(combined),
    });
  const verificationFailed = ["Transaction signature verification failed", "status"];
  for (const [own, combined] of [
    [[], [wrong]],
    [[wrong, right], []],
    [[wrong], [signature(one, combinedHash([transaction]))]],
  ]) {
    const refused = failure(await allocateWith(own!, combined!));
    assert.deepEqual([refused.code, refused.origin], verificationFailed);
  }
  assert.ok(isKnown(ledger, success(await allocateWith([right, wrong], [wrong])).party));
  const again = failure(await allocateWith([], [wrong]));
  assert.equal(again.code, "INVALID_ARGUMENT");
  assert.match(again.cause, /already exists/);
});

test("onboarding: every key is for transactions, the namespace's also for the namespace, and others prove that they are their holder's", async (t) => {
  const { ledger } = await startLedger(t),
    usages = "2a03010504",
    namespace = "2a03010404",
    ownership = "2a03050404",
    transactions = "2a03040404";
  for (const [ofNamespace, ofOther, isGood] of [
    [namespace, ownership, true],
    [namespace, namespace, true],
    [ownership, usages, false],
    [usages, transactions, false],
    [usages, "2a03010505", false],
  ] as const) {
    const holders = [holder(), holder()],
      [before, between, behind] = Buffer.from(transactionOf(ledger, holders)).toString("hex").split(usages),
      transaction = Buffer.from([before, ofNamespace, between, ofOther, behind].join(""), "hex");
    const outcome = await allocate(ledger, transaction, holders);
    if (isGood) assert.ok(isKnown(ledger, success(outcome)));
    else assert.equal(failure(outcome).code, "INVALID_FIELD");
  }
});

test("onboarding: the signatures of several key holders are gathered, also over a restart", async (t) => {
  const folder = temporaryFolder(),
    holders = [holder(), holder(), holder()];
  let fixture = await openFixture(folder);
  const transaction = transactionOf(fixture.ledger, holders, { keyThreshold: 2 });
  const party = success(await allocate(fixture.ledger, transaction, [holders[1]!]));
  await closeFixture(fixture);

  fixture = await openFixture(folder);
  success(await allocate(fixture.ledger, transaction, [holders[2]!]));
  assert.ok(!isKnown(fixture.ledger, party));
  success(await allocate(fixture.ledger, transaction, [holders[0]!]));
  assert.ok(isKnown(fixture.ledger, party));
  await closeFixture(fixture);

  fixture = await openFixture(folder);
  t.after(() => closeFixture(fixture));
  assert.ok(isKnown(fixture.ledger, party) && fixture.ledger.external.isExternal(party));
});

test("onboarding: holders who sign at the same time are all counted, and the party comes to be", async (t) => {
  const { ledger } = await startLedger(t);
  for (let round = 0; round < 100; round++) {
    const holders = Array.from({ length: 2 + (round % 3) }, holder),
      transaction = transactionOf(ledger, holders, { keyThreshold: 2 });
    const [ofNamespace, ...others] = holders as [Holder, ...Holder[]];
    const [party] = (await Promise.all([...others, ofNamespace].map((one) => allocate(ledger, transaction, [one])))).map(success);
    assert.ok(
      isKnown(ledger, party!) && ledger.external.isExternal(party!),
      `round ${round}: ${holders.length} holders were told of success, and there is no party`,
    );
  }
});

test("onboarding: the namespace's key does not sign for a party of one host before its other keys have", async (t) => {
  const { ledger } = await startLedger(t),
    [ofNamespace, other, third] = [holder(), holder(), holder()];
  const transaction = transactionOf(ledger, [ofNamespace, other, third]);
  for (const signers of [[ofNamespace], [ofNamespace, other]]) {
    const { code, cause, category, origin } = failure(await allocate(ledger, transaction, signers));
    assert.equal(
      code,
      `Topology transaction is missing authorizations by keys ${[other, third]
        .filter((one) => !signers.includes(one))
        .map(({ key }) => key.fingerprint)
        .join(", ")}`,
    );
    assert.deepEqual([cause, category, origin], [`INVALID_ARGUMENT: ${code}`, 8, "status"]);
  }
  success(await allocate(ledger, transaction, [third, other]));
  assert.ok(isKnown(ledger, success(await allocate(ledger, transaction, [ofNamespace]))), "nothing is kept of what was refused");
});

test("onboarding: what was signed for another proposal of the party does not count", async (t) => {
  const { ledger } = await startLedger(t),
    holders = [holder(), holder()];
  const party = success(await allocate(ledger, transactionOf(ledger, holders), [holders[1]!]));
  assert.match(
    failure(await allocate(ledger, transactionOf(ledger, holders, { keyThreshold: 2 }), [holders[0]!])).code,
    /missing authorizations/,
  );
  assert.ok(!isKnown(ledger, party));
});

test("onboarding: of two requests at once for one party one is refused", async (t) => {
  const { ledger } = await startLedger(t),
    one = holder(),
    transaction = transactionOf(ledger, [one]);
  const outcomes = await Promise.all([allocate(ledger, transaction, [one]), allocate(ledger, transaction, [one])]);
  assert.deepEqual(outcomes.map(isFailure), [false, true]);
});

test("onboarding: an external party does not submit without signatures", async (t) => {
  const { ledger } = await startLedger(t),
    one = holder();
  const party = success(await allocate(ledger, transactionOf(ledger, [one]), [one]));
  assert.equal(
    failure(await ledger.submit(submission([party], [{ create: "c", signatories: [party] }]))).code,
    "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
  );
});

const unfit: readonly (readonly [string, (ledger: Ledger, one: Holder) => Partial<PartyToParticipant>])[] = [
  ["hosted elsewhere", () => ({ participants: [{ participant: "other::1220aa", permission: "confirmation" }] })],
  [
    "hosted with the permission to submit",
    (ledger) => ({ participants: [{ participant: ledger.participantId, permission: "submission" }] }),
  ],
  ["without a confirming participant", (ledger) => ({ participants: [{ participant: ledger.participantId, permission: "observation" }] })],
  [
    "hosted twice by one node",
    (ledger) => ({
      participants: [
        { participant: ledger.participantId, permission: "confirmation" },
        { participant: ledger.participantId, permission: "confirmation" },
      ],
    }),
  ],
  ["with a confirmation threshold of two", () => ({ threshold: 2 })],
  ["with a signing threshold of two for one key", () => ({ keyThreshold: 2 })],
  ["without keys", () => ({ keys: [] })],
];
for (const [title, change] of unfit) {
  test(`onboarding: a party ${title} is refused`, async (t) => {
    const { ledger } = await startLedger(t),
      one = holder();
    assert.equal(failure(await allocate(ledger, transactionOf(ledger, [one], change(ledger, one)), [one])).code, "INVALID_ARGUMENT");
  });
}

test("onboarding: thresholds of none, and a key that is named twice, are refused by field", async (t) => {
  const { ledger } = await startLedger(t),
    one = holder();
  for (const change of [{ threshold: 0 }, { keyThreshold: 0 }, { keys: [one.key, one.key] }])
    assert.equal(failure(await allocate(ledger, transactionOf(ledger, [one], change), [one])).code, "INVALID_FIELD");
});

test("onboarding: more transactions and more keys than a party has are refused before they are looked into", async (t) => {
  const { ledger } = await startLedger(t),
    one = holder(),
    keys = partyToKeys(`ext::${one.key.fingerprint}`, 1, Array<Holder>(11).fill(one)),
    asked = {
      synchronizer: ledger.synchronizerId,
      identityProviderId: "",
      trace: { traceparent: null, tracestate: null },
      combinedSignatures: ok([]),
    };
  const causeOf = async (transactions: readonly Uint8Array[]): Promise<string> =>
    failure(
      await ledger.external.allocate({
        ...asked,
        transactions: transactions.map((transaction) => ({ transaction, signatures: ok([]) })),
      }),
    ).cause;
  assert.match(await causeOf(Array<Uint8Array>(27).fill(Buffer.from("nonsense"))), /at most 26 transactions, not 27/);
  assert.match(await causeOf([keys, keys]), /at most 20 signing keys/);
  const unreadable: Holder = { ...one, key: { ...one.key, spki: Buffer.from("no key") } };
  assert.match(await causeOf([partyToKeys("p", 1, Array<Holder>(21).fill(unreadable))]), /at most 20 signing keys, not 21/);
});

test("onboarding: nothing and unreadable transactions are refused by field", async (t) => {
  const { ledger } = await startLedger(t),
    one = holder(),
    transaction = transactionOf(ledger, [one]);
  for (const transactions of [[], [transaction.subarray(0, 40)]]) {
    const asked = {
      synchronizer: ledger.synchronizerId,
      identityProviderId: "",
      trace: { traceparent: null, tracestate: null },
      transactions: transactions.map((bytes) => ({ transaction: bytes, signatures: ok([]) })),
      combinedSignatures: ok([]),
    };
    assert.equal(failure(await ledger.external.allocate(asked)).code, "INVALID_FIELD");
  }
  const elsewhere = {
    synchronizer: "nope::1220aa",
    identityProviderId: "",
    trace: { traceparent: null, tracestate: null },
    transactions: [{ transaction, signatures: ok([]) }],
    combinedSignatures: ok([]),
  };
  assert.equal(failure(await ledger.external.allocate(elsewhere)).code, "INVALID_ARGUMENT");
  assert.equal(
    success(
      await ledger.external.allocate({
        ...elsewhere,
        synchronizer: `${ledger.synchronizerId}::35-0`,
        combinedSignatures: ok([signature(one, combinedHash([transaction]))]),
      }),
    ).party,
    `ext::${one.key.fingerprint}`,
  );
});
