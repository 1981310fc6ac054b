/**
 * From a declared operation to a route: who calls, is the request readable, may he, do it, answer.
 * The caller comes first: unlike the reference we do not take, let alone decode, a body from someone without a valid token.
 */
import { limits } from "../config.js";
import { AssertionFailure, unreachable } from "../base/assert.js";
import { stackOf } from "../base/error-text.js";
import type { Log } from "../base/log.js";
import { fail, ok, type Result } from "../base/result.js";
import type { RequestSpan, Spans } from "../base/spans.js";
import type { Turns } from "../base/turns.js";
import { type Authenticated, type Caller, type Claims, missingClaim, noRights } from "../auth/index.js";
import { jsonHeaders, textHeaders } from "./content-types.js";
import type { Api, Head, LaterApis } from "./api.js";
import type { Apart, Decoded, DecodedBody } from "./body.js";
import type { HeadDecision, RawReply, RawRequest, Route } from "../http/index.js";
import type { Admission, EarlierRefusal } from "../ledger/index.js";
import type { RequestFailure } from "./errors.js";
import { authenticationFailed, claimMissing, internalError } from "./failures.js";
import type { HiddenFailures } from "./hidden-failures.js";
import { listReply } from "./list-reply.js";
import {
  type AnyCall,
  type AnyOperation,
  type Handled,
  methodOf,
  type OctetsReply,
  type Operation,
  pathOf,
  type ReplyKind,
  type TextReply,
} from "./operation.js";
import { decodeQuery } from "./query.js";
import type { OpenStreams } from "./open-streams.js";
import type { OriginRules } from "./origins.js";
import type { ReferencePage } from "./reference-pages.js";
import { namedTrace, parentOf, type Trace, traceOf } from "./trace.js";
import { Spliced } from "./wire.js";

export interface ServingOptions {
  /** Absent: this machine's, and no tokens. */
  readonly origins?: OriginRules;
  readonly log: Log;
  /** Shared with whatever else runs on this thread. */
  readonly turns: Turns;
  readonly listElementsMax: number;
  readonly listWaitMs: number;
  /** Resolves once readers find what others were told of by now; undefined: they do. */
  readonly caughtUp?: () => Promise<void> | undefined;
  /** Whether browsers find the console at `/`; not so where nothing is said. */
  readonly console?: boolean;
  /** APIs that not every node needs. */
  readonly later?: LaterApis | undefined;
  /** What the reference has beside that of the APIs. */
  readonly pages?: readonly ReferencePage[];
  /** Outcome: "ok" or an error code. */
  readonly observe: (operation: string, outcome: string, seconds: number) => void;
  /** Absent: nobody is told of requests one by one. */
  readonly spans?: Spans | undefined;
}

/** What the operations of one API share. */
export interface Dispatcher extends ServingOptions {
  readonly api: Api;
  readonly openStreams: OpenStreams;
  readonly hiddenFailures: HiddenFailures;
}

type ParamChecks = Readonly<Record<string, ((text: string) => boolean) | undefined>> | undefined;

/** Which part of a request cannot be read, as its plain text tells it. */
export interface Unreadable {
  readonly unreadable: string;
}

/** A refusal before the handler: an error body, or the plain text of an unreadable request. */
export type Refusal = { readonly failure: RequestFailure } | Unreadable;

export function routeOf(name: string, prefix: string, operation: AnyOperation, dispatcher: Dispatcher): Route {
  const placed: Placed = { name, operation, method: methodOf(operation.route), path: prefix + pathOf(operation.route) };
  return {
    method: placed.method,
    path: placed.path,
    bodyBytesMax: operation.body.contentType === "application/octet-stream" ? limits.darBytesMax : limits.bodyBytesMax,
    ...(operation.deadlineMs === undefined ? {} : { deadlineMs: operation.deadlineMs }),
    admit: (head) => admit(placed, head, dispatcher),
    handle: (request, admitted) => answer(placed, request, admitted as AdmittedHead, dispatcher),
  };
}

/** An operation where it is served: under each of its API's prefixes. */
interface Placed {
  readonly name: string;
  readonly operation: AnyOperation;
  readonly method: string;
  readonly path: string;
}

interface Admitted {
  readonly caller: Caller;
  readonly trace: Trace;
}

/** A request with its body. */
interface Asked extends Admitted {
  readonly placed: Placed;
  readonly request: RawRequest;
}

/** A request that may send its body. */
interface AdmittedHead extends Admitted {
  /** When, by `performance.now()`. */
  readonly atMs: number;
}

function admit(placed: Placed, head: Head, dispatcher: Dispatcher): HeadDecision | Promise<HeadDecision> {
  const { name, operation } = placed;
  const started = performance.now();
  const trace = traceOf(head.headers, dispatcher.spans);
  const refused = ({ reply, outcome }: Outcome): HeadDecision => {
    dispatcher.observe(name, outcome, (performance.now() - started) / 1_000);
    dispatcher.spans?.request(requestSpan({ placed, headers: head.headers, trace, status: reply.status, outcome, started }));
    return { reply: named(reply, head.headers, trace, dispatcher) };
  };
  const unreadable = operation.claims === "none" ? undefined : dispatcher.api.credentials.unreadable?.(head.headers);
  if (unreadable !== undefined) return refused(unreadableOutcome(unreadable, trace, dispatcher));
  if (!acceptable(head.headers.get("accept"), operation)) return refused({ reply: { status: 406 }, outcome: "NOT_ACCEPTABLE" });
  const decide = (caller: Result<Caller, RequestFailure>): HeadDecision => {
    const judged = atHead(operation, caller);
    if (judged.error !== undefined) return refused(failedOutcome(name, judged.error, trace, dispatcher));
    return { context: { caller: judged.ok, trace, atMs: started } satisfies AdmittedHead };
  };
  const caller = callerOf(operation, head.headers, dispatcher);
  return caller instanceof Promise ? caller.then(decide) : decide(caller);
}

/** Claims that are not a matter of the request are missing before its body came. */
function atHead({ claims }: AnyOperation, caller: Result<Caller, RequestFailure>): Result<Caller, RequestFailure> {
  if (caller.error !== undefined || claims === "none" || claims.length > 0) return caller;
  const missing = missingClaim(caller.ok, (claims as () => Claims)());
  return missing === undefined ? caller : fail(claimMissing(caller.ok, missing));
}

async function answer(placed: Placed, request: RawRequest, admitted: AdmittedHead, dispatcher: Dispatcher): Promise<RawReply> {
  const { name } = placed;
  const started = performance.now();
  const isLate = started - admitted.atMs > limits.admittedMaxMs;
  const asked: Asked = { placed, request, caller: admitted.caller, trace: admitted.trace };
  const { reply, outcome } = isLate ? await lateOutcomeOf(asked, dispatcher) : await outcomeOf(asked, dispatcher);
  dispatcher.observe(name, outcome, (performance.now() - started) / 1_000);
  const { headers } = request,
    { status } = reply;
  dispatcher.spans?.request(requestSpan({ placed, headers, trace: admitted.trace, status, outcome, started }));
  return named(reply, headers, admitted.trace, dispatcher);
}

export const named = (reply: RawReply, headers: Head["headers"], trace: Trace, { api }: Dispatcher): RawReply =>
  api.namesTraces ? { ...reply, headers: { ...reply.headers, traceparent: namedTrace(headers, trace) } } : reply;

interface Answered {
  readonly placed: Placed;
  readonly headers: Head["headers"];
  readonly trace: Trace;
  readonly status: number;
  readonly outcome: string;
  readonly started: number;
}

const requestSpan = ({ placed, headers, trace, status, outcome, started }: Answered): RequestSpan => ({
  traceparent: trace.context.traceparent!,
  tracestate: trace.context.tracestate,
  parent: parentOf(headers),
  operation: placed.name,
  method: placed.method,
  route: placed.path,
  status,
  outcome,
  fromMs: started,
  toMs: performance.now(),
});

export interface Outcome {
  readonly reply: RawReply;
  readonly outcome: string;
}

/** Of a request whose body took its time: its token may have expired meanwhile, or its user have been deleted. */
async function lateOutcomeOf(asked: Asked, dispatcher: Dispatcher): Promise<Outcome> {
  const { name, operation } = asked.placed;
  const caller = atHead(operation, await callerOf(operation, asked.request.headers, dispatcher));
  if (caller.error !== undefined) return failedOutcome(name, caller.error, asked.trace, dispatcher);
  return outcomeOf({ ...asked, caller: caller.ok }, dispatcher);
}

async function outcomeOf(asked: Asked, dispatcher: Dispatcher): Promise<Outcome> {
  const { placed, request, caller, trace } = asked,
    { name, operation } = placed;
  let admission: Admission | undefined;
  try {
    const { spans } = dispatcher,
      askedMs = spans === undefined ? 0 : performance.now();
    const awaited = admissionTo(operation, request, dispatcher),
      admitted = awaited instanceof Promise ? await awaited : awaited;
    if (awaited instanceof Promise) spans?.step("admit", trace.context.traceparent, askedMs, performance.now());
    if (admitted.error !== undefined) return failedOutcome(name, admitted.error, trace, dispatcher);
    admission = admitted.ok;
    let refusal: EarlierRefusal | undefined;
    if (mayAttempt(operation, request, dispatcher)) {
      const attempted = await operation.attempt(dispatcher.api.services as never, { bytes: request.body, caller, trace, admission });
      if ("done" in attempted) return doneOutcome(asked, operation.reply.kind, attempted.done, dispatcher);
      ({ refusal } = attempted);
    }
    const decodeMs = spans === undefined ? 0 : performance.now();
    const call = await authorisedCall(operation, request, { caller, trace, admission, refusal }, dispatcher);
    spans?.step("decode", trace.context.traceparent, decodeMs, performance.now());
    if (call.error !== undefined) return refusedOutcome(asked, call.error, dispatcher);
    return runOutcome(asked, await run(operation, call.ok, request.headers, dispatcher), dispatcher);
  } catch (error) {
    logBug(name, error, trace, dispatcher.log);
    return failedOutcome(name, internalError(), trace, dispatcher);
  } finally {
    admission?.release();
  }
}

/** What was done without being decoded. */
function doneOutcome(
  { placed, trace }: Asked,
  kind: Attempting["reply"]["kind"],
  { error, ok: value }: Result<unknown, unknown>,
  dispatcher: Dispatcher,
): Outcome {
  if (error !== undefined) return failedOutcome(placed.name, error as RequestFailure, trace, dispatcher);
  return { reply: rendered(kind, value), outcome: "ok" };
}

function refusedOutcome({ placed, trace }: Asked, refusal: Refusal, dispatcher: Dispatcher): Outcome {
  if ("failure" in refusal) return failedOutcome(placed.name, refusal.failure, trace, dispatcher);
  return unreadableOutcome(refusal.unreadable, trace, dispatcher);
}

export const unreadableOutcome = (unreadable: string, trace: Trace, { api }: Dispatcher): Outcome => ({
  reply: api.errors.unreadable(unreadable, trace),
  outcome: "UNREADABLE",
});

function runOutcome({ placed, trace }: Asked, { error, ok: reply }: Result<RawReply, RequestFailure>, dispatcher: Dispatcher): Outcome {
  return error === undefined ? { reply, outcome: "ok" } : failedOutcome(placed.name, error, trace, dispatcher);
}

const unlimited = ok(undefined);

/** An overloaded node refuses what it has not looked at yet: that costs least. */
function admissionTo(operation: AnyOperation, request: RawRequest, { api }: Dispatcher): Handled<Admission | undefined> {
  return operation.kind === "operation" && operation.admit !== undefined
    ? operation.admit(api.services as never, () => request.signal)
    : unlimited;
}

type Attempting = Operation<any, any, any, any, any, any> & Required<Pick<Operation<any, any, any, any, any, any>, "attempt">>;

/** Who watches each step of a request is told of the usual ones. */
const mayAttempt = (operation: AnyOperation, { body, query }: RawRequest, { spans }: Dispatcher): operation is Attempting =>
  operation.kind === "operation"
  && operation.attempt !== undefined
  && spans === undefined
  && body.length <= limits.shortBodyBytesMax
  && query === "";

export function failedOutcome(name: string, failure: RequestFailure, trace: Trace, dispatcher: Dispatcher): Outcome {
  dispatcher.hiddenFailures.tell(name, failure, trace);
  return { reply: dispatcher.api.errors.failure(failure, trace), outcome: failure.code };
}

/** What is known of a request before it is decoded. */
export interface CallContext extends Admitted {
  readonly admission: Admission | undefined;
  readonly refusal?: EarlierRefusal | undefined;
}

/** A class, because an object literal with a getter is a hidden class of its own, which keeps what it refers to for long. */
class AuthorisedCall implements AnyCall {
  readonly params: AnyCall["params"];
  readonly body: unknown;
  readonly apart: Apart;
  readonly caller: Caller;
  readonly trace: Trace;
  readonly admission: Admission | undefined;
  readonly refusal: EarlierRefusal | undefined;
  readonly #request: RawRequest;

  constructor(
    request: RawRequest,
    readonly query: AnyCall["query"],
    body: DecodedBody<unknown>,
    { caller, trace, admission, refusal }: CallContext,
  ) {
    this.caller = caller;
    this.trace = trace;
    this.admission = admission;
    this.refusal = refusal;
    this.params = request.params;
    this.body = body.value;
    this.apart = body.apart;
    this.#request = request;
  }

  /** Made when it is asked for. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/** The request as its handler gets it: readable, and its claims hold. */
export async function authorisedCall(
  operation: AnyOperation,
  request: RawRequest,
  context: CallContext,
  dispatcher: Dispatcher,
): Promise<Result<AnyCall, Refusal>> {
  if (operation.isApart !== true) await dispatcher.caughtUp?.();
  const wrong = Object.entries(request.params).find(([name, text]) => (operation.params as ParamChecks)?.[name]?.(text) === false);
  if (wrong !== undefined) return fail({ unreadable: `path parameter ${wrong[0]}` });
  const query = decodeQuery(operation.query, request.query);
  if (query.error !== undefined) return fail({ unreadable: query.error });
  const decoded: Decoded<unknown> | Promise<Decoded<unknown>> = operation.body.decode(request.body, dispatcher.turns);
  const body = decoded instanceof Promise ? await decoded : decoded;
  request.freeBody();
  if (body.error !== undefined)
    return fail(typeof body.error === "string" ? { unreadable: `body (${body.error})` } : { failure: body.error });
  const call = new AuthorisedCall(request, query.ok, body.ok, context);
  const claims = operation.claims === "none" ? "none" : operation.claims(call);
  const missing = missingClaim(context.caller, claims);
  return missing === undefined ? ok(call) : fail({ failure: claimMissing(context.caller, missing) });
}

/** Where no claims are needed tokens are not looked at; the reference refuses good ones of unknown users there. */
export function callerOf(
  operation: AnyOperation,
  headers: Head["headers"],
  { api }: Dispatcher,
): Result<Caller, RequestFailure> | Promise<Result<Caller, RequestFailure>> {
  if (operation.claims === "none") return ok(anonymous);
  const authenticated = api.credentials.authenticate(headers);
  return authenticated instanceof Promise ? authenticated.then(told) : told(authenticated);
}

const told = (caller: Authenticated): Result<Caller, RequestFailure> =>
  caller.error === undefined ? caller : fail(authenticationFailed(caller.error));

const anonymous: Caller = { userId: undefined, identityProviderId: "", rights: noRights };

/**
 * Requests that came together are not answered in one turn of the event loop. Submissions are let through, as those of one turn go to an
 * engine thread together, and what tells nothing of the ledger, as it takes no time; lists and streams ask for themselves.
 */
const givesWay = ({ admit, isApart }: AnyOperation & { readonly kind: "operation" }): boolean => admit === undefined && isApart !== true;

async function run(
  operation: AnyOperation,
  call: AnyCall,
  headers: ReadonlyMap<string, string>,
  dispatcher: Dispatcher,
): Promise<Result<RawReply, RequestFailure>> {
  if (operation.kind === "stream") return listReply(operation, call, headers, dispatcher);
  if (givesWay(operation) && dispatcher.turns.isOver) await dispatcher.turns.next();
  const result = (await operation.handle(dispatcher.api.services as never, call)) as Result<unknown, RequestFailure>;
  return result.error === undefined ? ok(rendered(operation.reply.kind, result.ok)) : result;
}

function rendered(kind: ReplyKind, value: unknown): RawReply {
  switch (kind) {
    case "json":
      if (!(value instanceof Spliced)) return { status: 200, headers: jsonHeaders, body: JSON.stringify(value) };
      return { status: 200, headers: jsonHeaders, body: value.json, release: value.release };
    case "octets": {
      const { bytes, headers } = value as OctetsReply;
      return { status: 200, headers: { "content-type": "application/octet-stream", ...headers }, body: bytes };
    }
    case "text": {
      const { status, text } = value as TextReply;
      return { status, headers: textHeaders, body: text };
    }
    case "nothing":
      return { status: 200 };
    case "created":
      return { status: 201 };
    default:
      return unreachable(kind);
  }
}

const acceptedRanges = {
  json: /^\s*(\*\/\*|application\/(\*|json))\s*(;|$)/i,
  octets: /^\s*(\*\/\*|application\/(\*|octet-stream))\s*(;|$)/i,
} as const;

const mediaRange = /^\s*[^\s/;]+\/[^\s/;]+\s*(;|$)/;

/** What is negotiated is the answer of a success: JSON or octets; error bodies are sent in any case. */
function acceptable(accept: string | undefined, operation: AnyOperation): boolean {
  const kind = operation.kind === "stream" ? "json" : operation.reply.kind;
  if (accept === undefined || (kind !== "json" && kind !== "octets")) return true;
  // As in the reference, what is no range says nothing.
  return accept.split(",").some((range) => acceptedRanges[kind].test(range) || !mediaRange.test(range));
}

export function logBug(name: string, error: unknown, trace: Trace, log: Log): void {
  const kind = error instanceof AssertionFailure ? "an assumption did not hold" : "an operation threw";
  log.error(kind, { operation: name, traceId: trace.traceId, error: stackOf(error) });
}
