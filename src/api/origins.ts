/**
 * Whose requests are looked at, by their heads alone. A browser lets any page send requests to any address; it only keeps the
 * answer from the page, and asks first (a preflight) where the request is one that no form could send. So without tokens
 * - the Host must be a name that is ours: another one was made to point here (DNS rebinding),
 * - the Origin must be absent (a program), a page of this machine, our own, or allowed,
 * - a body that comes with an Origin must be of a type that browsers ask about first,
 * - what a page of another site merely embeds (an image, a script, a frame) is not served.
 * With tokens they decide: a page has none unless somebody gave it one. Then only sockets, and what browsers ask, are
 * held to the Origin, and the Host may be any name that a proxy uses.
 * Where the secret of tokens is published, as LocalNet's is, a page signs its own, and they decide nothing: Host and Origin are
 * judged as without. Only the body may be of any type, as browsers ask first about the header that a token comes in.
 */
import { isIP } from "node:net";
import { type Authentication, noAuthentication } from "../auth/index.js";
import { isLoopback } from "../base/loopback.js";
import { limits } from "../config.js";
import { announcesBody, asksForWebSocket, type Door, type Head, type RawReply } from "../http/index.js";
import { contentTypeNotAllowed, embeddedElsewhere, hostNotAllowed, originNotAllowed } from "./failures.js";
import type { RequestFailure } from "./errors.js";

export interface OriginRules {
  /** Looked at anew with each request, as it can be exchanged. */
  readonly authentication: Pick<Authentication, "enabled" | "isSecretPublished">;
  /** The address that the node listens on. */
  readonly host: string;
  /** As `--allow-host` names them: without port. */
  readonly allowedHosts: readonly string[];
  /** As browsers write them: scheme, host, and the port where it is not the scheme's; or "null". */
  readonly allowedOrigins: readonly string[];
}

export const loopbackOnly: OriginRules = { authentication: noAuthentication, host: "127.0.0.1", allowedHosts: [], allowedOrigins: [] };

type Headers = ReadonlyMap<string, string>;

export class Origins implements Door {
  readonly #authentication: OriginRules["authentication"];
  readonly #listensBeyondLoopback: boolean;
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #refuse: (failure: RequestFailure, head: Head) => RawReply;
  readonly #knownHosts = new Verdicts((text) => this.#isKnownHost(text));
  readonly #localOrigins = new Verdicts((text) => this.#isLocalOrigin(text));

  constructor(rules: OriginRules, refuse: (failure: RequestFailure, head: Head) => RawReply) {
    this.#authentication = rules.authentication;
    this.#listensBeyondLoopback = !isLoopback(rules.host);
    this.#hosts = new Set([rules.host, ...rules.allowedHosts].map((host) => host.toLowerCase()));
    this.#origins = new Set(rules.allowedOrigins.map((origin) => origin.toLowerCase()));
    this.#refuse = refuse;
  }

  answerAt(head: Head): RawReply | undefined {
    const failure = this.#failureOf(head);
    if (failure !== undefined) return this.#refuse(failure, head);
    return isPreflight(head) ? preflightReply(head.headers) : undefined;
  }

  headersFor({ headers }: Head): Readonly<Record<string, string>> | undefined {
    const origin = headers.get("origin");
    if (origin === undefined || !this.#allows(origin, headers)) return undefined;
    return { "access-control-allow-origin": origin, "access-control-expose-headers": exposedHeaders, vary: "Origin" };
  }

  #failureOf(head: Head): RequestFailure | undefined {
    const { headers } = head,
      { enabled, isSecretPublished } = this.#authentication,
      tokensDecide = enabled && !isSecretPublished;
    const host = headers.get("host") ?? "";
    if (!tokensDecide && !this.#knownHosts.of(host)) return hostNotAllowed(host);
    const origin = headers.get("origin");
    if (origin === undefined) return !tokensDecide && isEmbeddedElsewhere(head) ? embeddedElsewhere() : undefined;
    if (!this.#allows(origin, headers)) {
      const isHeldToOrigin = !tokensDecide || isPreflight(head) || asksForWebSocket(headers);
      return isHeldToOrigin ? originNotAllowed(origin) : undefined;
    }
    const isSimple = announcesBody(headers) && !askedAboutType.test(headers.get("content-type") ?? "");
    return !enabled && isSimple ? contentTypeNotAllowed() : undefined;
  }

  #allows(origin: string, headers: Headers): boolean {
    if (origin.length > limits.originCharsMax || !visible.test(origin)) return false;
    return this.#localOrigins.of(origin) || isOwn(origin, headers.get("host"));
  }

  /** Beyond loopback any address will do: what was made to point here is a name. */
  #isKnownHost(text: string): boolean {
    const host = hostOf(text);
    if (host === undefined) return false;
    return isLoopback(host) || this.#hosts.has(host.replace(/\.$/, "")) || (this.#listensBeyondLoopback && isIP(host) !== 0);
  }

  #isLocalOrigin(text: string): boolean {
    const origin = text.toLowerCase();
    if (this.#origins.has(origin)) return true;
    const host = hostOf(/^https?:\/\/(.*)$/.exec(origin)?.[1] ?? "");
    return host !== undefined && isLoopback(host);
  }
}

/** Most requests bring the same few texts. */
class Verdicts {
  readonly #known = new Map<string, boolean>();
  readonly #judge: (text: string) => boolean;

  constructor(judge: (text: string) => boolean) {
    this.#judge = judge;
  }

  of(text: string): boolean {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= limits.originsRememberedMax) this.#known.clear();
    const verdict = this.#judge(text);
    this.#known.set(text, verdict);
    return verdict;
  }
}

/** An origin goes back as it came, in a header. */
const visible = /^[\x21-\x7e]+$/;

/** Name or address without port and brackets, in lower case; undefined for what is neither. */
function hostOf(text: string): string | undefined {
  if (text.length > limits.originCharsMax) return undefined;
  const [, address, name] = /^(?:\[([0-9a-f:.]+)\]|([^\s:@/?#\\[\]]+))(?::[0-9]{1,5})?$/i.exec(text) ?? [];
  return (address ?? name)?.toLowerCase();
}

/** A page that came from this very node: its Host was judged before, or tokens decide. */
const isOwn = (origin: string, host: string | undefined): boolean =>
  host !== undefined && /^https?:\/\/(.*)$/i.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase();

/** Types that no form can send. */
const askedAboutType = /^application\/(?:octet-stream|(?:[\w.+-]+\+)?json)[ \t]*(?:;|$)/i;

/** Following a link is the user's doing, and shows the answer to him alone; sending a form may be the page's, and does something. */
function isEmbeddedElsewhere({ method, headers }: Head): boolean {
  if (headers.get("sec-fetch-site") !== "cross-site") return false;
  if (method !== "GET" && method !== "HEAD") return true;
  return headers.get("sec-fetch-mode") !== "navigate" || headers.get("sec-fetch-dest") !== "document";
}

const isPreflight = ({ method, headers }: Head): boolean =>
  method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");

const exposedHeaders = "Ledgerline-List-Limit, Canton-Package-Hash, Ledger-Package-Hash, Retry-After, Allow, traceparent";
const usualHeaders = "authorization, content-type, traceparent, tracestate, ledgerline-list-elements-max";
const headerNames = /^[!#$%&'*+.^_`|~0-9A-Za-z, -]{1,1000}$/;

/** The origin is one that may do everything, so it may also send what headers it likes. */
function preflightReply(headers: Headers): RawReply {
  const asked = headers.get("access-control-request-headers") ?? "";
  return {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": headerNames.test(asked) ? asked : usualHeaders,
      "access-control-max-age": String(limits.preflightAgeMaxSeconds),
      ...(headers.get("access-control-request-private-network") === "true" && { "access-control-allow-private-network": "true" }),
      vary: "Origin, Access-Control-Request-Headers",
    },
  };
}
