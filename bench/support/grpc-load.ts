/**
 * Calls over one connection of HTTP/2 (RFC 9113), by a client that does as little as it can: heads are the same bytes each time, of what
 * comes back only the frames are looked at, and whoever is answered without a message was refused.
 */
import { once } from "node:events";
import net from "node:net";
import {
  acknowledged,
  dataFrame,
  endsHeaders,
  endsStream,
  firstHead,
  frame,
  frameHeadBytes,
  goAwayFrame,
  headersFrame,
  laterHead,
  pingFrame,
  preface,
  resetFrame,
  settingsFrame,
  windowFrame,
} from "../../test/support/http2-frames.js";
import type { LoadResult } from "./load.js";
import { quantile } from "./quantile.js";

export interface CallPlan {
  readonly port: number;
  /** `/service/method`. */
  readonly path: string;
  /** So many at a time. */
  readonly calls: number;
  readonly requests: number;
  /** The message of the next call. */
  next(): Buffer;
}

export async function runCalls({ port, path, calls, requests, next }: CallPlan): Promise<LoadResult> {
  const connection = await CallConnection.open(port, path),
    latencies: number[] = [],
    begin = performance.now();
  let started = 0,
    failures = 0,
    bytes = 0;
  const callOn = async (): Promise<void> => {
    while (started < requests) {
      started++;
      const at = performance.now(),
        answer = await connection.call(next());
      latencies.push(performance.now() - at);
      bytes += answer.bytes;
      if (answer.messages !== 1) failures++;
    }
  };
  await Promise.all(Array.from({ length: calls }, callOn));
  const seconds = (performance.now() - begin) / 1_000;
  connection.close();
  const latencyMs = { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
  return { requests: latencies.length, failures, seconds, latencyMs, bytes };
}

/** Of a stream, until it ends. */
export async function countMessages(port: number, path: string, message: Buffer): Promise<number> {
  const connection = await CallConnection.open(port, path),
    { messages } = await connection.call(message);
  connection.close();
  return messages;
}

const messageHeadBytes = 5;
const windowBytes = 0x7fff_0000,
  initialWindow = 4;

interface Answer {
  bytes: number;
  messages: number;
}

class CallConnection {
  readonly #socket: net.Socket;
  readonly #open = new Map<number, OpenCall>();
  #head: Buffer;
  #lastStream = -1;
  #pending: Buffer = Buffer.alloc(0);
  #out: Buffer[] = [];

  private constructor(socket: net.Socket, path: string) {
    this.#socket = socket;
    this.#head = firstHead(path);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("close", () => this.#fail(new Error("the server closed the connection")));
    const settings = Buffer.alloc(6),
      window = Buffer.alloc(4);
    settings.writeUInt16BE(initialWindow, 0);
    settings.writeUInt32BE(windowBytes, 2);
    window.writeUInt32BE(windowBytes);
    this.#send(preface, frame(settingsFrame, 0, 0, settings), frame(windowFrame, 0, 0, window));
  }

  static async open(port: number, path: string): Promise<CallConnection> {
    const socket = net.connect({ host: "127.0.0.1", port, noDelay: true });
    await once(socket, "connect");
    return new CallConnection(socket, path);
  }

  call(message: Buffer): Promise<Answer> {
    this.#lastStream += 2;
    const stream = this.#lastStream,
      head = Buffer.alloc(messageHeadBytes);
    head.writeUInt32BE(message.length, 1);
    this.#send(frame(headersFrame, endsHeaders, stream, this.#head), frame(dataFrame, endsStream, stream, Buffer.concat([head, message])));
    this.#head = laterHead;
    return new Promise((resolve, reject) => this.#open.set(stream, new OpenCall(resolve, reject)));
  }

  close(): void {
    this.#socket.destroy();
  }

  /** All of one turn together. */
  #send(...frames: readonly Buffer[]): void {
    if (this.#out.length === 0)
      queueMicrotask(() => {
        this.#socket.write(Buffer.concat(this.#out));
        this.#out = [];
      });
    this.#out.push(...frames);
  }

  #take(chunk: Buffer): void {
    const bytes = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    let at = 0;
    while (bytes.length - at >= frameHeadBytes) {
      const end = at + frameHeadBytes + bytes.readUIntBE(at, 3);
      if (end > bytes.length) break;
      this.#took(bytes[at + 3]!, bytes[at + 4]!, bytes.readUInt32BE(at + 5), bytes.subarray(at + frameHeadBytes, end));
      at = end;
    }
    this.#pending = bytes.subarray(at);
  }

  #took(type: number, flags: number, stream: number, payload: Buffer): void {
    const call = this.#open.get(stream);
    if ((type === settingsFrame || type === pingFrame) && (flags & acknowledged) === 0)
      this.#send(frame(type, acknowledged, 0, type === pingFrame ? payload : undefined));
    else if (type === goAwayFrame) this.#fail(new Error("the server takes no more calls"));
    else if (type === resetFrame) call?.reject(new Error(`the server ended the call: ${payload.readUInt32BE(0)}`));
    else if (type === dataFrame) call?.take(payload);
    if ((type === dataFrame || type === headersFrame) && (flags & endsStream) !== 0) {
      this.#open.delete(stream);
      call?.end();
    }
  }

  #fail(error: Error): void {
    for (const call of this.#open.values()) call.reject(error);
    this.#open.clear();
  }
}

/** Counts what comes for one call. */
class OpenCall {
  readonly #answer: Answer = { bytes: 0, messages: 0 };
  /** Bytes of a message that are still to come, and of a head what came. */
  #skip = 0;
  #head: Buffer = Buffer.alloc(0);

  constructor(
    private readonly resolve: (answer: Answer) => void,
    readonly reject: (error: Error) => void,
  ) {}

  take(payload: Buffer): void {
    this.#answer.bytes += payload.length;
    let at = Math.min(this.#skip, payload.length);
    this.#skip -= at;
    if (this.#skip > 0) return;
    const bytes = this.#head.length > 0 ? Buffer.concat([this.#head, payload]) : payload;
    while (bytes.length - at >= messageHeadBytes) {
      this.#answer.messages++;
      at += messageHeadBytes + bytes.readUInt32BE(at + 1);
    }
    this.#skip = Math.max(0, at - bytes.length);
    this.#head = Buffer.from(bytes.subarray(Math.min(at, bytes.length)));
  }

  end(): void {
    this.resolve(this.#answer);
  }
}
