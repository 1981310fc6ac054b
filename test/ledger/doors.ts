/** A network of several participants over a real LMDB, with an interpreter that does what its commands say. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { Clock } from "../../src/base/clock.js";
import { createNetwork, type Network, type NetworkOptions, type Participant } from "../../src/ledger/index.js";
import { verifyLedger } from "../../src/ledger/keeping/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { type Cleaner, ScriptedInterpreter, success, summaryOf, TestClock } from "./support.js";
import { temporaryFolder } from "../support/folders.js";
import { ownTurns } from "../support/turns.js";

export interface Doors {
  readonly folder: string;
  readonly store: Store;
  readonly network: Network;
  readonly interpreter: ScriptedInterpreter;
  readonly clock: Clock;
  close(): Promise<void>;
}

const names = ["sandbox", "pebblebox", "sidebox"] as const;

type OpenOptions = Partial<
  Pick<NetworkOptions, "participantNames" | "identifierOf" | "synchronizers" | "synchronizersOf" | "selfAllocatedPartiesMax">
    & Pick<Doors, "interpreter" | "clock">
>;

export async function openDoors(
  folder: string,
  { participantNames = names, interpreter = new ScriptedInterpreter(), clock = new TestClock(), ...places }: OpenOptions = {},
): Promise<Doors> {
  const store = await openStore({ folder, sets: participantNames.length });
  const builtInPackages = async () => [{ summary: summaryOf(), payload: Buffer.from("test package") }];
  try {
    const network = await createNetwork({
      turns: ownTurns(),
      store,
      clock,
      participantNames,
      interpreterOf: () => interpreter,
      builtInPackages,
      ...places,
    });
    return {
      folder,
      store,
      network,
      interpreter,
      clock,
      close: async () => {
        await network.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

export interface Started extends Doors {
  readonly doors: readonly [Participant, Participant, Participant];
  readonly alice: string;
  readonly bob: string;
  readonly carol: string;
}

/** Three doors, of which each hosts one of alice, bob and carol. */
export async function startDoors(t: Cleaner): Promise<Started> {
  const folder = temporaryFolder(),
    opened = await openDoors(folder),
    doors = opened.network.participants as unknown as Started["doors"];
  t.after(async () => {
    await opened.close();
    try {
      const report = await verifyLedger(folder);
      assert.ok(report.sound, report.text);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  const [alice, bob, carol] = [await allocate(doors[0], "alice"), await allocate(doors[1], "bob"), await allocate(doors[2], "carol")];
  return { ...opened, doors, alice, bob, carol };
}

export const allocate = async (door: Participant, hint: string): Promise<string> =>
  success(await door.allocateParty({ hint, annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" })).party;
