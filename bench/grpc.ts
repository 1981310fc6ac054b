/** How much of what the JSON API does is done over gRPC, by the same node: durable creates, one at a time and many, and all updates. */
import { freePort } from "../test/support/ports.js";
import { ledgerMethod, ReflectedClient } from "../test/grpc/reflected-client.js";
import type { BenchCase, BenchRow } from "./support/bench.js";
import { countMessages, runCalls } from "./support/grpc-load.js";
import { type BenchLedger, create, withLedger } from "./support/ledger.js";
import { httpRequest, type LoadResult, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { fill, ledgerEnd, updatesRequest } from "./support/reads.js";
import { medianSeconds } from "./support/rounds.js";
import { countFrames } from "./support/stream.js";

interface Size {
  readonly calls: readonly number[];
  readonly requests: number;
  readonly rounds: number;
  /** Requests of each kind before the first is timed. */
  readonly warmUp: number;
  readonly transactions: number;
}

interface Measured extends Size, Paced {
  readonly ledger: BenchLedger;
  readonly port: number;
  readonly client: ReflectedClient;
}

export const grpc: BenchCase<Size> = {
  name: "grpc",
  smoke: { calls: [4], requests: 40, rounds: 1, warmUp: 40, transactions: 100 },
  full: { calls: [1, 64], requests: 4_000, rounds: 5, warmUp: 20_000, transactions: 10_000 },
  run: async (size) => {
    const port = await freePort();
    return withLedger(
      async (ledger) => {
        const client = await ReflectedClient.connect(port);
        try {
          const measured: Measured = { ...size, ledger, port, client };
          return [await updates(measured), ...(await creates(measured))];
        } finally {
          client.close();
        }
      },
      { flags: ["--grpc-port", String(port)] },
    );
  },
};

const submit = ledgerMethod("CommandService", "SubmitAndWait"),
  getUpdates = ledgerMethod("UpdateService", "GetUpdates");

async function creates({ calls, requests, rounds, warmUp, pace, ledger, port, client }: Measured): Promise<BenchRow[]> {
  let command = 0;
  const message = numbered(client.encoded(submit, createOver(ledger.party, unnumbered))),
    next = (): Buffer => message(++command),
    nextJson = (): Buffer => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(ledger.party, `json-${++command}`)));
  const over = async (load: Promise<LoadResult>): Promise<void> => {
    const { failures } = await load;
    if (failures > 0) throw new Error(`${failures} creates failed`);
  };
  const both = (count: number, total: number) => ({
    json: () => over(runLoad({ port: ledger.node.port, connections: count, requests: total, next: nextJson })),
    grpc: () => over(runCalls({ port, path: `/${submit}`, calls: count, requests: total, next })),
  });
  const warming = both(Math.max(...calls), warmUp);
  await warming.json();
  await warming.grpc();
  const rows: BenchRow[] = [];
  for (const count of calls) {
    const total = count === 1 ? Math.ceil(requests / 8) : requests,
      seconds = await medianSeconds({ rounds, pace }, both(count, total));
    rows.push(row(`create, ${count} at a time`, total, seconds));
  }
  return rows;
}

async function updates({ transactions, rounds, pace, ledger, port, client }: Measured): Promise<BenchRow> {
  await fill(ledger, transactions);
  const end = await ledgerEnd(ledger),
    asked = JSON.stringify(updatesRequest(ledger.party, 0, end)),
    message = client.encoded(getUpdates, updatesOver(ledger.party, end)),
    elements = await countFrames(ledger.node.port, "/v2/updates", asked);
  const all = (count: () => Promise<number>) => async (): Promise<void> => {
    const counted = await count();
    if (counted !== elements) throw new Error(`${counted} updates instead of ${elements}`);
  };
  const seconds = await medianSeconds(
    { rounds, pace },
    {
      json: all(() => countFrames(ledger.node.port, "/v2/updates", asked)),
      grpc: all(() => countMessages(port, `/${getUpdates}`, message)),
    },
  );
  return row("updates, all of a stream", elements, seconds);
}

function row(name: string, count: number, seconds: Readonly<Record<string, number>>): BenchRow {
  const value = count / seconds["grpc"]!,
    json = count / seconds["json"]!;
  return { case: name, value, unit: "/s", ceiling: { value: json, ratio: value / json }, note: "the ceiling is the JSON API" };
}

const unnumbered = "grpc-0000000";

/** The message with another number in its command's id: to write all of it again would be much of the client's work. */
function numbered(message: Buffer): (number: number) => Buffer {
  const at = message.indexOf(unnumbered);
  return (number) => {
    const copy = Buffer.from(message);
    copy.write(String(number).padStart(7, "0"), at + "grpc-".length, "latin1");
    return copy;
  };
}

const updatesOver = (party: string, end: number): object => ({
  endInclusive: end,
  updateFormat: {
    includeTransactions: {
      eventFormat: { filtersByParty: { [party]: {} }, verbose: true },
      transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
    },
  },
});

const createOver = (party: string, commandId: string): object => ({
  commands: {
    userId: "bench",
    commandId,
    actAs: [party],
    commands: [
      {
        create: {
          templateId: { packageId: "#ref-model", moduleName: "M", entityName: "Asset" },
          createArguments: {
            fields: [
              { label: "issuer", value: { party } },
              { label: "owner", value: { party } },
              { label: "name", value: { text: "gold" } },
              { label: "amount", value: { int64: 100 } },
            ],
          },
        },
      },
    ],
  },
});
