import { randomBytes } from "node:crypto";
import { RawClient, request, type RawResponse } from "./raw-client.js";

export interface Frame {
  readonly opcode: number;
  readonly final: boolean;
  readonly payload: Buffer;
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export function handshake(path: string, headers: readonly string[] = [], version = "13"): string {
  const key = randomBytes(16).toString("base64");
  return request("GET", path, [
    "Connection: Upgrade",
    "Upgrade: websocket",
    `Sec-WebSocket-Version: ${version}`,
    `Sec-WebSocket-Key: ${key}`,
    ...headers,
  ]);
}

/** A client frame: masked, unless told otherwise. */
export function frame(opcode: number, payload: string | Uint8Array, { final = true, masked = true } = {}): Buffer {
  const data = Buffer.from(payload);
  const length =
    data.length < 126
      ? Buffer.from([data.length])
      : data.length < 65_536
        ? Buffer.from([126, data.length >> 8, data.length & 255])
        : longLength(data.length);
  length[0] = (length[0] ?? 0) | (masked ? 0x80 : 0);
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  if (masked) data.forEach((byte, at) => (data[at] = byte ^ (mask[at % 4] ?? 0)));
  return Buffer.concat([Buffer.from([(final ? 0x80 : 0) | opcode]), length, mask, data]);
}

function longLength(bytes: number): Buffer {
  const length = Buffer.alloc(9, 0);
  length[0] = 127;
  length.writeBigUInt64BE(BigInt(bytes), 1);
  return length;
}

/** A WebSocket whose frames the test writes and reads itself. */
export class RawWebSocket {
  constructor(readonly client: RawClient) {}

  send(payload: string | Uint8Array, opcode: number = opcodes.text): void {
    this.client.write(frame(opcode, payload));
  }

  /** The next frame; undefined when the connection ended without one. */
  async next(): Promise<Frame | undefined> {
    const head = await this.client.take(2);
    if (head === undefined) return undefined;
    const [first = 0, second = 0] = head;
    if ((second & 0x80) !== 0) throw new Error("a server must not mask");
    const payload = await this.client.take(await this.#length(second & 0x7f));
    return payload && { opcode: first & 0x0f, final: (first & 0x80) !== 0, payload };
  }

  /** The code of the close frame, once every other frame was read; undefined when the connection ended without one. */
  async closeCode(): Promise<number | undefined> {
    for (;;) {
      const received = await this.next();
      if (received === undefined) return undefined;
      if (received.opcode === opcodes.close) return received.payload.length >= 2 ? received.payload.readUInt16BE(0) : 1005;
    }
  }

  async #length(short: number): Promise<number> {
    if (short < 126) return short;
    const long = await this.client.take(short === 126 ? 2 : 8);
    if (long === undefined) return 0;
    return short === 126 ? long.readUInt16BE(0) : Number(long.readBigUInt64BE(0));
  }
}

export async function openSocket(
  port: number,
  path: string,
  headers: readonly string[] = [],
): Promise<{ socket: RawWebSocket; response: RawResponse | undefined }> {
  const client = await RawClient.open(port);
  client.write(handshake(path, headers));
  const response = await client.response();
  if (response?.status !== 101) client.destroy();
  return { socket: new RawWebSocket(client), response };
}
