/** Reads a whole stream over a WebSocket (RFC 6455): counts frames and looks at nothing else. */
import net from "node:net";

const textFrame = 0x81,
  closeFrame = 0x88,
  closeOpcode = 8;

/** Sends `request` once the socket is open and counts the frames until the server closes. */
export async function countFrames(port: number, path: string, request: string): Promise<number> {
  const counter = new FrameCounter(),
    socket = await openSocket(port, path, request);
  return new Promise((resolve, reject) => {
    socket.on("data", (chunk: Buffer) => {
      if (counter.take(chunk)) socket.end(Buffer.from([closeFrame, 0x80, 0, 0, 0, 0]));
    });
    socket.on("close", () => (counter.closed ? resolve(counter.frames) : reject(new Error("the stream broke off"))));
    socket.on("error", reject);
    socket.resume();
  });
}

/** A socket that has sent what it asks for. It takes nothing before it is resumed. */
export function openSocket(port: number, path: string, request: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: "127.0.0.1", port, noDelay: true });
    socket.once("error", reject);
    socket.once("data", () => {
      socket.pause();
      socket.write(maskedText(request), () => resolve(socket));
    });
    socket.write(upgradeHead(path));
  });
}

/** Follows a stream that has no end, and counts what comes. */
export class Tail {
  readonly #socket: net.Socket;
  readonly #counter = new FrameCounter();
  #waiting: { readonly frames: number; resolve(): void; reject(error: Error): void } | undefined;
  #broken: Error | undefined;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("close", () => this.#end(new Error("the stream broke off")));
    socket.resume();
  }

  static async open(port: number, path: string, request: string): Promise<Tail> {
    return new Tail(await openSocket(port, path, request));
  }

  #take(chunk: Buffer): void {
    if (this.#counter.take(chunk)) this.#end(new Error("the server closed the stream"));
    else if (this.#waiting !== undefined && this.#counter.frames >= this.#waiting.frames) {
      this.#waiting.resolve();
      this.#waiting = undefined;
    }
  }

  #end(error: Error): void {
    this.#broken = error;
    this.#waiting?.reject(error);
  }

  /** Resolves when so many have come. */
  until(frames: number): Promise<void> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    if (this.#counter.frames >= frames) return Promise.resolve();
    return new Promise((resolve, reject) => (this.#waiting = { frames, resolve, reject }));
  }

  close(): void {
    this.#socket.destroy();
  }
}

const upgradeHead = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;

/** With a mask of zeros, as clients must mask. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text),
    head = Buffer.alloc(8);
  head[0] = textFrame;
  head[1] = 0x80 | 126;
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

class FrameCounter {
  frames = 0;
  closed = false;
  /** Payload bytes still to come, and a head that was cut. */
  #skip = 0;
  #head: Buffer = Buffer.alloc(0);

  /** True once the close frame came. */
  take(chunk: Buffer): boolean {
    let at = Math.min(this.#skip, chunk.length);
    this.#skip -= at;
    if (this.#skip > 0) return false;
    const bytes = this.#head.length > 0 ? Buffer.concat([this.#head, chunk]) : chunk;
    for (;;) {
      const end = frameEnd(bytes, at);
      if (end === undefined) break;
      if ((bytes[at]! & 15) === closeOpcode) return (this.closed = true);
      this.frames++;
      at = end;
      if (at > bytes.length) break;
    }
    this.#skip = Math.max(0, at - bytes.length);
    this.#head = at < bytes.length ? Buffer.from(bytes.subarray(at)) : Buffer.alloc(0);
    return false;
  }
}

/** Undefined when the head is not whole. */
function frameEnd(bytes: Buffer, at: number): number | undefined {
  const room = bytes.length - at;
  if (room < 2) return undefined;
  const length = bytes[at + 1]! & 127;
  if (length < 126) return at + 2 + length;
  if (length === 126) return room < 4 ? undefined : at + 4 + bytes.readUInt16BE(at + 2);
  return room < 10 ? undefined : at + 10 + Number(bytes.readBigUInt64BE(at + 2));
}
