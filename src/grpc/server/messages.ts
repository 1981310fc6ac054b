import type { ServerHttp2Stream } from "node:http2";
import type { Status } from "../call.js";

/** Before each message: whether it is packed, and its length. */
export const frameHeadBytes = 5;

export interface Receiver {
  /** A message with its head. The next one waits for it. */
  frame(frame: Buffer): void | Promise<void>;
  /** There are no more. */
  end(): void;
  refuse(status: Status): void;
}

/** The messages of a call, out of the pieces in which they come (gRPC over HTTP2, "Requests"). */
export class Messages {
  readonly #stream: ServerHttp2Stream;
  readonly #receiver: Receiver;
  readonly #bytesMax: number;
  /** What came and is no message yet, or waits for those before it. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Of the next frame, as far as is known. */
  #frameBytes = frameHeadBytes;
  #isBusy = false;
  #isEnded = false;

  constructor(stream: ServerHttp2Stream, bytesMax: number, receiver: Receiver) {
    this.#stream = stream;
    this.#bytesMax = bytesMax;
    this.#receiver = receiver;
    stream.on("data", (piece: Buffer) => {
      this.#pieces.push(piece);
      this.#bytes += piece.length;
      this.#goOn();
    });
    stream.once("end", () => {
      this.#isEnded = true;
      this.#goOn();
    });
  }

  #goOn(): void {
    while (!this.#isBusy) {
      if (this.#stream.writableEnded || this.#stream.destroyed) return this.#drop(); // it was answered, whatever comes
      const frame = this.#next();
      if (frame === undefined) return this.#isEnded ? this.#end() : undefined;
      const taken = this.#receiver.frame(frame);
      if (taken !== undefined) void this.#wait(taken);
    }
  }

  /** Undefined: it did not come yet. */
  #next(): Buffer | undefined {
    if (this.#bytes < this.#frameBytes) return undefined;
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces, this.#bytes);
    this.#pieces = [bytes];
    const length = bytes.readUInt32BE(1);
    if (length > this.#bytesMax) return void this.#receiver.refuse(tooLong(length, this.#bytesMax));
    this.#frameBytes = frameHeadBytes + length;
    if (this.#bytes < this.#frameBytes) return undefined;
    const frame = bytes.subarray(0, this.#frameBytes);
    this.#bytes -= frame.length;
    this.#pieces = this.#bytes === 0 ? [] : [bytes.subarray(frame.length)];
    this.#frameBytes = frameHeadBytes;
    return frame;
  }

  #end(): void {
    if (this.#bytes > 0) this.#receiver.refuse(cutOff);
    else this.#receiver.end();
  }

  #drop(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  async #wait(taken: Promise<void>): Promise<void> {
    this.#isBusy = true;
    this.#stream.pause();
    await taken;
    this.#isBusy = false;
    this.#stream.resume();
    this.#goOn();
  }
}

/** In the words of the reference's library, as what follows. */
const tooLong = (length: number, bytesMax: number): Status => ({
  code: 8,
  message: `gRPC message exceeds maximum size ${bytesMax}: ${length}`,
  details: undefined,
});

const cutOff: Status = { code: 13, message: "Encountered end-of-stream mid-frame", details: undefined };
