/**
 * What does another node of the same API do in the same minutes, asked by the same client? `LEDGERLINE_BESIDE` gives its address, that of a
 * Canton sandbox say; without it, it is this program once more. Ours is durable, whatever the other one is.
 */
import { text } from "../test/support/knobs.js";
import { Client } from "../test/support/node-process.js";
import type { BenchCase, BenchRow } from "./support/bench.js";
import { type BenchLedger, create, exercise, expect, makeReady, startBenchLedger, withLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { median } from "./support/quantile.js";
import { activeContractsRequest } from "./support/reads.js";

interface Size {
  readonly connections: readonly number[];
  /** So many the other one answers before anything is timed, and then on each connection. */
  readonly warmUp: number;
  readonly requestsEach: number;
  /** How many times as many ours answers. */
  readonly times: number;
  readonly rounds: number;
}

export const beside: BenchCase<Size> = {
  name: "beside",
  smoke: { connections: [2], warmUp: 5, requestsEach: 5, times: 1, rounds: 1 },
  full: { connections: [1, 16, 64], warmUp: 1_000, requestsEach: 20, times: 20, rounds: 3 },
  run: (size) =>
    withLedger(async (ours) => {
      const other = await openOther();
      try {
        return await compare(await Side.begin("ours", ours), await Side.begin("other", other), size);
      } finally {
        await other.stop();
      }
    }),
};

type Asked = Pick<BenchLedger, "client" | "party"> & { readonly node: { readonly port: number } };

async function openOther(): Promise<Asked & { stop(): Promise<void> }> {
  const address = text("LEDGERLINE_BESIDE");
  if (address === undefined) return startBenchLedger();
  const { hostname, port: given } = new URL(address),
    port = Number(given);
  if (hostname !== "127.0.0.1") throw new Error(`LEDGERLINE_BESIDE=${address}: load is sent to 127.0.0.1 only`);
  const client = new Client(port, 1);
  return { node: { port }, client, party: await makeReady(client, `bench-${Date.now()}`), stop: async () => client.close() };
}

/** One of the two, with a contract to exercise choices of. */
class Side {
  #commands = 0;

  private constructor(
    readonly name: string,
    readonly ledger: Asked,
    readonly contractId: string,
  ) {}

  static async begin(name: string, ledger: Asked): Promise<Side> {
    const reply = await expect(
      ledger.client.post("/v2/commands/submit-and-wait-for-transaction", { commands: create(ledger.party, `${name}-first`) }),
    );
    return new Side(name, ledger, reply.json().transaction.events[0].CreatedEvent.contractId as string);
  }

  readonly kinds: Readonly<Record<string, () => Buffer>> = {
    create: () => this.#submit((id) => create(this.ledger.party, id)),
    exercise: () => this.#submit((id) => exercise(this.ledger.party, id, this.contractId, "GetAmount", {})),
    "active contracts, up to 100": () =>
      httpRequest("POST", "/v2/state/active-contracts?limit=100", JSON.stringify(activeContractsRequest(this.ledger.party, 0, this.end))),
  };
  /** Of the ledger when the lists are asked for. */
  end = 0;

  async load(kind: string, connections: number, requests: number): Promise<{ readonly perSecond: number; readonly p50: number }> {
    const { port } = this.ledger.node;
    this.end = (await expect(this.ledger.client.get("/v2/state/ledger-end"))).json().offset as number;
    const { seconds, failures, latencyMs } = await runLoad({ port, connections, requests, next: this.kinds[kind]! });
    if (failures > 0) throw new Error(`${this.name}: ${failures} of ${requests} requests failed (${kind})`);
    return { perSecond: requests / seconds, p50: latencyMs.p50 };
  }

  #submit(command: (commandId: string) => object): Buffer {
    return httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(command(`${this.name}-${++this.#commands}`)));
  }
}

async function compare(
  ours: Side,
  other: Side,
  { connections, warmUp, requestsEach, times, rounds, pace }: Size & Paced,
): Promise<readonly BenchRow[]> {
  const most = Math.max(...connections),
    rows: BenchRow[] = [];
  for (const kind of Object.keys(ours.kinds)) {
    await ours.load(kind, most, warmUp * times);
    await other.load(kind, most, warmUp);
    for (const count of connections) {
      const requests = requestsEach * count;
      const samples = { ours: [] as number[], other: [] as number[], oursMs: [] as number[], otherMs: [] as number[] };
      for (let round = 0; round < rounds; round++) {
        pace.look();
        const one = await ours.load(kind, count, requests * times),
          two = await other.load(kind, count, requests);
        samples.ours.push(one.perSecond);
        samples.oursMs.push(one.p50);
        samples.other.push(two.perSecond);
        samples.otherMs.push(two.p50);
      }
      const value = median(samples.ours),
        reference = median(samples.other);
      rows.push({
        case: `${kind}, ${count} connection${count === 1 ? "" : "s"}`,
        value,
        unit: "/s",
        reference: { value: reference, times: value / reference },
        note: `half of them in ${median(samples.oursMs).toFixed(2)} ms, there in ${median(samples.otherMs).toFixed(2)}`,
      });
    }
  }
  return rows;
}
