/**
 * What do transactions take that are not small: of a hundred contracts, by commands or by a choice, and a transfer of Amulet by the token
 * standard, for which a wallet asks the registry? The latter needs the public DARs (`LEDGERLINE_REAL_DARS`).
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generations, missing, RealNetwork } from "../test/splice/real-network.js";
import { TransferLane } from "../test/splice/real-transfers.js";
import { testData } from "../test/support/paths.js";
import type { BenchCase, BenchRow } from "./support/bench.js";
import { commandPuts, withCeiling } from "./support/ceiling.js";
import { contractsPerTransaction, create, exercise, expect, withLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { microsSince, processorTimes } from "./support/processor.js";
import { medianSeconds } from "./support/rounds.js";

interface Size {
  readonly connections: readonly number[];
  readonly transactions: number;
  readonly rounds: number;
  /** One after the other, in each lane. */
  readonly transfers: number;
  readonly lanes: readonly number[];
}

export const transactions: BenchCase<Size> = {
  name: "transactions",
  smoke: { connections: [2], transactions: 4, rounds: 1, transfers: 2, lanes: [1] },
  full: { connections: [1, 16], transactions: 400, rounds: 5, transfers: 300, lanes: [1, 4] },
  run: async (size) => [...(await ofHundred(size)), ...(await ofAmulet(size))],
};

/** Each contract has the puts of a create; the ceiling answers when all are flushed. */
function ofHundred(size: Size & Paced): Promise<BenchRow[]> {
  const { puts, bytes } = commandPuts.create,
    work = { puts: puts * contractsPerTransaction, bytes };
  return withLedger((ledger) =>
    withCeiling({ create: work, exercise: work, elements: 0, elementBytes: 0 }, ({ port }) => measureHundred(ledger, port, size)),
  );
}

async function measureHundred(
  ledger: BenchLedger,
  ceilingPort: number,
  { connections, transactions: requests, ...rounds }: Size & Paced,
): Promise<BenchRow[]> {
  const choice = await choiceOfMany(ledger),
    rows: BenchRow[] = [];
  for (const count of connections) {
    const load = (port: number, next: () => Buffer) => async (): Promise<void> => {
      const { failures } = await runLoad({ port, connections: count, requests, next });
      if (failures > 0) throw new Error(`${failures} of ${requests} transactions failed`);
    };
    const seconds = await medianSeconds(rounds, {
      ceiling: load(ceilingPort, requestOf("/create", commandsOfMany(ledger))),
      commands: load(ledger.node.port, requestOf(submitPath, commandsOfMany(ledger))),
      choice: load(ledger.node.port, requestOf(submitPath, choice)),
    });
    const most = requests / seconds["ceiling"]!;
    for (const name of ["commands", "choice"] as const) {
      const value = requests / seconds[name]!;
      rows.push({
        case: `${contractsPerTransaction} creates by ${name}, ${count} connection${count === 1 ? "" : "s"}`,
        value,
        unit: "/s",
        ceiling: { value: most, ratio: value / most },
      });
    }
  }
  return rows;
}

const submitPath = "/v2/commands/submit-and-wait";
let commands = 0;
const requestOf = (path: string, command: (commandId: string) => object) => (): Buffer =>
  httpRequest("POST", path, JSON.stringify(command(`transactions-${++commands}`)));

const commandsOfMany =
  ({ party }: BenchLedger) =>
  (commandId: string): object => {
    const one = create(party, commandId) as { readonly commands: readonly unknown[] };
    return { ...one, commands: new Array(contractsPerTransaction).fill(one.commands[0]) };
  };

/** Of a contract that is there. */
async function choiceOfMany({ client, party }: BenchLedger): Promise<(commandId: string) => object> {
  await expect(client.post("/v2/dars", readFileSync(testData("engine", "dars", "bench-2.1.dar"))));
  const templateId = "#bench:Bench:Main",
    made = { commands: [{ CreateCommand: { templateId, createArguments: { p: party } } }], commandId: "main", actAs: [party] };
  const reply = await expect(client.post("/v2/commands/submit-and-wait-for-transaction", { commands: { ...made, userId: "bench" } })),
    contractId = reply.json().transaction.events[0].CreatedEvent.contractId as string;
  return (commandId) => exercise(party, commandId, contractId, "CreateMany", { n: String(contractsPerTransaction) }, templateId);
}

async function ofAmulet({ transfers, lanes, pace }: Size & Paced): Promise<BenchRow[]> {
  const packages = generations.findLast((generation) => missing(generation) === false) ?? generations[0]!,
    absent = missing(packages),
    name = (count: number): string => `Amulet: offered and accepted, ${count} at a time`;
  if (absent !== false) return lanes.map((count) => ({ case: name(count), value: 0, unit: "/s", unmeasured: absent }));
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-bench-"));
  try {
    const net = await RealNetwork.start(packages, ["--data", join(folder, "data")], "unchecked");
    try {
      const all = await Promise.all(Array.from({ length: Math.max(...lanes) }, (_, lane) => TransferLane.begin(net, `holder${lane}`)));
      const run = (count: number): Promise<unknown> => Promise.all(all.slice(0, count).map((lane) => lane.run(transfers)));
      await run(all.length); // a warm-up
      const rows: BenchRow[] = [];
      for (const count of lanes) {
        pace.look();
        const pid = net.node.child.pid!,
          before = processorTimes(pid),
          beganMs = performance.now();
        await run(count);
        const ms = (performance.now() - beganMs) / transfers,
          micros = microsSince(before, pid);
        rows.push({
          case: name(count),
          value: (count / ms) * 1_000,
          unit: "/s",
          note: `${ms.toFixed(1)} ms for the four requests of each, ${micros === undefined ? "?" : Math.round(micros / transfers / count)} µs of the processor`,
        });
      }
      return rows;
    } finally {
      await net.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
