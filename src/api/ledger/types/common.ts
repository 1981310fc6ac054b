import type { tags } from "typia";
import type { AnyJson, Int32, Int32Input, Int64Input } from "./scalars.js";

export interface EmptyCase {
  readonly Empty: Empty;
}

/** A message or case without content. */
export interface Empty {}

export interface Duration {
  readonly seconds?: Int64Input | null;
  readonly nanos?: Int32Input | null;
  readonly unknownFields?: UnknownFieldSet | null;
}

export interface UnknownFieldSet {
  readonly fields?: Readonly<Record<string, Field>>;
}

export interface Field {
  readonly varint?: readonly Int64Input[];
  readonly fixed64?: readonly Int64Input[];
  readonly fixed32?: readonly Int32[];
  readonly lengthDelimited?: readonly string[];
}

export interface FieldMask {
  readonly paths?: readonly string[] | null;
  readonly unknownFields?: UnknownFieldSet | null;
}

export interface ObjectMeta {
  readonly resourceVersion?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface TraceContext {
  readonly traceparent?: string | null;
  readonly tracestate?: string | null;
}

export interface JsStatus {
  readonly code: Int32;
  readonly message: string;
  readonly details?: readonly ProtoAny[];
}

export interface ProtoAny {
  readonly typeUrl: string;
  readonly value: string;
  readonly unknownFields: UnknownFieldSet;
  /** The message as JSON; the published document calls it a text. */
  readonly valueDecoded?: AnyJson;
}

export interface JsCantonError {
  readonly code: string;
  readonly cause: string;
  readonly correlationId?: string | null;
  readonly traceId?: string | null;
  readonly context: Readonly<Record<string, string>>;
  readonly resources?: readonly (string[] & tags.MinItems<2> & tags.MaxItems<2>)[] | null;
  readonly errorCategory: Int32;
  readonly grpcCodeValue?: Int32 | null;
  readonly retryInfo?: string | null;
  readonly definiteAnswer?: boolean | null;
}

export interface SynchronizerTime {
  readonly synchronizerId: string;
  readonly recordTime: string;
}
