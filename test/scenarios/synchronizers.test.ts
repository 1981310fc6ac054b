/** Contracts that move between two synchronizers of one node: who may move them, what readers see on the way, and what uses them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { buildDar, buildPackage, ModuleBuilder, type } from "../support/lf-builder.js";
import { tested } from "../support/node-process.js";
import { create, createdIn, darOf, eventFormat, everything, exercise, ofTemplate, type Json, World } from "./world.js";
import { temporaryFolder } from "../support/folders.js";

const asset = "#ref-model:M:Asset",
  keyed = "#ref-keyed:K:Person";
const folder = temporaryFolder("synchronizers");
const args = (synchronizers: string): readonly string[] => ["--data", join(folder, "data"), "--synchronizers", synchronizers];

let world: World,
  one = "",
  two = "",
  alice = "",
  bob = "",
  stranger = "",
  homebody = "",
  commands = 0;

const post = async (path: string, body: Json | Uint8Array): Promise<Json> => {
  const reply = await world.client.post(path, body);
  assert.equal(reply.status, 200, `${path}: ${reply.text}`);
  return reply.text === "" ? undefined : reply.json();
};
const party = async (hint: string, ...synchronizers: readonly string[]): Promise<string> => {
  let allocated = "";
  for (const synchronizerId of synchronizers)
    allocated = (await post("/v2/parties", { partyIdHint: hint, synchronizerId })).partyDetails.party;
  return allocated;
};
const filters = (...parties: readonly string[]): Json => ({
  filtersByParty: Object.fromEntries(parties.map((name) => [name, { cumulative: [everything] }])),
  verbose: true,
});
const reassignment = (submitter: string, command: Json, format: Json = filters(alice, bob)): Json => ({
  reassignmentCommands: { workflowId: "move", userId: "tester", commandId: `reassign-${++commands}`, submitter, commands: [{ command }] },
  eventFormat: format,
});
const unassigning = (contractId: string, source: string, target: string): Json => ({
  UnassignCommand: { value: { contractId, source, target } },
});
const assigning = (reassignmentId: string, source: string, target: string): Json => ({
  AssignCommand: { value: { reassignmentId, source, target } },
});
const reassign = async (submitter: string, command: Json): Promise<Json> =>
  (await post("/v2/commands/submit-and-wait-for-reassignment", reassignment(submitter, command))).reassignment;
const unassign = async (contractId: string, source: string, target: string, submitter = alice): Promise<Json> =>
  (await reassign(submitter, unassigning(contractId, source, target))).events[0].JsUnassignedEvent.value;
const assign = (reassignmentId: string, source: string, target: string, submitter = alice): Promise<Json> =>
  reassign(submitter, assigning(reassignmentId, source, target));
const refusal = async (body: Json): Promise<Json> => {
  const reply = await world.client.post("/v2/commands/submit-and-wait-for-reassignment", body);
  assert.notEqual(reply.status, 200, reply.text);
  return reply.json();
};
const createOn = async (synchronizerId: string, issuer = alice, owner = bob): Promise<string> =>
  createdIn(await world.transact([issuer], [create(asset, { issuer, owner, name: "x", amount: "5" })], { synchronizerId })).contractId;
/** The entries of a contract in the list of active contracts. */
const entriesOf = async (contractId: string, at?: number): Promise<Json[]> => {
  const listed = await post("/v2/state/active-contracts?limit=200", {
    activeAtOffset: at ?? (await world.ledgerEnd()),
    eventFormat: filters(alice),
  });
  return listed.map(({ contractEntry }: Json) => contractEntry).filter((entry: Json) => JSON.stringify(entry).includes(contractId));
};
const updates = async (begin: number, format: Json): Promise<Json[]> =>
  (await post("/v2/updates?limit=200", { beginExclusive: begin, endInclusive: await world.ledgerEnd(), updateFormat: format })).map(
    ({ update }: Json) => update,
  );

/** All that the log tells is where it should be, and nothing else. */
function verified(): void {
  const { status, stdout } = spawnSync(tested.file, [...tested.args, "verify", "--data", join(folder, "data")], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
}

before(async () => {
  world = await World.start([], args("one,two"));
  [one, two] = (await world.client.get("/v2/state/connected-synchronizers"))
    .json()
    .connectedSynchronizers.map(({ synchronizerId }: Json) => synchronizerId);
  for (const synchronizer of [one, two])
    await post(`/v2/dars?synchronizerId=${encodeURIComponent(synchronizer)}`, darOf("canton", "model1.dar"));
  await post(`/v2/dars?synchronizerId=${encodeURIComponent(one)}`, darOf("canton", "keyed.dar"));
  [alice, bob, stranger, homebody] = [
    await party("alice", one, two),
    await party("bob", one, two),
    await party("stranger", one, two),
    await party("homebody", one),
  ];
});
after(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

describe("a node of two synchronizers", () => {
  it("asks which one is meant where there is a choice", async () => {
    assert.equal(
      (await world.client.post("/v2/dars", darOf("canton", "model1.dar"))).json().code,
      "PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER",
    );
    assert.equal(
      (await world.client.post("/v2/parties", { partyIdHint: "where" })).json().code,
      "PARTY_ALLOCATION_CANNOT_DETERMINE_SYNCHRONIZER",
    );
  });

  it("hosts a party where it was allocated, and vets where it was told to", async () => {
    const of = async (name: string): Promise<string[]> =>
      (await world.client.get(`/v2/state/connected-synchronizers?party=${encodeURIComponent(name)}`))
        .json()
        .connectedSynchronizers.map(({ synchronizerId }: Json) => synchronizerId);
    assert.deepEqual([await of(alice), await of(homebody)], [[one, two], [one]]);
    const { vettedPackages } = await post("/v2/package-vetting/list", {
      packageMetadataFilter: { packageIds: [], packageNamePrefixes: ["ref-"] },
    });
    assert.deepEqual(
      vettedPackages.map(({ synchronizerId, packages }: Json) => [synchronizerId, packages.length]),
      [
        [one, 2],
        [two, 1],
      ],
    );
  });

  it("creates on the one that is named, else where all who are told are", async () => {
    const onTwo = await world.transact([alice], [create(asset, { issuer: alice, owner: bob, name: "x", amount: "5" })], {
      synchronizerId: two,
    });
    assert.equal(onTwo.synchronizerId, two);
    const withHomebody = await world.transact([alice], [create(asset, { issuer: alice, owner: homebody, name: "x", amount: "5" })]);
    assert.equal(withHomebody.synchronizerId, one);
    const nowhere = await world.refused([alice], [create(asset, { issuer: alice, owner: homebody, name: "x", amount: "5" })], {
      synchronizerId: two,
    });
    assert.equal(nowhere.code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    const together = await party("newcomer", two),
      apart = await world.refused([alice], [create("#ref-model:M:Multi", { sigs: [alice], obs: [homebody, together] })]);
    assert.equal(apart.code, "INFORMEES_NOT_ACTIVE");
  });
});

/** Version 1.1.0 has a field more. */
function paperOf(name: string, version: "1.0.0" | "1.1.0"): Uint8Array {
  const module = new ModuleBuilder("Papers"),
    note = version === "1.0.0" ? {} : { note: type.optional(type.text) };
  module.template("Paper", { fields: { owner: type.party, ...note }, signatories: (self) => [self("owner")] });
  return buildDar(buildPackage({ name, version, modules: [module] }));
}

describe("synchronizers with different versions of a package", () => {
  const vet = (dar: Uint8Array, synchronizerId: string): Promise<Json> =>
    post(`/v2/dars?synchronizerId=${encodeURIComponent(synchronizerId)}`, dar);
  const noted = (name: string): Json => create(`#${name}:Papers:Paper`, { owner: alice, note: "new" });
  const plain = (name: string): Json => create(`#${name}:Papers:Paper`, { owner: alice });
  before(async () => {
    for (const [name, newer] of [
      ["newer-on-two", two],
      ["newer-on-one", one],
    ] as const) {
      for (const synchronizerId of [one, two]) await vet(paperOf(name, "1.0.0"), synchronizerId);
      await vet(paperOf(name, "1.1.0"), newer);
    }
  });

  it("a command that names none runs where the version is the highest", async () => {
    assert.equal((await world.transact([alice], [plain("newer-on-two")])).synchronizerId, two);
    assert.equal((await world.transact([alice], [plain("newer-on-one")])).synchronizerId, one);
  });

  it("its values are read by the version of the synchronizer with the lowest id, wherever it runs", async () => {
    assert.ok(one < two);
    const unreadable = await world.refused([alice], [noted("newer-on-two")]);
    assert.deepEqual([unreadable.code, unreadable.definiteAnswer], ["INVALID_ARGUMENT", false]);
    assert.match(unreadable.cause, /invalid arguments: Unexpected fields: note$/);
    assert.equal((await world.transact([alice], [noted("newer-on-one")])).synchronizerId, one);
    const prepared = await world.client.post("/v2/interactive-submission/prepare", {
      userId: "tester",
      commandId: "to-be-signed",
      actAs: [alice],
      commands: [noted("newer-on-two")],
      synchronizerId: "",
      packageIdSelectionPreference: [],
    });
    assert.equal(prepared.json().code, "INVALID_ARGUMENT");
  });

  it("a command that names one, or the package by its id, is read by the packages that are there", async () => {
    const { synchronizerId, events } = await world.transact([alice], [noted("newer-on-two")], { synchronizerId: two });
    assert.equal(synchronizerId, two);
    const { templateId } = events[0].CreatedEvent,
      byId = await world.transact([alice], [create(templateId, { owner: alice, note: "new" })]);
    assert.equal(byId.synchronizerId, two);
  });
});

describe("a disclosed contract", () => {
  it("that is used names the synchronizer of its command, and no other than the command does", async () => {
    for (const [synchronizerId, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const created = createdIn(
        await world.transact([alice], [create(asset, { issuer: alice, owner: bob, name: "x", amount: "5" })], { synchronizerId }),
      );
      const { contractId, templateId } = created,
        listed = await post("/v2/contracts/contract-by-id", { contractId, queryingParties: [alice] });
      const disclosed = { contractId, templateId, createdEventBlob: listed.createdEvent.createdEventBlob, synchronizerId },
        using = [exercise(asset, contractId, "GetAmount")];
      assert.equal((await world.transact([bob], using, { disclosedContracts: [disclosed] })).synchronizerId, synchronizerId);
      const elsewhere = await world.refused([bob], using, { disclosedContracts: [disclosed], synchronizerId: other });
      assert.equal(elsewhere.code, "PRESCRIBED_SYNCHRONIZER_ID_MISMATCH");
    }
  });

  it("that is not used says nothing of where its command runs", async () => {
    const disclosedOn = async (synchronizerId: string): Promise<Json> => {
      const contractId = await createOn(synchronizerId),
        listed = await post("/v2/contracts/contract-by-id", { contractId, queryingParties: [alice] });
      return { contractId, createdEventBlob: listed.createdEvent.createdEventBlob, synchronizerId };
    };
    const [first, second] = [await disclosedOn(one), await disclosedOn(two)],
      both = { disclosedContracts: [first, second] },
      unrelated = [create(asset, { issuer: bob, owner: bob, name: "other", amount: "1" })];
    assert.equal((await world.transact([bob], unrelated, both)).synchronizerId, (await world.transact([bob], unrelated)).synchronizerId);
    for (const synchronizerId of [one, two])
      assert.equal((await world.transact([bob], unrelated, { ...both, synchronizerId })).synchronizerId, synchronizerId);
    for (const { contractId, synchronizerId } of [first, second]) {
      const using = [exercise(asset, contractId, "GetAmount")];
      assert.equal((await world.transact([bob], using, both)).synchronizerId, synchronizerId);
      const minimal = both.disclosedContracts.map((contract) => ({ ...contract, contractId: "" }));
      assert.equal((await world.transact([bob], using, { disclosedContracts: minimal })).synchronizerId, synchronizerId);
    }
    const all = [first, second].map(({ contractId }) => exercise(asset, contractId, "GetAmount"));
    assert.equal((await world.refused([bob], all, both)).code, "DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH");
  });
});

describe("a reassignment", () => {
  it("is seen on its way, and where it arrived, at every offset", async () => {
    const contractId = await createOn(one),
      atStart = await world.ledgerEnd();
    const left = await unassign(contractId, one, two),
      onTheWay = await world.ledgerEnd();
    assert.deepEqual([left.source, left.target, left.reassignmentCounter, left.witnessParties], [one, two, 1, [alice, bob]]);
    const arrived = await assign(left.reassignmentId, one, two);
    assert.equal(arrived.synchronizerId, two);
    const [before, between, after] = [
      await entriesOf(contractId, atStart),
      await entriesOf(contractId, onTheWay),
      await entriesOf(contractId),
    ];
    assert.deepEqual(
      before.map(({ JsActiveContract: { synchronizerId, reassignmentCounter } }) => [synchronizerId, reassignmentCounter]),
      [[one, 0]],
    );
    assert.deepEqual(
      between.map(({ JsIncompleteUnassigned: { createdEvent, unassignedEvent } }) => [createdEvent.offset, unassignedEvent.offset]),
      [[before[0].JsActiveContract.createdEvent.offset, left.offset]],
    );
    assert.deepEqual(
      after.map(({ JsActiveContract: { synchronizerId, reassignmentCounter, createdEvent } }) => [
        synchronizerId,
        reassignmentCounter,
        createdEvent.offset,
      ]),
      [[two, 1, arrived.offset]],
    );
  });

  it("that the format hides, or whose format names unknown packages, is told without a trace, by the node alone", async () => {
    const unknown = eventFormat({ parties: [alice], filters: [ofTemplate("#nope:M:T")] });
    for (const [format, code] of [
      [unknown, "PACKAGE_NAMES_NOT_FOUND"],
      [filters(stranger), "UPDATE_NOT_FOUND"],
    ] as const) {
      const { reassignmentId } = await unassign(await createOn(one), one, two),
        refused = await refusal(reassignment(alice, assigning(reassignmentId, one, two), format));
      assert.deepEqual([refused.code, refused.traceId, refused.correlationId], [code, null, null]);
      assert.deepEqual(Object.keys(refused.context).sort(), ["category", "definite_answer", "participant"]);
    }
  });

  it("is an update of its own, for those who ask for reassignments and have a stake", async () => {
    const contractId = await createOn(one),
      begin = await world.ledgerEnd(),
      { reassignmentId } = await unassign(contractId, one, two);
    await assign(reassignmentId, one, two);
    const seenBy = async (name: string): Promise<string[]> =>
      (await updates(begin, { includeReassignments: filters(name) })).map(
        ({ Reassignment: { value } }) => Object.keys(value.events[0])[0]!,
      );
    assert.deepEqual(
      [await seenBy(alice), await seenBy(bob), await seenBy(stranger)],
      [["JsUnassignedEvent", "JsAssignmentEvent"], ["JsUnassignedEvent", "JsAssignmentEvent"], []],
    );
    assert.deepEqual(
      await updates(begin, { includeTransactions: { eventFormat: filters(alice), transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" } }),
      [],
    );
  });

  it("happens once: not twice from the same place, not of what is archived, not by strangers, not to where somebody is missing", async () => {
    const contractId = await createOn(one),
      { reassignmentId } = await unassign(contractId, one, two);
    const unassignment = (command: Json, submitter = alice): Promise<Json> => refusal(reassignment(submitter, command));
    assert.match((await unassignment(unassigning(contractId, one, two))).cause, /not active.*ReassignedAway\(two::/);
    assert.match((await unassignment(unassigning(contractId, two, one))).cause, /unknown contract/);
    assert.equal((await refusal(reassignment(bob, assigning(reassignmentId, one, two)))).code, "REASSIGNMENT_VALIDATION_FAILED");
    assert.match((await refusal(reassignment(stranger, assigning(reassignmentId, one, two)))).cause, /not a stakeholder/);
    await assign(reassignmentId, one, two);
    assert.match((await refusal(reassignment(alice, assigning(reassignmentId, one, two)))).cause, /already completed/);
    assert.match((await unassignment(unassigning(contractId, two, one), stranger)).cause, /not a stakeholder/);
    const stays = await createOn(one, alice, homebody);
    assert.match((await unassignment(unassigning(stays, one, two))).cause, /not active on the target.*homebody/);
    const person = createdIn(await world.transact([alice], [create(keyed, { person: alice, name: "n" })])).contractId;
    assert.match((await unassignment(unassigning(person, one, two))).cause, /has not vetted/);
    await world.transact([alice], [exercise(asset, stays, "Archive")]);
    assert.match((await unassignment(unassigning(stays, one, two))).cause, /not active.*Archived/);
  });

  it("ends in one place when two race for it", async () => {
    const contractId = await createOn(one),
      moves = await Promise.all(
        [0, 1, 2, 3].map(() =>
          world.client.post("/v2/commands/submit-and-wait-for-reassignment", reassignment(alice, unassigning(contractId, one, two))),
        ),
      );
    assert.equal(moves.filter(({ status }) => status === 200).length, 1);
    const lost = moves.filter(({ status }) => status !== 200).map((reply) => reply.json().code);
    assert.ok(
      lost.every((code) => ["UNASSIGNMENT_ACTIVENESS_CHECK_FAILED", "INVALID_ARGUMENT"].includes(code)),
      lost.join(),
    );
    const { reassignmentId } = moves.find(({ status }) => status === 200)!.json().reassignment.events[0].JsUnassignedEvent.value;
    const assigned = await Promise.all(
      [0, 1, 2, 3].map(() =>
        world.client.post("/v2/commands/submit-and-wait-for-reassignment", reassignment(alice, assigning(reassignmentId, one, two))),
      ),
    );
    assert.equal(assigned.filter(({ status }) => status === 200).length, 1);
    assert.ok(
      assigned
        .filter(({ status }) => status !== 200)
        .every((reply) =>
          ["LOCAL_VERDICT_LOCKED_CONTRACTS", "ASSIGNMENT_ALREADY_COMPLETED", "INVALID_ARGUMENT"].includes(reply.json().code),
        ),
    );
    assert.equal((await entriesOf(contractId)).length, 1);
  });
});

describe("a command over contracts that are apart", () => {
  it("waits for none that is on its way", async () => {
    const contractId = await createOn(one),
      { reassignmentId } = await unassign(contractId, one, two);
    assert.equal((await world.refused([bob], [exercise(asset, contractId, "GetAmount")])).code, "UNKNOWN_CONTRACT_SYNCHRONIZERS");
    await assign(reassignmentId, one, two);
    assert.equal((await world.transact([bob], [exercise(asset, contractId, "GetAmount")])).synchronizerId, two);
  });

  it("brings them together with the fewest moves, each told by updates and completions of its own", async () => {
    const [a, b, c] = [await createOn(one, alice, alice), await createOn(one, alice, alice), await createOn(two, alice, alice)],
      begin = await world.ledgerEnd();
    const done = await world.transact(
      [alice],
      [a, b, c].map((contractId) => exercise(asset, contractId!, "Archive")),
    );
    assert.equal(done.synchronizerId, one);
    const told = await updates(begin, {
      includeReassignments: filters(alice),
      includeTransactions: { eventFormat: filters(alice), transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" },
    });
    assert.deepEqual(
      told.map((update) => Object.keys(update)[0]),
      ["Reassignment", "Reassignment", "Transaction"],
    );
    const completions = await world.completions([alice], begin);
    assert.deepEqual(
      [
        completions.length,
        new Set(completions.map(({ commandId }) => commandId)).size,
        new Set(completions.map(({ updateId }) => updateId)).size,
      ],
      [3, 1, 3],
    );
  });

  it("fails by name where one of them cannot be moved", async () => {
    const stays = await createOn(one, alice, homebody),
      person = createdIn(await world.transact([alice], [create(keyed, { person: alice, name: "p" })])).contractId;
    assert.equal(
      (await world.refused([alice], [exercise(asset, stays, "Archive")], { synchronizerId: two })).code,
      "INVALID_PRESCRIBED_SYNCHRONIZER_ID",
    );
    const moved = await createOn(two, alice, alice),
      unvetted = await world.transact([alice], [exercise(asset, moved, "Archive"), exercise(keyed, person, "Archive")]);
    assert.equal(unvetted.synchronizerId, one, "the one that is vetted there alone stays, the other comes");
    const noStake = await createOn(one, alice, stranger);
    const refused = await world.refused([bob], [exercise(asset, noStake, "GetAmount")], { synchronizerId: two, readAs: [alice] });
    assert.equal(refused.code, "DAML_AUTHORIZATION_ERROR");
  });
});

describe("contracts that are where everybody is", () => {
  const vetting = (kind: "Vet" | "Unvet", synchronizerId: string): Promise<Json> =>
    post("/v2/package-vetting/update", {
      changes: [{ operation: { [kind]: { value: { packages: [{ packageName: "ref-model", packageVersion: "1.0.0" }] } } } }],
      synchronizerId,
    });

  it("stay there where a package of theirs is not vetted any more: nobody uses them, and nobody moves them, until it is vetted again", async () => {
    const contractId = await createOn(one, alice, bob);
    await vetting("Unvet", one);
    try {
      const refused = await world.refused([alice], [exercise(asset, contractId, "Archive")]);
      assert.equal(refused.code, "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
      assert.match(refused.cause, /has not vetted/);
      assert.deepEqual(
        (await entriesOf(contractId)).map(({ JsActiveContract }) => JsActiveContract.synchronizerId),
        [one],
      );
      assert.match((await refusal(reassignment(alice, unassigning(contractId, one, two)))).cause, /on synchronizer one::.*has not vetted/);
      const elsewhere = await world.refused([bob], [exercise(asset, contractId, "GetAmount")], { synchronizerId: two });
      assert.equal(elsewhere.code, "AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED");
    } finally {
      await vetting("Vet", one);
    }
    const moved = await world.transact([bob], [exercise(asset, contractId, "GetAmount")], { synchronizerId: two });
    assert.equal(moved.synchronizerId, two);
  });
});

describe("what is kept of reassignments", () => {
  it("is verified, outlives a restart and pruning, and needs its synchronizers", async () => {
    const contractId = await createOn(one),
      moved = await createOn(one),
      back = await unassign(moved, one, two);
    await assign(back.reassignmentId, one, two);
    const { reassignmentId } = await unassign(contractId, one, two),
      atUnassign = await world.ledgerEnd();
    await createOn(two);
    assert.equal((await world.client.post("/admin/prune", { pruneUpTo: atUnassign })).json().code, "UNSAFE_TO_PRUNE");
    await world.stop();
    verified();
    await assert.rejects(World.start([], args("one")), /contracts on synchronizer two/);
    world = await World.start([], args("one,two"));
    assert.equal((await entriesOf(contractId))[0].JsIncompleteUnassigned.unassignedEvent.reassignmentId, reassignmentId);
    await assign(reassignmentId, one, two);
    await createOn(two);
    const before = [await entriesOf(contractId), await entriesOf(moved)];
    assert.equal((await world.client.post("/admin/prune", { pruneUpTo: (await world.ledgerEnd()) - 1 })).status, 200);
    assert.deepEqual([await entriesOf(contractId), await entriesOf(moved)], before);
    assert.match((await refusal(reassignment(alice, unassigning(moved, one, two)))).cause, /ReassignedAway\(two::/);
    assert.equal((await world.transact([bob], [exercise(asset, moved, "GetAmount")])).synchronizerId, two);
    const again = await unassign(moved, two, one);
    assert.equal(again.reassignmentCounter, 2);
    await assign(again.reassignmentId, two, one);
    await world.stop();
    verified();
    world = await World.start([], args("one,two,three"));
    assert.equal((await world.client.get("/v2/state/connected-synchronizers")).json().connectedSynchronizers.length, 3);
  });
});
