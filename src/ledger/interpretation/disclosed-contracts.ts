/**
 * The form of disclosed contracts. It needs nothing of the ledger; of large ones it takes long, so those are checked on an engine thread.
 */
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import { contractIdOfInstance, decodeContractInstance } from "../../lf/transaction/index.js";
import {
  invalidArgument,
  invalidField,
  isContractIdText,
  ledgerError,
  type LedgerErrorData,
  missingField,
  packageIdProblem,
  uniqueIdentifierProblem,
} from "../model/index.js";
import type { Disclosed } from "./interpreter.js";

/** Larger ones than the main thread decodes itself. */
export const isLarge = (disclosed: Disclosed): boolean =>
  disclosed.length > 0
  && disclosed.reduce((bytes, { createdEventBlob }) => bytes + createdEventBlob.length, 0) > limits.disclosedBytesOnMainMax;

/** Of one that was found in order. */
export const disclosedId = ({ contractId, createdEventBlob }: Disclosed[number]): string =>
  contractId || (contractIdOfInstance(createdEventBlob) ?? "");

/** Blobs have to decode and to agree with the ids beside them; the engine checks that they are what their ids say. */
export function checkDisclosed(disclosedContracts: Disclosed): LedgerErrorData | undefined {
  const payloads = new Map<string, Buffer>();
  let conflicting: string | undefined; // told behind what is wrong with each by itself
  for (const disclosed of disclosedContracts) {
    if (disclosed.createdEventBlob.length === 0) return missingField("DisclosedContract.createdEventBlob");
    const problem = checkDisclosedIds(disclosed);
    if (problem) return problem;
    const instance = decodeContractInstance(disclosed.createdEventBlob);
    if (isFailure(instance))
      return invalidArgument(`Unable to decode disclosed contract event payload: DecodeError(${instance.error.message})`);
    const { contractId, templateId } = instance.ok;
    if (disclosed.contractId !== "" && disclosed.contractId !== contractId)
      return invalidArgument(
        `Mismatch between DisclosedContract.contract_id (${disclosed.contractId}) and contract_id from decoded DisclosedContract.created_event_blob (${contractId})`,
      );
    const template = `${templateId.packageId}:${templateId.module}:${templateId.name}`;
    if (disclosed.templateId !== "" && disclosed.templateId !== template)
      return invalidArgument(
        `Mismatch between DisclosedContract.template_id (${disclosed.templateId}) and template_id from decoded DisclosedContract.created_event_blob (${template})`,
      );
    const payload = Buffer.from(disclosed.createdEventBlob),
      other = payloads.get(contractId);
    if (other && !other.equals(payload)) conflicting ??= contractId;
    payloads.set(contractId, payload);
  }
  return conflicting === undefined
    ? undefined
    : ledgerError("DISCLOSED_CONTRACTS_CONFLICTING_PAYLOADS", `Contract ${conflicting} is disclosed with different contents.`);
}

function checkDisclosedIds({ contractId, templateId, synchronizerId }: Disclosed[number]): LedgerErrorData | undefined {
  const [packageId = "", module = ""] = templateId.split(":");
  if (packageId === "" && module !== "") return missingField("package_id");
  const malformed = templateId === "" ? undefined : packageIdProblem(packageId);
  if (malformed !== undefined) return invalidField("package_id", malformed);
  if (contractId !== "" && !isContractIdText(contractId))
    return invalidField("DisclosedContract.contract_id", `cannot parse ContractId "${contractId}"`);
  const unnamed = synchronizerId === "" ? undefined : uniqueIdentifierProblem(synchronizerId);
  return unnamed === undefined ? undefined : invalidField("DisclosedContract.synchronizer_id", unnamed);
}
