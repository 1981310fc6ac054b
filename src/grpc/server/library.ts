/** @grpc/grpc-js, with what it keeps to itself and this server needs. */
import type { Http2Server, ServerHttp2Stream } from "node:http2";
import type { Duplex } from "node:stream";
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerInterceptingCall,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
} from "@grpc/grpc-js";
import { assert } from "../../base/assert.js";
import type { Status } from "../call.js";
import type { GrpcLimits } from "./limits.js";
import { Refused, wellFormed } from "./refusal.js";

export type LibraryCall = ServerUnaryCall<Buffer, Buffer> | ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>;

export interface Library {
  readonly server: Server;
  /** What it makes sessions with, and hears of streams from. */
  readonly http2: Http2Server;
  readonly take: (connection: Duplex) => void;
}

/**
 * `begins`: hears of each call, and how it is ended before its handler has it; gives what takes its messages in, each by the bytes that came
 * and how they are packed.
 */
export function openLibrary(
  limits: GrpcLimits,
  begins: (stream: ServerHttp2Stream, end: (status: Status) => void) => TakeMessage,
): Library {
  const server = new Server({
    "grpc.max_receive_message_length": limits.grpcMessageBytesMax,
    "grpc.max_send_message_length": -1, // what may be answered is bounded where it is made
    "grpc.max_concurrent_streams": limits.grpcStreamsPerConnectionMax,
    "grpc.keepalive_time_ms": limits.grpcKeepAliveMs,
    "grpc.keepalive_timeout_ms": limits.grpcKeepAliveAnswerMs,
    "grpc.max_connection_idle_ms": limits.grpcIdleMs,
    "grpc.enable_channelz": 0,
    interceptors: [
      (_, call) => {
        const take = begins(streamIn(call), (status) => call.sendStatus(libraryError(status)));
        unpackBy(call, take);
        return call as ServerInterceptingCall;
      },
    ],
  });
  const { injectConnection } = server.createConnectionInjector(ServerCredentials.createInsecure()); // TLS is the listener's
  const { http2Servers } = server as unknown as { readonly http2Servers: ReadonlyMap<Http2Server, unknown> };
  const [http2] = http2Servers.keys();
  assert(http2 !== undefined, "the library has a server of HTTP/2");
  return { server, http2, take: injectConnection };
}

/** The message itself, without the head of its frame. Throws or rejects with `Refused`. */
export type TakeMessage = (frame: Buffer, encoding: string) => Buffer | Promise<Buffer>;

/** The library would unpack whatever is small on its way, all of it at the same time, and tell of it when it is done. */
function unpackBy(call: object, take: TakeMessage): void {
  const unpacking = call as { decompressMessage?: TakeMessage };
  assert(unpacking.decompressMessage !== undefined, "a call of the library unpacks its messages");
  unpacking.decompressMessage = async (frame, encoding) => {
    try {
      return await take(frame, encoding);
    } catch (error) {
      throw error instanceof Refused ? libraryError(error.status) : error;
    }
  };
}

export const streamOf = (call: LibraryCall): ServerHttp2Stream => streamIn((call as unknown as { readonly call: object }).call);

function streamIn(call: object): ServerHttp2Stream {
  const { stream } = call as { readonly stream?: ServerHttp2Stream };
  assert(stream !== undefined, "a call of the library has its stream");
  return stream;
}

export interface LibraryError extends Error {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

export function libraryError({ code, message, details }: Status): LibraryError {
  const metadata = new Metadata();
  if (details !== undefined) metadata.set("grpc-status-details-bin", bufferOf(details));
  const text = wellFormed(message);
  return { name: "Status", code, message: text, details: text, metadata };
}

export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
