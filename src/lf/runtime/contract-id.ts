/** The order of contract ids, and the one comparison of them that has no answer. */
import { fatal } from "../errors.js";
import { ContractId, none, type Optional, Some } from "../value/index.js";

/** Hex digits of the local part: version and discriminator (V1), or version, time and seed bytes (V2). */
const localPartChars = (hex: string): number => (hex.startsWith("00") ? 66 : 26);

/** Two ids that are not equal: one local part, but only one of them is local, or they are of V2 and not both absolute. */
const isUnanswerable = (left: string, right: string, local: number): boolean => {
  if ((left.length === local) !== (right.length === local)) return left.slice(0, local) === right.slice(0, local);
  return (
    left.startsWith("01")
    && left.length > local
    && left.slice(0, local) === right.slice(0, local)
    && !(isAbsolute(left, local) && isAbsolute(right, local))
  );
};

/** The first bit of a V2 suffix. */
const isAbsolute = (hex: string, local: number): boolean => hex.charCodeAt(local) >= 0x38; // "8" to "f"

/**
 * By version, discriminator, suffix. A local id is compared with a suffixed one of the same local part only by a forged
 * id, since suffixes are put after the run: the reference fails, whatever the operation. So it does for a V2 id that is
 * relative to its transaction, which may turn out to be the other one.
 */
export const compareContractIds = (a: ContractId, b: ContractId): number => {
  const left = a.hex;
  const right = b.hex;
  if (left === right) return 0;
  const local = localPartChars(left);
  if (isUnanswerable(left, right, local)) {
    const global = left.length === local ? right : left;
    throw fatal(
      "ContractIdComparability",
      `The contract id ${global} cannot be compared with a local or relative one of the same discriminator.`,
      { globalCid: global },
    );
  }
  return left < right ? -1 : 1;
};

/** On the ledger an id has no text: it may still be without its suffix. */
export const contractIdToText = (onLedger: boolean, id: ContractId): Optional => (onLedger ? none : new Some(id.hex));
