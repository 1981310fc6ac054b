/** From a declared stream to its WebSocket route: the same checks as the list, told in frames. */
import type { RawSocket, WebSocketRoute } from "../http/index.js";
import { type AnyCall, type Dispatcher, type Refusal, authorisedCall, callerOf, logBug } from "./dispatch.js";
import type { RequestFailure } from "./errors.js";
import { internalError, streamEnded, undecodableMessage } from "./failures.js";
import { type AnyOperation, pathOf } from "./operation.js";
import { type Trace, traceOf } from "./trace.js";
import { goingAway, normalClosure, sendError, sendFrames, spokenProtocol } from "./web-socket.js";

type AnyStream = AnyOperation & { readonly kind: "stream" };
type Headers = ReadonlyMap<string, string>;

/**
 * Tokens are judged when the socket opens, so that nothing is taken from those without, and again with the first message, which may
 * come later. Their refusal is an error frame, not an HTTP answer: the reference upgrades first.
 */
export function webSocketRouteOf(name: string, prefix: string, stream: AnyStream, dispatcher: Dispatcher): WebSocketRoute {
  return {
    path: prefix + pathOf(stream.route),
    upgrade: (request) => ({ accept: { protocol: spokenProtocol, context: request.headers } }),
    greet: (socket, context) => greet(name, stream, socket, context as Headers, dispatcher),
    open: (socket, context, firstMessage) => converse(name, stream, socket, context as Headers, firstMessage, dispatcher),
  };
}

async function greet(name: string, stream: AnyStream, socket: RawSocket, headers: Headers, dispatcher: Dispatcher): Promise<void> {
  const caller = await callerOf(stream, headers, dispatcher);
  if (caller.error === undefined) return;
  await refuse(name, caller.error, traceOf(headers), socket, dispatcher);
  dispatcher.observe(`${name} (socket)`, caller.error.code, 0);
}

async function refuse(name: string, failure: RequestFailure, trace: Trace, socket: RawSocket, dispatcher: Dispatcher): Promise<void> {
  dispatcher.hiddenFailures.tell(name, failure, trace);
  await sendError(dispatcher.api.errors.frame(failure, trace), socket);
}

async function converse(
  name: string,
  stream: AnyStream,
  socket: RawSocket,
  headers: Headers,
  message: Uint8Array,
  dispatcher: Dispatcher,
): Promise<void> {
  const started = performance.now();
  const trace = traceOf(headers);
  const done = (outcome: string): void => dispatcher.observe(`${name} (socket)`, outcome, (performance.now() - started) / 1_000);
  try {
    const failure = await conversation(stream, socket, headers, message, trace, dispatcher);
    if (failure !== undefined) await refuse(name, failure, trace, socket, dispatcher);
    done(failure?.code ?? "ok");
  } catch (error) {
    if (socket.signal.aborted) return done("gone"); // the peer left while we were sending
    logBug(name, error, trace, dispatcher.log);
    await sendError(dispatcher.api.errors.frame(internalError(), trace), socket).catch(() => undefined); // it left meanwhile
    done("LEDGER_API_INTERNAL_ERROR");
  }
}

async function conversation(
  stream: AnyStream,
  socket: RawSocket,
  headers: Headers,
  message: Uint8Array,
  trace: Trace,
  dispatcher: Dispatcher,
): Promise<RequestFailure | undefined> {
  const request = {
    method: "GET",
    path: pathOf(stream.route),
    query: "",
    headers,
    params: {},
    body: message,
    freeBody: () => undefined,
    signal: socket.signal,
  };
  const caller = await callerOf(stream, headers, dispatcher);
  if (caller.error !== undefined) return caller.error;
  const call = await authorisedCall(stream, request, { caller: caller.ok, trace, admission: undefined }, dispatcher);
  if (call.error !== undefined) return refusalFailure(call.error);
  return streamTo(stream, call.ok, socket, dispatcher);
}

async function streamTo(stream: AnyStream, call: AnyCall, socket: RawSocket, dispatcher: Dispatcher): Promise<RequestFailure | undefined> {
  const cursor = stream.open(dispatcher.api.services as never, call);
  if (cursor.error !== undefined) return cursor.error;
  const watch = dispatcher.api.credentials.watch(call.caller);
  const open = dispatcher.openStreams.enter();
  const failure = await sendFrames(cursor.ok, socket, AbortSignal.any([socket.signal, watch.signal, open.signal])).finally(() => {
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
