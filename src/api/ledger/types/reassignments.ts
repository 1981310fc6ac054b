import type { Empty, EmptyCase, TraceContext } from "./common.js";
import type { CreatedEvent } from "./events.js";
import type { EventFormat } from "./formats.js";
import type { Int32, Int64 } from "./scalars.js";

export interface SubmitAndWaitForReassignmentRequest {
  readonly reassignmentCommands?: ReassignmentCommands | null;
  readonly eventFormat?: EventFormat | null;
}

export interface SubmitReassignmentRequest {
  readonly reassignmentCommands?: ReassignmentCommands | null;
}

export type SubmitReassignmentResponse = Empty;

export interface ReassignmentCommands {
  readonly workflowId?: string;
  readonly userId?: string;
  readonly commandId?: string;
  readonly submitter?: string;
  readonly submissionId?: string;
  readonly commands?: readonly ReassignmentCommand[];
}

export interface ReassignmentCommand {
  readonly command?: ReassignmentChoice;
}

export interface AssignCommandCase {
  readonly AssignCommand: AssignCommand;
}
export interface UnassignCommandCase {
  readonly UnassignCommand: UnassignCommand;
}
export type ReassignmentChoice = AssignCommandCase | EmptyCase | UnassignCommandCase;

export interface AssignCommand {
  readonly value: AssignCommandValue;
}

export interface AssignCommandValue {
  readonly reassignmentId?: string;
  readonly source?: string;
  readonly target?: string;
}

export interface UnassignCommand {
  readonly value: UnassignCommandValue;
}

export interface UnassignCommandValue {
  readonly contractId?: string;
  readonly source?: string;
  readonly target?: string;
}

export interface JsSubmitAndWaitForReassignmentResponse {
  readonly reassignment: JsReassignment;
}

export interface JsReassignment {
  readonly updateId: string;
  readonly commandId?: string;
  readonly workflowId?: string;
  readonly offset: Int64;
  readonly events: readonly JsReassignmentEvent[];
  readonly traceContext?: TraceContext | null;
  readonly recordTime: string;
  readonly synchronizerId: string;
  readonly paidTrafficCost?: Int64 | null;
}

export interface JsAssignmentEventCase {
  readonly JsAssignmentEvent: JsAssignmentEvent;
}
export interface JsUnassignedEventCase {
  readonly JsUnassignedEvent: JsUnassignedEvent;
}
export type JsReassignmentEvent = JsAssignmentEventCase | JsUnassignedEventCase;

export interface JsAssignmentEvent {
  readonly source: string;
  readonly target: string;
  readonly reassignmentId: string;
  readonly submitter: string;
  readonly reassignmentCounter: Int64;
  readonly createdEvent: CreatedEvent;
}

export interface JsUnassignedEvent {
  readonly value: UnassignedEvent;
}

export interface UnassignedEvent {
  readonly reassignmentId: string;
  readonly contractId: string;
  readonly templateId: string;
  readonly source: string;
  readonly target: string;
  readonly submitter?: string | null;
  readonly reassignmentCounter: Int64;
  readonly assignmentExclusivity?: string | null;
  readonly witnessParties: readonly string[];
  readonly packageName: string;
  readonly offset: Int64;
  readonly nodeId: Int32;
}
