/** How protobuf describes itself (`google/protobuf/descriptor.proto`): files of messages, enums and services, and their bytes. */
import { ProtoWriter, WireType } from "../../lf/wire/index.js";

/** As `FieldDescriptorProto.Type` numbers them. */
const scalarNumbers = {
  int64: 3,
  uint64: 4,
  int32: 5,
  bool: 8,
  string: 9,
  bytes: 12,
  uint32: 13,
  sfixed64: 16,
  sint64: 18,
} as const;
const messageNumber = 11,
  enumNumber = 14;

/** Messages and enums by their full names. */
export type DescribedType = keyof typeof scalarNumbers | { readonly message: string } | { readonly enum: string };

export interface DescribedField {
  readonly name: string;
  readonly number: number;
  readonly type: DescribedType;
  readonly isRepeated: boolean;
  readonly isOptional: boolean;
  /** The one of several that it belongs to. */
  readonly oneOf: string | undefined;
}

export interface DescribedEnum {
  readonly name: string;
  readonly numbers: Readonly<Record<string, number>>;
}

export interface DescribedMessage {
  readonly name: string;
  readonly fields: readonly DescribedField[];
  readonly messages: readonly DescribedMessage[];
  readonly enums: readonly DescribedEnum[];
  /** Whether it is an entry of a map, which protobuf makes a message of. */
  readonly isMapEntry: boolean;
}

export interface DescribedMethod {
  readonly name: string;
  readonly request: string;
  readonly reply: string;
  readonly isClientStream: boolean;
  readonly isServerStream: boolean;
}

export interface DescribedService {
  readonly name: string;
  readonly methods: readonly DescribedMethod[];
}

export interface DescribedFile {
  readonly path: string;
  readonly package: string;
  readonly messages: readonly DescribedMessage[];
  readonly enums: readonly DescribedEnum[];
  readonly services: readonly DescribedService[];
}

/** Full names of the messages and enums that a file speaks of. */
export function typesNamedBy({ messages, services }: DescribedFile): readonly string[] {
  const namedByMessage = (message: DescribedMessage): readonly string[] => [
    ...message.fields.flatMap(({ type }) => (typeof type === "string" ? [] : [nameOf(type)])),
    ...message.messages.flatMap(namedByMessage),
  ];
  return [
    ...messages.flatMap(namedByMessage),
    ...services.flatMap(({ methods }) => methods.flatMap(({ request, reply }) => [request, reply])),
  ];
}

/** Bytes of `FileDescriptorProto`. */
export function descriptorBytes(file: DescribedFile, dependencies: readonly string[]): Uint8Array {
  const out = new ProtoWriter();
  write(out, [
    [1, file.path],
    [2, file.package],
    ...dependencies.map((path): Entry => [3, path]),
    ...file.messages.map((message): Entry => [4, messageEntries(message)]),
    ...file.enums.map((each): Entry => [5, enumEntries(each)]),
    ...file.services.map((service): Entry => [6, serviceEntries(service)]),
    [12, "proto3"],
  ]);
  return out.finish();
}

/** A field of a message that is written: a number, a text or a message of its own. */
type Entry = readonly [field: number, value: number | string | readonly Entry[]];

function write(out: ProtoWriter, entries: readonly Entry[]): void {
  for (const [field, value] of entries.toReversed()) {
    if (typeof value === "string") out.textField(field, value);
    else if (typeof value === "number") {
      out.int32(value);
      out.tag(field, WireType.varint);
    } else {
      const mark = out.length;
      write(out, value);
      out.closeMessage(field, mark);
    }
  }
}

function messageEntries({ name, fields, messages, enums, isMapEntry }: DescribedMessage): readonly Entry[] {
  // An optional field is the only one of several of its own, which stand behind the others.
  const several = [
    ...new Set(fields.flatMap(({ oneOf }) => oneOf ?? [])),
    ...fields.filter(({ isOptional }) => isOptional).map((field) => optionalName(field)),
  ];
  return [
    [1, name],
    ...fields.map((field): Entry => [2, fieldEntries(field, several)]),
    ...messages.map((message): Entry => [3, messageEntries(message)]),
    ...enums.map((each): Entry => [4, enumEntries(each)]),
    ...(isMapEntry ? [[7, [[7, 1]]] as const] : []),
    ...several.map((each): Entry => [8, [[1, each]]]),
  ];
}

const optionalName = ({ name }: DescribedField): string => `_${name}`;

function fieldEntries(field: DescribedField, several: readonly string[]): readonly Entry[] {
  const { name, number, type, isRepeated, isOptional, oneOf } = field,
    among = isOptional ? optionalName(field) : oneOf;
  return [
    [1, name],
    [3, number],
    [4, isRepeated ? 3 : 1],
    [5, typeof type === "string" ? scalarNumbers[type] : "message" in type ? messageNumber : enumNumber],
    ...(typeof type === "string" ? [] : [[6, `.${nameOf(type)}`] as const]),
    ...(among === undefined ? [] : [[9, several.indexOf(among)] as const]),
    [10, camelCase(name)],
    ...(isOptional ? [[17, 1] as const] : []),
  ];
}

const nameOf = (type: Exclude<DescribedType, string>): string => ("message" in type ? type.message : type.enum);

export const camelCase = (name: string): string => name.replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());

const enumEntries = ({ name, numbers }: DescribedEnum): readonly Entry[] => [
  [1, name],
  ...Object.entries(numbers).map(([each, number]): Entry => [2, [[1, each], [2, number]]]), // prettier-ignore
];

const serviceEntries = ({ name, methods }: DescribedService): readonly Entry[] => [
  [1, name],
  ...methods.map(({ name: method, request, reply, isClientStream, isServerStream }): Entry => [
    2,
    [
      [1, method],
      [2, `.${request}`],
      [3, `.${reply}`],
      ...(isClientStream ? [[5, 1] as const] : []),
      ...(isServerStream ? [[6, 1] as const] : []),
    ],
  ]),
];
