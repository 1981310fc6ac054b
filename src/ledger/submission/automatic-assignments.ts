/**
 * Assigns what nobody assigned: when the exclusivity of a reassignment ends, and the party that began it has not finished it, every
 * participant that sees both ends tries to, for a stakeholder for whom it may submit: first the one where it was unassigned. Whoever does
 * it does so by the command that unassigned, and tells of it by a completion. A contract is not to be lost on its way.
 */
import { timerMsMax } from "../../base/clock.js";
import { stackOf } from "../../base/error-text.js";
import type { Log, LogFields } from "../../base/log.js";
import { isFailure } from "../../base/result.js";
import { randomHex } from "../../base/random.js";
import { limits } from "../../config.js";
import { offsetTold, type TraceContext } from "../model/index.js";
import {
  acceptedUpdateId,
  type CompletionMarks,
  decodeCompletion,
  decodeUpdate,
  readReassignment,
  type Reassignment,
} from "../records/index.js";
import type { ReassigningContext, Reassignments } from "./reassignments.js";
import type { ReassigningCommand } from "./reassignment-commit.js";
import { reassignmentsUnderWay } from "./under-way.js";

/** So long a participant leaves it to the one where it was unassigned. */
const standBackMicros = 500_000n;

interface Due {
  /** Ledger time in microseconds. */
  readonly at: bigint;
  /** Until it is tried again where it is refused then. */
  readonly retryMs: number;
}
interface ToldReassignment {
  readonly update: { readonly Reassignment: { readonly value: { readonly traceContext: TraceContext | null } } };
}
interface ToldCompletion {
  readonly completionResponse: { readonly Completion: { readonly value: { readonly commandId: string; readonly userId: string } } };
}
const untraced: TraceContext = { traceparent: null, tracestate: null },
  spanIdBytes = 8;

export class AutomaticAssignments {
  readonly #context: ReassigningContext;
  readonly #log: Log;
  /** Those under way alone. */
  readonly #due = new Map<string, Due>();
  /** When the first of them is, by the timer that waits for it. */
  #nextAt: bigint | undefined;
  #reassignments: Reassignments | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #running: Promise<void> = Promise.resolve();

  constructor(context: ReassigningContext) {
    this.#context = context;
    this.#log = context.log;
  }

  /** From now on; also what was under way before. */
  begin(reassignments: Reassignments): void {
    this.#reassignments = reassignments;
    for (const { reassignmentId, entry } of reassignmentsUnderWay(this.#context.tables)) this.#wait(reassignmentId, this.#dueAt(entry));
    this.#context.clock.onMove(() => this.#schedule());
    this.#schedule();
  }

  /** Somebody unassigned something, here or at another participant. */
  hear(reassignmentId: string): void {
    const entry = readReassignment(this.#context.tables, reassignmentId);
    if (entry === undefined) return; // this participant does not see where it goes
    const at = this.#dueAt(entry);
    this.#wait(reassignmentId, at);
    if (this.#nextAt === undefined || at < this.#nextAt) this.#schedule();
  }

  #wait(reassignmentId: string, at: bigint, retryMs: number = limits.assignmentRetryMs): void {
    this.#due.set(reassignmentId, { at, retryMs });
  }

  /** Ledger time in microseconds. */
  #dueAt(entry: Reassignment): bigint {
    return this.#completionHere(entry) === undefined ? entry.exclusiveUntil + standBackMicros : entry.exclusiveUntil;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#nextAt = undefined;
    if (this.#isClosed) return;
    for (const { at } of this.#due.values()) if (this.#nextAt === undefined || at < this.#nextAt) this.#nextAt = at;
    if (this.#nextAt === undefined) return;
    const waitMs = Number((this.#nextAt - this.#context.clock.nowMicros()) / 1_000n) + 1;
    this.#timer = setTimeout(
      () => {
        this.#running = this.#running.then(() => this.#run());
      },
      Math.min(Math.max(waitMs, 0), timerMsMax),
    );
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    const now = this.#context.clock.nowMicros();
    for (const [reassignmentId, { at, retryMs }] of this.#due) {
      if (this.#isClosed) return;
      if (at > now) continue;
      this.#due.delete(reassignmentId);
      const refusal = await this.#assign(reassignmentId).catch((error: unknown) => ({ error: stackOf(error) }));
      if (refusal === undefined) continue;
      this.#log.error("a contract could not be assigned after its exclusivity", { reassignmentId, ...refusal });
      this.#wait(
        reassignmentId,
        this.#context.clock.nowMicros() + BigInt(retryMs) * 1_000n,
        Math.min(2 * retryMs, limits.assignmentRetryMaxMs),
      );
    }
    this.#schedule();
  }

  /** Why it is still on its way though this participant should have assigned it, for the log. */
  async #assign(reassignmentId: string): Promise<LogFields | undefined> {
    const { tables, parties, synchronizers } = this.#context,
      entry = readReassignment(tables, reassignmentId);
    if (entry === undefined || entry.assignedOffset !== undefined) return undefined; // by a command, or pruned since
    if (!synchronizers.isConnectedTo(entry.target)) return undefined; // a start that finds it connected does
    const reassigning = { workflowId: "", ...this.#commandOf(entry), trace: this.#traceOf(entry), isOwnAttempt: true } as const;
    const found = await this.#reassignments!.prepareAssignment(reassignmentId, entry, {
      ...reassigning,
      submitter: parties.byNumber(entry.submitter).party,
    });
    if (isFailure(found)) return undefined; // somebody else assigned it meanwhile
    const submitter = found.ok.contracts[0]!.created.stakeholders.find((party) => {
      const { hostedOn, isExternal } = parties.get(party)!;
      return hostedOn.includes(entry.target) && !isExternal;
    });
    if (submitter === undefined) return undefined; // who signs for himself assigns himself, too
    const assigned = await this.#reassignments!.run({
      kind: "assign",
      assignment: { ...found.ok, reassigning: { ...reassigning, submitter } },
    });
    if (!isFailure(assigned) || assigned.error.code === "ASSIGNMENT_ALREADY_COMPLETED") return undefined;
    return { reason: assigned.error.cause };
  }

  /** Of the command that unassigned; none once the participant where it was sent has pruned what it knew of it. */
  #commandOf(entry: Reassignment): Pick<ReassigningCommand, "commandId" | "completion"> {
    const marks = this.#completionHere(entry) ?? this.#completionElsewhere(entry);
    if (marks === undefined) return { commandId: "", completion: undefined };
    const { bytes, start, end } = marks,
      told = JSON.parse(bytes.toString("utf8", start, end)) as ToldCompletion;
    const { commandId, userId } = told.completionResponse.Completion.value;
    return { commandId, completion: { userId, submissionId: "" } };
  }

  #completionHere({ unassignedOffset }: Reassignment): CompletionMarks | undefined {
    const record = this.#context.tables.completions.read(unassignedOffset);
    return record && decodeCompletion(record, unassignedOffset);
  }

  /** Of what another participant sent: the update's id tells at which offset of its. */
  #completionElsewhere({ unassignedOffset }: Reassignment): CompletionMarks | undefined {
    const { tables, others } = this.#context,
      update = tables.updates.read(unassignedOffset);
    if (update === undefined) return undefined;
    const { updateId } = decodeUpdate(update, unassignedOffset),
      offset = offsetTold(updateId);
    for (const other of others) {
      const record = other.tables.completions.read(offset),
        marks = record && decodeCompletion(record, offset);
      if (marks !== undefined && acceptedUpdateId(marks) === updateId) return marks;
    }
    return undefined;
  }

  /** A part of the trace of the unassignment. */
  #traceOf({ unassignedOffset }: Reassignment): TraceContext {
    const record = this.#context.tables.updates.read(unassignedOffset);
    if (record === undefined) return untraced;
    const { bytes, start, end } = decodeUpdate(record, unassignedOffset),
      told = JSON.parse(bytes.toString("utf8", start, end)) as ToldReassignment;
    const { traceparent, tracestate } = told.update.Reassignment.value.traceContext ?? untraced,
      [version, traceId, , flags] = traceparent?.split("-") ?? [];
    return flags === undefined ? untraced : { traceparent: `${version}-${traceId}-${randomHex(spanIdBytes)}-${flags}`, tracestate };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }
}
