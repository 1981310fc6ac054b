import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { GrpcLimits } from "./limits.js";

/**
 * A connection of which little is read in a turn of the event loop. By itself it is two megabytes, which may be the heads of thousands of
 * calls, or a message in ten thousands of pieces, and everybody else would wait for all of them.
 */
export class PacedSocket extends Duplex {
  readonly #socket: Socket;
  readonly #limits: GrpcLimits;
  /** What came and was not given yet; the socket is silent meanwhile. */
  #rest: Buffer | undefined;
  #isWanted = false;
  #hadItsTurn = false;
  #unwanted: NodeJS.Timeout | undefined;

  constructor(socket: Socket, limits: GrpcLimits) {
    super({ readableHighWaterMark: 1 }); // what is not wanted waits in the socket
    this.#socket = socket;
    this.#limits = limits;
    socket.on("data", (bytes: Buffer) => {
      this.#rest = bytes;
      this.#give();
      if (this.#rest !== undefined) socket.pause();
    });
    socket.once("end", () => this.push(null));
    socket.once("close", () => this.destroy());
  }

  override _read(): void {
    this.#isWanted = true;
    clearTimeout(this.#unwanted);
    this.#unwanted = undefined;
    if (this.#rest !== undefined) this.#give();
  }

  /** To the socket at once: streams of both kinds would be a tenth of a call. */
  override write(piece: Buffer, encodingOrDone?: BufferEncoding | Done, done?: Done): boolean {
    if (typeof encodingOrDone === "function") return this.#socket.write(piece, encodingOrDone);
    return this.#socket.write(piece, encodingOrDone, done);
  }

  override cork(): void {
    this.#socket.cork();
  }

  override uncork(): void {
    this.#socket.uncork();
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#unwanted);
    this.#socket.destroy();
    done(error);
  }

  #give(): void {
    if (this.#hadItsTurn) return;
    const { grpcReadBytes, grpcReadMs } = this.#limits,
      begun = performance.now();
    do {
      if (!this.#isWanted) return this.#waits();
      const piece = this.#rest!.subarray(0, grpcReadBytes);
      this.#rest = piece.length < this.#rest!.length ? this.#rest!.subarray(grpcReadBytes) : undefined;
      this.#isWanted = this.push(piece);
    } while (this.#rest !== undefined && performance.now() - begun < grpcReadMs);
    this.#hadItsTurn = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    this.#hadItsTurn = false;
    if (this.#rest !== undefined) this.#give();
    if (this.#rest === undefined && this.#socket.isPaused()) this.#socket.resume();
  }

  /**
   * Nothing is read while replies are on their way, and never again once Node.js itself has sent its client away, as it does with who
   * resets his calls again and again: it forgets about the connection, and would not see that the client left.
   */
  #waits(): void {
    this.#unwanted ??= setTimeout(() => {
      this.#unwanted = undefined;
      if (this.#socket.writableLength > 0) this.#waits();
      else this.destroy();
    }, this.#limits.stallMs);
  }
}

type Done = (error?: Error | null) => void;
