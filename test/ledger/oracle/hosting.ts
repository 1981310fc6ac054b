/** Random networks: three participants on two synchronizers, and who hosts whom where. */
import { allocate as allocateExternal, holder, transactionOf } from "../../external/holders.js";
import { openDoors, type Doors } from "../doors.js";
import { success } from "../support.js";
import type { Participant } from "../../../src/ledger/index.js";
import type { Random } from "../../support/random.js";
import { temporaryFolder } from "../../support/folders.js";

export const synchronizerNames = ["one", "two"] as const,
  participantNames = ["sandbox", "pebblebox", "sidebox"] as const;
const localPartiesEach = 2,
  sharedParties = 3;

/** By party, and by synchronizer: the numbers of the doors that host it there. */
export type Hosting = ReadonlyMap<string, readonly (readonly number[])[]>;

/** On one synchronizer: the doors that confirm for a party, and how many of them have to. */
export interface Confirming {
  readonly doors: readonly number[];
  readonly threshold: number;
}

export interface HostedNetwork {
  readonly doors: readonly Participant[];
  readonly opened: Doors;
  /** Ids of the synchronizers. */
  readonly synchronizers: readonly string[];
  /** By door, numbers of synchronizers. */
  readonly connected: readonly (readonly number[])[];
  /** By door: parties that may submit there. */
  readonly submitters: readonly (readonly string[])[];
  readonly hosting: Hosting;
  readonly confirming: ReadonlyMap<string, readonly Confirming[]>;
  again(): Promise<Doors>;
}

/** Who is connected to what, as `openDoors` wants it. */
const connectionsOf = (connected: readonly (readonly number[])[]) => ({
  synchronizers: synchronizerNames,
  synchronizersOf: (name: string) =>
    connected[participantNames.findIndex((one) => one === name)]!.map((number) => synchronizerNames[number]!),
});

/** The first two are connected to both synchronizers, the third to both or to the second one only. */
export async function startHostedNetwork(random: Random): Promise<HostedNetwork> {
  const connected = [[0, 1], [0, 1], random.chance(0.5) ? [1] : [0, 1]],
    folder = temporaryFolder();
  const opened = await openDoors(folder, { participantNames, ...connectionsOf(connected) }),
    doors = opened.network.participants;
  const synchronizers = doors[0].synchronizers.map(({ id }) => id),
    hosting = new Map<string, number[][]>(),
    confirming = new Map<string, Confirming[]>(),
    submitters: string[][] = doors.map(() => []);
  for (const [number, door] of doors.entries())
    for (let count = 0; count < localPartiesEach; count++) {
      const places = count === 0 ? connected[number]! : random.several(connected[number]!);
      let party = "";
      for (const place of places) party = await allocateLocal(door, `local-${number}-${count}`, synchronizers[place]!);
      hosting.set(
        party,
        synchronizers.map((_, place) => (places.includes(place) ? [number] : [])),
      );
      confirming.set(
        party,
        synchronizers.map(() => ({ doors: [number], threshold: 1 })),
      );
      submitters[number]!.push(party);
    }
  for (let count = 0; count < sharedParties; count++) {
    const one = holder(),
      places = count === 0 ? [0, 1] : random.several([0, 1]),
      hosts: number[][] = [[], []],
      confirmers: Confirming[] = synchronizers.map(() => ({ doors: [], threshold: 1 }));
    let party = "";
    for (const place of places) {
      hosts[place] = random.several(doors.map((_, number) => number).filter((number) => connected[number]!.includes(place)));
      const participants = hosts[place]!.map((number, index) => ({
        participant: doors[number]!.participantId,
        permission: index > 0 && random.chance(0.3) ? ("observation" as const) : ("confirmation" as const),
      }));
      const confirmed = hosts[place]!.filter((_, index) => participants[index]!.permission === "confirmation"),
        threshold = 1 + random.below(confirmed.length);
      confirmers[place] = { doors: confirmed, threshold };
      const transaction = transactionOf(doors[0], [one], { participants, threshold });
      for (const number of hosts[place]!)
        party = success(await allocateExternal(doors[number]!, transaction, [one], [], synchronizers[place]!));
    }
    hosting.set(party, hosts);
    confirming.set(party, confirmers);
  }
  const again = (): Promise<Doors> =>
    openDoors(folder, { participantNames, interpreter: opened.interpreter, clock: opened.clock, ...connectionsOf(connected) });
  return { doors, opened, synchronizers, connected, submitters, hosting, confirming, again };
}

const allocateLocal = async (door: Participant, hint: string, synchronizerId: string): Promise<string> =>
  success(await door.allocateParty({ hint, annotations: {}, identityProviderId: "", synchronizerId, userId: "" })).party;
