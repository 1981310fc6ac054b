/** A server of gRPC with handlers of a test, and the library's own client. */
import { Client, credentials, Metadata, type ChannelCredentials, type ClientReadableStream, type ServiceError } from "@grpc/grpc-js";
import type { Handlers, StreamHandler, UnaryHandler } from "../../src/grpc/call.js";
import { openGrpcServer, type GrpcServer, type GrpcServerOptions } from "../../src/grpc/server/index.js";
import { BodyBudget, Connections } from "../../src/http/index.js";

export interface Running {
  readonly server: GrpcServer;
  readonly client: Client;
  readonly bodies: BodyBudget;
  readonly errors: unknown[];
}

const messageBytesMax = 64 * 1024 * 1024;
export const unary = (answer: UnaryHandler["answer"]): UnaryHandler => ({ kind: "unary", messageBytesMax, answer });
export const stream = (answer: StreamHandler["answer"]): StreamHandler => ({ kind: "stream", messageBytesMax, answer });
export const echo = unary(async ({ message }) => ({ ok: message }));

export async function withServer(
  handlers: Readonly<Record<string, UnaryHandler | StreamHandler>>,
  body: (running: Running) => Promise<void>,
  options: Partial<GrpcServerOptions> & { readonly channel?: ChannelCredentials } = {},
): Promise<void> {
  const errors: unknown[] = [],
    bodies = options.bodies ?? new BodyBudget(options.limits?.bodiesBytesMax ?? 1 << 28),
    all: Handlers = new Map(Object.entries(handlers).map(([name, handler]) => [`/test.Test/${name}`, handler]));
  const server = await openGrpcServer({
    host: "127.0.0.1",
    port: 0,
    tls: undefined,
    handlers: all,
    files: [],
    methods: [],
    components: ["part"],
    judge: () => undefined,
    isReady: () => true,
    connections: new Connections(Infinity, () => undefined),
    onError: (error) => errors.push(error),
    ...options,
    bodies,
  });
  const client = new Client(`127.0.0.1:${server.port}`, options.channel ?? credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
    "grpc.use_local_subchannel_pool": 1,
  });
  try {
    await body({ server, client, bodies, errors });
  } finally {
    client.close();
    await server.close(0);
  }
}

const same = (bytes: Buffer): Buffer => bytes;

export interface Asked {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

const metadataOf = ({ metadata = {} }: Asked): Metadata => {
  const made = new Metadata();
  for (const [name, value] of Object.entries(metadata)) made.add(name, value);
  return made;
};
const optionsOf = ({ deadlineMs }: Asked) => (deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs });

const pathOf = (method: string): string => (method.startsWith("/") ? method : `/test.Test/${method}`);

/** Rejects with a `ServiceError`. */
export function ask(client: Client, method: string, message: Uint8Array, asked: Asked = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      pathOf(method),
      same,
      same,
      Buffer.from(message),
      metadataOf(asked),
      optionsOf(asked),
      (error, reply) => (error === null ? resolve(reply!) : reject(error)),
    );
    asked.signal?.addEventListener("abort", () => call.cancel());
  });
}

export function listen(client: Client, method: string, message: Uint8Array, asked: Asked = {}): ClientReadableStream<Buffer> {
  return client.makeServerStreamRequest(pathOf(method), same, same, Buffer.from(message), metadataOf(asked), optionsOf(asked));
}

/** All messages, and how it ended where that was not well. */
export async function collect(
  replies: ClientReadableStream<Buffer>,
): Promise<{ readonly messages: readonly Buffer[]; readonly error: ServiceError | undefined }> {
  const messages: Buffer[] = [];
  try {
    for await (const message of replies) messages.push(message as Buffer);
    return { messages, error: undefined };
  } catch (error) {
    return { messages, error: error as ServiceError };
  }
}

export const failureOf = async (asked: Promise<unknown>): Promise<ServiceError> => {
  try {
    await asked;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("It was expected to fail.");
};
