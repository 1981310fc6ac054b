/** How the methods of a service are declared. */
import type { Asked, Json, JsonRequest, MissingMethod, StreamMethod, UnaryMethod } from "../method.js";
import { type MessageType, messageNamed } from "../schema/index.js";

/** `Q` is the request as its reader makes it: what is no message is always there. */
interface Declaration<Q> {
  readonly isVerbose?: (request: Q) => boolean;
  /** Where it is not called after the method. */
  readonly reply?: MessageType;
}
interface Unary<Q> extends Declaration<Q> {
  readonly ask: (request: Q) => Asked<JsonRequest>;
  readonly answer?: (answered: unknown, request: Q) => Json;
}
interface Stream<Q> extends Declaration<Q> {
  readonly path: string;
  readonly ask: (request: Q) => Asked<Json>;
}

/** By its full name. */
export function serviceOf(service: string) {
  const messageOf = (name: string): MessageType => messageNamed(`${service.slice(0, service.lastIndexOf("."))}.${name}`);
  const common = (name: string, reply = messageOf(`${name}Response`)) => ({ service, name, request: messageOf(`${name}Request`), reply });
  return {
    unary: <Q>(name: string, { reply, ...declared }: Unary<Q>): UnaryMethod => ({
      kind: "unary",
      ...common(name, reply),
      ...(declared as Unary<Json>),
    }),
    stream: <Q>(name: string, { reply, ...declared }: Stream<Q>): StreamMethod => ({
      kind: "stream",
      ...common(name, reply),
      ...(declared as Stream<Json>),
    }),
    missing: (name: string, reason: string): MissingMethod => ({ kind: "missing", ...common(name), reason, isStream: false }),
  };
}
