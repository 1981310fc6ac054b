/** How a check says no: the first rule that a package breaks ends its validation. */
import { type Result, fail, ok } from "../../base/result.js";
import type { PackageId } from "../ast.js";
import type { ValidationError } from "../errors.js";

/** The reference's constructors of ValidationError without their `E`, and four of ours at the end. */
export type Rule =
  | "Collision"
  | "ImportCycle"
  | "TypeSynCycle"
  | "ModuleVersionDependencies"
  | "NatKindRightOfArrow"
  | "KindMismatch"
  | "ExpectedHigherKind"
  | "UnknownTypeVar"
  | "DuplicateTypeParam"
  | "TypeSynAppWrongArity"
  | "TypeConAppWrongArity"
  | "UnknownDefinition"
  | "UnknownExprVar"
  | "UnknownField"
  | "UnknownVariantCon"
  | "UnknownEnumCon"
  | "DuplicateField"
  | "DuplicateVariantCon"
  | "DuplicateEnumCon"
  | "IllegalHigherEnumType"
  | "IllegalHigherInterfaceType"
  | "TypeMismatch"
  | "FieldTypeMismatch"
  | "FieldMismatch"
  | "EmptyConsFront"
  | "ExpectedRecordType"
  | "ExpectedVariantType"
  | "ExpectedEnumType"
  | "ExpectedStructType"
  | "ExpectedFunctionType"
  | "ExpectedUniversalType"
  | "ExpectedUpdateType"
  | "ExpectedAnyType"
  | "ExpectedExceptionType"
  | "ExpectedTemplatableType"
  | "ExpectedExceptionableType"
  | "EmptyCase"
  | "PatternTypeMismatch"
  | "NonExhaustivePatterns"
  | "ClashingPatternVariables"
  | "MissingMethodInInterfaceInstance"
  | "UnknownMethodInInterfaceInstance"
  | "MissingRequiredInterfaceInstance"
  | "MethodTypeMismatch"
  | "ViewTypeMismatch"
  | "WrongInterfaceRequirement"
  | "NotClosedInterfaceRequires"
  | "CircularInterfaceRequires"
  | "ViewTypeHeadNotCon"
  | "ViewTypeHasVars"
  | "ViewTypeConNotRecord"
  | "ExpectedSerializableType"
  | "ExpectedInterfaceType"
  | "UnsupportedExpression"
  | "TooExpensive"
  | "TooDeep";

/** Carries a broken rule out of the nested checks; `attempt` turns it into a `Result` at this folder's face. */
export class ValidationFailure extends Error {
  override readonly name = "ValidationFailure";
  constructor(
    readonly rule: Rule,
    readonly where: string,
    readonly what: string,
  ) {
    super(what);
  }
}

export function attempt(packageId: PackageId, check: () => void): Result<true, ValidationError> {
  try {
    check();
    return ok(true);
  } catch (thrown) {
    const failure = isStackOverflow(thrown)
      ? new ValidationFailure("TooDeep", "", "the package nests deeper than the stack allows")
      : thrown;
    if (failure instanceof ValidationFailure) return fail(asError(packageId, failure));
    throw thrown;
  }
}

/** Does a check say no? That it is too much work is no answer. */
export function refused(check: () => void): boolean {
  try {
    check();
    return false;
  } catch (thrown) {
    if (thrown instanceof ValidationFailure && thrown.rule !== "TooExpensive") return true;
    throw thrown;
  }
}

const asError = (packageId: PackageId, { rule, where, what }: ValidationFailure): ValidationError => ({
  phase: "validation",
  code: "DAR_VALIDATION_ERROR",
  class: "Validation",
  rule,
  packageId,
  message: `${rule} in package ${packageId}${where === "" ? "" : `, ${where}`}: ${what}`,
});

/** The bounds on nesting fit the stack of a worker; a caller on a smaller one still gets an answer. */
const isStackOverflow = (thrown: unknown): boolean => thrown instanceof RangeError && /call stack/i.test(thrown.message);
