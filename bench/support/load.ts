/**
 * A load generator over plain sockets: on two cores the client's cost is part of every figure, so it does as little as it
 * can. Each connection has one request in flight, and is made before the clock starts; loopback only; it stops after the given number
 * of requests.
 */
import { once } from "node:events";
import net from "node:net";

export interface LoadResult {
  readonly requests: number;
  readonly failures: number;
  readonly seconds: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number };
  readonly bytes: number;
}

export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly requests: number;
  /** The bytes of the next request, made by `httpRequest`. */
  next(index: number): Buffer;
}

export function httpRequest(method: string, path: string, body: string): Buffer {
  const payload = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${payload.length}\r\n\r\n`,
    ),
    payload,
  ]);
}

export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const latencies = new Float64Array(plan.requests);
  let started = 0;
  let done = 0;
  let failures = 0;
  let bytes = 0;
  const connections = await Promise.all(Array.from({ length: plan.connections }, () => connect(plan.port)));
  const begin = performance.now();
  const askOn = async ({ socket, reader }: Connection): Promise<void> => {
    while (started < plan.requests) {
      const index = started++;
      const at = performance.now();
      socket.write(plan.next(index));
      const response = await reader.next();
      latencies[done++] = performance.now() - at;
      bytes += response.bytes;
      if (response.status !== 200) failures++;
    }
    socket.destroy();
  };
  await Promise.all(connections.map(askOn));
  const sorted = latencies.sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { requests: done, failures, seconds: (performance.now() - begin) / 1000, latencyMs: { p50: at(0.5), p99: at(0.99) }, bytes };
}

export interface Connection {
  readonly socket: net.Socket;
  /** From the beginning, so that one that is closed before it is used is told of. */
  readonly reader: ResponseReader;
}

export async function connect(port: number): Promise<Connection> {
  const socket = net.connect({ host: "127.0.0.1", port, noDelay: true }),
    reader = new ResponseReader(socket);
  await once(socket, "connect");
  return { socket, reader };
}

export interface Response {
  readonly status: number;
  readonly bytes: number;
  /** Of one that is not 200, and tells its length. */
  readonly refusal?: string;
}

/** Reads responses with Content-Length or chunked bodies; only their size and status are looked at, and the text of refusals. */
export class ResponseReader {
  #pending: Buffer[] = [];
  #size = 0;
  #wake: (() => void) | undefined;
  #failure: Error | undefined;

  constructor(socket: net.Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.#pending.push(chunk);
      this.#size += chunk.length;
      this.#wake?.();
    });
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the server closed the connection")));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }

  async next(): Promise<Response> {
    const head = await this.#head();
    const status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) {
      await this.#need(Number(length));
      const response = { status, bytes: head.length + Number(length) },
        refusal = status === 200 ? undefined : this.#joined().toString("utf8", 0, Number(length));
      this.#drop(Number(length));
      return refusal === undefined ? response : { ...response, refusal };
    }
    return { status, bytes: head.length + (await this.#chunked()) };
  }

  async #head(): Promise<string> {
    for (;;) {
      const first = this.#joined();
      const end = first.indexOf("\r\n\r\n");
      if (end >= 0) {
        this.#drop(end + 4);
        return first.toString("latin1", 0, end + 4);
      }
      await this.#need(this.#size + 1);
    }
  }

  async #chunked(): Promise<number> {
    let total = 0;
    for (;;) {
      const data = this.#joined();
      const end = data.indexOf("\r\n");
      if (end < 0) {
        await this.#need(this.#size + 1);
        continue;
      }
      const size = Number.parseInt(data.toString("latin1", 0, end), 16);
      await this.#need(end + 2 + size + 2);
      this.#drop(end + 2 + size + 2);
      total += size;
      if (size === 0) return total;
    }
  }

  #joined(): Buffer {
    if (this.#pending.length > 1) this.#pending = [Buffer.concat(this.#pending)];
    return this.#pending[0] ?? Buffer.alloc(0);
  }

  #drop(count: number): void {
    this.#size -= count;
    while (count > 0) {
      const first = this.#pending[0]!;
      if (first.length > count) {
        this.#pending[0] = first.subarray(count);
        return;
      }
      count -= first.length;
      this.#pending.shift();
    }
  }

  async #need(size: number): Promise<void> {
    while (this.#size < size) {
      if (this.#failure) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
