/** What readers ask for, of one party. */
import { create, type BenchLedger } from "./ledger.js";
import { httpRequest, runLoad } from "./load.js";

/** `from`, `end`: offsets. */
export type ReadRequest = (party: string, from: number, end: number) => object;

export const eventFormat = (party: string): object => ({
  filtersByParty: { [party]: { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }] } },
  verbose: true,
});

export const updateFormat = (party: string): object => ({
  includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: eventFormat(party) },
});

export const updatesRequest: ReadRequest = (party, from, end) => ({
  beginExclusive: from,
  endInclusive: end,
  updateFormat: updateFormat(party),
});

export const activeContractsRequest: ReadRequest = (party, _from, end) => ({ activeAtOffset: end, eventFormat: eventFormat(party) });

export const ledgerEnd = async ({ client }: BenchLedger): Promise<number> =>
  (await client.get("/v2/state/ledger-end")).json().offset as number;

let command = 0;

/** With so many more transactions of one contract. */
export async function fill(ledger: BenchLedger, transactions: number): Promise<void> {
  const next = (): Buffer => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(ledger.party, `fill-${++command}`)));
  const { failures } = await runLoad({ port: ledger.node.port, connections: 64, requests: transactions, next });
  if (failures > 0) throw new Error(`${failures} of ${transactions} transactions failed`);
}
