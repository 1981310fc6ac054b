/** What is declared of the Ledger API (`../schema/`, `../method.ts`), as protobuf describes it. */
import { groupBy } from "../../base/group-by.js";
import type { Method } from "../method.js";
import type { EnumType, Field, FieldType, Members, MessageType, ProtoFile } from "../schema/index.js";
import {
  camelCase,
  type DescribedEnum,
  type DescribedField,
  type DescribedFile,
  type DescribedMessage,
  type DescribedService,
  type DescribedType,
} from "./descriptor.js";

export function describe(files: readonly ProtoFile[], methods: readonly Method[]): readonly DescribedFile[] {
  const services = groupBy(methods, ({ service }) => service);
  return files.map((file) => ({
    path: file.path,
    package: file.package,
    ...typesIn(file.package, file),
    services: file.services.map((name) => described(name, services.get(name) ?? [])),
  }));
}

const described = (service: string, methods: readonly Method[]): DescribedService => ({
  name: split(service)[1],
  methods: methods.map((method) => ({
    name: method.name,
    request: method.request.name,
    reply: method.reply.name,
    isClientStream: false,
    isServerStream: method.kind === "stream" || (method.kind === "missing" && method.isStream),
  })),
});

const split = (name: string): readonly [place: string, name: string] => {
  const end = name.lastIndexOf(".");
  return [name.slice(0, end), name.slice(end + 1)];
};

interface Types {
  readonly messages: readonly MessageType[];
  readonly enums: readonly EnumType[];
}

interface Described {
  readonly messages: readonly DescribedMessage[];
  readonly enums: readonly DescribedEnum[];
}

/** What is directly in a package or message; what is in those messages goes into them. */
function typesIn(place: string, types: Types): Described {
  const isHere = ({ name }: { readonly name: string }): boolean => split(name)[0] === place;
  return {
    messages: types.messages.filter(isHere).map((message) => describedMessage(message, types)),
    enums: types.enums.filter(isHere).map(({ name, numbers }) => ({ name: split(name)[1], numbers })),
  };
}

function describedMessage({ name, members }: MessageType, types: Types): DescribedMessage {
  const fields = fieldsOf(members),
    inside = typesIn(name, types),
    entries = fields.flatMap(([fieldName, { type }]) => (type.kind === "map" ? [mapEntry(fieldName, type.value)] : []));
  return {
    name: split(name)[1],
    fields: fields.map(([fieldName, field, oneOf]) => describedField(name, fieldName, field, oneOf)),
    messages: [...inside.messages, ...entries],
    enums: inside.enums,
    isMapEntry: false,
  };
}

/** With the name of the one of several that they belong to. */
type NamedField = readonly [name: string, field: Field, oneOf: string | undefined];

const fieldsOf = (members: Members): readonly NamedField[] =>
  Object.entries(members).flatMap(([name, member]): readonly NamedField[] =>
    "oneOf" in member ? Object.entries(member.oneOf).map(([each, field]) => [each, field, name]) : [[name, member, undefined]],
  );

function describedField(
  message: string,
  name: string,
  { number, type, isRepeated, isOptional }: Field,
  oneOf: string | undefined,
): DescribedField {
  const isMap = type.kind === "map";
  return {
    name,
    number,
    type: isMap ? { message: `${message}.${entryName(name)}` } : typeOf(type),
    isRepeated: isRepeated || isMap,
    isOptional: isOptional && oneOf === undefined && isScalar(type),
    oneOf,
  };
}

/** Of others protobuf tells anyway whether they are there, and those who declare them need not say whether `optional` stands there. */
const isScalar = ({ kind }: FieldType): boolean => scalarKinds.has(kind);
const scalarKinds: ReadonlySet<FieldType["kind"]> = new Set([
  "string",
  "bool",
  "int32",
  "uint32",
  "int64",
  "uint64",
  "sint64",
  "sfixed64",
  "bytes",
  "hex",
  "octets",
  "enum",
]);

function mapEntry(field: string, value: FieldType): DescribedMessage {
  const part = (name: string, number: number, type: DescribedType): DescribedField => ({
    name,
    number,
    type,
    isRepeated: false,
    isOptional: false,
    oneOf: undefined,
  });
  return {
    name: entryName(field),
    fields: [part("key", 1, "string"), part("value", 2, typeOf(value))],
    messages: [],
    enums: [],
    isMapEntry: true,
  };
}

const entryName = (field: string): string => {
  const name = camelCase(field);
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Entry`;
};

function typeOf(type: FieldType): DescribedType {
  switch (type.kind) {
    case "string":
    case "bool":
    case "int32":
    case "uint32":
    case "int64":
    case "uint64":
    case "sint64":
    case "sfixed64":
    case "bytes":
      return type.kind;
    case "hex":
    case "octets":
      return "bytes";
    case "enum":
      return { enum: type.of.name };
    case "message":
      return { message: type.of().name };
    case "identifier":
      return { message: "com.daml.ledger.api.v2.Identifier" };
    case "timestamp":
      return { message: "google.protobuf.Timestamp" };
    case "messageBytes":
      return { message: type.of };
    case "value":
      return { message: "com.daml.ledger.api.v2.Value" };
    case "record":
      return { message: "com.daml.ledger.api.v2.Record" };
    case "map":
      throw new TypeError("Protobuf has no maps in maps.");
  }
}
