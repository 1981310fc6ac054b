/**
 * How fast are pages of 200 updates or active contracts, beside copying the same bytes from LMDB to the socket? And does a page of
 * active contracts cost the same however many there are, and however many were archived since its offset?
 */
import type { BenchCase, BenchRow } from "./support/bench.js";
import { commandPuts, withCeiling } from "./support/ceiling.js";
import { contractsPerTransaction, create, createMany, expect, template, type BenchLedger, withLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { activeContractsRequest, eventFormat, fill, ledgerEnd, type ReadRequest, updatesRequest } from "./support/reads.js";
import { medianSeconds } from "./support/rounds.js";

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
type Sized = Size & Paced;

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

async function besideCeiling(ledger: BenchLedger, size: Sized): Promise<BenchRow[]> {
  await fill(ledger, size.transactions);
  return [
    ...(await measure(ledger, size, "updates", "/v2/updates", updatesRequest)),
    ...(await measure(ledger, size, "active contracts", "/v2/state/active-contracts", activeContractsRequest)),
  ];
}

async function measure(ledger: BenchLedger, size: Sized, name: string, path: string, request: ReadRequest): Promise<BenchRow[]> {
  const end = await ledgerEnd(ledger);
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
    const seconds = await medianSeconds(size, {
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

async function bySize(ledger: BenchLedger, size: Sized): Promise<BenchRow[]> {
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

/** The same page before and after all its contracts, and those behind them, were archived. */
async function atEarlierOffset(ledger: BenchLedger, size: Sized): Promise<BenchRow[]> {
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

async function pagesPerSecond(
  ledger: BenchLedger,
  { pagesEach, rounds, pace }: Sized,
  pagesBefore: number,
  offset?: number,
): Promise<number> {
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
  return pagesEach / (await medianSeconds({ rounds, pace }, { load })).load!;
}
