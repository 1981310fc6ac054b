import type { Duration, EmptyCase } from "./common.js";
import type { Int64Input } from "./scalars.js";

export interface DeduplicationDurationCase {
  readonly DeduplicationDuration: DeduplicationDuration;
}
export interface DeduplicationOffsetCase {
  readonly DeduplicationOffset: DeduplicationOffset;
}
export type DeduplicationPeriod = DeduplicationDurationCase | DeduplicationOffsetCase | EmptyCase;

export interface DeduplicationDuration {
  readonly value: Duration | null;
}

export interface DeduplicationOffset {
  readonly value?: Int64Input;
}
