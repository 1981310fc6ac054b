/** Writes protobuf messages, fields in the order of the schema tables: the order that published package ids depend on. */
import { schema, type Field, type MessageName, type Schema } from "./schema.js";

type ScalarInput<W> = W extends "bool"
  ? boolean
  : W extends "string"
    ? string
    : W extends "bytes"
      ? Uint8Array
      : W extends "sint64" | "sfixed64"
        ? bigint
        : number;
type FieldInput<F> =
  F extends Field<infer W, infer _L, infer T>
    ? W extends "message"
      ? T extends MessageName
        ? MessageInput<T>
        : never
      : ScalarInput<W>
    : never;

/** What to write: fields left out are not written, nor are zeros outside a oneof. */
export type MessageInput<N extends MessageName> = {
  readonly [K in keyof Schema[N]]?:
    (Schema[N][K] extends { readonly label: "many" } ? readonly FieldInput<Schema[N][K]>[] : FieldInput<Schema[N][K]>) | undefined;
};

const fields = Object.fromEntries(Object.entries(schema).map(([name, table]) => [name, Object.entries(table)])) as unknown as Readonly<
  Record<MessageName, readonly (readonly [string, Field])[]>
>;
const wireTypes = { int32: 0, sint64: 0, bool: 0, sfixed64: 1, string: 2, bytes: 2, message: 2 } as const;

export function writeMessage<N extends MessageName>(name: N, input: MessageInput<N>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [fieldName, field] of fields[name]) {
    const value = (input as Readonly<Record<string, unknown>>)[fieldName];
    if (value !== undefined) writeField(field, value, parts);
  }
  return Buffer.concat(parts);
}

function writeField(field: Field, value: unknown, parts: Uint8Array[]): void {
  if (field.label === "many" && field.wire === "int32") {
    const packed = Buffer.concat((value as readonly number[]).map(int32));
    if (packed.length > 0) parts.push(tag(field.number, 2), uint32(packed.length), packed);
  } else if (field.label === "many") {
    for (const item of value as readonly unknown[]) parts.push(tag(field.number, wireTypes[field.wire]), ...content(field, item));
  } else if (field.label === "sum" || field.wire === "message" || !isDefault(value)) {
    parts.push(tag(field.number, wireTypes[field.wire]), ...content(field, value));
  }
}

const isDefault = (value: unknown): boolean =>
  value === 0 || value === false || value === "" || (value instanceof Uint8Array && value.length === 0);

function content(field: Field, value: unknown): readonly Uint8Array[] {
  switch (field.wire) {
    case "int32":
      return [int32(value as number)];
    case "bool":
      return [uint32(value === true ? 1 : 0)];
    case "sint64":
      return [varint(zigZag(value as bigint))];
    case "sfixed64":
      return [fixed64(value as bigint)];
    case "string":
      return delimited(Buffer.from(value as string, "utf8"));
    case "bytes":
      return delimited(value as Uint8Array);
    case "message":
      return delimited(writeMessage(field.type as MessageName, value as MessageInput<MessageName>));
  }
}

const delimited = (bytes: Uint8Array): readonly Uint8Array[] => [uint32(bytes.length), bytes];
const tag = (number: number, wireType: number): Uint8Array => uint32(number * 8 + wireType);
const zigZag = (value: bigint): bigint => (value << 1n) ^ (value >> 63n);

function fixed64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

/** A negative int32 takes ten bytes, as protobuf sign-extends it. */
const int32 = (value: number): Uint8Array => (value < 0 ? varint(BigInt(value)) : uint32(value));

function uint32(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
