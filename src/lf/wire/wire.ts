/** Values as bytes: message `Value` of `proto/value.proto`. */
import { fail, ok, type Result } from "../../base/result.js";
import type { LedgerValue } from "../value/index.js";
import { ProtoReader, WireFailure } from "./proto-reader.js";
import { ProtoWriter } from "./proto-writer.js";
import { readValue } from "./read-value.js";
import { writeValue } from "./write-value.js";

export interface WireError {
  readonly message: string;
}

const writer = new ProtoWriter();

/** The canonical bytes of a value. */
export function encodeValue(value: LedgerValue): Uint8Array {
  writer.reset();
  writeValue(writer, value);
  return writer.finish();
}

/** Reads one value; refuses unknown fields, nesting above the limit, and contents that no ledger value has. */
export function decodeValue(bytes: Uint8Array): Result<LedgerValue, WireError> {
  return readChecked(() => readValue(new ProtoReader(bytes), 0));
}

/** Runs a decoder: bytes that do not fit give a failure, bugs are thrown. */
export function readChecked<T>(read: () => T): Result<T, WireError> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof WireFailure) return fail({ message: error.message });
    throw error;
  }
}
