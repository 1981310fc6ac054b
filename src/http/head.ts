/** A request's head as both adapters hand it on. */
export interface Head {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: ReadonlyMap<string, string>;
}

/**
 * Headers whose repetition lets two readers of one connection disagree about where a request ends, or who it is from, and what is said of
 * that. Among protocols a browser's token may stand: of those we say what Canton says.
 */
const singular: ReadonlyMap<string, string> = new Map([
  ...["content-length", "host", "authorization", "transfer-encoding"].map((name) => [name, `More than one ${name} header.`] as const),
  ["sec-websocket-protocol", "Invalid value for: header Sec-WebSocket-Protocol (multiple values)"],
]);

const decimalLength = /^[0-9]{1,15}$/;

/**
 * Collects a request's headers and notices what must be refused (RFC 9112 sections 3.2 and 6.3).
 * The native parser lets two different or empty Content-Length headers and any Transfer-Encoding through.
 */
export class HeaderCollector {
  readonly headers = new Map<string, string>();
  #fault: string | undefined;

  add(name: string, value: string): void {
    const earlier = this.headers.get(name);
    if (earlier === undefined) this.headers.set(name, value);
    else if (singular.has(name)) this.#fault = singular.get(name);
    else this.headers.set(name, `${earlier}, ${value}`);
  }

  /** Why this head is refused. */
  get fault(): string | undefined {
    if (this.#fault !== undefined) return this.#fault;
    const { headers } = this;
    const length = headers.get("content-length");
    const coding = headers.get("transfer-encoding");
    if (headers.has("")) return "A header without a name.";
    if (length !== undefined && !decimalLength.test(length)) return "Malformed content-length header.";
    if (coding !== undefined && coding.toLowerCase() !== "chunked") return "Unsupported transfer-encoding.";
    if (length !== undefined && coding !== undefined) return "Both content-length and transfer-encoding.";
    return undefined;
  }
}

/** True when a body follows the head. */
export function announcesBody(headers: ReadonlyMap<string, string>): boolean {
  return headers.has("transfer-encoding") || declaredLength(headers) > 0;
}

export function declaredLength(headers: ReadonlyMap<string, string>): number {
  return Number(headers.get("content-length") ?? 0);
}

export function asksToClose(headers: ReadonlyMap<string, string>): boolean {
  return hasToken(headers.get("connection"), "close");
}

/** RFC 6455 section 4.2.1, points 3 and 4. */
export function asksForWebSocket(headers: ReadonlyMap<string, string>): boolean {
  return hasToken(headers.get("upgrade"), "websocket") && hasToken(headers.get("connection"), "upgrade");
}

/** Why a WebSocket handshake cannot be accepted (RFC 6455 section 4.2.1, points 5 and 6), as status and text. */
export function handshakeFault(headers: ReadonlyMap<string, string>): { readonly status: number; readonly text: string } | undefined {
  if (headers.get("sec-websocket-version") !== "13") return { status: 426, text: "WebSocket version 13 is required." };
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers.get("sec-websocket-key") ?? ""))
    return { status: 400, text: "Malformed sec-websocket-key header." };
  if (announcesBody(headers)) return { status: 400, text: "A WebSocket handshake has no body." };
  return undefined;
}

/** A client fails the connection when it is answered a protocol that it did not offer (RFC 6455 section 4.1). */
export function offersProtocol(headers: ReadonlyMap<string, string>, protocol: string): boolean {
  return (headers.get("sec-websocket-protocol") ?? "").split(",").some((offered) => offered.trim() === protocol);
}

function hasToken(value: string | undefined, token: string): boolean {
  if (value === undefined) return false;
  return value.split(",").some((part) => part.trim().toLowerCase() === token);
}
