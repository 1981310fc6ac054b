/** How fast are pages of 200 updates or active contracts, beside copying the same bytes from LMDB to the socket? */
import type { BenchCase, BenchRow } from "./support/bench.js";
import { startCeiling } from "./support/ceiling.js";
import { create, expect, startBenchLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import { medianSeconds } from "./support/rounds.js";

interface Size { readonly transactions: number; readonly pages: number; readonly connections: number; readonly rounds: number }
const pageElements = 200;

export const list: BenchCase<Size> = {
  name: "list",
  smoke: { transactions: 400, pages: 20, connections: 2, rounds: 1 },
  full: { transactions: 10_000, pages: 2_000, connections: 16, rounds: 5 },
  async run(size) {
    const ledger = await startBenchLedger();
    try {
      await fill(ledger, size.transactions);
      return [...await measure(ledger, size, "updates", "/v2/updates", updatesRequest), ...await measure(ledger, size, "active contracts", "/v2/state/active-contracts", activeContractsRequest)];
    } finally {
      await ledger.stop();
    }
  },
};

async function fill(ledger: BenchLedger, transactions: number): Promise<void> {
  let command = 0;
  await runLoad({ port: ledger.node.port, connections: 64, requests: transactions, next: () => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(ledger.party, `fill-${++command}`))) });
}

const eventFormat = (party: string): object => ({ filtersByParty: { [party]: { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }] } }, verbose: true });
const updatesRequest = (party: string, from: number, end: number): object => ({ beginExclusive: from, endInclusive: end, updateFormat: { includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: eventFormat(party) } } });
const activeContractsRequest = (party: string, _from: number, end: number): object => ({ activeAtOffset: end, eventFormat: eventFormat(party) });

async function measure(ledger: BenchLedger, size: Size, name: string, path: string, request: (party: string, from: number, end: number) => object): Promise<BenchRow[]> {
  const end = (await ledger.client.get("/v2/state/ledger-end")).json().offset as number;
  const next = (): Buffer => httpRequest("POST", `${path}?limit=${pageElements}`, JSON.stringify(request(ledger.party, Math.floor(Math.random() * (end - pageElements)), end)));
  const sample = await expect(ledger.client.post(`${path}?limit=${pageElements}`, request(ledger.party, 0, end)));
  const elementBytes = Math.round(sample.bytes.length / (sample.json() as unknown[]).length);
  const ceiling = await startCeiling({ puts: 0, putBytes: 0, elements: size.transactions, elementBytes });
  const load = (port: number, body: () => Buffer) => async (): Promise<void> => {
    const result = await runLoad({ port, connections: size.connections, requests: size.pages, next: body });
    if (result.failures > 0) throw new Error(`${result.failures} pages failed`);
  };
  try {
    const seconds = await medianSeconds(size.rounds, {
      ceiling: load(ceiling.port, () => httpRequest("POST", "/list", JSON.stringify({ from: Math.floor(Math.random() * (size.transactions - pageElements)) }))),
      ledger: load(ledger.node.port, next),
    });
    const value = size.pages / seconds.ledger!;
    const bare = size.pages / seconds.ceiling!;
    return [{ case: `${name}, pages of ${pageElements}`, value, unit: "/s", ceiling: { value: bare, ratio: value / bare }, note: `${elementBytes} bytes an element, ${size.connections} connections` }];
  } finally {
    await ceiling.stop();
  }
}
