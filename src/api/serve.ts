/** From APIs to what a transport serves. */
import { limits } from "../config.js";
import { assert } from "../base/assert.js";
import type { Door, RawReply, Route, TransportOptions, WebSocketRoute } from "../http/index.js";
import { bodyTooLarge, deadlinePassed } from "./answers.js";
import type { Api, Head } from "./api.js";
import { type Dispatcher, type ServingOptions, routeOf } from "./dispatch.js";
import { documentRoutes } from "./documents.js";
import type { RequestFailure } from "./errors.js";
import { noRoomForBody } from "./failures.js";
import { guardedRoute, type OperatorAccess } from "./guarded-route.js";
import { HiddenFailures } from "./hidden-failures.js";
import { landingRoutes } from "./landing-page.js";
import { OpenStreams } from "./open-streams.js";
import { loopbackOnly, Origins } from "./origins.js";
import { webSocketRouteOf } from "./socket-dispatch.js";
import { apiReference, referenceRoutes } from "./reference-pages.js";
import { traceOf } from "./trace.js";

/** What a transport needs to serve APIs. */
export type Served = Pick<
  TransportOptions,
  "later" | "notFound" | "methodNotAllowed" | "bodyTooLarge" | "noRoomForBody" | "deadlinePassed"
> & {
  readonly door: Door;
  readonly routes: readonly Route[];
  readonly webSockets: readonly WebSocketRoute[];
  /** The answer to a request that is refused before any operation is asked. */
  refusal(failure: RequestFailure, head: Head): RawReply;
  /** The route for the operator alone. */
  guarded(route: Route, access: OperatorAccess): Route;
  openStreams(): number;
  /** Ends what waits for news, as a shutdown begins. */
  endStreams(): void;
};

/** One API must have the empty prefix: it answers for every path that no other has. */
export function serveApis(apis: readonly Api[], options: ServingOptions): Served {
  const openStreams = new OpenStreams(),
    hiddenFailures = new HiddenFailures(options.log);
  const pages = [...apiReference, ...(options.pages ?? [])];
  const { later } = options,
    servedByAll = (all: readonly Api[]) => all.map((api) => servedBy({ ...options, api, openStreams, hiddenFailures }));
  const served = servedByAll(apis),
    responsible = responsibleFor([...apis, ...(later ? [later] : [])]);
  const refuse = (what: string, failure: RequestFailure, head: Head): RawReply => {
    options.observe(what, failure.code, 0);
    return responsible(head).errors.failure(failure, traceOf(head.headers));
  };
  return {
    routes: [
      ...served.flatMap(({ routes }) => routes),
      ...documentRoutes(apis.flatMap(({ documents }) => documents)),
      ...referenceRoutes(pages),
      ...landingRoutes({ console: options.console ?? false, pages }),
    ],
    later: later && {
      prefixes: [...later.prefixes, ...later.documents],
      bodyBytesMax: limits.bodyBytesMax,
      load: async () => {
        const loaded = await later.load();
        return [...servedByAll(loaded).flatMap(({ routes }) => routes), ...documentRoutes(loaded.flatMap(({ documents }) => documents))];
      },
    },
    refusal: (failure, head) => responsible(head).errors.failure(failure, traceOf(head.headers)),
    guarded: (route, access) => guardedRoute(route, access, { errors: responsible(route).errors, hiddenFailures }),
    webSockets: served.flatMap(({ webSockets }) => webSockets),
    notFound: (head) => responsible(head).errors.notFound(head),
    methodNotAllowed: (head, allow) => responsible(head).errors.methodNotAllowed(head, allow),
    bodyTooLarge,
    noRoomForBody: (head) => comeAgain(refuse("body", noRoomForBody(), head)),
    door: new Origins(options.origins ?? loopbackOnly, (failure, head) => refuse("door", failure, head)),
    deadlinePassed,
    openStreams: () => openStreams.size,
    endStreams: () => openStreams.end(),
  };
}

const comeAgain = (reply: RawReply): RawReply => ({ ...reply, headers: { ...reply.headers, "retry-after": "1" } });

function servedBy(dispatcher: Dispatcher): Pick<Served, "routes" | "webSockets"> {
  const { label, prefixes, operations } = dispatcher.api;
  const placed = prefixes.flatMap((prefix) =>
    Object.entries(operations).map(([name, operation]) => ({ name: label + name, prefix, operation })),
  );
  return {
    routes: placed.map(({ name, prefix, operation }) => routeOf(name, prefix, operation, dispatcher)),
    webSockets: placed.flatMap(({ name, prefix, operation }) =>
      operation.kind === "stream" ? [webSocketRouteOf(name, prefix, operation, dispatcher)] : [],
    ),
  };
}

type Answering = Pick<Api, "prefixes" | "errors">;

/** The API with the longest prefix of a path. */
function responsibleFor(apis: readonly Answering[]): (head: Pick<Head, "path">) => Answering {
  const places = apis
    .flatMap((api) => api.prefixes.map((prefix) => ({ prefix, api })))
    .sort((left, right) => right.prefix.length - left.prefix.length);
  const fallback = places.at(-1);
  assert(fallback?.prefix === "", "one API answers for all paths that no other has");
  return ({ path }) => (places.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? fallback).api;
}
