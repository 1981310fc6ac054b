/**
 * How the reference's ledger for tests names and words a refusal. `tryCommands` tells scripts both, and they compare them; a
 * person reads the words of `refused.ts`.
 */
import { type DefinitionId, type EngineError, type InterpretationError, interpretationText } from "../../lf/index.js";
import type { ContractAbsence } from "../submit-error.js";

export interface ReferenceError {
  readonly class_: string;
  readonly text: string;
}

export function engineRefusal(error: EngineError): ReferenceError {
  switch (error.phase) {
    case "lookup":
      return { class_: "LookupError", text: `Error: ${error.message}` };
    case "preprocessing":
      return error.class === "TypeMismatch" ? crashed(misfitText(error.message)) : { class_: error.class, text: error.message };
    case "interpretation":
      return { class_: interpretationClass(error), text: `Error: ${interpretationText(error)}` };
  }
}

/** Of an argument that does not fit, with the code that a node has for it. */
export const misfitText = (message: string): string => `COMMAND_PREPROCESSING_FAILED(0, 00000000): ${message}`;

/** Of what the reference did not reckon with; the space at the end is its own. */
const crashed = (message: string): ReferenceError => ({ class_: "Internal", text: `CRASH: ${message} ` });

/** The name of the constructor's class in Java: of one with inner constructors the outer name, and an object's ends in a dollar. */
function interpretationClass({ class: class_ }: InterpretationError): string {
  switch (class_) {
    case "Internal":
    case "LimitExceeded":
    case "Unsupported":
      return "RunnerException";
    case "NonComparableValues":
      return "NonComparableValues$";
    default:
      return class_.split(".")[0]!;
  }
}

/** `archivedBy`: the label of the exercise. */
export function absenceRefusal(contractId: string, absence: ContractAbsence, archivedBy?: string): ReferenceError {
  if (absence.kind === "NotFound") return crashed(`contract ${contractId} not found`);
  return { class_: `Contract${absence.kind}`, text: absenceText(absence, archivedBy) };
}

function absenceText(absence: Exclude<ContractAbsence, { readonly kind: "NotFound" }>, archivedBy: string | undefined): string {
  const contract = `${absence.contractId} (${shown(absence.templateId)}).`;
  switch (absence.kind) {
    case "NotActive":
      return archivedBy === undefined
        ? `Script failed due to a fetch of an inactive contract ${contract}\nThe create of this contract has been rolled back`
        : `Script failed due to a fetch of a consumed contract ${contract}\nThe contract had been consumed in transaction ${archivedBy}`;
    case "NotEffective":
      return `Script failed due to a fetch of an inactive contract ${contract} that becomes effective at ${absence.effectiveAt}`;
    case "NotVisible": {
      const reading = `actAs: {${quoted(absence.actAs)}} readAs: {${quoted(absence.readAs)}}.`;
      return `Script failed due to the failure to fetch the contract ${contract}\nThe contract had not been disclosed to the reading parties: ${reading}\nThe contract had been disclosed to: ${quoted(absence.observers)}.`;
    }
  }
}

const quoted = (parties: readonly string[]): string => parties.map((party) => `'${party}'`).join(", ");
const shown = ({ packageId, module, name }: DefinitionId): string => `${module}:${name}@${packageId.slice(0, 8)}`;
