/** Who sees what: visibility, witnesses, divulgence and disclosure, in both shapes, as list and as WebSocket. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create, createdIn, darOf, disclosed, eventsOf, exercise, kindsOf, ledgerEffects, World, type Json } from "./world.js";
import { storyDar, storyTemplate } from "./story-model.js";

const cash = storyTemplate("Cash"),
  trade = storyTemplate("Trade"),
  note = storyTemplate("Note"),
  delegation = storyTemplate("Delegation"),
  stranger = storyTemplate("Stranger"),
  branch = storyTemplate("Branch");
const multi = "#ref-model:M:Multi";

let world: World, alice: string, bob: string, carol: string, bank: string, otherBank: string, outsider: string;
before(async () => {
  world = await World.start([storyDar, darOf("canton", "model1.dar")]);
  [alice, bob, carol, bank, otherBank, outsider] = await world.parties("alice", "bob", "carol", "bank", "other-bank", "outsider");
});
after(() => world.stop());

const effects = (party: string, begin: number): Promise<Json[]> => world.transactions({ parties: [party], shape: ledgerEffects, begin });
const delta = (party: string, begin: number): Promise<Json[]> => world.transactions({ parties: [party], begin });
const holds = async (party: string): Promise<string[]> =>
  (await world.activeContracts({ parties: [party] })).map(({ contractId }) => contractId);

/** Node ids below a node are those up to its last descendant; roots follow each other. */
function rootsOf(transaction: Json): number {
  let roots = 0,
    end = -1;
  const open: number[] = [];
  for (const event of eventsOf(transaction)) {
    while (open.length > 0 && open.at(-1)! < event.nodeId) open.pop();
    if (event.nodeId > end) {
      roots++;
      end = event.lastDescendantNodeId ?? event.nodeId;
    }
    const last = event.lastDescendantNodeId ?? event.nodeId;
    assert.ok(last >= event.nodeId && (open.length === 0 || last <= open.at(-1)!), "ranges nest");
    if (event.lastDescendantNodeId !== undefined) open.push(last);
  }
  return roots;
}

describe("a trade of two legs", () => {
  let begin = 0,
    settled: Json;
  before(async () => {
    const makerCash = await world.create([bank, alice], cash, { bank, owner: alice, amount: "100" });
    const takerCash = await world.create([otherBank, bob], cash, { bank: otherBank, owner: bob, amount: "7" });
    const proposal = await world.create([alice], trade, { maker: alice, taker: bob, makerCash: makerCash.contractId });
    begin = await world.ledgerEnd();
    settled = await world.transact([bob], [exercise(trade, proposal.contractId, "Settle", { takerCash: takerCash.contractId })], {
      disclosedContracts: [disclosed(makerCash)],
    });
  });

  it("both traders see nine events under one root", async () => {
    for (const trader of [alice, bob]) {
      const [transaction] = await effects(trader, begin);
      assert.deepEqual([transaction.events.length, rootsOf(transaction)], [9, 1]);
    }
  });

  it("each bank sees the four events of its leg, under two roots", async () => {
    const legs = await Promise.all([bank, otherBank].map(async (party) => (await effects(party, begin))[0]));
    for (const [index, transaction] of legs.entries()) {
      assert.deepEqual([kindsOf(transaction), rootsOf(transaction)], [["exercised", "created", "exercised", "created"], 2]);
      for (const event of eventsOf(transaction)) assert.deepEqual(event.witnessParties, [index === 0 ? bank : otherBank]);
    }
    const nodes = legs.map((transaction) => eventsOf(transaction).map(({ nodeId }) => nodeId));
    assert.deepEqual(
      nodes[0]!.filter((nodeId) => nodes[1]!.includes(nodeId)),
      [],
    );
  });

  it("in the delta the banks and traders see the cash that stays, and nothing that came and went", async () => {
    const kinds = async (party: string) => (await delta(party, begin)).flatMap(kindsOf).sort();
    assert.deepEqual(await kinds(bank), ["archived", "created"]);
    // The maker's trade and cash go, the taker's cash comes.
    assert.deepEqual(await kinds(alice), ["archived", "archived", "created"]);
    assert.deepEqual(await kinds(bob), ["archived", "archived", "created"]);
  });

  it("an outsider sees nothing, in no shape", async () => {
    assert.deepEqual([await effects(outsider, 0), await delta(outsider, 0), await holds(outsider)], [[], [], []]);
  });

  it("only the submitter's readers are shown the command id, in both shapes", async () => {
    for (const read of [effects, delta]) {
      assert.equal((await read(bob, begin))[0].commandId, settled.commandId);
      for (const party of [alice, bank]) assert.equal((await read(party, begin))[0].commandId, "");
    }
  });

  it("readers of several parties see the union, with each event once and only themselves as witnesses", async () => {
    const [transaction] = await world.transactions({ parties: [bank, otherBank], shape: ledgerEffects, begin });
    assert.deepEqual([transaction.events.length, rootsOf(transaction)], [8, 4]);
    for (const event of eventsOf(transaction)) assert.equal(event.witnessParties.length, 1);
    const [whole] = await world.transactions({ shape: ledgerEffects, begin });
    assert.equal(whole.events.length, 9);
    assert.deepEqual(eventsOf(whole)[0].witnessParties, [alice, bob].sort());
  });
});

describe("stakeholders", () => {
  for (const [firstSigns, signer, other] of [
    [true, () => alice, () => bob],
    [false, () => bob, () => alice],
  ] as const) {
    it(`of two possible signatories only the ${firstSigns ? "first" : "second"}, who is chosen, sees the contract`, async () => {
      const begin = await world.ledgerEnd();
      await world.create([alice, bob], branch, { firstSigns, first: alice, second: bob });
      assert.deepEqual([(await delta(signer(), begin)).length, await delta(other(), begin), await effects(other(), begin)], [1, [], []]);
    });
  }

  it("signatories and observers see a contract, with themselves as witnesses", async () => {
    const begin = await world.ledgerEnd();
    const { contractId } = await world.create([alice], multi, { sigs: [alice], obs: [bob, carol] });
    for (const party of [alice, bob, carol]) {
      const [transaction] = await delta(party, begin);
      assert.deepEqual(createdIn(transaction).witnessParties, [party]);
      const active = (await world.activeContracts({ parties: [party] })).find((one) => one.contractId === contractId);
      assert.deepEqual(active.witnessParties, [party]);
    }
    const both = (await world.activeContracts({ parties: [bob, carol] })).find((one) => one.contractId === contractId);
    assert.deepEqual(both.witnessParties, [bob, carol].sort());
  });

  it("who is signatory and observer is told as signatory only", async () => {
    const created = await world.create([alice], multi, { sigs: [alice], obs: [alice, bob] });
    assert.deepEqual([created.signatories, created.observers], [[alice], [bob]]);
  });

  it("a non-consuming exercise is told to signatories and actors, a consuming one to observers as well", async () => {
    const one = await world.create([alice], note, { owner: alice, reader: bob, text: "hello" });
    const begin = await world.ledgerEnd();
    await world.transact([alice], [exercise(note, one.contractId, "Touch")]);
    assert.deepEqual([(await effects(alice, begin)).flatMap(kindsOf), await effects(bob, begin)], [["exercised"], []]);
    const later = await world.ledgerEnd();
    await world.transact([bob], [exercise(note, one.contractId, "Read")]);
    assert.deepEqual(
      [(await effects(alice, later)).flatMap(kindsOf), (await effects(bob, later)).flatMap(kindsOf)],
      [["exercised"], ["exercised"]],
    );
    const last = await world.ledgerEnd();
    await world.transact([alice], [exercise(note, one.contractId, "Discard")]);
    assert.deepEqual(
      [(await effects(bob, last)).flatMap(kindsOf), (await delta(bob, last)).flatMap(kindsOf)],
      [["exercised"], ["archived"]],
    );
  });

  it("events of a contract that a party may not see look like those of none", async () => {
    const { contractId } = await world.create([alice], note, { owner: alice, reader: alice, text: "secret" });
    const [hidden, missing] = await Promise.all([
      world.eventsByContractId(contractId, [outsider]),
      world.eventsByContractId(`00${"ab".repeat(32)}ca121220${"cd".repeat(32)}`, [outsider]),
    ]);
    assert.deepEqual([hidden.status, hidden.json().code], [404, "CONTRACT_EVENTS_NOT_FOUND"]);
    assert.deepEqual(
      [missing.status, missing.json().code, missing.json().cause.replace(/00[0-9a-f]+/, "")],
      [404, "CONTRACT_EVENTS_NOT_FOUND", hidden.json().cause.replace(/00[0-9a-f]+/, "")],
    );
    const payload = await world.client.post("/v2/contracts/contract-by-id", { contractId, queryingParties: [outsider] });
    assert.deepEqual([payload.status, payload.json().code], [404, "CONTRACT_PAYLOAD_NOT_FOUND"]);
  });

  it("a transaction that a party may not see is not found, by id and by offset", async () => {
    const { updateId, offset } = await world.transact([alice], [create(note, { owner: alice, reader: alice, text: "secret" })]);
    const format = (party: string): Json => ({
      includeTransactions: {
        transactionShape: ledgerEffects,
        eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: true },
      },
    });
    for (const [path, key] of [
      ["update-by-id", { updateId }],
      ["update-by-offset", { offset }],
    ] as const) {
      const reply = await world.client.post(`/v2/updates/${path}`, { ...key, updateFormat: format(outsider) });
      assert.deepEqual([reply.status, reply.json().code], [404, "UPDATE_NOT_FOUND"]);
      assert.equal((await world.client.post(`/v2/updates/${path}`, { ...key, updateFormat: format(alice) })).status, 200);
    }
  });
});

describe("witnesses", () => {
  it("those of a create are its stakeholders, of a non-consuming exercise signatories and actors, of a consuming one all stakeholders and the actor", async () => {
    const begin = await world.ledgerEnd(),
      { contractId } = await world.create([alice], note, { owner: alice, reader: bob, text: "hello" });
    const all: readonly string[][] = [[alice, bob], [alice], [alice, bob], [alice, bob]];
    for (const [party, choice] of [
      [alice, "Touch"],
      [bob, "Read"],
      [alice, "Discard"],
    ] as const)
      await world.transact([party], [exercise(note, contractId, choice)]);
    const witnessed = (await world.transactions({ shape: ledgerEffects, begin }))
      .flatMap(eventsOf)
      .map(({ witnessParties }) => witnessParties);
    assert.deepEqual(
      witnessed,
      all.map((parties) => parties.sort()),
    );
  });

  it("every reader can rebuild the tree of every transaction from the node ids, in the order of its events", async () => {
    for (const parties of [[alice], [bob], [carol], [bank], [alice, otherBank], undefined]) {
      for (const transaction of await world.transactions({ parties: parties!, shape: ledgerEffects })) {
        const nodeIds = eventsOf(transaction).map(({ nodeId }) => nodeId);
        assert.deepEqual(
          nodeIds,
          [...new Set(nodeIds)].sort((left, right) => left - right),
        );
        assert.ok(rootsOf(transaction) >= 1);
      }
    }
  });

  it("nobody is told as signatory and as observer of one contract, in updates of both shapes and among active contracts", async () => {
    const created = [
      ...(await world.activeContracts()),
      ...[...(await world.transactions({})), ...(await world.transactions({ shape: ledgerEffects }))]
        .flatMap(eventsOf)
        .filter(({ kind }) => kind === "created"),
    ];
    assert.ok(created.length > 20);
    for (const { signatories, observers } of created)
      assert.deepEqual(
        observers.filter((party: string) => signatories.includes(party)),
        [],
      );
  });
});

describe("divulgence", () => {
  let delegated: string, secret: Json;
  before(async () => {
    delegated = (await world.create([alice], delegation, { owner: alice, delegate: bob })).contractId;
    secret = await world.create([alice], note, { owner: alice, reader: alice, text: "secret" });
  });

  it("a contract fetched under a party's exercise shows as that exercise alone, and never among its contracts", async () => {
    const begin = await world.ledgerEnd();
    await world.transact([bob], [exercise(delegation, delegated, "FetchNote", { note: secret.contractId })], { readAs: [alice] });
    assert.deepEqual([(await effects(bob, begin)).flatMap(kindsOf), await delta(bob, begin)], [["exercised"], []]);
    assert.ok(!(await holds(bob)).includes(secret.contractId));
  });

  it("to have seen a contract gives no right to use it later", async () => {
    for (const choice of ["FetchNote", "TouchNote", "DiscardNote"]) {
      await world.transact([bob], [exercise(delegation, delegated, "TouchNote", { note: secret.contractId })], { readAs: [alice] });
      const error = await world.refused([bob], [exercise(delegation, delegated, choice, { note: secret.contractId })]);
      assert.deepEqual([error.status, error.code], [404, "CONTRACT_NOT_FOUND"]);
    }
    assert.ok((await holds(alice)).includes(secret.contractId));
  });

  it("a contract made under a seen exercise is in the effects as no change of the party's contracts, and not in the delta", async () => {
    const begin = await world.ledgerEnd();
    await world.transact([bob], [exercise(delegation, delegated, "WriteNote", { reader: carol, text: "for carol" })]);
    const [seen] = await effects(bob, begin);
    assert.deepEqual(
      eventsOf(seen).map(({ kind, acsDelta }) => [kind, acsDelta]),
      [
        ["exercised", false],
        ["created", false],
      ],
    );
    assert.deepEqual(await delta(bob, begin), []);
    for (const party of [alice, carol])
      assert.deepEqual(
        eventsOf((await delta(party, begin))[0]).map(({ kind, acsDelta }) => [kind, acsDelta]),
        [["created", true]],
      );
    assert.ok(!(await holds(bob)).includes(createdIn(seen).contractId));
  });

  it("a stranger does not find a contract; with its disclosure he lacks the authority", async () => {
    const peeping = (await world.create([carol], stranger, { who: carol })).contractId;
    const peek = [exercise(stranger, peeping, "PeekAt", { note: secret.contractId })];
    assert.equal((await world.refused([carol], peek)).code, "CONTRACT_NOT_FOUND");
    assert.equal((await world.refused([carol], peek, { disclosedContracts: [disclosed(secret)] })).code, "DAML_AUTHORIZATION_ERROR");
  });

  it("reading as the owner makes a contract visible and gives no authority", async () => {
    const peeping = (await world.create([carol], stranger, { who: carol })).contractId;
    const { code, cause } = await world.refused([carol], [exercise(stranger, peeping, "PeekAt", { note: secret.contractId })], {
      readAs: [alice],
    });
    assert.equal(code, "DAML_AUTHORIZATION_ERROR");
    assert.match(cause, /of the fetched contract to be an authorizer, but authorizers were TreeSet\(carol::/);
    assert.equal(
      (await world.refused([carol], [exercise(note, secret.contractId, "Discard")], { readAs: [alice] })).code,
      "DAML_AUTHORIZATION_ERROR",
    );
  });
});

describe("explicit disclosure", () => {
  let delegated: string;
  before(async () => {
    delegated = (await world.create([alice], delegation, { owner: alice, delegate: bob })).contractId;
  });
  const hiddenNote = (): Promise<Json> => world.create([alice], note, { owner: alice, reader: alice, text: "hidden" });
  const fetchOf = ({ contractId }: Json): Json[] => [exercise(delegation, delegated, "FetchNote", { note: contractId })];

  it("a delegate may use a contract that he cannot see with its blob, and not without", async () => {
    const hidden = await hiddenNote();
    assert.equal((await world.refused([bob], fetchOf(hidden))).code, "CONTRACT_NOT_FOUND");
    assert.equal((await world.submit([bob], fetchOf(hidden), { disclosedContracts: [disclosed(hidden)] })).status, 200);
    await world.transact([bob], [exercise(delegation, delegated, "DiscardNote", { note: hidden.contractId })], {
      disclosedContracts: [disclosed(hidden)],
    });
    assert.ok(!(await holds(alice)).includes(hidden.contractId));
  });

  it("disclosures that are not needed or given twice do no harm, archived ones included", async () => {
    const [hidden, archived] = [await hiddenNote(), await hiddenNote()];
    await world.transact([alice], [exercise(note, archived.contractId, "Discard")]);
    const reply = await world.submit([bob], fetchOf(hidden), {
      disclosedContracts: [disclosed(hidden), disclosed(hidden), disclosed(archived)],
    });
    assert.equal(reply.status, 200, reply.text);
  });

  it("an archived contract cannot be used by disclosing it", async () => {
    const hidden = await hiddenNote();
    await world.transact([alice], [exercise(note, hidden.contractId, "Discard")]);
    const error = await world.refused([bob], fetchOf(hidden), { disclosedContracts: [disclosed(hidden)] });
    assert.deepEqual([error.status, error.code], [404, "LOCAL_VERDICT_INACTIVE_CONTRACTS"]);
  });

  it("a blob that is empty, damaged, of another contract or changed is refused", async () => {
    const [hidden, other] = [await hiddenNote(), await hiddenNote()];
    const bytes = Buffer.from(hidden.createdEventBlob, "base64");
    const at = bytes.indexOf("hidden");
    const changed = Buffer.from(bytes);
    changed[at] = "H".charCodeAt(0);
    const blobs: readonly (readonly [string, string, RegExp])[] = [
      ["empty", "", /MISSING_FIELD/],
      ["damaged", bytes.subarray(0, 40).toString("base64"), /INVALID_ARGUMENT/],
      ["another's", other.createdEventBlob, /INVALID_ARGUMENT|INVALID_FIELD|CONTRACT_NOT_FOUND/],
      ["changed", changed.toString("base64"), /AUTHENTICATION_FAILED/],
    ];
    for (const [what, createdEventBlob, code] of blobs)
      assert.match(
        (await world.refused([bob], fetchOf(hidden), { disclosedContracts: [{ ...disclosed(hidden), createdEventBlob }] })).code,
        code,
        what,
      );
  });

  it("a mere witness can read the blob and use it where a choice lets him", async () => {
    const written = await world.transact([bob], [exercise(delegation, delegated, "WriteNote", { reader: alice, text: "seen by bob" })]);
    const seen = createdIn(written);
    assert.ok(seen.createdEventBlob.length > 0);
    assert.equal((await world.submit([bob], fetchOf(seen), { disclosedContracts: [disclosed(seen)] })).status, 200);
  });

  it("a disclosure for another synchronizer than that of the command is refused", async () => {
    const hidden = await hiddenNote();
    const [{ synchronizerId }] = (await world.client.get("/v2/state/connected-synchronizers")).json().connectedSynchronizers;
    const disclosure = { ...disclosed(hidden), synchronizerId: `other::1220${"ab".repeat(32)}` };
    assert.equal(
      (await world.refused([bob], fetchOf(hidden), { synchronizerId, disclosedContracts: [disclosure] })).code,
      "PRESCRIBED_SYNCHRONIZER_ID_MISMATCH",
    );
    assert.equal(
      (await world.submit([bob], fetchOf(hidden), { synchronizerId, disclosedContracts: [{ ...disclosure, synchronizerId }] })).status,
      200,
    );
  });

  it("a synchronizer that nobody knows counts where the contract is used, and one that is no id at all in any case", async () => {
    const [used, unused] = [await hiddenNote(), await hiddenNote()],
      elsewhere = `other::1220${"ab".repeat(32)}`,
      whileOn = (forUsed: string, forUnused: string): Json => ({
        disclosedContracts: [
          { ...disclosed(used), synchronizerId: forUsed },
          { ...disclosed(unused), synchronizerId: forUnused },
        ],
      });
    const prepared = (changes: Json): Promise<Json> =>
      world.client.post("/v2/interactive-submission/prepare", {
        ...world.commands([bob], fetchOf(used), changes),
        synchronizerId: "",
        packageIdSelectionPreference: [],
      });
    const cases: readonly (readonly [string, string, string | undefined])[] = [
      ["", elsewhere, undefined],
      [elsewhere, "", "INVALID_PRESCRIBED_SYNCHRONIZER_ID"],
      ["x", "", "INVALID_FIELD"],
      ["", "x", "INVALID_FIELD"],
    ];
    for (const [forUsed, forUnused, code] of cases) {
      const disclosures = whileOn(forUsed, forUnused);
      for (const { status, json, text } of [await world.submit([bob], fetchOf(used), disclosures), await prepared(disclosures)]) {
        assert.equal(status, code === undefined ? 200 : 400, text);
        assert.equal(json().code, code);
        if (code === "INVALID_FIELD") assert.match(text, /DisclosedContract\.synchronizer_id/);
      }
    }
  });
});
