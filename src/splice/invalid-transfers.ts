/** Why Amulet could not be moved, in the words of Splice's wallets: for those who asked for it, and in what is left on the ledger. */
import { fail, isFailure, type Result } from "../base/result.js";
import { exercise } from "./commands.js";
import { failureIds, templates } from "./names.js";
import type { Refusal } from "./refusal.js";

/** As it is on the ledger. */
export interface InvalidTransferReason {
  readonly tag: string;
  readonly value: object;
}
/** As the Java classes of the model print it. */
export const reasonText = ({ tag, value }: InvalidTransferReason): string => `${tag}(${Object.values(value).join(", ")})`;

interface Reason {
  /** As the model's type of reasons has it. */
  readonly value: string;
  readonly rejection?: string;
}

/** Undefined: the model gives no reason of its own. */
function reasonOf({ message, failure = {} }: Refusal): Reason | undefined {
  const { requiredAmount, requestedTopupAmount: requested, minTopupAmount: min } = failure;
  switch (failure["error_id"]) {
    case failureIds.insufficientFunds:
      return { value: `ITR_InsufficientFunds(${requiredAmount})`, rejection: `out of funds (missing ${requiredAmount} CC)` };
    case failureIds.insufficientTopup:
      return {
        value: `ITR_InsufficientTopupAmount(${requested}, ${min})`,
        rejection: `not enough traffic requested (trafficAmount ${requested} < minTopupAmount ${min})`,
      };
    case failureIds.tooManyInputs:
    case failureIds.tooManyOutputs:
      return { value: `ITR_Other(${message})` };
    default:
      return undefined;
  }
}

/** What a wallet does with its owner's Amulet alone; transfers of the token standard and allocations are told as the ledger tells them. */
export function asOperation<T>(result: Result<T, Refusal>): Result<T, Refusal> {
  const reason = isFailure(result) ? reasonOf(result.error) : undefined;
  if (reason === undefined) return result;
  return fail({ kind: "invalid", message: `the amulet operation failed with a Daml exception: COO_Error(${reason.value}).` });
}

/** What a validator pays for the approval of transfers to a party that it sets up. */
export function asPreapprovalPurchase<T>(result: Result<T, Refusal>): Result<T, Refusal> {
  if (!isFailure(result) || !isOutOfFunds(result.error)) return result;
  const missing = `(missing ${result.error.failure?.["requiredAmount"]} CC)`;
  return fail({ kind: "invalid", message: `Insufficient funds for the transfer pre-approval purchase ${missing}` });
}

const isOutOfFunds = ({ failure }: Refusal): boolean => failure?.["error_id"] === failureIds.insufficientFunds;

/** Of a request that stays on the ledger as rejected. */
const rejectionReason = (refusal: Refusal): string => reasonOf(refusal)?.rejection ?? refusal.message;

/** The command by which the owner of a wallet cancels a request for traffic that was refused. */
export const cancelTraffic = (request: string, refusal: Refusal): object =>
  exercise(templates.buyTrafficRequest, request, "BuyTrafficRequest_Cancel", { reason: rejectionReason(refusal) });

/** The command by which the sender backs out of an accepted offer that he has not the means to pay; undefined: that is not the reason. */
export const backOut = (acceptedOffer: string, refusal: Refusal): object | undefined =>
  isOutOfFunds(refusal)
    ? exercise(templates.acceptedTransferOffer, acceptedOffer, "AcceptedTransferOffer_Abort", { reason: rejectionReason(refusal) })
    : undefined;
