/** Two participants and more of one process, at each of which its own parties are at home. */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Json, World } from "./world.js";
import { temporaryFolder } from "../support/folders.js";

export interface Neighbours {
  readonly first: World;
  readonly second: World;
  readonly third: World;
  /** Their participant ids. */
  readonly ids: readonly [string, string, string];
  /** Of those that the first is connected to. */
  readonly synchronizers: readonly string[];
  stop(): Promise<void>;
}

export interface NetworkToStart {
  readonly synchronizers?: readonly string[];
  /** What the second and the third are connected to; else to all. */
  readonly ofSecond?: readonly string[];
  readonly ofThird?: readonly string[];
}

/** The DARs go to each of them, on each synchronizer. */
export async function startNetwork(
  dars: readonly Uint8Array[],
  { synchronizers = ["one"], ofSecond = synchronizers, ofThird = synchronizers }: NetworkToStart = {},
): Promise<Neighbours> {
  const folder = temporaryFolder("neighbours"),
    ports = join(folder, "ports");
  const args = ["--memory", "--port-file", ports, "--synchronizers", synchronizers.join()],
    first = await World.start([], [...args, "--participant", `second=0@${ofSecond.join()}`, "--participant", `third=0@${ofThird.join()}`]);
  const portOf = (name: string): number => Number(new RegExp(`^${name}=(\\d+)$`, "m").exec(readFileSync(ports, "utf8"))![1]),
    [second, third] = [first.beside(portOf("second")), first.beside(portOf("third"))] as const;
  const stop = async (): Promise<void> => {
    for (const door of [second, third]) door.client.close();
    await first.stop();
    rmSync(folder, { recursive: true });
  };
  const idOf = async (door: World): Promise<string> => (await door.client.get("/v2/parties/participant-id")).json().participantId;
  try {
    for (const door of [first, second, third]) await uploadTo(door, dars);
    const ids = [await idOf(first), await idOf(second), await idOf(third)] as const;
    return { first, second, third, ids, synchronizers: await connected(first), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Vetted on all of its synchronizers. */
async function uploadTo(door: World, dars: readonly Uint8Array[]): Promise<void> {
  for (const synchronizerId of await connected(door))
    for (const dar of dars) {
      const reply = await door.client.post(`/v2/dars?synchronizerId=${encodeURIComponent(synchronizerId)}`, dar);
      assert.equal(reply.status, 200, reply.text);
    }
}

const connected = async (door: World): Promise<string[]> =>
  (await door.client.get("/v2/state/connected-synchronizers"))
    .json()
    .connectedSynchronizers.map(({ synchronizerId }: Json) => synchronizerId);
