/**
 * How fast do all updates and all active contracts come over a WebSocket, beside sending the same bytes from LMDB? And how soon do those
 * who follow hear of a command?
 */
import type { BenchCase, BenchRow } from "./support/bench.js";
import { commandPuts, withCeiling } from "./support/ceiling.js";
import { create, type BenchLedger, expect, withLedger } from "./support/ledger.js";
import type { Paced } from "./support/pace.js";
import { median, quantile } from "./support/quantile.js";
import { activeContractsRequest, fill, ledgerEnd, type ReadRequest, updateFormat, updatesRequest } from "./support/reads.js";
import { medianSeconds } from "./support/rounds.js";
import { countFrames, Tail } from "./support/stream.js";

interface Size {
  /** Rising: of the first the node has all records in memory, of the last it has not. */
  readonly transactions: readonly number[];
  readonly rounds: number;
  readonly tails: readonly number[];
  /** Commands that they hear of, one after the other. */
  readonly news: number;
}

export const stream: BenchCase<Size> = {
  name: "stream",
  smoke: { transactions: [400], rounds: 1, tails: [2], news: 5 },
  full: { transactions: [10_000, 60_000], rounds: 5, tails: [1, 100, 1_000], news: 300 },
  run: (size) =>
    withLedger(async (ledger) => {
      const rows: BenchRow[] = [];
      let stored = 0;
      for (const transactions of size.transactions) {
        await fill(ledger, transactions - stored);
        stored = transactions;
        for (const streamed of kinds) rows.push(await history(ledger, size, streamed));
      }
      for (const tails of size.tails) rows.push(await news(ledger, size, tails));
      return rows;
    }),
};

interface Streamed {
  readonly name: string;
  readonly path: string;
  readonly request: ReadRequest;
}

const kinds: readonly Streamed[] = [
  { name: "updates", path: "/v2/updates", request: updatesRequest },
  { name: "active contracts", path: "/v2/state/active-contracts", request: activeContractsRequest },
];

async function history(ledger: BenchLedger, size: Size & Paced, { name, path, request }: Streamed): Promise<BenchRow> {
  const asked = JSON.stringify(request(ledger.party, 0, await ledgerEnd(ledger))),
    sample = await expect(ledger.client.post(`${path}?limit=1`, asked)),
    elementBytes = sample.bytes.length - "[]".length,
    elements = await countFrames(ledger.node.port, path, asked);
  const all = (port: number, where: string) => async (): Promise<void> => {
    const frames = await countFrames(port, where, asked);
    if (frames !== elements) throw new Error(`${frames} frames instead of ${elements}`);
  };
  return withCeiling({ ...commandPuts, elements, elementBytes }, async (ceiling) => {
    const seconds = await medianSeconds(size, { ceiling: all(ceiling.port, "/stream"), ledger: all(ledger.node.port, path) }),
      value = elements / seconds["ledger"]!,
      bare = elements / seconds["ceiling"]!;
    return {
      case: `${elements.toLocaleString("en")} ${name} over a WebSocket`,
      value,
      unit: "/s",
      ceiling: { value: bare, ratio: value / bare },
      note: `${elementBytes} bytes an element, 1 connection`,
    };
  });
}

/** From when a command is sent until the last of them has its update; to take it from so many sockets is the client's work. */
async function news(ledger: BenchLedger, { news: commands, pace }: Size & Paced, count: number): Promise<BenchRow> {
  const asked = JSON.stringify({ beginExclusive: await ledgerEnd(ledger), updateFormat: updateFormat(ledger.party) }),
    tails = await Promise.all(Array.from({ length: count }, () => Tail.open(ledger.node.port, "/v2/updates", asked)));
  const heardMs: number[] = [],
    answeredMs: number[] = [];
  pace.look();
  for (let command = 1; command <= commands; command++) {
    const began = performance.now(),
      heard = Promise.all(tails.map((tail) => tail.until(command)));
    await expect(ledger.client.post("/v2/commands/submit-and-wait", create(ledger.party, `news-${count}-${command}`)));
    answeredMs.push(performance.now() - began);
    await heard;
    heardMs.push(performance.now() - began);
  }
  for (const tail of tails) tail.close();
  return {
    case: `an update at the last of ${count.toLocaleString("en")} that follow`,
    value: median(heardMs),
    unit: "ms",
    note: `99 of 100 ${quantile(heardMs, 0.99).toFixed(2)} ms; the command's answer ${median(answeredMs).toFixed(2)} ms at the median`,
  };
}
