/**
 * How fast are pages of 200 updates or active contracts, and a stream of updates, beside copying the same bytes from LMDB to
 * the socket? And does a page of active contracts cost the same however many there are, and however many were archived since
 * its offset?
 */
import type { BenchCase, BenchRow } from "./support/bench.js";
import { commandPuts, withCeiling } from "./support/ceiling.js";
import { contractsPerTransaction, create, createMany, expect, template, type BenchLedger, withLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import { medianSeconds } from "./support/rounds.js";
import { countFrames } from "./support/stream.js";

interface Size {
  readonly transactions: number;
  readonly pages: number;
  readonly connections: number;
  readonly rounds: number;
  /** Rising. */
  readonly activeContracts: readonly number[];
  readonly archivedContracts: number;
  /** Pages read for one figure of those. */
  readonly pagesEach: number;
}
const pageElements = 200;
/** The smallest size of the full form has ten of these. */
const smallPageElements = 100,
  pagesToTenth = 9;

export const list: BenchCase<Size> = {
  name: "list",
  smoke: { transactions: 400, pages: 20, connections: 2, rounds: 1, activeContracts: [1_000], archivedContracts: 400, pagesEach: 10 },
  full: {
    transactions: 10_000,
    pages: 2_000,
    connections: 16,
    rounds: 5,
    activeContracts: [1_000, 100_000, 1_000_000],
    archivedContracts: 100_000,
    pagesEach: 300,
  },
  async run(size) {
    return [
      ...(await withLedger((ledger) => besideCeiling(ledger, size))),
      ...(await withLedger((ledger) => bySize(ledger, size))),
      ...(await withLedger((ledger) => atEarlierOffset(ledger, size))),
    ];
  },
};

async function besideCeiling(ledger: BenchLedger, size: Size): Promise<BenchRow[]> {
  await fill(ledger, size.transactions);
  return [
    ...(await measure(ledger, size, "updates", "/v2/updates", updatesRequest)),
    ...(await measure(ledger, size, "active contracts", "/v2/state/active-contracts", activeContractsRequest)),
    ...(await measureStream(ledger, size)),
  ];
}

async function fill(ledger: BenchLedger, transactions: number): Promise<void> {
  let command = 0;
  await runLoad({
    port: ledger.node.port,
    connections: 64,
    requests: transactions,
    next: () => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(ledger.party, `fill-${++command}`))),
  });
}

const eventFormat = (party: string): object => ({
  filtersByParty: { [party]: { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }] } },
  verbose: true,
});
const updatesRequest = (party: string, from: number, end: number): object => ({
  beginExclusive: from,
  endInclusive: end,
  updateFormat: { includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: eventFormat(party) } },
});
const activeContractsRequest = (party: string, _from: number, end: number): object => ({
  activeAtOffset: end,
  eventFormat: eventFormat(party),
});

async function measure(
  ledger: BenchLedger,
  size: Size,
  name: string,
  path: string,
  request: (party: string, from: number, end: number) => object,
): Promise<BenchRow[]> {
  const end = (await ledger.client.get("/v2/state/ledger-end")).json().offset as number;
  const next = (): Buffer =>
    httpRequest(
      "POST",
      `${path}?limit=${pageElements}`,
      JSON.stringify(request(ledger.party, Math.floor(Math.random() * (end - pageElements)), end)),
    );
  const sample = await expect(ledger.client.post(`${path}?limit=${pageElements}`, request(ledger.party, 0, end)));
  const elementBytes = Math.round(sample.bytes.length / (sample.json() as unknown[]).length);
  const load = (port: number, body: () => Buffer) => async (): Promise<void> => {
    const result = await runLoad({ port, connections: size.connections, requests: size.pages, next: body });
    if (result.failures > 0) throw new Error(`${result.failures} pages failed`);
  };
  return withCeiling({ ...commandPuts, elements: size.transactions, elementBytes }, async (ceiling) => {
    const seconds = await medianSeconds(size.rounds, {
      ceiling: load(ceiling.port, () =>
        httpRequest("POST", "/list", JSON.stringify({ from: Math.floor(Math.random() * (size.transactions - pageElements)) })),
      ),
      ledger: load(ledger.node.port, next),
    });
    const value = size.pages / seconds.ledger!;
    const bare = size.pages / seconds.ceiling!;
    return [
      {
        case: `${name}, pages of ${pageElements}`,
        value,
        unit: "/s",
        ceiling: { value: bare, ratio: value / bare },
        note: `${elementBytes} bytes an element, ${size.connections} connections`,
      },
    ];
  });
}

/** All updates over a WebSocket. */
async function measureStream(ledger: BenchLedger, size: Size): Promise<BenchRow[]> {
  const end = (await ledger.client.get("/v2/state/ledger-end")).json().offset as number;
  const request = JSON.stringify(updatesRequest(ledger.party, 0, end));
  const sample = await expect(ledger.client.post(`/v2/updates?limit=1`, request));
  const elements = await countFrames(ledger.node.port, "/v2/updates", request);
  const stream = (port: number, path: string) => async (): Promise<void> => {
    const frames = await countFrames(port, path, request);
    if (frames !== elements) throw new Error(`${frames} frames instead of ${elements}`);
  };
  return withCeiling({ ...commandPuts, elements, elementBytes: sample.bytes.length - 2 }, async (ceiling) => {
    const seconds = await medianSeconds(size.rounds, {
      ceiling: stream(ceiling.port, "/stream"),
      ledger: stream(ledger.node.port, "/v2/updates"),
    });
    const value = elements / seconds.ledger!,
      bare = elements / seconds.ceiling!;
    return [
      {
        case: "updates over a WebSocket",
        value,
        unit: "/s",
        ceiling: { value: bare, ratio: value / bare },
        note: `${sample.bytes.length - 2} bytes an element, 1 connection`,
      },
    ];
  });
}

async function bySize(ledger: BenchLedger, size: Size): Promise<BenchRow[]> {
  const rows: BenchRow[] = [],
    smallest = new Map<string, number>();
  let stored = 0;
  for (const contracts of size.activeContracts) {
    await createMany(ledger, contracts - stored);
    stored = contracts;
    for (const [name, pagesBefore] of [
      ["first", 0],
      ["tenth", pagesToTenth],
    ] as const) {
      const value = await pagesPerSecond(ledger, size, pagesBefore);
      if (!smallest.has(name)) smallest.set(name, value);
      rows.push({
        case: `${name} page of ${smallPageElements} of ${contracts.toLocaleString("en")} active contracts`,
        value,
        unit: "/s",
        note: `${(smallest.get(name)! / value).toFixed(2)} times the time of the smallest, 1 connection`,
      });
    }
  }
  return rows;
}

const ledgerEnd = async (ledger: BenchLedger): Promise<number> => (await ledger.client.get("/v2/state/ledger-end")).json().offset as number;

/** The same page before and after all its contracts, and those behind them, were archived. */
async function atEarlierOffset(ledger: BenchLedger, size: Size): Promise<BenchRow[]> {
  await createMany(ledger, size.archivedContracts);
  const offset = await ledgerEnd(ledger),
    ids = await contractIds(ledger, offset);
  const before = await pagesPerSecond(ledger, size, 0, offset);
  let command = 0;
  const archive = (): Buffer => {
    const commandId = `archive-${++command}`,
      some = ids.slice((command - 1) * contractsPerTransaction, command * contractsPerTransaction);
    const commands = some.map((contractId) => ({
      ExerciseCommand: { templateId: template, contractId, choice: "Archive", choiceArgument: {} },
    }));
    return httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify({ ...create(ledger.party, commandId), commands }));
  };
  const result = await runLoad({ port: ledger.node.port, connections: 16, requests: ids.length / contractsPerTransaction, next: archive });
  if (result.failures > 0) throw new Error(`${result.failures} transactions failed`);
  const after = await pagesPerSecond(ledger, size, 0, offset);
  return [
    {
      case: `first page of ${smallPageElements} at the offset before ${size.archivedContracts.toLocaleString("en")} archives`,
      value: after,
      unit: "/s",
      note: `${(before / after).toFixed(2)} times the time before them, 1 connection`,
    },
  ];
}

async function contractIds(ledger: BenchLedger, activeAtOffset: number): Promise<string[]> {
  const ids: string[] = [];
  for (let pageToken: string | undefined, isLast = false; !isLast;) {
    const page = (
      await expect(
        ledger.client.post("/v2/state/active-contracts-page", {
          activeAtOffset,
          maxPageSize: 10_000,
          eventFormat: eventFormat(ledger.party),
          ...(pageToken && { pageToken }),
        }),
      )
    ).json();
    for (const { contractEntry } of page.activeContracts) ids.push(contractEntry.JsActiveContract.createdEvent.contractId);
    pageToken = page.nextPageToken;
    isLast = !pageToken;
  }
  return ids;
}

async function pagesPerSecond(ledger: BenchLedger, { pagesEach, rounds }: Size, pagesBefore: number, offset?: number): Promise<number> {
  const activeAtOffset = offset ?? (await ledgerEnd(ledger));
  const path = "/v2/state/active-contracts-page";
  const request = (pageToken?: string): object => ({
    activeAtOffset,
    maxPageSize: smallPageElements,
    eventFormat: eventFormat(ledger.party),
    ...(pageToken && { pageToken }),
  });
  let token: string | undefined;
  for (let page = 0; page < pagesBefore; page++)
    token = (await expect(ledger.client.post(path, request(token)))).json().nextPageToken as string;
  const load = async (): Promise<void> => {
    const result = await runLoad({
      port: ledger.node.port,
      connections: 1,
      requests: pagesEach,
      next: () => httpRequest("POST", path, JSON.stringify(request(token))),
    });
    if (result.failures > 0) throw new Error(`${result.failures} pages failed`);
  };
  for (let round = 0; round < rounds; round++) await load(); // the first size would pay for the compiler
  return pagesEach / (await medianSeconds(rounds, { load })).load!;
}
