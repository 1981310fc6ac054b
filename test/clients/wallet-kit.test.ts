/**
 * What the wallet kit's example scripts ask of a validator, a registry and a Scan, in their order and with a token on every
 * call, on stand-ins of Amulet: each answer has what the SDK reads of it.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { amuletDar } from "../splice/stand-in-model.js";
import { ago, names, transferConfigUsd } from "../splice/stand-in-world.js";
import { selfSigned, Session, walletAuth, type Json } from "./session.js";

const operatorId = "ledger-api-user",
  validator = "/api/validator",
  proxy = `${validator}/v0/scan-proxy`,
  registry = `${proxy}/registry`;

let wallet: Session,
  party: Readonly<Record<"dso" | "operator" | "alice" | "bob", string>>,
  number = 0;

before(async () => {
  const admin = await Session.start(walletAuth, selfSigned("participant_admin"));
  await admin.post("/v2/dars", amuletDar("0.1.22"));
  const allocate = async (partyIdHint: string): Promise<string> =>
    (await admin.post("/v2/parties", { partyIdHint, identityProviderId: "" })).partyDetails.party;
  party = { dso: await allocate("dso"), operator: await allocate("operator"), alice: await allocate("alice"), bob: await allocate("bob") };
  const rights = [
    { kind: { ParticipantAdmin: { value: {} } } },
    ...Object.values(party).map((each) => ({ kind: { CanActAs: { value: { party: each } } } })),
  ];
  await admin.post("/v2/users", {
    user: { id: operatorId, primaryParty: party.operator, isDeactivated: false, identityProviderId: "" },
    rights,
  });
  wallet = admin.as(selfSigned(operatorId));
  await make(names.rules, { configSchedule: "", isDevNet: true });
  await make(names.external, {});
  for (const [round, opensIn] of [
    [0, -7_200],
    [1, -3_600],
    [2, 3_600],
  ] as const)
    await make(names.round, {
      round: { number: String(round) },
      amuletPrice: "0.5",
      opensAt: ago(-opensIn),
      targetClosesAt: ago(-opensIn - 7_200),
      tickDuration: { microseconds: "600000000" },
      transferConfigUsd,
    });
});
after(() => wallet.stop());

/** A contract of the DSO's; its id. */
async function make(templateId: string, fields: Json): Promise<string> {
  const { transaction } = await wallet.post("/v2/commands/submit-and-wait-for-transaction", {
    commands: {
      commands: [{ CreateCommand: { templateId, createArguments: { dso: party.dso, ...fields } } }],
      commandId: `make-${++number}`,
      actAs: [party.dso],
      userId: operatorId,
    },
  });
  return transaction.events[0].CreatedEvent.contractId;
}

const lock = (owner: string): Promise<string> =>
  make(names.locked, {
    amulet: { dso: party.dso, owner, amount: { initialAmount: "1.0", createdAt: { number: "0" }, ratePerRound: { rate: "0.0" } } },
    lock: { holders: [party.dso], expiresAt: ago(-3_600) },
  });
const instrumentId = () => ({ admin: party.dso, id: "Amulet" });
const transferOf = (sender: string, receiver: string): Json => ({
  sender,
  receiver,
  amount: "1.0",
  instrumentId: instrumentId(),
  executeBefore: ago(-86_400),
});
const transferFactory = (sender: string, receiver: string): Promise<Json> =>
  wallet.post(`${registry}/transfer-instruction/v1/transfer-factory`, {
    choiceArguments: {
      actor: sender,
      expectedAdmin: party.dso,
      transfer: { ...transferOf(sender, receiver), requestedAt: ago(60), inputHoldingCids: [], meta: { values: {} } },
      extraArgs: { context: { values: {} }, meta: { values: {} } },
    },
    excludeDebugFields: true,
  });

/** What commands take as they are: templates by package id, blobs, the synchronizer; and nothing else. */
function assertDisclosed(context: Json): void {
  assert.equal(typeof context.choiceContextData.values, "object");
  for (const contract of context.disclosedContracts) {
    assert.deepEqual(Object.keys(contract).sort(), ["contractId", "createdEventBlob", "synchronizerId", "templateId"]);
    assert.match(contract.templateId, /^[0-9a-f]{64}:[^:]+:[^:]+$/);
  }
}
const disclosedOf = (context: Json): readonly string[] =>
  context.disclosedContracts.map(({ templateId }: Json) => templateId.split(":").at(-1));

test("01, 09, 10: the SDK finds the validator's party, and the registry's admin and token", async () => {
  assert.match((await wallet.get("/v2/version")).version, /^3\.5/);
  assert.equal((await wallet.get("/v2/authenticated-user")).user.id, operatorId);
  assert.equal((await wallet.get(`${validator}/v0/validator-user`)).party_id, party.operator);
  assert.deepEqual(
    (await wallet.get(`${registry}/metadata/v1/instruments`)).instruments.map(({ id }: Json) => id),
    ["Amulet"],
  );
  assert.equal((await wallet.get(`${registry}/metadata/v1/info`)).adminId, party.dso);
});

test("a tap: disclosures without an input, and the round that is open and ends last", async () => {
  const { choiceContext } = await transferFactory(party.dso, party.alice);
  assertDisclosed(choiceContext);
  const { amulet_rules } = await wallet.get(`${proxy}/amulet-rules`),
    { open_mining_rounds: rounds } = await wallet.get(`${proxy}/open-and-issuing-mining-rounds`),
    now = Date.now();
  const usable = rounds
    .map(({ contract }: Json) => contract)
    .filter(({ payload }: Json) => Date.parse(payload.opensAt) <= now && now < Date.parse(payload.targetClosesAt))
    .sort((a: Json, b: Json) => Date.parse(b.payload.opensAt) - Date.parse(a.payload.opensAt))[0];
  const ids = choiceContext.disclosedContracts.map(({ contractId }: Json) => contractId);
  assert.ok(ids.includes(amulet_rules.contract.contract_id) && ids.includes(usable.contract_id));
  for (const contract of [amulet_rules.contract, usable])
    assert.deepEqual(Object.keys(contract).sort(), ["contract_id", "created_at", "created_event_blob", "payload", "template_id"]);
});

test("02, 06, 08, 14: a transfer is offered, merged with oneself, accepted, rejected and withdrawn", async () => {
  const offered = await transferFactory(party.alice, party.bob),
    merged = await transferFactory(party.alice, party.alice);
  assert.deepEqual([offered.transferKind, merged.transferKind, offered.factoryId], ["offer", "self", merged.factoryId]);
  assertDisclosed(offered.choiceContext);
  const instruction = await make(names.transfer, { lockedAmulet: await lock(party.alice), transfer: transferOf(party.alice, party.bob) });
  for (const step of ["accept", "reject", "withdraw"]) {
    const context = await wallet.post(`${registry}/transfer-instruction/v1/${instruction}/choice-contexts/${step}`, {
      excludeDebugFields: true,
    });
    assertDisclosed(context);
    assert.deepEqual(disclosedOf(context), ["AmuletRules", "OpenMiningRound", "LockedAmulet"]);
  }
});

test("04: a trade's leg is allocated, executed, withdrawn and cancelled", async () => {
  const specification = {
    settlement: { executor: party.bob, settleBefore: ago(-3_600) },
    transferLeg: { sender: party.alice, instrumentId: instrumentId() },
  };
  const { factoryId, choiceContext } = await wallet.post(`${registry}/allocation-instruction/v1/allocation-factory`, {
    choiceArguments: { expectedAdmin: party.dso, allocation: specification },
    excludeDebugFields: true,
  });
  assert.ok(choiceContext.disclosedContracts.some(({ contractId }: Json) => contractId === factoryId));
  const allocation = await make(names.allocation, { lockedAmulet: await lock(party.alice), allocation: specification, expiresAt: null });
  for (const step of ["execute-transfer", "withdraw", "cancel"]) {
    const context = await wallet.post(`${registry}/allocations/v1/${allocation}/choice-contexts/${step}`, { excludeDebugFields: true });
    assertDisclosed(context);
    assert.equal(context.choiceContextData.values["expire-lock"].value, true);
  }
});

test("05: a preapproval is looked for until it is there, and transfers then are direct", async () => {
  const path = `${proxy}/transfer-preapprovals/by-party/${party.bob}`,
    missing = await wallet.call("GET", path);
  assert.equal(missing.status, 404);
  assert.ok(missing.body.error.startsWith("No TransferPreapproval found for party"), "the SDK knows it by these words");
  const preapproval = await make(names.preapproval, { receiver: party.bob, provider: party.operator, validFrom: ago(60) });
  assert.equal((await wallet.get(path)).transfer_preapproval.contract.contract_id, preapproval);
  const { transferKind, choiceContext } = await transferFactory(party.alice, party.bob);
  assert.deepEqual([transferKind, choiceContext.choiceContextData.values["transfer-preapproval"].value], ["direct", preapproval]);
});

test("07, 13: traffic of this participant, and an app that is featured", async () => {
  const { participantId } = await wallet.get("/v2/parties/participant-id"),
    synchronizer = await wallet.synchronizer();
  const { traffic_status } = await wallet.get(`/api/scan/v0/domains/${synchronizer}/members/PAR::${participantId}/traffic-status`);
  assert.deepEqual([typeof traffic_status.actual.total_limit, typeof traffic_status.target.total_purchased], ["number", "number"]);
  const featured = `${proxy}/featured-apps/${party.operator}`;
  assert.equal((await wallet.get(featured)).featured_app_right, null);
  const right = await make(names.featured, { provider: party.operator });
  assert.equal((await wallet.get(featured)).featured_app_right.contract_id, right);
});
