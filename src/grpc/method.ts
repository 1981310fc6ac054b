/** A method of the Ledger API over gRPC: what it is asked and answers, and which operation of the JSON API does it. */
import type { Result } from "../base/result.js";
import type { LedgerErrorData } from "../ledger/index.js";
import type { MessageType } from "./schema/index.js";

/** A message as the JSON of the same API has it (`schema/fields.ts`). */
export type Json = Readonly<Record<string, unknown>>;

/** A request to an operation of the JSON API. */
export interface JsonRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Percent-encoded. */
  readonly path: string;
  /** Without `?`; "" for none. */
  readonly query: string;
  /** Undefined: none. Bytes go as `application/octet-stream`. */
  readonly body: Json | Uint8Array | undefined;
}

/** What to ask; or why that cannot be asked for, which is told to those only whose token holds. */
export type Asked<T> = Result<T, LedgerErrorData>;

interface Common {
  /** Full name, as `com.daml.ledger.api.v2.CommandService`. */
  readonly service: string;
  readonly name: string;
  readonly request: MessageType;
  readonly reply: MessageType;
  /** Whether labels and ids of types are wanted in values; where it is absent they are not. */
  readonly isVerbose?: (request: Json) => boolean;
}

export interface UnaryMethod extends Common {
  readonly kind: "unary";
  readonly ask: (request: Json) => Asked<JsonRequest>;
  /** From what the operation answers, parsed, or bytes as they are, to the reply's JSON. Absent: it is the same. */
  readonly answer?: (answered: unknown, request: Json) => Json;
}

/** Its messages are those of a WebSocket of the JSON API. */
export interface StreamMethod extends Common {
  readonly kind: "stream";
  readonly path: string;
  /** The message that opens it. */
  readonly ask: (request: Json) => Asked<Json>;
  readonly answer?: (answered: Json) => Json;
}

/** Nobody does it here: it is answered UNIMPLEMENTED with this reason. */
export interface MissingMethod extends Common {
  readonly kind: "missing";
  readonly reason: string;
  readonly isStream: boolean;
}

export type Method = UnaryMethod | StreamMethod | MissingMethod;
