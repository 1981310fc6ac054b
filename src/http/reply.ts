import { limits } from "../config.js";
import { fail, ok, type Result } from "../base/result.js";
import type { RawReply } from "./route.js";

/** A reply whose head was looked at: nothing in it can end a header early or contradict the framing. */
export interface CheckedReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: NonNullable<RawReply["body"]>;
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, blank and tab: no CR, LF or NUL (response splitting), and the same bytes from both adapters. */
const headerValue = /^[\t\x20-\x7e]*$/;
/** Framing belongs to the transport. */
const framing: ReadonlySet<string> = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding", "upgrade"]);

/** `more` goes out too, but for what the reply says itself. */
export function checkReply(reply: RawReply, more?: Readonly<Record<string, string>>): Result<CheckedReply, string> {
  const { status } = reply;
  if (!Number.isInteger(status) || status < 200 || status > 599) return fail(`reply status ${status} is not a final one`);
  if (more === undefined && reply.headers !== undefined && reply.headers === seen?.asked)
    return ok({ status, headers: seen.headers, body: reply.body ?? "" });
  const headers = Object.entries(more === undefined ? (reply.headers ?? {}) : { ...more, ...reply.headers });
  let bytes = 0;
  for (const [name, value] of headers) {
    if (!headerName.test(name)) return fail(`reply header name ${JSON.stringify(name)} is not a token`);
    if (!headerValue.test(value)) return fail(`reply header ${name} holds characters a header must not hold`);
    if (framing.has(name.toLowerCase())) return fail(`reply header ${name} is set by the transport`);
    bytes += name.length + value.length + 4; // ": " and CR LF
  }
  if (bytes > limits.replyHeadBytesMax) return fail(`reply headers take ${bytes} bytes, more than ${limits.replyHeadBytesMax}`);
  if (more === undefined && reply.headers !== undefined) seen = { asked: reply.headers, headers };
  return ok({ status, headers, body: reply.body ?? "" });
}

/** The headers that were in order last: most replies have the same object, which nobody changes. */
let seen: { readonly asked: NonNullable<RawReply["headers"]>; readonly headers: CheckedReply["headers"] } | undefined;

/** RFC 9110 section 6.4.1: these have neither a body nor a Content-Length. */
export const isBodiless = (status: number): boolean => status === 204 || status === 304;

export const byteLength = (body: string | Uint8Array): number => (typeof body === "string" ? Buffer.byteLength(body) : body.length);

export const isWhole = (body: CheckedReply["body"]): body is string | Uint8Array => typeof body === "string" || body instanceof Uint8Array;

/** The transport's own answers, for what no route ever sees. */
export function plainReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): RawReply {
  return { status, headers: { "Content-Type": "text/plain; charset=UTF-8", ...headers }, body: text };
}
