/** What clients of a registry send and get. */
import type { ChoiceContext as DomainContext, Instrument as DomainInstrument, RegistryInfo } from "../../splice/index.js";

export interface GetChoiceContextRequest {
  readonly meta?: Readonly<Record<string, string>> | null;
  readonly excludeDebugFields?: boolean | null;
}

export interface GetFactoryRequest {
  readonly choiceArguments: object;
  readonly excludeDebugFields?: boolean | null;
}

export type ChoiceContext = DomainContext;

export interface FactoryWithChoiceContext {
  readonly factoryId: string;
  readonly choiceContext: ChoiceContext;
}

export interface TransferFactoryWithChoiceContext extends FactoryWithChoiceContext {
  readonly transferKind: "self" | "direct" | "offer";
}

export type GetRegistryInfoResponse = RegistryInfo;
/** With what operators of other registries may tell of a token; nothing here is ever paused. */
export interface Instrument extends DomainInstrument {
  readonly pauseInfo?: { readonly reason?: string; readonly until?: string };
  readonly accountInputFieldsToShow?: readonly ("provider" | "accountId")[];
}
export interface ListInstrumentsResponse {
  readonly instruments: readonly Instrument[];
  readonly nextPageToken?: string;
}
