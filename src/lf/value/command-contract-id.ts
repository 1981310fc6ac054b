import { isRelative, parseContractId } from "./contract-id-format.js";

/** The reason why a text is no contract id at all, or undefined. */
export const malformedContractId = (hex: string): string | undefined => parseContractId(hex).error?.message;

/** Ids that no command may hold: local ones and those relative to a transaction. Gives the reason, or undefined. */
export function checkCommandContractId(hex: string): string | undefined {
  const { ok: parts, error } = parseContractId(hex);
  if (error !== undefined) return error.message;
  if (parts.suffix === "") return `Illegal Contract ID "${hex}", non-suffixed V${parts.version} Contract IDs are forbidden`;
  if (isRelative(parts)) return `Illegal Contract ID "${hex}", relative Contract IDs are forbidden`;
  return undefined;
}
