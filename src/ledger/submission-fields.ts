/** The field rules of a submission, in the order of Canton's `CommandsValidator`. */
import { isFailure } from "../base/result.js";
import { decodeContractInstance } from "../lf/transaction/index.js";
import { invalidArgument, invalidField, ledgerError, missingField, missingUserId, whileRouting } from "./errors.js";
import { isContractIdText, ledgerStringProblem, packageIdProblem, partyProblem, uniqueIdentifierProblem, userIdProblem } from "./identifiers.js";
import type { CommandSubmission } from "./ledger.js";
import type { LedgerErrorData } from "./model.js";
import type { PackageRegistry } from "./package-registry.js";

export interface FieldContext { readonly packages: PackageRegistry; readonly synchronizerId: string }

type Rule = (submission: CommandSubmission, context: FieldContext) => LedgerErrorData | undefined;

const rules: readonly Rule[] = [
  // Commands cannot even be decoded without a party to decode for, so this comes first.
  ({ actAs }) => (actAs.length === 0 ? whileRouting(missingField("act_as/actAs")) : undefined),
  checkPackagePreference,
  ({ workflowId }) => { const problem = workflowId === "" ? undefined : ledgerStringProblem(workflowId); return problem === undefined ? undefined : invalidArgument(problem); },
  ({ userId }) => (userId === "" ? missingUserId() : fieldProblem("user_id", userIdProblem(userId))),
  ({ commandId }) => (commandId === "" ? missingField("command_id") : fieldProblem("command_id", ledgerStringProblem(commandId))),
  ({ submissionId }) => (submissionId === "" ? undefined : fieldProblem("submission_id", ledgerStringProblem(submissionId))),
  ({ actAs }) => fieldProblem("act_as", firstProblem(actAs, partyProblem)),
  ({ readAs }) => fieldProblem("read_as", firstProblem(readAs, partyProblem)),
  checkSynchronizer,
  ({ commandCount }) => (commandCount === 0 ? missingField("commands") : undefined),
  ({ minLedgerTimeAbs, minLedgerTimeRel }) => (minLedgerTimeAbs !== undefined && minLedgerTimeRel !== undefined ? invalidArgument("min_ledger_time_abs cannot be specified at the same time as min_ledger_time_rel") : undefined),
  ({ minLedgerTimeRel }) => (minLedgerTimeRel !== undefined && minLedgerTimeRel < 0n ? invalidField("min_ledger_time_rel", "Duration must be positive") : undefined),
  checkDeduplication,
  checkDisclosed,
];

export function checkSubmission(submission: CommandSubmission, context: FieldContext): LedgerErrorData | undefined {
  for (const rule of rules) {
    const problem = rule(submission, context);
    if (problem) return problem;
  }
  return undefined;
}

const fieldProblem = (field: string, problem: string | undefined): LedgerErrorData | undefined => (problem === undefined ? undefined : invalidField(field, problem));

function firstProblem(texts: readonly string[], check: (text: string) => string | undefined): string | undefined {
  for (const text of texts) {
    const problem = check(text);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkPackagePreference({ packageIdSelectionPreference: ids }: CommandSubmission, { packages }: FieldContext): LedgerErrorData | undefined {
  const names = new Map<string, string>();
  for (const id of ids) {
    const known = packages.get(id);
    if (!known) return ledgerError("JSON_API_PACKAGE_SELECTION_FAILED", `Package-id ${id} not known`);
    const other = names.get(known.summary.name);
    if (other !== undefined && other !== id) return invalidArgument(`package_id_selection_preference has two packages of name ${known.summary.name}: ${other} and ${id}`);
    names.set(known.summary.name, id);
  }
  return undefined;
}

function checkSynchronizer({ synchronizerId, disclosedContracts }: CommandSubmission, context: FieldContext): LedgerErrorData | undefined {
  if (synchronizerId !== "") {
    const malformed = uniqueIdentifierProblem(synchronizerId);
    if (malformed) return whileRouting(invalidField("synchronizer_id", malformed));
    if (synchronizerId !== context.synchronizerId) return ledgerError("INVALID_PRESCRIBED_SYNCHRONIZER_ID", `Cannot submit to synchronizer ${synchronizerId}: this node is not connected to it.`, { context: { synchronizerId } });
  }
  const disclosed = [...new Set(disclosedContracts.map((contract) => contract.synchronizerId).filter((id) => id !== ""))];
  if (disclosed.length > 1) return ledgerError("DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH", `Disclosed contracts name different synchronizers: ${disclosed.join(", ")}`);
  if (synchronizerId !== "" && disclosed.length === 1 && disclosed[0] !== synchronizerId) return ledgerError("PRESCRIBED_SYNCHRONIZER_ID_MISMATCH", `The command names synchronizer ${synchronizerId}, a disclosed contract ${disclosed[0]!}`);
  return undefined;
}

function checkDeduplication({ deduplication: period }: CommandSubmission): LedgerErrorData | undefined {
  if (period.kind === "offset" && period.offset < 0) return ledgerError("NEGATIVE_OFFSET", `Offset ${period.offset} in deduplication_period is negative, but must be 0 or more`);
  if (period.kind === "duration" && (period.seconds < 0 || period.nanos < 0)) return invalidField("deduplication_period", "Duration must be positive");
  return undefined;
}

/** Blobs have to decode and to agree with the ids beside them; the engine checks that they are what their ids say. */
function checkDisclosed({ disclosedContracts }: CommandSubmission): LedgerErrorData | undefined {
  const payloads = new Map<string, Buffer>();
  for (const disclosed of disclosedContracts) {
    if (disclosed.createdEventBlob.length === 0) return missingField("DisclosedContract.createdEventBlob");
    const problem = checkDisclosedIds(disclosed);
    if (problem) return problem;
    const instance = decodeContractInstance(disclosed.createdEventBlob);
    if (isFailure(instance)) return invalidArgument(`Unable to decode disclosed contract event payload: ${instance.error.message}`);
    const { contractId, templateId } = instance.ok;
    if (disclosed.contractId !== "" && disclosed.contractId !== contractId) return invalidArgument(`Mismatch between DisclosedContract.contract_id (${disclosed.contractId}) and contract_id from decoded DisclosedContract.created_event_blob (${contractId})`);
    const template = `${templateId.packageId}:${templateId.module}:${templateId.name}`;
    if (disclosed.templateId !== "" && disclosed.templateId !== template) return invalidArgument(`Mismatch between DisclosedContract.template_id (${disclosed.templateId}) and template_id from decoded DisclosedContract.created_event_blob (${template})`);
    const payload = Buffer.from(disclosed.createdEventBlob), other = payloads.get(contractId);
    if (other && !other.equals(payload)) return ledgerError("DISCLOSED_CONTRACTS_CONFLICTING_PAYLOADS", `Contract ${contractId} is disclosed with different contents.`);
    payloads.set(contractId, payload);
  }
  return undefined;
}

function checkDisclosedIds({ contractId, templateId }: CommandSubmission["disclosedContracts"][number]): LedgerErrorData | undefined {
  if (contractId !== "" && !isContractIdText(contractId)) return invalidField("contract_id", `cannot parse ContractId "${contractId}"`);
  return templateId === "" ? undefined : fieldProblem("package_id", packageIdProblem(templateId.split(":")[0]!));
}
