/** The field rules of a submission, in the order of Canton's `CommandsValidator`. */
import { checkDisclosed, type Interpreter, isLarge } from "../interpretation/index.js";
import {
  invalidArgument,
  invalidField,
  ledgerError,
  type LedgerErrorData,
  ledgerStringProblem,
  missingField,
  missingUserId,
  packageIdProblem,
  partiesProblem,
  partyProblem,
  uniqueIdentifierProblem,
  unknownPrescribed,
  userIdProblem,
  whileRouting,
} from "../model/index.js";
import type { CommandSubmission } from "./command-submission.js";
import { askedLength } from "./deduplication.js";
import { ledgerTimeProblem } from "./ledger-time.js";
import { type NamingContext, namingProblem } from "./named-packages.js";

type Rule = (submission: CommandSubmission, context: NamingContext) => LedgerErrorData | undefined;
/** Of what every submission has. */
type Ids = Pick<CommandSubmission, "actAs" | "readAs" | "workflowId" | "userId" | "commandId" | "submissionId" | "commandCount">;
type IdRule = (submission: Ids) => LedgerErrorData | undefined;

const ofUser = ({ userId }: Pick<Ids, "userId">): LedgerErrorData | undefined =>
  userId === "" ? missingUserId() : fieldProblem("user_id", userIdProblem(userId));
const ofSubmissionId = ({ submissionId }: Pick<Ids, "submissionId">): LedgerErrorData | undefined =>
  submissionId === "" ? undefined : fieldProblem("submission_id", ledgerStringProblem(submissionId));
const nameRules: readonly IdRule[] = [
  ({ workflowId }) => (workflowId === "" ? undefined : argumentProblem(ledgerStringProblem(workflowId))),
  ofUser,
  ({ commandId }) => (commandId === "" ? missingField("command_id") : fieldProblem("command_id", ledgerStringProblem(commandId))),
  ofSubmissionId,
];
const partyRules: readonly IdRule[] = [
  ({ actAs }) => argumentProblem(partiesProblem(actAs)),
  ({ readAs }) => argumentProblem(partiesProblem(readAs)),
];
const hasSubmitters: IdRule = ({ actAs }) => (actAs.length === 0 ? whileRouting(missingField("act_as/actAs")) : undefined),
  hasCommands: IdRule = ({ commandCount }) => (commandCount === 0 ? missingField("commands") : undefined);

/** Commands cannot even be decoded without a party to decode for, so these come first. */
const readingRules: readonly Rule[] = [hasSubmitters, checkFirstSubmitter, checkPreferredIds];
const rules: readonly Rule[] = [
  ...nameRules,
  ...partyRules,
  checkSynchronizer,
  hasCommands,
  checkLedgerTime,
  checkDeduplication,
  ({ disclosedContracts }) => (isLarge(disclosedContracts) ? undefined : checkDisclosed(disclosedContracts)),
  checkPackagePreference,
  ({ selectionPassesMax: passes }) =>
    passes !== undefined && passes <= 0 ? invalidArgument(`taps_max_passes must be strictly positive, but got ${passes}.`) : undefined,
  checkPrescribed,
];

/** What an execution says itself: of who submits it and as what command its transaction tells. */
export const checkExecution = (
  execution: Pick<CommandSubmission, "userId" | "submissionId" | "deduplication">,
): LedgerErrorData | undefined =>
  execution.userId === "" ? missingUserId() : (ofSubmissionId(execution) ?? ofUser(execution) ?? checkDeduplication(execution));

/** Whether a submission of known parties that says nothing but this keeps the rules. */
export const areFit = (ids: Ids): boolean => rulesOfKnown.every((rule) => rule(ids) === undefined);
const rulesOfKnown: readonly IdRule[] = [hasSubmitters, ...nameRules, hasCommands];

/** All but disclosed contracts that are large: those are checked apart. */
export function checkSubmission(submission: CommandSubmission, context: NamingContext): LedgerErrorData | undefined {
  const unreadable = firstProblem(readingRules, submission, context);
  if (unreadable) return unreadable;
  const problem = firstProblem(rules, submission, context);
  return problem && (namingProblem(submission, context) ?? problem);
}

function firstProblem(of: readonly Rule[], submission: CommandSubmission, context: NamingContext): LedgerErrorData | undefined {
  for (const rule of of) {
    const problem = rule(submission, context);
    if (problem) return problem;
  }
  return undefined;
}

/** Of a submission with large disclosed contracts: the rules that come before, and theirs. */
export async function refusalOfLarge(
  submission: CommandSubmission,
  context: NamingContext & { readonly interpreter: Pick<Interpreter, "checkDisclosed"> },
): Promise<LedgerErrorData | undefined> {
  const before = checkSubmission(submission, context);
  if (before) return before;
  const { error } = await context.interpreter.checkDisclosed(submission.disclosedContracts);
  return error && (namingProblem(submission, context) ?? error);
}

const fieldProblem = (field: string, problem: string | undefined): LedgerErrorData | undefined =>
  problem === undefined ? undefined : invalidField(field, problem);

const argumentProblem = (problem: string | undefined): LedgerErrorData | undefined =>
  problem === undefined ? undefined : invalidArgument(problem);

/** The party to decode for. */
function checkFirstSubmitter({ actAs: [first] }: CommandSubmission): LedgerErrorData | undefined {
  const malformed = first === undefined ? undefined : partyProblem(first);
  return malformed === undefined ? undefined : whileRouting(invalidArgument(`Invalid party in actAs/act_as: ${malformed}`));
}

function checkPreferredIds({ packageIdSelectionPreference: ids }: CommandSubmission): LedgerErrorData | undefined {
  const malformed = ids.map(packageIdProblem).find((problem) => problem !== undefined);
  return malformed === undefined ? undefined : whileRouting(invalidArgument(`packageIdSelectionPreferences: ${malformed}`));
}

function checkPackagePreference(
  { packageIdSelectionPreference: ids }: CommandSubmission,
  { packages }: NamingContext,
): LedgerErrorData | undefined {
  const names = new Map<string, string>();
  for (const id of ids) {
    const name = packages.get(id)?.summary.name;
    if (name === undefined) return invalidArgument(`user-specified pkg id (${id}) could not be found`);
    const other = names.get(name);
    if (other !== undefined) return invalidArgument(`duplicate preference for package-name ${name}: ${other} vs ${id}`);
    names.set(name, id);
  }
  return undefined;
}

function checkSynchronizer({ synchronizerId }: CommandSubmission): LedgerErrorData | undefined {
  return synchronizerId === "" ? undefined : fieldProblem("synchronizer_id", uniqueIdentifierProblem(synchronizerId));
}

/** The one that it names itself: which those of its contracts count shows when it is interpreted. */
function checkPrescribed({ synchronizerId }: CommandSubmission, { synchronizers }: NamingContext): LedgerErrorData | undefined {
  return synchronizerId === "" || synchronizers.find(synchronizerId) ? undefined : unknownPrescribed(synchronizerId);
}

export function checkLedgerTime(
  asked: Pick<CommandSubmission, "minLedgerTimeAbs" | "minLedgerTimeRel">,
  { clock }: Pick<NamingContext, "clock">,
): LedgerErrorData | undefined {
  const { minLedgerTimeAbs, minLedgerTimeRel } = asked;
  if (minLedgerTimeAbs !== undefined && minLedgerTimeRel !== undefined)
    return invalidArgument("min_ledger_time_abs cannot be specified at the same time as min_ledger_time_rel");
  if (minLedgerTimeRel !== undefined && minLedgerTimeRel < 0n) return invalidField("min_ledger_time_rel", "Duration must be positive");
  return ledgerTimeProblem(asked, clock.nowMicros());
}

function checkDeduplication({ deduplication: period }: Pick<CommandSubmission, "deduplication">): LedgerErrorData | undefined {
  if (period.kind === "offset" && period.offset < 0)
    return ledgerError(
      "NEGATIVE_OFFSET",
      `Offset ${period.offset} in deduplication_period is a negative integer: the deduplication offset has to be a non-negative integer and not ${period.offset}`,
    );
  if (period.kind === "duration" && askedLength(period) < 0n) return invalidField("deduplication_period", "Duration must be positive");
  return undefined;
}
