import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { GrpcLimits } from "./limits.js";

/** The connections on which HTTP/2 is spoken. Who does not speak soon, does not answer, or calls nothing for long loses his. */
export class Sessions {
  readonly #limits: GrpcLimits;
  readonly #open = new Map<ServerHttp2Session, Watch>();

  constructor(limits: GrpcLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size;
  }

  /** A client is told what head may come. */
  greet(session: ServerHttp2Session): void {
    const watch = new Watch(session, this.#limits);
    this.#open.set(session, watch);
    session.once("close", () => {
      this.#open.delete(session);
      watch.stop();
    });
    session.settings({ maxHeaderListSize: this.#limits.grpcMetadataBytesMax });
  }

  /** A call begins. */
  calls(stream: ServerHttp2Stream): void {
    const { session } = stream,
      watch = session === undefined ? undefined : this.#open.get(session as ServerHttp2Session);
    if (watch === undefined) return;
    watch.callBegins();
    stream.once("close", () => watch.callEnds());
  }

  /** Clients go elsewhere with what they begin, even on connections that are open. */
  close(): void {
    for (const session of this.#open.keys()) session.close();
  }

  destroy(): void {
    for (const session of this.#open.keys()) session.destroy();
  }
}

class Watch {
  readonly #session: ServerHttp2Session;
  readonly #silent: NodeJS.Timeout;
  readonly #idle: NodeJS.Timeout;
  readonly #keepAlive: NodeJS.Timeout;
  #unanswered: NodeJS.Timeout | undefined;
  #calls = 0;
  #isOver = false;

  constructor(session: ServerHttp2Session, { stallMs, grpcIdleMs, grpcKeepAliveMs, grpcKeepAliveAnswerMs }: GrpcLimits) {
    this.#session = session;
    this.#silent = setTimeout(() => session.destroy(), stallMs);
    this.#idle = setTimeout(() => {
      if (this.#calls === 0) session.close();
    }, grpcIdleMs);
    this.#keepAlive = setTimeout(() => this.#ping(grpcKeepAliveAnswerMs), grpcKeepAliveMs);
    session.once("remoteSettings", () => clearTimeout(this.#silent));
  }

  callBegins(): void {
    this.#calls += 1;
  }

  callEnds(): void {
    this.#calls -= 1;
    if (this.#calls === 0 && !this.#isOver) this.#idle.refresh();
  }

  stop(): void {
    this.#isOver = true;
    for (const timer of [this.#silent, this.#idle, this.#keepAlive, this.#unanswered]) clearTimeout(timer);
  }

  #ping(answerMs: number): void {
    if (this.#session.destroyed) return;
    this.#unanswered = setTimeout(() => this.#session.destroy(), answerMs);
    const isSent = this.#session.ping((error) => {
      clearTimeout(this.#unanswered);
      if (error === null) this.#keepAlive.refresh();
    });
    if (!isSent) this.#session.destroy();
  }
}
