/** What the readers of prepared transactions share. Unknown fields are skipped: nothing that is signed depends on them. */
import { limits } from "../../config.js";
import { malformedText, parseContractId, parseStoredNumeric } from "../value/index.js";
import type { ApiValueRules, ProtoReader } from "../wire/index.js";

/** Well-formed bytes that say something impossible; caught where a prepared transaction is read. */
export class ContentFailure extends Error {
  override readonly name = "ContentFailure";
}

export const required = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new ContentFailure(`${what} is missing`);
  return value;
};

export function checked(check: (text: string) => string | undefined, text: string): string {
  const wrong = check(text);
  if (wrong !== undefined) throw new ContentFailure(wrong);
  return text;
}

/** Reads the fields of the nested message that the reader has come to; the last of a field wins. */
export function readMessage(
  input: ProtoReader,
  fields: Readonly<Record<number, (input: ProtoReader) => void>>,
  fieldsMax = Infinity,
): void {
  const outer = input.enter();
  readFields(input, fields, fieldsMax);
  input.leave(outer);
}

/** `fieldsMax`: for those who read on a thread that has other things to do. */
export function readFields(input: ProtoReader, fields: Readonly<Record<number, (input: ProtoReader) => void>>, fieldsMax = Infinity): void {
  let count = 0;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (++count > fieldsMax) throw new ContentFailure(`there are more than ${fieldsMax} fields in one message`);
    const read = fields[tag];
    if (read === undefined) input.skip(tag);
    else read(input);
  }
}

export function contractId(hex: string): string {
  const parsed = parseContractId(hex);
  if (parsed.error !== undefined) throw new ContentFailure(parsed.error.message);
  return hex;
}

/** Values are as the ledger writes them. */
export const contentRules: ApiValueRules = {
  parseNumeric: parseStoredNumeric,
  checkText: malformedText,
  missing: (_field, what) => new ContentFailure(`${what} is missing`),
  invalid: (message) => new ContentFailure(message),
  invalidField: (_field, message) => new ContentFailure(message),
  tooDeep: () => new ContentFailure(`a value nests deeper than ${limits.valueNestingMax}`),
};
