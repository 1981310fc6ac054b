/** The three forms in which Splice prints values. */
import { assert } from "../../base/assert.js";
import { unscaled } from "../decimal.js";
import { asJavaInstant, parseInstant } from "../instants.js";
import { compactText } from "./compact-text.js";
import type { ScalarKind, ValueForm } from "./walk.js";

function micros(json: unknown): bigint {
  const instant = parseInstant(json as string);
  assert(instant !== undefined, "the ledger prints times as they are read");
  return instant;
}

const objectOf = (fields: readonly (readonly [string, unknown])[]): unknown => Object.fromEntries(fields);

/** As the code that is generated for Java writes JSON: None is written out, times have no, three or six digits. */
export const compactForm: ValueForm = {
  text: compactText,
  scalar: (kind, json) => (kind === "timestamp" ? asJavaInstant(json as string) : json),
  optional: (value, { isSome, arrays }) => (arrays ? (isSome ? [value] : []) : isSome ? value : null),
  list: (elements) => elements,
  textMap: objectOf,
  genMap: (entries) => entries,
  record: (fields) => objectOf(fields),
  variant: (tag, value) => ({ tag, value }),
  enumeration: (constructor_) => constructor_,
};

/** Payloads of contracts and results of votes: the same, with numbers as short as they can be. */
export const contractForm: ValueForm = {
  ...compactForm,
  text: undefined,
  scalar: (kind, json) => (kind === "numeric" ? unscaled(json as string) : compactForm.scalar(kind, json)),
};

const millisPerDay = 86_400_000;
const someOf = (name: string, list: readonly unknown[]): object => (list.length === 0 ? {} : { [name]: list });
const wireScalar: Readonly<Record<ScalarKind, (json: unknown) => unknown>> = {
  unit: () => ({ unit: {} }),
  bool: (json) => ({ bool: json }),
  int64: (json) => ({ int64: json }),
  date: (json) => ({ date: Date.parse(`${json as string}T00:00:00Z`) / millisPerDay }),
  timestamp: (json) => ({ timestamp: micros(json).toString() }),
  party: (json) => ({ party: json }),
  text: (json) => ({ text: json }),
  contractId: (json) => ({ contractId: json }),
  numeric: (json) => ({ numeric: json }),
};

/** The message `com.daml.ledger.api.v2.Value` in protobuf's JSON: it tells the types, labels and ids are left out. */
export const protobufForm: ValueForm = {
  scalar: (kind, json) => wireScalar[kind](json),
  optional: (value, { isSome }) => ({ optional: isSome ? { value } : {} }),
  list: (elements) => ({ list: someOf("elements", elements) }),
  textMap: (entries) => ({
    textMap: someOf(
      "entries",
      entries.map(([key, value]) => ({ key, value })),
    ),
  }),
  genMap: (entries) => ({
    genMap: someOf(
      "entries",
      entries.map(([key, value]) => ({ key, value })),
    ),
  }),
  record: (fields, given) => ({
    record: someOf(
      "fields",
      fields.slice(0, given).map(([, value]) => ({ value })),
    ),
  }),
  variant: (constructor_, value) => ({ variant: { constructor: constructor_, value } }),
  enumeration: (constructor_) => ({ enum: { constructor: constructor_ } }),
};
