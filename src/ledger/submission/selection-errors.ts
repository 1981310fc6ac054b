/** A command that was not interpreted, or whose packages are not vetted, as its submitter is told. */
import {
  fromEngineError,
  inTextOnly,
  ledgerError,
  type LedgerErrorData,
  namedPackagesNotFound,
  shortIdentifier,
  whileElsewhere,
} from "../model/index.js";
import type { EngineRefusal, PackagesByInformee, SelectionError } from "../interpretation/index.js";
import type { CommandSubmission } from "../intake/index.js";
import type { PackageRegistry } from "../packages/index.js";

type Named = Pick<PackageRegistry, "hasName">;

type Prescribing = Pick<CommandSubmission, "synchronizerId">;

export function fromInterpretFailure(error: EngineRefusal, submission: Prescribing, packages: Named): LedgerErrorData {
  if (!("phase" in error)) return error;
  if (error.phase !== "selection") return fromEngineError(error, (name) => packages.hasName(name));
  const isPrescribed = submission.synchronizerId !== "";
  return error.kind === "unvetted"
    ? inTextOnly(notVetted(error.message, error.hasInputs || isPrescribed))
    : noVersion(error, submission.synchronizerId, packages);
}

/** Whether the packages could not be chosen for all who are told of it. */
export const isUnchosen = ({ code }: LedgerErrorData): boolean => code === "PACKAGE_SELECTION_FAILED";

/** What it would have been that uses packages which are not vetted here. */
export const unvettedIn = (refusal: EngineRefusal): PackagesByInformee | undefined =>
  "phase" in refusal && refusal.phase === "selection" && refusal.kind === "unvetted" ? refusal.packagesByInformee : undefined;

type NoVersion = Extract<SelectionError, { kind: "noVersion" }>;

/** The names are resolved before the command's values are read, so what is wrong with them is first told by that part of a node. */
function noVersion({ names, isRefined, message }: NoVersion, prescribed: string, packages: Named): LedgerErrorData {
  if (isRefined && prescribed !== "")
    return ledgerError("INVALID_PRESCRIBED_SYNCHRONIZER_ID", message, {
      context: { synchronizerId: shortIdentifier(prescribed), reason: message },
    });
  if (isRefined) return ledgerError("PACKAGE_SELECTION_FAILED", message);
  const unknown = names.filter((name) => !packages.hasName(name));
  return unknown.length > 0 ? namedPackagesNotFound(unknown) : ledgerError("JSON_API_PACKAGE_SELECTION_FAILED", message);
}

/** `isBound`: the command names the synchronizer, or the contracts that it uses do, by being there. Clients look for who `has not vetted`. */
export function notVetted(packages: string, isBound: boolean): LedgerErrorData {
  const cause = `The transaction uses packages that a participant of its informees has not vetted: ${packages}.`;
  return isBound ? ledgerError("INVALID_PRESCRIBED_SYNCHRONIZER_ID", cause) : noSynchronizer(cause);
}
/** Whoever looks for a synchronizer is not told who asks. */
export const noSynchronizer = (cause: string): LedgerErrorData => whileElsewhere(ledgerError("NO_SYNCHRONIZER_FOR_SUBMISSION", cause));
