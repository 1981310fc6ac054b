/** Why this room cannot answer, as its callers are told. */
import { fail, type Result } from "../base/result.js";
import { contractIdProblem, statusMessage, uniqueIdentifierProblem, type LedgerErrorData } from "../ledger/index.js";
import type { Name } from "./names.js";

export type RefusalKind = "invalid" | "notFound" | "conflict" | "busy" | "unavailable" | "internal" | "unimplemented";

export interface Refusal {
  readonly kind: RefusalKind;
  readonly message: string;
  /** What Splice answers instead of the message; null: nothing. */
  readonly answer?: Readonly<Record<string, string>> | null;
  /** Of a failure that a model told: its `error_id`, and what it said beside the text. */
  readonly failure?: Readonly<Record<string, string>>;
}

export type Answer<T> = Promise<Result<T, Refusal>>;

export const refuse = (kind: RefusalKind, message: string): { readonly error: Refusal } => fail({ kind, message });
export const invalid = (message: string): { readonly error: Refusal } => refuse("invalid", message);
export const notFound = (message: string): { readonly error: Refusal } => refuse("notFound", message);

/** Of a party, or of another `name::namespace`; undefined: it is well-formed. */
export function identifierProblem(text: string): { readonly error: Refusal } | undefined {
  const problem = uniqueIdentifierProblem(text);
  return problem === undefined ? undefined : invalid(problem);
}

/** As Splice's stores tell it of a contract that a client asked for. */
export const contractIdNotFound = ({ packageName, entity }: Name, contractId: string): { readonly error: Refusal } =>
  notFound(`Contract id not found: ContractId(id = ${contractId}, type = ${packageName}:${entity})`);

/** Of the first that is malformed. */
export const identifiersProblem = (texts: readonly string[]): { readonly error: Refusal } | undefined =>
  texts.map(identifierProblem).find((problem) => problem !== undefined);

/** Of a contract's id; undefined: it is well-formed. */
export function malformedContractId(text: string): { readonly error: Refusal } | undefined {
  const problem = contractIdProblem(text);
  return problem && ledgerRefusal(problem);
}

/** Of what the ledger says of a command: kinds by the category of its error, but for some codes, and the code in the text. */
export function ledgerRefusal(error: LedgerErrorData): { readonly error: Refusal } {
  const { code, category, context } = error,
    kind = conflicts.has(code) ? "conflict" : (kinds[category] ?? "internal");
  return fail({ kind, message: statusMessage(error), ...(context["error_id"] === undefined ? {} : { failure: context }) });
}

const kinds: Readonly<Record<number, RefusalKind>> = {
  1: "unavailable",
  2: "busy",
  3: "unavailable",
  8: "invalid",
  9: "invalid",
  10: "conflict",
  11: "notFound",
  12: "invalid",
};
/** Those of Splice's servers; a failure that a model tells by an id of its own is none of them. */
const conflicts: ReadonlySet<string> = new Set([
  "DAML_INTERPRETATION_ERROR",
  "UNHANDLED_EXCEPTION",
  "INTERPRETATION_USER_ERROR",
  "TEMPLATE_PRECONDITION_VIOLATED",
  "NOT_CONNECTED_TO_ANY_SYNCHRONIZER",
  "NOT_CONNECTED_TO_SYNCHRONIZER",
  "UNKNOWN_CONTRACT_SYNCHRONIZERS",
]);
