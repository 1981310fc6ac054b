/** Calls that are answered before all of their message came. */
import type { OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
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

/** Of a call of which nothing was answered. */
export function refuse(stream: ServerHttp2Stream, status: Status, limits: GrpcLimits): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc+proto", ...trailersOf(status) }, { endStream: true });
  linger(stream, limits);
}

/** Of who does not speak gRPC: a status of HTTP. */
export function refuseAsHttp(stream: ServerHttp2Stream, status: number, limits: GrpcLimits): void {
  stream.respond({ ":status": status }, { endStream: true });
  linger(stream, limits);
}

export function trailersOf({ code, message, details }: Status): OutgoingHttpHeaders {
  const trailers = { "grpc-status": code, "grpc-message": encodeURI(wellFormed(message)) };
  if (details === undefined) return trailers;
  return { ...trailers, "grpc-status-details-bin": Buffer.from(details).toString("base64") };
}

/** Half of a character, which a text may have, has no bytes. */
const wellFormed = (text: string): string => (/\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text);
