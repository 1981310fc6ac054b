import { setMaxListeners } from "node:events";
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import type { sendUnaryData, ServerDuplexStream, ServerUnaryCall, ServerWritableStream } from "@grpc/grpc-js";
import { assert } from "../../base/assert.js";
import { limits as allLimits } from "../../config.js";
import { InFlight, isDeparture, type BodyBudget, type Connections, type TlsIdentity } from "../../http/index.js";
import type { Call, Handlers, Sink, Status, StreamHandler, UnaryHandler } from "../call.js";
import type { Method } from "../method.js";
import type { ProtoFile } from "../schema/index.js";
import { describe } from "./declared.js";
import { Exchange, metadataOf } from "./exchange.js";
import { healthHandlers, healthService } from "./health.js";
import { Inflation } from "./inflation.js";
import { noRoom } from "./intake.js";
import { bufferOf, libraryError, openLibrary, streamOf, type Library, type LibraryCall } from "./library.js";
import type { GrpcLimits } from "./limits.js";
import { Listener } from "./listener.js";
import { ownFiles } from "./own-files.js";
import { Reflection, reflectionService } from "./reflection.js";
import { refuse, Refused } from "./refusal.js";

export interface GrpcServerOptions {
  readonly host: string;
  readonly port: number; // 0 = any free
  readonly tls: TlsIdentity | undefined;
  readonly handlers: Handlers;
  /** What reflection tells of the handlers. */
  readonly files: readonly ProtoFile[];
  readonly methods: readonly Method[];
  /** What health tells, of the whole, of each service and of these. */
  readonly components: readonly string[];
  isReady(): boolean;
  /** Why a call is refused before any of its message is taken; undefined: it is not, which may be known at once. */
  judge(path: string, headers: Call["headers"]): Promise<Status | undefined> | undefined;
  readonly connections: Connections;
  readonly bodies: BodyBudget;
  onError(error: unknown): void;
  readonly limits?: Partial<GrpcLimits>;
}

export interface GrpcServer {
  readonly port: number;
  /** Refuses new calls, lets what runs finish until the deadline, then closes all. False if something still ran. */
  close(drainMs: number): Promise<boolean>;
}

export async function openGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const server = new Served(options);
  try {
    await server.listen();
  } catch (error) {
    await server.close(0);
    throw error;
  }
  return server;
}

class Served implements GrpcServer {
  readonly #options: GrpcServerOptions;
  readonly #limits: GrpcLimits;
  readonly #library: Library;
  readonly #inflation: Inflation;
  readonly #listener: Listener;
  readonly #paths: Set<string>;
  readonly #exchanges = new WeakMap<ServerHttp2Stream, Exchange>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #running = new Set<Exchange>();
  readonly #inFlight = new InFlight();
  readonly #shutdown = new AbortController();
  #closing: Promise<boolean> | undefined;

  constructor(options: GrpcServerOptions) {
    const { host, port, tls, connections, onError } = options;
    this.#options = options;
    this.#limits = { ...allLimits, ...options.limits };
    this.#inflation = new Inflation(this.#limits);
    this.#library = openLibrary(this.#limits, (stream, end) => {
      const exchange = this.#exchanges.get(stream);
      assert(exchange !== undefined, "a call of the library was admitted");
      exchange.refusedBy(end);
      return (frame, encoding) => this.#messageIn(frame, encoding, exchange, stream);
    });
    setMaxListeners(0, this.#shutdown.signal); // each conversation listens
    this.#listener = new Listener({ host, port, tls, connections, limits: this.#limits, take: this.#library.take, onError });
    this.#paths = new Set(this.#register());
    const { http2 } = this.#library,
      [serve] = http2.listeners("stream");
    assert(serve !== undefined && http2.listenerCount("stream") === 1, "the library hears of streams, and nobody else");
    http2.removeAllListeners("stream");
    http2.on("stream", (stream, headers) => this.#admit(stream, headers, () => serve.call(http2, stream, headers)));
    http2.on("session", (session) => this.#greet(session));
  }

  get port(): number {
    return this.#listener.port;
  }

  listen(): Promise<void> {
    return this.#listener.listen();
  }

  close(drainMs: number): Promise<boolean> {
    return (this.#closing ??= this.#close(drainMs));
  }

  async #close(drainMs: number): Promise<boolean> {
    this.#shutdown.abort();
    const closed = this.#listener.close();
    for (const session of this.#sessions) session.close(); // clients go elsewhere with what they begin, even on connections that are open
    const drained = await this.#inFlight.idle(drainMs);
    for (const exchange of this.#running) exchange.giveUp(goingAway);
    if (this.#sessions.size > 0) await sleep(this.#limits.drainSettleMs);
    for (const session of this.#sessions) session.destroy();
    this.#listener.destroyAll(); // those that do not speak HTTP/2 yet
    await closed;
    this.#library.server.forceShutdown();
    return drained;
  }

  /** A client has to speak soon, and is told what head may come. */
  #greet(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    const silent = setTimeout(() => session.destroy(), this.#limits.stallMs);
    session.once("remoteSettings", () => clearTimeout(silent));
    session.once("close", () => {
      clearTimeout(silent);
      this.#sessions.delete(session);
    });
    session.settings({ maxHeaderListSize: this.#limits.grpcMetadataBytesMax });
    if (this.#shutdown.signal.aborted) session.close();
  }

  /** `serve`: the library goes on with it. */
  #admit(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, serve: () => void): void {
    stream.on("error", () => undefined); // it closes then, which is what matters
    if (!headers["content-type"]?.startsWith("application/grpc")) return serve(); // the library refuses it
    const path = String(headers[":path"]),
      metadata = metadataOf(headers);
    if (!this.#paths.has(path))
      return refuse(stream, { code: 12, message: `Method not found: ${path.replace(/^\//, "")}`, details: undefined }, this.#limits);
    if (isEndless(headers["grpc-timeout"])) delete headers["grpc-timeout"];
    const begin = (): void => {
        this.#exchanges.set(stream, new Exchange(stream, metadata, this.#options.bodies, this.#limits));
        serve();
      },
      judged = this.#options.judge(path, metadata);
    if (judged === undefined) return begin();
    judged
      .catch((error: unknown) => {
        this.#options.onError(error);
        return internal;
      })
      .then((status) => {
        if (stream.closed || stream.destroyed) return;
        if (status === undefined) begin();
        else refuse(stream, status, this.#limits);
      })
      .catch(this.#options.onError);
  }

  #messageIn(frame: Buffer, encoding: string, { intake }: Exchange, stream: ServerHttp2Stream): Buffer | Promise<Buffer> {
    const held = intake.isWhole(frame.length);
    if (held === undefined) throw new Refused(noRoom(this.#limits));
    return this.#inflation.messageIn(frame, encoding, { isOver: () => stream.closed, take: (bytes) => intake.grows(held, bytes) });
  }

  /** Gives the paths of all methods. */
  #register(): readonly string[] {
    const { handlers, files, methods, components, isReady } = this.#options,
      { server } = this.#library,
      services = [...handlers.keys()].map((path) => path.split("/")[1]!),
      names = new Set([...components, ...services, healthService, reflectionService]),
      health = healthHandlers({ names, isReady, intervalMs: this.#limits.grpcHealthIntervalMs, closing: this.#shutdown.signal }),
      all = new Map([...handlers, ...health]),
      reflectionPath = `/${reflectionService}/ServerReflectionInfo`;
    for (const [path, handler] of all) {
      if (handler.kind === "unary") {
        const serve = (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>): void => this.#answer(handler, call, reply);
        server.register(path, serve, same, same, "unary");
      } else {
        const serve = (call: ServerWritableStream<Buffer, Buffer>): void => this.#stream(handler, call);
        server.register(path, serve, same, same, "serverStream");
      }
    }
    const reflection = new Reflection([...describe(files, methods), ...ownFiles]);
    server.register(reflectionPath, (call: ServerDuplexStream<Buffer, Buffer>) => this.#reflect(reflection, call), same, same, "bidi");
    return [...all.keys(), reflectionPath];
  }

  #answer(handler: UnaryHandler, call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>): void {
    const exchange = this.#exchangeOf(call);
    let ok: Uint8Array | undefined;
    const answer = (status: Status | undefined): void => {
      if (status !== undefined) return reply(libraryError(status));
      exchange.outgoing.ends(ok!.length);
      reply(null, bufferOf(ok!));
    };
    void this.#run(exchange, call, answer, async (asked) => {
      const answered = await handler.answer(asked);
      if ("error" in answered) return answered.error;
      ok = answered.ok;
      return undefined;
    });
  }

  #stream(handler: StreamHandler, call: ServerWritableStream<Buffer, Buffer>): void {
    const exchange = this.#exchangeOf(call),
      { outgoing, signal } = exchange;
    const sink: Sink = {
      async send(message) {
        signal.throwIfAborted();
        outgoing.begins(message.length);
        call.write(bufferOf(message), () => outgoing.isTaken(message.length));
        await outgoing.room();
      },
    };
    void this.#run(exchange, call, (status) => endStream(call, status), (asked) => handler.answer(asked, sink)); // prettier-ignore
  }

  /** `work` gives the status that the call ends with; undefined: it went well. */
  async #run(
    exchange: Exchange,
    call: ServerUnaryCall<Buffer, Buffer> | ServerWritableStream<Buffer, Buffer>,
    answer: (status: Status | undefined) => void,
    work: (asked: ReturnType<Exchange["begin"]>) => Promise<Status | undefined>,
  ): Promise<void> {
    const { request } = call;
    if (exchange.signal.aborted) return; // it was refused
    this.#inFlight.enter();
    this.#running.add(exchange);
    try {
      exchange.answer(await work(exchange.begin(request, deadlineOf(call), answer)));
    } catch (error) {
      if (!exchange.signal.aborted || !isDeparture(error)) this.#options.onError(error);
      exchange.answer(internal);
    } finally {
      exchange.done();
      this.#running.delete(exchange);
      this.#inFlight.leave();
    }
  }

  /** A conversation: one question is answered after the other. */
  #reflect(reflection: Reflection, call: ServerDuplexStream<Buffer, Buffer>): void {
    const { intake, outgoing } = this.#exchangeOf(call),
      end = (status?: Status): void => endStream(call, status);
    intake.isConversation();
    const shutdown = (): void => end(goingAway);
    this.#shutdown.signal.addEventListener("abort", shutdown);
    streamOf(call).once("close", () => this.#shutdown.signal.removeEventListener("abort", shutdown));
    call.on("data", (request: Buffer) => {
      if (call.writableEnded) return;
      if (request.length > this.#limits.grpcReflectionBytesMax)
        return end({ code: 8, message: "The name is too long.", details: undefined });
      let reply: Uint8Array | undefined;
      try {
        reply = reflection.answer(request);
      } catch (error) {
        this.#options.onError(error);
        return end(internal);
      }
      intake.isAnswered();
      if (reply === undefined) return end({ code: 3, message: "The request asks nothing that there is.", details: undefined });
      const { length } = reply;
      outgoing.begins(length);
      call.pause();
      call.write(bufferOf(reply), () => {
        outgoing.isTaken(length);
        call.resume();
      });
    });
    call.on("end", () => end());
  }

  #exchangeOf(call: LibraryCall): Exchange {
    const exchange = this.#exchanges.get(streamOf(call));
    assert(exchange !== undefined, "a call that is served was admitted");
    return exchange;
  }
}

/** Handlers have the bytes of messages. */
const same = (bytes: Buffer): Buffer => bytes;

const deadlineOf = (call: LibraryCall): number => Number(call.getDeadline());

function endStream(call: ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>, status: Status | undefined): void {
  if (status === undefined) call.end();
  else call.emit("error", libraryError(status)); // so it is told what the stream ends with
}

const internal: Status = { code: 13, message: "Something went wrong here; the log of the server has it.", details: undefined };
const goingAway: Status = { code: 14, message: "The server is going away.", details: undefined };

/** Whether a deadline is too far away for the library, which counts in 31 bits: 24 days. */
function isEndless(timeout: string | string[] | undefined): boolean {
  const [, amount, unit] = /^(\d{1,8})([HMS])$/.exec(String(timeout)) ?? [];
  return Number(amount) * secondsOf[unit as keyof typeof secondsOf] * 1_000 >= 2 ** 31;
}
const secondsOf = { H: 3_600, M: 60, S: 1 } as const;
