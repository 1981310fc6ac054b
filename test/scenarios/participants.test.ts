/**
 * What parties of several participants see of each other, and may do (after those cases of the Ledger API's own test tool and of Canton's
 * multi-hosting tests that need more than one participant).
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { execute, executeForTransaction, ExternalParty, prepare, succeeded } from "../external/external-world.js";
import { startNetwork, type Neighbours } from "./neighbours.js";
import { storyDar, storyOfVersion, storyTemplate } from "./story-model.js";
import { create, createdIn, disclosed, eventsOf, exercise, kindsOf, ledgerEffects, World, type Command, type Json } from "./world.js";

const cash = storyTemplate("Cash"),
  offer = storyTemplate("CashOffer"),
  trade = storyTemplate("Trade"),
  note = storyTemplate("Note"),
  delegation = storyTemplate("Delegation"),
  stranger = storyTemplate("Stranger"),
  pact = storyTemplate("Pact");

let network: Neighbours, first: World, second: World, third: World;
/** Of the first: alice and her bank; of the second: bob and his; of the third: carol. */
let alice: string, bank: string, bob: string, otherBank: string, carol: string;

before(async () => {
  network = await startNetwork([storyDar]);
  ({ first, second, third } = network);
  [alice, bank] = await first.parties("alice", "bank");
  [bob, otherBank] = await second.parties("bob", "other-bank");
  [carol] = await third.parties("carol");
});
after(() => network.stop());

const noteTo = (reader: string, text = "hello"): Promise<Json> => first.create([alice], note, { owner: alice, reader, text });
const holds = async (door: World, party: string): Promise<string[]> =>
  (await door.activeContracts({ parties: [party] })).map(({ contractId }) => contractId);
const effects = async (door: World, party: string, begin: number): Promise<Json[]> =>
  door.transactions({ parties: [party], shape: ledgerEffects, begin });
const codeOf = async (door: World, actAs: string, command: Command, changes: Json = {}): Promise<string> =>
  (await door.refused([actAs], [command], changes)).code;

describe("participants: what is told to whom", () => {
  it("a contract and its exercises are told to an observer at another participant as to one at the same", async () => {
    const [here, there] = [await first.ledgerEnd(), await second.ledgerEnd()],
      { contractId } = await noteTo(bob, "for bob");
    const own = createdIn((await effects(first, alice, here))[0]),
      theirs = createdIn((await effects(second, bob, there))[0]);
    assert.deepEqual(
      [theirs.contractId, theirs.createArgument, theirs.signatories, theirs.observers],
      [contractId, own.createArgument, [alice], [bob]],
    );
    await first.transact([alice], [exercise(note, contractId, "Touch")]);
    assert.equal((await effects(second, bob, there)).length, 1, "an observer is not told of what leaves the contract as it is");
    await first.transact([alice], [exercise(note, contractId, "Discard")]);
    assert.deepEqual((await effects(second, bob, there)).map(kindsOf), [["created"], ["exercised"]]);
    assert.equal((await effects(second, bob, there))[1].events[0].ExercisedEvent.contractId, contractId);
  });

  it("in a trade of two legs among three participants each sees its part, and the third nothing", async () => {
    // Each bank confirms its own: cash is handed to whoever holds it by an offer that is taken.
    const alices = await first.create([bank, alice], cash, { bank, owner: alice, amount: "100" }),
      bobs = await second.create([otherBank, bob], cash, { bank: otherBank, owner: bob, amount: "7" }),
      proposal = await first.create([alice], trade, { maker: alice, taker: bob, makerCash: alices.contractId });
    const begins = [await first.ledgerEnd(), await second.ledgerEnd(), await third.ledgerEnd()] as const;
    const settled = await second.transact([bob], [exercise(trade, proposal.contractId, "Settle", { takerCash: bobs.contractId })], {
      disclosedContracts: [disclosed(alices)],
    });
    const [ofAlice, ofBank, ofBob, ofOther] = [
      (await effects(first, alice, begins[0]))[0],
      (await effects(first, bank, begins[0]))[0],
      (await effects(second, bob, begins[1]))[0],
      (await effects(second, otherBank, begins[1]))[0],
    ];
    assert.deepEqual(
      [ofAlice, ofBank, ofBob, ofOther].map(({ events }) => events.length),
      [9, 4, 9, 4],
    );
    assert.deepEqual(
      [ofAlice, ofBank, ofOther].map(({ commandId, updateId }) => [commandId, updateId]),
      Array.from({ length: 3 }, () => ["", settled.updateId]),
    );
    assert.notEqual(ofBob.commandId, "", "its submitter is told by which command");
    assert.deepEqual(
      eventsOf(ofAlice).map(({ nodeId }) => nodeId),
      eventsOf(ofBob).map(({ nodeId }) => nodeId),
    );
    assert.equal(await third.ledgerEnd(), begins[2]);
    assert.deepEqual(
      [(await holds(first, bank)).length, (await holds(second, otherBank)).length, (await holds(third, carol)).length],
      [1, 1, 0],
    );
  });

  it("completions are told where the command was submitted, and nowhere else", async () => {
    const [here, there] = [await first.ledgerEnd(), await second.ledgerEnd()];
    await first.submit([alice], [create(note, { owner: alice, reader: bob, text: "x" })], { commandId: "only-here", userId: "completing" });
    const told = await first.completions([alice], here, "completing");
    assert.deepEqual(
      told.map(({ commandId }) => commandId),
      ["only-here"],
    );
    assert.deepEqual(await second.completions([alice, bob], there, "completing"), []);
  });

  it("by id, offset and contract each tells what it has, and the others that there is nothing", async () => {
    const { contractId } = await noteTo(bob),
      [{ updateId }] = (await effects(first, alice, (await first.ledgerEnd()) - 1)) as [Json];
    const updateFormat = {
      includeTransactions: { transactionShape: ledgerEffects, eventFormat: { filtersForAnyParty: { cumulative: [] }, verbose: true } },
    };
    const statuses = async (door: World, party: string): Promise<readonly (number | string)[]> => {
      const byId = await door.client.post("/v2/updates/update-by-id", { updateId, updateFormat });
      const events = await door.eventsByContractId(contractId, [party]);
      return [byId.json().code ?? byId.status, events.json().code ?? events.status];
    };
    assert.deepEqual(await statuses(first, alice), [200, 200]);
    assert.deepEqual(await statuses(second, bob), [200, 200]);
    assert.deepEqual(await statuses(third, carol), ["UPDATE_NOT_FOUND", "CONTRACT_EVENTS_NOT_FOUND"]);
  });
});

describe("participants: who may do what", () => {
  it("nobody acts for a party that is at home elsewhere, alone or beside one of its own", async () => {
    const write = create(note, { owner: bob, reader: alice, text: "x" });
    for (const [actAs, told] of [
      [[bob], /cannot submit as the given submitter on any connected synchronizer: bob::/],
      [[alice, bob], /^Not connected to a synchronizer on which this participant can submit for all submitters: alice::.*bob::/],
    ] as const) {
      const { code, cause } = await first.refused(actAs, [write]);
      assert.equal(code, "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT");
      assert.match(cause, told, "as clients look for it");
    }
  });

  it("who is a signatory at another participant has to have agreed before", async () => {
    const alone = create(cash, { bank: otherBank, owner: alice, amount: "1" });
    assert.equal(await codeOf(first, alice, alone), "DAML_AUTHORIZATION_ERROR");
    const given = await second.create([otherBank, bob], cash, { bank: otherBank, owner: bob, amount: "1" });
    const offered = createdIn(await second.transact([bob], [exercise(cash, given.contractId, "Offer", { newOwner: alice })]));
    assert.equal(await codeOf(second, bob, exercise(offer, offered.contractId, "Take")), "DAML_AUTHORIZATION_ERROR", "it is hers to take");
    const taken = createdIn(await first.transact([alice], [exercise(offer, offered.contractId, "Take")]));
    assert.deepEqual(taken.signatories.toSorted(), [alice, otherBank].toSorted());
    assert.ok((await holds(second, otherBank)).includes(taken.contractId), "its other signatory has it where it is at home");
  });

  it("a choice of two controllers at two participants is for neither alone", async () => {
    const { contractId } = await first.create([alice], pact, { host: alice, first: alice, second: bob });
    for (const [door, party] of [
      [first, alice],
      [second, bob],
    ] as const)
      assert.equal(await codeOf(door, party, exercise(pact, contractId, "Seal")), "DAML_AUTHORIZATION_ERROR");
  });

  it("a second spend at another participant finds no contract, and of ten at both at once one wins", async () => {
    const spent = await noteTo(bob);
    await first.transact([alice], [exercise(note, spent.contractId, "Discard")]);
    assert.equal(await codeOf(second, bob, exercise(note, spent.contractId, "TakeAway")), "CONTRACT_NOT_FOUND");
    const raced = await noteTo(bob);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? first.submit([alice], [exercise(note, raced.contractId, "Discard")])
          : second.submit([bob], [exercise(note, raced.contractId, "TakeAway")]),
      ),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      assert.match(reply.json().code, /^(CONTRACT_NOT_FOUND|LOCAL_VERDICT_(LOCKED|INACTIVE)_CONTRACTS)$/);
  });
});

describe("participants: divulgence and disclosure", () => {
  it("what a party of another participant saw happen is no contract of its, and gives no right to it", async () => {
    const rights = await first.create([alice], delegation, { owner: alice, delegate: bob }),
      begin = await second.ledgerEnd();
    const written = createdIn(
      await second.transact([bob], [exercise(delegation, rights.contractId, "WriteNote", { reader: carol, text: "seen" })]),
    );
    const [transaction] = await effects(second, bob, begin);
    assert.deepEqual(
      eventsOf(transaction).map(({ kind, acsDelta }) => [kind, acsDelta]),
      [
        ["exercised", false],
        ["created", false],
      ],
    );
    assert.ok(!(await holds(second, bob)).includes(written.contractId));
    assert.ok((await holds(third, carol)).includes(written.contractId) && (await holds(first, alice)).includes(written.contractId));
    const touch = exercise(delegation, rights.contractId, "TouchNote", { note: written.contractId });
    assert.equal(await codeOf(second, bob, touch), "CONTRACT_NOT_FOUND");
    await second.transact([bob], [touch], { disclosedContracts: [disclosed(written)] });
  });

  it("a contract that was disclosed from another participant is used by whom a choice lets, as long as it is active", async () => {
    const rights = await first.create([alice], delegation, { owner: alice, delegate: bob }),
      hidden = await noteTo(alice, "hidden"),
      fetch = exercise(delegation, rights.contractId, "FetchNote", { note: hidden.contractId }),
      disclosedContracts = [disclosed(hidden)];
    assert.equal(await codeOf(second, bob, fetch), "CONTRACT_NOT_FOUND");
    await second.transact([bob], [fetch], { disclosedContracts });
    await second.transact([bob], [fetch], { disclosedContracts: [...disclosedContracts, ...disclosedContracts] });
    const strangers = await third.create([carol], stranger, { who: carol });
    assert.equal(
      await codeOf(third, carol, exercise(stranger, strangers.contractId, "PeekAt", { note: hidden.contractId }), { disclosedContracts }),
      "DAML_AUTHORIZATION_ERROR",
      "to see it is not enough",
    );
    await first.transact([alice], [exercise(note, hidden.contractId, "Discard")]);
    assert.equal(await codeOf(second, bob, fetch, { disclosedContracts }), "LOCAL_VERDICT_INACTIVE_CONTRACTS");
  });

  it("of an archive at one participant and of another by whom it was disclosed to, elsewhere, exactly one happens", async () => {
    const rights = await first.create([alice], delegation, { owner: alice, delegate: bob });
    for (let round = 0; round < 10; round++) {
      const hidden = await noteTo(alice),
        touch = exercise(delegation, rights.contractId, "DiscardNote", { note: hidden.contractId });
      const both = await Promise.all([
        first.submit([alice], [exercise(note, hidden.contractId, "Discard")]),
        second.submit([bob], [touch], { disclosedContracts: [disclosed(hidden)] }),
      ]);
      assert.equal(both.filter(({ status }) => status === 200).length, 1, both.map(({ text }) => text).join("\n"));
    }
  });
});

describe("participants: what each has for itself", () => {
  it("a change id is known where it was used: elsewhere the same is another command", async () => {
    const same = { commandId: "same-everywhere", userId: "twice" };
    await first.transact([alice], [create(note, { owner: alice, reader: bob, text: "one" })], same);
    await second.transact([bob], [create(note, { owner: bob, reader: alice, text: "two" })], same);
    for (const [door, owner] of [
      [first, alice],
      [second, bob],
    ] as const)
      assert.equal(await codeOf(door, owner, create(note, { owner, reader: owner, text: "again" }), same), "DUPLICATE_COMMAND");
  });

  it("users, their rights and identity providers of one are unknown to another", async () => {
    const provider = {
      identityProviderId: "their-idp",
      isDeactivated: false,
      issuer: "https://issuer.example",
      jwksUrl: "https://issuer.example/keys",
      audience: "",
    };
    const made = await second.client.post("/v2/idps", { identityProviderConfig: provider });
    assert.equal(made.status, 200, made.text);
    const user = { id: "ann", primaryParty: "", isDeactivated: false, identityProviderId: "" };
    for (const [door, party] of [
      [first, alice],
      [second, bob],
    ] as const) {
      const reply = await door.client.post("/v2/users", { user, rights: [{ kind: { CanActAs: { value: { party } } } }] });
      assert.equal(reply.status, 200, reply.text);
    }
    const rightsAt = async (door: World): Promise<string> => JSON.stringify((await door.client.get("/v2/users/ann/rights")).json().rights);
    assert.ok((await rightsAt(first)).includes(alice) && !(await rightsAt(first)).includes(bob));
    assert.ok((await rightsAt(second)).includes(bob) && !(await rightsAt(second)).includes(alice));
    assert.equal((await first.client.get("/v2/idps/their-idp")).json().code, "IDP_CONFIG_NOT_FOUND");
    assert.equal((await third.client.get("/v2/users/ann")).status, 404);
    assert.equal((await first.client.get("/v2/users/ann")).json().user.identityProviderId, "");
  });

  it("what one prunes the other has, and the contracts stay for both", async () => {
    const { contractId } = await noteTo(bob);
    await noteTo(bob);
    const upTo = (await first.ledgerEnd()) - 1;
    const pruned = await first.client.post("/admin/prune", { pruneUpTo: upTo });
    assert.equal(pruned.status, 200, pruned.text);
    const updateFormat = {
      includeTransactions: { transactionShape: ledgerEffects, eventFormat: { filtersForAnyParty: { cumulative: [] }, verbose: true } },
    };
    const from = async (door: World): Promise<string | number> => {
      const reply = await door.client.post("/v2/updates?limit=1", {
        beginExclusive: 0,
        endInclusive: await door.ledgerEnd(),
        updateFormat,
      });
      return reply.status === 200 ? 200 : reply.json().code;
    };
    assert.deepEqual([await from(first), await from(second)], ["PARTICIPANT_PRUNED_DATA_ACCESSED", 200]);
    assert.ok((await holds(first, alice)).includes(contractId) && (await holds(second, bob)).includes(contractId));
    await first.transact([alice], [exercise(note, contractId, "Discard")]);
    assert.ok(!(await holds(second, bob)).includes(contractId));
  });
});

describe("participants: vetting", () => {
  const vet = async (door: World, kind: "Vet" | "Unvet", packageVersion: string): Promise<void> => {
    const packages = [{ packageName: "story", packageVersion }],
      reply = await door.client.post("/v2/package-vetting/update", { changes: [{ operation: { [kind]: { value: { packages } } } }] });
    assert.equal(reply.status, 200, reply.text);
  };
  const versionUsed = async (reader: string): Promise<string> => (await noteTo(reader)).templateId.split(":")[0];

  it("each tells what all have vetted, whose it is, and pages through it", async () => {
    const { ids } = network;
    for (const door of [first, third]) {
      const packageMetadataFilter = { packageIds: [], packageNamePrefixes: ["story"] };
      const { vettedPackages } = (await door.client.post("/v2/package-vetting/list", { packageMetadataFilter })).json();
      assert.deepEqual(vettedPackages.map(({ participantId }: Json) => participantId).sort(), ids.toSorted());
      const paged: string[] = [];
      for (let pageToken = "", more = true; more;) {
        const page: Json = (await door.client.post("/v2/package-vetting/list", { packageMetadataFilter, pageSize: 1, pageToken })).json();
        paged.push(...page.vettedPackages.map(({ participantId }: Json) => participantId));
        pageToken = page.nextPageToken ?? "";
        more = pageToken !== "";
      }
      assert.deepEqual(paged.sort(), ids.toSorted());
      const topologyStateFilter = { participantIds: [ids[1]], synchronizerIds: [] };
      const one = (await door.client.post("/v2/package-vetting/list", { packageMetadataFilter, topologyStateFilter })).json();
      assert.deepEqual(
        one.vettedPackages.map(({ participantId }: Json) => participantId),
        [ids[1]],
      );
    }
  });

  it("a newer version is used among those who have it, and the older one with who lacks it", async () => {
    const old = await versionUsed(bob),
      newer = storyOfVersion("1.1.0");
    await first.upload(newer);
    await second.upload(newer);
    const used = [await versionUsed(bob), await versionUsed(carol)];
    assert.notEqual(used[0], old);
    assert.equal(used[1], old, "carol's participant has the older one alone");
    await third.upload(newer);
    assert.equal(await versionUsed(carol), used[0]);
  });

  it("where a participant of somebody who is told has vetted no version, the command is refused; where it names the version, that participant is named", async () => {
    for (const version of ["1.0.0", "1.1.0"]) await vet(third, "Unvet", version);
    try {
      assert.equal(await codeOf(first, alice, create(note, { owner: alice, reader: carol, text: "x" })), "PACKAGE_SELECTION_FAILED");
      const packageId = await versionUsed(bob),
        named = await first.refused([alice], [create(`${packageId}:Story:Note`, { owner: alice, reader: carol, text: "x" })]),
        participantId = (await third.client.get("/v2/parties/participant-id")).json().participantId;
      assert.equal(named.code, "NO_SYNCHRONIZER_FOR_SUBMISSION");
      assert.ok(named.cause.includes(`${packageId} by participant ${participantId}`), named.cause);
      await noteTo(bob);
    } finally {
      for (const version of ["1.0.0", "1.1.0"]) await vet(third, "Vet", version);
    }
    await noteTo(carol);
  });
});

describe("participants: an external party that three of them host", () => {
  let ext: ExternalParty;
  before(async () => {
    ext = await ExternalParty.onboardAt([first, second, third], "ext", 2);
  });
  const permissionAt = async (door: World): Promise<string> =>
    (await door.client.get(`/v2/state/connected-synchronizers?party=${encodeURIComponent(ext.party)}`)).json().connectedSynchronizers[0]
      .permission;
  const noteOf = (text: string): Command => create(note, { owner: ext.party, reader: ext.party, text });

  it("two confirm, one observes, and it is local to all", async () => {
    assert.deepEqual(await Promise.all([first, second, third].map(permissionAt)), [
      "PARTICIPANT_PERMISSION_CONFIRMATION",
      "PARTICIPANT_PERMISSION_CONFIRMATION",
      "PARTICIPANT_PERMISSION_OBSERVATION",
    ]);
    for (const door of [first, second, third]) {
      const { partyDetails } = (await door.client.get(`/v2/parties/${encodeURIComponent(ext.party)}`)).json();
      assert.equal(partyDetails[0].isLocal, true);
    }
  });

  it("what one prepares another executes, and its contract is the same at all of them", async () => {
    const prepared = await prepare(first, [ext], [noteOf("wherever")]),
      begins = await Promise.all([first, second, third].map((door) => door.ledgerEnd()));
    succeeded(await execute(second, prepared, [ext]));
    const told = await Promise.all(
      [first, second, third].map(async (door, index) => {
        const [transaction] = await effects(door, ext.party, begins[index]!),
          { offset: _, ...event } = createdIn(transaction);
        return event;
      }),
    );
    assert.equal(told[0].createArgument.text, "wherever");
    assert.deepEqual([told[1], told[2]], [told[0], told[0]]);
    for (const door of [first, second, third]) assert.deepEqual(await holds(door, ext.party), [told[0].contractId]);
  });

  it("who brings what was signed sees all of it, also for whom it does not host; and has nothing of that among what is active", async () => {
    const guest = await ExternalParty.onboard(first, "guest"),
      begin = await second.ledgerEnd();
    const prepared = await prepare(first, [guest], [create(note, { owner: guest.party, reader: guest.party, text: "brought" })]),
      transaction = await executeForTransaction(second, prepared, [guest]);
    const { contractId, createArgument, witnessParties, acsDelta: isActive } = createdIn(transaction);
    assert.deepEqual([createArgument.text, witnessParties, isActive], ["brought", [guest.party], false]);
    const [told] = await effects(second, guest.party, begin);
    assert.deepEqual(
      told.events,
      transaction.events.map(({ CreatedEvent }: Json) => ({ CreatedEvent: { ...CreatedEvent, createdEventBlob: "" } })),
    );
    assert.deepEqual(await second.transactions({ parties: [guest.party], begin }), []);
    assert.deepEqual([await holds(first, guest.party), await holds(second, guest.party)], [[contractId], []]);
    const byId = await second.client.post("/v2/contracts/contract-by-id", { contractId, queryingParties: [guest.party] });
    assert.equal(byId.json().createdEvent.contractId, contractId);
    const use = await prepare(first, [guest], [exercise(note, contractId, "Discard")]);
    succeeded(await execute(second, use, [guest]));
    assert.deepEqual(await holds(first, guest.party), []);
  });

  it("what was signed takes effect once, at whichever participant it is brought again; of the first that one tells neither offset nor submission", async () => {
    const prepared = await prepare(second, [ext], [noteOf("once")]);
    succeeded(await execute(first, prepared, [ext]));
    const held = await holds(third, ext.party);
    const { code, context } = (await execute(second, prepared, [ext])).json();
    assert.equal(code, "DUPLICATE_CONFIRMATION_REQUEST_UUID");
    assert.deepEqual(Object.keys(context).sort(), ["category", "expireAfter", "uuid"]);
    const [completion] = (await second.completions([ext.party])).slice(-1);
    assert.deepEqual([completion.status.code, completion.updateId], [3, ""]);
    assert.match(completion.status.message, /^DUPLICATE_CONFIRMATION_REQUEST_UUID/);
    assert.deepEqual(await holds(third, ext.party), held);
  });

  it("no participant submits for it without its signature", async () => {
    for (const door of [first, second, third])
      assert.equal(await codeOf(door, ext.party, noteOf("unsigned")), "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT");
  });
});
