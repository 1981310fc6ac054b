/** Frames of HTTP/2 (RFC 9113), for clients that do as little as they can, or what no library would. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export const frameHeadBytes = 9;

export const dataFrame = 0,
  headersFrame = 1,
  resetFrame = 3,
  settingsFrame = 4,
  pingFrame = 6,
  goAwayFrame = 7,
  windowFrame = 8;
/** Of settings and pings the answer, of data and heads that nothing comes behind them. */
export const acknowledged = 1,
  endsStream = 1,
  endsHeaders = 4;

/** What a client sends before its first frame. */
export const preface: Buffer = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A text of HPACK (RFC 7541, 5.2), as it is. */
function plainText(text: string): Buffer {
  if (text.length > 126) throw new Error(`${text} is too long for one byte of length`);
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
}

/** The head of a call: POST over http, then what the server keeps, which is path, authority, content-type and te. */
export const firstHead = (path: string): Buffer =>
  Buffer.concat([
    Buffer.of(0x83, 0x86, 0x44),
    plainText(path),
    Buffer.of(0x41),
    plainText("127.0.0.1"),
    Buffer.of(0x5f),
    plainText("application/grpc"),
    Buffer.of(0x40),
    plainText("te"),
    plainText("trailers"),
  ]);
/** The same by the places of what was kept. */
export const laterHead: Buffer = Buffer.of(0x83, 0x86, 0xc1, 0xc0, 0xbf, 0xbe);

/** Numbers of so many streams, as clients give them, behind the first few. */
export const streamNumbers = (count: number, behind = 0): readonly number[] =>
  Array.from({ length: count }, (_, at) => 1 + 2 * (behind + at));

/** The payload of a reset: CANCEL. */
export const cancelled: Buffer = Buffer.of(0, 0, 0, 8);

/** A client who said that he speaks HTTP/2, and nothing since; he answers to nothing. */
export async function connected(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").resume();
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(Buffer.concat([preface, frame(settingsFrame, 0, 0)]));
  return socket;
}
