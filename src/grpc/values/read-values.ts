/** Values of requests. */
import { isFailure } from "../../base/result.js";
import { fromEngineError, type LedgerErrorData } from "../../ledger/index.js";
import { carryValue } from "../../lf/conversion/index.js";
import { apiSum, ProtoWriter } from "../../lf/wire/index.js";
import type { ValueReader } from "../codec/index.js";

/** A value that is none, thrown where it is read. */
export class BadValue extends Error {
  override readonly name = "BadValue";
  constructor(readonly error: LedgerErrorData) {
    super(error.cause);
  }
}

/** What is left of a message becomes the JSON of a value for the ledger, which finds its type. They throw `BadValue`, or `WireFailure`. */
export const requestValues: ValueReader = {
  readValue: (input) => carried(input.rest()),
  readRecord(input) {
    out.reset();
    out.bytesField(apiSum.record, input.rest());
    return carried(out.finish());
  },
};

const out = new ProtoWriter();

function carried(bytes: Uint8Array): unknown {
  const json = carryValue(bytes);
  if (isFailure(json)) throw new BadValue(fromEngineError(json.error));
  return json.ok;
}
