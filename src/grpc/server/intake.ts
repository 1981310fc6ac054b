import type { ServerHttp2Stream } from "node:http2";
import type { BodyBudget } from "../../http/index.js";
import type { Status } from "../call.js";
import type { GrpcLimits } from "./limits.js";
import { linger } from "./refusal.js";

/** Of the budget, by a message. */
export interface Held {
  bytes: number;
}

/** What a call sends: counted against what all may take together, from the first byte until the handler is done with it. */
export class Intake {
  readonly #budget: BodyBudget;
  readonly #limits: GrpcLimits;
  readonly #stall: NodeJS.Timeout;
  #isConversation = false;
  #held = 0;
  /** Of whole messages, in the order in which they came, until they are answered. */
  readonly #messages: Held[] = [];
  /** What these take. */
  #waiting = 0;
  /** Bytes that came, and those of them that are in whole messages. */
  #received = 0;
  #framed = 0;
  #receivedBefore = 0;
  /** The stream, and its handler once it runs. */
  #holders = 1;

  /** `refuse`: answers in the handler's place. */
  constructor(stream: ServerHttp2Stream, budget: BodyBudget, limits: GrpcLimits, refuse: (status: Status) => void) {
    this.#budget = budget;
    this.#limits = limits;
    this.#stall = setTimeout(() => {
      if (this.#isStalled()) refuse(stalled);
      else this.#stall.refresh();
    }, limits.stallMs);
    stream.on("data", (piece: Buffer) => {
      this.#received += piece.length;
      if (stream.writableEnded) linger(stream, limits);
      else if (!this.take(piece.length + limits.grpcPieceBytes)) refuse(noRoom(limits));
    });
    stream.once("end", () => clearTimeout(this.#stall));
    stream.once("close", () => {
      clearTimeout(this.#stall);
      this.release();
    });
  }

  /** False if there is no room. */
  take(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false;
    this.#held += bytes;
    return true;
  }

  /** So many bytes were a message. Undefined: there is no room. */
  isWhole(bytes: number): Held | undefined {
    const message = { bytes: 0 };
    this.#framed += bytes;
    this.#messages.push(message);
    this.#count(message, bytes + this.#limits.grpcPieceBytes);
    return this.take(this.#limits.grpcPieceBytes) ? message : undefined;
  }

  /** As it is unpacked. False if there is no room. */
  grows(message: Held, bytes: number): boolean {
    this.#count(message, bytes);
    return this.take(bytes);
  }

  /** It may be silent for as long as it likes between two messages, and has many. */
  isConversation(): void {
    this.#isConversation = true;
  }

  /** The first message of a conversation is done with. */
  isAnswered(): void {
    this.#waiting -= this.#messages.shift()?.bytes ?? 0;
    const held = this.#waiting + this.#received - this.#framed;
    if (held < this.#held) this.#give(this.#held - held);
  }

  hold(): void {
    this.#holders += 1;
  }
  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#give(this.#held);
  }

  #count(message: Held, bytes: number): void {
    message.bytes += bytes;
    this.#waiting += bytes;
  }

  #give(bytes: number): void {
    this.#budget.give(bytes);
    this.#held -= bytes;
  }

  #isStalled(): boolean {
    const came = this.#received - this.#receivedBefore;
    this.#receivedBefore = this.#received;
    if (this.#isConversation && this.#received === this.#framed) return false;
    return came < (this.#limits.bodyBytesPerSecondMin * this.#limits.stallMs) / 1_000;
  }
}

/** As the reference's library has it for clients who are gone. */
const stalled: Status = { code: 1, message: "The message does not come, or too slowly.", details: undefined };

export const noRoom = ({ bodiesBytesMax }: GrpcLimits): Status => ({
  code: 8,
  message: `The messages of all calls together are at their limit of ${bodiesBytesMax} bytes.`,
  details: undefined,
});
