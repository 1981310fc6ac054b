/** From APIs to what a transport serves. */
import { assert } from "../base/assert.js";
import type { Route, TransportOptions, WebSocketRoute } from "../http/route.js";
import { bodyTooLarge, deadlinePassed } from "./answers.js";
import type { Api, Head } from "./api.js";
import type { Dispatcher, ServingOptions } from "./dispatch.js";
import { routeOf } from "./dispatch.js";
import { documentRoutes } from "./documents.js";
import { HiddenFailures } from "./hidden-failures.js";
import { OpenStreams } from "./open-streams.js";
import { webSocketRouteOf } from "./socket-dispatch.js";

/** What a transport needs to serve APIs. */
export type Served = Pick<TransportOptions, "notFound" | "methodNotAllowed" | "bodyTooLarge" | "deadlinePassed"> & {
  readonly routes: readonly Route[];
  readonly webSockets: readonly WebSocketRoute[];
  openStreams(): number;
  /** Ends what waits for news, as a shutdown begins. */
  endStreams(): void;
};

/** One API must have the empty prefix: it answers for every path that no other has. */
export function serveApis(apis: readonly Api[], options: ServingOptions): Served {
  const openStreams = new OpenStreams(), hiddenFailures = new HiddenFailures(options.log);
  const served = apis.map(api => servedBy({ ...options, api, openStreams, hiddenFailures }));
  const responsible = responsibleFor(apis);
  return {
    routes: [...served.flatMap(({ routes }) => routes), ...documentRoutes(apis.flatMap(({ documents }) => documents))],
    webSockets: served.flatMap(({ webSockets }) => webSockets),
    notFound: head => responsible(head).errors.notFound(head),
    methodNotAllowed: (head, allow) => responsible(head).errors.methodNotAllowed(head, allow),
    bodyTooLarge,
    deadlinePassed,
    openStreams: () => openStreams.size,
    endStreams: () => openStreams.end(),
  };
}

function servedBy(dispatcher: Dispatcher): Pick<Served, "routes" | "webSockets"> {
  const { label, prefixes, operations } = dispatcher.api;
  const placed = prefixes.flatMap(prefix => Object.entries(operations).map(([name, operation]) => ({ name: label + name, prefix, operation })));
  return {
    routes: placed.map(({ name, prefix, operation }) => routeOf(name, prefix, operation, dispatcher)),
    webSockets: placed.flatMap(({ name, prefix, operation }) => (operation.kind === "stream" ? [webSocketRouteOf(name, prefix, operation, dispatcher)] : [])),
  };
}

/** The API with the longest prefix of a path. */
function responsibleFor(apis: readonly Api[]): (head: Head) => Api {
  const places = apis.flatMap(api => api.prefixes.map(prefix => ({ prefix, api }))).sort((left, right) => right.prefix.length - left.prefix.length);
  const fallback = places.at(-1);
  assert(fallback?.prefix === "", "one API answers for all paths that no other has");
  return ({ path }) => (places.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? fallback).api;
}
