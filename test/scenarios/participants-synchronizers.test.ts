/**
 * Three participants on two synchronizers, of which one is on the second alone: what is vetted and hosted where, and where commands go
 * (after those cases of the Ledger API's own test tool that need two synchronizers, or participants of different ones).
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { execute, ExternalParty, prepare, prepareReply, succeeded } from "../external/external-world.js";
import type { Reply } from "../support/node-process.js";
import { startNetwork, type Neighbours } from "./neighbours.js";
import { storyDar, storyOfVersion, storyTemplate } from "./story-model.js";
import { acsDelta, create, createdIn, disclosed, exercise, type Command, type Json, type World } from "./world.js";

const note = storyTemplate("Note"),
  cashTemplate = storyTemplate("Cash"),
  delegation = storyTemplate("Delegation");

let network: Neighbours, first: World, second: World, third: World, one: string, two: string, ids: readonly string[];
/** At home with the first, the second and the third, wherever those are. */
let alice: string, bob: string, carol: string;

const partyOn = async (door: World, partyIdHint: string, ...synchronizers: readonly string[]): Promise<string> => {
  let party = "";
  for (const synchronizerId of synchronizers)
    party = succeeded(await door.client.post("/v2/parties", { partyIdHint, synchronizerId })).partyDetails.party;
  return party;
};
before(async () => {
  network = await startNetwork([storyDar], { synchronizers: ["one", "two"], ofThird: ["two"] });
  ({ first, second, third, ids } = network);
  [one, two] = network.synchronizers as [string, string];
  alice = await partyOn(first, "alice", one, two);
  bob = await partyOn(second, "bob", one, two);
  carol = await partyOn(third, "carol", two);
});
after(() => network.stop());

/** Of the stories' package, on one synchronizer at one participant. */
const change = async (door: World, kind: "Vet" | "Unvet", synchronizerId: string): Promise<void> => {
  const packages = [{ packageName: "story", packageVersion: "1.0.0" }],
    changes = [{ operation: { [kind]: { value: { packages } } } }];
  succeeded(await door.client.post("/v2/package-vetting/update", { synchronizerId, changes }));
};
const noteTo = (reader: string, owner = alice): Command => create(note, { owner, reader, text: "hello" });
const synchronizerOf = async (updateId: string, party: string): Promise<string> => {
  const eventFormat = { filtersByParty: { [party]: { cumulative: [] } }, verbose: false },
    updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat } };
  return succeeded(await first.client.post("/v2/updates/update-by-id", { updateId, updateFormat })).update.Transaction.value.synchronizerId;
};

describe("vetting on several synchronizers", () => {
  const onlyStory = { packageIds: [], packageNamePrefixes: ["story"] };
  const list = async (door: World, more: Json = {}): Promise<Json> =>
    succeeded(await door.client.post("/v2/package-vetting/list", { packageMetadataFilter: onlyStory, ...more }));
  const listed = async (door: World, topologyStateFilter: Json = {}): Promise<string[]> =>
    (await list(door, { topologyStateFilter: { participantIds: [], synchronizerIds: [], ...topologyStateFilter } })).vettedPackages.map(
      placeOf,
    );
  const placeOf = ({ synchronizerId, participantId }: Json): string => nameOf(synchronizerId, participantId);
  const nameOf = (synchronizerId: string, participantId: string): string =>
    `${["first", "second", "third"][ids.indexOf(participantId)]} on ${synchronizerId === one ? "one" : "two"}`;
  /** By synchronizer, and there by participant, as they are spelled. */
  const inOrder = (synchronizers: readonly string[], participants: readonly string[]): string[] =>
    synchronizers
      .toSorted()
      .flatMap((synchronizerId) => participants.toSorted().map((participantId) => nameOf(synchronizerId, participantId)))
      .filter((place) => place !== "third on one");

  it("who is on both is told what is vetted on each, by everybody who is there; who is on one, of that one alone", async () => {
    const all = inOrder([one, two], ids);
    assert.equal(all.length, 5);
    assert.deepEqual([await listed(first), await listed(second)], [all, all]);
    assert.deepEqual(await listed(third), inOrder([two], ids));
    const elsewhere = { topologyStateFilter: { participantIds: [], synchronizerIds: [one] } };
    assert.equal((await third.client.post("/v2/package-vetting/list", elsewhere)).json().code, "TOPOLOGY_STORE_NOT_FOUND");
  });

  it("a list is of the participants and synchronizers that it names", async () => {
    const [mine] = ids as [string];
    assert.deepEqual(await listed(first, { participantIds: [mine] }), inOrder([one, two], [mine]));
    assert.deepEqual(await listed(second, { synchronizerIds: [one] }), inOrder([one], ids));
    assert.deepEqual(await listed(first, { participantIds: [mine], synchronizerIds: [two] }), ["first on two"]);
  });

  it("a page has as many as were asked for, in order, and a token leads on within its filter until nothing is left", async () => {
    for (const topologyStateFilter of [
      { participantIds: [], synchronizerIds: [] },
      { participantIds: [], synchronizerIds: [two] },
      { participantIds: [ids[1]], synchronizerIds: [] },
      { participantIds: [ids[1]], synchronizerIds: [one] },
    ]) {
      const whole = await listed(first, topologyStateFilter);
      for (const pageSize of [1, 2]) {
        const places: string[] = [];
        let page: Json = { nextPageToken: "" };
        do {
          page = await list(first, { topologyStateFilter, pageSize, pageToken: page.nextPageToken });
          assert.equal(page.vettedPackages.length, Math.min(pageSize, whole.length - places.length));
          places.push(...page.vettedPackages.map(placeOf));
        } while (page.nextPageToken !== "");
        assert.deepEqual(places, whole);
      }
    }
    const { nextPageToken: pageToken } = await list(first, { pageSize: 2 });
    assert.equal((await list(first, { pageSize: 100, pageToken })).vettedPackages.length, 3, "a later page may be larger");
    const other = { participantIds: [ids[1]], synchronizerIds: [] };
    for (const wrong of [{ pageSize: -1 }, { pageSize: 101 }, { pageToken: "bm8=" }, { pageToken, topologyStateFilter: other }]) {
      const reply = await first.client.post("/v2/package-vetting/list", { packageMetadataFilter: onlyStory, ...wrong });
      assert.equal(reply.json().code, "PROTO_DESERIALIZATION_FAILURE", JSON.stringify(wrong));
    }
  });

  it("preferred are packages on a synchronizer where all parties are; one that is asked for has to be such a one", async () => {
    const preferred = (parties: readonly string[], synchronizerId = ""): Promise<Reply> =>
      first.client.post("/v2/interactive-submission/preferred-packages", {
        packageVettingRequirements: [{ parties, packageName: "story" }],
        synchronizerId,
      });
    for (const [parties, asked] of [
      [[alice, bob], one],
      [[alice, bob], two],
      [[alice, carol], two],
      [[alice, carol], ""],
    ] as const) {
      assert.equal(succeeded(await preferred(parties, asked)).synchronizerId, asked || two);
    }
    for (const [parties, asked] of [
      [[alice, carol], one],
      [[alice, bob], `nowhere::1220${"ab".repeat(32)}`],
    ] as const) {
      const refused = await preferred(parties, asked),
        query = `${parties.map((party) => `parties=${encodeURIComponent(party)}`).join("&")}&synchronizer-id=${encodeURIComponent(asked)}`,
        older = await first.client.get(`/v2/interactive-submission/preferred-package-version?package-name=story&${query}`);
      for (const reply of [refused, older])
        assert.deepEqual([reply.status, reply.json().code], [400, "INVALID_PRESCRIBED_SYNCHRONIZER_ID"]);
    }
  });

  it("what is taken back or added on one synchronizer at one participant is so there alone, and everybody is told", async () => {
    await change(second, "Unvet", two);
    try {
      const left = inOrder([one, two], ids).filter((place) => place !== "second on two");
      assert.deepEqual([await listed(first), await listed(second)], [left, left]);
      assert.ok(!(await listed(third)).includes("second on two"));
      const { synchronizerId } = await first.transact([alice], [noteTo(bob)]);
      assert.equal(synchronizerId, one, "it goes where both have the package");
      const nowhere = await first.refused([alice], [create(note, { owner: alice, reader: bob, text: "x" })], { synchronizerId: two });
      assert.equal(nowhere.code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
      assert.match(nowhere.context.synchronizerId, /^two::/);
      assert.equal(nowhere.context.reason, nowhere.cause);
    } finally {
      await change(second, "Vet", two);
    }
    assert.deepEqual(await listed(first), inOrder([one, two], ids));
  });

  it("the same DAR at two participants, and again, is the same package at each", async () => {
    const newer = storyOfVersion("1.2.0"),
      upload = async (door: World): Promise<number> => (await door.client.post(`/v2/dars?vetAllPackages=false`, newer)).status;
    assert.deepEqual(await Promise.all([first, second, first, second].map(upload)), [200, 200, 200, 200]);
    const packages = async (door: World): Promise<string[]> => succeeded(await door.client.get("/v2/packages")).packageIds.sort();
    assert.deepEqual(await packages(first), await packages(second));
    assert.equal((await packages(third)).length, (await packages(first)).length - 1);
  });

  it("a package that somebody else has is told without its name and version, and is not found by its name", async () => {
    const dar = storyOfVersion("9.0.0");
    succeeded(await first.client.post(`/v2/dars?synchronizerId=${encodeURIComponent(two)}`, dar));
    const versions = async (door: World, filter: Json): Promise<readonly string[]> =>
      (await list(door, { packageMetadataFilter: { packageIds: [], packageNamePrefixes: [], ...filter } })).vettedPackages
        .filter(({ participantId, synchronizerId }: Json) => participantId === ids[0] && synchronizerId === two)
        .flatMap(({ packages }: Json) => packages.map(({ packageVersion }: Json) => packageVersion));
    const { packageId } = (await list(first)).vettedPackages
      .flatMap(({ packages }: Json) => packages)
      .find(({ packageVersion }: Json) => packageVersion === "9.0.0");
    assert.deepEqual(await versions(first, { packageIds: [packageId] }), ["9.0.0"]);
    assert.deepEqual(await versions(third, { packageIds: [packageId] }), [""]);
    assert.ok((await versions(first, { packageNamePrefixes: ["story"] })).includes("9.0.0"));
    for (const prefix of ["story", ""]) {
      const told = await versions(third, { packageNamePrefixes: [prefix] });
      assert.ok(told.length > 0 && !told.includes("9.0.0") && !told.includes(""));
    }
    assert.ok((await versions(third, {})).includes(""), "without a filter");
    succeeded(
      await first.client.post("/v2/package-vetting/update", {
        synchronizerId: two,
        changes: [{ operation: { Unvet: { value: { packages: [{ packageId, packageName: "", packageVersion: "" }] } } } }],
      }),
    );
  });
});

describe("parties of several participants on several synchronizers", () => {
  const detailsOf = async (door: World, party: string): Promise<Json> =>
    succeeded(await door.client.get(`/v2/parties/${encodeURIComponent(party)}`)).partyDetails[0];
  const connectedFor = async (door: World, asked: Readonly<Record<string, string>>): Promise<Json> =>
    succeeded(
      await door.client.get(`/v2/state/connected-synchronizers?${new URLSearchParams(asked).toString()}`),
    ).connectedSynchronizers.map(({ synchronizerId, permission }: Json) => [
      synchronizerId,
      permission.replace("PARTICIPANT_PERMISSION_", "").toLowerCase(),
    ]);

  it("each is local where it was allocated, and known to be elsewhere at the others", async () => {
    for (const [index, party] of [alice, bob, carol].entries())
      for (const [at, door] of [first, second, third].entries())
        assert.equal((await detailsOf(door, party)).isLocal, index === at, `${party} at ${at}`);
  });

  it("each is connected where it is hosted, as its own participant tells", async () => {
    assert.deepEqual(await connectedFor(first, { party: alice }), [
      [one, "submission"],
      [two, "submission"],
    ]);
    assert.deepEqual(await connectedFor(third, { party: carol }), [[two, "submission"]]);
    assert.deepEqual(await connectedFor(first, { party: carol }), []);
  });

  it("each is connected where another participant hosts it, which is named; without a party that makes no difference", async () => {
    const [mine, , participantId] = ids as [string, string, string];
    assert.deepEqual(await connectedFor(first, { party: carol, participantId }), [[two, "submission"]]);
    assert.deepEqual(await connectedFor(first, { party: alice, participantId }), []);
    assert.deepEqual(await connectedFor(third, { party: alice, participantId: mine }), [[two, "submission"]]);
    for (const whoever of [mine, participantId, `nobody::1220${"ab".repeat(32)}`])
      assert.deepEqual(await connectedFor(first, { participantId: whoever }), [
        [one, "unspecified"],
        [two, "unspecified"],
      ]);
  });

  it("an external party has on each synchronizer what it signed for there", async () => {
    const party = await ExternalParty.onboardAt([first, second], "dora", 1, [one]);
    await party.join(second, two);
    const [, participantId] = ids as [string, string, string],
      atSecond = [
        [one, "observation"],
        [two, "confirmation"],
      ];
    assert.deepEqual(await connectedFor(second, { party: party.party }), atSecond);
    assert.deepEqual(await connectedFor(first, { party: party.party, participantId }), atSecond);
    assert.deepEqual(await connectedFor(first, { party: party.party }), [[one, "confirmation"]]);
  });
});

describe("where a command goes among several participants", () => {
  it("to the synchronizer that it names, however it is submitted", async () => {
    for (const synchronizerId of [one, two]) {
      const waited = succeeded(await first.submit([alice], [noteTo(bob)], { synchronizerId }));
      assert.equal(await synchronizerOf(waited.updateId, alice), synchronizerId);
      assert.equal((await first.transact([alice], [noteTo(bob)], { synchronizerId })).synchronizerId, synchronizerId);
      const commandId = `async-${synchronizerId}`,
        begin = await first.ledgerEnd();
      succeeded(
        await first.client.post("/v2/commands/async/submit", first.commands([alice], [noteTo(bob)], { synchronizerId, commandId })),
      );
      const channel = await first.open("/v2/commands/completions", { userId: "tester", parties: [alice], beginExclusive: begin });
      const { completionResponse } = await channel.until((element) => element.completionResponse.Completion?.value.commandId === commandId);
      await channel.close();
      assert.equal(await synchronizerOf(completionResponse.Completion.value.updateId, alice), synchronizerId);
    }
  });

  it("to one where everybody is who is told: with somebody who is on the second alone, to the second", async () => {
    assert.equal((await first.transact([alice], [noteTo(carol)])).synchronizerId, two);
    assert.equal((await first.refused([alice], [noteTo(carol)], { synchronizerId: one })).code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    const homebody = await partyOn(second, "homebody", one),
      among = storyTemplate("Pact");
    const apart = await first.refused([alice], [create(among, { host: alice, first: homebody, second: carol })]);
    assert.equal(apart.code, "INFORMEES_NOT_ACTIVE");
  });

  it("not to one that it names and where who acts first is not, whatever else is wrong with it", async () => {
    const dan = await partyOn(first, "dan", two),
      homebody = await partyOn(first, "homebody-of-first", one),
      nobody = `nobody::1220${"ab".repeat(32)}`,
      on = { synchronizerId: one };
    const refusals = async (actor: string, command: Command): Promise<readonly string[]> =>
      [await first.submit([actor], [command], on), await prepareReply(first, [actor], [command], on)].map((reply) => reply.json().code);
    const everywhere = ["INVALID_PRESCRIBED_SYNCHRONIZER_ID", "INVALID_PRESCRIBED_SYNCHRONIZER_ID"];
    for (const command of [noteTo(homebody, dan), noteTo(nobody, dan), noteTo(alice), exercise(note, "no id", "Discard")])
      assert.deepEqual(await refusals(dan, command), everywhere, JSON.stringify(command));
    assert.deepEqual(await refusals(carol, noteTo(carol, carol)), everywhere, "for whom this participant cannot submit, either");
    const [packageId] = createdIn(await first.transact([alice], [noteTo(alice)])).templateId.split(":"),
      byId = create(`${packageId}:Story:Note`, { owner: carol, reader: carol, text: "hello" });
    assert.deepEqual(await refusals(carol, byId), [
      "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
      "INVALID_PRESCRIBED_SYNCHRONIZER_ID",
    ]);
    const { context } = await first.refused([dan], [noteTo(dan, dan)], on);
    assert.match(context.physicalSynchronizerId, /^one::/);
    assert.match(context.synchronizersOfAllInformees, /^Set\(two::/);
  });

  it("where somebody on the only one for it has not vetted the package, no package is to be found for its name", async () => {
    const on = { synchronizerId: one },
      cash = createdIn(await first.transact([alice], [create(cashTemplate, { bank: alice, owner: alice, amount: "1" })], on)),
      withBob = createdIn(await first.transact([alice], [noteTo(bob)], on)),
      withCarol = createdIn(await first.transact([alice], [noteTo(carol)]));
    const codeOf = async (command: Command, changes = {}): Promise<string> => (await first.refused([alice], [command], changes)).code;
    await change(third, "Unvet", two);
    try {
      for (const command of [
        noteTo(carol),
        exercise(cashTemplate, cash.contractId, "Offer", { newOwner: carol }),
        exercise(note, withCarol.contractId, "Discard"),
      ]) {
        assert.equal(await codeOf(command), "PACKAGE_SELECTION_FAILED");
        assert.equal((await prepareReply(first, [alice], [command])).json().code, "PACKAGE_SELECTION_FAILED");
      }
      const [packageId] = withCarol.templateId.split(":"),
        byId = create(`${packageId}:Story:Note`, { owner: alice, reader: carol, text: "hello" });
      assert.equal(await codeOf(byId), "NO_SYNCHRONIZER_FOR_SUBMISSION");
      assert.equal(await codeOf(noteTo(carol), { synchronizerId: two }), "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    } finally {
      await change(third, "Vet", two);
    }
    await change(second, "Unvet", one);
    try {
      const archive = exercise(note, withBob.contractId, "Discard");
      assert.equal(await codeOf(archive), "INVALID_PRESCRIBED_SYNCHRONIZER_ID", "there is one for it, but its contract is elsewhere");
      assert.equal((await prepareReply(first, [alice], [archive])).json().code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    } finally {
      await change(second, "Vet", one);
    }
  });

  it("what is found only when it is sent, of somebody who is told nothing of it, is told without its request", async () => {
    const facts = ({ traceId, context }: Json): readonly unknown[] => [traceId === null, Object.keys(context).sort()],
      sparse = [true, ["category", "definite_answer"]],
      nobody = `nobody::1220${"ab".repeat(32)}`,
      dan = await partyOn(first, "dan-alone", two),
      ed = await partyOn(first, "ed-alone", one);
    for (const [actAs, command, code] of [
      [[alice, nobody], noteTo(bob), "UNKNOWN_SUBMITTERS"],
      [[alice, carol], noteTo(alice), "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT"],
      [[alice, dan, ed], noteTo(bob), "SUBMITTERS_NOT_ACTIVE"],
      [[alice, dan], noteTo(ed), "NO_COMMON_SYNCHRONIZER"],
    ] as const) {
      const refused = await first.refused(actAs, [command]);
      assert.deepEqual([refused.code, ...facts(refused)], [code, ...sparse]);
    }
    const unknown = await first.refused([alice, nobody], [noteTo(`ghost::1220${"ab".repeat(32)}`)]);
    assert.equal(unknown.code, "UNKNOWN_INFORMEES", "packages were to be chosen for who is told");
    assert.deepEqual(facts(unknown), [false, ["category", "definite_answer", "participant", "tid", "unknownInformees"]]);
  });

  it("a contract that nobody who acts can bring to where packages are chosen leaves no synchronizer, and is told as such elsewhere", async () => {
    const other = await partyOn(first, "other", one, two),
      mandate = createdIn(await second.transact([bob], [create(delegation, { owner: bob, delegate: alice })], { synchronizerId: one })),
      hidden = createdIn(await second.transact([bob], [noteTo(other, bob)], { synchronizerId: two }));
    const fetch = exercise(delegation, mandate.contractId, "FetchNote", { note: hidden.contractId }),
      disclosedContracts = [disclosed(hidden, "")];
    const nowhere = await first.refused([alice], [fetch], { synchronizerId: one, disclosedContracts });
    assert.equal(nowhere.code, "NO_SYNCHRONIZER_FOR_SUBMISSION");
    assert.match(nowhere.context.discardedSynchronizers, /^Map\(one::\S+ -> /);
    assert.notEqual(nowhere.traceId, null);
    const elsewhere = await first.refused([alice], [fetch], { synchronizerId: two, disclosedContracts });
    assert.deepEqual([elsewhere.code, elsewhere.traceId], ["SUBMITTER_ALWAYS_STAKEHOLDER", null]);
  });

  it("a contract on its way that was disclosed to it is inactive, wherever that says that it is", async () => {
    const hidden = createdIn(await first.transact([alice], [noteTo(alice)], { synchronizerId: one }));
    const { contractId } = hidden,
      command = { UnassignCommand: { value: { contractId, source: one, target: two } } };
    succeeded(
      await first.client.post("/v2/commands/submit-and-wait-for-reassignment", {
        reassignmentCommands: { userId: "tester", commandId: "leaves", submitter: alice, commands: [{ command }] },
        eventFormat: { filtersByParty: { [alice]: { cumulative: [] } }, verbose: false },
      }),
    );
    const touch = exercise(note, contractId, "Touch");
    for (const synchronizerId of [one, two, ""]) {
      const refused = await first.refused([alice], [touch], { disclosedContracts: [disclosed(hidden, synchronizerId)] });
      assert.deepEqual([refused.status, refused.code, refused.errorCategory], [404, "LOCAL_VERDICT_INACTIVE_CONTRACTS", 11]);
      assert.deepEqual(refused.resources, [["ErrorResource(CONTRACT_ID)", contractId]]);
    }
    assert.equal((await first.refused([alice], [touch])).code, "UNKNOWN_CONTRACT_SYNCHRONIZERS");
  });

  it("to that of the contracts that were disclosed to it, and not if it names another", async () => {
    for (const [synchronizerId, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const mandate = createdIn(await first.transact([alice], [create(delegation, { owner: alice, delegate: bob })], { synchronizerId })),
        hidden = createdIn(await first.transact([alice], [noteTo(alice)], { synchronizerId })),
        fetch = exercise(delegation, mandate.contractId, "FetchNote", { note: hidden.contractId });
      const used = await second.transact([bob], [fetch], { disclosedContracts: [disclosed(hidden, synchronizerId)] });
      assert.equal(used.synchronizerId, synchronizerId);
      const mismatch = await second.refused([bob], [fetch], {
        synchronizerId: other,
        disclosedContracts: [disclosed(hidden, synchronizerId)],
      });
      assert.equal(mismatch.code, "PRESCRIBED_SYNCHRONIZER_ID_MISMATCH");
    }
  });

  it("a contract that another participant's party reads is moved with it, and read on where it came to", async () => {
    const contract = createdIn(await first.transact([alice], [noteTo(bob)], { synchronizerId: one }));
    const read = await second.transact([bob], [exercise(note, contract.contractId, "Read")], { synchronizerId: two });
    assert.equal(read.synchronizerId, two);
    const touched = await first.transact([alice], [exercise(note, contract.contractId, "Touch")]);
    assert.equal(touched.synchronizerId, two);
  });
});

describe("an external party of two participants, on two synchronizers", () => {
  let ext: ExternalParty;
  before(async () => {
    ext = await ExternalParty.onboardAt([first, second], "ext", 1, [one, two]);
  });
  const holds = async (door: World): Promise<string[]> =>
    (await door.activeContracts({ parties: [ext.party] })).map(({ contractId }) => contractId).sort();

  it("what it signs is for one of them; the contract is told to both of its participants", async () => {
    for (const synchronizerId of [one, two]) {
      const prepared = await prepare(first, [ext], [noteTo(bob, ext.party)], { synchronizerId }),
        begin = await second.ledgerEnd();
      succeeded(await execute(first, prepared, [ext]));
      const [transaction] = await second.transactions({ parties: [ext.party], begin });
      assert.equal(transaction.synchronizerId, synchronizerId);
    }
    assert.equal((await holds(first)).length, 2);
    assert.deepEqual(await holds(first), await holds(second));
  });

  it("with somebody who is on the second alone it is prepared for the second, and for the first not at all", async () => {
    const prepared = await prepare(first, [ext], [noteTo(carol, ext.party)]),
      begin = await third.ledgerEnd();
    succeeded(await execute(first, prepared, [ext]));
    assert.equal((await third.transactions({ parties: [carol], begin }))[0].synchronizerId, two);
    const refused = await prepareReply(first, [ext.party], [noteTo(carol, ext.party)], { synchronizerId: one });
    assert.equal(refused.json().code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
  });

  it("its contracts are moved by another stakeholder's command, and both of its participants are told where they are", async () => {
    const prepared = await prepare(first, [ext], [noteTo(bob, ext.party)], { synchronizerId: one });
    succeeded(await execute(first, prepared, [ext]));
    const [{ events }] = (await first.transactions({ parties: [ext.party] })).slice(-1) as [Json],
      { contractId } = events[0].CreatedEvent;
    await second.transact([bob], [exercise(note, contractId, "Read")], { synchronizerId: two });
    for (const door of [first, second]) {
      const listed = succeeded(
        await door.client.post("/v2/state/active-contracts?limit=200", {
          activeAtOffset: await door.ledgerEnd(),
          eventFormat: { filtersByParty: { [ext.party]: { cumulative: [] } }, verbose: false },
        }),
      );
      const entry = listed
        .map(({ contractEntry }: Json) => contractEntry.JsActiveContract)
        .find(({ createdEvent }: Json) => createdEvent.contractId === contractId);
      assert.deepEqual([entry.synchronizerId, entry.reassignmentCounter], [two, 1]);
    }
  });
});
