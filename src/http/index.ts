/** The transport: moves bytes between sockets and routes, and knows nothing of what they mean. */
export { BodyBudget } from "./body-budget.js";
export { Connections, connectionsMax } from "./connections.js";
export { ClientGone, isDeparture } from "./departure.js";
export { InFlight } from "./in-flight.js";
export { CannotListen, listenFailure } from "./listen-failure.js";
export { InProcess, type InProcessOptions, type WholeReply } from "./in-process.js";
export { announcesBody, asksForWebSocket, type Head } from "./head.js";
export type { Door, HeadDecision, LaterRoutes } from "./route.js";
export type { FirstMessage, RawReply, RawRequest, RawSocket, Route } from "./route.js";
export type { Transport, TransportLimits, TransportOptions, UpgradeDecision, WebSocketRoute } from "./route.js";
export { TlsIdentity, tlsProblem, trustProblem, type TlsMaterial } from "./tls-identity.js";
export { startTransport, type TransportChoice } from "./transport.js";
