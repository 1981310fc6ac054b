import type { OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { Status } from "../call.js";
import type { GrpcLimits } from "./limits.js";
import { frameHeadBytes } from "./messages.js";
import { Outgoing } from "./outgoing.js";
import { refuse, trailersOf } from "./refusal.js";

/** What a call is answered with (gRPC over HTTP2, "Responses"). Whoever is gone gets nothing of it. */
export class Reply {
  readonly #stream: ServerHttp2Stream;
  readonly #limits: GrpcLimits;
  readonly #outgoing: Outgoing;
  /** Messages of this turn, each behind its head. */
  #together: Uint8Array[] = [];
  #togetherBytes = 0;

  constructor(stream: ServerHttp2Stream, limits: GrpcLimits) {
    this.#stream = stream;
    this.#limits = limits;
    this.#outgoing = new Outgoing(stream, limits);
  }

  /** The only message, and that it went well. */
  answer(message: Uint8Array): void {
    if (this.#isOver) return;
    this.#outgoing.ends(message.length);
    this.#begin();
    this.#endsWith(well);
    this.#stream.end(Buffer.concat([headOf(message), message]));
  }

  /** One of many; those of a turn go together. Resolves when there is room for more, rejects when nobody waits for them any more. */
  send(message: Uint8Array): Promise<void> {
    this.#outgoing.begins(message.length);
    if (this.#together.length === 0) setImmediate(() => this.#flush());
    this.#together.push(headOf(message), message);
    this.#togetherBytes += message.length;
    return this.#outgoing.room();
  }

  /** Behind what was sent. Undefined: it went well. */
  end(status: Status | undefined): void {
    if (this.#isOver) return;
    this.#flush();
    if (status !== undefined && !this.#stream.headersSent) return refuse(this.#stream, status, this.#limits);
    this.#begin();
    this.#endsWith(status === undefined ? well : trailersOf(status));
    this.#stream.end();
  }

  /** Nobody waits for anything any more. */
  stop(reason: Error): void {
    this.#outgoing.stop(reason);
  }

  get #isOver(): boolean {
    return this.#stream.writableEnded || this.#stream.closed || this.#stream.destroyed;
  }

  #begin(): void {
    if (!this.#stream.headersSent) this.#stream.respond(head, { waitForTrailers: true });
  }

  #endsWith(trailers: OutgoingHttpHeaders): void {
    this.#stream.once("wantTrailers", () => this.#stream.sendTrailers(trailers));
  }

  #flush(): void {
    const messages = this.#together,
      bytes = this.#togetherBytes;
    this.#together = [];
    this.#togetherBytes = 0;
    if (messages.length === 0 || this.#isOver) return;
    this.#begin();
    this.#stream.write(Buffer.concat(messages), () => this.#outgoing.isTaken(bytes));
  }
}

const head: OutgoingHttpHeaders = {
  ":status": 200,
  "content-type": "application/grpc+proto",
  "grpc-accept-encoding": "identity,deflate,gzip",
  "grpc-encoding": "identity",
};
const well: OutgoingHttpHeaders = { "grpc-status": 0 };

/** It is not packed. */
function headOf({ length }: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(frameHeadBytes);
  bytes.writeUInt32BE(length, 1);
  return bytes;
}
