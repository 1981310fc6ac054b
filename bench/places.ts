/**
 * What do more synchronizers cost, and more participants that see a transaction? Server CPU of all threads for each durable create, on
 * nodes that take turns: one synchronizer and two; and on one node of three participants, seen by one of them and by all.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completeDar } from "../test/support/lf-builder.js";
import { Client, startNodeProcess, type NodeProcess } from "../test/support/node-process.js";
import { testData } from "../test/support/paths.js";
import type { BenchCase } from "./support/bench.js";
import { expect } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { microsSince, processorTimes } from "./support/processor.js";
import { median } from "./support/quantile.js";

interface Size {
  readonly connections: number;
  readonly requests: number;
  readonly rounds: number;
}

const template = "#ref-model:M:Multi",
  path = "/v2/commands/submit-and-wait",
  microsPerSecond = 1_000_000;

/** A node, and the parties that see what is created there. */
interface Place {
  readonly name: string;
  readonly node: NodeProcess;
  readonly seers: readonly string[];
}

export const places: BenchCase<Size> = {
  name: "places",
  smoke: { connections: 2, requests: 12, rounds: 1 },
  full: { connections: 32, requests: 3_000, rounds: 9 },
  async run({ connections, requests, rounds, pace }) {
    const one = await Network.start(["one"], []),
      two = await Network.start(["one", "two"], []),
      three = await Network.start(["one"], ["second", "third"]);
    try {
      const [alice, bob, carol] = await Promise.all([one, two, three].map((network) => network.parties(0, "alice", "bob", "carol")));
      const far = [await three.parties(1, "dave"), await three.parties(2, "erin")].flat();
      const measured: readonly Place[] = [
        { name: "one synchronizer", node: one.node, seers: alice! },
        { name: "two synchronizers", node: two.node, seers: bob! },
        { name: "three participants, seen by one", node: three.node, seers: carol! },
        { name: "three participants, seen by all", node: three.node, seers: [carol![0]!, ...far] },
      ];
      const costs = await inTurns(measured, { connections, requests, rounds, pace });
      return measured.map(({ name }, index) => {
        const value = costs[index]!,
          beside = costs[index - (index % 2)]!;
        return {
          case: `create, ${name}`,
          value,
          unit: "µs of CPU",
          ...(index % 2 === 0 ? {} : { note: `${(value / beside).toFixed(2)} times ${measured[index - 1]!.name}` }),
        };
      });
    } finally {
      await Promise.all([one, two, three].map((network) => network.stop()));
    }
  },
};

class Network {
  private constructor(
    readonly node: NodeProcess,
    private readonly folder: string,
    private readonly clients: readonly Client[],
    private readonly synchronizers: readonly string[],
  ) {}

  static async start(synchronizers: readonly string[], participants: readonly string[]): Promise<Network> {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-bench-")),
      ports = join(folder, "ports");
    const node = await startNodeProcess([
      "--data",
      join(folder, "data"),
      "--port-file",
      ports,
      "--synchronizers",
      synchronizers.join(),
      ...participants.flatMap((name) => ["--participant", `${name}=0`]),
    ]);
    const others = participants.map((name) => Number(new RegExp(`^${name}=(\\d+)$`, "m").exec(readFileSync(ports, "utf8"))![1])),
      clients = [node.port, ...others].map((port) => new Client(port));
    const { connectedSynchronizers } = (await clients[0]!.get("/v2/state/connected-synchronizers")).json(),
      ids = connectedSynchronizers.map((one: { synchronizerId: string }) => one.synchronizerId) as string[];
    const dar = completeDar(readFileSync(testData("canton", "model1.dar")));
    for (const client of clients) for (const id of ids) await expect(client.post(`/v2/dars?synchronizerId=${encodeURIComponent(id)}`, dar));
    return new Network(node, folder, clients, ids);
  }

  /** Of one participant, on all synchronizers. */
  async parties(participant: number, ...hints: readonly string[]): Promise<string[]> {
    const parties: string[] = [];
    for (const partyIdHint of hints) {
      let party = "";
      for (const synchronizerId of this.synchronizers)
        party = (await expect(this.clients[participant]!.post("/v2/parties", { partyIdHint, synchronizerId }))).json().partyDetails.party;
      parties.push(party);
    }
    return parties;
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.close();
    await this.node.stop();
    rmSync(this.folder, { recursive: true });
  }
}

/** The median of each over the rounds, in microseconds a command; before them each is warmed up. */
async function inTurns(measured: readonly Place[], { connections, requests, rounds, pace }: Size & Paced): Promise<readonly number[]> {
  const costs: number[][] = measured.map(() => []);
  let number = 0;
  for (let round = 0; round <= rounds; round++)
    for (const [
      index,
      {
        node,
        seers: [signatory, ...observers],
      },
    ] of measured.entries()) {
      pace.look();
      const commands = [{ CreateCommand: { templateId: template, createArguments: { sigs: [signatory], obs: observers } } }],
        before = processorTimes(node.child.pid!);
      const next = (): Buffer =>
        httpRequest("POST", path, JSON.stringify({ commands, commandId: `bench-${number++}`, actAs: [signatory], userId: "bench" }));
      const { failures, seconds } = await runLoad({ port: node.port, connections, requests, next });
      if (failures > 0) throw new Error(`${failures} of ${requests} requests failed`);
      // By the clock where nobody tells.
      if (round > 0) costs[index]!.push((microsSince(before, node.child.pid!) ?? seconds * microsPerSecond) / requests);
    }
  return costs.map(median);
}
