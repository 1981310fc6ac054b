/** A command's way to an offset: field rules, change id, interpretation, commit; again when it lost a race that another try may win. */
import { randomUUID } from "node:crypto";
import { answeredEarly } from "./answered-early.js";
import { bringTogether } from "./bring-together.js";
import { assert } from "../../base/assert.js";
import { randomBytes } from "../../base/random.js";
import type { Log } from "../../base/log.js";
import { fail, isFailure, ok } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";
import type { Committer, Impediments, LedgerEnd } from "../commit/index.js";
import {
  askedLedgerTime,
  changeKey,
  noPeriod,
  type Admission,
  type CommandSubmission,
  checkSubmission,
  refusalOfLarge,
  whileReading,
  whileRunning,
} from "../intake/index.js";
import {
  type Answer,
  inTextOnly,
  type LedgerClock,
  type LedgerErrorData,
  noCommonSynchronizer,
  type Offset,
  ofSubmission,
  type Party,
  type Synchronizer,
} from "../model/index.js";
import {
  type InterpretedTransaction,
  type Interpreter,
  isLarge,
  isUnplaced,
  type PackageChoosing,
  type RecordFacts,
  type UnplacedTransaction,
} from "../interpretation/index.js";
import { commitInterpreted, type Telling, type Told, toldLate, toldOf } from "./commit-interpreted.js";
import { contentionOf, type EarlierRefusal } from "./contention.js";
import { hold, takeUp } from "./held-transaction.js";
import type { InFlight, Place } from "./in-flight.js";
import { waitFor } from "./ledger-time.js";
import { lackedByOthers, packagesSeen } from "./hosted-vetting.js";
import {
  firstSubmitterProblem,
  foreignSubmittersProblem,
  informeesOf,
  submittersProblem,
  unknownPartiesProblem,
  unknownSubmittersProblem,
} from "./known-parties.js";
import { fromInterpretFailure, isUnchosen, notVetted, unvettedIn } from "./selection-errors.js";
import { type ChoosingContext, inPasses, type Tried } from "./selection-passes.js";
import type { Reassignments } from "./reassignments.js";
import { perhapsPrescribed, prescribedBy } from "./prescription.js";
import { recordFacts } from "./record-facts.js";
import { acceptanceOf, duplicateProblem, unknowablePeriod } from "./repetition.js";
import {
  candidatesFor,
  chosenAgainOn,
  findRoute,
  isChosenAgain,
  type Move,
  nowhereChosen,
  readableOn,
  type Route,
  type RoutingContext,
} from "./routing.js";
import { writtenProblem } from "./written-commands.js";
import { type CommitContext, commitRejection, type ExternallySigned, type Submitting } from "./transaction-commit.js";

export interface SubmissionContext extends CommitContext, RoutingContext, ChoosingContext {
  readonly participantId: string;
  readonly tables: Tables;
  readonly committer: Committer;
  readonly ledgerEnd: LedgerEnd;
  readonly interpreter: Interpreter;
  readonly inFlight: InFlight;
  readonly clock: LedgerClock;
  readonly impediments: Impediments;
  /** By which contracts come to where a transaction has to be. */
  readonly reassignments: Reassignments;
  readonly log: Log;
  readonly turns: Turns;
  readonly pruning: { readonly offset: Offset };
  /** Aborts when the ledger closes. */
  readonly closing: AbortSignal;
}

interface Begun extends Submitting {
  readonly submission: CommandSubmission;
  /** When it came, microseconds. */
  readonly cameAt: bigint;
  readonly place: Place;
  /** The ledger time that it asks for, where that lies ahead. */
  readonly heldUntil: bigint | undefined;
  readonly telling: Telling;
  /** Its records have to be made by the commit. */
  readonly isLate?: boolean;
}

/** `refused`: nobody else hears of it; `rejected`: a completion tells of it. */
type Readied =
  | { readonly kind: "ready"; readonly begun: Begun; readonly interpreted: Interpreted }
  | { readonly kind: "refused"; readonly error: LedgerErrorData }
  | { readonly kind: "rejected"; readonly error: LedgerErrorData };

interface Interpreted {
  readonly transaction: InterpretedTransaction | UnplacedTransaction;
  readonly ledgerTime: bigint;
  readonly interpretedAt: Offset;
  /** Number of the one where it is to be, and what has to move there first. */
  readonly synchronizer: number;
  readonly moves: readonly Move[];
}

interface InterpretationAim {
  /** Its number. */
  readonly synchronizer: number;
  readonly ledgerTime: bigint;
  readonly choosing: PackageChoosing | undefined;
}

export class Submissions {
  readonly #context: SubmissionContext;
  constructor(context: SubmissionContext) {
    this.#context = context;
  }

  /** `refusal`: what the engine said when it interpreted it already. */
  submit(
    submission: CommandSubmission,
    admission: Admission | undefined,
    refusal: EarlierRefusal | undefined,
    telling: Telling,
  ): Answer<Told> {
    const submittedAt = refusal?.submittedAt ?? this.#context.ledgerEnd.promised;
    return this.#inPlace({ submission, submittedAt, telling }, admission, async (began) => {
      const readied = await this.#ready(began, refusal);
      return readied.kind === "ready" ? this.#commit(readied.begun, readied.interpreted) : fail(readied.error);
    });
  }

  /** The same, but answers before the commit, which a completion tells of. */
  submitAsync(submission: CommandSubmission, admission: Admission | undefined): Answer<void> {
    return answeredEarly(this.#context.log, (answer) =>
      this.#inPlace({ submission, submittedAt: this.#context.ledgerEnd.promised, telling: toldLate }, admission, async (began) => {
        const readied = await this.#ready(began);
        if (readied.kind === "refused") return fail(readied.error);
        if (readied.kind === "rejected") return ok(undefined);
        answer(ok(undefined));
        await this.#commit(readied.begun, readied.interpreted);
        return ok(undefined);
      }),
    );
  }

  /** Up to the commit. */
  #ready(began: Begun, refusal?: EarlierRefusal): Promise<Readied> {
    return began.heldUntil === undefined ? this.#readyNow(began, refusal) : this.#readyLater(began, began.heldUntil);
  }

  async #readyNow(begun: Begun, refusal: EarlierRefusal | undefined): Promise<Readied> {
    const duplicate = duplicateProblem(begun, this.#context);
    if (duplicate) return this.#reject(begun, duplicate);
    const interpreted =
      refusal === undefined
        ? await this.#interpret(begun)
        : fail(fromInterpretFailure(refusal.said, begun.submission, this.#context.packages));
    if (!isFailure(interpreted)) return this.#readyAt(begun, interpreted.ok);
    const contention = contentionOf(interpreted.error, begun, this.#context);
    return contention ? this.#reject(begun, contention) : this.#refused(interpreted.error, begun);
  }

  /** As in Canton it is interpreted before it waits, and then held against what was accepted, also meanwhile. */
  async #readyLater(began: Begun, time: bigint): Promise<Readied> {
    const interpreted = await this.#interpret(began);
    if (isFailure(interpreted)) return this.#refused(interpreted.error, began);
    const reached = await this.#hold(began, time, interpreted.ok);
    if (isFailure(reached)) return this.#refused(reached.error, began);
    const begun = {
        ...began,
        heldUntil: undefined,
        submittedAt: this.#context.ledgerEnd.promised, // what was recorded meanwhile was not beside it
        ...acceptanceOf(began.submission, began.changeKey, this.#context),
      },
      duplicate = duplicateProblem(begun, this.#context);
    return duplicate ? this.#reject(begun, duplicate) : this.#readyAt(begun, reached.ok);
  }

  async #readyAt(begun: Begun, interpreted: Interpreted): Promise<Readied> {
    const untold = unknowablePeriod(begun, this.#context);
    if (untold) return this.#reject({ ...begun, deduplication: noPeriod }, untold);
    const unmoved = await this.#move(begun, interpreted);
    return unmoved ? { kind: "refused", error: unmoved } : { kind: "ready", begun, interpreted };
  }

  /** Until its ledger time; it takes neither a place nor a thread nor a snapshot meanwhile. */
  async #hold({ submission, place }: Begun, time: bigint, { transaction, ...interpreted }: Interpreted): Answer<Interpreted> {
    assert(!isUnplaced(transaction), "records are not made early of what is held");
    const { turns } = this.#context,
      held = await turns.through(hold(transaction)),
      refusal = await waitFor(time, place, held.bytes + bytesOf(submission), this.#context);
    return refusal ? fail(refusal) : ok({ ...interpreted, transaction: await turns.through(takeUp(held)) });
  }

  /** Field rules, then `work` in a place among the commands in flight. */
  async #inPlace<T>(
    { submission, ...coming }: Pick<Begun, "submission" | "submittedAt" | "telling">,
    admission: Admission | undefined,
    work: (begun: Begun) => Answer<T>,
  ): Answer<T> {
    const submissionId = submission.submissionId || randomUUID();
    const unfit = isLarge(submission.disclosedContracts) ? await refusalOfLarge(submission, this.#context) : undefined;
    if (unfit) return fail(ofSubmission(whileReading(unfit), submissionId));
    const misfit = checkSubmission(submission, this.#context);
    if (misfit) return fail(ofSubmission(whileReading(misfit), submissionId));
    const unfitting = firstSubmitterProblem(submission, this.#context);
    if (unfitting) return fail(ofSubmission(whileReading((await writtenProblem(submission, this.#context)) ?? unfitting), submissionId));
    const impeded = this.#context.impediments.refusal();
    if (impeded) return fail(ofSubmission(impeded, submissionId));
    const actAs = [...new Set(submission.actAs)],
      change = { userId: submission.userId, commandId: submission.commandId, actAs },
      key = changeKey(change);
    const place = this.#context.inFlight.enter(
      { key, change, submissionId, synchronizerId: submission.synchronizerId || this.#context.synchronizers.first.id },
      admission,
    );
    if (isFailure(place)) return fail(ofSubmission(place.error, submissionId));
    return place.ok.during(() => {
      const now = this.#context.clock.nowMicros(),
        asked = askedLedgerTime(submission, now);
      return work({
        submission,
        cameAt: now,
        actAs,
        submissionId,
        changeKey: key,
        ...acceptanceOf(submission, key, this.#context),
        place: place.ok,
        heldUntil: asked > now ? asked : undefined,
        ...coming,
      });
    });
  }

  #refused(error: LedgerErrorData, { submission, submissionId, cameAt: submittedAt }: Begun): Readied {
    const { longest } = this.#context.acceptances.timesAt(submittedAt),
      logged = whileRunning(error, submission, { submissionId, submittedAt, longest });
    return { kind: "refused", error: ofSubmission(logged, submissionId) };
  }

  async #reject(begun: Begun, error: LedgerErrorData): Promise<Readied> {
    return { kind: "rejected", error: ofSubmission(await recordRejection(begun, error, this.#context), begun.submissionId) };
  }

  /** On each synchronizer where it may be, until it can be on one: what is vetted, and so what it does, may differ. */
  async #interpret(submitting: Begun): Answer<Interpreted> {
    const { submission, actAs, heldUntil } = submitting,
      { synchronizers, clock } = this.#context,
      now = clock.nowMicros(),
      time = heldUntil ?? now;
    if (synchronizers.all.length === 1) {
      const interpreted = await this.#interpretOn(0, submitting, time),
        prescribed = isFailure(interpreted) ? interpreted : prescribedBy(submission, interpreted.ok.transaction.inputs, synchronizers);
      return isFailure(prescribed) ? prescribed : interpreted;
    }
    const own = synchronizers.find(submission.synchronizerId),
      perhaps = perhapsPrescribed(submission, synchronizers),
      candidates = this.#context.packages.newestFirst(candidatesFor(actAs, own, this.#context), now, submission.commands);
    const unchosen = new Map<Synchronizer, LedgerErrorData>();
    let refusal: LedgerErrorData | undefined, chosenOn: readonly Synchronizer[] | undefined;
    for (const [index, candidate] of [...perhaps, ...candidates].entries()) {
      const interpreted = await this.#interpretOn(candidate.number, submitting, time);
      if (isFailure(interpreted)) {
        refusal ??= interpreted.error;
        if (isUnchosen(interpreted.error)) unchosen.set(candidate, interpreted.error);
        continue;
      }
      const prescribed = prescribedBy(submission, interpreted.ok.transaction.inputs, synchronizers);
      if (isFailure(prescribed)) return prescribed;
      if (prescribed.ok !== candidate && (prescribed.ok !== undefined || index < perhaps.length)) continue;
      const route = await this.#findRoute(submission, withEvents(interpreted.ok), time, prescribed.ok);
      if (!isFailure(route)) return ok({ ...interpreted.ok, ...route.ok });
      // Who could be there tells more than what could not be interpreted elsewhere.
      if (chosenOn === undefined) refusal = route.error;
      chosenOn ??= await this.#chosenAgainOn(candidates, submission, withEvents(interpreted.ok));
    }
    return fail(nowhereChosen(chosenOn, unchosen) ?? refusal ?? noCommonSynchronizer(actAs, synchronizers));
  }

  async #chosenAgainOn(
    candidates: readonly Synchronizer[],
    submission: CommandSubmission,
    transaction: InterpretedTransaction,
  ): Promise<readonly Synchronizer[]> {
    const informees = await informeesOf(transaction, this.#context.turns);
    return chosenAgainOn(candidates, { submission, informees, usedPackages: transaction.usedPackages }, this.#context);
  }

  async #findRoute(
    submission: CommandSubmission,
    transaction: InterpretedTransaction,
    ledgerTime: bigint,
    prescribed: Synchronizer | undefined,
  ): Answer<Route> {
    const { actAs, readAs, disclosedContracts } = submission,
      { inputs, usedPackages } = transaction,
      informees = await informeesOf(transaction, this.#context.turns);
    return findRoute(
      {
        submitters: [...new Set(actAs)].sort(),
        informees,
        inputs,
        usedPackages,
        ledgerTime,
        prescribed,
        isNamed: submission.synchronizerId !== "",
        readers: [...new Set([...actAs, ...readAs])].sort(),
        disclosed: new Set(disclosedContracts.map(({ contractId }) => contractId)),
        lackedByOthers: (synchronizer) => lackedByOthers(transaction, { synchronizer, ledgerTime }, this.#context),
        isChosenAgain: (told) => isChosenAgain({ submission, informees: told, usedPackages }, this.#context),
      },
      this.#context,
    );
  }

  #interpretOn(synchronizer: number, submitting: Begun, ledgerTime: bigint): Answer<Interpreted> {
    const { submission, cameAt, heldUntil } = submitting,
      at = heldUntil === undefined ? ledgerTime : cameAt;
    return inPasses({ submission, synchronizer, at, ledgerTime }, this.#context, (choosing) =>
      this.#try(submitting, { synchronizer, ledgerTime, choosing }),
    );
  }

  /** Perhaps one of several tries: others may see something of it, and have to have vetted that. */
  async #try(begun: Begun, aim: InterpretationAim): Promise<Tried<Interpreted>> {
    const { submission } = begun,
      interpretedAt = this.#context.ledgerEnd.offset,
      result = await this.#ask(begun, aim);
    if (isFailure(result))
      return { outcome: fail(fromInterpretFailure(result.error, submission, this.#context.packages)), seen: unvettedIn(result.error) };
    const { synchronizer, ledgerTime } = aim,
      interpreted: Interpreted = { transaction: result.ok, ledgerTime, interpretedAt, synchronizer, moves: [] };
    if (isUnplaced(result.ok)) return { outcome: ok(interpreted), seen: undefined };
    const outcome = await this.#ofKnownParties(begun, interpreted);
    if (isFailure(outcome)) return { outcome, seen: undefined };
    const transaction = withEvents(outcome.ok),
      lacking = await lackedByOthers(transaction, aim, this.#context);
    if (lacking === undefined) return { outcome, seen: undefined };
    const isBound = transaction.inputs.length > 0 || submission.synchronizerId !== "";
    return { outcome: fail(inTextOnly(notVetted(lacking, isBound))), seen: await this.#context.turns.through(packagesSeen(transaction)) };
  }

  #ask(begun: Begun, { synchronizer, ledgerTime, choosing }: InterpretationAim): ReturnType<Interpreter["interpret"]> {
    const { actAs, submission } = begun;
    return this.#context.interpreter.interpret({
      actAs,
      readAs: submission.readAs,
      commands: submission.commands,
      disclosed: submission.disclosedContracts.map((contract) => contract.createdEventBlob),
      packageIdSelectionPreference: submission.packageIdSelectionPreference,
      selectionPassesMax: submission.selectionPassesMax,
      keyHints: submission.keyHints,
      choosing,
      synchronizer,
      readableOn: readableOn(submission, this.#context),
      ledgerTime,
      submissionSeed: randomBytes(32),
      atOffset: this.#context.ledgerEnd.offset,
      packagesRevision: this.#context.packages.revision,
      participantId: this.#context.participantId,
      facts: this.#recordFacts(begun),
      traceparent: submission.trace.traceparent,
    });
  }

  async #ofKnownParties({ actAs, submission }: Begun, interpreted: Interpreted): Answer<Interpreted> {
    const transaction = withEvents(interpreted),
      problem = await this.#partiesProblem(actAs, transaction);
    return problem ? fail(await this.#lastRefusal(problem, submission, transaction)) : ok(interpreted);
  }

  async #partiesProblem(actAs: readonly Party[], transaction: InterpretedTransaction): Promise<LedgerErrorData | undefined> {
    return (
      unknownSubmittersProblem(actAs, this.#context)
      ?? (await unknownPartiesProblem(transaction, this.#context))
      ?? (this.#context.synchronizers.all.length > 1 ? undefined : foreignSubmittersProblem(actAs, this.#context))
    );
  }

  /** As of a route: of parties that are not told of it, and are found only where it is sent. */
  async #lastRefusal(
    problem: LedgerErrorData,
    submission: CommandSubmission,
    transaction: InterpretedTransaction,
  ): Promise<LedgerErrorData> {
    const informees = await informeesOf(transaction, this.#context.turns),
      { usedPackages } = transaction,
      told = [...new Set(submission.actAs)].sort().filter((party) => informees.has(party));
    if (!isChosenAgain({ submission, informees, usedPackages }, this.#context)) return inTextOnly(problem);
    return (await this.#partiesProblem(told, transaction)) ?? inTextOnly(problem);
  }

  /**
   * Where others may see something of it too, it may have to be elsewhere, others may be accepted before it, or it is refused for whom it
   * is, records are not made before that is known.
   */
  #recordFacts(begun: Begun): RecordFacts | undefined {
    if (begun.isLate === true || begun.heldUntil !== undefined) return undefined;
    return submittersProblem(begun, this.#context) === undefined ? recordFacts(begun, this.#context) : undefined;
  }

  /** `first`: its contracts are where it has to be. */
  async #commit(submitting: Begun, first: Interpreted): Answer<Told> {
    let interpreted = first;
    for (let attempt = 0; ; attempt++) {
      const { transaction, ledgerTime, interpretedAt, synchronizer } = interpreted;
      const toCommit = { submitting, transaction, synchronizer, ledgerTime, keysReadAt: interpretedAt, external: undefined };
      const outcome = await commitInterpreted(toCommit, submitting.telling, this.#context);
      if (isFailure(outcome)) return outcome;
      const settled = outcome.ok;
      if (settled.kind === "accepted") return ok(toldOf(settled));
      if (settled.kind === "rejected") return fail(settled.error);
      await this.#context.ledgerEnd.caughtUp();
      if (settled.kind === "outgrown") {
        const late = await this.#interpret({ ...submitting, isLate: true });
        if (isFailure(late)) return fail(await recordRejection(submitting, late.error, this.#context));
        interpreted = late.ok;
        continue;
      }
      if (attempt >= limits.reinterpretationsMax) return fail(await recordRejection(submitting, settled.error, this.#context));
      const again = await this.#interpret(submitting);
      const refusal = isFailure(again) ? again.error : await this.#move(submitting, again.ok);
      if (isFailure(again) || refusal) return fail(await recordRejection(submitting, refusal!, this.#context));
      interpreted = again.ok;
    }
  }

  async #move({ submission, submissionId }: Begun, { moves, synchronizer }: Interpreted): Promise<LedgerErrorData | undefined> {
    return moves.length === 0 ? undefined : bringTogether({ moves, synchronizer }, { ...submission, submissionId }, this.#context);
  }
}

/** Of a submission that was on its way: its end has to be seen by readers of completions. Gives what the submitter is told. */
export async function recordRejection(
  submitting: Submitting,
  error: LedgerErrorData,
  context: CommitContext & Pick<SubmissionContext, "committer">,
  external?: ExternallySigned,
): Promise<LedgerErrorData> {
  const outcome = await context.committer.commit((group) => commitRejection(group, { submitting, external }, error, context));
  return isFailure(outcome) ? outcome.error : error;
}

function withEvents({ transaction }: Interpreted): InterpretedTransaction {
  assert(!isUnplaced(transaction), "records are made early only where nobody asks for events");
  return transaction;
}

/** What is kept of one that waits, in case that it has to be interpreted again. */
const bytesOf = ({ commands, disclosedContracts }: CommandSubmission): number =>
  disclosedContracts.reduce((bytes, { createdEventBlob }) => bytes + createdEventBlob.length, commands.length);
