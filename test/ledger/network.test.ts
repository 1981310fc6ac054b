import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isFailure } from "../../src/base/result.js";
import type { Participant } from "../../src/ledger/index.js";
import type { PackageChoosing } from "../../src/ledger/interpretation/index.js";
import { verifyLedger } from "../../src/ledger/keeping/index.js";
import { physicalSynchronizerId, shortIdentifier } from "../../src/ledger/model/index.js";
import { ContractIndex } from "../../src/ledger/records/index.js";
import { AutomaticAssignments } from "../../src/ledger/submission/index.js";
import { openStore } from "../../src/store/index.js";
import { allocate, openDoors, startDoors } from "./doors.js";
import { activeContracts, contractIdOf, drain, failure, packageId, submission, success, transactions, wildcard } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const endsOf = (doors: readonly Participant[]): readonly number[] => doors.map((door) => door.ledgerEnd());
const list = (door: Participant) =>
  success(door.listParties({ pageSize: 0, pageToken: "", filterParty: "", identityProviderId: "" })).parties;
const topologyOf = (door: Participant, party: string) =>
  drain(
    door.openUpdates({
      beginExclusive: 0,
      endInclusive: door.ledgerEnd(),
      form: "update",
      descending: false,
      format: { includeTransactions: undefined, includeReassignments: undefined, includeTopologyEvents: { parties: [party] } },
    }),
  );
/** What an error tells of a contract that was archived: who says so, and on which synchronizer. */
const verdictOf = ({ participantId, synchronizerId }: Participant, name: string): object => ({
  CONTRACT_ID: `List(${contractIdOf(name)})`,
  reported_by_participant_id: `PAR::${participantId}`,
  psid: shortIdentifier(physicalSynchronizerId(synchronizerId)),
});
const byId = (door: Participant, updateId: string, party: string) =>
  door.readUpdate({
    by: { updateId },
    form: "update",
    format: {
      includeTransactions: { eventFormat: wildcard(party), shape: "ledgerEffects" },
      includeReassignments: undefined,
      includeTopologyEvents: undefined,
    },
  });

describe("several participants: parties", () => {
  it("every participant knows all of them, and hosts those that were allocated there", async (t) => {
    const { doors, alice, bob, carol } = await startDoors(t);
    const known = [alice, bob, carol, ...doors.map(({ participantId }) => participantId)].sort();
    for (const [index, door] of doors.entries()) {
      const hosted = [[alice, bob, carol][index]!, door.participantId].sort();
      assert.deepEqual(
        list(door).map(({ party }) => party),
        known,
      );
      assert.deepEqual(
        list(door)
          .filter(({ isLocal }) => isLocal)
          .map(({ party }) => party),
        hosted,
      );
      assert.deepEqual(
        list(door).map(({ party, resourceVersion }) => resourceVersion === (party === [alice, bob, carol][index] ? "0" : "")),
        known.map(() => true),
      );
    }
  });

  it("each hears of an allocation at an offset of its own, by the same update id and at the same time", async (t) => {
    const { doors, bob } = await startDoors(t);
    await doors[0].allocateParty({ hint: "only-an-offset", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" });
    const told = await Promise.all(doors.map(async (door) => (await topologyOf(door, bob))[0].update.TopologyTransaction.value));
    assert.deepEqual(new Set(told.map(({ updateId, recordTime }) => `${updateId} ${recordTime}`)).size, 1);
    assert.deepEqual(
      told.map(({ events }) => events[0].event.ParticipantAuthorizationAdded.value),
      doors.map(() => ({
        partyId: bob,
        participantId: doors[1].participantId,
        participantPermission: "PARTICIPANT_PERMISSION_SUBMISSION",
      })),
    );
  });

  it("nobody submits for a party that another participant hosts", async (t) => {
    const { doors, bob } = await startDoors(t);
    assert.equal(
      failure(await doors[0].submit(submission([bob], [{ create: "a", signatories: [bob] }]))).code,
      "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
    );
  });
});

describe("several participants: transactions", () => {
  it("one among parties of all is one update for each, with its projection", async (t) => {
    const { doors, alice, bob, carol } = await startDoors(t),
      ends = endsOf(doors);
    const { updateId } = success(
      await doors[0].submit(
        submission(
          [alice],
          [
            { create: "of two", signatories: [alice], observers: [bob] },
            { create: "of one", signatories: [alice] },
            { create: "of the third", signatories: [alice], observers: [carol] },
          ],
          { commandId: "here", workflowId: "flow" },
        ),
      ),
    );
    assert.deepEqual(
      endsOf(doors),
      ends.map((end) => end + 1),
    );
    const seen = await Promise.all(
      doors.map(async (door, index) => (await transactions(door, wildcard([alice, bob, carol][index]!), "ledgerEffects"))[0]),
    );
    assert.deepEqual(
      seen.map((transaction) => [transaction.updateId, transaction.commandId, transaction.workflowId, transaction.offset]),
      [
        [updateId, "here", "flow", ends[0]! + 1],
        [updateId, "", "flow", ends[1]! + 1],
        [updateId, "", "flow", ends[2]! + 1],
      ],
    );
    assert.equal(new Set(seen.map(({ recordTime }) => recordTime)).size, 1);
    assert.deepEqual(
      seen.map(({ events }) =>
        events.map((event: { CreatedEvent: { contractId: string; nodeId: number } }) => [
          event.CreatedEvent.contractId,
          event.CreatedEvent.nodeId,
        ]),
      ),
      [
        [
          [contractIdOf("of two"), 0],
          [contractIdOf("of one"), 1],
          [contractIdOf("of the third"), 2],
        ],
        [[contractIdOf("of two"), 0]],
        [[contractIdOf("of the third"), 0]],
      ],
    );
    for (const [index, door] of doors.entries()) {
      const party = [alice, bob, carol][index]!,
        found = JSON.parse(success(await byId(door, updateId, party)));
      assert.deepEqual(found.Transaction.value, seen[index]);
      assert.deepEqual((await activeContracts(door, wildcard(party))).length, [3, 1, 1][index]);
    }
  });

  it("those that host nobody who sees it have no trace of it", async (t) => {
    const { doors, alice, bob } = await startDoors(t),
      ends = endsOf(doors);
    const { updateId } = success(await doors[0].submit(submission([alice], [{ create: "a", signatories: [alice], observers: [bob] }])));
    const [, , third] = doors,
      contractId = contractIdOf("a");
    assert.equal(third.ledgerEnd(), ends[2]);
    assert.equal(failure(await byId(third, updateId, alice)).code, "UPDATE_NOT_FOUND");
    assert.equal(failure(await third.readContract(contractId, [])).code, "CONTRACT_PAYLOAD_NOT_FOUND");
    assert.equal(failure(await third.readEventsByContractId(contractId, wildcard(alice, bob))).code, "CONTRACT_EVENTS_NOT_FOUND");
    assert.deepEqual(await activeContracts(third, { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: true }), []);
    assert.deepEqual(await drain(third.openCompletions({ userId: "user", parties: [alice], beginExclusive: 0 })), []);
  });

  it("a contract that one participant archives is archived for all", async (t) => {
    const { doors, alice, bob } = await startDoors(t);
    success(await doors[0].submit(submission([alice], [{ create: "a", signatories: [alice], observers: [bob] }])));
    success(await doors[1].submit(submission([bob], [{ exercise: "a", by: [bob] }])));
    assert.deepEqual(await Promise.all([activeContracts(doors[0], wildcard(alice)), activeContracts(doors[1], wildcard(bob))]), [[], []]);
    const { code, context } = failure(await doors[0].submit(submission([alice], [{ exercise: "a", by: [alice] }])));
    assert.deepEqual([code, context], ["LOCAL_VERDICT_INACTIVE_CONTRACTS", verdictOf(doors[0], "a")]);
  });

  it("exactly one of two that archive a contract at two participants at once wins", async (t) => {
    const { doors, alice, bob } = await startDoors(t);
    for (let round = 0; round < 20; round++) {
      success(await doors[0].submit(submission([alice], [{ create: `c${round}`, signatories: [alice], observers: [bob] }])));
      const both = await Promise.all([
        doors[0].submit(submission([alice], [{ exercise: `c${round}`, by: [alice] }])),
        doors[1].submit(submission([bob], [{ exercise: `c${round}`, by: [bob] }])),
      ]);
      assert.equal(both.filter((one) => !isFailure(one)).length, 1);
      assert.match(both.map((one) => one.error?.code ?? "").join(""), /^LOCAL_VERDICT_(LOCKED|INACTIVE)_CONTRACTS$/);
    }
    assert.deepEqual([...(await activeContracts(doors[0], wildcard(alice))), ...(await activeContracts(doors[1], wildcard(bob)))], []);
  });

  it("what is divulged to a party is told where it is hosted, but is no active contract there", async (t) => {
    const { doors, alice, bob, carol } = await startDoors(t);
    success(await doors[0].submit(submission([alice], [{ create: "offer", signatories: [alice], observers: [bob] }])));
    success(
      await doors[1].submit(
        submission([bob], [{ exercise: "offer", by: [bob], children: [{ create: "made", signatories: [alice], observers: [carol] }] }]),
      ),
    );
    const [made] = (await transactions(doors[1], wildcard(bob), "ledgerEffects")).reverse();
    assert.deepEqual(
      made.events.map((event: object) => Object.keys(event)[0]),
      ["ExercisedEvent", "CreatedEvent"],
    );
    assert.deepEqual(await activeContracts(doors[1], wildcard(bob)), []);
    assert.deepEqual(await activeContracts(doors[1], { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: true }), []);
    for (const [door, party] of [
      [doors[0], alice],
      [doors[2], carol],
    ] as const)
      assert.deepEqual(
        (await activeContracts(door, wildcard(party))).map(({ contractId }) => contractId),
        [contractIdOf("made")],
      );
    const [ofCarol] = await transactions(doors[2], wildcard(carol), "ledgerEffects");
    assert.deepEqual(
      ofCarol.events.map((event: { CreatedEvent: { nodeId: number; witnessParties: readonly string[] } }) => [
        event.CreatedEvent.nodeId,
        event.CreatedEvent.witnessParties,
      ]),
      [[0, [carol]]],
    );
  });

  it("what somebody saw being made is told by its id where he is hosted, to whoever asks for a stakeholder, until that is pruned", async (t) => {
    const { doors, alice, bob, carol } = await startDoors(t);
    const divulge = async (made: string): Promise<void> => {
      success(await doors[0].submit(submission([alice], [{ create: `offer of ${made}`, signatories: [alice], observers: [bob] }])));
      const children = [{ create: made, signatories: [alice], observers: [carol], text: "seen" }];
      success(await doors[1].submit(submission([bob], [{ exercise: `offer of ${made}`, by: [bob], children }])));
    };
    await divulge("made");
    const contractId = contractIdOf("made"),
      told = async (door: Participant, parties: readonly string[]) => JSON.parse(success(await door.readContract(contractId, parties)));
    const atHome = await told(doors[2], []);
    assert.deepEqual([atHome.createdEvent.contractId, atHome.createdEvent.acsDelta], [contractId, false]);
    assert.deepEqual(await told(doors[1], []), atHome);
    assert.deepEqual((await told(doors[1], [bob, carol])).createdEvent.witnessParties, [carol]);
    assert.equal(
      failure(await doors[1].readContract(contractId, [bob])).code,
      "CONTRACT_PAYLOAD_NOT_FOUND",
      "a witness has no stake in it",
    );
    const asked = doors[1].readEventsByContractId(contractId, wildcard(alice, bob, carol));
    assert.equal(failure(await asked).code, "CONTRACT_EVENTS_NOT_FOUND");
    success(await doors[2].submit(submission([carol], [{ exercise: "made", by: [carol] }])));
    assert.deepEqual(await told(doors[1], []), atHome, "archived it is told, too");
    await divulge("another");
    success(await doors[1].prune(doors[1].ledgerEnd() - 1));
    assert.equal(failure(await doors[1].readContract(contractId, [])).code, "CONTRACT_PAYLOAD_NOT_FOUND");
    assert.deepEqual(await told(doors[2], []), atHome);
  });

  it("whom an event informs is told where it is seen, at home there or not; whom one above informs only where that is seen, too", async (t) => {
    const { doors, alice, bob, carol } = await startDoors(t);
    for (const create of ["outer", "inner"]) success(await doors[0].submit(submission([alice], [{ create, signatories: [alice] }])));
    const children = [
      { create: "of alice", signatories: [alice] },
      { exercise: "inner", by: [carol], consuming: false, children: [{ create: "below", signatories: [alice] }] },
    ];
    const { updateId } = success(await doors[1].submit(submission([bob], [{ exercise: "outer", by: [bob], children }])));
    const anybody = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: true };
    const told = await Promise.all(
      doors.map(async (door) => {
        const format = {
          includeTransactions: { eventFormat: anybody, shape: "ledgerEffects" as const },
          includeReassignments: undefined,
          includeTopologyEvents: undefined,
        };
        const read = JSON.parse(success(await door.readUpdate({ by: { updateId }, form: "update", format })));
        return read.Transaction.value.events.map((event: Record<string, { readonly witnessParties: readonly string[] }>) =>
          Object.values(event)[0]!
            .witnessParties.map((party) => party.split("::")[0])
            .sort(),
        );
      }),
    );
    const [two, three] = [
      ["alice", "bob"],
      ["alice", "bob", "carol"],
    ];
    assert.deepEqual(told, [
      [two, two, three, three],
      [two, two, three, three],
      [
        ["alice", "carol"],
        ["alice", "carol"],
      ],
    ]);
  });

  it("a contract of others that was disclosed is used where none of its stakeholders is hosted, as long as it is active", async (t) => {
    const { doors, alice, bob, carol } = await startDoors(t);
    success(await doors[0].submit(submission([alice], [{ create: "open", signatories: [alice] }])));
    success(
      await doors[2].submit(
        submission(
          [carol],
          [{ exercise: "open", by: [carol], consuming: false, children: [{ create: "got", signatories: [alice], observers: [carol] }] }],
        ),
      ),
    );
    success(await doors[1].submit(submission([bob], [{ exercise: "open", by: [bob] }])));
    assert.deepEqual(
      (await activeContracts(doors[0], wildcard(alice))).map(({ contractId }) => contractId),
      [contractIdOf("got")],
    );
    const late = failure(await doors[2].submit(submission([carol], [{ exercise: "open", by: [carol], consuming: false }])));
    assert.deepEqual(
      [late.code, late.context],
      ["LOCAL_VERDICT_INACTIVE_CONTRACTS", verdictOf(doors[0], "open")],
      "by one who has the contract, as who submits has not",
    );
    const unknown = await doors[2].submit(submission([carol], [{ fetch: "never made" }, { create: "b", signatories: [carol] }]));
    assert.equal(failure(unknown).code, "CONTRACT_NOT_FOUND");
  });
});

describe("several participants: what is each one's own", () => {
  it("users, and change ids", async (t) => {
    const { doors, alice, bob } = await startDoors(t);
    for (const [index, door] of doors.entries())
      assert.equal(door.administration.findUser("participant_admin") !== undefined, true, `door ${index}`);
    success(await doors[0].submit(submission([alice], [{ create: "a", signatories: [alice] }], { commandId: "same" })));
    success(await doors[1].submit(submission([bob], [{ create: "b", signatories: [bob] }], { commandId: "same" })));
  });

  it("notes and pruning: what one of them prunes stays for the others", async (t) => {
    const { doors, alice, bob } = await startDoors(t);
    success(await doors[0].keepNote("n", "mine"));
    assert.deepEqual(
      doors.map((door) => door.readNote("n")),
      ["mine", undefined, undefined],
    );
    for (const name of ["a", "b", "c"])
      success(await doors[0].submit(submission([alice], [{ create: name, signatories: [alice], observers: [bob] }])));
    success(await doors[0].submit(submission([alice], [{ exercise: "a", by: [alice] }])));
    success(await doors[1].prune(doors[1].ledgerEnd() - 1));
    assert.equal((await transactions(doors[0], wildcard(alice))).length, 4);
    assert.deepEqual((await activeContracts(doors[1], wildcard(bob))).length, 2);
  });
});

describe("several participants: starts", () => {
  it("all is as it was, by whatever order they are named in; a newcomer learns of the parties that are there", async () => {
    const folder = temporaryFolder(),
      first = await openDoors(folder, { participantNames: ["sandbox", "pebblebox"] });
    const [one, two] = first.network.participants as unknown as [Participant, Participant],
      alice = await allocate(one, "alice"),
      bob = await allocate(two, "bob");
    success(await one.submit(submission([alice], [{ create: "a", signatories: [alice], observers: [bob] }])));
    const ids = [one.participantId, two.participantId],
      ends = endsOf([one, two]);
    await first.close();
    const { interpreter, clock } = first,
      again = await openDoors(folder, { participantNames: ["sandbox", "sidebox", "pebblebox"], interpreter, clock });
    const [sandbox, sidebox, pebblebox] = again.network.participants as unknown as [Participant, Participant, Participant];
    assert.deepEqual([sandbox.participantId, pebblebox.participantId], ids);
    assert.deepEqual(
      endsOf([sandbox, pebblebox]),
      ends.map((end) => end + 1),
      "the newcomer was told of",
    );
    assert.deepEqual(
      list(sidebox)
        .filter(({ isLocal }) => isLocal)
        .map(({ party }) => party),
      [sidebox.participantId],
    );
    assert.equal(list(sidebox).length, 5);
    const carol = await allocate(sidebox, "carol");
    success(await sidebox.submit(submission([carol], [{ create: "c", signatories: [carol], observers: [alice, bob] }])));
    assert.equal((await activeContracts(pebblebox, wildcard(bob))).length, 2);
    await again.close();
    const report = await verifyLedger(folder);
    assert.ok(report.sound, report.text);
    await assert.rejects(openDoors(folder, { participantNames: ["sandbox", "pebblebox"] }), /has a participant sidebox, too/);
    await assert.rejects(openDoors(folder, { participantNames: ["another", "pebblebox", "sidebox"] }), /belongs to participant sandbox/);
  });
});

describe("several participants: stops", () => {
  /** Of each set of tables: whether a start has to read what its runs do not have. */
  async function unsettled(folder: string): Promise<readonly number[]> {
    const store = await openStore({ folder, readOnly: true });
    try {
      return Array.from({ length: store.sets }, (_, set) => new ContractIndex(store.tablesOf(set)).waiting.size);
    } finally {
      await store.close();
    }
  }

  it("what each of them has in memory alone is settled before their commits end", async () => {
    const folder = temporaryFolder(),
      { network, close } = await openDoors(folder);
    for (const [index, door] of network.participants.entries()) {
      const party = await allocate(door, `party-${index}`);
      for (let nth = 0; nth < 5; nth++)
        success(await door.submit(submission([party], [{ create: `${index}-${nth}`, signatories: [party] }])));
    }
    await close();
    assert.deepEqual(await unsettled(folder), [0, 0, 0]);
  });

  it("where a part of one of them fails to, all else is closed", async (t) => {
    const folder = temporaryFolder(),
      { network, store } = await openDoors(folder),
      [door] = network.participants,
      alice = await allocate(door, "alice");
    success(await door.submit(submission([alice], [{ create: "a", signatories: [alice] }])));
    t.mock.method(AutomaticAssignments.prototype, "close", () => Promise.reject(new Error("does not end")), { times: 1 });
    await assert.rejects(network.close(), /does not end/);
    const late = failure(await door.submit(submission([alice], [{ create: "b", signatories: [alice] }])));
    assert.equal(late.code, "SERVICE_NOT_RUNNING");
    await store.close();
    assert.deepEqual(await unsettled(folder), [0, 0, 0]);
  });
});

describe("several participants: names", () => {
  it("ids may begin with another word than the name by which a participant is started, also the next time", async () => {
    const folder = temporaryFolder(),
      participantNames = ["sandbox", "pebblebox"] as const;
    const first = await openDoors(folder, { participantNames, identifierOf: () => "participant" }),
      told = first.network.participants.map(({ participantName, participantId }) => [participantName, participantId]);
    assert.deepEqual(
      told.map(([name, id]) => [name, id!.split("::")[0]]),
      [
        ["sandbox", "sandbox"],
        ["pebblebox", "participant"],
      ],
    );
    await first.close();
    const { interpreter, clock } = first,
      again = await openDoors(folder, { participantNames, interpreter, clock });
    assert.deepEqual(
      again.network.participants.map(({ participantName, participantId }) => [participantName, participantId]),
      told,
    );
    await again.close();
    const report = await verifyLedger(folder);
    assert.ok(report.sound && report.text.includes("pebblebox"), report.text);
  });
});

describe("several participants: vetting", () => {
  const vet = (door: Participant, isVetted: boolean) => {
    const packages = [{ packageId, name: "", version: "" }];
    const change = isVetted
      ? { kind: "vet" as const, packages, validFrom: undefined, validUntil: undefined }
      : { kind: "unvet" as const, packages };
    return door.updateVettedPackages({
      changes: [change],
      dryRun: false,
      synchronizerId: "",
      expectedSerial: "any",
      allowIncompatibleUpgrades: false,
    });
  };

  it("everybody who hosts somebody that sees a part of a transaction has to have vetted its packages", async (t) => {
    const { doors, interpreter, alice, bob, carol } = await startDoors(t),
      asked: (PackageChoosing["needs"] | undefined)[] = [];
    interpreter.beforeAnswer = ({ choosing }) => {
      asked.push(choosing?.needs);
    };
    const forAll = [{ create: "all", signatories: [alice], observers: [bob, carol] }],
      forTwo = [{ create: "two", signatories: [alice], observers: [bob] }];
    success(await vet(doors[2], false));
    const refused = failure(await doors[0].submit(submission([alice], forAll)));
    assert.equal(refused.code, "NO_SYNCHRONIZER_FOR_SUBMISSION");
    assert.match(refused.cause, new RegExp(`${packageId} by participant ${doors[2].participantId}`));
    const names = ["test-model"],
      ofEach = [0, 1, 2].map((host) => ({ hosts: [host], names }));
    assert.deepEqual(asked, [[{ hosts: [0], names: [] }], ofEach], "asked for what both others have vetted, too");
    success(await doors[0].submit(submission([alice], forTwo)));
    const requirements = (parties: readonly string[]) => ({
      requirements: [{ parties, packageName: "test-model" }],
      synchronizerId: "",
      vettingValidAt: undefined,
    });
    assert.equal(doors[0].preferredPackages(requirements([alice, bob])).ok?.packages[0]?.packageId, packageId);
    assert.equal(failure(doors[0].preferredPackages(requirements([alice, carol]))).code, "NO_PREFERRED_PACKAGES_FOUND");
    success(await vet(doors[2], true));
    success(await doors[0].submit(submission([alice], forAll)));
  });
});
