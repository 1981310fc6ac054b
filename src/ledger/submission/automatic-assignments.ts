/**
 * Assigns what nobody assigned: when the exclusivity of a reassignment ends, and the party that began it has not finished it, every
 * participant that sees both ends tries to, for a stakeholder that it hosts. A contract is not to be lost on its way.
 */
import type { Log } from "../../base/log.js";
import { isFailure } from "../../base/result.js";
import { randomHex } from "../../base/random.js";
import type { TraceContext } from "../model/index.js";
import { decodeUpdate, readReassignment, type Reassignment } from "../records/index.js";
import type { ReassigningContext, Reassignments } from "./reassigning.js";
import { reassignmentsUnderWay } from "./under-way.js";

/** setTimeout knows no longer ones. */
const timerMsMax = 2 ** 31 - 1;

interface ToldReassignment {
  readonly update: { readonly Reassignment: { readonly value: { readonly traceContext: TraceContext | null } } };
}
const untraced: TraceContext = { traceparent: null, tracestate: null },
  spanIdBytes = 8;

export class AutomaticAssignments {
  readonly #context: ReassigningContext;
  readonly #log: Log;
  /** Microseconds of ledger time when each is due, those under way alone; in the order in which they are, as record times rise. */
  readonly #due = new Map<string, bigint>();
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
    const underWay = [...reassignmentsUnderWay(this.#context.tables)];
    underWay.sort((left, right) => (left.entry.exclusiveUntil < right.entry.exclusiveUntil ? -1 : 1));
    for (const { reassignmentId, entry } of underWay) this.#due.set(reassignmentId, entry.exclusiveUntil);
    this.#context.clock.onMove(() => this.#schedule());
    this.#schedule();
  }

  /** Somebody unassigned something, here or at another participant. */
  hear(reassignmentId: string): void {
    const entry = readReassignment(this.#context.tables, reassignmentId);
    if (entry === undefined) return; // this participant does not see where it goes
    this.#due.set(reassignmentId, entry.exclusiveUntil);
    if (this.#due.size === 1) this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#due.size === 0) return;
    const [first] = this.#due.values(),
      waitMs = Number((first! - this.#context.clock.nowMicros()) / 1_000n) + 1;
    this.#timer = setTimeout(
      () => {
        this.#running = this.#run();
      },
      Math.min(Math.max(waitMs, 0), timerMsMax),
    );
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    const now = this.#context.clock.nowMicros();
    for (const [reassignmentId, at] of this.#due) {
      if (this.#isClosed) return;
      if (at > now) break;
      this.#due.delete(reassignmentId);
      await this.#assign(reassignmentId).catch((error: Error) =>
        this.#log.error("a contract could not be assigned after its exclusivity", { reassignmentId, error: error.stack ?? error.message }),
      );
    }
    this.#schedule();
  }

  async #assign(reassignmentId: string): Promise<void> {
    const { tables, parties } = this.#context,
      entry = readReassignment(tables, reassignmentId);
    if (entry === undefined || entry.assignedOffset !== undefined) return; // by a command, or pruned since
    const reassigning = { workflowId: "", commandId: "", trace: this.#traceOf(entry), completion: undefined };
    const found = this.#reassignments!.prepareAssignment(reassignmentId, entry, {
      ...reassigning,
      submitter: parties.byNumber(entry.submitter).party,
    });
    const hosted = found.contracts[0]!.created.stakeholders.filter((party) => parties.get(party)!.hostedOn.includes(entry.target));
    const submitter = hosted.find((party) => !parties.get(party)!.isExternal) ?? hosted[0];
    if (submitter === undefined) return;
    const assigned = await this.#reassignments!.run({
      kind: "assign",
      assignment: { ...found, reassigning: { ...reassigning, submitter } },
    });
    if (isFailure(assigned) && assigned.error.code !== "ASSIGNMENT_ALREADY_COMPLETED")
      this.#log.error("a contract could not be assigned after its exclusivity", { reassignmentId, reason: assigned.error.cause });
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
