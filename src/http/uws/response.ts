import { STATUS_CODES } from "node:http";
import { limits } from "../../config.js";
import { abandon, Exchange, type ExchangePort } from "../exchange.js";
import { asksToClose, type Head } from "../head.js";
import { TurnShare } from "../intake.js";
import { byteLength, isBodiless, plainReply, type CheckedReply } from "../reply.js";
import type { RawReply, Route } from "../route.js";
import type { Params } from "../router.js";
import type { Decided, Service, SocketAdmission } from "../service.js";
import type { UwsResponse, UwsSocketContext } from "./binding.js";
import type { SocketData } from "./socket.js";
import { streamReply } from "./stream.js";

/**
 * One request on uWebSockets.js. `onAborted` is attached before anything can fail: without it a handler that throws
 * or answers later terminates the process.
 */
export class UwsExchange implements ExchangePort {
  readonly #service: Service;
  readonly #response: UwsResponse;
  readonly #head: Head;
  readonly #exchange: Exchange;
  #wantsBody = false;
  #isPaused = false;
  #bodyBegan = false;
  #smallPieces: TurnShare | undefined;
  /** By a status line, of which the native code writes one for each response: the final one goes before the first header then. */
  #toldToContinue = false;
  #closeAfter: boolean;
  /** The connection cannot go on: its framing is in doubt, or a body on it was not read to its end. */
  #mustClose = false;
  #live = true;
  #onGone: (() => void) | undefined;

  constructor(service: Service, response: UwsResponse, head: Head) {
    this.#service = service;
    this.#response = response;
    this.#head = head;
    service.intake.request();
    this.#closeAfter = asksToClose(head.headers);
    this.#exchange = new Exchange(service, head, this);
    response.onAborted(() => this.#aborted());
  }

  run(route: Route, params: Params): void {
    this.#listen();
    this.#exchange.begin(route, params);
  }

  decline(reply: RawReply): void {
    this.#listen();
    this.#exchange.decline(reply);
  }

  /** Before the call returns that brought the head, whatever is decided. */
  #listen(): void {
    if (this.#exchange.expectsBody) this.#response.onData((chunk, isLast) => this.#bodyCame(chunk, isLast));
  }

  answer(reply: RawReply): void {
    this.#exchange.answer(reply);
  }

  failed(error: unknown): void {
    this.#exchange.failed(error);
  }

  /**
   * Refuses a head that is framed doubtfully, and closes. Later than this read, so that a smuggled follower in it meets
   * a pending response, which makes the native code drop the connection instead of running it.
   */
  refuse(fault: string): void {
    setImmediate(() => {
      this.#mustClose = true;
      this.#exchange.answer(plainReply(400, fault));
    });
  }

  /** What comes later than this read waits until it is decided; nobody has to send before he is answered. */
  wait(decided: Promise<Decided>, context: UwsSocketContext): void {
    this.#isPaused = true;
    this.#response.pause();
    void decided.then((admission) => {
      if (!this.#live) return;
      this.#resume();
      if (admission.kind === "reply") this.answer(admission.reply);
      else this.upgrade(admission, context);
    });
  }

  /**
   * In the very call that brought the head, where it is decided: the native code takes a later one, but answers the frames that came
   * in the same read as bad HTTP. A later one is never corked, though its head leaves in pieces then: behind what is corked this version
   * looks for a response's state where the WebSocket has none, in memory that was let go, and closes by what it finds (uWebSockets #1929).
   */
  upgrade({ route, context: ofRoute, protocol }: SocketAdmission, context: UwsSocketContext): void {
    const { headers } = this.#head;
    const data: SocketData = { route, context: ofRoute, conversation: undefined };
    this.#complete();
    this.#response.upgrade(data, headers.get("sec-websocket-key") ?? "", protocol, "", context);
  }

  /** In a crowded turn later: a request behind one that is not answered ends the connection, and with it what the native code reads. */
  sendWhole(reply: CheckedReply, body: string | Uint8Array): void {
    if (this.#service.intake.isCrowded && !this.#mustClose) setImmediate(() => this.#sendWhole(reply, body));
    else this.#sendWhole(reply, body);
  }

  #sendWhole(reply: CheckedReply, body: string | Uint8Array): void {
    if (!this.#live) return;
    this.#resume(); // a connection that is still paused when its reply is out stands still until its time is over
    this.#response.cork(() => {
      this.#writeHead(reply);
      if (this.#mustClose) this.#endClosing(this.#head.method === "HEAD" ? "" : body);
      else if (this.#head.method === "HEAD" || isBodiless(reply.status)) this.#endBodiless(reply, byteLength(body));
      else if (this.#closing && byteLength(body) <= limits.replyPieceBytesMax) this.#endClosing(body);
      else if (body.length === 0) this.#endEmpty();
      else this.#endInPieces(body);
    });
  }

  sendStream(reply: CheckedReply, body: AsyncIterable<string | Uint8Array>): void {
    this.#resume();
    if (this.#head.method === "HEAD" || isBodiless(reply.status)) {
      abandon(body, this.#exchange.report);
      this.#response.cork(() => {
        this.#writeHead(reply);
        this.#complete();
        this.#response.endWithoutBody();
      });
      return;
    }
    const writeHead = (): void => {
      this.#writeHead(reply);
      if (this.#closing) this.#response.writeHeader("Connection", "close");
    };
    const stream = streamReply(this.#response, body, { writeHead, complete: () => this.#complete(), onError: this.#exchange.report });
    this.#onGone = stream.gone;
  }

  takeBody(fits: boolean): void {
    this.#wantsBody = true;
    if (this.#live && !this.#bodyBegan && this.#exchange.expectsBody && waitsUntold(this.#head)) {
      if (!fits) return this.#answerUntold();
      this.#tellToContinue();
    }
    this.#resume();
  }

  /** Nothing of the body will come, unless the client did not wait. */
  #answerUntold(): void {
    this.#mustClose = true;
    this.#exchange.bodyEnded();
  }

  #tellToContinue(): void {
    this.#toldToContinue = true;
    this.#response.cork(() => this.#response.writeStatus("100 Continue\r\n")); // with the line's own end, a head of its own
  }

  closeAfterReply(): void {
    this.#mustClose = true;
  }

  /** What was read with the head comes at once; the rest is left with the client until the head is decided on. */
  #bodyCame(chunk: ArrayBuffer, isLast: boolean): void {
    if (!this.#live) return;
    this.#bodyBegan = true;
    if (!isLast && chunk.byteLength < limits.bodyPieceBytesMin && this.#isShattered()) return this.#cutOff();
    this.#exchange.take(new Uint8Array(chunk));
    if (isLast) return this.#exchange.bodyEnded();
    if (this.#wantsBody || this.#isPaused) return;
    this.#isPaused = true;
    this.#response.pause();
  }

  #isShattered(): boolean {
    this.#smallPieces ??= new TurnShare(this.#service.intake, this.#service.limits.bodyPiecesPerTurnMax);
    return !this.#smallPieces.takes();
  }

  /** By a reply in this very call: the connection ends once what was read is gone through. To end it at once is no use: see the README. */
  #cutOff(): void {
    this.#mustClose = true;
    this.#exchange.cutOff(plainReply(400, "The body comes in too many small pieces."));
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#response.resume();
  }

  #writeHead(reply: CheckedReply): void {
    const status = `${reply.status} ${STATUS_CODES[reply.status] ?? ""}`,
      isKept = !this.#mustClose && !this.#closing;
    if (this.#toldToContinue) this.#response.writeHeader(`HTTP/1.1 ${status}\r\nConnection`, isKept ? "keep-alive" : "close");
    else this.#response.writeStatus(status);
    for (const [name, value] of reply.headers) this.#response.writeHeader(name, value);
    if (isKept) this.#response.writeHeader("Keep-Alive", keptAlive);
  }

  /** By `endWithoutBody` without an argument: with one, the response stays pending until the connection dies. */
  #endBodiless(reply: CheckedReply, bytes: number): void {
    if (!isBodiless(reply.status)) this.#response.writeHeader("Content-Length", String(bytes));
    if (this.#closing) this.#response.writeHeader("Connection", "close");
    this.#complete();
    this.#response.endWithoutBody();
  }

  #endClosing(body: string | Uint8Array): void {
    this.#complete();
    this.#response.end(body, true);
  }

  #endEmpty(): void {
    this.#complete();
    this.#response.end();
  }

  /** A body the reader does not take at once stays ours, so that pipelined requests without a reader cannot fill memory. */
  #endInPieces(body: string | Uint8Array): void {
    const response = this.#response;
    if (this.#closing) response.writeHeader("Connection", "close");
    const total = byteLength(body);
    const whole = total > limits.replyPieceBytesMax ? asBytes(body) : body;
    if (response.tryEnd(whole, total)[1]) {
      this.#complete();
      return;
    }
    const bytes = asBytes(whole);
    response.onWritable((offset) => {
      if (!this.#live) return true;
      const [accepted, complete] = response.tryEnd(bytes.subarray(offset), total);
      if (complete) this.#complete();
      return accepted;
    });
  }

  /** True when the connection must close after this reply; what the client asked for, the native code does by itself. */
  get #closing(): boolean {
    return this.#closeAfter || this.#service.draining;
  }

  #complete(): void {
    this.#live = false;
    this.#exchange.finished();
  }

  #aborted(): void {
    this.#live = false;
    this.#onGone?.();
    this.#exchange.clientGone();
  }
}

/** The native code answers the expectation itself where it is written in small letters; Java's client writes it otherwise. */
function waitsUntold({ headers }: Head): boolean {
  const expectation = headers.get("expect");
  return expectation !== undefined && expectation !== "100-continue" && expectation.toLowerCase() === "100-continue";
}

const keptAlive = `timeout=${limits.keepAliveToldSeconds}`;

const asBytes = (body: string | Uint8Array): Uint8Array => (typeof body === "string" ? Buffer.from(body) : body);
