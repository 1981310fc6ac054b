/**
 * Contracts of parties at two participants, and commands that want each of them at once: to archive it, to unassign it, to assign it, to
 * bring it elsewhere and archive it there.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { isFailure, type Result } from "../../src/base/result.js";
import type { LedgerErrorData, Participant, ReassignmentSubmission } from "../../src/ledger/index.js";
import { verifyLedger } from "../../src/ledger/keeping/index.js";
import { openDoors, type Doors } from "./doors.js";
import { Random } from "../support/random.js";
import { contractIdOf, drain, submission, success, wildcard } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

interface Side {
  readonly door: Participant;
  readonly party: string;
}
interface Place {
  readonly kind: "archived" | "active" | "underWay";
  readonly at: string;
}
type Kind = "archive" | "unassign" | "assign";
interface Outcome {
  readonly kind: Kind;
  readonly side: Side;
  readonly result: Result<{ readonly updateId: string }, LedgerErrorData>;
}

/** How a command that lost may end: it took no effect, and says so. */
const lost: Readonly<Record<Kind, ReadonlySet<string>>> = {
  archive: new Set([
    "CONTRACT_NOT_FOUND",
    "LOCAL_VERDICT_LOCKED_CONTRACTS",
    "LOCAL_VERDICT_INACTIVE_CONTRACTS",
    "UNKNOWN_CONTRACT_SYNCHRONIZERS",
    "AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED",
    "NO_SYNCHRONIZER_FOR_SUBMISSION",
  ]),
  unassign: new Set(["UNASSIGNMENT_ACTIVENESS_CHECK_FAILED", "INVALID_ARGUMENT"]),
  assign: new Set(["LOCAL_VERDICT_LOCKED_CONTRACTS", "ASSIGNMENT_ALREADY_COMPLETED", "INVALID_ARGUMENT", "REASSIGNMENT_VALIDATION_FAILED"]),
};
const competitors = 5,
  turnsMax = 4;

export class RaceOfMoves {
  readonly counts: Record<string, number> = {};
  readonly #opened: Doors;
  readonly #sides: readonly [Side, Side];
  readonly #synchronizers: readonly [string, string];
  readonly #places = new Map<string, Place>();
  #number = 0;

  private constructor(opened: Doors, sides: readonly [Side, Side]) {
    this.#opened = opened;
    this.#sides = sides;
    this.#synchronizers = sides[0].door.synchronizers.map(({ id }) => id) as [string, string];
  }

  static async begin(): Promise<RaceOfMoves> {
    const opened = await openDoors(temporaryFolder("race"), {
      participantNames: ["sandbox", "pebblebox"],
      synchronizers: ["one", "two"],
    });
    const sides: Side[] = [];
    for (const [number, door] of opened.network.participants.entries()) {
      let party = "";
      for (const { id } of door.synchronizers)
        party = success(
          await door.allocateParty({ hint: `party-${number}`, annotations: {}, identityProviderId: "", synchronizerId: id, userId: "" }),
        ).party;
      sides.push({ door, party });
    }
    return new RaceOfMoves(opened, sides as [Side, Side]);
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  async #submit(side: Side, step: object, synchronizerId: string): Promise<Outcome> {
    return { kind: "archive", side, result: await side.door.submit(submission([side.party], [step], { synchronizerId })) };
  }

  async #reassign(kind: "unassign" | "assign", side: Side, commands: ReassignmentSubmission["commands"]): Promise<Outcome> {
    const number = this.#number++,
      trace = { traceparent: null, tracestate: null };
    return {
      kind,
      side,
      result: await side.door.reassign({
        userId: "user",
        commandId: `move-${number}`,
        submissionId: `move-${number}`,
        workflowId: "",
        submitter: side.party,
        trace,
        commands,
      }),
    };
  }

  /** Some of the ways, each after a few turns: who comes first is left to chance. */
  async #contest(random: Random, ways: readonly (() => Promise<Outcome>)[]): Promise<readonly Outcome[]> {
    const outcomes = await Promise.all(
      ways.map(async (way) => {
        for (let turns = random.below(turnsMax); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
        return way();
      }),
    );
    for (const { kind, result } of outcomes) {
      if (isFailure(result)) assert.ok(lost[kind].has(result.error.code), `${kind}: ${result.error.code} ${result.error.cause}`);
      this.#count(isFailure(result) ? result.error.code : `${kind} won`);
    }
    return outcomes.filter(({ result }) => !isFailure(result));
  }

  async race(seed: number): Promise<void> {
    const random = new Random(seed),
      name = `raced-${seed}-${this.#number++}`,
      [left, right] = this.#sides,
      [one, two] = this.#synchronizers;
    success(
      await left.door.submit(
        submission([left.party], [{ create: name, signatories: [left.party], observers: [right.party] }], { synchronizerId: one }),
      ),
    );
    const archive =
      (side: Side, synchronizerId = "") =>
      () =>
        this.#submit(side, { exercise: name, by: [side.party] }, synchronizerId);
    const unassign = (side: Side, source: string, target: string) => () =>
      this.#reassign("unassign", side, [{ kind: "unassign", contractId: contractIdOf(name), source, target }]);
    const ways = this.#sides.flatMap((side) => [archive(side), archive(side, two), unassign(side, one, two), unassign(side, one, two)]);
    const [winner, ...others] = await this.#contest(
      random,
      Array.from({ length: competitors }, () => random.one(ways)),
    );
    assert.ok(winner, `nobody got ${name}`);
    assert.deepEqual(
      others.map(({ kind }) => kind),
      [],
      `${winner.kind} got ${name}, and others too`,
    );
    if (winner.kind === "archive") {
      this.#places.set(name, { kind: "archived", at: "" });
      return;
    }
    await this.#arrive(random, { name, winner, source: one, target: two, isLast: false, archive, unassign });
  }

  /** It is on its way: those that bring it on race with each other, and with those that want it where it arrives. */
  async #arrive(
    random: Random,
    way: {
      readonly name: string;
      readonly winner: Outcome;
      readonly source: string;
      readonly target: string;
      readonly isLast: boolean;
      readonly archive: (side: Side) => () => Promise<Outcome>;
      readonly unassign: (side: Side, source: string, target: string) => () => Promise<Outcome>;
    },
  ): Promise<void> {
    const { name, winner, source, target, isLast, archive, unassign } = way,
      reassignmentId = await this.#reassignmentId(winner);
    if (random.chance(0.1)) {
      this.#places.set(name, { kind: "underWay", at: reassignmentId });
      return;
    }
    const assign = (side: Side) => () => this.#reassign("assign", side, [{ kind: "assign", reassignmentId, source, target }]),
      other = this.#sides.find((side) => side !== winner.side)!;
    const rivals = isLast
      ? []
      : [archive(winner.side), archive(other), unassign(winner.side, target, source), unassign(other, target, source)];
    const won = await this.#contest(random, [assign(winner.side), assign(winner.side), assign(other), ...random.some(rivals)]),
      later = won.filter(({ kind }) => kind !== "assign");
    assert.equal(won.length - later.length, 1, `${name} arrived ${won.length - later.length} times`);
    assert.ok(later.length <= 1, `${later.map(({ kind }) => kind).join(", ")} got ${name}`);
    if (later[0] === undefined) this.#places.set(name, { kind: "active", at: target });
    else if (later[0].kind === "archive") this.#places.set(name, { kind: "archived", at: "" });
    else await this.#arrive(random, { ...way, winner: later[0], source: target, target: source, isLast: true });
  }

  async #reassignmentId({ side: { door, party }, result }: Outcome): Promise<string> {
    const format = { includeTransactions: undefined, includeReassignments: wildcard(party), includeTopologyEvents: undefined };
    const read = success(await door.readUpdate({ by: { updateId: success(result).updateId }, form: "update", format }));
    return JSON.parse(read).Reassignment.value.events[0].JsUnassignedEvent.value.reassignmentId;
  }

  /** Every contract is where the winners left it, once, at both doors; and each step of its way is in the log once. */
  async end(): Promise<void> {
    const expected = [...this.#places]
      .flatMap(([name, { kind, at }]) => (kind === "archived" ? [] : [`${contractIdOf(name)} ${kind} ${at}`]))
      .sort();
    for (const { door, party } of this.#sides) {
      const entries = await drain(door.openActiveContracts({ activeAtOffset: door.ledgerEnd(), format: wildcard(party) }));
      assert.deepEqual(
        entries
          .map(({ contractEntry: { JsActiveContract: active, JsIncompleteUnassigned: underWay } }) =>
            active
              ? `${active.createdEvent.contractId} active ${active.synchronizerId}`
              : `${underWay.createdEvent.contractId} underWay ${underWay.unassignedEvent.reassignmentId}`,
          )
          .sort(),
        expected,
      );
      await this.#checkLog(door, party);
    }
    await this.#opened.close();
    const report = await verifyLedger(this.#opened.folder);
    assert.ok(report.sound, report.text);
  }

  /* eslint-disable @typescript-eslint/no-explicit-any */
  async #checkLog(door: Participant, party: string): Promise<void> {
    const format = {
      includeTransactions: { eventFormat: wildcard(party), shape: "acsDelta" as const },
      includeReassignments: wildcard(party),
      includeTopologyEvents: undefined,
    };
    const states = new Map<string, { state: string; counter: number }>();
    for (const { update } of await drain(
      door.openUpdates({ beginExclusive: 0, endInclusive: door.ledgerEnd(), format, form: "update", descending: false }),
    )) {
      const { events, synchronizerId } = (update.Transaction ?? update.Reassignment).value;
      for (const event of events as any[]) {
        const created = event.CreatedEvent,
          archived = event.ArchivedEvent,
          left = event.JsUnassignedEvent?.value,
          arrived = event.JsAssignmentEvent;
        const contractId: string = (created ?? archived ?? left ?? arrived.createdEvent).contractId,
          known = states.get(contractId);
        if (created) assert.equal(known, undefined, `${contractId} was created twice`);
        else if (archived) assert.equal(known?.state, synchronizerId, `${contractId} was archived where it was not`);
        else if (left)
          assert.deepEqual(
            known,
            { state: left.source, counter: left.reassignmentCounter - 1 },
            `${contractId} left from where it was not`,
          );
        else
          assert.deepEqual(
            known,
            { state: arrived.reassignmentId, counter: arrived.reassignmentCounter },
            `${contractId} arrived without having left`,
          );
        const state = archived ? "archived" : left ? left.reassignmentId : synchronizerId,
          counter = left?.reassignmentCounter ?? known?.counter ?? 0;
        states.set(contractId, { state, counter });
      }
    }
    assert.equal(states.size, this.#places.size, "no contract is lost");
  }

  cleanUp(): void {
    rmSync(this.#opened.folder, { recursive: true, force: true });
  }
}
