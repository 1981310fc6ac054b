/** Why a ledger in memory refuses a submission: what its script is told, and what a person can make of it. */
import { type DefinitionId, type EngineError, showId, type Transaction } from "../../lf/index.js";
import { showTimestamp } from "../../lf/running-code.js";
import type { LedgerSubmission } from "../ledger.js";
import { ScriptStop } from "../stop.js";
import type { ContractAbsence, SubmitError } from "../submit-error.js";
import { submitErrorOf } from "./engine-errors.js";
import { absenceRefusal, engineRefusal, type ReferenceError } from "./reference-error.js";
import type { World } from "./world.js";

export interface Refused {
  readonly error: SubmitError;
  readonly reference: ReferenceError;
  readonly message: string;
  readonly hint?: string;
  /** What was done by then. */
  readonly soFar?: Transaction | undefined;
  readonly engineError?: EngineError;
}

export function notAllocated(parties: readonly string[]): Refused {
  const message = `Tried to submit a command with parties that have not been allocated: ${parties.join(", ")}`;
  const text = `Error: Tried to submit a command for parties that have not been allocated: ${parties.map((each) => `'${each}'`).join(", ")}`;
  return { error: { kind: "UnknownError", message }, reference: { class_: "PartiesNotAllocated", text }, message };
}

export function notVetted({ name, version }: { readonly name: string; readonly version: string }): Refused {
  const message = `package ${name}-${version} is not vetted`;
  return { error: { kind: "UnknownError", message }, reference: { class_: "LookupError", text: `Error: ${message}` }, message };
}

export function disclosedArchived(contractId: string, templateId: DefinitionId): Refused {
  const absence: ContractAbsence = { kind: "NotActive", contractId, templateId };
  return {
    error: { kind: "ContractNotFound", contractIds: [contractId], absence },
    reference: absenceRefusal(contractId, absence),
    message: `the disclosed contract ${contractId} is archived`,
  };
}

export const unreadableDisclosure = (why: string): Refused => ({
  error: { kind: "UnknownError", message: why },
  reference: { class_: "DisclosureDecoding", text: `decoding of disclosure fails: ${why}` },
  message: `a disclosed contract is not readable: ${why}`,
});

/** What the engine refused. Throws where it was stopped: the script ends then. */
export function refusedByEngine(error: EngineError, submission: LedgerSubmission, soFar: Transaction | undefined, world: World): Refused {
  if (error.phase === "interpretation" && error.class === "LimitExceeded")
    throw new ScriptStop({ kind: "limit", message: `A submission of the script did too much and was stopped: ${error.message}` });
  const described = submitErrorOf(error, (contractId) => absence(contractId, submission, world)),
    hint = hintFor(described);
  const message = described.kind === "ContractNotFound" ? absenceText(described, error.message, world) : error.message,
    reference = referenceError(error, described, world);
  return { error: described, reference, message, soFar, engineError: error, ...(hint === undefined ? {} : { hint }) };
}

/** The reference's ledger says itself why it has no contract; all else is its engine's to tell. */
function referenceError(error: EngineError, described: SubmitError, { contracts }: World): ReferenceError {
  if (error.class !== "ContractNotFound" || described.kind !== "ContractNotFound") return engineRefusal(error);
  const contractId = described.contractIds[0]!;
  return absenceRefusal(contractId, described.absence ?? { kind: "NotFound" }, contracts.get(contractId)?.archivedBy);
}

function hintFor(error: SubmitError): string | undefined {
  if (error.kind === "EffectfulRollbackError")
    return "An exception rolled back a create or an archive, which ledgers with contract keys refuse. To run as on a ledger without: --contract-mode keyless.";
  if (error.kind === "ContractNotFound" && error.absence?.kind === "NotVisible")
    return "Read as one of its stakeholders (submitMulti), or disclose the contract (queryDisclosure, submitWithDisclosures).";
  return undefined;
}

function absence(contractId: string, { actAs, readAs }: LedgerSubmission, { contracts, time }: World): ContractAbsence {
  const looked = contracts.lookUp(contractId, new Set([...actAs, ...readAs]), time);
  if ("found" in looked || looked.missing === "unknown") return { kind: "NotFound" };
  const { instance, shownTo } = looked.contract,
    { templateId, createdAt } = instance;
  switch (looked.missing) {
    case "archived":
      return { kind: "NotActive", contractId, templateId };
    case "notEffective":
      return { kind: "NotEffective", contractId, templateId, effectiveAt: showTimestamp(createdAt) };
    case "notVisible":
      return { kind: "NotVisible", contractId, templateId, actAs, readAs, observers: [...shownTo].sort() };
  }
}

function absenceText(
  { absence: known, contractIds }: Extract<SubmitError, { kind: "ContractNotFound" }>,
  otherwise: string,
  { contracts }: World,
): string {
  const [contractId] = contractIds;
  switch (known?.kind) {
    case "NotActive": {
      const by = contracts.get(contractId!)?.archivedBy;
      return `contract ${contractId} of ${showId(known.templateId)} is archived${by === undefined ? " by this transaction" : `: ${by} did it`}`;
    }
    case "NotEffective":
      return `contract ${contractId} of ${showId(known.templateId)} is not effective before ${known.effectiveAt}`;
    case "NotVisible": {
      const stakeholders = contracts.get(contractId!)?.instance.stakeholders ?? [];
      return `contract ${contractId} of ${showId(known.templateId)} cannot be seen by those who act (${known.actAs.join(", ")}) or read (${known.readAs.join(", ") || "nobody"}); its stakeholders are ${stakeholders.join(", ")}`;
    }
    default:
      return otherwise;
  }
}
