import type { ServerHttp2Stream } from "node:http2";
import type { BodyBudget } from "../../http/index.js";
import type { Status } from "../call.js";
import type { GrpcLimits } from "./limits.js";
import { linger } from "./refusal.js";

/** What a call sends: counted against what all may take together, from the first byte until the handler is done with it. */
export class Intake {
  readonly #budget: BodyBudget;
  readonly #limits: GrpcLimits;
  readonly #stall: NodeJS.Timeout;
  #held = 0;
  #received = 0;
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

  /** Whether a message of that length is counted, as more than came if need be. */
  covers(bytes: number): boolean {
    return bytes <= this.#held || this.take(bytes - this.#held);
  }

  /** Of a conversation, which may be silent for as long as it likes. */
  takesItsTime(): void {
    clearTimeout(this.#stall);
  }
  /** What came so far is done with. */
  give(): void {
    this.#budget.give(this.#held);
    this.#held = 0;
  }

  hold(): void {
    this.#holders += 1;
  }
  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.give();
  }

  #isStalled(): boolean {
    const came = this.#received - this.#receivedBefore;
    this.#receivedBefore = this.#received;
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
