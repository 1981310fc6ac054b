/**
 * What do readers cost that do not read? Tails that wait for news (memory for each, and how long a command takes beside them),
 * and readers that are far behind and take little at a time (memory that the node keeps for them).
 */
import { readFileSync } from "node:fs";
import type net from "node:net";
import type { BenchCase, BenchRow } from "./support/bench.js";
import { create, expect, startBenchLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { openSocket } from "./support/stream.js";

interface Size {
  readonly tails: number;
  readonly slow: number;
  readonly transactions: number;
  readonly commands: number;
}

export const readers: BenchCase<Size> = {
  name: "readers",
  smoke: { tails: 2_000, slow: 10, transactions: 200, commands: 20 },
  full: { tails: 10_000, slow: 50, transactions: 20_000, commands: 500 },
  async run(size) {
    const ledger = await startBenchLedger();
    try {
      return [...(await idleTails(ledger, size)), ...(await slowReaders(ledger, size))];
    } finally {
      await ledger.stop();
    }
  },
};

const residentKb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
/** Small counts drown in what the node takes and gives back meanwhile. */
const eachKb = (growthKb: number, count: number): number => Math.max(growthKb / count, 0.1);
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_500));

const request = (party: string, beginExclusive: number): string =>
  JSON.stringify({
    beginExclusive,
    updateFormat: {
      includeTransactions: {
        transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
        eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: true },
      },
    },
  });

/** A socket that asks for updates from an offset on. `paused`: it takes nothing from the kernel after the handshake. */
async function openTail(port: number, party: string, beginExclusive: number, paused: boolean): Promise<net.Socket> {
  const socket = await openSocket(port, "/v2/updates", request(party, beginExclusive));
  return paused ? socket : socket.resume();
}

async function openMany(count: number, open: () => Promise<net.Socket>): Promise<net.Socket[]> {
  const sockets: net.Socket[] = [];
  while (sockets.length < count) sockets.push(...(await Promise.all(Array.from({ length: Math.min(100, count - sockets.length) }, open))));
  return sockets;
}

async function commandMillis(ledger: BenchLedger, commands: number, name: string): Promise<number> {
  let number = 0;
  const started = performance.now();
  await runLoad({
    port: ledger.node.port,
    connections: 1,
    requests: commands,
    next: () => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(ledger.party, `${name}-${++number}`))),
  });
  return (performance.now() - started) / commands;
}

async function idleTails(ledger: BenchLedger, size: Size & Paced): Promise<BenchRow[]> {
  const other = (await expect(ledger.client.post("/v2/parties", { partyIdHint: "quiet", identityProviderId: "" }))).json().partyDetails
    .party as string;
  await commandMillis(ledger, size.commands, "warm");
  const pid = ledger.node.child.pid!,
    end = (await ledger.client.get("/v2/state/ledger-end")).json().offset as number;
  size.pace.look();
  const alone = await commandMillis(ledger, size.commands, "alone"),
    before = residentKb(pid);
  const sockets = await openMany(size.tails, () => openTail(ledger.node.port, other, end, false));
  await settled();
  size.pace.look();
  const perTail = eachKb(residentKb(pid) - before, size.tails),
    beside = await commandMillis(ledger, size.commands, "beside");
  const alive = sockets.filter((socket) => !socket.destroyed).length;
  for (const socket of sockets) socket.destroy();
  if (alive !== size.tails) throw new Error(`${size.tails - alive} tails were lost`);
  return [
    { case: "memory of an idle tail", value: perTail, unit: "kB", note: `${size.tails} WebSockets, resident memory of the node` },
    { case: "a command beside idle tails", value: beside, unit: "ms", note: `${alone.toFixed(2)} ms without, 1 connection` },
  ];
}

async function slowReaders(ledger: BenchLedger, size: Size): Promise<BenchRow[]> {
  let number = 0;
  await runLoad({
    port: ledger.node.port,
    connections: 64,
    requests: size.transactions,
    next: () => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(ledger.party, `fill-${++number}`))),
  });
  await settled();
  const pid = ledger.node.child.pid!,
    before = residentKb(pid);
  const sockets = await openMany(size.slow, () => openTail(ledger.node.port, ledger.party, 0, true));
  await settled();
  const perReader = eachKb(residentKb(pid) - before, size.slow);
  for (const socket of sockets) socket.destroy();
  return [
    {
      case: "memory of a reader that stands still",
      value: perReader,
      unit: "kB",
      note: `${size.slow} WebSockets, ${size.transactions} updates behind`,
    },
  ];
}
