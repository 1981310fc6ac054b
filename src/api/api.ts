import { participantNameOf } from "../ledger/identity.js";
import type { AnyOperation } from "./operation.js";
import { pathOf } from "./operation.js";
import { nodeOperations } from "./node/index.js";
import { operations } from "./operations.js";
import type { Head } from "../http/head.js";
import type { Door, RawReply, Route, TransportOptions, WebSocketRoute } from "../http/route.js";
import { bodyTooLarge, deadlinePassed, methodNotAllowed, notFound } from "./answers.js";
import type { Dispatcher, DispatchOptions } from "./dispatch.js";
import { routeOf } from "./dispatch.js";
import { documentRoutes } from "./documents.js";
import type { RequestFailure } from "./errors.js";
import { errorReply } from "./errors.js";
import { noRoomForBody } from "./failures.js";
import { guardedRoute } from "./guarded-route.js";
import { HiddenFailures } from "./hidden-failures.js";
import { landingRoutes } from "./landing-page.js";
import { OpenStreams } from "./open-streams.js";
import { loopbackOnly, Origins, type OriginRules } from "./origins.js";
import { webSocketRouteOf } from "./socket-dispatch.js";
import { traceOf } from "./trace.js";

export interface ApiOptions extends DispatchOptions {
  /** Absent: this machine's. */
  readonly origins?: OriginRules;
}

/** What a transport needs to serve the API. */
export type Api = Pick<TransportOptions, "notFound" | "methodNotAllowed" | "bodyTooLarge" | "noRoomForBody" | "deadlinePassed"> & {
  readonly door: Door;
  readonly routes: readonly Route[];
  readonly webSockets: readonly WebSocketRoute[];
  /** A route for the operator alone; `token` is one that opens it without being anybody's. */
  guarded(route: Route, token: string | undefined): Route;
  /** Ends what waits for news, as a shutdown begins. */
  endStreams(): void;
};

export function createApi(options: ApiOptions): Api {
  const openStreams = new OpenStreams();
  const dispatcher: Dispatcher = { ...options, openStreams, hiddenFailures: new HiddenFailures(options.log), renderer: { participant: participantNameOf(options.services.ledger.participantId) } };
  const refuse = (name: string, failure: RequestFailure, { headers }: Head): RawReply => {
    dispatcher.observe(name, failure.code, 0);
    return errorReply(failure, traceOf(headers), dispatcher.renderer);
  };
  const all = Object.entries<AnyOperation>(operations);
  const streams = all.flatMap(([name, operation]) => (operation.kind === "stream" ? [[name, operation] as const] : []));
  return {
    routes: [...[...all, ...Object.entries<AnyOperation>(nodeOperations)].map(([name, operation]) => routeOf(name, operation, dispatcher)), ...documentRoutes(), ...landingRoutes],
    guarded: (route, token) => guardedRoute(route, token, dispatcher),
    webSockets: streams.map(([name, stream]) => webSocketRouteOf(name, stream, dispatcher)),
    notFound,
    methodNotAllowed: methodNotAllowed(new Set(streams.map(([, stream]) => pathOf(stream.route)))),
    bodyTooLarge,
    noRoomForBody: head => {
      const reply = refuse("body", noRoomForBody(), head);
      return { ...reply, headers: { ...reply.headers, "retry-after": "1" } };
    },
    door: new Origins(options.origins ?? loopbackOnly, options.authentication.enabled, (failure, head) => refuse("door", failure, head)),
    deadlinePassed,
    endStreams: () => openStreams.end(),
  };
}
