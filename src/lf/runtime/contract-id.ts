/** The order of contract ids, and the one comparison of them that has no answer. */
import { fatal } from "../errors.js";
import { ContractId, none, type Optional, Some } from "../value/value.js";

/** Hex digits of the local part: version and discriminator (V1), or version, time and seed bytes (V2). */
const localPartChars = (hex: string): number => (hex.startsWith("00") ? 66 : 26);

/**
 * By version, discriminator, suffix. A local id is compared with a suffixed one of the same local part only by a forged
 * id, since suffixes are put after the run: the reference fails, whatever the operation.
 */
export const compareContractIds = (a: ContractId, b: ContractId): number => {
  const left = a.hex;
  const right = b.hex;
  if (left === right) return 0;
  const local = localPartChars(left);
  if (left.slice(0, local) === right.slice(0, local) && (left.length === local) !== (right.length === local)) {
    const global = left.length === local ? right : left;
    throw fatal("ContractIdComparability", `The contract id ${global} cannot be compared with a local one of the same discriminator.`, { globalCid: global });
  }
  return left < right ? -1 : 1;
};

/** On the ledger an id has no text: it may still be without its suffix. */
export const contractIdToText = (onLedger: boolean, id: ContractId): Optional => (onLedger ? none : new Some(id.hex));
