/** Reads `google.rpc.Status` and its details, as clients do. */
import { ProtoReader } from "../../src/lf/wire/index.js";

export interface ReadStatus {
  readonly code: number;
  readonly message: string;
  /** The type's name, and its fields: texts, numbers, or what is nested. */
  readonly details: readonly (readonly [type: string, fields: readonly Field[]])[];
}

type Field = readonly [number: number, value: string | number | readonly Field[]];

export function readStatus(bytes: Uint8Array): ReadStatus {
  const details: [string, readonly Field[]][] = [];
  let code = 0,
    message = "";
  for (const [number, value] of fieldsOf(bytes)) {
    if (number === 1) code = value as number;
    else if (number === 2) message = textOf(value);
    else details.push(detailOf(value as Uint8Array));
  }
  return { code, message, details };
}

function detailOf(any: Uint8Array): [string, readonly Field[]] {
  const fields = fieldsOf(any),
    type = textOf(fields[0]![1]).replace("type.googleapis.com/google.rpc.", "");
  const inner = fieldsOf(fields[1]![1] as Uint8Array);
  return [type, inner.map(([number, value]): Field => [number, isNested(type, number) ? pairsOf(value as Uint8Array) : textOf(value)])];
}

/** The metadata of an `ErrorInfo`, the delay of a `RetryInfo`. */
const isNested = (type: string, number: number): boolean => (type === "ErrorInfo" && number === 3) || type === "RetryInfo";

const pairsOf = (bytes: Uint8Array): readonly Field[] =>
  fieldsOf(bytes).map(([number, value]): Field => [number, typeof value === "number" ? value : textOf(value)]);

const textOf = (value: Uint8Array | number): string => Buffer.from(value as Uint8Array).toString();

function fieldsOf(bytes: Uint8Array): [number: number, value: Uint8Array | number][] {
  const reader = new ProtoReader(bytes),
    fields: [number, Uint8Array | number][] = [];
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) fields.push([tag >> 3, tag % 8 === 0 ? reader.varint() : reader.bytes()]);
  return fields;
}

/** An `ErrorInfo` as it is read. */
export const errorInfo = (reason: string, metadata: readonly (readonly [string, string])[]): readonly [string, readonly Field[]] => [
  "ErrorInfo",
  [
    [1, reason],
    ...metadata.map(([name, value]): Field => [
      3,
      [
        [1, name],
        [2, value],
      ],
    ]),
  ],
];

export const retryInfo = (seconds: number): readonly [string, readonly Field[]] => ["RetryInfo", [[1, [[1, seconds]]]]];
export const requestInfo = (id: string): readonly [string, readonly Field[]] => ["RequestInfo", [[1, id]]];
export const resourceInfo = (type: string, name: string): readonly [string, readonly Field[]] => [
  "ResourceInfo",
  [
    [1, type],
    [2, name],
  ],
];
