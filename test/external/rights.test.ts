import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Requester } from "../../src/ledger/admin/index.js";
import type { NetworkOptions, Participant } from "../../src/ledger/index.js";
import type { Synchronizer } from "../../src/ledger/model/index.js";
import { openDoors } from "../ledger/doors.js";
import { failure, success } from "../ledger/support.js";
import { allocateWith, type Holder, holder, transactionOf } from "./holders.js";
import { temporaryFolder } from "../support/folders.js";

const node: Requester = { userId: undefined, participantAdmin: true, admin: true };
const providerAdmin: Requester = { userId: "mallory", participantAdmin: false, admin: true };
const plain: Requester = { userId: "mallory", participantAdmin: false, admin: false };

/** Participants that have a user of the provider, if any; a user may allocate parties for itself. */
async function withUser(
  t: TestContext,
  participantNames: NetworkOptions["participantNames"],
  identityProviderId = "",
): Promise<readonly Participant[]> {
  const opened = await openDoors(temporaryFolder(), { participantNames, synchronizers: ["one", "two"], selfAllocatedPartiesMax: 9 });
  t.after(() => opened.close());
  const about = { primaryParty: "", isDeactivated: false, primaryPartyAuthentication: false, annotations: {}, resourceVersion: "" };
  for (const { administration } of opened.network.participants) {
    const config = { identityProviderId, isDeactivated: false, issuer: "i", jwksUrl: "http://127.0.0.1/keys", audience: "" };
    if (identityProviderId !== "") success(await administration.createIdentityProvider(config));
    success(await administration.createUser({ user: { ...about, id: "mallory", identityProviderId }, rights: [] }, node));
  }
  return opened.network.participants;
}

const actsAs = ({ administration }: Participant): readonly string[] => [...administration.findUser("mallory")!.rights.actAs];

const bring = (door: Participant, transaction: Uint8Array, signers: readonly Holder[], requester: Requester, identityProviderId = "") =>
  door.administration.allocateExternalParty(
    {
      userId: "mallory",
      identityProviderId,
      allocate: () => allocateWith(door, transaction, signers, { synchronizer: door.synchronizers[0]!.id, identityProviderId }),
    },
    requester,
  );

test("rights: who asks for a party without its signatures may not act as it, unless an admin of it or of the participant asks", async (t) => {
  for (const [requester, provider, ofUnsigned] of [
    [providerAdmin, "tenant", ["alice"]],
    [plain, "", []],
  ] as const) {
    const [door] = (await withUser(t, ["sandbox"], provider)) as [Participant],
      alice = `alice::${door.participantId.split("::")[1]!}`,
      unsigned = transactionOf(door, [holder()], { party: alice });
    assert.equal(success(await bring(door, unsigned, [], requester, provider)), alice);
    assert.deepEqual(
      actsAs(door).map((name) => name.split("::")[0]),
      ofUnsigned,
    );

    const one = holder(),
      own = success(await bring(door, transactionOf(door, [one]), [one], requester, provider));
    assert.ok(actsAs(door).includes(own));
    success(await bring(door, unsigned, [], node, provider));
    assert.deepEqual(new Set(actsAs(door)), new Set([own, alice]));
  }
});

test("rights: of a party with several hosts who signed may act as it where that was, and elsewhere whoever its participant lets", async (t) => {
  for (const [requester, provider, afterwards, order] of [
    [plain, "", [], "signed first"],
    [plain, "", [], "signed last"],
    [providerAdmin, "tenant", ["ext"], "signed first"],
    [providerAdmin, "tenant", ["ext"], "signed last"],
  ] as const) {
    const doors = (await withUser(t, ["sandbox", "pebblebox"], provider)) as [Participant, Participant],
      one = holder(),
      participants = doors.map(({ participantId }) => ({ participant: participantId, permission: "confirmation" as const })),
      hosting = transactionOf(doors[0], [one], { participants });
    const accept = () => bring(doors[1], hosting, [], requester, provider);
    if (order === "signed last") success(await accept());
    const party = success(await bring(doors[0], hosting, [one], requester, provider));
    assert.deepEqual(actsAs(doors[0]), [party]);
    if (order === "signed first") success(await accept());
    assert.deepEqual(
      actsAs(doors[1]).map((name) => name.split("::")[0]),
      afterwards,
    );
    assert.equal(doors[1].getParties([party], provider).length, 1);
  }
});

test("rights: a user allocates for itself no party that is there, on whatever synchronizer", async (t) => {
  const [door] = (await withUser(t, ["sandbox"])) as [Participant],
    [one, two] = door.synchronizers.map(({ id }) => id) as [string, string],
    request = { hint: "alice", annotations: {}, resourceVersion: "", identityProviderId: "", userId: "mallory" };
  const { party } = success(
    await door.allocateParty({ hint: "alice", annotations: {}, identityProviderId: "", synchronizerId: one, userId: "" }),
  );
  assert.match(failure(await door.administration.allocateParty({ ...request, synchronizerId: two }, plain)).cause, /already exists/);
  assert.deepEqual(actsAs(door), []);
  success(await door.administration.allocateParty({ ...request, synchronizerId: two }, node));
  assert.deepEqual(actsAs(door), [party]);
});

test("rights: a user has a party of his own on another synchronizer, too", async (t) => {
  const [door] = (await withUser(t, ["sandbox"])) as [Participant],
    [one, two] = door.synchronizers as [Synchronizer, Synchronizer],
    request = { hint: "mallory", annotations: {}, resourceVersion: "", identityProviderId: "", userId: "mallory" };
  const on = ({ id }: Synchronizer) => door.administration.allocateParty({ ...request, synchronizerId: id }, plain);
  const { party } = success(await on(one));
  assert.equal(success(await on(two)).party, party);
  assert.deepEqual(
    [one, two].map((synchronizer) => door.hostsOf(party, synchronizer).length),
    [1, 1],
  );
  assert.deepEqual(actsAs(door), [party]);
  assert.match(failure(await on(two)).cause, /already exists/);
});
