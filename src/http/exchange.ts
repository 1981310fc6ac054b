import { ClientGone, isDeparture } from "./departure.js";
import type { Head } from "./head.js";
import { checkReply, isWhole, plainReply, type CheckedReply } from "./reply.js";
import type { RawReply, RawRequest, Route } from "./route.js";
import type { Params } from "./router.js";
import type { Service } from "./service.js";

/** How an adapter sends one reply. Every call is after the last byte of the request was taken, and only one of the two is made. */
export interface ReplyPort {
  /** `body` goes out with its length. */
  sendWhole(reply: CheckedReply, body: string | Uint8Array): void;
  /** `body` goes out in chunks as the reader takes them. */
  sendStream(reply: CheckedReply, body: AsyncIterable<string | Uint8Array>): void;
}

/** One request, from its complete head until its reply is out or its client is gone. */
export class Exchange {
  readonly #service: Service;
  readonly #port: ReplyPort;
  #abort: AbortController | undefined;
  /** Set once nobody waits for the handler. */
  #gone: ClientGone | undefined;
  #answered = false;
  #left = false;
  #deadline: NodeJS.Timeout | undefined;
  /** Of the reply that is being sent. */
  #release: (() => void) | undefined;

  constructor(service: Service, port: ReplyPort) {
    this.#service = service;
    this.#port = port;
    service.inFlight.enter();
  }

  /** Lets the route answer, in the time it has. */
  run(route: Route, head: Head, params: Params, body: Uint8Array): void {
    this.#deadline = setTimeout(() => this.#expire(), route.deadlineMs ?? this.#service.limits.requestDeadlineMs);
    let pending: Promise<RawReply>;
    try {
      pending = route.handle(new AcceptedRequest(head, params, body, this));
    } catch (error) {
      this.#fail(error);
      return;
    }
    pending.then(this.answer, this.#fail).catch(this.#service.onError);
  }

  readonly answer = (reply: RawReply): void => {
    if (this.#answered || this.#gone) {
      abandon(reply.body, this.report);
      reply.release?.();
      return;
    }
    this.#answered = true;
    clearTimeout(this.#deadline);
    this.#release = reply.release;
    this.#send(reply);
  };

  /** What went wrong, unless it is only the client's leaving that came back. */
  readonly report = (error: unknown): void => {
    if (!(this.#gone && isDeparture(error))) this.#service.onError(error);
  };

  /** The reply is out. */
  finished(): void {
    clearTimeout(this.#deadline);
    if (this.#left) return;
    this.#left = true;
    this.#release?.();
    this.#service.inFlight.leave();
  }

  /** The client is gone, before or during the reply. */
  clientGone(): void {
    this.#leave("the client went away");
    this.finished();
  }

  /** Made on demand: most handlers never look at it. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#gone !== undefined) this.#abort.abort(this.#gone);
    return this.#abort.signal;
  }

  #leave(reason: string): void {
    this.#gone ??= new ClientGone(reason);
    this.#abort?.abort(this.#gone);
  }

  #send(reply: RawReply): void {
    const checked = checkReply(reply);
    if (checked.error !== undefined) {
      abandon(reply.body, this.report);
      this.#service.onError(new Error(checked.error));
      this.#send(internalError);
    } else if (isWhole(checked.ok.body)) {
      this.#port.sendWhole(checked.ok, checked.ok.body);
    } else {
      this.#port.sendStream(checked.ok, checked.ok.body);
    }
  }

  #expire(): void {
    this.answer(this.#service.options.deadlinePassed());
    this.#leave("the request deadline passed");
  }

  readonly #fail = (error: unknown): void => {
    this.report(error);
    this.answer(internalError);
  };
}

const internalError = plainReply(500, "There was an internal server error.");

class AcceptedRequest implements RawRequest {
  readonly #exchange: Exchange;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: ReadonlyMap<string, string>;

  constructor(
    head: Head,
    readonly params: Params,
    readonly body: Uint8Array,
    exchange: Exchange,
  ) {
    this.method = head.method;
    this.path = head.path;
    this.query = head.query;
    this.headers = head.headers;
    this.#exchange = exchange;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }
}

/** Ends a stream that nobody will read, so that what it holds is released. */
export function abandon(body: RawReply["body"], onError: (error: unknown) => void): void {
  if (body !== undefined && !isWhole(body)) body[Symbol.asyncIterator]().return?.().catch(onError);
}
