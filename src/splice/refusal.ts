/** Why this room cannot answer, as its callers are told. */
import { fail } from "../base/result.js";
import { contractIdProblem, uniqueIdentifierProblem, type LedgerErrorData } from "../ledger/index.js";

export type RefusalKind = "invalid" | "notFound" | "conflict" | "busy" | "unavailable" | "internal" | "unimplemented";

export interface Refusal {
  readonly kind: RefusalKind;
  readonly message: string;
  /** Fields of the answer beside the message. */
  readonly details?: Readonly<Record<string, string>>;
}

export const refuse = (kind: RefusalKind, message: string): { readonly error: Refusal } => fail({ kind, message });
export const invalid = (message: string): { readonly error: Refusal } => refuse("invalid", message);
export const notFound = (message: string): { readonly error: Refusal } => refuse("notFound", message);

/** Of a party, or of another `name::namespace`; undefined: it is well-formed. */
export function identifierProblem(text: string): { readonly error: Refusal } | undefined {
  const problem = uniqueIdentifierProblem(text);
  return problem === undefined ? undefined : invalid(problem);
}

/** Of the first that is malformed. */
export const identifiersProblem = (texts: readonly string[]): { readonly error: Refusal } | undefined =>
  texts.map(identifierProblem).find((problem) => problem !== undefined);

/** Of a contract's id; undefined: it is well-formed. */
export function malformedContractId(text: string): { readonly error: Refusal } | undefined {
  const problem = contractIdProblem(text);
  return problem && ledgerRefusal(problem);
}

/** Of what the ledger says of a command: kinds by the category of its error, and what a model refuses is a conflict. */
export function ledgerRefusal({ code, category, cause }: LedgerErrorData): { readonly error: Refusal } {
  return refuse(modelErrors.has(code) ? "conflict" : (kinds[category] ?? "internal"), cause);
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
/** What was thrown in Daml. */
const modelErrors: ReadonlySet<string> = new Set(["DAML_FAILURE", "UNHANDLED_EXCEPTION", "TEMPLATE_PRECONDITION_VIOLATED"]);
