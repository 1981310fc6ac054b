/**
 * What the token standard shows of the ledger: holdings, transfers and allocations that are active, of one party or of all that may be
 * seen.
 */
import type { CumulativeFilter } from "../../api/ledger/types/formats.js";
import type { GetActiveContractsRequest, GetLedgerEndResponse, JsGetActiveContractsResponse } from "../../api/ledger/types/state.js";
import type { PackageSummaryEntry } from "../../api/node/types/packages.js";
import { openStream } from "../client/stream.js";
import {
  type Allocation,
  type AllocationRequest,
  type Holding,
  idOf,
  interfaces,
  type Token,
  tokenOf,
  type Transfer,
} from "../daml/token-standard.js";
import { client, eventFormat } from "./session.js";

export interface Tokens {
  readonly offset: number;
  readonly holdings: readonly Holding[];
  readonly transfers: readonly Transfer[];
  readonly allocations: readonly Allocation[];
  readonly requests: readonly AllocationRequest[];
  /** There are more than are read at once. */
  readonly isCut: boolean;
}

/** Views are computed for each contract; more are not asked for at once. */
export const tokensMax = 20_000;

/** A filter by an interface that no package of its name has is refused. */
const known = (packages: ReadonlyMap<string, PackageSummaryEntry>) => {
  const declared = new Set(
    [...packages.values()].flatMap(({ packageName, interfaces: names }) => names.map((name) => `#${packageName}:${name}`)),
  );
  return interfaces.filter((one) => declared.has(idOf(one)));
};

/** Where no package of the standard is there is nothing to show. */
export const knowsTokens = (packages: ReadonlyMap<string, PackageSummaryEntry>): boolean => known(packages).length > 0;

export async function readTokens(packages: ReadonlyMap<string, PackageSummaryEntry>, party: string | undefined): Promise<Tokens> {
  const offset = (await client.get<GetLedgerEndResponse>("/v2/state/ledger-end")).offset ?? 0;
  const filters = known(packages).map((one): CumulativeFilter => ({
    identifierFilter: { InterfaceFilter: { value: { interfaceId: idOf(one), includeInterfaceView: true } } },
  }));
  const found: Token[] = [],
    request: GetActiveContractsRequest = { activeAtOffset: offset, eventFormat: eventFormat(party, filters) };
  let isCut = false;
  if (filters.length > 0)
    await new Promise<void>((resolve, reject) => {
      const stream = openStream<JsGetActiveContractsResponse>(client, "/v2/state/active-contracts", request, {
        onElement: ({ contractEntry }) => {
          const token = contractEntry && "JsActiveContract" in contractEntry ? tokenOf(contractEntry.JsActiveContract) : undefined;
          if (token) found.push(token);
          if (found.length < tokensMax) return;
          isCut = true;
          stream.close();
          resolve();
        },
        onEnd: (failure) => {
          if (failure) reject(failure);
          else resolve();
        },
      });
    });
  const of = <P extends Token["part"]>(part: P) => found.filter((token): token is Extract<Token, { part: P }> => token.part === part);
  return { offset, isCut, holdings: of("holding"), transfers: of("transfer"), allocations: of("allocation"), requests: of("request") };
}
