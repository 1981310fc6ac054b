/** An HTTP API as a value: what it serves, how it says no, whom it knows and where its documents are. `serve.ts` makes routes of it. */
import type { Authenticated, Caller, StreamWatch, Watched } from "../auth/index.js";
import type { Head, RawReply } from "../http/index.js";
import type { RequestFailure } from "./errors.js";
import type { AnyOperation } from "./operation.js";
import type { Trace } from "./trace.js";

export type { Head };

export interface Api {
  /** Stands before the operation's name in metrics and logs, where another API may have the same name; else empty. */
  readonly label: string;
  /** Stand before the path of each operation: "" for the ledger's own. All below one that no operation has is this API's to refuse. */
  readonly prefixes: readonly string[];
  /** By the name that metrics and logs use. All else is derived from this. */
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /** What the operations' handlers are given. */
  readonly services: unknown;
  readonly errors: ErrorForm;
  readonly credentials: CallerSource;
  readonly documents: readonly ApiDocument[];
  /** What its operations answer names the trace, in `traceparent`: the caller's own, if he has one. */
  readonly namesTraces?: true;
}

/** APIs whose code is loaded when the first request below one of their places comes. */
export interface LaterApis {
  /** Of the APIs, which all say no in one form, and of their documents. */
  readonly prefixes: readonly string[];
  readonly documents: readonly string[];
  readonly errors: ErrorForm;
  load(): Promise<readonly Api[]>;
}

/** How an API says no. */
export interface ErrorForm {
  failure(failure: RequestFailure, trace: Trace): RawReply;
  /** One frame of a WebSocket. */
  frame(failure: RequestFailure, trace: Trace): string;
  /** A request that cannot be decoded: which part, and what is wrong with it. */
  unreadable(what: string, trace: Trace): RawReply;
  /** A path that no operation has. */
  notFound(head: Head): RawReply;
  /** A path that only other methods have. */
  methodNotAllowed(head: Head, allow: readonly string[]): RawReply;
}

/** Who calls, by the head of a request alone. */
export interface CallerSource {
  /** Which part of the head nobody can read, if there is one; undefined where nothing is said of that. */
  unreadable?(headers: ReadonlyMap<string, string>): string | undefined;
  authenticate(headers: ReadonlyMap<string, string>): Authenticated | Promise<Authenticated>;
  /** Follows what let the caller in, for as long as a stream is open or a list waits. */
  watch(caller: Caller, watched: Watched): StreamWatch;
}

export interface ApiDocument {
  readonly path: string;
  /** Called when it is first asked for: its types are large, and no start should wait for them. */
  readonly write: () => Promise<unknown>;
}
