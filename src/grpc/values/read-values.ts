/** Values of requests. */
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
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

/**
 * Of one message. What is left of a message in it becomes the JSON of a value for the ledger, which finds its type. They throw `BadValue`,
 * or `WireFailure`. So many bytes of its values are looked through here, as that is done in one go.
 */
export function requestValues(): ValueReader {
  let lookedThrough = 0;
  const carried = (bytes: Uint8Array): unknown => {
    lookedThrough += bytes.length;
    const json = carryValue(bytes, lookedThrough <= limits.textPieceBytes);
    if (isFailure(json)) throw new BadValue(fromEngineError(json.error));
    return json.ok;
  };
  return {
    readValue: (input) => carried(input.rest()),
    readRecord(input) {
      out.reset();
      out.bytesField(apiSum.record, input.rest());
      return carried(out.finish());
    },
  };
}

const out = new ProtoWriter();
