import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { ClientGone, type BodyBudget } from "../../http/index.js";
import type { Call, Status } from "../call.js";
import { Intake } from "./intake.js";
import type { GrpcLimits } from "./limits.js";
import { Outgoing } from "./outgoing.js";
import { linger } from "./refusal.js";

/** One call, from its head until its stream has closed and its handler is done. */
export class Exchange {
  readonly intake: Intake;
  readonly outgoing: Outgoing;
  readonly #headers: Call["headers"];
  readonly #abort = new AbortController();
  #deadline: NodeJS.Timeout | undefined;
  #isDone = false;
  #refuse: ((status: Status) => void) | undefined;
  #answer: ((status: Status | undefined) => void) | undefined;

  constructor(stream: ServerHttp2Stream, headers: Call["headers"], budget: BodyBudget, limits: GrpcLimits) {
    this.#headers = headers;
    this.intake = new Intake(stream, budget, limits, (status) => {
      this.#refuse?.(status);
      linger(stream, limits);
      this.#end();
    });
    this.outgoing = new Outgoing(stream, limits);
    stream.once("close", () => this.#end());
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** How it is answered in its handler's place. */
  refusedBy(refuse: (status: Status) => void): void {
    this.#refuse = refuse;
  }

  /** A handler begins. `deadline`: milliseconds of the clock; `answer`: takes the first status, and no other. */
  begin(message: Uint8Array, deadline: number, answer: (status: Status | undefined) => void): Call {
    this.intake.hold();
    this.#answer = answer;
    // The library tells the client, but its handler only when the client takes that.
    if (Number.isFinite(deadline)) this.#deadline = setTimeout(() => this.#end(), Math.max(deadline - Date.now(), 0));
    return { headers: this.#headers, message, signal: this.signal };
  }

  answer(status: Status | undefined): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(status);
  }

  /** The handler is done. */
  done(): void {
    this.#isDone = true;
    clearTimeout(this.#deadline);
    this.intake.release();
  }

  /** Nobody waits for the handler any more. */
  giveUp(status: Status): void {
    this.answer(status);
    this.#end();
  }

  /** Whoever has been answered already, as nearly all are by then, need not hear of it. */
  #end(): void {
    if (this.#isDone) return;
    clearTimeout(this.#deadline);
    const gone = new ClientGone("The call is over.");
    this.#abort.abort(gone);
    this.outgoing.stop(gone);
  }
}

/** Of the protocol itself, which those who answer do not see. */
const ofProtocol: ReadonlySet<string> = new Set([
  "content-type",
  "te",
  "accept-encoding",
  "grpc-encoding",
  "grpc-accept-encoding",
  "grpc-timeout",
]);

export function metadataOf(headers: IncomingHttpHeaders): Call["headers"] {
  const found = new Map<string, string>();
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !name.startsWith(":") && !name.endsWith("-bin") && !ofProtocol.has(name))
      found.set(name, typeof value === "string" ? value : value.join(", "));
  }
  const authority = headers[":authority"];
  if (typeof authority === "string") found.set("host", authority);
  return found;
}
