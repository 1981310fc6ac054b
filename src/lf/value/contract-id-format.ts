/** The two forms of contract ids (Daml-LF contract id specification): V1 = 00 + discriminator + suffix, V2 = 01 + 12 local bytes + suffix. */
import { fail, ok, type Result } from "../../base/result.js";

export type ContractIdParts =
  | { readonly version: 1; readonly discriminator: string; readonly suffix: string }
  | { readonly version: 2; readonly local: string; readonly suffix: string };

const v1 = { prefix: "00", localHex: 2 + 64, suffixHexMax: 2 * 94 };
const v2 = { prefix: "01", localHex: 2 + 24, suffixHexMax: 2 * 33 };
const lowerHex = /^(?:[0-9a-f]{2})+$/;

/** Parts of a contract id written in lower-case hex, or a message that says what is wrong. */
export function parseContractId(hex: string): Result<ContractIdParts, { readonly message: string }> {
  const form = hex.startsWith(v1.prefix) ? v1 : hex.startsWith(v2.prefix) ? v2 : undefined;
  if (form === undefined || hex.length < form.localHex || hex.length > form.localHex + form.suffixHexMax || !lowerHex.test(hex)) {
    return fail({ message: `cannot parse ContractId ${JSON.stringify(hex)}` });
  }
  const suffix = hex.slice(form.localHex);
  const local = hex.slice(2, form.localHex);
  return ok(form === v1 ? { version: 1, discriminator: local, suffix } : { version: 2, local, suffix });
}

/** False for the local ids that the running transaction gives out; `hex` is a well-formed id. */
export const isSuffixed = (hex: string): boolean => hex.length > (hex.startsWith(v1.prefix) ? v1.localHex : v2.localHex);

/** V2 ids whose first suffix bit is 0 are relative to the transaction that made them. */
export const isRelative = (parts: ContractIdParts): boolean =>
  parts.version === 2 && parts.suffix.length > 0 && parseInt(parts.suffix.slice(0, 2), 16) < 0x80;
