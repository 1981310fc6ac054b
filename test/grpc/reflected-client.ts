/** A client that knows of a node's gRPC services what the node tells by reflection, as grpcurl does. */
import { createRequire } from "node:module";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import protobuf from "protobufjs";

/** It adds to protobufjs. */
const { FileDescriptorSet } = createRequire(import.meta.url)("protobufjs/ext/descriptor") as { readonly FileDescriptorSet: protobuf.Type };
const { fromDescriptor } = protobuf.Root as unknown as { fromDescriptor(set: unknown): protobuf.Root };

const same = (bytes: Buffer): Buffer => bytes;
const plain = { longs: String, enums: String, bytes: String, defaults: false, oneofs: false } as const;

export interface CallOptions {
  readonly token?: string;
  readonly signal?: AbortSignal;
}

export class ReflectedClient {
  readonly #client: Client;
  readonly #root: protobuf.Root;
  readonly services: readonly string[];

  private constructor(client: Client, root: protobuf.Root, services: readonly string[]) {
    this.#client = client;
    this.#root = root;
    this.services = services;
  }

  static async connect(port: number): Promise<ReflectedClient> {
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
      "grpc.use_local_subchannel_pool": 1,
      "grpc.max_receive_message_length": -1,
    });
    const listed = await ask(client, { 7: "*" }),
      services = fieldsIn(listed[6]![0]!)[1]!.map((service) => textIn(fieldsIn(service)[1]![0]!));
    const files = new Map<string, Uint8Array>();
    for (const service of services)
      for (const file of fieldsIn((await ask(client, { 4: service }))[4]![0]!)[1]!) files.set(textIn(fieldsIn(file)[1]![0]!), file);
    const set = FileDescriptorSet.decode(Buffer.concat([...files.values()].map((file) => delimited(1, file))));
    return new ReflectedClient(client, fromDescriptor(set), services);
  }

  /** Full names of all methods: `service/method`. */
  get methods(): readonly string[] {
    return this.services.flatMap((service) => Object.keys(this.#root.lookupService(service).methods).map((name) => `${service}/${name}`));
  }

  isStream(method: string): boolean {
    return this.#method(method).responseStream === true;
  }

  /** What is sent for a request. */
  encoded(method: string, request: object): Buffer {
    return encoded(this.#type(this.#method(method).requestType), request);
  }

  async call(method: string, request: object = {}, { token }: CallOptions = {}): Promise<any> {
    const { responseType } = this.#method(method),
      asked = this.encoded(method, request);
    const bytes = await new Promise<Buffer>((resolve, reject) =>
      this.#client.makeUnaryRequest(`/${method}`, same, same, asked, metadata(token), (error, reply) =>
        error === null ? resolve(reply!) : reject(error),
      ),
    );
    return this.#told(responseType, bytes);
  }

  /** Until the stream ends, or `enough` have come. */
  async stream(
    method: string,
    request: object,
    { token, enough = Infinity }: CallOptions & { readonly enough?: number } = {},
  ): Promise<any[]> {
    const { responseType } = this.#method(method),
      call = this.#client.makeServerStreamRequest(`/${method}`, same, same, this.encoded(method, request), metadata(token)),
      elements: any[] = [];
    for await (const bytes of call) {
      elements.push(this.#told(responseType, bytes as Buffer));
      if (elements.length >= enough) break;
    }
    call.cancel();
    return elements;
  }

  close(): void {
    this.#client.close();
  }

  #method(name: string): protobuf.Method {
    const [service, method] = name.split("/");
    return this.#root.lookupService(service!).methods[method!]!;
  }

  #type(name: string): protobuf.Type {
    return this.#root.lookupType(name);
  }

  #told(type: string, bytes: Uint8Array): unknown {
    const of = this.#type(type);
    return of.toObject(of.decode(bytes), plain);
  }
}

/** `service/method` of the Ledger API. */
export const ledgerMethod = (service: string, method: string): string => `com.daml.ledger.api.v2.${service}/${method}`;

/** What a call failed with. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  return call.then(
    () => {
      throw new Error("the call went well");
    },
    (error: ServiceError) => error,
  );
}

const encoded = (type: protobuf.Type, content: object): Buffer => Buffer.from(type.encode(type.fromObject(content)).finish());

function metadata(token: string | undefined): Metadata {
  const made = new Metadata();
  if (token !== undefined) made.set("authorization", `Bearer ${token}`);
  return made;
}

/** One question to reflection, by the numbers of its fields; the fields of the answer. */
function ask(client: Client, question: Readonly<Record<number, string>>): Promise<Readonly<Record<number, readonly Uint8Array[]>>> {
  return new Promise((resolve, reject) => {
    const call = client.makeBidiStreamRequest("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", same, same);
    call.once("data", (bytes: Buffer) => resolve(fieldsIn(bytes)));
    call.on("error", reject);
    call.end(Buffer.concat(Object.entries(question).map(([number, text]) => delimited(Number(number), Buffer.from(text)))));
  });
}

function delimited(number: number, bytes: Uint8Array): Uint8Array {
  return protobuf.Writer.create()
    .uint32(number * 8 + 2)
    .bytes(bytes)
    .finish();
}

/** The delimited ones. */
function fieldsIn(bytes: Uint8Array): Record<number, Uint8Array[]> {
  const reader = protobuf.Reader.create(bytes),
    fields: Record<number, Uint8Array[]> = {};
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag % 8 === 2) (fields[Math.floor(tag / 8)] ??= []).push(reader.bytes());
    else reader.skipType(tag % 8);
  }
  return fields;
}

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
