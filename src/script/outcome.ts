/**
 * What is known of the run of one script, as plain data: it crosses threads, and every report is made of it.
 *
 * Contracts are named by where they were created, `#step:node`, since their ids are long; values are texts as a Daml
 * developer would write them. Parties are in order.
 */
export interface ScriptName {
  readonly module: string;
  readonly name: string;
  /** `name-version`, of a script of a dependency. */
  readonly dependency?: string;
}
/** As Daml has it: the compiler writes what a name in Daml-LF cannot have, a prime say, as its code. */
export const shownName = (name: string): string =>
  name.replace(/\$u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
/** As Daml-LF has it, and files for other tools. */
export const scriptId = ({ module, name }: ScriptName): string => `${module}:${name}`;
export const showScript = ({ module, name }: ScriptName): string => `${module}:${shownName(name)}`;

/** Lines and columns count from 1. `package` is `name-version`, or `main` for the package of the script itself. */
export interface SourceLocation {
  readonly package: string;
  readonly module: string;
  readonly file: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}
export interface StackFrame {
  readonly function: string;
  readonly location: SourceLocation;
}

/** A template or interface; `package` is its name, `version` that of the package. */
export interface DefinitionName {
  readonly package: string;
  readonly version: string;
  readonly module: string;
  readonly name: string;
}
export const showDefinition = ({ module, name }: DefinitionName): string => `${module}:${name}`;

/** A record shows its fields, anything else one field without a name. */
export interface ShownField {
  readonly name: string;
  readonly value: string;
}
export type ShownFields = readonly ShownField[];

interface OfContract {
  readonly contract: string;
  readonly template: DefinitionName;
  readonly witnesses: readonly string[];
}
/** Without children: those are `children` of the exercise or rollback, by index into the nodes of the step. */
export type LedgerNode =
  | ({
      readonly kind: "create";
      readonly argument: ShownFields;
      readonly signatories: readonly string[];
      readonly observers: readonly string[];
      readonly key: string | undefined;
    } & OfContract)
  | ({
      readonly kind: "exercise";
      readonly choice: string;
      readonly consuming: boolean;
      readonly interface: DefinitionName | undefined;
      readonly actors: readonly string[];
      readonly argument: ShownFields;
      /** Absent when it did not end. */
      readonly result: string | undefined;
      readonly byKey: boolean;
      readonly children: readonly number[];
    } & OfContract)
  | ({
      readonly kind: "fetch";
      readonly actors: readonly string[];
      readonly interface: DefinitionName | undefined;
      readonly byKey: boolean;
    } & OfContract)
  | {
      readonly kind: "queryByKey";
      readonly template: DefinitionName;
      readonly key: string;
      readonly found: readonly string[];
      readonly witnesses: readonly string[];
    }
  | { readonly kind: "rollback"; readonly children: readonly number[]; readonly witnesses: readonly string[] };

export interface TransactionTree {
  readonly roots: readonly number[];
  readonly nodes: readonly LedgerNode[];
}

interface Submitted {
  readonly actAs: readonly string[];
  readonly readAs: readonly string[];
  readonly location: SourceLocation | undefined;
}
/** What the ledger remembers of a script, in order. */
export type LedgerStep =
  | ({ readonly kind: "transaction"; readonly time: string; readonly tree: TransactionTree } & Submitted)
  /** `expected`: of submitMustFail; the others are tries. */
  | ({ readonly kind: "failure"; readonly expected: boolean; readonly error: string } & Submitted)
  | { readonly kind: "time"; readonly from: string; readonly to: string };

/** `consumedBy` and friends follow from the steps; this is what they add up to. */
export interface ShownContract {
  readonly contract: string;
  readonly template: DefinitionName;
  readonly argument: ShownFields;
}

export interface ShownCommand {
  readonly text: string;
  readonly argument: ShownFields;
}

/** Who had to agree to what failed, and who did. */
export interface MissingAuthority {
  readonly required: readonly string[];
  readonly given: readonly string[];
  readonly missing: readonly string[];
}

export interface FailedSubmission extends Submitted {
  readonly commands: readonly ShownCommand[];
  /** Index of the command that failed, where that is known. */
  readonly failed: number | undefined;
  /** What the commands had done by then. */
  readonly partial: TransactionTree;
  readonly authority: MissingAuthority | undefined;
}

export interface ScriptFailure {
  /** Why it ended: code of the script, an answer that is an error, a bound of the run, or the runner itself. */
  readonly kind: "exception" | "question" | "limit" | "refused" | "crash";
  readonly message: string;
  /** The question that could not be answered. */
  readonly question: string | undefined;
  /** Newest first: of that question, or of the last one before code failed (`isExact` tells which). */
  readonly stack: readonly StackFrame[];
  readonly isExact: boolean;
  readonly submission: FailedSubmission | undefined;
  /** The two sides of a comparison that an assertion made. */
  readonly compared: readonly [string, string] | undefined;
  /** What to try, where something is known. */
  readonly hint: string | undefined;
}

/** One of which no more is known. */
export const plainFailure = (kind: ScriptFailure["kind"], message: string): ScriptFailure => ({
  kind,
  message,
  question: undefined,
  stack: [],
  isExact: false,
  submission: undefined,
  compared: undefined,
  hint: undefined,
});

/** Names as `package-id:Module:Template` and `package-id:Module:Template:Choice`; of transactions that were committed. */
export interface Coverage {
  readonly created: readonly string[];
  readonly exercised: readonly string[];
}

/** Of a large ledger the last steps, and the contracts that were made last. */
export interface LedgerRecord {
  /** Number of the first of `steps`. */
  readonly firstStep: number;
  readonly steps: readonly LedgerStep[];
  readonly active: readonly ShownContract[];
  readonly activeLeftOut: number;
  readonly time: string;
}

export interface ScriptOutcome {
  readonly script: ScriptName;
  /** Undefined: it ran to its end. */
  readonly failure: ScriptFailure | undefined;
  readonly elapsedMs: number;
  readonly questions: number;
  readonly transactions: number;
  readonly activeContracts: number;
  readonly coverage: Coverage;
  /** What it returned, as text. */
  readonly result: string | undefined;
  readonly trace: readonly string[];
  /** The ledger as it was at the end: of a failure, or where it was asked for. */
  readonly ledger: LedgerRecord | undefined;
}
