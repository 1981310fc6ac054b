/**
 * What can go wrong in the engine, by phase, as closed unions. The names are the reference engine's error constructors,
 * so that recorded answers can be compared; `ledger/model/errors.ts` maps them to Ledger API codes.
 */
import type { DefinitionId, PackageId } from "./ast.js";
import {
  interpretationError,
  type InterpretationClass,
  type InterpretationDetails,
  type InterpretationError,
} from "./interpretation-error.js";
import type { LedgerValue } from "./value/index.js";

/** Reading an archive or DAR. `code` is the Ledger API code of the failure. */
export interface ArchiveError {
  readonly phase: "archive";
  readonly code: "INVALID_DAR" | "INVALID_ZIP_ENTRY" | "INVALID_LEGACY_DAR" | "ZIP_BOMB" | "DAR_PARSE_ERROR" | "ALLOWED_LANGUAGE_VERSIONS";
  /**
   * The reference's constructor: Parsing, IllegalInterning, IO, InvalidDar, InvalidZipEntry, InvalidLegacyDar, ZipBomb,
   * DarManifestReaderException, ...
   */
  readonly class: string;
  readonly message: string;
  readonly details?: ErrorDetails;
}

/** What clients are told beside the message, by the reference's names. */
type ErrorDetails = Readonly<Record<string, string>>;

/** A package that decodes but is not well-formed, or does not fit those around it. */
export interface ValidationError {
  readonly phase: "validation";
  readonly code:
    | "DAR_VALIDATION_ERROR"
    | "DAR_DEPENDENCIES_NOT_VALID"
    | "ALLOWED_LANGUAGE_VERSIONS"
    | "NOT_VALID_UPGRADE_PACKAGE"
    | "DAML_PRIM_NOT_UTILITY_PACKAGE"
    | "KNOWN_PACKAGE_VERSION";
  readonly class: string;
  /** Within class Validation, the rule that is broken: the reference's constructor without its `E`. */
  readonly rule?: string;
  readonly message: string;
  readonly packageId?: PackageId;
  readonly details?: ErrorDetails;
}

/** A missing definition met while commands are prepared or run (reference: Package and Lookup errors). */
export interface LookupError {
  readonly phase: "lookup";
  readonly class:
    | "MissingPackage"
    | "MissingTemplate"
    | "MissingInterface"
    | "MissingTemplateOrInterface"
    | "MissingChoice"
    | "MissingDefinition"
    | "UnresolvedPackageName"
    | "MissingInterfaceInstance"
    | "MissingKey"
    | "AllowedLanguageVersion";
  readonly message: string;
  readonly reference: string;
  /** Of a missing package: the whole identifier that needs it. */
  readonly neededFor?: string;
  /** A template was wanted, and the name is that of an interface. */
  readonly isInterface?: true;
  /** What was to be exercised on what is missing, or is missing itself. */
  readonly choice?: string;
  /** Of commands whose values nobody had typed by then: no reader of JSON found it. */
  readonly isUntyped?: true;
}

/** Commands or disclosed contracts that do not fit their types. */
export interface PreprocessingError {
  readonly phase: "preprocessing";
  readonly class: string; // TypeMismatch, ValueNesting, MalformedText, IllegalContractId, ...
  readonly message: string;
  /** Where in the argument: `.a.b[0]`. */
  readonly path?: string;
  /** Set where the reference answers with another code than COMMAND_PREPROCESSING_FAILED. */
  readonly code?: "INVALID_ARGUMENT" | "INVALID_FIELD" | "MISSING_FIELD";
  /** Of a code that names a field of the command. */
  readonly field?: string;
  /** Set where the JSON is not that of a value of its type: the reference finds this before it has a command. */
  readonly origin?: "json";
}

export type EngineError = LookupError | PreprocessingError | InterpretationError;

/** Carries a fatal (uncatchable) engine error out of compiled code to the command boundary; never leaves `src/lf`. */
export class FatalError extends Error {
  override readonly name = "FatalError";
  constructor(readonly error: EngineError) {
    super(error.message);
  }
}

export function fatal(class_: "NonComparableValues" | "Internal", message: string): FatalError;
export function fatal<C extends InterpretationClass>(class_: C, message: string, detail: InterpretationDetails[C]): FatalError;
export function fatal(class_: InterpretationClass, message: string, detail: object = {}): FatalError {
  return new FatalError(interpretationError(class_, message, detail as never));
}

export {
  innerClass,
  interpretationError,
  isOfFamily,
  type InterpretationDetails,
  type InterpretationError,
  type InterpretationErrorOf,
  type ValidationFailed,
} from "./interpretation-error.js";
export type { DefinitionId, LedgerValue };
