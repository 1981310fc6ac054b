/**
 * Assigns what nobody assigned: when the exclusivity of a reassignment ends, and the party that began it has not finished it, the
 * node does so for a stakeholder that it hosts. A contract is not to be lost on its way.
 */
import type { Log } from "../../base/log.js";
import { isFailure } from "../../base/result.js";
import { decodeReassignmentEntry, readReassignment } from "../records/index.js";
import type { ReassigningContext, Reassignments } from "./reassigning.js";

/** setTimeout knows no longer ones. */
const timerMsMax = 2 ** 31 - 1;

export class AutomaticAssignments {
  readonly #context: ReassigningContext;
  readonly #log: Log;
  /** Microseconds of ledger time when each is due, those under way alone. */
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
    for (const { key, value } of this.#context.tables.reassignments.all()) {
      const { assignedOffset, exclusiveUntil } = decodeReassignmentEntry(value, key);
      if (assignedOffset === undefined) this.#due.set(key, exclusiveUntil);
    }
    this.#context.clock.onMove(() => this.#schedule());
    this.#schedule();
  }

  add(reassignmentId: string, exclusiveUntil: bigint): void {
    this.#due.set(reassignmentId, exclusiveUntil);
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#due.size === 0) return;
    let first: bigint | undefined;
    for (const due of this.#due.values()) if (first === undefined || due < first) first = due;
    const waitMs = Number((first! - this.#context.clock.nowMicros()) / 1_000n) + 1;
    this.#timer = setTimeout(() => { this.#running = this.#run(); }, Math.min(Math.max(waitMs, 0), timerMsMax));
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    const now = this.#context.clock.nowMicros(), due = [...this.#due].filter(([, at]) => at <= now).map(([id]) => id);
    for (const reassignmentId of due) {
      if (this.#isClosed) return;
      this.#due.delete(reassignmentId);
      await this.#assign(reassignmentId).catch((error: Error) => this.#log.error("a contract could not be assigned after its exclusivity", { reassignmentId, error: error.stack ?? error.message }));
    }
    this.#schedule();
  }

  async #assign(reassignmentId: string): Promise<void> {
    const { tables, parties } = this.#context, entry = readReassignment(tables, reassignmentId);
    if (entry === undefined || entry.assignedOffset !== undefined) return; // by a command, or pruned since
    const reassigning = { workflowId: "", commandId: "", trace: { traceparent: null, tracestate: null }, completion: undefined };
    const found = this.#reassignments!.prepareAssignment(reassignmentId, entry, { ...reassigning, submitter: parties.byNumber(entry.submitter).party });
    const hosted = found.contracts[0]!.created.stakeholders.filter((party) => parties.get(party)!.isLocal);
    const submitter = hosted.find((party) => !parties.get(party)!.isExternal) ?? hosted[0];
    if (submitter === undefined) return;
    const assigned = await this.#reassignments!.run({ kind: "assign", assignment: { ...found, reassigning: { ...reassigning, submitter } } });
    if (isFailure(assigned) && assigned.error.code !== "ASSIGNMENT_ALREADY_COMPLETED") this.#log.error("a contract could not be assigned after its exclusivity", { reassignmentId, reason: assigned.error.cause });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }
}
