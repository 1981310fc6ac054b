/**
 * What interpretation fails with: of each class the arguments of the reference's constructor, under their names there. Inner
 * constructors are joined by a dot (`Upgrade.ValidationFailed`). Definitions stand as `package:Module:Entity`.
 */
import type { LedgerValue } from "./value/index.js";

interface OfContract {
  readonly coid: string;
  readonly templateId: string;
}
interface OfKey {
  readonly key: { readonly templateId: string; readonly packageName: string; readonly key: LedgerValue; readonly hash: string };
}

/** `nid`: of the node that lacked it. */
interface Unauthorized<A> {
  readonly nid: number;
  readonly fa: A & { readonly class: string; readonly templateId: string };
}
type Parties = readonly string[];

interface KeyOfContract {
  readonly globalKey: OfKey["key"];
  readonly maintainers: Parties;
}

interface Unusable {
  readonly class: string;
  readonly srcTemplateId: string;
  readonly dstTemplateId: string;
}
/** A contract whose metadata, computed by the package that uses it, are others. */
export interface ValidationFailed extends Unusable {
  readonly coid: string;
  readonly srcPackageName: string;
  readonly dstPackageName: string;
  readonly originalSignatories: Parties;
  readonly originalObservers: Parties;
  readonly originalKeyOpt: KeyOfContract | null;
  readonly recomputedSignatories: Parties;
  readonly recomputedObservers: Parties;
  readonly recomputedKeyOpt: KeyOfContract | null;
  readonly msg: string;
}
export interface AuthenticationFailed extends Unusable {
  readonly coid: string;
  readonly createArg: LedgerValue;
  readonly msg: string;
}
interface Mistranslations {
  readonly TypeMismatch: { readonly expectedType: string; readonly actualValue: LedgerValue; readonly message: string };
  readonly ValueNesting: object;
  readonly MalformedText: { readonly err: string };
  readonly InvalidValue: { readonly value: LedgerValue; readonly message: string };
  readonly LookupError: {
    readonly lookupError: { readonly notFound: { readonly class: string; readonly tyCon: string; readonly constructorName: string } };
  };
  readonly NonSuffixedV1ContractId: { readonly cid: string };
}
type MistranslationClass = keyof Mistranslations;
/** Why a value is none of another type. */
export type Mistranslation = { readonly [C in MistranslationClass]: { readonly class: C } & Mistranslations[C] }[MistranslationClass];

export interface TranslationFailed extends Unusable {
  readonly coid: string | null;
  readonly createArg: LedgerValue;
  readonly error: Mistranslation;
}

type RolledBackEffect =
  | (OfContract & { readonly class: "Create" })
  | (OfContract & { readonly class: "Exercise"; readonly choiceId: string; readonly byKey: boolean });

interface Authorization {
  readonly CreateMissingAuthorization: { readonly authorizingParties: Parties; readonly requiredParties: Parties };
  readonly NoSignatories: object;
  readonly MaintainersNotSubsetOfSignatories: { readonly signatories: Parties; readonly maintainers: Parties };
  readonly FetchMissingAuthorization: { readonly stakeholders: Parties; readonly authorizingParties: Parties };
  readonly LookupByKeyMissingAuthorization: { readonly maintainers: Parties; readonly authorizingParties: Parties };
  readonly NoControllers: { readonly choiceid: string };
  readonly NoAuthorizers: { readonly choiceid: string };
  readonly ExerciseMissingAuthorization: {
    readonly choiceId: string;
    readonly authorizingParties: Parties;
    readonly requiredParties: Parties;
  };
}
export type AuthorizationRule = keyof Authorization;
export type AuthorizationArguments<R extends AuthorizationRule> = Authorization[R];

type Families = { readonly [R in AuthorizationRule as `FailedAuthorization.${R}`]: Unauthorized<Authorization[R]> } & {
  readonly [C in MistranslationClass as `Upgrade.TranslationFailed.${C}`]: { readonly error: TranslationFailed };
};

export interface InterpretationDetails extends Families {
  readonly UserError: { readonly message: string };
  readonly FailureStatus: {
    readonly errorId: string;
    readonly failureCategory: number;
    readonly errorMessage: string;
    readonly metadata: readonly (readonly [string, string])[];
  };
  readonly TemplatePreconditionViolated: { readonly templateId: string; readonly arg: LedgerValue };
  readonly ContractNotActive: OfContract & { readonly consumedBy: number };
  readonly ContractNotFound: { readonly cid: string };
  readonly ContractKeyNotFound: OfKey;
  readonly InconsistentContractKey: OfKey;
  readonly UnresolvedPackageName: { readonly packageName: string };
  readonly CreateEmptyContractKeyMaintainers: { readonly templateId: string; readonly arg: LedgerValue; readonly key: LedgerValue };
  readonly FetchEmptyContractKeyMaintainers: { readonly templateId: string; readonly key: LedgerValue; readonly packageName: string };
  readonly WronglyTypedContract: { readonly coid: string; readonly expected: string; readonly actual: string };
  readonly ContractDoesNotImplementInterface: OfContract & { readonly interfaceId: string };
  readonly ContractDoesNotImplementRequiringInterface: OfContract & {
    readonly requiringInterfaceId: string;
    readonly requiredInterfaceId: string;
  };
  readonly NonComparableValues: object;
  readonly ContractIdComparability: { readonly globalCid: string };
  readonly ContractIdInContractKey: { readonly key: LedgerValue };
  readonly ValueNesting: { readonly limit: number };
  readonly MalformedText: { readonly err: string };
  readonly EffectfulRollback: { readonly nodes: readonly RolledBackEffect[] };
  readonly "Upgrade.ValidationFailed": { readonly error: ValidationFailed };
  readonly "Upgrade.AuthenticationFailed": { readonly error: AuthenticationFailed };
  readonly "Crypto.MalformedByteEncoding": { readonly value: string; readonly cause: string };
  readonly "Crypto.MalformedKey": { readonly key: string; readonly cause: string };
  readonly "Crypto.MalformedSignature": { readonly signature: string; readonly cause: string };
  readonly "Dev.ChoiceGuardFailed": {
    readonly error: OfContract & { readonly class: string; readonly choiceName: string; readonly byInterface: string };
  };
  /** Ours: a budget of `config.ts` was used up. */
  readonly LimitExceeded: { readonly limit: string; readonly value?: number; readonly definition?: string };
  /** Ours: a builtin or expression that this version does not run. */
  readonly Unsupported: { readonly builtin: string };
  /** The reference crashes here; its text is not a contract. */
  readonly Internal: object;
}

export type InterpretationClass = keyof InterpretationDetails;

interface Interpretation<C extends InterpretationClass> {
  readonly phase: "interpretation";
  readonly class: C;
  readonly message: string;
  readonly detail: InterpretationDetails[C];
  /** Of a failure that the model raised: the open choices and the command, a line each. */
  readonly exerciseTrace?: string;
}

export type InterpretationError = { readonly [C in InterpretationClass]: Interpretation<C> }[InterpretationClass];
export type InterpretationErrorOf<C extends InterpretationClass> = Extract<InterpretationError, { readonly class: C }>;

/** Of a class with inner constructors, such as `Upgrade`. */
type Family = "FailedAuthorization" | "Upgrade" | "Crypto" | "Dev";
export const isOfFamily = <F extends Family>(
  error: InterpretationError,
  family: F,
): error is Extract<InterpretationError, { readonly class: `${F}.${string}` }> => error.class.startsWith(`${family}.`);
/** What comes behind the family's name. */
export const innerClass = (error: InterpretationError): string => error.class.slice(error.class.indexOf(".") + 1);

/** Classes whose name says it all. */
type Bare = "NonComparableValues" | "Internal";

export function interpretationError(class_: Bare, message: string): InterpretationError;
export function interpretationError<C extends InterpretationClass>(
  class_: C,
  message: string,
  detail: InterpretationDetails[C],
): InterpretationError;
export function interpretationError(class_: InterpretationClass, message: string, detail: object = {}): InterpretationError {
  return { phase: "interpretation", class: class_, message, detail } as InterpretationError;
}
