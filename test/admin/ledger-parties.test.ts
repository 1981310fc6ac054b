/** Administration over the real ledger's parties. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import type { Participant } from "../../src/ledger/index.js";
import { openDoors } from "../ledger/doors.js";
import { Batch } from "../../src/store/index.js";
import { closeFixture, openFixture, startLedger } from "../ledger/support.js";
import { anybody, codeOf, createUser, may, okOf, user, withProvider } from "./world.js";
import { temporaryFolder } from "../support/folders.js";

const allocation = (hint: string, more: object = {}) => ({
  hint,
  annotations: {},
  resourceVersion: "",
  identityProviderId: "",
  synchronizerId: "",
  userId: "",
  ...more,
});
const details = (party: string, more: object = {}) => ({
  party,
  isLocal: true,
  identityProviderId: "",
  annotations: {},
  resourceVersion: "",
  ...more,
});

test("a party allocated for a user is listed with its annotations, and the user may act as it", async (t) => {
  const ledger = (await startLedger(t)).ledger as Participant,
    { administration } = ledger;
  await createUser(administration, "u");
  const { party } = okOf(await administration.allocateParty(allocation("erin", { userId: "u", annotations: { k: "v" } }), anybody));
  assert.deepEqual(okOf(administration.listRights({ userId: "u", identityProviderId: "" })), [may("CanActAs", party)]);
  const [listed] = okOf(ledger.listParties({ pageSize: 0, pageToken: "", filterParty: "erin", identityProviderId: "" })).parties;
  assert.deepEqual(listed, { party, isLocal: true, annotations: { k: "v" }, resourceVersion: "0", identityProviderId: "" });
});

test("nobody is told of a party, or of what changed of one, before the disk has it", async (t) => {
  const ledger = (await startLedger(t)).ledger as Participant,
    { administration } = ledger,
    seen: unknown[] = [];
  const look = (when: string): void => {
    const listed = okOf(ledger.listParties({ pageSize: 0, pageToken: "", filterParty: "erin", identityProviderId: "" })).parties,
      found = ledger.getParties(
        listed.map(({ party }) => party),
        "",
      );
    assert.deepEqual(found, listed);
    seen.push([when, listed.map(({ annotations }) => annotations)]);
  };
  const { flush } = Batch.prototype;
  t.mock.method(Batch.prototype, "flush", async function (this: Batch) {
    await flush.call(this);
    look("on its way");
  });
  const { party } = okOf(await administration.allocateParty(allocation("erin", { annotations: { k: "v" } }), anybody));
  look("answered");
  okOf(await administration.updateParty(details(party, { annotations: { k: "w" } }), ["local_metadata.annotations"]));
  look("answered");
  assert.deepEqual(seen, [
    ["on its way", []],
    ["answered", [{ k: "v" }]],
    ["on its way", [{ k: "v" }]],
    ["answered", [{ k: "w" }]],
  ]);
});

test("changed annotations are seen once answered, all of them count, and they survive a restart", async (t) => {
  const folder = temporaryFolder(),
    fixture = await openFixture(folder);
  const { administration } = fixture.ledger as Participant;
  const { party } = okOf(await administration.allocateParty(allocation("erin"), anybody));
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      administration.updateParty(details(party, { annotations: { [`k${i}`]: "v" } }), ["local_metadata.annotations"]),
    ),
  );
  assert.deepEqual(
    answers.map((answer) => okOf(answer).resourceVersion),
    Array.from({ length: 30 }, (_, i) => i + 1),
  );
  const raced = await Promise.all(
    [1, 2, 3].map(() => administration.updateParty(details(party, { resourceVersion: "30" }), ["local_metadata"])),
  );
  assert.deepEqual(raced.map(codeOf), ["ok", "CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED", "CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED"]);
  await closeFixture(fixture);
  const again = await openFixture(folder);
  t.after(() => closeFixture(again));
  const [read] = again.ledger.getParties([party], "");
  assert.deepEqual([Object.keys(read!.annotations).length, read!.resourceVersion], [30, "31"]);
});

test("a party that was moved to another identity provider is one of that, also after a restart", async (t) => {
  const folder = temporaryFolder(),
    fixture = await openFixture(folder),
    { administration } = fixture.ledger as Participant;
  await withProvider(administration, "idp1");
  const { party } = okOf(await administration.allocateParty(allocation("erin", { annotations: { k: "v" } }), anybody));
  okOf(await administration.moveParty({ party, source: "", target: "idp1" }));
  const seen = ({ ledger } = fixture) => ledger.getParties([party], "idp1");
  const moved = { party, isLocal: true, annotations: { k: "v" }, resourceVersion: "0", identityProviderId: "idp1" };
  assert.deepEqual(seen(), [moved]);
  await closeFixture(fixture);
  const again = await openFixture(folder);
  t.after(() => closeFixture(again));
  assert.deepEqual(seen(again), [moved]);
  const back = await (again.ledger as Participant).administration.moveParty({ party, source: "", target: "" });
  assert.equal(codeOf(back), "PARTY_NOT_FOUND");
});

test("of the deletion of an identity provider and the move of a party to it at the same time one is refused", async (t) => {
  for (const isDeletedFirst of [true, false]) {
    const { administration, participantId } = (await startLedger(t)).ledger as Participant;
    await withProvider(administration, "idp1");
    const move = () => administration.moveParty({ party: participantId, source: "", target: "idp1" }),
      remove = () => administration.deleteIdentityProvider("idp1");
    const both = await Promise.all<{ readonly error?: unknown }>(isDeletedFirst ? [remove(), move()] : [move(), remove()]);
    assert.deepEqual(
      both.map(({ error }) => error === undefined),
      [true, false],
      "who comes first",
    );
  }
});

test("the node's own party has no version until something is written about it, and then begins at 0", async (t) => {
  const folder = temporaryFolder(),
    fixture = await openFixture(folder);
  const { participantId } = fixture.ledger as Participant;
  const version = (from = fixture): unknown => from.ledger.getParties([participantId], "")[0]?.resourceVersion;
  assert.equal(version(), "");
  await closeFixture(fixture);
  const again = await openFixture(folder);
  t.after(() => closeFixture(again));
  assert.equal(version(again), "");
  const update = (fields: object) =>
    (again.ledger as Participant).administration.updateParty(details(participantId, fields), ["local_metadata"]);
  assert.equal(okOf(await update({ resourceVersion: "7", annotations: { k: "v" } })).resourceVersion, 0);
  assert.equal(version(again), "0");
  assert.equal(codeOf(await update({ resourceVersion: "7" })), "CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED");
  assert.equal(okOf(await update({ resourceVersion: "0" })).resourceVersion, 1);
});

test("parties of an identity provider are blank to others, and keep their provider from being deleted", async (t) => {
  const ledger = (await startLedger(t)).ledger as Participant,
    { administration } = ledger;
  await withProvider(administration, "idp1");
  const { party } = okOf(
    await administration.allocateParty(allocation("erin", { identityProviderId: "idp1", annotations: { k: "v" } }), anybody),
  );
  assert.deepEqual(
    ledger.getParties([party], "").map(({ isLocal, annotations }) => [isLocal, annotations]),
    [[true, {}]],
  );
  assert.deepEqual(
    ledger.getParties([party], "idp2").map(({ isLocal, annotations }) => [isLocal, annotations]),
    [[false, {}]],
  );
  assert.deepEqual(
    ledger.getParties([party], "idp1").map(({ isLocal, annotations }) => [isLocal, annotations]),
    [[true, { k: "v" }]],
  );
  assert.equal(codeOf(await administration.updateParty(details(party), ["local_metadata"])), "PERMISSION_DENIED");
  assert.equal(codeOf(await administration.deleteIdentityProvider("idp1")), "INVALID_ARGUMENT");
});

test("of the deletion of an identity provider and an allocation of a party of it at the same time one is refused", async (t) => {
  const { administration } = (await startLedger(t)).ledger as Participant;
  for (const [index, isDeletedFirst] of [true, false].entries()) {
    const provider = `idp-${index}`;
    await withProvider(administration, provider);
    const allocate = () => administration.allocateParty(allocation(`erin-${index}`, { identityProviderId: provider }), anybody),
      remove = () => administration.deleteIdentityProvider(provider);
    const both = await Promise.all<{ readonly error?: unknown }>(isDeletedFirst ? [remove(), allocate()] : [allocate(), remove()]);
    assert.deepEqual(
      both.map(({ error }) => error === undefined),
      [true, false],
      "who comes first",
    );
    const known = await administration.createUser({ user: user("probe", { identityProviderId: provider }), rights: [] }, anybody);
    assert.equal(codeOf(known), isDeletedFirst ? "INVALID_ARGUMENT" : "ok", "and the provider is gone, or there");
  }
});

test("of the deletion of an identity provider and an update that gives it a party at the same time one is refused", async (t) => {
  for (const isDeletedFirst of [true, false]) {
    const { administration, participantId } = (await startLedger(t)).ledger as Participant;
    await withProvider(administration, "idp1");
    // Nothing was written yet about the participant's own party: the first update says whose it is.
    const give = () => administration.updateParty(details(participantId, { identityProviderId: "idp1" }), ["local_metadata"]),
      remove = () => administration.deleteIdentityProvider("idp1");
    const both = await Promise.all<{ readonly error?: unknown }>(isDeletedFirst ? [remove(), give()] : [give(), remove()]);
    assert.deepEqual(
      both.map(({ error }) => error === undefined),
      [true, false],
      "who comes first",
    );
    assert.equal(codeOf(administration.getIdentityProvider("idp1")), isDeletedFirst ? "IDP_CONFIG_NOT_FOUND" : "ok");
  }
});

test("annotations of an allocation on another synchronizer are added to those that are there, within their bound, also after a restart", async (t) => {
  const folder = temporaryFolder(),
    places = { participantNames: ["sandbox"], synchronizers: ["one", "two"] } as const;
  const opened = await openDoors(folder, places),
    [{ administration, synchronizers }] = opened.network.participants as unknown as [Participant],
    [one, two] = synchronizers.map(({ id }) => id) as [string, string];
  const allocateOn = (synchronizerId: string, annotations: object) =>
    administration.allocateParty(allocation("erin", { synchronizerId, annotations }), anybody);
  const { party } = okOf(await allocateOn(one, { a: "1", c: "4" })),
    large = "x".repeat(200 * 1024);
  okOf(await administration.updateParty(details(party, { annotations: { d: large } }), ["local_metadata.annotations"]));
  assert.equal(codeOf(await allocateOn(two, { e: large })), "MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED");
  okOf(await administration.updateParty(details(party, { annotations: { d: "" } }), ["local_metadata.annotations"]));
  const merged = { a: "3", b: "2", c: "4" };
  const { annotations, resourceVersion } = okOf(await allocateOn(two, { a: "3", b: "2" }));
  assert.deepEqual([annotations, resourceVersion], [merged, "3"]);
  await opened.close();
  const again = await openDoors(folder, places);
  t.after(() => again.close());
  const [door] = again.network.participants as unknown as [Participant];
  assert.deepEqual(door.getParties([party], ""), [
    { party, isLocal: true, annotations: merged, resourceVersion: "3", identityProviderId: "" },
  ]);
});

test("a participant that joins a synchronizer says nothing about its own party: it has no version, or the one that it had", async (t) => {
  const folder = temporaryFolder();
  for (const [synchronizers, version] of [
    [["one", "two"], ""],
    [["one", "two", "three"], "0"],
  ] as const) {
    const opened = await openDoors(folder, { synchronizers }),
      doors = opened.network.participants as unknown as Participant[];
    for (const { participantId } of doors)
      for (const door of doors)
        assert.equal(door.getParties([participantId], "")[0]?.resourceVersion, door.participantId === participantId ? version : "");
    for (const { administration, participantId } of version === "" ? doors : [])
      okOf(await administration.updateParty(details(participantId, { annotations: { k: "v" } }), ["local_metadata.annotations"]));
    await opened.close();
  }
  t.after(() => rmSync(folder, { recursive: true }));
});

test("annotations that are changed while the party is allocated on another synchronizer: both hold, also after a restart", async (t) => {
  const folder = temporaryFolder(),
    places = { participantNames: ["sandbox"], synchronizers: ["one", "two"] } as const;
  const opened = await openDoors(folder, places),
    [{ administration, synchronizers }] = opened.network.participants as unknown as [Participant],
    [one, two] = synchronizers.map(({ id }) => id) as [string, string];
  const change = (party: string) => administration.updateParty(details(party, { annotations: { k: "v" } }), ["local_metadata.annotations"]);
  const parties: string[] = [];
  for (const isChangedFirst of [true, false]) {
    const allocateOn = (synchronizerId: string) =>
      administration.allocateParty(allocation(`erin-${isChangedFirst}`, { synchronizerId }), anybody);
    const { party } = okOf(await allocateOn(one));
    const allocated = isChangedFirst ? undefined : allocateOn(two),
      changed = change(party);
    okOf(await (allocated ?? allocateOn(two)));
    okOf(await changed);
    parties.push(party);
  }
  const state = ([door]: readonly Participant[]) =>
    parties.map((party) => {
      const [{ annotations, resourceVersion } = assert.fail("it is known")] = door!.getParties([party], ""),
        hostedOn = door!.synchronizers.filter((synchronizer) => door!.hostsOf(party, synchronizer).length > 0);
      return [hostedOn.length, annotations, resourceVersion];
    });
  const expected = parties.map(() => [2, { k: "v" }, "2"]);
  assert.deepEqual(state(opened.network.participants as unknown as Participant[]), expected);
  await opened.close();
  const again = await openDoors(folder, places);
  t.after(() => again.close());
  assert.deepEqual(state(again.network.participants as unknown as Participant[]), expected);
});
