/** What a server of gRPC tells of itself: its health, and what it serves. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { Client } from "@grpc/grpc-js";
import protobuf from "protobufjs";
import { ok } from "../../src/base/result.js";
import type { Method } from "../../src/grpc/method.js";
import {
  bool,
  bytes,
  enumeration,
  enumOf,
  identifier,
  int64,
  map,
  message,
  messageBytes,
  nested,
  octets,
  oneOf,
  record,
  repeated,
  string,
  timestamp,
  uint32,
  value,
  type ProtoFile,
} from "../../src/grpc/schema/fields.js";
import { messageNamed, protoFiles } from "../../src/grpc/schema/index.js";
import { eventually } from "../http/harness.js";
import { ask, collect, echo, failureOf, listen, withServer } from "./server-harness.js";

/** It adds to protobufjs; and it knows descriptors by their numbers. */
const descriptor = createRequire(import.meta.url)("protobufjs/ext/descriptor") as {
  readonly FileDescriptorProto: protobuf.Type;
  readonly FileDescriptorSet: protobuf.Type;
};

const timeout = 60_000;

const healthOf = (bytes: Uint8Array): number => bytes[1]!;
const named = (name: string): Buffer => Buffer.concat([Buffer.from([10, name.length]), Buffer.from(name)]);

test(
  "grpc health: of the whole, of each service and of what the server is made of, as long as it is ready; others are not known",
  { timeout },
  async () => {
    let isReady = true;
    await withServer(
      { Say: echo },
      async ({ client }) => {
        const check = async (name: string): Promise<number> => healthOf(await ask(client, "/grpc.health.v1.Health/Check", named(name)));
        for (const name of ["", "part", "test.Test", "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"])
          assert.equal(await check(name), 1);
        assert.equal(healthOf(await ask(client, "/grpc.health.v1.Health/Check", Buffer.alloc(0))), 1);
        assert.equal((await failureOf(check("test.Toast"))).code, 5);
        assert.equal((await failureOf(ask(client, "/grpc.health.v1.Health/Check", Buffer.from([10, 200])))).code, 13);
        isReady = false;
        assert.equal(await check(""), 2);
        assert.equal(await check("test.Test"), 2);
      },
      { isReady: () => isReady },
    );
  },
);

test("grpc health: who watches hears of each change, and a close waits for nobody who watches", { timeout }, async () => {
  let isReady = true;
  await withServer(
    { Say: echo },
    async ({ client, server }) => {
      const states: number[] = [],
        watched = listen(client, "/grpc.health.v1.Health/Watch", named("test.Test"));
      watched.on("data", (bytes: Buffer) => states.push(healthOf(bytes)));
      const ended = new Promise<Error>((resolve) => watched.once("error", resolve));
      await eventually("it is ready", () => states.length === 1);
      isReady = false;
      await eventually("it is not ready", () => states.length === 2);
      isReady = true;
      await eventually("it is ready again", () => states.length === 3);
      assert.deepEqual(states, [1, 2, 1]);
      const unknown = await collect(listen(client, "/grpc.health.v1.Health/Watch", named("test.Toast")));
      assert.equal(unknown.error?.message, "5 NOT_FOUND: Component test.Toast does not exist.");
      assert.equal(await server.close(60_000), true);
      assert.match((await ended).message, /^14 UNAVAILABLE/);
    },
    { isReady: () => isReady, limits: { grpcHealthIntervalMs: 20 } },
  );
});

const place = "com.daml.ledger.api.v2",
  colour = enumOf(`${place}.Colour`, { COLOUR_UNSPECIFIED: 0, COLOUR_RED: 7 }),
  depth = enumOf(`${place}.Outer.Depth`, { DEPTH_UNSPECIFIED: 0 }),
  inner = message(`${place}.Outer.Inner`, { party_id: string(1) }),
  duration = messageNamed("google.protobuf.Duration");
const outer = message(`${place}.Outer`, {
  name: string(1),
  note: string(2, { isOptional: true }),
  flags: repeated(bool(3)),
  inner: nested(4, () => inner),
  choice: oneOf({ blob: bytes(5), dar: octets(6), dep: enumeration(7, depth) }),
  counts: map(8, int64(0)),
  inners_by_name: map(
    9,
    nested(0, () => inner),
  ),
  colours: repeated(enumeration(10, colour)),
  template_id: identifier(11),
  recorded_at: timestamp(12),
  prepared: messageBytes(13, `${place}.interactive.Prepared`),
  argument: value(15, undefined),
  arguments: record(16, undefined),
  wait: nested(17, () => duration, { isOptional: true }),
  size: uint32(18, { isOptional: true }),
  other: nested(19, () => outer),
});
const request = message(`${place}.SayRequest`, { outer: nested(1, () => outer) }),
  reply = message(`${place}.SayResponse`, {}),
  prepared = message(`${place}.interactive.Prepared`, {});
const files: readonly ProtoFile[] = [
  ...protoFiles.filter(({ path }) => path.startsWith("google/") || path.endsWith("/value.proto")),
  { path: "com/daml/ledger/api/v2/outer.proto", package: place, messages: [outer, inner], enums: [colour, depth], services: [] },
  {
    path: "com/daml/ledger/api/v2/say_service.proto",
    package: place,
    messages: [request, reply],
    enums: [],
    services: [`${place}.SayService`],
  },
  {
    path: "com/daml/ledger/api/v2/interactive/prepared.proto",
    package: `${place}.interactive`,
    messages: [prepared],
    enums: [],
    services: [],
  },
];
const common = { service: `${place}.SayService`, request, reply };
const methods: readonly Method[] = [
  { ...common, kind: "unary", name: "Say", ask: () => ok({ method: "GET", path: "/", query: "", body: undefined }) },
  { ...common, kind: "stream", name: "SayOften", path: "/", ask: (asked) => ok(asked) },
];

const reflectionProto = protobuf.parse(
  `syntax = "proto3";
  message Request { string host = 1; oneof asked { string file_by_filename = 3; string file_containing_symbol = 4;
    Extension file_containing_extension = 5; string all_extension_numbers_of_type = 6; string list_services = 7; } }
  message Extension { string containing_type = 1; int32 extension_number = 2; }
  message Response { string valid_host = 1; Request original_request = 2; Files file_descriptor_response = 4;
    Numbers all_extension_numbers_response = 5; Services list_services_response = 6; Failure error_response = 7; }
  message Files { repeated bytes file_descriptor_proto = 1; }
  message Numbers { string base_type_name = 1; repeated int32 extension_number = 2; }
  message Services { repeated Service service = 1; }
  message Service { string name = 1; }
  message Failure { int32 error_code = 1; string error_message = 2; }`,
).root;
const Request = reflectionProto.lookupType("Request"),
  Response = reflectionProto.lookupType("Response");

interface Answer {
  readonly originalRequest: unknown;
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Uint8Array[] };
  readonly allExtensionNumbersResponse?: { readonly baseTypeName: string };
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly errorResponse?: { readonly errorCode: number; readonly errorMessage: string };
}

const same = (bytes: Buffer): Buffer => bytes;

/** Answers in their order. */
async function reflect(client: Client, questions: readonly Record<string, unknown>[]): Promise<readonly Answer[]> {
  const call = client.makeBidiStreamRequest("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", same, same);
  for (const question of questions) call.write(Buffer.from(Request.encode(Request.fromObject(question)).finish()));
  call.end();
  const answers: Answer[] = [];
  for await (const bytes of call) answers.push(Response.decode(bytes as Buffer) as unknown as Answer);
  return answers;
}

const pathsOf = (answer: Answer): readonly string[] =>
  answer.fileDescriptorResponse!.fileDescriptorProto.map(
    (bytes) => (descriptor.FileDescriptorProto.decode(bytes) as unknown as { name: string }).name,
  );

test("grpc reflection: what is served is told, with the files it stands in and all that they need", { timeout }, async () => {
  await withServer(
    {},
    async ({ client, errors }) => {
      const [services, bySymbol, byMethod, byFile, nowhere, noFile, numbers, noNumbers, extension] = await reflect(client, [
        { host: "me", listServices: "*" },
        { fileContainingSymbol: `${place}.SayService` },
        { fileContainingSymbol: `${place}.SayService.SayOften` },
        { fileByFilename: "google/protobuf/timestamp.proto" },
        { fileContainingSymbol: "no.Such" },
        { fileByFilename: "no.proto" },
        { allExtensionNumbersOfType: `${place}.Outer.Inner` },
        { allExtensionNumbersOfType: "no.Such" },
        { fileContainingExtension: { containingType: `${place}.Outer`, extensionNumber: 1 } },
      ]);
      assert.deepEqual(
        services!.listServicesResponse!.service.map(({ name }) => name),
        [`${place}.SayService`, "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"],
      );
      assert.deepEqual(Request.toObject(services!.originalRequest as protobuf.Message), { host: "me", listServices: "*" });
      const all = [
        "com/daml/ledger/api/v2/say_service.proto",
        "com/daml/ledger/api/v2/outer.proto",
        "com/daml/ledger/api/v2/interactive/prepared.proto",
        "com/daml/ledger/api/v2/value.proto",
        "google/protobuf/duration.proto",
        "google/protobuf/timestamp.proto",
        "google/protobuf/empty.proto",
      ];
      assert.deepEqual(pathsOf(bySymbol!), all);
      assert.deepEqual(pathsOf(byMethod!), all);
      assert.deepEqual(pathsOf(byFile!), ["google/protobuf/timestamp.proto"]);
      assert.equal(numbers!.allExtensionNumbersResponse!.baseTypeName, `${place}.Outer.Inner`);
      for (const failed of [nowhere!, noFile!, noNumbers!, extension!]) assert.equal(failed.errorResponse?.errorCode, 5);
      assert.deepEqual(errors, []);
    },
    { files, methods },
  );
});

test("grpc reflection: protobufjs reads messages by the descriptors as by the published files", { timeout }, async () => {
  await withServer(
    {},
    async ({ client }) => {
      const [answer] = await reflect(client, [{ fileContainingSymbol: `${place}.SayService` }]);
      const file = answer!.fileDescriptorResponse!.fileDescriptorProto.map((bytes) => descriptor.FileDescriptorProto.decode(bytes));
      const root = (protobuf.Root as unknown as { fromDescriptor(set: unknown): protobuf.Root }).fromDescriptor(
        descriptor.FileDescriptorSet.create({ file }),
      );
      root.resolveAll();
      const Outer = root.lookupType(`${place}.Outer`);
      const shown = Outer.fieldsArray.map((field) => {
        const { name, id, type, repeated: isRepeated } = field.resolve();
        return [id, name, field.map ? `map ${type}` : (field.resolvedType?.fullName ?? type), isRepeated, field.partOf?.name];
      });
      assert.deepEqual(shown.sort(([left], [right]) => (left as number) - (right as number)).map(String), [
        "1,name,string,false,",
        "2,note,string,false,_note",
        "3,flags,bool,true,",
        `4,inner,.${place}.Outer.Inner,false,`,
        "5,blob,bytes,false,choice",
        "6,dar,bytes,false,choice",
        `7,dep,.${place}.Outer.Depth,false,choice`,
        "8,counts,map int64,false,",
        `9,innersByName,map .${place}.Outer.Inner,false,`,
        `10,colours,.${place}.Colour,true,`,
        `11,templateId,.${place}.Identifier,false,`,
        "12,recordedAt,.google.protobuf.Timestamp,false,",
        `13,prepared,.${place}.interactive.Prepared,false,`,
        `15,argument,.${place}.Value,false,`,
        `16,arguments,.${place}.Record,false,`,
        "17,wait,.google.protobuf.Duration,false,",
        "18,size,uint32,false,_size",
        `19,other,.${place}.Outer,false,`,
      ]);
      assert.equal(root.lookupEnum(`${place}.Colour`).values["COLOUR_RED"], 7);
      const { Say: say, SayOften: sayOften } = root.lookupService(`${place}.SayService`).methods;
      assert.deepEqual(
        [say!.responseStream ?? false, sayOften!.responseStream, sayOften!.requestType],
        [false, true, `.${place}.SayRequest`],
      );
      const Value = root.lookupType(`${place}.Value`),
        made = Value.fromObject({ genMap: { entries: [{ key: { int64: -5 }, value: { timestamp: 12 } }] } }),
        bytesMade = Buffer.from(Value.encode(made).finish()).toString("hex");
      assert.equal(bytesMade, "6a110a0f0a021809120929" + "0c00000000000000");
    },
    { files, methods },
  );
});

test("grpc reflection: what is no question ends it, and one that is too long", { timeout }, async () => {
  await withServer({}, async ({ client }) => {
    for (const [bytes, code] of [
      [Buffer.alloc(0), 3],
      [Buffer.from([255]), 3],
      [Buffer.alloc(20_000, 1), 8],
    ] as const) {
      const call = client.makeBidiStreamRequest("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", same, same);
      call.write(bytes);
      assert.equal((await collect(call as unknown as ReturnType<typeof listen>)).error?.code, code);
    }
  });
});
