/** Why a ledger in memory refuses a submission: what its script is told, and what a person can make of it. */
import { type DefinitionId, type EngineError, showId, type Transaction } from "../../lf/index.js";
import { showTimestamp } from "../../lf/running-code.js";
import type { LedgerSubmission } from "../ledger.js";
import { ScriptStop } from "../stop.js";
import type { ContractAbsence, SubmitError } from "../submit-error.js";
import { submitErrorOf } from "./engine-errors.js";
import type { World } from "./world.js";

export interface Refused {
  readonly error: SubmitError;
  /** The reference's name of it, which `tryCommands` tells. */
  readonly class_: string;
  readonly message: string;
  readonly hint?: string;
  /** What was done by then. */
  readonly soFar?: Transaction | undefined;
  readonly engineError?: EngineError;
}

export function notAllocated(parties: readonly string[]): Refused {
  const message = `Tried to submit a command with parties that have not been allocated: ${parties.join(", ")}`;
  return { error: { kind: "UnknownError", message }, class_: "PartiesNotAllocated", message };
}

export function notVetted({ name, version }: { readonly name: string; readonly version: string }): Refused {
  const message = `package ${name}-${version} is not vetted`;
  return { error: { kind: "UnknownError", message }, class_: "LookupError", message };
}

export function disclosedArchived(contractId: string, templateId: DefinitionId): Refused {
  return {
    error: { kind: "ContractNotFound", contractIds: [contractId], absence: { kind: "NotActive", contractId, templateId } },
    class_: "ContractNotActive",
    message: `the disclosed contract ${contractId} is archived`,
  };
}

export const unreadableDisclosure = (why: string): Refused => ({
  error: { kind: "UnknownError", message: why },
  class_: "DisclosureDecoding",
  message: `a disclosed contract is not readable: ${why}`,
});

/** What the engine refused. Throws where it was stopped: the script ends then. */
export function refusedByEngine(error: EngineError, submission: LedgerSubmission, soFar: Transaction | undefined, world: World): Refused {
  if (error.phase === "interpretation" && error.class === "LimitExceeded")
    throw new ScriptStop({ kind: "limit", message: `A submission of the script did too much and was stopped: ${error.message}` });
  const described = submitErrorOf(error, (contractId) => absence(contractId, submission, world)),
    hint = hintFor(described);
  const message = described.kind === "ContractNotFound" ? absenceText(described, error.message, world) : error.message;
  return { error: described, class_: classOf(error), message, soFar, engineError: error, ...(hint === undefined ? {} : { hint }) };
}

function classOf(error: EngineError): string {
  switch (error.phase) {
    case "lookup":
      return "LookupError";
    case "preprocessing":
      return "Internal";
    case "interpretation":
      return error.class === "ContractNotFound" ? "ContractNotFound" : "RunnerException";
  }
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
  const { templateId, stakeholders, createdAt } = looked.contract.instance;
  switch (looked.missing) {
    case "archived":
      return { kind: "NotActive", contractId, templateId };
    case "notEffective":
      return { kind: "NotEffective", contractId, templateId, effectiveAt: showTimestamp(createdAt) };
    case "notVisible":
      return { kind: "NotVisible", contractId, templateId, actAs, readAs, observers: stakeholders };
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
    case "NotVisible":
      return `contract ${contractId} of ${showId(known.templateId)} cannot be seen by those who act (${known.actAs.join(", ")}) or read (${known.readAs.join(", ") || "nobody"}); its stakeholders are ${known.observers.join(", ")}`;
    default:
      return otherwise;
  }
}
