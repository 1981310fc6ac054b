import { assert } from "../base/assert.js";
import { isFailure } from "../base/result.js";
import type { Deadline, Expiring } from "./deadlines.js";
import { ClientGone, isDeparture } from "./departure.js";
import { announcesBody, type Head } from "./head.js";
import { Reception, type ReceptionPort } from "./reception.js";
import { checkReply, isWhole, plainReply, type CheckedReply } from "./reply.js";
import type { RawReply, RawRequest, Route } from "./route.js";
import type { Params } from "./router.js";
import type { Service } from "./service.js";

/** How an adapter takes one request's body and sends one reply. Only one of the two sends is called. */
export interface ExchangePort extends Pick<ReceptionPort, "takeBody"> {
  /** The body was not read to its end: nothing can follow on the connection. */
  closeAfterReply(): void;
  /** `body` goes out with its length. */
  sendWhole(reply: CheckedReply, body: string | Uint8Array): void;
  /** `body` goes out in chunks as the reader takes them. */
  sendStream(reply: CheckedReply, body: AsyncIterable<string | Uint8Array>): void;
}

/** One request, from its complete head until its reply is out or its client is gone. */
export class Exchange implements ReceptionPort, Expiring {
  readonly #service: Service;
  readonly #head: Head;
  readonly #port: ExchangePort;
  #reception: Reception | undefined;
  #route: Route | undefined;
  #params: Params = {};
  #abort: AbortController | undefined;
  /** Set once nobody waits for the handler. */
  #gone: ClientGone | undefined;
  #answered = false;
  #isOut = false;
  #deadline: Deadline | undefined;
  /** Of the reply that is being sent. */
  #release: (() => void) | undefined;

  constructor(service: Service, head: Head, port: ExchangePort) {
    this.#service = service;
    this.#head = head;
    this.#port = port;
    service.inFlight.enter();
  }

  get expectsBody(): boolean {
    return announcesBody(this.#head.headers);
  }

  /** Asks the route about the head, takes the body, and lets the route answer in the time it has. */
  begin(route: Route, params: Params): void {
    this.#route = route;
    this.#params = params;
    this.#reception = new Reception(this.#service, this.#head, route, this);
    this.#reception.begin();
  }

  /** Answers what its head was refused for. */
  decline(reply: RawReply): void {
    if (this.expectsBody) this.begin(declining(this.#head, reply), {});
    else this.answer(reply);
  }

  /** A piece of the body; it is copied. */
  take(chunk: Uint8Array): void {
    this.#reception?.take(chunk);
  }

  bodyEnded(): void {
    this.#reception?.bodyEnded();
  }

  /** Answers a request whose body nobody takes any further. */
  cutOff(reply: RawReply): void {
    this.#reception?.abandon();
    this.answer(reply);
  }

  takeBody(fits: boolean): void {
    this.#port.takeBody(fits);
  }

  accepted(body: Uint8Array, context: unknown): void {
    const route = this.#route;
    assert(route !== undefined, "a request is received for a route");
    this.#deadline = this.#service.deadlines.of(this, route.deadlineMs ?? this.#service.limits.requestDeadlineMs);
    this.#service.inFlight.enter(); // apart from the exchange, as a handler may work on after its client left: a shutdown waits for both
    let pending: Promise<RawReply>;
    try {
      pending = route.handle(new AcceptedRequest(this.#head, this.#params, body, this), context);
    } catch (error) {
      this.#handlerFailed(error);
      return;
    }
    pending.then(this.#handled, this.#handlerFailed).catch(this.#service.onError);
  }

  refused(reply: RawReply, bodyIsLeft: boolean): void {
    if (bodyIsLeft) this.#port.closeAfterReply();
    this.answer(reply);
  }

  readonly failed = (error: unknown, bodyIsLeft = false): void => {
    if (bodyIsLeft) this.#port.closeAfterReply();
    this.#reception?.giveBack();
    this.report(error);
    this.answer(internalError);
  };

  readonly #handlerFailed = (error: unknown): void => {
    this.#service.inFlight.leave();
    this.failed(error);
  };

  readonly answer = (reply: RawReply): void => {
    if (this.#answered || this.#gone) {
      abandon(reply.body, this.report);
      reply.release?.();
      return;
    }
    this.#answered = true;
    this.#isInTime();
    this.#release = reply.release;
    this.#send(reply);
  };

  /** What went wrong, unless it is only the client's leaving that came back. */
  readonly report = (error: unknown): void => {
    if (!(this.#gone && isDeparture(error))) this.#service.onError(error);
  };

  /** The reply is out. */
  finished(): void {
    this.#isInTime();
    if (this.#isOut) return;
    this.#isOut = true;
    this.#release?.();
    this.#service.inFlight.leave();
  }

  /** The client is gone, before or during the reply. */
  clientGone(): void {
    this.#reception?.abandon();
    this.#leave("the client went away");
    this.finished();
  }

  freeBody(): void {
    this.#reception?.freeBody();
  }

  /** Made on demand: most handlers never look at it. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#gone !== undefined) this.#abort.abort(this.#gone);
    return this.#abort.signal;
  }

  /** The handler may have worked on after its client left: only its end gives back what it has. */
  readonly #handled = (reply: RawReply): void => {
    this.#service.inFlight.leave();
    this.#reception?.giveBack();
    this.answer(reply);
  };

  #leave(reason: string): void {
    this.#gone ??= new ClientGone(reason);
    this.#abort?.abort(this.#gone);
  }

  #send(reply: RawReply): void {
    const more = this.#service.options.door?.headersFor(this.#head),
      checked = checkReply(reply, more);
    if (!isFailure(checked)) return this.#sendChecked(checked.ok);
    abandon(reply.body, this.report);
    this.#service.onError(new Error(checked.error));
    const instead = checkReply(internalError, more).ok ?? checkReply(internalError).ok; // it may be the door's headers that do not go out
    assert(instead !== undefined, "an error of our own can be sent");
    this.#sendChecked(instead);
  }

  #sendChecked(reply: CheckedReply): void {
    if (isWhole(reply.body)) this.#port.sendWhole(reply, reply.body);
    else this.#port.sendStream(reply, reply.body);
  }

  #isInTime(): void {
    this.#deadline?.leave(this);
    this.#deadline = undefined;
  }

  expire(): void {
    this.answer(this.#service.options.deadlinePassed());
    this.#leave("the request deadline passed");
  }
}

const declining = ({ method, path }: Head, reply: RawReply): Route => ({
  method,
  path,
  bodyBytesMax: 0,
  admit: () => ({ reply }),
  handle: async () => reply,
});

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

  freeBody(): void {
    this.#exchange.freeBody();
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }
}

/** Ends a stream that nobody will read, so that what it holds is released. */
export function abandon(body: RawReply["body"], onError: (error: unknown) => void): void {
  if (body !== undefined && !isWhole(body)) body[Symbol.asyncIterator]().return?.().catch(onError);
}
