import type { JsStatus } from "./common.js";
import type { EventFormat } from "./formats.js";
import type { DamlValue, Int32, Int64 } from "./scalars.js";

export interface ArchivedEventCase {
  readonly ArchivedEvent: ArchivedEvent;
}
export interface CreatedEventCase {
  readonly CreatedEvent: CreatedEvent;
}
export interface ExercisedEventCase {
  readonly ExercisedEvent: ExercisedEvent;
}
export type Event = ArchivedEventCase | CreatedEventCase | ExercisedEventCase;

export interface CreatedEvent {
  readonly offset: Int64;
  readonly nodeId: Int32;
  readonly contractId: string;
  readonly templateId: string;
  readonly contractKey?: DamlValue;
  readonly contractKeyHash?: string;
  readonly createArgument: DamlValue;
  readonly createdEventBlob?: string;
  readonly interfaceViews?: readonly JsInterfaceView[];
  readonly witnessParties: readonly string[];
  readonly signatories: readonly string[];
  readonly observers?: readonly string[];
  readonly createdAt: string;
  readonly packageName: string;
  readonly representativePackageId: string;
  readonly acsDelta: boolean;
}

export interface ArchivedEvent {
  readonly offset: Int64;
  readonly nodeId: Int32;
  readonly contractId: string;
  readonly templateId: string;
  readonly witnessParties: readonly string[];
  readonly packageName: string;
  readonly implementedInterfaces?: readonly string[];
}

export interface ExercisedEvent {
  readonly offset: Int64;
  readonly nodeId: Int32;
  readonly contractId: string;
  readonly templateId: string;
  readonly interfaceId?: string | null;
  readonly choice: string;
  readonly choiceArgument: DamlValue;
  readonly actingParties: readonly string[];
  readonly consuming: boolean;
  readonly witnessParties: readonly string[];
  readonly lastDescendantNodeId: Int32;
  readonly exerciseResult?: DamlValue;
  readonly packageName: string;
  readonly implementedInterfaces?: readonly string[];
  readonly acsDelta: boolean;
}

export interface JsInterfaceView {
  readonly interfaceId: string;
  readonly viewStatus: JsStatus;
  readonly viewValue?: DamlValue;
  readonly implementationPackageId?: string | null;
}

export interface GetEventsByContractIdRequest {
  readonly contractId?: string;
  readonly eventFormat?: EventFormat | null;
}

export interface JsGetEventsByContractIdResponse {
  readonly created?: JsCreated | null;
  readonly archived?: JsArchived | null;
}

export interface JsCreated {
  readonly createdEvent: CreatedEvent;
  readonly synchronizerId: string;
}

export interface JsArchived {
  readonly archivedEvent: ArchivedEvent;
  readonly synchronizerId: string;
}

export interface GetContractRequest {
  readonly contractId?: string;
  readonly queryingParties?: readonly string[];
}

export interface GetContractResponse {
  readonly createdEvent: CreatedEvent;
}
