/** Proposals of one party beside each other. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test, type TestContext } from "node:test";
import type { Participant } from "../../src/ledger/index.js";
import { verifyLedger } from "../../src/ledger/keeping/index.js";
import { Batch } from "../../src/store/index.js";
import { type Doors, openDoors } from "../ledger/doors.js";
import { failure, success } from "../ledger/support.js";
import { temporaryFolder } from "../support/folders.js";
import { allocate, holder, transactionOf } from "./holders.js";

interface Network {
  doors(): readonly [Participant, Participant, Participant];
  opened(): Doors;
  restart(): Promise<void>;
}

/** Three doors on two synchronizers. */
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
  return {
    doors,
    opened: () => opened,
    async restart() {
      await opened.close();
      opened = await open();
    },
  };
}

const hostedBy = (doors: readonly Participant[]) =>
  doors.map(({ participantId }) => ({ participant: participantId, permission: "confirmation" as const }));
const kept = (door: Participant, party: string, identityProviderId = "") =>
  door
    .getParties([party], identityProviderId)
    .map((details) => [details.isLocal, details.identityProviderId, details.resourceVersion] as const)[0];
const isKnown = (door: Participant, party: string): boolean => kept(door, party) !== undefined;

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
  const { externalParties } = network.opened().store.tables,
    [{ key, value }] = [...externalParties.all()] as [{ key: string; value: Buffer }],
    batch = new Batch();
  batch.put(externalParties, party, Buffer.from(value));
  batch.remove(externalParties, key);
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
