/**
 * The two forms of contract ids (Daml-LF contract id specification): V1 = 00 + discriminator + suffix, V2 = 01 + 12 local bytes + suffix.
 */
import { fail, ok, type Result } from "../../base/result.js";

export type ContractIdParts =
  | { readonly version: 1; readonly discriminator: string; readonly suffix: string }
  | { readonly version: 2; readonly local: string; readonly suffix: string };

const v1 = { prefix: "00", localHex: 2 + 64, suffixHexMax: 2 * 94 };
const v2 = { prefix: "01", localHex: 2 + 24, suffixHexMax: 2 * 33 };
/** Of whole bytes. */
const lowerHex = /^(?:[0-9a-f]{2})+$/;

const formOf = (hex: string): typeof v1 | typeof v2 | undefined => {
  const form = hex.startsWith(v1.prefix) ? v1 : hex.startsWith(v2.prefix) ? v2 : undefined,
    size = hex.length;
  return form !== undefined && size >= form.localHex && size <= form.localHex + form.suffixHexMax && lowerHex.test(hex) ? form : undefined;
};

/** Local: without a suffix. Relative: its suffix says that the id will be another one once its transaction is. */
export type ContractIdKind = "malformed" | "local" | "relative" | "absolute";

export function contractIdKind(hex: string): ContractIdKind {
  const form = formOf(hex);
  if (form === undefined) return "malformed";
  if (hex.length === form.localHex) return "local";
  return form === v2 && hex.charCodeAt(form.localHex) < firstOfAbsolute ? "relative" : "absolute";
}

/** The first hex digit of a V2 suffix whose first bit is set. */
const firstOfAbsolute = 0x38;

/** Parts of a contract id written in lower-case hex, or a message that says what is wrong. */
export function parseContractId(hex: string): Result<ContractIdParts, { readonly message: string }> {
  const form = formOf(hex);
  if (form === undefined) return fail({ message: malformedContractId(hex) });
  const suffix = hex.slice(form.localHex);
  const local = hex.slice(2, form.localHex);
  return ok(form === v1 ? { version: 1, discriminator: local, suffix } : { version: 2, local, suffix });
}

/** False for the local ids that the running transaction gives out; `hex` is a well-formed id. */
export const isSuffixed = (hex: string): boolean => hex.length > (hex.startsWith(v1.prefix) ? v1.localHex : v2.localHex);

export const malformedContractId = (hex: string): string => `cannot parse ContractId ${JSON.stringify(hex)}`;
