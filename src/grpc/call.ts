/** What a gRPC server asks of those who answer its calls, and what they answer. Bytes only: it knows no message. */

/** How a call ends that fails. */
export interface Status {
  /** `google.rpc.Code`. */
  readonly code: number;
  readonly message: string;
  /** Bytes of `google.rpc.Status`, for the trailer `grpc-status-details-bin`; undefined: there are none. */
  readonly details: Uint8Array | undefined;
}

export interface Call {
  /** Metadata by names in lower case, as HTTP headers are; `host` is the authority. None whose name ends with `-bin`. */
  readonly headers: ReadonlyMap<string, string>;
  /** The one message of the request. */
  readonly message: Uint8Array;
  /** Aborts when the client is gone, cancelled, or its deadline passed. */
  readonly signal: AbortSignal;
}

/** Where a stream's messages go. */
export interface Sink {
  /** Resolves when there is room for more; rejects when the client is gone. */
  send(message: Uint8Array): Promise<void>;
}

export interface UnaryHandler {
  readonly kind: "unary";
  /** A longer one is refused by its head, or when so much of it is unpacked. */
  readonly messageBytesMax: number;
  /** Rejects only where there is a bug. */
  answer(call: Call): Promise<{ readonly ok: Uint8Array } | { readonly error: Status }>;
}

export interface StreamHandler {
  readonly kind: "stream";
  readonly messageBytesMax: number;
  /** Resolves when the stream is over: with why, where it did not end well. Rejects only where there is a bug, or with what `send` did. */
  answer(call: Call, sink: Sink): Promise<Status | undefined>;
}

/** By the paths of their methods, as `/com.daml.ledger.api.v2.CommandService/SubmitAndWait`. */
export type Handlers = ReadonlyMap<string, UnaryHandler | StreamHandler>;
