/** From a declared stream to its WebSocket route: the same checks as the list, told in frames. */
import type { Cursor } from "../base/element-writer.js";
import { fail, ok, type Result } from "../base/result.js";
import type { Caller } from "../auth/index.js";
import { type Head, isDeparture, type FirstMessage, type RawSocket, type UpgradeDecision, type WebSocketRoute } from "../http/index.js";
import {
  type Dispatcher,
  type Outcome,
  type Refusal,
  authorisedCall,
  callerOf,
  failedOutcome,
  logBug,
  named,
  unreadableOutcome,
} from "./dispatch.js";
import type { RequestFailure } from "./errors.js";
import { internalError, isFailedLookup, noRoomForBody, streamEnded, undecodableMessage } from "./failures.js";
import { type AnyOperation, pathOf } from "./operation.js";
import { brokenEscape } from "./query.js";
import { type Trace, traceOf } from "./trace.js";
import { goingAway, normalClosure, sendFrames, spokenProtocol } from "./web-socket.js";

type AnyStream = AnyOperation & { readonly kind: "stream" };
type Headers = ReadonlyMap<string, string>;

/**
 * Tokens are judged when the socket opens, so that nothing is taken from those without, and again with the first message, which may
 * come later. Their refusal is an error frame, not an HTTP answer, as the reference upgrades first; only a good token that leads to no
 * user, and a head that nobody can read, it answers by HTTP.
 */
export function webSocketRouteOf(name: string, prefix: string, stream: AnyStream, dispatcher: Dispatcher): WebSocketRoute {
  return {
    path: prefix + pathOf(stream.route),
    upgrade: ({ headers, query }) => upgrade(name, stream, { headers, query }, dispatcher),
    greet: (socket, context) => greet(name, stream, socket, context as Headers, dispatcher),
    open: (socket, context, firstMessage) => converse(name, stream, socket, context as Headers, firstMessage, dispatcher),
    noRoom: (socket, context) => turnAway(name, noRoomForBody(), socket, context as Headers, dispatcher),
  };
}

function upgrade(
  name: string,
  stream: AnyStream,
  { headers, query }: Pick<Head, "headers" | "query">,
  dispatcher: Dispatcher,
): UpgradeDecision | Promise<UpgradeDecision> {
  const rejected = (outcomeOf: (trace: Trace) => Outcome): UpgradeDecision => {
    const trace = traceOf(headers),
      { reply, outcome } = outcomeOf(trace);
    dispatcher.observe(`${name} (socket)`, outcome, 0);
    return { reject: named(reply, headers, trace, dispatcher) };
  };
  const unreadable = brokenEscape(query) ?? dispatcher.api.credentials.unreadable?.(headers);
  if (unreadable !== undefined) return rejected((trace) => unreadableOutcome(unreadable, trace, dispatcher));
  const decide = ({ error }: Result<Caller, RequestFailure>): UpgradeDecision => {
    if (error === undefined || !isFailedLookup(error)) return { accept: { protocol: spokenProtocol, context: headers } };
    return rejected((trace) => failedOutcome(name, error, trace, dispatcher));
  };
  const caller = callerOf(stream, headers, dispatcher);
  return caller instanceof Promise ? caller.then(decide) : decide(caller);
}

async function greet(name: string, stream: AnyStream, socket: RawSocket, headers: Headers, dispatcher: Dispatcher): Promise<void> {
  const caller = await callerOf(stream, headers, dispatcher);
  if (caller.error !== undefined) await turnAway(name, caller.error, socket, headers, dispatcher);
}

/** Whose message is not looked at. */
async function turnAway(name: string, failure: RequestFailure, socket: RawSocket, headers: Headers, dispatcher: Dispatcher): Promise<void> {
  await refuse(name, failure, traceOf(headers), socket, dispatcher);
  dispatcher.observe(`${name} (socket)`, failure.code, 0);
}

async function refuse(name: string, failure: RequestFailure, trace: Trace, socket: RawSocket, dispatcher: Dispatcher): Promise<void> {
  dispatcher.hiddenFailures.tell(name, failure, trace);
  await socket.fail(dispatcher.api.errors.frame(failure, trace));
}

async function converse(
  name: string,
  stream: AnyStream,
  socket: RawSocket,
  headers: Headers,
  message: FirstMessage,
  dispatcher: Dispatcher,
): Promise<void> {
  const started = performance.now();
  const trace = traceOf(headers);
  let outcome = "ok";
  try {
    const begun = await begin(stream, socket, headers, message, trace, dispatcher);
    const failure = begun.error ?? (await follow(begun.ok, socket, dispatcher));
    if (failure === undefined) return;
    outcome = failure.code;
    await refuse(name, failure, trace, socket, dispatcher);
  } catch (error) {
    if (socket.signal.aborted && isDeparture(error)) return; // the peer left while we were sending, as streams usually end
    outcome = "LEDGER_API_INTERNAL_ERROR";
    logBug(name, error, trace, dispatcher.log);
    await socket.fail(dispatcher.api.errors.frame(internalError(), trace)).catch(() => undefined); // it left meanwhile
  } finally {
    dispatcher.observe(`${name} (socket)`, outcome, (performance.now() - started) / 1_000);
  }
}

/** A stream that is under way. As long as it lasts it has its cursor and nothing else of its request, which may be large. */
interface Begun {
  readonly cursor: Cursor<RequestFailure>;
  readonly caller: Caller;
}

async function begin(
  stream: AnyStream,
  socket: RawSocket,
  headers: Headers,
  message: FirstMessage,
  trace: Trace,
  dispatcher: Dispatcher,
): Promise<Result<Begun, RequestFailure>> {
  const request = {
    method: "GET",
    path: pathOf(stream.route),
    query: "",
    headers,
    params: {},
    body: message.bytes,
    freeBody: () => message.free(),
    signal: socket.signal,
  };
  const caller = await callerOf(stream, headers, dispatcher);
  if (caller.error !== undefined) return caller;
  const call = await authorisedCall(stream, request, { caller: caller.ok, trace, admission: undefined }, dispatcher);
  if (call.error !== undefined) return fail(refusalFailure(call.error));
  const cursor = stream.open(dispatcher.api.services as never, call.ok);
  return cursor.error === undefined ? ok({ cursor: cursor.ok, caller: caller.ok }) : cursor;
}

async function follow({ cursor, caller }: Begun, socket: RawSocket, dispatcher: Dispatcher): Promise<RequestFailure | undefined> {
  const watch = dispatcher.api.credentials.watch(caller, "stream");
  const open = dispatcher.openStreams.enter();
  const failure = await sendFrames(cursor, socket, AbortSignal.any([socket.signal, watch.signal, open.signal])).finally(() => {
    watch.close();
    open.leave();
  });
  if (watch.end !== undefined) return streamEnded(watch.end);
  if (failure !== undefined) return failure;
  if (open.signal.aborted) socket.close(goingAway, "going away");
  else if (!socket.signal.aborted) socket.close(normalClosure, "");
  return undefined;
}

const refusalFailure = (refusal: Refusal): RequestFailure =>
  "failure" in refusal ? refusal.failure : undecodableMessage(refusal.unreadable);
