/**
 * Values that came as message `Value` of the Ledger API, carried in JSON: their bytes as base64 under a name that no value has, as it is
 * malformed as a text. So nothing is lost of what the message tells: labels or none, ids, kinds, how often an Optional is nested.
 */
import { isObject, type JsonObject } from "../../base/json-object.js";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { PreprocessingError } from "../errors.js";
import { type LedgerValue, parseGivenNumeric, type Value } from "../value/index.js";
import { ApiValueReader, type ApiValueRules, ProtoReader, WireFailure } from "../wire/index.js";
import { fromCommandValue } from "./command-value.js";
import type { ValueType } from "./value-type.js";

const carrier = "\u0000";

/**
 * `bytes`: of the message, which is looked through where the caller says so and that is short work: what is wrong with others is found
 * where they are typed. Throws `WireFailure` where they are no protobuf.
 */
export function carryValue(bytes: Uint8Array, isLookedThrough: boolean): Result<JsonObject, PreprocessingError> {
  const read = !isLookedThrough || bytes.length > limits.shortBodyBytesMax ? undefined : readCarried(bytes);
  return read?.error !== undefined ? read : ok({ [carrier]: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64") });
}

/** Undefined: none is carried. */
export function carriedBytes(json: unknown): Uint8Array | undefined {
  if (!isObject(json) || !Object.hasOwn(json, carrier)) return undefined;
  const text = json[carrier];
  return typeof text === "string" ? Buffer.from(text, "base64") : undefined;
}

export function fromCarried(type: ValueType, bytes: Uint8Array): Result<Value, PreprocessingError> {
  try {
    const value = readCarried(bytes);
    return isFailure(value) ? value : fromCommandValue(type, value.ok);
  } catch (error) {
    if (error instanceof WireFailure) return fail(refusal(error.message, { code: "INVALID_ARGUMENT", origin: "json" }).error);
    throw error;
  }
}

class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(readonly error: PreprocessingError) {
    super(error.message);
  }
}

const refusal = (message: string, rest: Partial<PreprocessingError>): Refusal =>
  new Refusal({ phase: "preprocessing", class: "InvalidArgument", message, ...rest });

/** As the reference checks commands before the engine has them; the engine looks at texts. */
const commandRules: ApiValueRules = {
  parseNumeric: parseGivenNumeric,
  checkText: () => undefined,
  missing: (field, what) => refusal(`${what} is missing`, { code: "MISSING_FIELD", field }),
  invalid: (message) => refusal(message, { code: "INVALID_ARGUMENT" }),
  invalidField: (field, message) => refusal(message, { code: "INVALID_FIELD", field }),
  tooDeep: () => refusal(`value exceeds the maximum nesting of ${limits.valueNestingMax}`, { class: "ValueNesting" }),
};

function readCarried(bytes: Uint8Array): Result<LedgerValue, PreprocessingError> {
  try {
    return ok(new ApiValueReader(new ProtoReader(bytes), commandRules).message());
  } catch (error) {
    if (error instanceof Refusal) return fail(error.error);
    throw error;
  }
}
