import { BodyCollector, type BodyOutcome, type CompleteBody } from "./body.js";
import { announcesBody, declaredLength, type Head } from "./head.js";
import type { HeadDecision, RawReply, Route } from "./route.js";
import type { Service } from "./service.js";

/** What a reception needs of its surroundings. One of the last three is called, once, unless the client leaves before. */
export interface ReceptionPort {
  /** The body may come; `fits` is false for one that is refused and only read for the client to see why. */
  takeBody(fits: boolean): void;
  accepted(body: Uint8Array, context: unknown): void;
  /** `bodyIsLeft`: it was not read to its end, so nothing can follow on the connection. */
  refused(reply: RawReply, bodyIsLeft: boolean): void;
  failed(error: unknown, bodyIsLeft: boolean): void;
}

const noBody: CompleteBody = { bytes: new Uint8Array(0), free: () => undefined };
const everybody: HeadDecision = { context: undefined };

/** From a complete head to a request that its route answers: the route's decision on the head, then the body. */
export class Reception {
  readonly #service: Service;
  readonly #head: Head;
  readonly #route: Route;
  readonly #port: ReceptionPort;
  readonly #body: BodyCollector | undefined;
  #outcome: BodyOutcome | undefined;
  #admitted: { readonly context: unknown } | undefined;
  /** What the route said instead. */
  #refusal: RawReply | undefined;
  #isOver = false;
  #complete = noBody;
  /** Of the body that came, on the budget. */
  #bytes = 0;

  constructor(service: Service, head: Head, route: Route, port: ReceptionPort) {
    this.#service = service;
    this.#head = head;
    this.#route = route;
    this.#port = port;
    const { budget, limits } = service;
    const bounds = { bytesMax: route.bodyBytesMax, budget, limits };
    if (announcesBody(head.headers)) this.#body = new BodyCollector(bounds, (outcome) => this.#bodyCame(outcome));
    else this.#outcome = noBody;
  }

  begin(): void {
    let decision: HeadDecision | Promise<HeadDecision>;
    try {
      decision = this.#route.admit?.(this.#head) ?? everybody;
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (decision instanceof Promise) decision.then(this.#decided, this.#fail).catch(this.#service.onError);
    else this.#decided(decision);
  }

  /** A piece of the body; it is copied. */
  take(chunk: Uint8Array): void {
    this.#body?.push(chunk);
  }

  bodyEnded(): void {
    this.#body?.end();
  }

  /** The client is gone: what no handler has, none will get. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#body?.drop();
    this.giveBack();
  }

  /** The handler has what it needs of the body; what it made of it stays on the budget. */
  freeBody(): void {
    this.#complete.free();
  }

  /** The handler is done with the body. */
  giveBack(): void {
    this.freeBody();
    this.#service.budget.give(this.#bytes);
    this.#bytes = 0;
  }

  readonly #decided = (decision: HeadDecision): void => {
    if (this.#isOver) return;
    if ("reply" in decision) return this.#turnAway(decision.reply);
    this.#admitted = decision;
    if (this.#body !== undefined) this.#port.takeBody(this.#body.declare(declaredLength(this.#head.headers)));
    this.#proceed();
  };

  /** Once the body went by, so that the next request is found behind it; where it does not end soon, the connection does. */
  #turnAway(reply: RawReply): void {
    if (!this.#bodyIsLeft) {
      this.abandon();
      this.#port.refused(reply, false);
      return;
    }
    this.#refusal = reply;
    this.#body?.letPass();
    this.#port.takeBody(false);
  }

  get #bodyIsLeft(): boolean {
    return this.#outcome === undefined;
  }

  #bodyCame(outcome: BodyOutcome): void {
    this.#outcome = outcome;
    if (typeof outcome !== "string") {
      this.#complete = outcome;
      this.#bytes = outcome.bytes.length;
    }
    this.#proceed();
  }

  /** Once both the decision and the body are there. */
  #proceed(): void {
    const outcome = this.#outcome;
    if (this.#isOver || outcome === undefined) return;
    if (this.#refusal !== undefined) {
      this.#isOver = true;
      this.#port.refused(this.#refusal, outcome !== "gone by");
      return;
    }
    if (this.#admitted === undefined) return;
    this.#isOver = true;
    if (typeof outcome !== "string") return this.#port.accepted(outcome.bytes, this.#admitted.context);
    const { options } = this.#service;
    this.#port.refused(outcome === "too large" ? options.bodyTooLarge(this.#route.bodyBytesMax) : options.noRoomForBody(this.#head), true);
  }

  readonly #fail = (error: unknown): void => {
    if (this.#isOver) return;
    this.abandon();
    this.#port.failed(error, this.#bodyIsLeft);
  };
}
