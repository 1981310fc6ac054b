/** Calls that are answered before all of their message came. */
import type { ServerHttp2Stream } from "node:http2";
import type { Status } from "../call.js";
import type { GrpcLimits } from "./limits.js";

/** Thrown instead of a message. */
export class Refused extends Error {
  override readonly name = "Refused";
  constructor(readonly status: Status) {
    super(status.message);
  }
}

const lingering = new WeakSet<ServerHttp2Stream>();

/** What still comes of a call that was answered is thrown away for a while, so that its client reads the answer instead of a reset. */
export function linger(stream: ServerHttp2Stream, { lingerMs }: GrpcLimits): void {
  if (lingering.has(stream) || stream.closed) return;
  lingering.add(stream);
  const timer = setTimeout(() => stream.close(0), lingerMs); // NO_ERROR of HTTP/2
  stream.once("close", () => clearTimeout(timer));
  stream.resume();
}

/** Of a call that the library does not know. */
export function refuse(stream: ServerHttp2Stream, { code, message, details }: Status, limits: GrpcLimits): void {
  const status = { "grpc-status": code, "grpc-message": encodeURI(wellFormed(message)) },
    more = details === undefined ? {} : { "grpc-status-details-bin": Buffer.from(details).toString("base64") };
  stream.respond({ ":status": 200, "content-type": "application/grpc+proto", ...status, ...more }, { endStream: true });
  linger(stream, limits);
}

/** Half of a character, which a text may have, has no bytes. */
export const wellFormed = (text: string): string => (/\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text);
