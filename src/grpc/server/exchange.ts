import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { ClientGone, type BodyBudget } from "../../http/index.js";
import type { Call, Status } from "../call.js";
import { Intake } from "./intake.js";
import type { GrpcLimits } from "./limits.js";
import { linger } from "./refusal.js";
import { Reply } from "./reply.js";

/** One call, from its head until its stream has closed and its handler is done. */
export class Exchange {
  readonly intake: Intake;
  readonly reply: Reply;
  readonly #stream: ServerHttp2Stream;
  readonly #headers: Call["headers"];
  readonly #limits: GrpcLimits;
  readonly #abort = new AbortController();
  readonly #deadline: NodeJS.Timeout | undefined;
  #isDone = false;

  /** `timeoutMs`: how long its client waits for it. */
  constructor(stream: ServerHttp2Stream, headers: Call["headers"], timeoutMs: number | undefined, budget: BodyBudget, limits: GrpcLimits) {
    this.#stream = stream;
    this.#headers = headers;
    this.#limits = limits;
    this.intake = new Intake(stream, budget, limits, (status) => this.giveUp(status));
    this.reply = new Reply(stream, limits);
    if (timeoutMs !== undefined) this.#deadline = setTimeout(() => this.giveUp(tooLate), timeoutMs);
    stream.once("close", () => this.#end());
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** A handler begins. */
  begin(message: Uint8Array): Call {
    this.intake.hold();
    return { headers: this.#headers, message, signal: this.signal };
  }

  /** The handler is done. */
  done(): void {
    this.#isDone = true;
    clearTimeout(this.#deadline);
    this.intake.release();
  }

  /** Answers in the handler's place, who is told that nobody waits for him any more. */
  giveUp(status: Status): void {
    this.reply.end(status);
    linger(this.#stream, this.#limits);
    this.#end();
  }

  /** Whoever has been answered already, as nearly all are by then, need not hear of it. */
  #end(): void {
    if (this.#isDone) return;
    clearTimeout(this.#deadline);
    const gone = new ClientGone("The call is over.");
    this.#abort.abort(gone);
    this.reply.stop(gone);
  }
}

const tooLate: Status = { code: 4, message: "Deadline exceeded", details: undefined };

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
