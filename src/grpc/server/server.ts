import { setMaxListeners } from "node:events";
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { limits as allLimits } from "../../config.js";
import { InFlight, isDeparture, type BodyBudget, type Connections, type TlsIdentity } from "../../http/index.js";
import type { Call, Handlers, Sink, Status, StreamHandler, UnaryHandler } from "../call.js";
import type { Method } from "../method.js";
import type { ProtoFile } from "../schema/index.js";
import { describe } from "./declared.js";
import { Exchange, metadataOf } from "./exchange.js";
import { healthHandlers, healthService } from "./health.js";
import { Inflation } from "./inflation.js";
import { noRoom, type Intake } from "./intake.js";
import type { GrpcLimits } from "./limits.js";
import { Listener } from "./listener.js";
import { Messages, type Receiver } from "./messages.js";
import { ownFiles } from "./own-files.js";
import { Reflection, reflectionService } from "./reflection.js";
import { refuse, refuseAsHttp, Refused } from "./refusal.js";
import type { Reply } from "./reply.js";
import { Sessions } from "./sessions.js";
import { timeoutIn } from "./timeout.js";

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
  readonly #handlers: Handlers;
  readonly #reflection: Reflection;
  readonly #http2: Http2Server;
  readonly #inflation: Inflation;
  readonly #listener: Listener;
  readonly #sessions: Sessions;
  readonly #running = new Set<Exchange>();
  readonly #inFlight = new InFlight();
  readonly #shutdown = new AbortController();
  #closing: Promise<boolean> | undefined;

  constructor(options: GrpcServerOptions) {
    const { host, port, tls, connections, onError, files, methods } = options;
    this.#options = options;
    this.#limits = { ...allLimits, ...options.limits };
    this.#handlers = this.#allHandlers();
    this.#reflection = new Reflection([...describe(files, methods), ...ownFiles]);
    this.#inflation = new Inflation(this.#limits);
    this.#sessions = new Sessions(this.#limits);
    this.#http2 = createServer({
      maxSessionMemory: Number.MAX_SAFE_INTEGER, // streams and what they hold are bounded
      settings: { maxConcurrentStreams: this.#limits.grpcStreamsPerConnectionMax },
    });
    this.#http2.on("stream", (stream, headers) => this.#admit(stream, headers));
    this.#http2.on("session", (session) => {
      this.#sessions.greet(session);
      if (this.#shutdown.signal.aborted) session.close();
    });
    setMaxListeners(0, this.#shutdown.signal); // each conversation listens
    const take = (connection: Duplex): void => void this.#http2.emit("connection", connection);
    this.#listener = new Listener({ host, port, tls, connections, limits: this.#limits, take, onError });
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
    this.#sessions.close();
    const drained = await this.#inFlight.idle(drainMs);
    for (const exchange of this.#running) exchange.giveUp(goingAway);
    if (this.#sessions.size > 0) await sleep(this.#limits.drainSettleMs);
    this.#sessions.destroy();
    this.#listener.destroyAll(); // those that do not speak HTTP/2 yet
    await closed;
    return drained;
  }

  #allHandlers(): Handlers {
    const { handlers, components, isReady } = this.#options,
      services = [...handlers.keys()].map((path) => path.split("/")[1]!),
      names = new Set([...components, ...services, healthService, reflectionService]),
      { grpcHealthIntervalMs: intervalMs, grpcNameBytesMax: messageBytesMax } = this.#limits,
      health = healthHandlers({ names, isReady, intervalMs, messageBytesMax, closing: this.#shutdown.signal });
    return new Map([...handlers, ...health]);
  }

  #admit(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on("error", () => undefined); // it closes then, which is what matters
    this.#sessions.calls(stream);
    if (!headers["content-type"]?.startsWith("application/grpc")) return refuseAsHttp(stream, 415, this.#limits);
    const path = String(headers[":path"]),
      metadata = metadataOf(headers),
      handler = this.#handlers.get(path);
    if (handler === undefined && path !== reflectionPath) return refuse(stream, notFound(path), this.#limits);
    const begin = (): void => this.#begin(handler, stream, headers, metadata),
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

  /** Without a handler it is a conversation with reflection. */
  #begin(
    handler: UnaryHandler | StreamHandler | undefined,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    metadata: Call["headers"],
  ): void {
    const timeout = timeoutIn(headers["grpc-timeout"]);
    if (timeout === "malformed") return refuse(stream, badTimeout(String(headers["grpc-timeout"])), this.#limits);
    const exchange = new Exchange(stream, metadata, timeout, this.#options.bodies, this.#limits),
      bytesMax = handler?.messageBytesMax ?? this.#limits.grpcNameBytesMax,
      unpacked = this.#unpacking(exchange, stream, String(headers["grpc-encoding"] ?? "identity"), bytesMax),
      receiver = handler === undefined ? this.#conversation(exchange, stream, unpacked) : this.#oneMessage(exchange, handler, unpacked);
    new Messages(stream, bytesMax, { ...receiver, refuse: (status) => exchange.giveUp(status) });
  }

  #unpacking({ intake }: Exchange, stream: ServerHttp2Stream, encoding: string, bytesMax: number): Unpack {
    return (frame) => {
      const held = intake.isWhole(frame.length);
      if (held === undefined) throw new Refused(noRoom(this.#limits));
      return this.#inflation.messageIn(frame, encoding, {
        bytesMax,
        isOver: () => stream.closed,
        take: (bytes) => intake.grows(held, bytes),
      });
    };
  }

  /** It is over before it is answered. */
  #oneMessage(exchange: Exchange, handler: UnaryHandler | StreamHandler, unpacked: Unpack): Pick<Receiver, "frame" | "end"> {
    let message: Buffer | undefined;
    const keep = (bytes: Buffer): void => {
        if (message === undefined) message = bytes;
        else exchange.giveUp(tooMany);
      },
      failed = (error: unknown): void => this.#fails(exchange, error);
    return {
      frame: (frame) => {
        try {
          const bytes = unpacked(frame);
          if (bytes instanceof Promise) return bytes.then(keep).catch(failed);
          return keep(bytes);
        } catch (error) {
          return failed(error);
        }
      },
      end: () => {
        if (message === undefined) exchange.giveUp(tooFew);
        else void this.#run(exchange, handler, message);
      },
    };
  }

  async #run(exchange: Exchange, handler: UnaryHandler | StreamHandler, message: Buffer): Promise<void> {
    const { reply } = exchange;
    this.#inFlight.enter();
    this.#running.add(exchange);
    try {
      const call = exchange.begin(message);
      if (handler.kind === "stream") reply.end(await handler.answer(call, sinkOf(exchange)));
      else {
        const answered = await handler.answer(call);
        if ("error" in answered) reply.end(answered.error);
        else reply.answer(answered.ok);
      }
    } catch (error) {
      this.#fails(exchange, error);
    } finally {
      exchange.done();
      this.#running.delete(exchange);
      this.#inFlight.leave();
    }
  }

  /** One question is answered after the other. */
  #conversation(exchange: Exchange, stream: ServerHttp2Stream, unpacked: Unpack): Pick<Receiver, "frame" | "end"> {
    const { intake, reply } = exchange,
      shutdown = (): void => reply.end(goingAway);
    intake.isConversation();
    this.#shutdown.signal.addEventListener("abort", shutdown);
    stream.once("close", () => this.#shutdown.signal.removeEventListener("abort", shutdown));
    return {
      frame: async (frame) => {
        try {
          const status = await this.#reflect(await unpacked(frame), intake, reply);
          if (status !== undefined) reply.end(status);
        } catch (error) {
          this.#fails(exchange, error);
        }
      },
      end: () => reply.end(undefined),
    };
  }

  /** Why it is the last question. */
  async #reflect(question: Buffer, intake: Intake, reply: Reply): Promise<Status | undefined> {
    const answer = this.#reflection.answer(question);
    intake.isAnswered();
    if (answer === undefined) return { code: 3, message: "The request asks nothing that there is.", details: undefined };
    await reply.send(answer);
    return undefined;
  }

  #fails(exchange: Exchange, error: unknown): void {
    if (error instanceof Refused) return exchange.giveUp(error.status);
    if (!exchange.signal.aborted || !isDeparture(error)) this.#options.onError(error);
    exchange.giveUp(internal);
  }
}

const reflectionPath = `/${reflectionService}/ServerReflectionInfo`;

type Unpack = (frame: Buffer) => Buffer | Promise<Buffer>;

const sinkOf = ({ reply, signal }: Exchange): Sink => ({
  async send(message) {
    signal.throwIfAborted();
    await reply.send(message);
  },
});

const internal: Status = { code: 13, message: "Something went wrong here; the log of the server has it.", details: undefined };
const goingAway: Status = { code: 14, message: "The server is going away.", details: undefined };

const notFound = (path: string): Status => ({ code: 12, message: `Method not found: ${path.replace(/^\//, "")}`, details: undefined });

/** In the words of the reference's library. */
const tooMany: Status = { code: 13, message: "Too many requests", details: undefined },
  tooFew: Status = { code: 13, message: "Half-closed without a request", details: undefined };

const badTimeout = (text: string): Status => ({ code: 13, message: `Invalid grpc-timeout value "${text}"`, details: undefined });
