/** From declared methods to what the server calls: a message in, a request to the JSON API, its answer out as a message. */
import { fail, isFailure, ok, type Result } from "../base/result.js";
import type { Turns } from "../base/turns.js";
import { limits } from "../config.js";
import type { LedgerErrorData } from "../ledger/index.js";
import { WireFailure } from "../lf/wire/index.js";
import type { Call, Handlers, Sink, Status, StreamHandler, UnaryHandler } from "./call.js";
import { decodeMessage, encodeMessage, hasOctets, longListsIn, Written } from "./codec/index.js";
import { type Answered, badRequest, type JsonCalls, unimplemented } from "./json/index.js";
import type { Asked, Json, Method, StreamMethod, UnaryMethod } from "./method.js";
import type { MessageType } from "./schema/index.js";
import { BadValue, type ReplyValues, requestValues, ValueWithoutEnd } from "./values/index.js";

interface Parts {
  readonly calls: JsonCalls;
  readonly values: ReplyValues;
  readonly turns: Turns;
  /** Why a call is not made. */
  refusal(error: LedgerErrorData, headers: Call["headers"]): Status;
}

/** What a call asks for. */
interface Request<T> {
  readonly message: Json;
  readonly asked: T;
}

export const handlersOf = (methods: readonly Method[], parts: Parts): Handlers =>
  new Map(methods.map((method) => [`/${method.service}/${method.name}`, handlerOf(method, parts)]));

function handlerOf(method: Method, parts: Parts): UnaryHandler | StreamHandler {
  const messageBytesMax = hasOctets(method.request) ? limits.grpcMessageBytesMax : limits.bodyBytesMax;
  switch (method.kind) {
    case "unary":
      return { kind: "unary", messageBytesMax, answer: (call) => answerOnce(method, call, parts) };
    case "stream":
      return { kind: "stream", messageBytesMax, answer: (call, sink) => follow(method, call, sink, parts) };
    case "missing": {
      const status = unimplemented(method.reason);
      return method.isStream
        ? { kind: "stream", messageBytesMax, answer: async () => status }
        : { kind: "unary", messageBytesMax, answer: async () => fail(status) };
    }
  }
}

async function answerOnce(method: UnaryMethod, call: Call, parts: Parts): Promise<Result<Uint8Array, Status>> {
  const request = requestOf(method, method.ask, call, parts),
    { calls } = parts;
  if (isFailure(request)) return request;
  const answered = await calls.unary(request.ok.asked, call.headers, call.signal);
  if (isFailure(answered)) return answered;
  const content = contentOf(answered.ok),
    json = method.answer?.(content, request.ok.message) ?? (content as Json);
  return encoded(method, request.ok.message, json, answered.ok.body.length, parts);
}

async function follow(method: StreamMethod, call: Call, sink: Sink, parts: Parts): Promise<Status | undefined> {
  const request = requestOf(method, method.ask, call, parts),
    { calls } = parts;
  if (isFailure(request)) return request.error;
  const { message, asked } = request.ok;
  /** Of an element that cannot be told: it ends the stream. */
  let untold: Status | undefined;
  const leaving = new AbortController();
  const ended = await calls.stream(
    method.path,
    asked,
    call.headers,
    AbortSignal.any([call.signal, leaving.signal]),
    async (element, chars) => {
      if (untold !== undefined) return;
      const bytes = await encoded(method, message, element as Json, chars, parts);
      if (!isFailure(bytes)) return sink.send(bytes.ok);
      untold = bytes.error;
      leaving.abort();
    },
  );
  return untold ?? ended;
}

function requestOf<T>(
  { request }: Method,
  ask: (message: Json) => Asked<T>,
  { message: bytes, headers }: Call,
  { refusal }: Parts,
): Result<Request<T>, Status> {
  const refused = (error: LedgerErrorData): Result<never, Status> => fail(refusal(error, headers));
  try {
    const message = decodeMessage(request, bytes, requestValues()),
      asked = ask(message);
    return isFailure(asked) ? refused(asked.error) : ok({ message, asked: asked.ok });
  } catch (error) {
    if (error instanceof BadValue) return refused(error.error);
    if (error instanceof WireFailure) return fail(badRequest(`the message is not what it should be: ${error.message}`));
    throw error;
  }
}

function contentOf({ body, headers }: Answered): unknown {
  if (headers["content-type"] === "application/octet-stream") return body;
  const text = typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString();
  return text === "" ? {} : JSON.parse(text);
}

/** `chars`: how long the JSON was. Of a long one elements are written by themselves first, over several turns. */
async function encoded(
  method: UnaryMethod | StreamMethod,
  request: Json,
  json: Json,
  chars: number,
  { values, turns }: Parts,
): Promise<Result<Uint8Array, Status>> {
  const { reply } = method,
    verbosity = method.isVerbose?.(request) === true ? "verbose" : "bare",
    write = (type: MessageType, content: Json) => values.written(verbosity, (writer) => encodeMessage(type, content, writer));
  try {
    for (const { of, elements } of chars > limits.grpcReplyCharsAtOnce ? longListsIn(reply, json) : [])
      for (const [at, element] of elements.entries()) {
        if (turns.isOver) await turns.next();
        elements[at] = new Written(await write(of, element as Json));
      }
    return ok(await write(reply, json));
  } catch (error) {
    if (error instanceof ValueWithoutEnd) return fail(unimplemented(error.message));
    throw error;
  }
}
