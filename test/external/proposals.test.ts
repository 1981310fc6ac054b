/** What each host keeps about a party that it was asked to host, while others were not asked yet, and proposals beside each other. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { isFailure } from "../../src/base/result.js";
import type { Participant } from "../../src/ledger/index.js";
import { verifyLedger } from "../../src/ledger/keeping/index.js";
import { Batch } from "../../src/store/index.js";
import { anybody, codeOf, withProvider } from "../admin/world.js";
import { type Doors, openDoors } from "../ledger/doors.js";
import { failure, success } from "../ledger/support.js";
import { temporaryFolder } from "../support/folders.js";
import { allocate, allocateWith, type Holder, holder, transactionOf } from "./holders.js";

interface Network {
  doors(): readonly [Participant, Participant, Participant];
  opened(): Doors;
  restart(): Promise<void>;
}

/** Three doors on two synchronizers, of which the second and the third have an identity provider each. */
async function start(t: TestContext): Promise<Network> {
  const folder = temporaryFolder(),
    open = () => openDoors(folder, { synchronizers: ["one", "two"], selfAllocatedPartiesMax: 9 });
  let opened = await open();
  const doors = (): readonly [Participant, Participant, Participant] =>
    opened.network.participants as unknown as readonly [Participant, Participant, Participant];
  t.after(async () => {
    await opened.close();
    const report = await verifyLedger(folder);
    assert.ok(report.sound, report.text);
    rmSync(folder, { recursive: true });
  });
  await withProvider(doors()[1].administration, "second");
  await withProvider(doors()[2].administration, "third");
  return {
    doors,
    opened: () => opened,
    async restart() {
      await opened.close();
      opened = await open();
    },
  };
}

const providers = ["", "second", "third"] as const;
const hostedBy = (doors: readonly Participant[]) =>
  doors.map(({ participantId }) => ({ participant: participantId, permission: "confirmation" as const }));
const bring = (door: Participant, transaction: Uint8Array, signers: readonly Holder[], identityProviderId = "") =>
  allocateWith(door, transaction, signers, { synchronizer: door.synchronizerId, identityProviderId });
const kept = (door: Participant, party: string, identityProviderId = "") =>
  door
    .getParties([party], identityProviderId)
    .map((details) => [details.isLocal, details.identityProviderId, details.resourceVersion] as const)[0];
const isKnown = (door: Participant, party: string): boolean => kept(door, party) !== undefined;

test("proposals: every host has the party of the identity provider that it was asked with, in whatever order, also over a restart", async (t) => {
  const network = await start(t);
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
  ] as const) {
    const one = holder(),
      transaction = transactionOf(network.doors()[0], [one], { participants: hostedBy(network.doors()) });
    let party = "";
    for (const [nth, index] of order.entries()) {
      const door = network.doors()[index];
      ({ party } = success(await bring(door, transaction, index === 0 ? [one] : [], providers[index])));
      if (nth === 1) await network.restart();
    }
    const asked = (): unknown[] => network.doors().map((door, index) => kept(door, party, providers[index]));
    const expected = providers.map((provider) => [true, provider, "0"]);
    assert.deepEqual(asked(), expected);
    assert.deepEqual(kept(network.doors()[1], party), [true, "", ""], "others are told nothing about it");
    await network.restart();
    assert.deepEqual(asked(), expected);
  }
});

test("proposals: what is local about a party counts the requests at each host, and those at others are nothing to it", async (t) => {
  const { doors } = await start(t),
    [first, second] = doors(),
    one = holder(),
    transaction = transactionOf(first, [one], { participants: hostedBy([first, second]) });
  for (let round = 0; round < 3; round++) success(await bring(second, transaction, [], "second"));
  const { party } = success(await bring(first, transaction, [one]));
  assert.deepEqual(
    [kept(first, party), kept(second, party, "second")],
    [
      [true, "", "0"],
      [true, "second", "2"],
    ],
  );
});

test("proposals: a party is of the identity provider that was named first, before and after it is there", async (t) => {
  const { doors } = await start(t),
    [first, second] = doors(),
    one = holder(),
    [transaction, other] = [[first, second], [second]].map((hosts) => transactionOf(first, [one], { participants: hostedBy(hosts) }));
  await withProvider(second.administration, "other");
  const { party } = success(await bring(second, transaction!, [], "second"));
  for (const asked of [transaction!, other!])
    for (const provider of ["", "other"]) {
      const { code, cause } = failure(await bring(second, asked, [one], provider));
      assert.deepEqual([code, cause], ["PERMISSION_DENIED", `Party ${party} belongs to another identity provider.`]);
    }
  success(await bring(first, transaction!, [one]));
  const elsewhere = { synchronizer: second.synchronizers[1]!.id, identityProviderId: "other" };
  assert.equal(failure(await allocateWith(second, other!, [one], elsewhere)).code, "PERMISSION_DENIED");
  success(await allocateWith(second, other!, [one], { ...elsewhere, identityProviderId: "second" }));
  assert.deepEqual(kept(second, party, "second"), [true, "second", "1"]);
});

test("proposals: of two requests at once that name different identity providers the second is refused", async (t) => {
  const { doors } = await start(t),
    [first, second] = doors(),
    transaction = transactionOf(first, [holder()], { participants: hostedBy([first, second]) });
  const outcomes = await Promise.all([bring(second, transaction, [], "second"), bring(second, transaction, [])]);
  assert.deepEqual(outcomes.map(isFailure), [false, true]);
});

test("proposals: an identity provider stays while a party of it is proposed, which nobody is told of before it is there", async (t) => {
  const network = await start(t),
    [first, second] = network.doors(),
    one = holder(),
    transaction = transactionOf(first, [one], { participants: hostedBy([first, second]) });
  const { party } = success(await bring(second, transaction, [], "second"));
  const change = { party, isLocal: false, identityProviderId: "second", annotations: { k: "v" }, resourceVersion: "" };
  for (const restart of [false, true]) {
    if (restart) await network.restart();
    const { administration, getParties, listParties } = network.doors()[1];
    assert.equal(codeOf(await administration.deleteIdentityProvider("second")), "INVALID_ARGUMENT");
    assert.equal(codeOf(await administration.updateParty(change, ["local_metadata"])), "PARTY_NOT_FOUND");
    assert.deepEqual(getParties([party], "second"), []);
    const listing = { pageSize: 0, pageToken: "", filterParty: "ext", identityProviderId: "second" };
    assert.deepEqual(success(listParties(listing)).parties, []);
  }
  success(await bring(network.doors()[0], transaction, [one]));
  success(await network.doors()[1].administration.updateParty({ ...change, isLocal: true }, ["local_metadata"]));
  assert.deepEqual(kept(network.doors()[1], party, "second"), [true, "second", "1"]);
});

test("proposals: a party that only others host is nobody's to give rights for where an identity provider named it", async (t) => {
  const { doors } = await start(t),
    [first, second] = doors(),
    one = holder();
  const party = success(await allocate(first, transactionOf(first, [one]), [one])),
    there = second.synchronizers[1]!.id,
    boss = { userId: "boss", participantAdmin: false, admin: true };
  const user = { id: "u", identityProviderId: "second", primaryParty: "", isDeactivated: false, annotations: {}, resourceVersion: "" };
  success(await second.administration.createUser({ user: { ...user, primaryPartyAuthentication: false }, rights: [] }, anybody));
  const transaction = transactionOf(second, [one]),
    grant = { userId: "u", identityProviderId: "second", rights: [{ kind: "CanReadAs" as const, party }] };
  const ask = (signers: readonly Holder[]) => () =>
    allocateWith(second, transaction, signers, { synchronizer: there, identityProviderId: "second" });
  success(await second.administration.allocateExternalParty({ userId: "u", identityProviderId: "second", allocate: ask([]) }, boss));
  assert.deepEqual(second.administration.findUser("u")!.rights.actAs.size, 0);
  assert.ok(isFailure(await second.administration.grantRights(grant, boss)));
  success(await ask([one])());
  success(await second.administration.grantRights(grant, boss));
});

test("proposals: what is asked of other hosts for the same party takes nothing from what was signed before", async (t) => {
  const network = await start(t),
    [first, second, third] = network.doors(),
    one = holder(),
    [ofTwo, ofOthers] = [second, third].map((other) => transactionOf(first, [one], { participants: hostedBy([first, other]) }));
  const party = success(await allocate(first, ofTwo!, [one]));
  success(await allocate(first, ofOthers!, []));
  await network.restart();
  const [, secondAgain, thirdAgain] = network.doors();
  success(await allocate(thirdAgain, ofOthers!, []));
  assert.ok(!isKnown(secondAgain, party), "nobody signed for the third");
  success(await allocate(secondAgain, ofTwo!, []));
  assert.deepEqual(
    network.doors().map((door) => kept(door, party)?.slice(0, 1)),
    [[true], [true], [false]],
  );
  assert.match(failure(await allocate(thirdAgain, ofOthers!, [one])).cause, /already exists/);
  assert.deepEqual(
    [0, 1, 2].map((set) => [...network.opened().store.tablesOf(set).externalParties.all()].length),
    [1, 1, 1],
    "proposals go once the party is there",
  );
});

test("proposals: one that an earlier version of the program kept is gone on with", async (t) => {
  const network = await start(t),
    [first, second] = network.doors(),
    one = holder(),
    transaction = transactionOf(first, [one], { participants: hostedBy([first, second]) });
  const party = success(await allocate(first, transaction, [one]));
  const { externalParties, parties } = network.opened().store.tables,
    [{ key, value }] = [...externalParties.all()] as [{ key: string; value: Buffer }],
    batch = new Batch();
  batch.put(externalParties, party, Buffer.from(value));
  batch.remove(externalParties, key);
  batch.remove(parties, party);
  await batch.flush();
  await network.restart();
  success(await allocate(network.doors()[1], transaction, []));
  assert.deepEqual(
    network.doors().map((door) => kept(door, party)),
    [
      [true, "", "0"],
      [true, "", "0"],
      [false, "", ""],
    ],
  );
});
