/** Compressed messages: they count as long as they are, piece by piece, and one at a time is unpacked, as the threads that do it also write. */
import { createGunzip, createInflate } from "node:zlib";
import type { Status } from "../call.js";
import { noRoom } from "./intake.js";
import type { GrpcLimits } from "./limits.js";

/** Thrown instead of a message. */
export class Refused extends Error {
  override readonly name = "Refused";
  constructor(readonly status: Status) {
    super(status.message);
  }
}

export interface Packed {
  readonly bytes: Uint8Array;
  readonly encoding: "gzip" | "deflate";
  /** Nobody waits for it any more. */
  isOver(): boolean;
  /** False: there is no room for so many bytes more. */
  take(bytes: number): boolean;
}

export class Inflation {
  readonly #limits: GrpcLimits;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: GrpcLimits) {
    this.#limits = limits;
  }

  /** Rejects with `Refused`. */
  unpack(packed: Packed): Promise<Buffer> {
    const unpacked = this.#last.then(() => this.#unpack(packed));
    this.#last = unpacked.catch(() => undefined);
    return unpacked;
  }

  async #unpack({ bytes, encoding, isOver, take }: Packed): Promise<Buffer> {
    const { grpcMessageBytesMax } = this.#limits,
      stream = encoding === "gzip" ? createGunzip() : createInflate(),
      pieces: Buffer[] = [];
    let length = 0;
    stream.end(bytes);
    try {
      for await (const piece of stream as AsyncIterable<Buffer>) {
        length += piece.length;
        if (length > grpcMessageBytesMax) throw new Refused(tooLong(grpcMessageBytesMax));
        if (isOver() || !take(piece.length)) throw new Refused(noRoom(this.#limits));
        pieces.push(piece);
      }
    } catch (error) {
      throw error instanceof Refused ? error : new Refused(malformed);
    }
    return Buffer.concat(pieces, length);
  }
}

const tooLong = (bytesMax: number): Status => ({
  code: 8,
  message: `Received message that decompresses to a size larger than ${bytesMax}`,
  details: undefined,
});

const malformed: Status = { code: 13, message: "Failed to decompress message", details: undefined };
