/** Which rule a recorded refusal names, and where: the reference tells both in prose only. */

/** Fragments that occur in one rule's text only, by the rule: the constructor of the reference's error without its `E`. */
const fragments: Readonly<Record<string, RegExp>> = {
  NonExhaustivePatterns: /: non-exhaustive pattern/,
  PatternTypeMismatch: /: pattern type mismatch/,
  ExpectedSerializableType: /: expected serializable type/,
  TypeMismatch: /: type mismatch/,
  ExpectedAnyType: /: expected a any type/,
  Collision: /^validation error: collision between/,
  ExpectedExceptionableType: /record type in exception definition/,
  ExpectedTemplatableType: /record type in template definition/,
  UnknownMethodInInterfaceInstance: /does not have a method with that name/,
  MissingMethodInInterfaceInstance: /lacks an implementation for method/,
  MethodTypeMismatch: /: Implementation of method .* should return/,
  MissingRequiredInterfaceInstance: /: Missing required interface instance/,
  CircularInterfaceRequires: /: Circular interface requirement/,
  ViewTypeHeadNotCon: /record type in view type, but found a built-in/,
  ViewTypeMismatch: /: Tried to implement a view of type/,
  UnknownExprVar: /: unknown expr variable/,
  UnknownTypeVar: /: unknown type variable/,
  KindMismatch: /: kind mismatch/,
  ExpectedHigherKind: /: expected higher kinded type/,
  ImportCycle: /: cycle in module dependency/,
  TypeSynCycle: /: cycle in type synonym/,
  UnknownDefinition: /: unknown (definition|module|package|exception|interface instance|template|interface|choice|value|data type)\b/,
};

export const ruleOf = (message: string): string | undefined =>
  Object.entries(fragments).find(([, fragment]) => fragment.test(message))?.[0];

/** The definition that a refusal is about, in our words; undefined when the recording names none. */
export function placeOf(message: string): string | undefined {
  const place = /^validation error in (.*?): (?=[^ ])/.exec(message.replaceAll(/[0-9a-f]{64}:/g, ""))?.[1];
  return place?.replace(/^choice (\S+) in /, "choice $1 of ");
}
