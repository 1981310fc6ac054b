import type { IncomingMessage, ServerResponse } from "node:http";
import { abandon, Exchange, type ExchangePort } from "../exchange.js";
import { asksToClose, type Head } from "../head.js";
import { byteLength, isBodiless, type CheckedReply } from "../reply.js";
import type { RawReply, Route } from "../route.js";
import type { Receiver } from "../receiving.js";
import type { Params } from "../router.js";
import type { Service } from "../service.js";

/** One request on node:http. */
export class NodeExchange implements ExchangePort, Receiver {
  readonly #service: Service;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #head: Head;
  readonly #exchange: Exchange;
  /** The client sends its body only when told to (RFC 9110 section 10.1.1). */
  #awaitsContinue: boolean;
  #closeAfter: boolean;
  #over = false;
  /** Of the body, since its pace was looked at. */
  #came = 0;
  #pace: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;

  constructor(service: Service, request: IncomingMessage, response: ServerResponse, head: Head, awaitsContinue: boolean) {
    this.#service = service;
    this.#request = request;
    this.#response = response;
    this.#head = head;
    this.#awaitsContinue = awaitsContinue;
    this.#closeAfter = asksToClose(head.headers);
    this.#exchange = new Exchange(service, head, this);
    response.on("close", () => this.close());
    response.on("drain", () => this.#wake?.());
  }

  /** The reply is out, or the connection is gone; a reply that waits behind a pipelined one hears only of the connection. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#pace);
    this.#service.receiving.leave(this);
    this.#wake?.();
    if (this.#response.writableFinished) this.#exchange.finished();
    else this.#exchange.clientGone();
  }

  run(route: Route, params: Params): void {
    this.#exchange.begin(route, params);
  }

  decline(reply: RawReply): void {
    this.#exchange.decline(reply);
  }

  failed(error: unknown): void {
    this.#exchange.failed(error);
  }

  answerAndClose(reply: RawReply): void {
    this.#closeAfter = true;
    this.#exchange.answer(reply);
  }

  sendWhole(reply: CheckedReply, body: string | Uint8Array): void {
    this.#writeHead(reply);
    if (!isBodiless(reply.status)) this.#response.setHeader("Content-Length", byteLength(body));
    this.#response.setTimeout(this.#service.limits.stallMs); // a reader that stalls is cut off
    if (this.#head.method === "HEAD" || isBodiless(reply.status)) this.#response.end();
    else this.#response.end(body);
  }

  sendStream(reply: CheckedReply, body: AsyncIterable<string | Uint8Array>): void {
    this.#writeHead(reply);
    if (this.#head.method === "HEAD" || isBodiless(reply.status)) {
      abandon(body, this.#exchange.report);
      this.#response.end();
    } else {
      void this.#pump(body);
    }
  }

  takeBody(fits: boolean): void {
    if (this.#awaitsContinue && !fits) return this.#exchange.bodyEnded(); // none will come
    if (this.#awaitsContinue) this.#response.writeContinue();
    this.#awaitsContinue = false;
    this.#pace = setInterval(() => this.#lookAtPace(), this.#service.limits.stallMs);
    this.#request.on("data", (chunk: Buffer) => {
      this.#came += chunk.length;
      this.#exchange.take(chunk);
      this.#service.receiving.took();
    });
    this.#service.receiving.enter(this);
    this.#request.on("end", () => {
      this.#service.receiving.leave(this);
      clearInterval(this.#pace);
      this.#exchange.bodyEnded();
    });
  }

  #lookAtPace(): void {
    const { stallMs, bodyBytesPerSecondMin } = this.#service.limits;
    if (this.#came < (bodyBytesPerSecondMin * stallMs) / 1_000) this.#request.destroy();
    this.#came = 0;
  }

  pauseBody(): void {
    this.#request.pause();
  }

  resumeBody(): void {
    this.#request.resume();
  }

  closeAfterReply(): void {
    clearInterval(this.#pace);
    this.#closeAfter = true;
  }

  #writeHead(reply: CheckedReply): void {
    this.#response.statusCode = reply.status;
    for (const [name, value] of reply.headers) this.#response.setHeader(name, value);
    // A body that was announced but never asked for may come or not: what follows cannot be told apart.
    if (this.#closeAfter || this.#awaitsContinue || this.#service.draining) this.#response.setHeader("Connection", "close");
  }

  async #pump(body: AsyncIterable<string | Uint8Array>): Promise<void> {
    const response = this.#response;
    try {
      for await (const chunk of body) {
        if (chunk.length === 0) continue;
        // A copy: the producer may use its buffer again as soon as the next chunk is asked for.
        if (!response.write(typeof chunk === "string" ? chunk : new Uint8Array(chunk))) await this.#room();
        if (this.#over) return;
      }
      response.setTimeout(this.#service.limits.stallMs); // as long as the reader takes nothing of what is left
      response.end();
    } catch (error) {
      this.#exchange.report(error);
      response.destroy(); // a reset, so that nobody takes what came for the whole
    }
  }

  /** Resolves when the reader took what was written, or is gone. */
  async #room(): Promise<void> {
    if (this.#over) return;
    const stalled = setTimeout(() => this.#response.socket?.destroy(), this.#service.limits.stallMs);
    await new Promise<void>((resolve) => (this.#wake = resolve));
    clearTimeout(stalled);
  }
}
