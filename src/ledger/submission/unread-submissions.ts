/**
 * The short way of a submission that has nothing special about it: its body goes to an engine thread as it came, and what comes back is
 * committed. Main threads are where nodes spend most of their time, and this spares them reading, rules, change ids and much handing on.
 * Whatever is not plain takes the way of `submission.ts`, which knows what to say of it; nothing has happened then.
 */
import { assert } from "../../base/assert.js";
import { randomBytes } from "../../base/random.js";
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Admission } from "../intake/index.js";
import { isUnplaced, type ReadSubmission, type SubmissionFacts, type UnreadOutcome } from "../interpretation/index.js";
import type { Answer, EffectiveDeduplication, Offset, Outcome, TraceContext } from "../model/index.js";
import type { EarlierRefusal } from "./contention.js";
import { commitInterpreted, type Telling, type Told, toldOf } from "./commit-interpreted.js";
import { fromInterpretFailure } from "./selection-errors.js";
import { mayConcernOthers, offsetDigits } from "./record-facts.js";
import { submittersProblem, unknownPartiesProblem } from "./known-parties.js";
import { recordRejection, type SubmissionContext } from "./submission.js";
import type { CommitOutcome, Submitting } from "./transaction-commit.js";

export interface UnreadSubmission {
  /** JSON of the Ledger API's `Commands`, whoever wrote it. */
  readonly body: Uint8Array;
  /** Of who sends it; "" where nobody is known. */
  readonly userId: string;
  readonly trace: TraceContext;
  /** Undefined: who sends it may not do what it says, or what came with it is not in order. */
  accepts(facts: Pick<SubmissionFacts, "userId" | "actAs" | "readAs" | "beside">): Telling | undefined;
}

/** Why its body has to be read after all; `refusal`: what the engine said of it. */
export interface ToBeRead {
  readonly kind: "to be read";
  readonly refusal?: EarlierRefusal;
}

export interface Submitted {
  readonly kind: "submitted";
  readonly submissionId: string;
  readonly result: Outcome<Told>;
}

const toBeRead: ToBeRead = { kind: "to be read" };

export class UnreadSubmissions {
  readonly #context: SubmissionContext;
  constructor(context: SubmissionContext) {
    this.#context = context;
  }

  /** Resolves when the transaction is durable, or its rejection. */
  async submit(unread: UnreadSubmission, admission: Admission | undefined): Promise<Submitted | ToBeRead> {
    const { synchronizers, impediments, acceptances, inFlight, pruning } = this.#context;
    if (mayConcernOthers(this.#context) || impediments.refusal() !== undefined) return toBeRead;
    const prunedTo = pruning.offset,
      interpreting = this.#interpret(unread, prunedTo, firstAttempt),
      { interpretedAt, promised } = interpreting,
      outcome = await interpreting.outcome;
    if (outcome === undefined) return toBeRead;
    if ("refusal" in outcome && promised > interpretedAt) return toBeRead; // it was of what is older than what its sender may know
    if ("refusal" in outcome) return { kind: "to be read", refusal: { said: outcome.refusal, submittedAt: promised } };
    const { facts } = outcome,
      { userId, commandId, submissionId, actAs, changeKey } = facts;
    const telling = submittersProblem(facts, this.#context) === undefined ? unread.accepts(facts) : undefined;
    if (telling === undefined) return toBeRead;
    if (!isUnplaced(outcome.transaction) && (await unknownPartiesProblem(outcome.transaction, this.#context)) !== undefined)
      return toBeRead;
    if (acceptances.get(changeKey) !== undefined) return toBeRead;
    const change = { userId, commandId, actAs },
      synchronizerId = synchronizers.first.id;
    const place = inFlight.enter({ key: changeKey, change, submissionId, synchronizerId }, admission);
    if (isFailure(place)) return toBeRead;
    try {
      const submitting = submittingOf(facts, unread.trace, { kind: "offset", offset: prunedTo }, promised),
        committed = await this.#commit(submitting, interpreting, outcome.transaction, telling);
      const result = acceptedOf(committed) ?? (await this.#afterwards(unread, prunedTo, submitting, { interpreting, committed }, telling));
      return { kind: "submitted", submissionId, result };
    } finally {
      place.ok.leave();
    }
  }

  #interpret({ body, userId, trace }: UnreadSubmission, prunedTo: Offset, { submissionId, isFirst, isLate }: Attempt): Interpreting {
    const { clock, ledgerEnd, packages, participantId, synchronizers, interpreter } = this.#context,
      ledgerTime = clock.nowMicros(),
      { offset: interpretedAt, promised } = ledgerEnd;
    const outcome = interpreter.interpretUnread({
      body,
      userId,
      submissionId,
      trace,
      ledgerTime,
      submissionSeed: randomBytes(32),
      atOffset: interpretedAt,
      packagesRevision: packages.revision,
      participantId,
      synchronizerIdJson: synchronizers.idJson(0),
      findsFresh: isFirst && promised > interpretedAt,
      prunedTo,
      offsetDigits: isLate ? 0 : offsetDigits(this.#context),
    });
    return { ledgerTime, interpretedAt, promised, outcome };
  }

  #commit(
    submitting: Submitting,
    { ledgerTime, interpretedAt: keysReadAt, promised: toldTo }: Interpreting,
    transaction: ReadSubmission["transaction"],
    telling: Telling,
  ): Promise<Committed> {
    const toCommit = { submitting, transaction, synchronizer: 0, ledgerTime, keysReadAt, toldTo, external: undefined };
    return commitInterpreted(toCommit, telling, this.#context);
  }

  /** Of what was not accepted: again when it lost a race that another try may win. */
  async #afterwards(
    unread: UnreadSubmission,
    prunedTo: Offset,
    submitting: Submitting,
    first: { readonly interpreting: Interpreting; readonly committed: Committed },
    telling: Telling,
  ): Answer<Told> {
    const { submissionId } = submitting;
    let { interpreting, committed } = first;
    for (let attempt = 0; ; attempt++) {
      if (isFailure(committed)) return committed;
      const settled = committed.ok;
      if (settled.kind === "accepted") return ok(toldOf(settled));
      if (settled.kind === "rejected") return fail(settled.error);
      const isOutgrown = settled.kind === "outgrown";
      if (!isOutgrown && attempt >= limits.reinterpretationsMax)
        return fail(await recordRejection(submitting, settled.error, this.#context));
      const knewMore = interpreting.promised > interpreting.interpretedAt;
      await this.#context.ledgerEnd.caughtUp();
      interpreting = this.#interpret(unread, prunedTo, { submissionId, isFirst: false, isLate: isOutgrown });
      const read = await interpreting.outcome;
      assert(read, "what was plain is plain, and nobody else submits the same change meanwhile");
      const refusal =
        "refusal" in read
          ? fromInterpretFailure(read.refusal, plain, this.#context.packages)
          : isUnplaced(read.transaction)
            ? undefined
            : await unknownPartiesProblem(read.transaction, this.#context);
      // What lost to nothing but what its sender may have been told of is refused as if it had been found at once.
      if (refusal !== undefined) return fail(knewMore ? refusal : await recordRejection(submitting, refusal, this.#context));
      committed = await this.#commit(submitting, interpreting, (read as ReadSubmission).transaction, telling);
    }
  }
}

type Committed = Outcome<CommitOutcome>;

/** Undefined: it was not accepted, or not yet. */
const acceptedOf = ({ ok: outcome }: Committed): Outcome<Told> | undefined =>
  outcome?.kind === "accepted" ? ok(toldOf(outcome)) : undefined;

interface Attempt {
  /** "" = none yet. */
  readonly submissionId: string;
  /** What lost a race, or used what turned out not to be there, is interpreted again by what readers find. */
  readonly isFirst: boolean;
  /** Its records have to be made by the commit. */
  readonly isLate: boolean;
}

const firstAttempt: Attempt = { submissionId: "", isFirst: true, isLate: false };

interface Interpreting {
  readonly ledgerTime: bigint;
  readonly interpretedAt: Offset;
  /** What anybody may have been told of by then, while the engine did not find it yet. */
  readonly promised: Offset;
  readonly outcome: Promise<UnreadOutcome>;
}

const plain = { synchronizerId: "", disclosedContracts: [] };

const submittingOf = (
  facts: SubmissionFacts,
  trace: TraceContext,
  deduplication: EffectiveDeduplication,
  submittedAt: Offset,
): Submitting => ({
  submission: {
    actAs: facts.actAs,
    readAs: facts.readAs,
    commandId: facts.commandId,
    userId: facts.userId,
    workflowId: facts.workflowId,
    trace,
    ...plain,
  },
  actAs: facts.actAs,
  submissionId: facts.submissionId,
  changeKey: facts.changeKey,
  submittedAt,
  acceptance: undefined,
  deduplication,
});
