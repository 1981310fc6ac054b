import type { EmptyCase } from "./common.js";
import type { Identifier } from "./scalars.js";

export type TransactionShapeName = "TRANSACTION_SHAPE_UNSPECIFIED" | "TRANSACTION_SHAPE_ACS_DELTA" | "TRANSACTION_SHAPE_LEDGER_EFFECTS";

export interface EventFormat {
  readonly filtersByParty?: Readonly<Record<string, Filters>>;
  readonly filtersForAnyParty?: Filters | null;
  readonly verbose?: boolean;
}

export interface Filters {
  readonly cumulative?: readonly CumulativeFilter[];
}

export interface CumulativeFilter {
  readonly identifierFilter?: IdentifierFilter;
}

export interface InterfaceFilterCase {
  readonly InterfaceFilter: InterfaceFilter;
}
export interface TemplateFilterCase {
  readonly TemplateFilter: TemplateFilter;
}
export interface WildcardFilterCase {
  readonly WildcardFilter: WildcardFilter;
}
export type IdentifierFilter = EmptyCase | InterfaceFilterCase | TemplateFilterCase | WildcardFilterCase;

export interface WildcardFilter {
  readonly value: WildcardFilterValue;
}

export interface WildcardFilterValue {
  readonly includeCreatedEventBlob?: boolean;
}

export interface TemplateFilter {
  readonly value: TemplateFilterValue;
}

export interface TemplateFilterValue {
  readonly templateId?: Identifier | null;
  readonly includeCreatedEventBlob?: boolean;
}

export interface InterfaceFilter {
  readonly value: InterfaceFilterValue;
}

export interface InterfaceFilterValue {
  readonly interfaceId?: Identifier | null;
  readonly includeInterfaceView?: boolean;
  readonly includeCreatedEventBlob?: boolean;
}

export interface TransactionFilter {
  readonly filtersByParty?: Readonly<Record<string, Filters>>;
  readonly filtersForAnyParty?: Filters | null;
}

export interface TransactionFormat {
  readonly eventFormat?: EventFormat | null;
  readonly transactionShape: TransactionShapeName;
}

export interface UpdateFormat {
  readonly includeTransactions?: TransactionFormat | null;
  readonly includeReassignments?: EventFormat | null;
  readonly includeTopologyEvents?: TopologyFormat | null;
}

export interface TopologyFormat {
  readonly includeParticipantAuthorizationEvents?: ParticipantAuthorizationTopologyFormat | null;
}

export interface ParticipantAuthorizationTopologyFormat {
  readonly parties?: readonly string[];
}
