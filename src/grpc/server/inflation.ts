/**
 * Messages out of their frames. Those that are packed count as long as they are, piece by piece, and one at a time is unpacked, as the
 * threads that do it also write.
 */
import { createGunzip, createInflate } from "node:zlib";
import type { Status } from "../call.js";
import { noRoom } from "./intake.js";
import type { GrpcLimits } from "./limits.js";
import { frameHeadBytes } from "./messages.js";
import { Refused } from "./refusal.js";

export interface Unpacking {
  /** Nobody waits for it any more. */
  isOver(): boolean;
  readonly bytesMax: number;
  /** False: there is no room for so many bytes more. */
  take(bytes: number): boolean;
}

interface Packed extends Unpacking {
  readonly bytes: Uint8Array;
  readonly encoding: "gzip" | "deflate";
}

export class Inflation {
  readonly #limits: GrpcLimits;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: GrpcLimits) {
    this.#limits = limits;
  }

  /** `encoding`: of those that are packed. Throws or rejects with `Refused`. */
  messageIn(frame: Buffer, encoding: string, unpacking: Unpacking): Buffer | Promise<Buffer> {
    const bytes = frame.subarray(frameHeadBytes),
      isPacked = frame[0]!;
    if (isPacked === 0) return bytes;
    if (isPacked !== 1) throw new Refused(malformed("gRPC frame header malformed: reserved bits not zero"));
    if (encoding === "identity") throw new Refused(malformed("Can't decode compressed gRPC message as compression not configured"));
    if (encoding !== "gzip" && encoding !== "deflate") throw new Refused(unknownEncoding(encoding));
    const unpacked = this.#last.then(() => this.#unpack({ ...unpacking, bytes, encoding }));
    this.#last = unpacked.catch(() => undefined);
    return unpacked;
  }

  async #unpack({ bytes, encoding, bytesMax, isOver, take }: Packed): Promise<Buffer> {
    const stream = encoding === "gzip" ? createGunzip() : createInflate(),
      pieces: Buffer[] = [];
    let length = 0;
    stream.end(bytes);
    try {
      for await (const piece of stream as AsyncIterable<Buffer>) {
        length += piece.length;
        if (length > bytesMax) throw new Refused(tooLong(bytesMax));
        if (isOver() || !take(piece.length)) throw new Refused(noRoom(this.#limits));
        pieces.push(piece);
      }
    } catch (error) {
      throw error instanceof Refused ? error : new Refused(malformed("Failed to decompress message"));
    }
    return Buffer.concat(pieces, length);
  }
}

/** In the words of the reference's library. */
const tooLong = (bytesMax: number): Status => ({
  code: 8,
  message: `Decompressed gRPC message exceeds maximum size ${bytesMax}`,
  details: undefined,
});

const malformed = (message: string): Status => ({ code: 13, message, details: undefined });

const unknownEncoding = (encoding: string): Status => ({
  code: 12,
  message: `Received message compressed with unsupported encoding "${encoding}"`,
  details: undefined,
});
