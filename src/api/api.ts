import { participantNameOf } from "../ledger/identity.js";
import type { AnyOperation } from "./operation.js";
import { pathOf } from "./operation.js";
import { nodeOperations } from "./node/index.js";
import { operations } from "./operations.js";
import type { Route, TransportOptions, WebSocketRoute } from "../http/route.js";
import { bodyTooLarge, deadlinePassed, methodNotAllowed, notFound } from "./answers.js";
import type { Dispatcher, DispatchOptions } from "./dispatch.js";
import { routeOf } from "./dispatch.js";
import { documentRoutes } from "./documents.js";
import { HiddenFailures } from "./hidden-failures.js";
import { OpenStreams } from "./open-streams.js";
import { webSocketRouteOf } from "./socket-dispatch.js";

export type ApiOptions = DispatchOptions;

/** What a transport needs to serve the API. */
export type Api = Pick<TransportOptions, "notFound" | "methodNotAllowed" | "bodyTooLarge" | "deadlinePassed"> & {
  readonly routes: readonly Route[];
  readonly webSockets: readonly WebSocketRoute[];
  /** Ends what waits for news, as a shutdown begins. */
  endStreams(): void;
};

export function createApi(options: ApiOptions): Api {
  const openStreams = new OpenStreams();
  const dispatcher: Dispatcher = { ...options, openStreams, hiddenFailures: new HiddenFailures(options.log), renderer: { participant: participantNameOf(options.services.ledger.participantId) } };
  const all = Object.entries<AnyOperation>(operations);
  const streams = all.flatMap(([name, operation]) => (operation.kind === "stream" ? [[name, operation] as const] : []));
  return {
    routes: [...[...all, ...Object.entries<AnyOperation>(nodeOperations)].map(([name, operation]) => routeOf(name, operation, dispatcher)), ...documentRoutes()],
    webSockets: streams.map(([name, stream]) => webSocketRouteOf(name, stream, dispatcher)),
    notFound,
    methodNotAllowed: methodNotAllowed(new Set(streams.map(([, stream]) => pathOf(stream.route)))),
    bodyTooLarge,
    deadlinePassed,
    endStreams: () => openStreams.end(),
  };
}
