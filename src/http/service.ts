import { assert } from "../base/assert.js";
import { limits } from "../config.js";
import { BodyBudget } from "./body-budget.js";
import { Connections } from "./connections.js";
import type { Ending } from "./conversation.js";
import { Deadlines } from "./deadlines.js";
import { asksForWebSocket, handshakeFault, offersProtocol, type Head } from "./head.js";
import { InFlight } from "./in-flight.js";
import { Intake } from "./intake.js";
import { Receiving } from "./receiving.js";
import { LaterLoad, type Settled } from "./later-routes.js";
import { plainReply } from "./reply.js";
import type { RawReply, Route, TransportLimits, TransportOptions, UpgradeDecision, WebSocketRoute } from "./route.js";
import { paramsOf, Router, type Match, type Params } from "./router.js";

/** What a head leads to. */
export type Admission =
  | { readonly kind: "route"; readonly route: Route; readonly params: Params }
  | Decided
  /** A handshake on which its route has yet to decide; never rejects. */
  | { readonly kind: "undecided"; readonly decided: Promise<Decided> };

export type Decided = { readonly kind: "reply"; readonly reply: RawReply } | SocketAdmission;

export interface SocketAdmission {
  readonly kind: "socket";
  readonly route: WebSocketRoute;
  readonly protocol: string; // "": none is answered
  readonly context: unknown;
}

/** What both adapters do alike: decide what a request leads to, and know what runs. */
export class Service {
  readonly limits: TransportLimits;
  readonly budget: BodyBudget;
  readonly connections: Connections;
  readonly receiving: Receiving;
  readonly intake: Intake;
  readonly deadlines: Deadlines;
  readonly inFlight = new InFlight();
  readonly conversations = new Set<Ending>();
  readonly #router: Router;
  readonly #later: LaterLoad | undefined;
  #draining = false;

  constructor(readonly options: TransportOptions) {
    this.limits = { ...limits, ...options.limits };
    this.budget = options.bodies ?? new BodyBudget(this.limits.bodiesBytesMax);
    this.connections = options.connections ?? new Connections(Infinity, () => undefined);
    this.receiving = new Receiving(options.turns);
    this.intake = new Intake(this.limits.requestsPerTurnMax);
    this.deadlines = new Deadlines(this.intake);
    this.#router = new Router(options.routes, options.webSockets);
    this.#later = options.later && new LaterLoad(options.later, this.#router);
  }

  readonly onError = (error: unknown): void => this.options.onError(error);

  get draining(): boolean {
    return this.#draining;
  }

  admit(head: Head): Admission {
    try {
      return this.#admit(head);
    } catch (error) {
      return this.#failed(error);
    }
  }

  readonly #failed = (error: unknown): Decided => {
    this.onError(error);
    return answered(plainReply(500, "There was an internal server error."));
  };

  /** True when the path has a WebSocket route and the client asks for it. */
  servesSocket(head: Head): boolean {
    const found = this.#router.find(head.path);
    return typeof found === "object" && found.match.endpoint.socket !== undefined && wantsSocket(head);
  }

  /** Lets what runs finish in the time given, begins nothing new, and tells the rest that it is over. False if there was a rest. */
  async shutDown(drainMs: number): Promise<boolean> {
    this.#draining = true;
    for (const conversation of this.conversations) conversation.drain();
    const drained = await this.inFlight.idle(drainMs);
    for (const conversation of this.conversations) conversation.close(1001, "going away");
    await new Promise((resolve) => setTimeout(resolve, this.limits.drainSettleMs));
    return drained;
  }

  #admit(head: Head): Admission {
    const judged = this.options.door?.answerAt(head);
    if (judged !== undefined) return answered(judged);
    const found = this.#router.find(head.path);
    if (found === "undecodable") return answered(plainReply(400, "The path is not percent-encoded UTF-8."));
    if (found === "unknown") {
      if (!this.#later?.mayServe(head.path)) return answered(this.options.notFound(head));
      return { kind: "route", ...this.#later.routeFor(head, (again) => this.#settle(again)) };
    }
    const { endpoint, values } = found.match;
    if (endpoint.socket !== undefined && wantsSocket(head))
      return this.#upgrade(head, endpoint.socket.target, paramsOf(endpoint.socket, values));
    const bound = endpoint.routes.get(head.method) ?? (head.method === "HEAD" ? endpoint.routes.get("GET") : undefined);
    if (bound !== undefined) return { kind: "route", route: bound.target, params: paramsOf(bound, values) };
    return answered(this.#noSuchMethod(head, found.match));
  }

  #settle(head: Head): Settled {
    const admission = this.#admit(head);
    assert(admission.kind !== "socket" && admission.kind !== "undecided", "routes that are loaded later are none of WebSockets");
    return admission;
  }

  #noSuchMethod(head: Head, { endpoint }: Match): RawReply {
    const isRead = head.method === "GET" || head.method === "HEAD"; // by a WebSocket only
    if (endpoint.socket !== undefined && (isRead || endpoint.routes.size === 0)) return this.options.notFound(head);
    const allow = [...endpoint.routes.keys()];
    if (endpoint.routes.has("GET")) allow.push("HEAD");
    return this.options.methodNotAllowed(head, allow);
  }

  #upgrade(head: Head, route: WebSocketRoute, params: Params): Admission {
    const fault = handshakeFault(head.headers);
    if (fault !== undefined)
      return answered(plainReply(fault.status, fault.text, fault.status === 426 ? { "Sec-WebSocket-Version": "13" } : {}));
    const decision = route.upgrade({ method: head.method, path: head.path, query: head.query, headers: head.headers, params });
    if (!(decision instanceof Promise)) return this.#decided(decision, head, route);
    return { kind: "undecided", decided: decision.then((one) => this.#decided(one, head, route)).catch(this.#failed) };
  }

  #decided(decision: UpgradeDecision, head: Head, route: WebSocketRoute): Decided {
    if (this.#draining) return answered(plainReply(503, "The server is shutting down."));
    if ("reject" in decision) return answered(decision.reject);
    const { protocol, context } = decision.accept;
    assert(/^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/.test(protocol), "a WebSocket subprotocol is a token");
    return { kind: "socket", route, protocol: offersProtocol(head.headers, protocol) ? protocol : "", context };
  }
}

const answered = (reply: RawReply): Decided => ({ kind: "reply", reply });

const wantsSocket = (head: Head): boolean => head.method === "GET" && asksForWebSocket(head.headers);
