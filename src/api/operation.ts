/**
 * The two kinds of operations. One declaration each; the router, the checks of input and rights, the documents and the
 * table of the README are derived from it. An API (`api.ts`) is a set of them.
 */
import type { Cursor } from "../base/element-writer.js";
import type { Result } from "../base/result.js";
import type { Caller, Claims } from "../auth/index.js";
import type { Admission, EarlierRefusal } from "../ledger/index.js";
import type { Apart, Body } from "./body.js";
import type { RequestFailure } from "./errors.js";
import { int64, type QueryFields, type QueryOf } from "./query.js";
import type { Services } from "./services.js";
import type { Trace } from "./trace.js";
import type { Spliced, Wire } from "./wire.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type RouteText = `${Method} /${string}`;

/** `"GET /v2/users/{user-id}"` -> `{ "user-id": string }`. */
export type ParamsOf<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<Rest>
  : unknown;

/** A decoded request, before its claims are known to hold. */
export interface Request<R extends string, Q extends QueryFields, B> {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<Q>;
  readonly body: B;
}

/** What a handler gets: a request whose claims hold. */
export interface Call<R extends string, Q extends QueryFields, B> extends Request<R, Q, B> {
  /** The list that the body's shape sets apart. */
  readonly apart: Apart;
  readonly caller: Caller;
  readonly trace: Trace;
  readonly signal: AbortSignal;
  /** What the operation's `admit` gave. */
  readonly admission: Admission | undefined;
  /** What its `attempt` found out. */
  readonly refusal: EarlierRefusal | undefined;
}

/** A request whose body has not been looked at. */
export interface Undecoded extends Pick<Call<string, QueryFields, unknown>, "caller" | "trace" | "admission"> {
  readonly bytes: Uint8Array;
}
/** Either it is done, or nothing has happened and it goes the usual way. */
export type Attempted<A> = { readonly done: Result<A, RequestFailure> } | { readonly refusal: EarlierRefusal | undefined };

export type Handled<T> = Result<T, RequestFailure> | Promise<Result<T, RequestFailure>>;

export interface OctetsReply {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}
export interface TextReply {
  readonly status: number;
  readonly text: string;
}

export type ReplyKind = "json" | "octets" | "text" | "nothing" | "created";

declare const handled: unique symbol;

/** How a handler's value becomes a response. `A` is what the handler returns, `W` what clients see. */
export interface Reply<A, W> extends Wire<W> {
  readonly kind: ReplyKind;
  /** Those that clients may count on; all of them are texts. */
  readonly headers?: readonly string[];
  readonly [handled]?: A;
}

export const json = <W>(): Reply<W | Spliced<W>, W> => ({ kind: "json" });
export const octets = (...headers: readonly string[]): Reply<OctetsReply, undefined> => ({ kind: "octets", headers });
export const plainText = (): Reply<TextReply, undefined> => ({ kind: "text" });
export const nothing = (): Reply<undefined, undefined> => ({ kind: "nothing" });
/** 201, and nothing else. */
export const created = (): Reply<undefined, undefined> => ({ kind: "created" });

interface Declaration<R extends RouteText, Q extends QueryFields, B> {
  readonly route: R;
  /** What it does, in one short sentence: the documents and the README print it. */
  readonly summary: string;
  readonly deprecated?: true;
  /** Why it answers 501, if it does. */
  readonly missingBecause?: string;
  /** It tells nothing of the ledger, so it waits for nothing that was written there. */
  readonly isApart?: true;
  /** How long it may take, where it is not as long as other requests. */
  readonly deadlineMs?: number;
  /** Path parameters that are not any text: is this one readable? */
  readonly params?: { readonly [K in keyof ParamsOf<NoInfer<R>>]?: (text: string) => boolean };
  /** "none": open to everybody, with a bad token too. */
  readonly claims: "none" | ((request: Request<NoInfer<R>, NoInfer<Q>, NoInfer<B>>) => Claims);
}

export interface Operation<R extends RouteText, Q extends QueryFields, B, A, W, S = Services> extends Declaration<R, Q, B> {
  readonly kind: "operation";
  readonly query: Q;
  readonly body: Body<B>;
  readonly reply: Reply<A, W>;
  /** Whether there is room for it, before its body is decoded; what it gets is given back with the answer. */
  readonly admit?: (services: S, signal: () => AbortSignal) => Handled<Admission>;
  /** Does it without its body being decoded here, if that is short and plain. */
  readonly attempt?: (services: S, request: Undecoded) => Promise<Attempted<NoInfer<A>>>;
  readonly handle: (services: S, call: Call<NoInfer<R>, NoInfer<Q>, NoInfer<B>>) => Handled<NoInfer<A>>;
}

export interface Stream<R extends RouteText, B, E> extends Declaration<R, ListQuery, B> {
  readonly kind: "stream";
  readonly query: ListQuery;
  readonly body: Body<B>;
  readonly element: Wire<E>;
  /** Whether the list ending stops after a quiet time even when no `stream_idle_timeout_ms` is given. */
  readonly endsWhenIdle: (body: NoInfer<B>) => boolean;
  readonly open: (services: Services, call: Call<NoInfer<R>, ListQuery, NoInfer<B>>) => Result<Cursor<RequestFailure>, RequestFailure>;
}

/** The parameters of every list ending. */
const listQuery = { limit: int64(), stream_idle_timeout_ms: int64() };
export type ListQuery = typeof listQuery;

const noQuery = {};
export type NoQuery = typeof noQuery;

/** How operations are declared whose handlers are given an `S`. */
export const operationFor =
  <S>() =>
  <const R extends RouteText, A, W, B = undefined, Q extends QueryFields = NoQuery>(
    declaration: Omit<Operation<R, Q, B, A, W, S>, "kind" | "query"> & { readonly query?: Q },
  ): Operation<R, Q, B, A, W, S> => ({ ...declaration, kind: "operation", query: declaration.query ?? (noQuery as Q) });

export const operation = operationFor<Services>();

export function stream<const R extends RouteText, B, E>(declaration: Omit<Stream<R, B, E>, "kind" | "query">): Stream<R, B, E> {
  return { ...declaration, kind: "stream", query: listQuery };
}

/** Any member of the registry. The parameters of its functions are only known to the declaration itself, hence `any`. */
export type AnyOperation = Operation<any, any, any, any, any, any> | Stream<any, any, any>;

/** The same of requests: here one is whatever the decoders of its operation made of it. */
export type AnyCall = Call<any, any, any>;

export const methodOf = (route: RouteText): Method => route.slice(0, route.indexOf(" ")) as Method;
export const pathOf = (route: RouteText): string => route.slice(route.indexOf(" ") + 1);

/** Method, then each path segment lower-cased and capitalised: the rule behind all published operation ids. */
export function operationId(route: RouteText): string {
  const segments = pathOf(route)
    .split("/")
    .filter(Boolean)
    .map((segment) => segment.replace(/[{}]/g, "").toLowerCase());
  return methodOf(route).toLowerCase() + segments.map((segment) => segment[0]!.toUpperCase() + segment.slice(1)).join("");
}
