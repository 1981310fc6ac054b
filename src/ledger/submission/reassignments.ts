/** Moving contracts from one synchronizer to another: an unassignment, and later an assignment, each an update of its own. */
import { randomUUID } from "node:crypto";
import { microsOf } from "../../base/clock.js";
import { randomHex } from "../../base/random.js";
import type { Log } from "../../base/log.js";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";
import type { Committer, Impediments } from "../commit/index.js";
import { isActive, readReassignment, type Reassignment, type TemplateNames } from "../records/index.js";
import { type Answer, ledgerError, type LedgerErrorData, type Outcome, type Party, shortIdentifier } from "../model/index.js";
import type { NetworkMember } from "../topology/index.js";
import { answeredEarly } from "./answered-early.js";
import {
  type Accepted,
  type Admission,
  type Assign,
  checkReassignment,
  whileReading,
  reassignmentRefused,
  type ReassignmentSubmission,
  type Unassign,
} from "../intake/index.js";
import type { InFlight, Place } from "./in-flight.js";
import { findMoved, findSignatories, type KnownContract, type MovedContract } from "./moved-contracts.js";
import {
  alreadyAssigned,
  type Assignment,
  commitAssignment,
  commitUnassignment,
  type ReassigningCommand,
  type ReassignmentOutcome,
  type Unassignment,
} from "./reassignment-commit.js";
import {
  findActive,
  hostingProblem,
  type Stake,
  stakeholdersProblem,
  type UnassignmentContext,
  unknownContract,
} from "./unassignment-checks.js";

/** Another participant: what was sent there is known there. */
type NeighbourOfReassignments = NetworkMember & { readonly tables: Pick<Tables, "completions"> };

export interface ReassigningContext extends UnassignmentContext {
  readonly committer: Committer;
  readonly templates: TemplateNames;
  readonly impediments: Impediments;
  readonly inFlight: InFlight;
  readonly turns: Turns;
  readonly log: Log;
  readonly others: readonly NeighbourOfReassignments[];
}

type Step =
  { readonly kind: "unassign"; readonly unassignment: Unassignment } | { readonly kind: "assign"; readonly assignment: Assignment };

const exclusivityMicros = microsOf(limits.assignmentExclusivitySeconds);
const reassignmentIdPrefix = "001220",
  reassignmentIdBytes = 32;

export class Reassignments {
  readonly #context: ReassigningContext;
  readonly #onUnassigned: (reassignmentId: string) => void;
  /** Those whose outcome somebody waits for. */
  readonly #awaited = new Set<string>();
  #begun = 0;

  /** `onUnassigned`: told of what somebody has to assign. */
  constructor(context: ReassigningContext, onUnassigned: (reassignmentId: string) => void) {
    this.#context = context;
    this.#onUnassigned = onUnassigned;
  }

  /** Resolves when the update is durable. By its completion nobody could tell it from another that is named alike. */
  async submit(submission: ReassignmentSubmission, admission: Admission | undefined): Answer<Accepted> {
    const problem = this.#problem(submission),
      key = keyOf(submission);
    if (problem) return fail(problem);
    if (this.#awaited.has(key)) return fail(ledgerError("SUBMISSION_ALREADY_IN_FLIGHT", "The submission is already in-flight"));
    const place = this.#enter(submission, admission);
    if (isFailure(place)) return place;
    this.#awaited.add(key);
    try {
      return await place.ok.during(async () => {
        const step = await this.#prepare(submission);
        return isFailure(step) ? step : await this.run(step.ok);
      });
    } finally {
      this.#awaited.delete(key);
    }
  }

  /** The same, but answers once nothing speaks against it; what follows is told by a completion. */
  submitAsync(submission: ReassignmentSubmission, admission: Admission | undefined): Answer<void> {
    return answeredEarly(this.#context.log, async (answer) => {
      const problem = this.#problem(submission);
      if (problem) return fail(problem);
      const place = this.#enter(submission, admission);
      if (isFailure(place)) return place;
      return place.ok.during(async () => {
        const step = await this.#prepare(submission);
        if (isFailure(step)) return step;
        answer(ok(undefined));
        await this.run(step.ok);
        return ok(undefined);
      });
    });
  }

  /** Nothing is in its way but that there are too many: a reassignment is no change that could be repeated. */
  #enter({ userId, commandId, submissionId, submitter }: ReassignmentSubmission, admission: Admission | undefined): Outcome<Place> {
    const { inFlight, synchronizers } = this.#context,
      change = { userId, commandId, actAs: [submitter] };
    return inFlight.enter(
      { key: `reassignment ${++this.#begun}`, change, submissionId, synchronizerId: synchronizers.first.id },
      admission,
    );
  }

  /** Both halves, for contracts with the same stakeholders and signatories; durable. */
  async move(moves: readonly Unassign[], reassigning: ReassigningCommand): Answer<Accepted> {
    const { turns, tables } = this.#context,
      unassignment = await turns.through(this.#prepareUnassignment(moves, reassigning));
    if (isFailure(unassignment)) return unassignment;
    const unassigned = await this.run(unassignment.ok);
    if (isFailure(unassigned)) return unassigned;
    const { reassignmentId } = unassignment.ok.unassignment,
      entry = readReassignment(tables, reassignmentId),
      assignment = await this.prepareAssignment(reassignmentId, entry!, reassigning);
    return isFailure(assignment) ? assignment : this.run({ kind: "assign", assignment: assignment.ok });
  }

  /** Which of the parties may move an active contract to a synchronizer, or why none of them can. */
  moverOf(
    { contractId, stakeholders, signatories }: Stake & { readonly contractId: string },
    target: number,
    parties: readonly Party[],
  ): Result<Party, string> {
    const state = this.#context.contracts.find(contractId),
      isHosted = (party: Party, synchronizer: number): boolean =>
        this.#context.parties.get(party)?.hostedOn.includes(synchronizer) === true;
    if (state === undefined || !isActive(state)) return fail(`Contract ${contractId} is not active`);
    const problem = hostingProblem({ stakeholders, signatories }, state.synchronizer, target, this.#context);
    if (problem !== undefined) return fail(problem);
    const mover = parties.find((party) => stakeholders.includes(party) && isHosted(party, state.synchronizer) && isHosted(party, target));
    return mover === undefined ? fail(`Nobody who acts or reads may move contract ${contractId}`) : ok(mover);
  }

  /** By the contracts' ids; of what was archived and pruned meanwhile there are none. */
  signatoriesOf(contracts: readonly KnownContract[]): Promise<ReadonlyMap<string, readonly Party[]>> {
    return this.#context.turns.through(findSignatories(contracts, this.#context));
  }

  #problem(submission: ReassignmentSubmission): LedgerErrorData | undefined {
    const problem = checkReassignment(submission);
    return problem ? whileReading(problem) : this.#context.impediments.refusal();
  }

  #prepare(submission: ReassignmentSubmission): Answer<Step> {
    const { submitter, workflowId, commandId, trace, userId } = submission,
      [first] = submission.commands as readonly (Assign | Unassign)[];
    const completion = { userId, submissionId: submission.submissionId || randomUUID() };
    const reassigning = { submitter, workflowId, commandId, trace, completion };
    return first!.kind === "assign"
      ? this.#prepareAssignment(first!, reassigning)
      : this.#context.turns.through(this.#prepareUnassignment(submission.commands as readonly Unassign[], reassigning));
  }

  async run(step: Step): Answer<Accepted> {
    const { committer } = this.#context;
    const outcome = await committer.commitInSteps((group): Steps<ReassignmentOutcome> =>
      step.kind === "unassign"
        ? commitUnassignment(group, step.unassignment, this.#context)
        : commitAssignment(group, step.assignment, this.#context),
    );
    if (isFailure(outcome)) return outcome;
    if (outcome.ok.kind === "rejected") return fail(outcome.ok.error);
    const { updateId, offset } = outcome.ok;
    if (step.kind === "unassign") this.#onUnassigned(step.unassignment.reassignmentId);
    return ok({ updateId, completionOffset: offset });
  }

  /** In the order in which Canton's participant finds what is wrong. */
  *#prepareUnassignment(
    commands: readonly Unassign[],
    reassigning: ReassigningCommand,
  ): Steps<Outcome<Extract<Step, { kind: "unassign" }>>> {
    const [first] = commands,
      { synchronizers } = this.#context,
      source = synchronizers.find(first!.source),
      target = synchronizers.find(first!.target);
    if (!source || !target) return fail(notConnected(source ? first!.target : first!.source));
    const ids = commands.map(({ contractId }) => contractId);
    if (source.number === target.number)
      return fail(reassignmentRefused(`Cannot unassign contracts ${ids.join(", ")}: source and target synchronizers are the same`));
    const active: KnownContract[] = [];
    for (const contractId of ids) {
      yield;
      const state = findActive(contractId, source, this.#context);
      if (isFailure(state)) return state;
      active.push({ contractId, state: state.ok });
    }
    const found = yield* findMoved(active, this.#context),
      missing = found.indexOf(undefined);
    if (missing >= 0) return fail(unknownContract(ids[missing]!));
    const contracts = found as readonly MovedContract[],
      problem = yield* stakeholdersProblem(contracts, { source, target }, reassigning.submitter, ids, this.#context);
    if (problem) return fail(problem);
    const reassignmentId = `${reassignmentIdPrefix}${randomHex(reassignmentIdBytes)}`;
    return ok({
      kind: "unassign",
      unassignment: { reassigning, reassignmentId, source: source.number, target: target.number, contracts, exclusivityMicros },
    });
  }

  async #prepareAssignment({ reassignmentId, target }: Assign, reassigning: ReassigningCommand): Answer<Step> {
    const { synchronizers, tables, parties, participantId } = this.#context,
      synchronizer = synchronizers.find(target);
    if (!synchronizer) return fail(notConnected(target));
    const entry = readReassignment(tables, reassignmentId.toLowerCase());
    const missing = (why: string): { readonly error: LedgerErrorData } =>
      fail(reassignmentRefused(`Cannot find reassignment data for reassignment ${reassignmentId}: ${why}`));
    if (entry?.target !== synchronizer.number) return missing("unknown reassignment id");
    if (entry.assignedOffset !== undefined) return missing("reassignment already completed");
    const assignment = await this.prepareAssignment(reassignmentId.toLowerCase(), entry, reassigning);
    if (isFailure(assignment)) return assignment;
    const what = `Submission failed because: For assignment ${reassignmentId}`,
      { submitter } = reassigning;
    if (!assignment.ok.contracts[0]!.created.stakeholders.includes(submitter))
      return fail(reassignmentRefused(`${what}: submitter \`${submitter}\` is not a stakeholder.`));
    if (!parties.get(submitter)!.hostedOn.includes(synchronizer.number))
      return fail(reassignmentRefused(`${what}: ${submitter} is not hosted on ${shortIdentifier(participantId)}`));
    return ok({ kind: "assign", assignment: assignment.ok });
  }

  /** Of a reassignment that is under way. */
  prepareAssignment(reassignmentId: string, { contractIds }: Reassignment, reassigning: ReassigningCommand): Answer<Assignment> {
    return this.#context.turns.through(this.#findAssigned(reassignmentId, contractIds, reassigning));
  }

  /** What somebody else assigns between two steps may be archived and pruned before the last of them. */
  *#findAssigned(reassignmentId: string, contractIds: readonly string[], reassigning: ReassigningCommand): Steps<Outcome<Assignment>> {
    const leaving: KnownContract[] = [];
    for (const contractId of contractIds) {
      yield;
      const state = this.#context.contracts.find(contractId);
      if (state === undefined) return fail(alreadyAssigned(reassignmentId));
      leaving.push({ contractId, state: { ...state, reassignmentCounter: state.reassignmentCounter + 1 } });
    }
    const contracts = yield* findMoved(leaving, this.#context);
    return contracts.includes(undefined)
      ? fail(alreadyAssigned(reassignmentId))
      : ok({ reassigning, reassignmentId, contracts: contracts as readonly MovedContract[] });
  }
}

const keyOf = ({ userId, commandId, submissionId, submitter }: ReassignmentSubmission): string =>
  JSON.stringify([userId, commandId, submissionId, submitter]);

const notConnected = (id: string): LedgerErrorData =>
  reassignmentRefused(`Unable to resolve ${shortIdentifier(id)} to a connected physical synchronizer id`);
