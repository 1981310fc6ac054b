/**
 * The synchronizer that a command prescribes: by itself, or by the contracts that come with it. As in Canton only those count that the
 * transaction uses, so it shows when there is one.
 */
import { fail, ok } from "../../base/result.js";
import type { CommandSubmission } from "../intake/index.js";
import { disclosedId } from "../interpretation/index.js";
import { ledgerError, type Outcome, type Synchronizer, type Synchronizers, unknownPrescribed } from "../model/index.js";

type Prescribing = Pick<CommandSubmission, "synchronizerId" | "disclosedContracts">;

/** Undefined: any. `inputs`: ids of the contracts that it uses. */
export function prescribedBy(
  { synchronizerId, disclosedContracts }: Prescribing,
  inputs: readonly string[],
  synchronizers: Synchronizers,
): Outcome<Synchronizer | undefined> {
  const naming = disclosedContracts.filter((contract) => contract.synchronizerId !== ""),
    used = new Set(naming.length === 0 ? [] : inputs),
    disclosed = [...new Set(naming.filter((contract) => used.has(disclosedId(contract))).map((contract) => contract.synchronizerId))];
  if (disclosed.length > 1)
    return fail(
      ledgerError(
        "DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH",
        `Disclosed contracts that the command uses name different synchronizers: ${disclosed.join(", ")}`,
      ),
    );
  const [ofContracts] = disclosed;
  if (synchronizerId !== "" && ofContracts !== undefined && ofContracts !== synchronizerId)
    return fail(
      ledgerError(
        "PRESCRIBED_SYNCHRONIZER_ID_MISMATCH",
        `The command names synchronizer ${synchronizerId}, a disclosed contract ${ofContracts}`,
      ),
    );
  const named = synchronizerId || ofContracts;
  if (named === undefined) return ok(undefined);
  const found = synchronizers.find(named);
  return found ? ok(found) : fail(unknownPrescribed(named));
}

/** Those that it may turn out to prescribe by its contracts, where it names none itself: they are worth the first try. */
export function perhapsPrescribed(
  { synchronizerId, disclosedContracts }: Prescribing,
  synchronizers: Synchronizers,
): readonly Synchronizer[] {
  if (synchronizerId !== "" || synchronizers.connected.length === 1) return [];
  const named = disclosedContracts.map((contract) => synchronizers.find(contract.synchronizerId));
  return [...new Set(named)].filter((one) => one !== undefined);
}
