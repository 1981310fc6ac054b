import { contractIdKind, malformedContractId as malformed } from "../value/index.js";

/** The reason why a text is no contract id at all, or undefined. */
export const malformedContractId = (hex: string): string | undefined => (contractIdKind(hex) === "malformed" ? malformed(hex) : undefined);

/** Ids that no command may hold: local ones and those relative to a transaction. Gives the reason, or undefined. */
export function checkCommandContractId(hex: string): string | undefined {
  switch (contractIdKind(hex)) {
    case "malformed":
      return malformed(hex);
    case "local":
      return `Illegal Contract ID "${hex}", non-suffixed V${hex.startsWith("00") ? 1 : 2} Contract IDs are forbidden`;
    case "relative":
      return `Illegal Contract ID "${hex}", relative Contract IDs are forbidden`;
    case "absolute":
      return undefined;
  }
}
