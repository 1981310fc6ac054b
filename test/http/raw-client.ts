import { connect, type Socket } from "node:net";
import { once } from "node:events";

export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** A connection whose bytes the test writes itself; answers are read strictly. */
export class RawClient {
  readonly socket: Socket;
  #merged: Buffer = Buffer.alloc(0);
  #received: Buffer[] = [];
  #bytes = 0; // merged and received
  #waiting: (() => void) | undefined;
  ended = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => {
      this.#received.push(chunk);
      this.#bytes += chunk.length;
      this.#waiting?.();
    });
    socket.on("error", () => undefined); // a reset ends the connection: "close" follows
    socket.on("close", () => {
      this.ended = true;
      this.#waiting?.();
    });
  }

  static async open(port: number): Promise<RawClient> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new RawClient(socket);
  }

  write(data: string | Uint8Array): void {
    this.socket.write(data);
  }

  /** Each part in a segment of its own. */
  async writeParts(parts: readonly (string | Uint8Array)[], pauseMs = 1): Promise<void> {
    for (const part of parts) {
      this.socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** The next response; undefined when the connection ended before one came. */
  async response(method = "GET"): Promise<RawResponse | undefined> {
    const head = await this.#until("\r\n\r\n");
    if (head === undefined) return undefined;
    const { status, headers } = parseHead(head.toString("latin1"));
    if (status === 100) return this.response(method);
    return { status, headers, body: await this.#body(method, status, headers) };
  }

  /** What came and was not read yet. */
  get unread(): Buffer {
    if (this.#received.length > 0) this.#merged = Buffer.concat([this.#merged, ...this.#received.splice(0)]);
    return this.#merged;
  }

  async take(bytes: number): Promise<Buffer | undefined> {
    while (this.#bytes < bytes) {
      if (this.ended) return undefined;
      await this.#more();
    }
    const all = this.unread;
    this.#merged = all.subarray(bytes);
    this.#bytes -= bytes;
    return all.subarray(0, bytes);
  }

  #more(): Promise<void> {
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  /** Until something came or the connection ended, or the time is over. */
  async firstSign(msMax: number): Promise<void> {
    if (this.ended || this.#bytes > 0) return;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, msMax)));
    await Promise.race([this.#more(), over]);
    clearTimeout(timer);
  }

  async closed(): Promise<void> {
    while (!this.ended) await this.#more();
  }

  async #body(method: string, status: number, headers: ReadonlyMap<string, string>): Promise<Buffer> {
    if (method === "HEAD" || status === 204 || status === 304 || status === 101) return Buffer.alloc(0);
    if (headers.get("transfer-encoding") === "chunked") return this.#chunks();
    const length = headers.get("content-length");
    if (length === undefined && headers.get("connection") === "close") return this.#untilClosed();
    const body = await this.take(Number(length));
    if (body === undefined) throw new Error("the connection ended inside a body");
    return body;
  }

  async #untilClosed(): Promise<Buffer> {
    await this.closed();
    return this.unread;
  }

  async #chunks(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (;;) {
      const line = await this.#until("\r\n");
      if (line === undefined || !/^[0-9a-f]+\r\n$/i.test(line.toString("latin1")))
        throw new Error(`no chunk size: ${line?.toString("latin1")}`);
      const size = parseInt(line.toString("latin1"), 16);
      const chunk = await this.take(size + 2);
      if (chunk === undefined || chunk.subarray(size).toString("latin1") !== "\r\n") throw new Error("a chunk has no end");
      if (size === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, size));
    }
  }

  async #until(mark: string): Promise<Buffer | undefined> {
    for (let scanned = 0; ;) {
      const at = this.unread.indexOf(mark, scanned);
      if (at >= 0) return this.take(at + mark.length);
      scanned = Math.max(0, this.#bytes - mark.length);
      if (this.ended) return undefined;
      await this.#more();
    }
  }
}

function parseHead(head: string): { status: number; headers: ReadonlyMap<string, string> } {
  const [first = "", ...lines] = head.trimEnd().split("\r\n");
  const status = /^HTTP\/1\.1 ([0-9]{3})/.exec(first)?.[1];
  if (status === undefined) throw new Error(`no status line: ${JSON.stringify(first.slice(0, 80))}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    if (headers.has(name)) throw new Error(`response header ${name} comes twice`);
    headers.set(name, line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
}

/** Sends one request on its own connection and reads its answer. */
export async function ask(port: number, request: string | Uint8Array, method = "GET"): Promise<RawResponse | undefined> {
  const client = await RawClient.open(port);
  try {
    client.write(request);
    return await client.response(method);
  } finally {
    client.destroy();
  }
}

/** A request's text; Host is there unless `headers` says so itself. */
export function request(method: string, path: string, headers: readonly string[] = [], body = ""): string {
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : ["Host: localhost"];
  return [`${method} ${path} HTTP/1.1`, ...host, ...headers, "", body].join("\r\n");
}

export const post = (path: string, body: string, headers: readonly string[] = []): string =>
  request("POST", path, [`Content-Length: ${Buffer.byteLength(body)}`, ...headers], body);
