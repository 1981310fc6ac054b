/** Files of the services of this folder. */
import type { DescribedField, DescribedFile, DescribedMessage, DescribedType } from "./descriptor.js";

type Options = Partial<Pick<DescribedField, "isRepeated" | "oneOf">>;

const field = (name: string, number: number, type: DescribedType, { isRepeated = false, oneOf }: Options = {}): DescribedField => ({
  name,
  number,
  type,
  isRepeated,
  isOptional: false,
  oneOf,
});

const repeated: Options = { isRepeated: true };

const message = (name: string, fields: readonly DescribedField[], parts: Partial<DescribedMessage> = {}): DescribedMessage => ({
  name,
  fields,
  messages: [],
  enums: [],
  isMapEntry: false,
  ...parts,
});

const file = (path: string, name: string, messages: readonly DescribedMessage[]): DescribedFile => ({
  path,
  package: name,
  messages,
  enums: [],
  services: [],
});

const health = "grpc.health.v1";
const healthFile: DescribedFile = {
  ...file("grpc/health/v1/health.proto", health, [
    message("HealthCheckRequest", [field("service", 1, "string")]),
    message("HealthCheckResponse", [field("status", 1, { enum: `${health}.HealthCheckResponse.ServingStatus` })], {
      enums: [{ name: "ServingStatus", numbers: { UNKNOWN: 0, SERVING: 1, NOT_SERVING: 2, SERVICE_UNKNOWN: 3 } }],
    }),
  ]),
  services: [
    {
      name: "Health",
      methods: (["Check", "Watch"] as const).map((name) => ({
        name,
        request: `${health}.HealthCheckRequest`,
        reply: `${health}.HealthCheckResponse`,
        isClientStream: false,
        isServerStream: name === "Watch",
      })),
    },
  ],
};

const reflection = "grpc.reflection.v1",
  ofReflection = (name: string): DescribedType => ({ message: `${reflection}.${name}` }),
  asked = (name: string, number: number, type: DescribedType): DescribedField => field(name, number, type, { oneOf: "message_request" }),
  answered = (name: string, number: number, type: DescribedType): DescribedField =>
    field(name, number, type, { oneOf: "message_response" });
const reflectionFile: DescribedFile = {
  ...file("grpc/reflection/v1/reflection.proto", reflection, [
    message("ServerReflectionRequest", [
      field("host", 1, "string"),
      asked("file_by_filename", 3, "string"),
      asked("file_containing_symbol", 4, "string"),
      asked("file_containing_extension", 5, ofReflection("ExtensionRequest")),
      asked("all_extension_numbers_of_type", 6, "string"),
      asked("list_services", 7, "string"),
    ]),
    message("ExtensionRequest", [field("containing_type", 1, "string"), field("extension_number", 2, "int32")]),
    message("ServerReflectionResponse", [
      field("valid_host", 1, "string"),
      field("original_request", 2, ofReflection("ServerReflectionRequest")),
      answered("file_descriptor_response", 4, ofReflection("FileDescriptorResponse")),
      answered("all_extension_numbers_response", 5, ofReflection("ExtensionNumberResponse")),
      answered("list_services_response", 6, ofReflection("ListServiceResponse")),
      answered("error_response", 7, ofReflection("ErrorResponse")),
    ]),
    message("FileDescriptorResponse", [field("file_descriptor_proto", 1, "bytes", repeated)]),
    message("ExtensionNumberResponse", [field("base_type_name", 1, "string"), field("extension_number", 2, "int32", repeated)]),
    message("ListServiceResponse", [field("service", 1, ofReflection("ServiceResponse"), repeated)]),
    message("ServiceResponse", [field("name", 1, "string")]),
    message("ErrorResponse", [field("error_code", 1, "int32"), field("error_message", 2, "string")]),
  ]),
  services: [
    {
      name: "ServerReflection",
      methods: [
        {
          name: "ServerReflectionInfo",
          request: `${reflection}.ServerReflectionRequest`,
          reply: `${reflection}.ServerReflectionResponse`,
          isClientStream: true,
          isServerStream: true,
        },
      ],
    },
  ],
};

export const ownFiles: readonly DescribedFile[] = [healthFile, reflectionFile];
