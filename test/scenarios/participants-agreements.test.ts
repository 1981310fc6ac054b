/**
 * What parties of several participants agree to, spend and are told of (after those cases about authority, double spends, visibility and
 * exceptions of the Ledger API's own test tool that need more than one participant).
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { agreementsDar, agreementTemplate } from "./agreement-model.js";
import { startNetwork, type Neighbours } from "./neighbours.js";
import { acsDelta, create, createdIn, eventsOf, exercise, kindsOf, ledgerEffects, type Json, type Shape, type World } from "./world.js";

const payout = agreementTemplate("Payout"),
  offer = agreementTemplate("AgreementOffer"),
  agreement = agreementTemplate("Agreement"),
  triProposal = agreementTemplate("TriProposal"),
  iou = agreementTemplate("Iou"),
  job = agreementTemplate("JobOffer"),
  looker = agreementTemplate("Looker");

let network: Neighbours, first: World, second: World, third: World;
/** Of the first: alice and her bank; of the second: bob and eve; of the third: carol. */
let alice: string, bank: string, bob: string, eve: string, carol: string;
before(async () => {
  network = await startNetwork([agreementsDar]);
  ({ first, second, third } = network);
  [alice, bank] = await first.parties("alice", "bank");
  [bob, eve] = await second.parties("bob", "eve");
  [carol] = await third.parties("carol");
});
after(() => network.stop());

const read = (door: World, party: string, begin: number, shape: Shape = ledgerEffects): Promise<Json[]> =>
  door.transactions({ parties: [party], shape, begin });
const ends = (): Promise<number[]> => Promise.all([first, second, third].map((door) => door.ledgerEnd()));
const argumentsOf = (transaction: Json): Json => createdIn(transaction).createArgument;

describe("what several participants' parties agree to", () => {
  it("a choice for two is taken with the authority that a contract of both gives, and makes a contract of three", async () => {
    const offered = await second.create([bob], offer, { receiver: carol, giver: bob }),
      agreed = createdIn(await third.transact([carol], [exercise(offer, offered.contractId, "TakeOn")])),
      fields = { operator: alice, receiver: carol, giver: bob },
      proposed = await first.create([alice], triProposal, fields);
    const taken = await second.transact([bob], [exercise(agreement, agreed.contractId, "AgreeTo", { triProposal: proposed.contractId })]);
    assert.deepEqual([argumentsOf(taken), createdIn(taken).signatories], [fields, [alice, bob, carol].toSorted()]);
    for (const [door, party] of [
      [first, alice],
      [third, carol],
    ] as const)
      assert.ok((await door.activeContracts({ parties: [party] })).some(({ contractId }) => contractId === createdIn(taken).contractId));
  });

  it("where both are one and the same it suffices that this one agrees; its events nest as they happened", async () => {
    const offered = await second.create([bob], offer, { receiver: bob, giver: bob }),
      agreed = createdIn(await second.transact([bob], [exercise(offer, offered.contractId, "TakeOn")])),
      proposed = await first.create([alice], triProposal, { operator: alice, receiver: bob, giver: bob });
    const begin = await first.ledgerEnd(),
      taken = await second.transact([bob], [exercise(agreement, agreed.contractId, "AgreeTo", { triProposal: proposed.contractId })]);
    const [outer, inner, made] = eventsOf(taken);
    assert.deepEqual(
      [outer, inner, made].map(({ kind, choice }) => choice ?? kind),
      ["AgreeTo", "AgreeAll", "created"],
    );
    assert.ok(outer.nodeId < inner.nodeId && inner.nodeId < made.nodeId);
    assert.deepEqual([outer.lastDescendantNodeId, inner.lastDescendantNodeId], [made.nodeId, made.nodeId]);
    const [told] = await read(first, alice, begin);
    assert.deepEqual(
      eventsOf(told).map(({ nodeId, lastDescendantNodeId }) => [nodeId, lastDescendantNodeId]),
      [
        [1, 2],
        [2, undefined],
      ],
      "alice's participant sees her own part alone, and numbers that: first that her proposal was fetched",
    );
  });

  it("one of the two alone may not, and a model that counts who agreed refuses too many by its own error", async () => {
    const proposed = await first.create([alice], triProposal, { operator: alice, receiver: carol, giver: bob });
    for (const [door, party] of [
      [second, bob],
      [third, carol],
    ] as const)
      assert.equal(
        (await door.refused([party], [exercise(triProposal, proposed.contractId, "AgreeAll")])).code,
        "DAML_AUTHORIZATION_ERROR",
      );
    const offered = await second.create([bob], offer, { receiver: carol, giver: bob }),
      agreed = createdIn(await third.transact([carol], [exercise(offer, offered.contractId, "TakeOn")])),
      forBobAlone = await first.create([alice], triProposal, { operator: alice, receiver: bob, giver: bob });
    const tooMany = exercise(agreement, agreed.contractId, "AgreeTo", { triProposal: forBobAlone.contractId });
    assert.equal((await second.refused([bob], [tooMany])).code, "DAML_FAILURE");
  });

  it("a right that was given at another participant is handed on, and asked for as often as one likes", async () => {
    const given = await first.create([alice], payout, { giver: alice, receiver: bob });
    assert.equal(given.contractKey ?? null, null);
    const begin = await first.ledgerEnd();
    for (let time = 0; time < 2; time++) await second.transact([bob], [exercise(payout, given.contractId, "Ask")]);
    assert.deepEqual((await read(first, alice, begin)).map(kindsOf), [["exercised"], ["exercised"]]);
    assert.deepEqual(await read(first, alice, begin, acsDelta), [], "and the contract stays");
    const handed = await second.transact([bob], [exercise(payout, given.contractId, "Hand", { newReceiver: bank })]);
    assert.deepEqual(argumentsOf(handed), { giver: alice, receiver: bank });
    assert.equal((await second.refused([bob], [exercise(payout, given.contractId, "Ask")])).code, "CONTRACT_NOT_FOUND");
    assert.ok((await first.activeContracts({ parties: [bank] })).some(({ contractId }) => contractId === createdIn(handed).contractId));
  });
});

describe("a job that is offered from another participant", () => {
  const owed = (): Promise<Json> => first.create([bank], iou, { payer: bank, owner: alice, amount: "10" });

  it("is accepted with an iou: the painter is paid, and both have the job", async () => {
    const money = await owed(),
      offered = await second.create([bob], job, { painter: bob, owner: alice }),
      accepted = await first.transact([alice], [exercise(job, offered.contractId, "AcceptOffer", { iou: money.contractId })]);
    assert.deepEqual(createdIn(accepted, "Iou").createArgument, { payer: bank, owner: bob, amount: "10" });
    assert.deepEqual(createdIn(accepted, "Job").signatories, [alice, bob].toSorted());
    const active = (await second.activeContracts({ parties: [bob] })).map(({ contractId }) => contractId);
    for (const name of ["Iou", "Job"]) assert.ok(active.includes(createdIn(accepted, name).contractId), name);
  });

  it("is countered, and the painter takes that; nobody accepts for somebody else", async () => {
    const offered = await second.create([bob], job, { painter: bob, owner: alice });
    for (const party of [bob, eve]) {
      const counter = exercise(job, offered.contractId, "CounterOffer", { amount: "7" });
      const { code } = await second.refused([party], [counter]);
      assert.equal(code, party === bob ? "DAML_AUTHORIZATION_ERROR" : "CONTRACT_NOT_FOUND");
    }
    const countered = await first.transact([alice], [exercise(job, offered.contractId, "CounterOffer", { amount: "7" })]);
    const taken = exercise(agreementTemplate("JobCounter"), createdIn(countered).contractId, "AcceptCounter");
    assert.equal((await first.refused([alice], [taken])).code, "DAML_AUTHORIZATION_ERROR");
    assert.deepEqual(argumentsOf(await second.transact([bob], [taken])), { painter: bob, owner: alice });
    assert.equal(
      (await second.refused([bob], [create(agreementTemplate("Job"), { painter: bob, owner: alice })])).code,
      "DAML_AUTHORIZATION_ERROR",
      "and nobody signs for both",
    );
  });

  it("each looks at what it has a stake in, at its own participant, and finds nothing else; disclosed or not", async () => {
    const looks = async (door: World, who: string, choice: string, of: string, changes: Json = {}): Promise<string> => {
      const reply = await door.submit(
        [who],
        [{ CreateAndExerciseCommand: { templateId: looker, createArguments: { who }, choice, choiceArgument: { of } } }],
        changes,
      );
      return reply.status === 200 ? "seen" : reply.json().code;
    };
    const money = await owed();
    assert.deepEqual(
      [
        await looks(first, bank, "LookAtIou", money.contractId),
        await looks(first, alice, "LookAtIou", money.contractId),
        await looks(second, bob, "LookAtIou", money.contractId),
      ],
      ["seen", "seen", "CONTRACT_NOT_FOUND"],
    );
    const offered = await second.create([bob], job, { painter: bob, owner: alice });
    assert.deepEqual(
      [
        await looks(second, bob, "LookAtOffer", offered.contractId),
        await looks(first, alice, "LookAtOffer", offered.contractId),
        await looks(first, bank, "LookAtOffer", offered.contractId),
      ],
      ["seen", "seen", "CONTRACT_NOT_FOUND"],
    );
    const accepted = await first.transact([alice], [exercise(job, offered.contractId, "AcceptOffer", { iou: money.contractId })]),
      paid = createdIn(accepted, "Iou").contractId,
      agreed = createdIn(accepted, "Job").contractId;
    assert.deepEqual(
      [
        await looks(first, bank, "LookAtIou", paid),
        await looks(second, bob, "LookAtIou", paid),
        await looks(first, alice, "LookAtIou", paid),
        await looks(first, alice, "LookAtJob", agreed),
        await looks(second, bob, "LookAtJob", agreed),
        await looks(first, bank, "LookAtJob", agreed),
      ],
      ["seen", "seen", "CONTRACT_NOT_FOUND", "seen", "seen", "CONTRACT_NOT_FOUND"],
    );
    const { templateId, contractId, createdEventBlob } = createdIn(accepted, "Iou"),
      disclosedContracts = [{ templateId, contractId, createdEventBlob, synchronizerId: "" }];
    assert.equal(await looks(first, alice, "LookAtIou", paid, { disclosedContracts }), "DAML_AUTHORIZATION_ERROR");
  });

  it("what was paid once is not paid again: not in the same transaction, not later, not by who else might", async () => {
    const money = await owed();
    const twice = exercise(iou, money.contractId, "PayTwice", { first: bob, second: carol });
    assert.equal((await first.refused([alice], [twice])).code, "CONTRACT_NOT_ACTIVE");
    const pays = (newOwner: string) => exercise(iou, money.contractId, "Pay", { newOwner });
    await first.transact([alice], [pays(bob)]);
    assert.equal((await first.refused([alice], [pays(carol)])).code, "CONTRACT_NOT_FOUND");
    assert.equal((await first.refused([bank], [pays(carol)])).code, "CONTRACT_NOT_FOUND");
    assert.equal((await second.refused([bob], [pays(eve)])).code, "CONTRACT_NOT_FOUND");
  });
});

describe("who is told of what at several participants", () => {
  it("stakeholders everywhere are told the same transaction, in both shapes, by stream, id and offset; its command to the submitter alone", async () => {
    const [here, there] = await ends();
    await first.submit([alice], [create(payout, { giver: alice, receiver: bob })], { commandId: "told-to-both" });
    for (const shape of [acsDelta, ledgerEffects] as const) {
      const [mine] = await read(first, alice, here!, shape),
        [theirs] = await read(second, bob, there!, shape);
      const shared = ({ updateId, recordTime, effectiveAt, workflowId, synchronizerId }: Json): Json => ({
        updateId,
        recordTime,
        effectiveAt,
        workflowId,
        synchronizerId,
      });
      const bare = (transaction: Json): Json => ({ ...createdIn(transaction), offset: 0, witnessParties: [] });
      assert.deepEqual([shared(theirs), bare(theirs)], [shared(mine), bare(mine)]);
      assert.deepEqual([mine.commandId, theirs.commandId], ["told-to-both", ""]);
      assert.deepEqual([createdIn(mine).signatories, createdIn(mine).observers], [[alice], [bob]]);
      assert.deepEqual([createdIn(mine).witnessParties, createdIn(theirs).witnessParties], [[alice], [bob]]);
      for (const [door, party, streamed] of [
        [first, alice, mine],
        [second, bob, theirs],
      ] as const) {
        const eventFormat = { filtersByParty: { [party]: { cumulative: [] } }, verbose: true },
          updateFormat = { includeTransactions: { transactionShape: shape, eventFormat } };
        const byId = await door.client.post("/v2/updates/update-by-id", { updateId: streamed.updateId, updateFormat }),
          byOffset = await door.client.post("/v2/updates/update-by-offset", { offset: streamed.offset, updateFormat });
        assert.deepEqual([byId.json().update.Transaction.value, byOffset.json().update.Transaction.value], [streamed, streamed]);
      }
    }
  });

  it("who has no part in it is told nothing, at no participant, by stream, id or offset", async () => {
    const [here, there, elsewhere] = await ends();
    const { updateId, offset } = await first.transact([alice], [create(payout, { giver: alice, receiver: bob })]);
    assert.deepEqual([await read(second, eve, there!), await read(third, carol, elsewhere!), await read(first, bank, here!)], [[], [], []]);
    const updateFormat = (party: string): Json => ({
      includeTransactions: {
        transactionShape: ledgerEffects,
        eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: true },
      },
    });
    for (const [door, party] of [
      [first, bank],
      [second, eve],
      [third, carol],
    ] as const) {
      const byId = await door.client.post("/v2/updates/update-by-id", { updateId, updateFormat: updateFormat(party) });
      assert.equal(byId.json().code, "UPDATE_NOT_FOUND");
    }
    const byOffset = await first.client.post("/v2/updates/update-by-offset", { offset, updateFormat: updateFormat(bank) });
    assert.equal(byOffset.json().code, "UPDATE_NOT_FOUND");
  });

  it("what a transaction costs in traffic is told to its submitter alone", async () => {
    const [here, there] = await ends();
    await first.transact([alice], [create(payout, { giver: alice, receiver: bob })]);
    const { paidTrafficCost } = (await read(first, alice, here!, acsDelta))[0];
    assert.ok(typeof paidTrafficCost === "number" && paidTrafficCost >= 0, String(paidTrafficCost));
    assert.equal((await read(second, bob, there!, acsDelta))[0].paidTrafficCost ?? null, null);
  });

  for (const firstIsChosen of [true, false])
    it(`of two whom a template may tell only the ${firstIsChosen ? "first" : "second"}, who is chosen, is told; and of two who may sign, who does`, async () => {
      const chosen = firstIsChosen ? bob : eve,
        other = firstIsChosen ? eve : bob,
        [, there] = await ends();
      const told = await first.create([alice], agreementTemplate("BranchingObserver"), {
        giver: alice,
        firstIsTold: firstIsChosen,
        first: bob,
        second: eve,
      });
      const seen = async (door: World, party: string, begin: number): Promise<string[]> =>
        (await read(door, party, begin, acsDelta)).flatMap(eventsOf).map(({ contractId }) => contractId);
      assert.deepEqual([await seen(second, chosen, there!), await seen(second, other, there!)], [[told.contractId], []]);
      const [mine, theirs] = await ends(),
        signatory = firstIsChosen ? alice : bob,
        door = firstIsChosen ? first : second;
      const signed = await door.create([signatory], agreementTemplate("BranchingSignatory"), {
        firstSigns: firstIsChosen,
        first: alice,
        second: bob,
      });
      const [atFirst, atSecond] = [await seen(first, alice, mine!), await seen(second, bob, theirs!)];
      assert.deepEqual([atFirst, atSecond], firstIsChosen ? [[signed.contractId], []] : [[], [signed.contractId]]);
    });

  it("what was rolled back is told to nobody, also where others are told of what was not", async () => {
    const bell = async (one: string, another: string): Promise<string> =>
      (await first.create([alice], agreementTemplate("Bell"), { owner: alice, first: one, second: another })).contractId;
    const [ofBob, ofCarol, ofBoth] = [await bell(bob, bob), await bell(carol, carol), await bell(bob, carol)],
      ringer = await first.create([alice], agreementTemplate("Ringer"), { owner: alice }),
      [here, there, elsewhere] = await ends();
    const bells = { first: ofBob, second: ofCarol, third: ofBoth };
    await first.transact([alice], [exercise(agreementTemplate("Ringer"), ringer.contractId, "RingSecond", bells)]);
    const rung = async (door: World, party: string, begin: number): Promise<string[]> =>
      (await read(door, party, begin)).flatMap(eventsOf).map(({ contractId }) => contractId);
    assert.deepEqual(await rung(first, alice, here!), [ringer.contractId, ofCarol]);
    assert.deepEqual(await rung(second, bob, there!), []);
    assert.deepEqual(await rung(third, carol, elsewhere!), [ofCarol]);
  });

  it("disclosures that are no contract, or another's, are refused where they are used", async () => {
    const hidden = await first.create([bank], iou, { payer: bank, owner: bank, amount: "1" }),
      other = await first.create([bank], iou, { payer: bank, owner: bank, amount: "2" });
    const looks = {
      CreateAndExerciseCommand: {
        templateId: looker,
        createArguments: { who: bob },
        choice: "LookAtIou",
        choiceArgument: { of: hidden.contractId },
      },
    };
    const { contractId, templateId, createdEventBlob } = hidden;
    for (const [disclosure, code] of [
      [{ contractId, templateId, createdEventBlob: "" }, "MISSING_FIELD"],
      [{ contractId, templateId, createdEventBlob: Buffer.from("foo").toString("base64") }, "INVALID_ARGUMENT"],
      [{ contractId, templateId, createdEventBlob: other.createdEventBlob }, "INVALID_ARGUMENT"],
      [{ contractId: other.contractId, templateId, createdEventBlob }, "INVALID_ARGUMENT"],
    ] as const) {
      const refused = await second.refused([bob], [looks], { disclosedContracts: [{ ...disclosure, synchronizerId: "" }] });
      assert.equal(refused.code, code, JSON.stringify(refused));
    }
  });
});

describe("who is informed of what nobody is told", () => {
  const vet = async (door: World, kind: "Vet" | "Unvet"): Promise<void> => {
    const packages = [{ packageName: "agreements", packageVersion: "1.0.0" }],
      reply = await door.client.post("/v2/package-vetting/update", { changes: [{ operation: { [kind]: { value: { packages } } } }] });
    assert.equal(reply.status, 200, reply.text);
  };
  const whileUnvetted = async (door: World, code: () => Promise<string>): Promise<string> => {
    await vet(door, "Unvet");
    try {
      return await code();
    } finally {
      await vet(door, "Vet");
    }
  };
  const bell = async (told: string): Promise<string> =>
    (await first.create([alice], agreementTemplate("Bell"), { owner: alice, first: told, second: told })).contractId;
  const ringing = async (rolledBack: string): Promise<Json> => {
    const ringer = await first.create([alice], agreementTemplate("Ringer"), { owner: alice });
    const bells = { first: await bell(rolledBack), second: await bell(alice), third: await bell(alice) };
    return exercise(agreementTemplate("Ringer"), ringer.contractId, "RingSecond", bells);
  };

  it("of what was rolled back: a participant of theirs has to have vetted its packages", async () => {
    const ring = await ringing(carol);
    const refused = await whileUnvetted(third, async () => (await first.refused([alice], [ring])).code);
    assert.equal(refused, "PACKAGE_SELECTION_FAILED");
    const end = await third.ledgerEnd();
    await first.transact([alice], [ring]);
    assert.equal(await third.ledgerEnd(), end, "and still it is not told of it");
  });

  it("of what was rolled back: they have to be known", async () => {
    const nobody = `nobody::1220${"ab".repeat(32)}`,
      { code, context } = await first.refused([alice], [await ringing(nobody)]);
    assert.equal(code, "UNKNOWN_INFORMEES");
    assert.equal(context.unknownInformees, `Set(${nobody})`);
  });

  it("of what was only looked at: a participant of its signatories has to have vetted its packages", async () => {
    const { contractId } = await second.create([bob], iou, { payer: bob, owner: alice, amount: "5" }),
      looking = await first.create([alice], looker, { who: alice }),
      look = exercise(looker, looking.contractId, "LookAtIou", { of: contractId });
    const refused = await whileUnvetted(second, async () => (await first.refused([alice], [look])).code);
    assert.equal(refused, "PACKAGE_SELECTION_FAILED");
    await first.transact([alice], [look]);
  });
});
