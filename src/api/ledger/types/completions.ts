import type { EmptyCase, JsStatus, SynchronizerTime, TraceContext } from "./common.js";
import type { DeduplicationPeriod } from "./deduplication.js";
import type { Int64, Int64Input } from "./scalars.js";

export interface CompletionStreamRequest {
  readonly userId?: string;
  readonly parties?: readonly string[];
  readonly beginExclusive?: Int64Input;
}

export interface GetCompletionsRequest {
  readonly parties?: readonly string[];
  readonly beginExclusive?: Int64Input;
}

export interface CompletionStreamResponse {
  readonly completionResponse?: CompletionResponse;
}

export interface CompletionCase {
  readonly Completion: Completion;
}
export interface OffsetCheckpointCase {
  readonly OffsetCheckpoint: OffsetCheckpoint;
}
export type CompletionResponse = CompletionCase | EmptyCase | OffsetCheckpointCase;

export interface Completion {
  readonly value: CompletionValue;
}

export interface CompletionValue {
  readonly commandId: string;
  readonly status?: JsStatus | null;
  readonly updateId?: string;
  readonly userId: string;
  readonly actAs: readonly string[];
  readonly submissionId?: string;
  readonly deduplicationPeriod?: DeduplicationPeriod;
  readonly traceContext?: TraceContext | null;
  readonly offset: Int64;
  readonly synchronizerTime: SynchronizerTime;
  readonly paidTrafficCost?: Int64 | null;
}

export interface OffsetCheckpoint {
  readonly value: OffsetCheckpointValue;
}

export interface OffsetCheckpointValue {
  readonly offset: Int64;
  readonly synchronizerTimes?: readonly SynchronizerTime[];
}
