/** What readers ask for, as the Ledger API has it. */
import type { GrowingBytes } from "../../base/growing-bytes.js";
import type { LedgerErrorData, Party, TransactionShape } from "../model/index.js";

/** Filters as the Ledger API has them; the ledger resolves package names at stream start. */
export interface EventFormatRequest {
  readonly filtersByParty: Readonly<Record<Party, FiltersRequest>>;
  readonly filtersForAnyParty: FiltersRequest | undefined;
  readonly verbose: boolean;
}
export interface FiltersRequest {
  readonly cumulative: readonly FilterRequest[];
}
/** Ids that are missing are faults of the format, told in the order of the others. */
export type FilterRequest =
  | { readonly kind: "empty" }
  | { readonly kind: "wildcard"; readonly includeCreatedEventBlob: boolean }
  | { readonly kind: "template"; readonly templateId: string | undefined; readonly includeCreatedEventBlob: boolean }
  | {
      readonly kind: "interface";
      readonly interfaceId: string | undefined;
      readonly includeInterfaceView: boolean;
      readonly includeCreatedEventBlob: boolean;
    };

export interface UpdateFormatRequest {
  readonly includeTransactions: { readonly eventFormat: EventFormatRequest; readonly shape: TransactionShape } | undefined;
  readonly includeReassignments: EventFormatRequest | undefined;
  readonly includeTopologyEvents: { readonly parties: readonly Party[] } | undefined;
}

/** A format, or what is wrong with it: that is told behind what is wrong with the rest of the request. */
export type GivenFormat = UpdateFormatRequest | { readonly unreadable: LedgerErrorData };

/** Whether the record of an update has all that such a format asks for. */
export function isInRecords({ includeTransactions }: UpdateFormatRequest): boolean {
  const { filtersByParty = {}, filtersForAnyParty } = includeTransactions?.eventFormat ?? {};
  return [...Object.values(filtersByParty), ...(filtersForAnyParty === undefined ? [] : [filtersForAnyParty])].every(({ cumulative }) =>
    cumulative.every(
      (filter) =>
        filter.kind === "empty" || (!filter.includeCreatedEventBlob && (filter.kind !== "interface" || !filter.includeInterfaceView)),
    ),
  );
}

/** What an element of an updates stream is wrapped as: `/v2/updates`, or the deprecated flat and tree forms. */
export type UpdateElementForm = "update" | "flat" | "tree";

/** A read names its request's trace where something of an answer could not be had. */
export interface Traced {
  readonly traceId?: string;
}

/** Where a page is written; whoever asks for it gives that back. */
export interface PageMemory {
  readonly bytes: GrowingBytes;
  /** Whether a page that has so many bytes should be over, for others' sake. */
  isShortFor(bytes: number): boolean;
}

/** A page that may take long to find: the signal, asked for when it does, aborts when nobody will take it. */
export interface Taken {
  readonly taker?: () => AbortSignal;
  readonly memory?: PageMemory;
}
