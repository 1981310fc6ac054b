/** Answers to requests that reach no operation, in the shapes that the reference has for them. */
import type { RawReply } from "../http/index.js";
import type { Head } from "./api.js";
import { jsonHeaders, textHeaders } from "./content-types.js";

const plain = (status: number, body: string): RawReply => ({ status, headers: textHeaders, body });

export const unreadable = (what: string): RawReply => plain(400, `Invalid value for: ${what}`);

/** An unknown path: a JSON body of another shape than errors have. */
export function notFound(request: Head): RawReply {
  const scheme = request.headers.get("upgrade")?.toLowerCase() === "websocket" ? "ws" : "http";
  const query = request.query === "" ? "" : `?${request.query}`;
  const uri = `${scheme}://${request.headers.get("host") ?? "localhost"}${request.path}${query}`;
  const body = { errors: [`HttpMethod(${request.method}), uri: ${uri}`], status: 404, ledgerApiError: null };
  return { status: 404, headers: jsonHeaders, body: JSON.stringify(body) };
}

export const methodNotAllowed = (_: Head, allow: readonly string[]): RawReply => ({
  ...plain(405, "Method Not Allowed"),
  headers: { ...textHeaders, allow: allow.join(", ") },
});

export const bodyTooLarge = (limitBytes: number): RawReply =>
  plain(413, `The request body is larger than the limit of ${limitBytes} bytes.`);

export const deadlinePassed = (): RawReply =>
  plain(503, "The request was not answered in time. A submission may still succeed: look for its completion.");
