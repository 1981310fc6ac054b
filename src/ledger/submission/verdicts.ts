/**
 * What stands against a transaction when it is recorded: in the reference the verdict of a participant, which its synchronizer tells. Who
 * confirms the part of the transaction that it speaks against (`confirming_parties` there) is not known here.
 */
import { ledgerError, type LedgerErrorData, shownSynchronizer, type Synchronizer } from "../model/index.js";

type Code = "LOCAL_VERDICT_LOCKED_CONTRACTS" | "LOCAL_VERDICT_INACTIVE_CONTRACTS";

const against = (code: Code, cause: string, contractId: string): LedgerErrorData =>
  ledgerError(code, `${cause} ${contractId}`, {
    context: { CONTRACT_ID: `List(${contractId})` },
    resources: [["CONTRACT_ID", contractId]],
  });

export const isLocked = (contractId: string): LedgerErrorData =>
  against("LOCAL_VERDICT_LOCKED_CONTRACTS", "Rejected transaction is referring to locked contracts", contractId);
export const isInactive = (contractId: string): LedgerErrorData =>
  against("LOCAL_VERDICT_INACTIVE_CONTRACTS", "Rejected transaction is referring to inactive contracts", contractId);

/** Whether it is told of a signed transaction that came to be recorded: that of what it found by keys something changed is found there, too. */
export const isVerdict = ({ code }: LedgerErrorData): boolean => code.startsWith("LOCAL_VERDICT_") || code === "INCONSISTENT_CONTRACT_KEY";

/** Whoever found it first has said so. */
export const reportedBy = (participantId: string, error: LedgerErrorData): LedgerErrorData => ({
  ...error,
  context: { reported_by_participant_id: `PAR::${participantId}`, ...error.context },
});

export const toldBy = (synchronizer: Synchronizer, error: LedgerErrorData): LedgerErrorData => ({
  ...error,
  context: { ...error.context, psid: shownSynchronizer(synchronizer) },
});
