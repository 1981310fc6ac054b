/** What the wallet SDK does on a node whose tokens it signs itself: users, external parties, offline signing, event streams. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { testData } from "../support/paths.js";
import { filterOf, selfSigned, Session, templateFilter, WalletKey, walletAuth, type Json } from "./session.js";

const asset = "#ref-model:M:Asset",
  operatorId = "ledger-api-user";

let wallet: Session,
  synchronizer: string,
  number = 0;
before(async () => {
  const admin = await Session.start(walletAuth, selfSigned("participant_admin"));
  await admin.post("/v2/users", {
    user: { id: operatorId, primaryParty: "", isDeactivated: false, identityProviderId: "" },
    rights: [{ kind: { ParticipantAdmin: { value: {} } } }],
  });
  wallet = admin.as(selfSigned(operatorId));
  synchronizer = await wallet.synchronizer();
});
after(() => wallet.stop());

interface ExternalParty {
  readonly party: string;
  readonly fingerprint: string;
  readonly key: WalletKey;
}

/** The onboarding of the SDK, with the look-ups that it makes before and after. */
async function onboard(session: Session, userId: string, partyHint: string): Promise<ExternalParty> {
  const key = new WalletKey();
  const topology = await session.post("/v2/parties/external/generate-topology", {
    synchronizer,
    partyHint,
    publicKey: { format: "CRYPTO_KEY_FORMAT_RAW", keyData: key.publicKey, keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519" },
    localParticipantObservationOnly: false,
    confirmationThreshold: 1,
    otherConfirmingParticipantUids: [],
    observingParticipantUids: [],
  });
  const { partyId: party, publicKeyFingerprint: fingerprint } = topology;
  const known = async (): Promise<boolean> =>
    (await session.get(`/v2/parties/${encodeURIComponent(party)}`)).partyDetails[0]?.party === party;
  assert.equal(await known(), false);
  const allocated = await session.post("/v2/parties/external/allocate", {
    synchronizer,
    identityProviderId: "",
    onboardingTransactions: topology.topologyTransactions.map((transaction: string) => ({ transaction })),
    multiHashSignatures: [
      {
        format: "SIGNATURE_FORMAT_CONCAT",
        signature: key.sign(topology.multiHash),
        signedBy: fingerprint,
        signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
      },
    ],
  });
  assert.deepEqual([allocated.partyId, await known()], [party, true]);
  const granted = await session.post(`/v2/users/${userId}/rights`, {
    identityProviderId: "",
    userId,
    rights: [{ kind: { CanActAs: { value: { party } } } }],
  });
  assert.equal(granted.newlyGrantedRights.length, 1);
  return { party, fingerprint, key };
}

const issue = (party: string): Json => ({
  CreateCommand: { templateId: asset, createArguments: { issuer: party, owner: party, name: "gold", amount: "1" } },
});

const prepare = (party: string): Promise<Json> =>
  wallet.post("/v2/interactive-submission/prepare", {
    commands: [issue(party)],
    commandId: `prepared-${++number}`,
    userId: operatorId,
    actAs: [party],
    readAs: [],
    disclosedContracts: [],
    synchronizerId: synchronizer,
    packageIdSelectionPreference: [],
    verboseHashing: false,
  });

const executionOf = ({ party, fingerprint }: ExternalParty, prepared: Json, signature: string): Json => ({
  userId: operatorId,
  preparedTransaction: prepared.preparedTransaction,
  hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
  submissionId: `submission-${++number}`,
  deduplicationPeriod: { Empty: {} },
  partySignatures: {
    signatures: [
      {
        party,
        signatures: [
          { signature, signedBy: fingerprint, format: "SIGNATURE_FORMAT_CONCAT", signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519" },
        ],
      },
    ],
  },
});

async function submit(party: ExternalParty): Promise<void> {
  const prepared = await prepare(party.party);
  await wallet.post(
    "/v2/interactive-submission/executeAndWait",
    executionOf(party, prepared, party.key.sign(prepared.preparedTransactionHash)),
  );
}

test("wallet: the user of a self-signed token is known, another one or another secret is not let in", async () => {
  assert.equal((await wallet.get("/v2/authenticated-user")).user.id, operatorId);
  assert.equal((await wallet.as(selfSigned("nobody")).call("GET", "/v2/authenticated-user")).status, 403);
  assert.equal((await wallet.as(selfSigned(operatorId, "another")).call("GET", "/v2/authenticated-user")).status, 401);
  assert.equal((await wallet.as(selfSigned(operatorId, undefined, 7_200)).call("GET", "/v2/authenticated-user")).status, 401);
});

test("wallet: a DAR is uploaded under the older path with its query, and answered with a body", async () => {
  const packageId = "d098680ee2647f4da246eb427abf8e4b822ca494fb85235e98842c38431590e7";
  const isUploaded = async (): Promise<boolean> => (await wallet.get("/v2/packages")).packageIds.includes(packageId);
  assert.equal(await isUploaded(), false);
  await wallet.post(
    `/v2/packages?synchronizerId=${encodeURIComponent(synchronizer)}&vetAllPackages=true`,
    new Uint8Array(readFileSync(testData("quickstart.dar"))),
  );
  assert.equal(await isUploaded(), true);
});

test("wallet: an internal party is looked up by the node's namespace, allocated for the user, and found again", async () => {
  const namespace = (await wallet.get("/v2/parties/participant-id")).participantId.split("::").pop();
  const party = `carol::${namespace}`;
  const lookUp = async (): Promise<readonly Json[]> =>
    (await wallet.get(`/v2/parties/${encodeURIComponent(party)}?identity-provider-id=&parties=${encodeURIComponent(party)}`)).partyDetails;
  assert.deepEqual(await lookUp(), []);
  const allocated = await wallet.post("/v2/parties", {
    partyIdHint: "carol",
    identityProviderId: "",
    synchronizerId: synchronizer,
    userId: operatorId,
  });
  assert.equal(allocated.partyDetails.party, party);
  assert.equal((await lookUp())[0].party, party);
  await wallet.post("/v2/commands/submit-and-wait", {
    // with the right that the allocation gave
    commands: [issue(party)],
    commandId: "internal-1",
    userId: operatorId,
    actAs: [party],
    readAs: [],
    disclosedContracts: [],
    synchronizerId: synchronizer,
    packageIdSelectionPreference: [],
  });
});

test("wallet: an external party onboards and signs what was prepared; another key's signature is refused", async () => {
  const alice = await onboard(wallet, operatorId, "alice"),
    bob = await onboard(wallet, operatorId, "bob");
  await submit(alice);
  const prepared = await prepare(alice.party);
  const refused = await wallet.call(
    "POST",
    "/v2/interactive-submission/executeAndWait",
    executionOf(alice, prepared, bob.key.sign(prepared.preparedTransactionHash)),
  );
  assert.equal(refused.status, 400);
  await wallet.post(
    "/v2/interactive-submission/executeAndWait",
    executionOf(alice, prepared, alice.key.sign(prepared.preparedTransactionHash)),
  );
  const active = await wallet.post("/v2/state/active-contracts", {
    filter: filterOf(alice.party, templateFilter(asset)),
    verbose: false,
    activeAtOffset: await wallet.ledgerEnd(),
  });
  assert.equal(active.length, 2);
});

test("wallet: events come over sockets whose path has two slashes, from an offset and while they happen", async () => {
  const dora = await onboard(wallet, operatorId, "dora");
  await submit(dora);
  const request = { beginExclusive: 0, verbose: true, filter: filterOf(dora.party, templateFilter(asset)) };
  const updates = await wallet.frames("//v2/updates", request, 2, () => submit(dora));
  assert.deepEqual(
    updates.map(({ update }) => Object.keys(update)),
    [["Transaction"], ["Transaction"]],
  );
  const resumed = await wallet.frames(
    "//v2/updates",
    { ...request, beginExclusive: updates[0].update.Transaction.value.offset, endInclusive: await wallet.ledgerEnd() },
    10,
  );
  assert.deepEqual(
    resumed.map(({ update }) => update.Transaction.value.updateId),
    [updates[1].update.Transaction.value.updateId],
  );
  const completions = await wallet.frames("//v2/commands/completions", { beginExclusive: 0, userId: operatorId, parties: [dora.party] }, 2);
  assert.deepEqual(
    completions.map(({ completionResponse }) => completionResponse.Completion.value.status.code),
    [0, 0],
  );
});

test("wallet: a socket with a bad token gets one error frame", async () => {
  const frames = await wallet
    .as(selfSigned(operatorId, "another"))
    .frames("//v2/updates", { beginExclusive: 0, verbose: true, filter: {} }, 10);
  assert.deepEqual(
    frames.map(({ code, grpcCodeValue }) => [code, grpcCodeValue]),
    [["NA", 16]],
  );
});

test("wallet: users see their own parties only, until rights are granted and after they are revoked", async () => {
  const create = async (id: string, rights: readonly Json[]): Promise<Session> => {
    assert.equal((await wallet.call("GET", `/v2/users/${id}?identity-provider-id=`)).body.code, "USER_NOT_FOUND");
    // Undefined primary party: left out.
    await wallet.post("/v2/users", { user: { identityProviderId: "", id, isDeactivated: false }, rights });
    return wallet.as(selfSigned(id));
  };
  const admin = { kind: { ParticipantAdmin: { value: {} } } };
  const eve = await create("eve-user", [admin]),
    frank = await create("frank-user", [admin]);
  const master = await create("master-user", [admin, { kind: { CanReadAsAnyParty: { value: {} } } }]);
  const evesParty = (await onboard(eve, "eve-user", "eve")).party,
    franksParty = (await onboard(frank, "frank-user", "frank")).party;
  const partiesOf = async (session: Session, id: string): Promise<string[]> =>
    (await session.get(`/v2/users/${id}/rights`)).rights.flatMap(({ kind }: Json) => (kind.CanActAs ?? kind.CanReadAs)?.value.party ?? []);
  assert.deepEqual([await partiesOf(eve, "eve-user"), await partiesOf(frank, "frank-user")], [[evesParty], [franksParty]]);
  const local = (await master.get("/v2/parties")).partyDetails.filter(({ isLocal }: Json) => isLocal).map(({ party }: Json) => party);
  assert.deepEqual(
    [evesParty, franksParty].filter((party) => local.includes(party)),
    [evesParty, franksParty],
  );
  const change = (method: string): Promise<Json> =>
    frank.ok(method, "/v2/users/frank-user/rights", {
      identityProviderId: "",
      userId: "frank-user",
      rights: [{ kind: { CanReadAs: { value: { party: evesParty } } } }],
    });
  await change("POST");
  assert.ok((await partiesOf(frank, "frank-user")).includes(evesParty));
  assert.equal((await change("PATCH")).newlyRevokedRights.length, 1);
  assert.deepEqual(await partiesOf(frank, "frank-user"), [franksParty]);
});
