import { contractIdKind, malformedContractId as malformed } from "../value/index.js";

/** The reason why a text is no contract id at all, or undefined. */
export const malformedContractId = (hex: string): string | undefined => (contractIdKind(hex) === "malformed" ? malformed(hex) : undefined);

/** Ids that no command may hold: local ones and those relative to a transaction. Gives the reason, or undefined. */
export function checkCommandContractId(hex: string): string | undefined {
  const kind = contractIdKind(hex);
  switch (kind) {
    case "malformed":
      return malformed(hex);
    case "local":
    case "relative":
      return forbiddenContractId(hex, kind);
    case "absolute":
      return undefined;
  }
}

/** In the words by which clients know it, also where a value says it in JSON. */
export function forbiddenContractId(hex: string, kind: "local" | "relative"): string {
  const what = kind === "relative" ? "relative" : `non-suffixed V${hex.startsWith("00") ? 1 : 2}`;
  return `Illegal Contract ID "${hex}", ${what} Contract IDs are forbidden`;
}
