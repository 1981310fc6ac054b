import { assert } from "../base/assert.js";
import type { Route, WebSocketRoute } from "./route.js";

/** What is served under one path pattern. */
interface Endpoint {
  readonly routes: Map<string, Bound<Route>>;
  socket: Bound<WebSocketRoute> | undefined;
}

interface Bound<T> {
  readonly target: T;
  readonly parameters: readonly string[];
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  endpoint: Endpoint | undefined;
}

export type Params = Readonly<Record<string, string>>;

/** A path that some route has: what is there, and the decoded segments its parameters took. */
export interface Match {
  readonly endpoint: Endpoint;
  readonly values: readonly string[];
}

export type Found = { readonly match: Match } | "unknown" | "undecodable";

const noValues: readonly string[] = [];
const noParams: Params = Object.freeze({});

/** Paths by whole segments; a literal segment wins over a parameter. */
export class Router {
  readonly #root = node();
  /** Patterns without parameters, which most requests ask for. */
  readonly #literal = new Map<string, Match>();

  constructor(routes: readonly Route[], webSockets: readonly WebSocketRoute[]) {
    this.add(routes);
    for (const socket of webSockets) {
      const { endpoint, parameters } = this.#endpointOf(socket.path);
      assert(endpoint.socket === undefined, `two WebSocket routes for ${socket.path}`);
      endpoint.socket = { target: socket, parameters };
    }
  }

  add(routes: readonly Route[]): void {
    for (const route of routes) {
      const { endpoint, parameters } = this.#endpointOf(route.path);
      assert(!endpoint.routes.has(route.method), `two routes for ${route.method} ${route.path}`);
      endpoint.routes.set(route.method, { target: route, parameters });
    }
  }

  find(path: string): Found {
    const literal = this.#literal.get(path);
    if (literal !== undefined) return { match: literal };
    const segments = segmentsOf(path);
    if (segments === undefined) return "undecodable";
    const values: string[] = [];
    const endpoint = descend(this.#root, segments, 0, values);
    return endpoint === undefined ? "unknown" : { match: { endpoint, values } };
  }

  #endpointOf(pattern: string): { endpoint: Endpoint; parameters: readonly string[] } {
    assert(pattern.startsWith("/"), `route path ${pattern} does not start with /`);
    const segments = pattern === "/" ? [] : pattern.slice(1).split("/");
    const parameters: string[] = [];
    let at = this.#root;
    for (const segment of segments) {
      assert(segment !== "", `route path ${pattern} has an empty segment`);
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      if (name !== undefined) parameters.push(name);
      at = name === undefined ? literalChild(at, segment) : (at.parameter ??= node());
    }
    at.endpoint ??= { routes: new Map(), socket: undefined };
    if (parameters.length === 0) this.#literal.set(pattern, { endpoint: at.endpoint, values: noValues });
    return { endpoint: at.endpoint, parameters };
  }
}

/** Whether a path lies at a place or below it, as the router reads paths. */
export function isBelow(path: string, prefix: string): boolean {
  const clean = `/${(segmentsOf(path) ?? []).join("/")}`;
  return clean === prefix || clean.startsWith(`${prefix}/`);
}

export function paramsOf(bound: Bound<unknown>, values: readonly string[]): Params {
  if (values.length === 0) return noParams;
  return Object.fromEntries(bound.parameters.map((name, index) => [name, values[index] ?? ""]));
}

/**
 * Decoded segments. Empty ones do not count, as in tapir's PekkoServerRequest: clients that put a base URL ending in `/`
 * before `/v2/updates` ask for `//v2/updates` (the wallet SDK's event streams do).
 */
function segmentsOf(path: string): string[] | undefined {
  const segments = path.split("/").filter((segment) => segment !== "");
  if (!path.includes("%")) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined; // URIError: a % that no two hexadecimal digits follow, or bytes that are not UTF-8
  }
}

function descend(at: Node, segments: readonly string[], depth: number, values: string[]): Endpoint | undefined {
  const segment = segments[depth];
  if (segment === undefined) return at.endpoint;
  const literal = at.literals.get(segment);
  const found = literal && descend(literal, segments, depth + 1, values);
  if (found !== undefined || at.parameter === undefined) return found;
  values.push(segment);
  const bound = descend(at.parameter, segments, depth + 1, values);
  if (bound === undefined) values.pop();
  return bound;
}

const node = (): Node => ({ literals: new Map(), parameter: undefined, endpoint: undefined });

function literalChild(parent: Node, segment: string): Node {
  const child = parent.literals.get(segment) ?? node();
  parent.literals.set(segment, child);
  return child;
}
