/** A command's way to an offset: field rules, change id, interpretation, commit; again when it lost a race that another try may win. */
import { randomUUID } from "node:crypto";
import { randomBytes } from "../base/random.js";
import type { Log } from "../base/log.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import type { Tables } from "../store/index.js";
import { durable, type Committer } from "./commit.js";
import { changeKey, duplicateCommand, effectivePeriod, isInside, periodProblem, readAcceptance, type Acceptance, type InFlight } from "./deduplication.js";
import { ledgerError, ofSubmission, unknownInformees } from "./errors.js";
import type { InterpretedTransaction, Interpreter } from "./interpreter.js";
import type { LedgerClock } from "./ledger-clock.js";
import type { LedgerEnd } from "./ledger-end.js";
import type { Accepted, CommandSubmission } from "./ledger.js";
import type { LedgerErrorData, Offset } from "./model.js";
import { fromInterpretFailure } from "./selection-errors.js";
import { isLarge } from "./disclosed-contracts.js";
import { checkSubmission, refusalOfLarge } from "./submission-fields.js";
import { commitRejection, commitTransaction, type CommitContext, type Submitting } from "./transaction-commit.js";

export interface SubmissionContext extends CommitContext {
  readonly participantId: string;
  readonly tables: Tables;
  readonly committer: Committer;
  readonly ledgerEnd: LedgerEnd;
  readonly interpreter: Interpreter;
  readonly inFlight: InFlight;
  readonly clock: LedgerClock;
  readonly log: Log;
  readonly pruning: { readonly offset: Offset };
  /** Aborts when the ledger closes. */
  readonly closing: AbortSignal;
}

/** With the last acceptance of the same change. */
interface Begun extends Submitting { readonly acceptance: Acceptance | undefined }

interface Interpreted { readonly transaction: InterpretedTransaction; readonly ledgerTime: bigint; readonly interpretedAt: Offset }

const microsPerMilli = 1_000n;

export class Submissions {
  readonly #context: SubmissionContext;
  constructor(context: SubmissionContext) { this.#context = context; }

  async submit(submission: CommandSubmission): Promise<Result<Accepted, LedgerErrorData>> {
    const unfit = isLarge(submission.disclosedContracts) ? await refusalOfLarge(submission, this.#context) : undefined;
    if (unfit) return fail(ofSubmission(unfit, submission.submissionId || randomUUID()));
    const begun = this.#begin(submission);
    if (isFailure(begun)) return begun;
    const submitting = begun.ok;
    try {
      const duplicate = this.#duplicateOf(submitting);
      if (duplicate) return fail(ofSubmission(await this.#reject(submitting, duplicate), submitting.submissionId));
      const interpreted = await this.#interpret(submitting);
      if (isFailure(interpreted)) return fail(ofSubmission(interpreted.error, submitting.submissionId));
      return await this.#commit(submitting, interpreted.ok);
    } finally {
      this.#context.inFlight.end(submitting.changeKey);
    }
  }

  /** The same, but answers after interpretation; what follows is told by a completion. */
  async submitAsync(submission: CommandSubmission): Promise<Result<void, LedgerErrorData>> {
    const unfit = isLarge(submission.disclosedContracts) ? await refusalOfLarge(submission, this.#context) : undefined;
    if (unfit) return fail(ofSubmission(unfit, submission.submissionId || randomUUID()));
    const begun = this.#begin(submission);
    if (isFailure(begun)) return begun;
    const submitting = begun.ok;
    let isHandedOver = false;
    try {
      const duplicate = this.#duplicateOf(submitting);
      if (duplicate) {
        await this.#reject(submitting, duplicate);
        return ok(undefined);
      }
      const interpreted = await this.#interpret(submitting);
      if (isFailure(interpreted)) return fail(ofSubmission(interpreted.error, submitting.submissionId));
      isHandedOver = true;
      void this.#commit(submitting, interpreted.ok)
        .catch((error: unknown) => this.#context.log.error("a submission failed after it was accepted for processing", { error: String(error) }))
        .finally(() => this.#context.inFlight.end(submitting.changeKey));
      return ok(undefined);
    } finally {
      if (!isHandedOver) this.#context.inFlight.end(submitting.changeKey);
    }
  }

  /** Field rules and the place among the commands in flight. */
  #begin(submission: CommandSubmission): Result<Begun, LedgerErrorData> {
    const submissionId = submission.submissionId || randomUUID();
    const problem = checkSubmission(submission, this.#context) ?? periodProblem(submission.deduplication, this.#context.pruning) ?? this.#checkSubmitters(submission) ?? this.#context.clock.refusal();
    if (problem) return fail(ofSubmission(problem, submissionId));
    const actAs = [...new Set(submission.actAs)].sort();
    const change = { userId: submission.userId, commandId: submission.commandId, actAs };
    const key = changeKey(change);
    const refusal = this.#context.inFlight.begin(key, change, submissionId, this.#context.synchronizerId);
    if (refusal) return fail(ofSubmission(refusal, submissionId));
    const acceptance = readAcceptance(this.#context.tables, key);
    return ok({ submission, actAs, submissionId, changeKey: key, acceptance, deduplication: effectivePeriod(submission.deduplication, acceptance, this.#context.clock.nowMicros(), this.#context.pruning) });
  }

  #checkSubmitters(submission: CommandSubmission): LedgerErrorData | undefined {
    const { parties } = this.#context;
    const unknown = submission.actAs.filter((party) => !parties.get(party));
    if (unknown.length > 0) return unknownInformees(unknown);
    const foreign = submission.actAs.find((party) => { const known = parties.get(party)!; return !known.isLocal || known.isExternal; });
    if (foreign === undefined) return undefined;
    return ledgerError("NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT", `This node may not submit for ${foreign}.`, { context: { unknownSubmitter: foreign } });
  }

  #duplicateOf({ submission, actAs, acceptance }: Begun): LedgerErrorData | undefined {
    if (!acceptance || !isInside(acceptance, submission.deduplication, this.#context.clock.nowMicros())) return undefined;
    return duplicateCommand({ userId: submission.userId, commandId: submission.commandId, actAs }, acceptance);
  }

  /** A submission that was on its way: its end has to be seen by readers of completions. Gives what the submitter is told. */
  async #reject(submitting: Submitting, error: LedgerErrorData): Promise<LedgerErrorData> {
    const outcome = await durable(() => this.#context.committer.commit((group) => commitRejection(group, submitting, error, this.#context)));
    return isFailure(outcome) ? outcome.error : error;
  }

  async #interpret(submitting: Submitting): Promise<Result<Interpreted, LedgerErrorData>> {
    const { submission } = submitting;
    const time = await reachLedgerTime(submission, this.#context);
    if (isFailure(time)) return time;
    const interpretedAt = this.#context.ledgerEnd.offset;
    const result = await this.#context.interpreter.interpret({
      actAs: submitting.actAs, readAs: submission.readAs, commands: submission.commands,
      disclosed: submission.disclosedContracts.map((contract) => contract.createdEventBlob),
      packageIdSelectionPreference: submission.packageIdSelectionPreference, selectionPassesMax: submission.selectionPassesMax,
      ledgerTime: time.ok, submissionSeed: randomBytes(32), atOffset: interpretedAt, packagesRevision: this.#context.packages.revision, participantId: this.#context.participantId,
    });
    if (isFailure(result)) return fail(fromInterpretFailure(result.error, submission, this.#context.packages));
    const unknown = this.#unknownParties(result.ok);
    return unknown.length > 0 ? fail(unknownInformees(unknown)) : ok({ transaction: result.ok, ledgerTime: time.ok, interpretedAt });
  }

  #unknownParties(transaction: InterpretedTransaction): string[] {
    const unknown = new Set<string>();
    for (const event of transaction.events) {
      for (const party of event.witnesses) if (!this.#context.parties.get(party)) unknown.add(party);
      for (const party of event.stakeholders) if (!this.#context.parties.get(party)) unknown.add(party);
    }
    return [...unknown].sort();
  }

  async #commit(submitting: Submitting, first: Interpreted): Promise<Result<Accepted, LedgerErrorData>> {
    let interpreted = first;
    for (let attempt = 0; ; attempt++) {
      const { transaction, ledgerTime, interpretedAt } = interpreted;
      const toCommit = { submitting, transaction, ledgerTime, interpretedAt, keysReadAt: interpretedAt, external: undefined };
      const outcome = await durable(() => this.#context.committer.commit((group) => commitTransaction(group, toCommit, this.#context)));
      if (isFailure(outcome)) return outcome;
      const settled = outcome.ok;
      if (settled.kind === "accepted") return ok({ updateId: settled.updateId, completionOffset: settled.offset });
      if (settled.kind === "rejected") return fail(settled.error);
      if (attempt >= limits.reinterpretationsMax) return fail(await this.#reject(submitting, settled.error));
      const again = await this.#interpret(submitting);
      if (isFailure(again)) return fail(await this.#reject(submitting, again.error));
      interpreted = again.ok;
    }
  }
}

type AskedTime = Pick<CommandSubmission, "minLedgerTimeAbs" | "minLedgerTimeRel">;

export const askedLedgerTime = ({ minLedgerTimeAbs, minLedgerTimeRel }: AskedTime, now: bigint): bigint =>
  minLedgerTimeAbs ?? (minLedgerTimeRel === undefined ? now : now + minLedgerTimeRel);

/** A command that asks for a later ledger time is held until then. */
export async function reachLedgerTime(time: AskedTime, { clock, closing }: Pick<SubmissionContext, "clock" | "closing">): Promise<Result<bigint, LedgerErrorData>> {
  const now = clock.nowMicros(), asked = askedLedgerTime(time, now);
  if (asked <= now) return ok(now);
  if (clock.moveTo(asked)) return ok(asked);
  const deadline = now + BigInt(limits.ledgerTimeWaitMaxMs) * microsPerMilli;
  for (let at = now; at < asked; at = clock.nowMicros()) {
    if (at >= deadline || closing.aborted) return fail(ledgerError("REQUEST_TIME_OUT", "The ledger time that the command asks for was not reached in time; the command did not run."));
    await sleep(Number((asked - at) / microsPerMilli) + 1, closing);
  }
  return ok(asked);
}

const sleepMsMax = 1_000;
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => { clearTimeout(timer); signal.removeEventListener("abort", done); resolve(); };
    const timer = setTimeout(done, Math.min(ms, sleepMsMax));
    signal.addEventListener("abort", done, { once: true });
  });
}
