/**
 * A signed transaction's way to an offset: signatures, change id, interpretation anew, commit. What is committed is what
 * this node's engine makes of the command; the signed transaction only says what that has to be.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import { durable } from "../commit.js";
import { changeKey, duplicateCommand, effectivePeriod, isInside, periodProblem, readAcceptance } from "../deduplication.js";
import { fromEngineError, fromInspection } from "../engine-errors.js";
import { ledgerError } from "../errors.js";
import type { InterpretedTransaction, PreparationError } from "../interpreter.js";
import type { Accepted, CommandSubmission } from "../ledger.js";
import type { LedgerErrorData } from "../model.js";
import { notVetted } from "../selection-errors.js";
import { checkSubmission } from "../submission-fields.js";
import { reachLedgerTime, type SubmissionContext } from "../submission.js";
import { commitRejection, commitTransaction, type ExternallySigned, type Submitting } from "../transaction-commit.js";
import type { EngineError } from "../../lf/errors.js";
import type { ExternalParties } from "./external-parties.js";
import type { SignedFacts } from "./signed-facts.js";
import { checkSigned, checkSigners, type SignedTransaction } from "./signed-transaction.js";

export interface Execution extends SignedTransaction, Pick<CommandSubmission, "userId" | "submissionId" | "deduplication" | "minLedgerTimeAbs" | "minLedgerTimeRel" | "trace"> {}

export interface ExecutionContext extends SubmissionContext { readonly externalParties: ExternalParties }

interface Executing extends Submitting {
  readonly facts: SignedFacts;
  readonly prepared: Uint8Array;
  readonly external: ExternallySigned;
}

type Outcome<T> = Promise<Result<T, LedgerErrorData>>;

export class Executions {
  readonly #context: ExecutionContext;
  /** Replay keys between verification and durable end. */
  readonly #underWay = new Set<string>();

  constructor(context: ExecutionContext) { this.#context = context; }

  /** Resolves when the transaction is durable. */
  async execute(execution: Execution): Outcome<Accepted> {
    const begun = await this.#begin(execution);
    if (isFailure(begun)) return begun;
    try {
      const duplicate = await this.#rejectDuplicate(begun.ok);
      return duplicate ? fail(duplicate) : await this.#run(begun.ok);
    } finally {
      this.#end(begun.ok);
    }
  }

  /** Resolves once the signatures are found good; what follows is told by a completion. */
  async executeAsync(execution: Execution): Outcome<void> {
    const begun = await this.#begin(execution);
    if (isFailure(begun)) return begun;
    void this.#rejectDuplicate(begun.ok)
      .then((duplicate) => (duplicate ? undefined : this.#run(begun.ok)))
      .catch((error: unknown) => this.#context.log.error("a signed transaction failed after it was accepted for processing", { error: String(error) }))
      .finally(() => this.#end(begun.ok));
    return ok(undefined);
  }

  async #begin(execution: Execution): Outcome<Executing> {
    const submissionId = execution.submissionId || randomUUID();
    const problem = checkSigned(execution);
    if (problem) return fail(problem.origin === "json" ? problem : { ...problem, correlationId: submissionId });
    const facts = await this.#read(execution);
    if (isFailure(facts)) return facts;
    const unsigned = checkSigners(facts.ok, execution.signatures, this.#context.externalParties);
    if (unsigned) return fail(unsigned);
    const submission = submissionOf(execution, facts.ok);
    const unfit = checkSubmission(submission, this.#context) ?? periodProblem(submission.deduplication, this.#context.pruning) ?? this.#context.clock.refusal();
    if (unfit) return fail({ ...unfit, correlationId: submissionId });
    return this.#enter(execution, submission, submissionId, facts.ok);
  }

  async #read({ prepared, hashingScheme = "V2" }: Execution): Outcome<SignedFacts> {
    const { interpreter, synchronizerId } = this.#context, facts = await interpreter.readSigned({ prepared, hashingScheme, synchronizerId });
    return isFailure(facts) ? fail(fromInspection(facts.error)) : facts;
  }

  /** Takes the place among the commands in flight. */
  #enter(execution: Execution, submission: CommandSubmission, submissionId: string, facts: SignedFacts): Result<Executing, LedgerErrorData> {
    const { inFlight, synchronizerId, tables, clock, pruning } = this.#context, { actAs, commandId, preparationTime, maxRecordTime } = facts.metadata;
    const change = { userId: submission.userId, commandId, actAs }, key = changeKey(change);
    const hash = Buffer.from(facts.hash).toString("hex"), replayKey = replayKeyOf(hash);
    if (this.#underWay.has(replayKey)) return fail(ledgerError("SUBMISSION_ALREADY_IN_FLIGHT", "The signed transaction is already being processed."));
    const refusal = inFlight.begin(key, change, submissionId, synchronizerId);
    if (refusal) return fail(refusal);
    this.#underWay.add(replayKey);
    const deduplication = effectivePeriod(submission.deduplication, readAcceptance(tables, key), clock.nowMicros(), pruning);
    return ok({ submission, actAs, submissionId, changeKey: key, deduplication, facts, prepared: execution.prepared, external: { hash, replayKey, preparationTime, maxRecordTime } });
  }

  #end({ changeKey: key, external }: Executing): void {
    this.#context.inFlight.end(key);
    this.#underWay.delete(external.replayKey);
  }

  /** By change id within its period; and a signed transaction is good for once, as long as its preparation is not too old anyway. */
  async #rejectDuplicate(executing: Executing): Promise<LedgerErrorData | undefined> {
    const { tables, clock } = this.#context, { submission, actAs } = executing;
    const ofChange = readAcceptance(tables, executing.changeKey), ofHash = readAcceptance(tables, executing.external.replayKey);
    const acceptance = ofChange && isInside(ofChange, submission.deduplication, clock.nowMicros()) ? ofChange : ofHash;
    if (!acceptance) return undefined;
    return this.#reject(executing, duplicateCommand({ userId: submission.userId, commandId: submission.commandId, actAs }, acceptance));
  }

  async #run(executing: Executing): Outcome<Accepted> {
    const { committer, ledgerEnd } = this.#context;
    const time = await this.#ledgerTime(executing);
    if (isFailure(time)) return fail(await this.#reject(executing, time.error));
    const keysReadAt = ledgerEnd.offset, replayed = await this.#replay(executing, time.ok);
    if (isFailure(replayed)) return fail(await this.#reject(executing, replayed.error));
    // Its input contracts came along, so what became of them since is found at the commit alone.
    const toCommit = { submitting: executing, transaction: replayed.ok, ledgerTime: time.ok, interpretedAt: 0, keysReadAt, external: executing.external };
    const outcome = await durable(() => committer.commit((group) => commitTransaction(group, toCommit, this.#context)));
    if (isFailure(outcome)) return outcome;
    switch (outcome.ok.kind) {
      case "accepted": return ok({ updateId: outcome.ok.updateId, completionOffset: outcome.ok.offset });
      case "rejected": return fail(outcome.ok.error);
      case "stale": return fail(await this.#reject(executing, outcome.ok.error)); // what was signed cannot be interpreted into something else
    }
  }

  async #replay({ prepared, facts }: Executing, ledgerTime: bigint): Outcome<InterpretedTransaction> {
    const { packages, ledgerEnd, participantId, interpreter, synchronizerId, parties } = this.#context;
    const unvetted = facts.packages.find((packageId) => !packages.isVetted(packageId, ledgerTime));
    if (unvetted !== undefined) return fail({ ...notVetted(unvetted, true), context: { synchronizerId } });
    const replayed = await interpreter.replay({ prepared, ledgerTime, submissionSeed: randomBytes(32), atOffset: ledgerEnd.offset, packagesRevision: packages.revision, participantId });
    if (isFailure(replayed)) return fail(replayFailure(replayed.error, facts));
    const unknown = replayed.ok.events.flatMap(({ witnesses, stakeholders }) => [...witnesses, ...stakeholders]).filter((party) => !parties.get(party));
    return unknown.length > 0 ? fail(ledgerError("UNKNOWN_INFORMEES", `This node does not know the parties ${[...new Set(unknown)].sort().join(", ")}.`)) : replayed;
  }

  /** The asked time, moved into the bounds within which the transaction stays the same. */
  async #ledgerTime({ submission, facts }: Executing): Outcome<bigint> {
    const asked = await reachLedgerTime(submission, this.#context);
    if (isFailure(asked)) return asked;
    const { minLedgerTime = asked.ok, maxLedgerTime = asked.ok } = facts.metadata;
    if (minLedgerTime > asked.ok) return reachLedgerTime({ minLedgerTimeAbs: minLedgerTime, minLedgerTimeRel: undefined }, this.#context);
    const tolerance = BigInt(limits.ledgerTimeToleranceSeconds) * 1_000_000n;
    if (maxLedgerTime + tolerance < asked.ok) return fail(ledgerError("NOT_SEQUENCED_TIMEOUT", "The ledger time up to which the transaction is good has passed."));
    return ok(maxLedgerTime < asked.ok ? maxLedgerTime : asked.ok);
  }

  /** Readers of completions have to see the end of what was accepted for processing. */
  async #reject(executing: Executing, error: LedgerErrorData): Promise<LedgerErrorData> {
    const outcome = await durable(() => this.#context.committer.commit((group) => commitRejection(group, executing, error, this.#context)));
    return isFailure(outcome) ? outcome.error : error;
  }
}

const replayKeyChars = 32;
const replayKeyOf = (hash: string): string => createHash("sha256").update(`signed transaction ${hash}`).digest("hex").slice(0, replayKeyChars);

/** The one command has no text any more: it is the root of the transaction. */
const submissionOf = (execution: Execution, { metadata }: SignedFacts): CommandSubmission => ({
  commands: "[]", commandCount: 1, commandId: metadata.commandId, userId: execution.userId, submissionId: execution.submissionId, workflowId: "",
  actAs: metadata.actAs, readAs: [], deduplication: execution.deduplication, minLedgerTimeAbs: execution.minLedgerTimeAbs, minLedgerTimeRel: execution.minLedgerTimeRel,
  disclosedContracts: [], synchronizerId: "", packageIdSelectionPreference: [], trace: execution.trace,
});

/** What was looked up by key may have changed since it was signed; everything else is fixed by what was signed. */
function replayFailure(error: EngineError | PreparationError, { usesKeys }: SignedFacts): LedgerErrorData {
  if (error.phase === "interpretation" && error.class === "LimitExceeded") return fromEngineError(error);
  if (usesKeys) return ledgerError("INCONSISTENT_CONTRACT_KEY", "What the transaction found by contract keys when it was prepared is not so now.");
  return ledgerError("LOCAL_VERDICT_FAILED_MODEL_CONFORMANCE_CHECK", `The signed transaction does not conform to its model: ${error.message}`);
}
