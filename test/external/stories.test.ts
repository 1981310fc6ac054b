import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  acsDelta,
  create,
  createAndExercise,
  createdIn,
  darOf,
  eventFormat,
  exercise,
  exerciseByKey,
  kindsOf,
  ledgerEffects,
  ofTemplate,
  World,
  type Command,
  type Json,
} from "../scenarios/world.js";
import { verifyLedger } from "../../src/ledger/index.js";
import { encodePrepared, readMetadata, readTransaction, splitPrepared, type PreparedTransaction } from "../../src/lf/interactive/index.js";
import {
  execute,
  executeForTransaction,
  executionOf,
  ExternalParty,
  prepare,
  prepareReply,
  submit,
  succeeded,
  type Prepared,
  type Scheme,
} from "./external-world.js";
import { combinedHash } from "../../src/ledger/external/topology-hash.js";
import { delegation, partyToKeys } from "./companions.js";
import { type Holder, holder, signature, transactionOf } from "./holders.js";
import { temporaryFolder } from "../support/folders.js";

const leaf = "#ref-ext:X:Leaf",
  runner = "#ref-ext:X:Runner",
  box = "#ref-ext:X:Box",
  tag = "#ref-ext:X:Tag",
  multi = "#ref-model:M:Multi";
const schemes: readonly Scheme[] = ["HASHING_SCHEME_VERSION_V2", "HASHING_SCHEME_VERSION_V3"];
const v2 = { hashingSchemeVersion: schemes[0] },
  v3 = { hashingSchemeVersion: schemes[1] };

let world: World, ed: ExternalParty, p256: ExternalParty, local: string;
before(async () => {
  world = await World.start([darOf("canton", "model1.dar"), darOf("interactive", "ext.dar")]);
  [ed, p256] = [await ExternalParty.onboard(world, "ed"), await ExternalParty.onboard(world, "p256", "p256")];
  local = await world.party("local");
});
after(() => world.stop());

const newLeaf = (n: string, of: Pick<ExternalParty, "party"> = ed, obs: readonly string[] = []) => create(leaf, { p: of.party, obs, n });
const code = (reply: { readonly text: string; json(): { code: string } }): string => reply.json().code;

test("external: every kind of key onboards, signs and submits, by both hashing schemes", async () => {
  for (const kind of ["ed25519", "p256", "p384", "secp256k1"] as const) {
    const party = await ExternalParty.onboard(world, `kind-${kind}`, kind);
    for (const hashingSchemeVersion of schemes) {
      const transaction = await submit(world, [party], newLeaf("1", party, [local]), { hashingSchemeVersion });
      assert.deepEqual(createdIn(transaction).signatories, [party.party]);
    }
  }
});

test("external: keys of the curves of NIST are also taken by the former name of their format, as the same keys", async () => {
  const [{ synchronizerId: synchronizer }] = succeeded(await world.client.get("/v2/state/connected-synchronizers")).connectedSynchronizers;
  for (const [keySpec, pair] of [
    ["SIGNING_KEY_SPEC_EC_P256", generateKeyPairSync("ec", { namedCurve: "prime256v1" })],
    ["SIGNING_KEY_SPEC_EC_P384", generateKeyPairSync("ec", { namedCurve: "secp384r1" })],
    ["SIGNING_KEY_SPEC_EC_SECP256K1", generateKeyPairSync("ec", { namedCurve: "secp256k1" })],
    ["SIGNING_KEY_SPEC_EC_CURVE25519", generateKeyPairSync("ed25519")],
  ] as const) {
    const keyData = pair.publicKey.export({ type: "spki", format: "der" }).toString("base64");
    const topologyBy = (format: string) =>
      world.client.post("/v2/parties/external/generate-topology", {
        synchronizer,
        partyHint: "former",
        publicKey: { format, keyData, keySpec },
      });
    const former = await topologyBy("CRYPTO_KEY_FORMAT_DER"),
      usual = succeeded(await topologyBy("CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO"));
    if (/P256$|P384$/.test(keySpec)) assert.equal(succeeded(former).partyId, usual.partyId);
    else assert.equal(former.status, 400, former.text);
  }
});

test("external: a party signs by keys that it brought in a transaction of their own, beside the one of its namespace", async () => {
  const [owner, signer] = [holder(), holder()],
    party = `ext::${owner.key.fingerprint}`,
    [{ synchronizerId: synchronizer }] = succeeded(await world.client.get("/v2/state/connected-synchronizers")).connectedSynchronizers,
    { participantId } = succeeded(await world.client.get("/v2/parties/participant-id"));
  const transactions = [
    delegation(owner),
    transactionOf({ participantId }, [owner], { keys: [], keyThreshold: 0 }),
    partyToKeys(party, 1, [signer]),
  ];
  const wire = (by: Holder, message: Uint8Array) => ({
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: Buffer.from(signature(by, message).bytes).toString("base64"),
    signedBy: by.key.fingerprint,
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  });
  const allocated = await world.client.post("/v2/parties/external/allocate", {
    synchronizer,
    onboardingTransactions: transactions.map((transaction) => ({ transaction: Buffer.from(transaction).toString("base64") })),
    multiHashSignatures: [owner, signer].map((by) => wire(by, combinedHash(transactions))),
  });
  assert.equal(succeeded(allocated).partyId, party);
  const prepared = succeeded(await prepareReply(world, [party], [newLeaf("15", { party })])) as Prepared,
    hash = Buffer.from(prepared.preparedTransactionHash, "base64");
  for (const [by, status] of [
    [owner, 400],
    [signer, 200],
  ] as const) {
    const executed = await execute(world, prepared, [], { partySignatures: { signatures: [{ party, signatures: [wire(by, hash)] }] } });
    assert.equal(executed.status, status, executed.text);
  }
});

test("external: what is wrong about an onboarding is told before whether its user or identity provider is there", async () => {
  const [{ synchronizerId: synchronizer }] = succeeded(await world.client.get("/v2/state/connected-synchronizers")).connectedSynchronizers;
  const onboarding = (changes: object) =>
    world.client.post("/v2/parties/external/allocate", { synchronizer, onboardingTransactions: [], ...changes });
  for (const absent of [{ userId: "nobody" }, { identityProviderId: "nowhere" }]) {
    assert.match((await onboarding(absent)).json().cause, /onboarding_transactions\.transactions/);
    const unsigned = {
      format: "SIGNATURE_FORMAT_UNSPECIFIED",
      signature: "",
      signedBy: "",
      signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
    };
    const transaction = Buffer.from(delegation(holder())).toString("base64");
    const wrong = await onboarding({ ...absent, onboardingTransactions: [{ transaction, signatures: [unsigned] }] });
    assert.match(wrong.json().cause, /Signature format/);
  }
});

test("external: a signature by what is no fingerprint is refused by its field before anything is done", async () => {
  const [{ synchronizerId: synchronizer }] = succeeded(await world.client.get("/v2/state/connected-synchronizers")).connectedSynchronizers;
  const transaction = Buffer.from(delegation(holder())).toString("base64"),
    prepared = succeeded(await prepareReply(world, [ed.party], [newLeaf("16", ed)])) as Prepared;
  for (const signedBy of ["", "one::two", "a".repeat(69), "é"]) {
    const signature = {
      format: "SIGNATURE_FORMAT_CONCAT",
      signature: "",
      signedBy,
      signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
    };
    const allocated = await world.client.post("/v2/parties/external/allocate", {
      synchronizer,
      onboardingTransactions: [{ transaction }],
      multiHashSignatures: [signature],
    });
    const executed = await execute(world, prepared, [], {
      partySignatures: { signatures: [{ party: ed.party, signatures: [signature] }] },
    });
    for (const [reply, field] of [
      [allocated, "multi_hash_signatures.signatures"],
      [executed, "SinglePartySignatures.signature"],
    ] as const) {
      const { code, cause } = reply.json();
      assert.deepEqual([reply.status, code, cause.includes(field)], [400, "INVALID_FIELD", true], reply.text);
    }
  }
});

test("external: a bound on the record time that is no time in Daml is refused", async () => {
  for (const maxRecordTime of ["0000-12-31T23:59:59Z", "+10000-01-01T00:00:00Z", "-1000000000-01-01T00:00:00Z"]) {
    const reply = await prepareReply(world, [ed.party], [newLeaf("17", ed)], { maxRecordTime });
    assert.deepEqual([reply.status, reply.json().code], [400, "INVALID_ARGUMENT"], reply.text);
    assert.match(reply.json().cause, /Can not represent ledger time .* as a Daml timestamp$/);
  }
});

test("external: the node confirms for an external party, it does not submit for it", async () => {
  const permissionOf = async (party: string): Promise<string> =>
    succeeded(await world.client.get(`/v2/state/connected-synchronizers?party=${encodeURIComponent(party)}`)).connectedSynchronizers[0]
      .permission;
  assert.deepEqual(
    [await permissionOf(ed.party), await permissionOf(local)],
    ["PARTICIPANT_PERMISSION_CONFIRMATION", "PARTICIPANT_PERMISSION_SUBMISSION"],
  );
  const reply = await world.client.post("/v2/commands/submit-and-wait", world.commands([ed.party], [newLeaf("1")]));
  assert.equal(code(reply), "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT");
});

test("external: what a command is made of is read before it is found that the node does not submit for it, or does not know who acts", async () => {
  const { templateId } = createdIn(await submit(world, [ed], newLeaf("1"))),
    nobody = `nobody::1220${"ab".repeat(32)}`,
    argument = { p: ed.party, obs: [], n: "1" };
  const submitted = async (actor: string, command: object): Promise<string> =>
    code(await world.client.post("/v2/commands/submit-and-wait", world.commands([actor], [command as Command])));
  const prepared = async (actor: string, command: object): Promise<string> => code(await prepareReply(world, [actor], [command]));
  for (const [template, refusal] of [
    [leaf, ["UNKNOWN_INFORMEES", "UNKNOWN_INFORMEES"]],
    [templateId, ["UNKNOWN_SUBMITTERS", "UNKNOWN_INFORMEES"]],
  ] as const) {
    const attempts = [
      [create(template, { ...argument, foo: "1" }), "INVALID_ARGUMENT"],
      [create(template, { ...argument, n: "x" }), "INVALID_ARGUMENT"],
      [create(`${template}2`, argument), "TEMPLATES_OR_INTERFACES_NOT_FOUND"],
      [exercise(template, "no id", "NoChoice"), "INVALID_ARGUMENT"],
      [exercise(template, "no id", "Peek"), "INVALID_FIELD"],
    ] as const;
    for (const [command, expected] of attempts) {
      assert.equal(await submitted(ed.party, command), expected, JSON.stringify(command));
      // Names of packages are looked for by who acts, before that.
      const told = template === leaf ? refusal : [expected, expected];
      assert.deepEqual([await submitted(nobody, command), await prepared(nobody, command)], told, JSON.stringify(command));
    }
    assert.deepEqual([await submitted(nobody, create(template, argument)), await prepared(nobody, create(template, argument))], refusal);
  }
});

test("external: without a hashing scheme a transaction is prepared by the usual one, and with one that says nothing it is not", async () => {
  const preparing = (changes: object) =>
    world.client.post("/v2/interactive-submission/prepare", {
      ...world.commands([ed.party], [newLeaf("1")]),
      synchronizerId: "",
      packageIdSelectionPreference: [],
      ...changes,
    });
  assert.equal(succeeded(await preparing({})).hashingSchemeVersion, schemes[0]);
  const unspecified = await preparing({ hashingSchemeVersion: "HASHING_SCHEME_VERSION_UNSPECIFIED" });
  assert.deepEqual([unspecified.status, code(unspecified)], [400, "INVALID_FIELD"]);
  assert.match(unspecified.text, /hashing_scheme_version/);
});

test("external: a preparation names a synchronizer and preferred packages, if only to say that any will do", async () => {
  const whole = { ...world.commands([ed.party], [newLeaf("1")]), synchronizerId: "", packageIdSelectionPreference: [] };
  for (const field of ["synchronizerId", "packageIdSelectionPreference"]) {
    const refused = await world.client.post("/v2/interactive-submission/prepare", { ...whole, [field]: undefined });
    assert.deepEqual([refused.status, refused.text], [400, `Invalid value for: body (Missing required field at '${field}')`]);
  }
});

test("external: what a transaction will cost is not worked out for signatures of no algorithm", async () => {
  const costing = (hints: object, commands = [newLeaf("1")]) =>
    prepareReply(world, [ed.party], commands, {
      estimateTrafficCost: { expectedSignatures: ["SIGNING_ALGORITHM_SPEC_UNSPECIFIED"], ...hints },
    });
  const refused = await costing({});
  assert.deepEqual([refused.status, code(refused)], [400, "INVALID_FIELD"]);
  assert.match(refused.text, /estimate_traffic_cost/);
  assert.equal(code(await costing({}, [])), "MISSING_FIELD", "what is wrong about the command is told before");
  assert.equal(succeeded(await costing({ disabled: true })).costEstimation ?? null, null);
  for (const { costEstimation } of [
    succeeded(await costing({ expectedSignatures: ["SIGNING_ALGORITHM_SPEC_ED25519"] })),
    succeeded(await prepareReply(world, [ed.party], [newLeaf("1")])),
  ]) {
    assert.ok(costEstimation.estimationTimestamp, "worked out unless it is not wanted");
  }
});

test("external: a symbolic signature is one that does not verify", async () => {
  const prepared = await prepare(world, [ed], [newLeaf("1")]),
    symbolic = { ...ed.sign(prepared.preparedTransactionHash), format: "SIGNATURE_FORMAT_SYMBOLIC" };
  const refused = await world.client.post("/v2/interactive-submission/executeAndWait", {
    preparedTransaction: prepared.preparedTransaction,
    hashingSchemeVersion: prepared.hashingSchemeVersion,
    userId: "tester",
    submissionId: "",
    deduplicationPeriod: { Empty: {} },
    partySignatures: { signatures: [{ party: ed.party, signatures: [symbolic] }] },
  });
  assert.deepEqual([refused.status, code(refused)], [400, "FAILED_TO_EXECUTE_TRANSACTION"]);
});

test("external: the transaction tells what was signed, and everybody sees it", async () => {
  const prepared = await prepare(world, [ed], [newLeaf("2", ed, [local])]),
    transaction = await executeForTransaction(world, prepared, [ed]);
  const hash = Buffer.from(prepared.preparedTransactionHash, "base64").toString("hex");
  assert.equal(transaction.externalTransactionHash, hash);
  const seen = succeeded(
    await world.client.post("/v2/updates/update-by-offset", {
      offset: transaction.offset,
      updateFormat: {
        includeTransactions: {
          transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
          eventFormat: { verbose: true, filtersByParty: { [local]: {} } },
        },
      },
    }),
  );
  assert.equal(seen.update.Transaction.value.externalTransactionHash, hash);
  assert.equal(createdIn(seen.update.Transaction.value).contractId, createdIn(transaction).contractId);
});

test("external: the answer has the events that its format asks for, if only none, and without a format those of its signers", async () => {
  const answered = async (transactionFormat?: Json): Promise<Json> => {
    const prepared = await prepare(world, [ed], [newLeaf("2")]),
      execution = executionOf(prepared, [ed], { transactionFormat }),
      { transaction } = succeeded(await world.client.post("/v2/interactive-submission/executeAndWaitForTransaction", execution));
    assert.match(transaction.updateId, /^1220[0-9a-f]{64}$/);
    assert.equal(transaction.externalTransactionHash, Buffer.from(prepared.preparedTransactionHash, "base64").toString("hex"));
    return transaction;
  };
  assert.deepEqual(kindsOf(await answered()), ["created"]);
  for (const transactionShape of [acsDelta, ledgerEffects])
    for (const [reading, kinds] of [
      [{ parties: [ed.party] }, ["created"]],
      [{ parties: [ed.party], filters: [ofTemplate(leaf)] }, ["created"]],
      [{ parties: [ed.party], filters: [ofTemplate(box)] }, []],
      [{ parties: [p256.party] }, []],
    ] as const) {
      assert.deepEqual(kindsOf(await answered({ transactionShape, eventFormat: eventFormat(reading) })), kinds);
    }
});

test("external: choices, nested ones, interfaces, fetches, rollbacks and the time come out as prepared", async () => {
  for (const hashingSchemeVersion of schemes) {
    const go = (command: unknown) => submit(world, [ed], command, { hashingSchemeVersion });
    const first = createdIn(await go(newLeaf("1"))),
      run = createdIn(await go(create(runner, { p: ed.party })));
    assert.deepEqual(kindsOf(await go(exercise(leaf, first.contractId, "Peek"))), ["exercised"]);
    const second = createdIn(await go(exercise(leaf, first.contractId, "Bump", { by: "5" })));
    assert.equal(second.createArgument.n, "6");
    assert.deepEqual(kindsOf(await go(exercise(runner, run.contractId, "Nest", { levels: "2" }))), [
      "exercised",
      "created",
      "exercised",
      "created",
      "exercised",
    ]);
    assert.deepEqual(kindsOf(await go(exercise(runner, run.contractId, "Chain", "10"))), [
      "exercised",
      "created",
      "exercised",
      "created",
      "exercised",
      "created",
    ]);
    assert.equal((await go(exercise(tag, second.contractId, "Look", "1"))).events[0].ExercisedEvent.interfaceId.endsWith(":X:Tag"), true);
    for (const [choice, kinds] of [
      ["LookAt", ["exercised", "exercised"]],
      ["FetchLeaf", ["exercised"]],
      ["ReadThenThrow", ["exercised", "created"]],
    ] as const)
      assert.deepEqual(kindsOf(await go(exercise(runner, run.contractId, choice, second.contractId))), kinds, choice);
    assert.deepEqual(kindsOf(await go(exercise(runner, run.contractId, "Now"))), ["exercised"]);
    assert.deepEqual(kindsOf(await go(exercise(leaf, second.contractId, "Bump", { by: "1" }))), ["exercised", "created"]);
  }
});

test("external: contract keys need scheme V3, and what a key finds must still be so", async () => {
  const box1 = create(box, { owner: ed.party, no: "1", content: "a" });
  assert.equal(code(await prepareReply(world, [ed.party], [box1])), "FAILED_TO_PREPARE_TRANSACTION");
  const made = createdIn(await submit(world, [ed], box1, v3));
  assert.ok(createdIn(await submit(world, [ed], exercise(box, made.contractId, "LoadByKey", "b"), v3)));
  const byKey = exerciseByKey(box, { owner: ed.party, no: "1" }, "Load", "c");
  const late = await prepare(world, [ed], [byKey], v3);
  assert.ok(createdIn(await submit(world, [ed], byKey, v3)));
  assert.equal(code(await execute(world, late, [ed])), "LOCAL_VERDICT_INACTIVE_CONTRACTS");
});

test("external: a disclosed contract comes along and is checked", async () => {
  const other = createdIn(await submit(world, [p256], newLeaf("77", p256)));
  const disclosed = {
    templateId: other.templateId,
    contractId: other.contractId,
    createdEventBlob: other.createdEventBlob,
    synchronizerId: "",
  };
  const visit = exercise(leaf, other.contractId, "Visit", ed.party);
  assert.equal((await prepareReply(world, [ed.party], [visit])).status, 404);
  assert.equal((await submit(world, [ed], visit, { disclosedContracts: [disclosed] })).events[0].ExercisedEvent.exerciseResult, "77");
});

test("external: all submitters have to sign, and only they count", async () => {
  const both = create(multi, { sigs: [ed.party, p256.party], obs: [local] });
  const prepared = await prepare(world, [ed, p256], [both]);
  for (const signers of [[], [ed], [p256]]) assert.equal(code(await execute(world, prepared, signers)), "FAILED_TO_EXECUTE_TRANSACTION");
  const stranger = await ExternalParty.onboard(world, "stranger");
  assert.equal((await execute(world, prepared, [ed, p256, stranger])).status, 200);
  const withLocal = succeeded(await prepareReply(world, [ed.party, local], [create(multi, { sigs: [ed.party, local], obs: [] })]));
  assert.equal(code(await execute(world, withLocal, [ed])), "FAILED_TO_EXECUTE_TRANSACTION");
});

test("external: nobody signs whom nobody hosts, which is told behind the early answer", async () => {
  const ghost = `ghost::1220${"ab".repeat(32)}`,
    begin = succeeded(await world.client.get("/v2/state/ledger-end")).offset;
  const signedBy = async (party: string, signatures: readonly unknown[]): Promise<Json> => {
    const execution = executionOf(await prepare(world, [ed], [newLeaf("3")]), [ed]);
    execution.partySignatures.signatures.push({ party, signatures });
    return execution;
  };
  for (const signatures of [[], [ed.sign("AAAA")]])
    for (const how of ["executeAndWait", "executeAndWaitForTransaction"]) {
      const reply = await world.client.post(`/v2/interactive-submission/${how}`, await signedBy(ghost, signatures));
      const { context } = reply.json();
      assert.deepEqual([reply.status, code(reply), context.category], [400, "MALFORMED_REQUEST", "8"]);
      assert.equal(context.message, "Transaction confirmation request creation failed");
      assert.match(
        context.reason,
        /^ParticipantAuthorizationError\(The following parties are not hosted .*: Set\(ghost::1220(ab){32}\)\)$/,
      );
    }
  const execution = await signedBy(ghost, []);
  assert.deepEqual(succeeded(await world.client.post("/v2/interactive-submission/execute", execution)), {});
  const completions = succeeded(
    await world.client.post("/v2/commands/completions?limit=5&stream_idle_timeout_ms=15000", {
      userId: "tester",
      parties: [ed.party],
      beginExclusive: begin,
    }),
  ).map((each: Json) => each.completionResponse.Completion.value);
  assert.deepEqual(
    completions.map(({ status, updateId }: Json) => [status.code, updateId]),
    Array.from({ length: 5 }, () => [3, ""]),
  );
  assert.equal(completions.at(-1).submissionId, execution.submissionId);
  for (const party of [local, p256.party])
    succeeded(await world.client.post("/v2/interactive-submission/executeAndWait", await signedBy(party, [ed.sign("AAAA")])));
});

test("external: a refused signature names the hash that has to be signed", async () => {
  const prepared = await prepare(world, [ed], [newLeaf("3")]);
  const reply = await execute(world, { ...prepared, preparedTransactionHash: Buffer.alloc(32, 1).toString("base64") }, [ed]);
  assert.equal(code(reply), "FAILED_TO_EXECUTE_TRANSACTION");
  assert.ok(reply.json().cause.includes(Buffer.from(prepared.preparedTransactionHash, "base64").toString("hex")));
  assert.match(reply.json().cause, /Received 0 valid signatures from distinct keys \(1 invalid\), but expected at least 1 valid/);
});

test("external: who executes and as what is looked at before who signed", async () => {
  const prepared = await prepare(world, [ed], [newLeaf("3")]);
  for (const [change, refusal] of [
    [{ submissionId: "é", userId: "no user" }, "submission_id"],
    [{ userId: "no user", deduplicationPeriod: { DeduplicationOffset: { value: -1 } } }, "user_id"],
    [{ deduplicationPeriod: { DeduplicationDuration: { value: { seconds: -1 } } } }, "deduplication_period"],
  ] as const) {
    const reply = await execute(world, prepared, [p256], change);
    assert.deepEqual([reply.status, code(reply)], [400, "INVALID_FIELD"]);
    assert.ok(reply.json().cause.includes(refusal), reply.text);
  }
  const nothingSaid = { hashingSchemeVersion: "HASHING_SCHEME_VERSION_UNSPECIFIED" };
  const unnamed = await prepareReply(world, [ed.party], [newLeaf("3")], { ...nothingSaid, userId: "no user" });
  assert.match(unnamed.json().cause, /user_id/);
  const several = await prepareReply(world, [ed.party], [newLeaf("3"), newLeaf("3")], nothingSaid);
  assert.match(several.json().cause, /hashing_scheme_version/);
});

test("external: of what is wrong about an execution the first in the order of its rules is told", async () => {
  const prepared = await prepare(world, [ed], [newLeaf("13")]),
    [wrong] = executionOf(prepared, [ed]).partySignatures.signatures[0].signatures;
  const bytes = Buffer.from(prepared.preparedTransaction, "base64"),
    elsewhere = Buffer.from(bytes.toString("latin1").replace("::35-0", "::35:0"), "latin1").toString("base64");
  const mistakes: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
    [{ preparedTransaction: "AAAA" }, /Cannot parse prepared_transaction/],
    [{ submissionId: "ü" }, /submission_id/],
    [{ userId: "ü" }, /user_id/],
    [{ deduplicationPeriod: { DeduplicationOffset: { value: -1 } } }, /deduplication_period/],
    [
      { partySignatures: { signatures: [{ party: ed.party, signatures: [{ ...wrong, format: "SIGNATURE_FORMAT_UNSPECIFIED" }] }] } },
      /Signature format/,
    ],
    [{ hashingSchemeVersion: "HASHING_SCHEME_VERSION_UNSPECIFIED" }, /hashing_scheme_version/],
    [{ preparedTransaction: elsewhere }, /synchronizer_id: .* Cannot parse 35:0 as a physical synchronizer id suffix/],
    [{ minLedgerTime: { time: { MinLedgerTimeRel: { value: { seconds: -1, nanos: 0 } } } } }, /Duration must be positive/],
  ];
  for (const [index, [, first]] of mistakes.entries()) {
    const all = Object.assign(
      {},
      ...mistakes
        .slice(index)
        .map(([change]) => change)
        .reverse(),
    ) as Record<string, unknown>;
    assert.match((await execute(world, prepared, [], all)).json().cause, first);
  }
});

test("external: a ledger time that lies ahead is waited for, unless it is too far ahead", async () => {
  const begun = Date.now();
  const after = (seconds: number) => ({ minLedgerTime: { time: { MinLedgerTimeRel: { value: { seconds, nanos: 0 } } } } });
  const soon = await execute(world, await prepare(world, [ed], [newLeaf("14")]), [ed], after(1));
  assert.equal(soon.status, 200, soon.text);
  assert.ok(Date.now() - begun >= 1000);
  assert.equal(
    code(await execute(world, await prepare(world, [ed], [newLeaf("14")]), [ed], after(70))),
    "LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND",
  );
});

test("external: a signed transaction is good for once, whoever sends it and whatever the period", async () => {
  const prepared = await prepare(world, [ed], [newLeaf("4")]);
  assert.equal((await execute(world, prepared, [ed])).status, 200);
  const none = { deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 0, nanos: 0 } } } };
  assert.equal(code(await execute(world, prepared, [ed])), "DUPLICATE_COMMAND");
  for (const change of [{ userId: "another" }, none, { ...none, userId: "another" }]) {
    const { code, errorCategory, cause, context } = (await execute(world, prepared, [ed], change)).json();
    assert.deepEqual([code, errorCategory], ["DUPLICATE_CONFIRMATION_REQUEST_UUID", 5]);
    assert.ok(cause.includes(context.uuid) && cause.includes(context.expireAfter), cause);
  }
  const twice = await prepare(world, [ed], [newLeaf("5")]);
  const codes = (await Promise.all([execute(world, twice, [ed]), execute(world, twice, [ed], { userId: "another" })])).map((reply) =>
    reply.status === 200 ? "accepted" : code(reply),
  );
  // Which of the two depends on whether the other is still on its way.
  assert.match(codes.sort().join(), /^(?:DUPLICATE_CONFIRMATION_REQUEST_UUID|SUBMISSION_ALREADY_IN_FLIGHT),accepted$/);
});

test("external: a transaction is good for once also where it is hashed by another scheme, or signed anew with something changed", async () => {
  const prepared = await prepare(world, [ed], [newLeaf("45")]);
  assert.equal((await execute(world, prepared, [ed])).status, 200);
  for (const change of [
    (same: PreparedTransaction) => same,
    ({ transaction, metadata }: PreparedTransaction) => ({ transaction, metadata: { ...metadata, commandId: "another" } }),
    ({ transaction, metadata }: PreparedTransaction) => ({
      transaction,
      metadata: { ...metadata, commandId: "one more", transactionUuid: metadata.transactionUuid.toUpperCase() },
    }),
  ]) {
    const reply = await executeChanged({ ...prepared, ...v3 } as Prepared, change, { ...v3, userId: "another" });
    assert.equal(code(reply), "DUPLICATE_CONFIRMATION_REQUEST_UUID");
  }
});

const ledgerTimeIn = (seconds: number) => ({ minLedgerTime: { time: { MinLedgerTimeRel: { value: { seconds, nanos: 0 } } } } });

test("external: what was signed is used up also by a verdict against it, whoever brought it, but not by a signature that is not good", async () => {
  const bounded = await prepare(world, [ed], [newLeaf("51")], { maxRecordTime: "2020-01-01T00:00:00Z" }),
    early = await prepare(world, [ed], [newLeaf("52")]),
    asked = await prepare(world, [ed], [newLeaf("53")]);
  assert.equal(code(await execute(world, bounded, [ed])), "LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED");
  assert.equal(code(await execute(world, early, [ed], ledgerTimeIn(600))), "LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND");
  for (const changes of [{}, { userId: "another" }])
    for (const used of [bounded, early])
      assert.equal(code(await execute(world, used, [ed], changes)), "DUPLICATE_CONFIRMATION_REQUEST_UUID");
  const late = { ...executionOf(asked, [ed], ledgerTimeIn(600)), submissionId: "late-51" },
    begin = succeeded(await world.client.get("/v2/state/ledger-end")).offset;
  succeeded(await world.client.post("/v2/interactive-submission/execute", late));
  await world.client.post("/v2/commands/completions?limit=1&stream_idle_timeout_ms=15000", {
    userId: "tester",
    parties: [ed.party],
    beginExclusive: begin,
  });
  assert.equal(code(await execute(world, asked, [ed])), "DUPLICATE_CONFIRMATION_REQUEST_UUID");
  const unsigned = await prepare(world, [ed], [newLeaf("54")]);
  assert.equal((await execute(world, unsigned, [])).status, 400);
  succeeded(await execute(world, unsigned, [ed]));
});

test("external: a ledger time that lies ahead is when a transaction is prepared at, which is signed too", async () => {
  const later = await prepare(world, [ed], [newLeaf("55")], ledgerTimeIn(3_600)),
    tooFar = await prepare(world, [ed], [newLeaf("56")], ledgerTimeIn(2 * 86_400)),
    now = BigInt(Date.now()) * 1_000n;
  const ahead = openedOf(later).metadata.preparationTime - now;
  assert.ok(ahead > 3_500_000_000n && ahead <= 3_600_000_000n, String(ahead));
  succeeded(await execute(world, later, [ed]));
  assert.equal(code(await execute(world, tooFar, [ed])), "LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND");
  const past = { minLedgerTime: { time: { MinLedgerTimeAbs: { value: "2020-01-01T00:00:00Z" } } } },
    since = await prepare(world, [ed], [newLeaf("57")], past);
  assert.ok(openedOf(since).metadata.preparationTime > now, "one before now asks for nothing");
});

test("external: of who acts only the first has to be known, and beside it whoever is told of the transaction", async () => {
  const [one, two] = [`one::1220${"ab".repeat(32)}`, `two::1220${"cd".repeat(32)}`];
  const attempt = (actAs: readonly string[], obs: readonly string[] = []) => prepareReply(world, actAs, [newLeaf("58", ed, obs)]);
  succeeded(await attempt([ed.party, one, two]));
  for (const [reply, unknown] of [
    [await attempt([one, ed.party, two]), one],
    [await attempt([ed.party, two], [one]), one],
  ] as const) {
    assert.deepEqual([reply.status, code(reply)], [404, "UNKNOWN_INFORMEES"]);
    assert.equal(reply.json().context.unknownInformees, `Set(${unknown})`);
  }
});

test("external: what is only prepared is part of no workflow, as its errors tell", async () => {
  const command = exercise(leaf, `00${"ab".repeat(32)}ca121220${"cd".repeat(32)}`, "Peek"),
    refused = (await prepareReply(world, [ed.party], [command], { workflowId: "flow" })).json();
  assert.equal(refused.code, "CONTRACT_NOT_FOUND");
  assert.match(refused.context.commands, /, workflowId: \}$/);
});

test("external: an input that was archived since is a verdict, and readers of completions see it", async () => {
  const target = createdIn(await submit(world, [ed], newLeaf("6")));
  const late = await prepare(world, [ed], [exercise(leaf, target.contractId, "Peek")]);
  await submit(world, [ed], exercise(leaf, target.contractId, "Bump", { by: "1" }));
  const begin = succeeded(await world.client.get("/v2/state/ledger-end")).offset;
  const reply = await execute(world, late, [ed]);
  assert.deepEqual([reply.status, code(reply)], [404, "LOCAL_VERDICT_INACTIVE_CONTRACTS"]);
  const completions = succeeded(
    await world.client.post("/v2/commands/completions?stream_idle_timeout_ms=100", {
      userId: "tester",
      parties: [ed.party],
      beginExclusive: begin,
    }),
  );
  const [{ reason, metadata }] = completions
    .flatMap(({ completionResponse }: Json) => completionResponse.Completion?.value.status.details ?? [])
    .map(({ valueDecoded }: Json) => valueDecoded);
  assert.deepEqual([reason, metadata.participant], ["LOCAL_VERDICT_INACTIVE_CONTRACTS", "ledgerline"]);
});

test("external: execute answers at once, its outcome is a completion", async () => {
  const begin = succeeded(await world.client.get("/v2/state/ledger-end")).offset;
  const execution = executionOf(await prepare(world, [ed], [newLeaf("8")]), [ed]);
  assert.deepEqual(succeeded(await world.client.post("/v2/interactive-submission/execute", execution)), {});
  const [completion] = succeeded(
    await world.client.post("/v2/commands/completions?limit=1&stream_idle_timeout_ms=15000", {
      userId: "tester",
      parties: [ed.party],
      beginExclusive: begin,
    }),
  );
  assert.equal(completion.completionResponse.Completion.value.submissionId, execution.submissionId);
  assert.equal(completion.completionResponse.Completion.value.status.code, 0);
});

test("external: what the signer bounds in time is not recorded later", async () => {
  const late = await prepare(world, [ed], [newLeaf("9")], { maxRecordTime: "2020-01-01T00:00:00Z" });
  assert.deepEqual([code(await execute(world, late, [ed]))], ["LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED"]);
  const inTime = await prepare(world, [ed], [newLeaf("9")], { maxRecordTime: "2099-01-01T00:00:00Z", ...v3 });
  assert.equal((await execute(world, inTime, [ed])).status, 200);
});

function openedOf({ preparedTransaction }: Prepared): PreparedTransaction {
  const parts = splitPrepared(Buffer.from(preparedTransaction, "base64"));
  return { transaction: readTransaction(parts.ok!.transaction!).ok!, metadata: readMetadata(parts.ok!.metadata!).ok! };
}
const changedBy = (prepared: Prepared, change: (prepared: PreparedTransaction) => PreparedTransaction): Prepared => ({
  ...prepared,
  preparedTransaction: Buffer.from(encodePrepared(change(openedOf(prepared)))).toString("base64"),
});

/** Signs a changed transaction anew, over the hash that the node then asks for. */
async function executeChanged(
  prepared: Prepared,
  change: (prepared: PreparedTransaction) => PreparedTransaction,
  fields: Readonly<Record<string, unknown>> = {},
) {
  const changed = changedBy(prepared, change);
  const refused = await execute(world, changed, [ed], fields);
  assert.equal(code(refused), "FAILED_TO_EXECUTE_TRANSACTION");
  const hash = /1220([0-9a-f]{64})/.exec(refused.json().cause.split("to be signed")[1]!)![1]!;
  return execute(world, { ...changed, preparedTransactionHash: Buffer.from(hash, "hex").toString("base64") }, [ed], fields);
}

test("external: a transaction that the model does not give is refused though it is signed", async () => {
  const target = createdIn(await submit(world, [ed], newLeaf("10")));
  const nodesWith = (prepared: PreparedTransaction, kind: string, change: object): PreparedTransaction => {
    const nodes = new Map([...prepared.transaction.nodes].map(([id, node]) => [id, node.kind === kind ? { ...node, ...change } : node]));
    return { ...prepared, transaction: { ...prepared.transaction, nodes } as PreparedTransaction["transaction"] };
  };
  const changes: readonly ((prepared: PreparedTransaction) => PreparedTransaction)[] = [
    (prepared) => nodesWith(prepared, "exercise", { consuming: true }),
    (prepared) => nodesWith(prepared, "exercise", { choice: "Peek" }),
    (prepared) => nodesWith(prepared, "exercise", { actingParties: [local] }),
    (prepared) => nodesWith(prepared, "exercise", { children: [] }),
    (prepared) => nodesWith(prepared, "create", { signatories: [local], stakeholders: [local] }),
    (prepared) => ({
      ...prepared,
      transaction: {
        ...prepared.transaction,
        nodeSeeds: new Map([...prepared.transaction.nodeSeeds].map(([id]) => [id, new Uint8Array(32)])),
      },
    }),
    (prepared) => ({ ...prepared, metadata: { ...prepared.metadata, preparationTime: prepared.metadata.preparationTime - 1n } }),
    (prepared) => ({ ...prepared, metadata: { ...prepared.metadata, minLedgerTime: 1n } }),
    (prepared) => ({
      ...prepared,
      metadata: {
        ...prepared.metadata,
        inputContracts: prepared.metadata.inputContracts.map((input) => ({ ...input, create: { ...input.create, packageName: "other" } })),
      },
    }),
  ];
  for (const [index, change] of changes.entries()) {
    const reply = await executeChanged(await prepare(world, [ed], [exercise(leaf, target.contractId, "Spawn", { by: "1" })]), change);
    assert.deepEqual([reply.status, code(reply)], [400, "NA"], `change ${index}`);
  }
});

test("external: the contracts that it uses come along, no others, and it names a synchronizer", async () => {
  const target = createdIn(await submit(world, [ed], newLeaf("14"))),
    spawning = await prepare(world, [ed], [exercise(leaf, target.contractId, "Spawn", { by: "1" })]),
    { inputContracts } = openedOf(spawning).metadata;
  for (const [prepared, change, expected, words] of [
    [spawning, { inputContracts: [] }, "FAILED_TO_EXECUTE_TRANSACTION", `Missing input contracts: ${target.contractId}`],
    [
      await prepare(world, [ed], [newLeaf("14")]),
      { inputContracts },
      "FAILED_TO_EXECUTE_TRANSACTION",
      `Superfluous input contracts: ${target.contractId}`,
    ],
    [spawning, { synchronizerId: "nowhere" }, "INVALID_FIELD", "Unable to parse `nowhere` as physical synchronizer id"],
  ] as const) {
    const changed = changedBy(prepared, (opened) => ({ ...opened, metadata: { ...opened.metadata, ...change } })),
      reply = await execute(world, changed, [ed]);
    assert.deepEqual([reply.status, code(reply)], [400, expected]);
    assert.ok(reply.json().cause.includes(words), reply.text);
  }
});

test("external: another command id or uuid is another transaction, and a good one", async () => {
  for (const change of [{ commandId: "renamed" }, { transactionUuid: "00000000-0000-4000-8000-000000000000" }]) {
    const reply = await executeChanged(await prepare(world, [ed], [newLeaf("11")]), (prepared) => ({
      ...prepared,
      metadata: { ...prepared.metadata, ...change },
    }));
    assert.equal(reply.status, 200, reply.text);
  }
});

const unfit: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  ["another hashing scheme", { hashingSchemeVersion: schemes[1] }, "FAILED_TO_EXECUTE_TRANSACTION"],
  ["no hashing scheme", { hashingSchemeVersion: "HASHING_SCHEME_VERSION_UNSPECIFIED" }, "INVALID_FIELD"],
  ["bytes that are no transaction", { preparedTransaction: "AAAA" }, "INVALID_ARGUMENT"],
  ["no bytes", { preparedTransaction: "" }, "MISSING_FIELD"],
  ["a party that is none", { partySignatures: { signatures: [{ party: "no good", signatures: [] }] } }, "INVALID_FIELD"],
];
for (const [title, change, expected] of unfit) {
  test(`external: an execution with ${title} is refused`, async () => {
    assert.equal(code(await execute(world, await prepare(world, [ed], [newLeaf("12")]), [ed], change)), expected);
  });
}

test("external: what cannot be prepared is said at once", async () => {
  assert.equal(code(await prepareReply(world, [ed.party], [newLeaf("1"), newLeaf("2")])), "FAILED_TO_PREPARE_TRANSACTION");
  const second = (command: Command) => prepareReply(world, [ed.party], [newLeaf("1"), command]);
  assert.equal(code(await second(create("#nope:X:Leaf", {}))), "PACKAGE_NAMES_NOT_FOUND", "before that there are two");
  assert.equal(code(await second(create(leaf, { p: ed.party, obs: [] }))), "COMMAND_PREPROCESSING_FAILED", "before that there are two");
  assert.equal(code(await prepareReply(world, [ed.party], [])), "MISSING_FIELD");
  assert.equal(code(await prepareReply(world, [], [newLeaf("1")])), "MISSING_FIELD");
  const keyed = await prepareReply(world, [ed.party], [create(box, { owner: ed.party, no: "1", content: "c" })], v2);
  assert.equal(code(keyed), "FAILED_TO_PREPARE_TRANSACTION");
  assert.deepEqual(Object.keys(keyed.json().context).sort(), ["category", "definite_answer", "participant", "tid"]);
  assert.equal(code(await prepareReply(world, [`ghost::1220${"ab".repeat(32)}`], [newLeaf("1")])), "UNKNOWN_INFORMEES");
  const unauthorized = await prepareReply(world, [local], [newLeaf("1")]);
  assert.equal(code(unauthorized), "DAML_AUTHORIZATION_ERROR");
  assert.match(
    unauthorized.json().context.commands,
    /deduplicationPeriod: \{duration: 'PT0S'\},/,
    "what is only prepared is not deduplicated",
  );
  const twoRoots = await prepare(world, [ed], [createAndExercise(leaf, { p: ed.party, obs: [], n: "3" }, "Bump", { by: "1" })]);
  assert.equal(code(await execute(world, twoRoots, [ed])), "FAILED_TO_EXECUTE_TRANSACTION");
});

test("external: that it would inform somebody who is not known is told as of a command that nobody signed", async () => {
  const folder = temporaryFolder("external"),
    before = temporaryFolder("external-before"),
    dars = [darOf("canton", "model1.dar"), darOf("interactive", "ext.dar")];
  let another = await World.start(dars, ["--data", folder]);
  const signer = await ExternalParty.onboard(another, "signer"),
    owner = await another.party("owner");
  await another.stop();
  cpSync(folder, before, { recursive: true });
  another = await World.start([], ["--data", folder]);
  const later = await another.party("later"),
    prepared = await prepare(another, [signer], [newLeaf("1", signer, [later])]);
  await another.stop();
  another = await World.start([], ["--data", before]);
  const replies = [
    await execute(another, prepared, [signer]),
    await another.submit([owner], [create(multi, { sigs: [owner], obs: [later] })]),
  ];
  for (const reply of replies) {
    const { cause, context } = reply.json();
    assert.deepEqual([reply.status, code(reply), context["unknownInformees"]], [404, "UNKNOWN_INFORMEES", `Set(${later})`]);
    assert.equal(cause, replies[1]!.json().cause);
  }
  await another.stop();
});

test("external: parties, their contracts and what was signed survive a restart", async () => {
  const folder = temporaryFolder("external");
  try {
    let durable = await World.start([darOf("canton", "model1.dar"), darOf("interactive", "ext.dar")], ["--data", folder]);
    const party = await ExternalParty.onboard(durable, "durable"),
      prepared = await prepare(durable, [party], [newLeaf("1", party)]);
    const made = createdIn(await executeForTransaction(durable, prepared, [party])),
      inVain = await prepare(durable, [party], [newLeaf("2", party)], { maxRecordTime: "2020-01-01T00:00:00Z" }),
      later = await prepare(durable, [party], [exercise(leaf, made.contractId, "Bump", { by: "1" })]);
    assert.equal(code(await execute(durable, inVain, [party])), "LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED");
    await durable.stop();
    durable = await World.start([], ["--data", folder]);
    assert.equal(code(await execute(durable, prepared, [party])), "DUPLICATE_COMMAND");
    assert.equal(code(await execute(durable, inVain, [party])), "DUPLICATE_CONFIRMATION_REQUEST_UUID");
    assert.equal(createdIn(await executeForTransaction(durable, later, [party])).createArgument.n, "2");
    await durable.stop();
    const { sound, text } = await verifyLedger(folder);
    assert.ok(sound, text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
