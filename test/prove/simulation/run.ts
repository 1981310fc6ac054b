/** Plays a plan on a simulated machine and checks what came of it. */
import assert from "node:assert/strict";
import { createHash, type Hash } from "node:crypto";
import { isFailure, type Result } from "../../../src/base/result.js";
import type { CommandSubmission, EventFormatRequest, LedgerErrorData } from "../../../src/ledger/index.js";
import type { Participant } from "../../../src/ledger/participant/index.js";
import { acceptances, indexes, log as logCheck } from "../../../src/ledger/keeping/verify-log.js";
import { Verification } from "../../../src/ledger/keeping/verification.js";
import { withoutTimes } from "../../ledger/oracle/comparison.js";
import { randomFormat } from "../../ledger/oracle/formats.js";
import { type Contract, nodesOf, templates, type Transaction } from "../../ledger/oracle/play.js";
import { activeAt, project, type Shape } from "../../ledger/oracle/projection.js";
import { Random } from "../../support/random.js";
import { Collector, submission, updates, type Step, submitAsWritten } from "../../ledger/support.js";
import { EngineFailed, renamed } from "./engine.js";
import { type Attempt, checkHistory, type LedgerEndSeen, type Period } from "./history.js";
import { died, Machine } from "./machine.js";
import type { Plan, PlannedDeed, PlannedFault } from "./plan.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any;

const names = ["alice", "bob", "carol", "dave"],
  everybody: EventFormatRequest = {
    filtersByParty: {},
    filtersForAnyParty: { cumulative: [{ kind: "wildcard", includeCreatedEventBlob: true }] },
    verbose: true,
  };
const milli = 1_000,
  second = 1_000_000,
  settleMicros = 120 * second,
  answerMicrosMax = 50 * milli,
  crashBehindAnswerMicrosMax = 3 * milli;
const admin = { userId: undefined, participantAdmin: true, admin: true };

/** A command that was asked for, perhaps several times. */
interface Change {
  readonly submission: CommandSubmission;
  readonly steps: readonly Step[];
  readonly period: Period;
}

export interface Simulated {
  readonly fingerprint: string;
  readonly counts: Readonly<Record<string, number>>;
}

class Simulation {
  readonly #machine: Machine;
  readonly #random: Random;
  readonly #longestPeriodSeconds: number | undefined;
  readonly #hash: Hash = createHash("sha256");
  readonly #counts: Record<string, number> = {};
  readonly #attempts: Attempt[] = [];
  /** Called with the next answer to a submission. */
  readonly #whenAnswered: (() => void)[] = [];
  readonly #ends: LedgerEndSeen[] = [];
  readonly #changes: Change[] = [];
  readonly #users = new Set<string>();
  /** What was read, held against the plain rules when the whole log is known. */
  readonly #reads: ((log: readonly Transaction[]) => void)[] = [];
  readonly #transactions: Json[] = [];
  readonly #completions: Json[] = [];
  #recording: Promise<void> = Promise.resolve();
  #recordedTo = 0;
  #prunedTo = 0;
  #instant = 0;
  #parties: string[] = [];

  constructor(private readonly plan: Plan) {
    this.#random = new Random(plan.seed ^ 0x5eed);
    // Half of them forget which commands were accepted while they go on.
    this.#longestPeriodSeconds = plan.seed % 2 === 0 ? 10 : undefined;
    this.#machine = new Machine(this.#random, this.#longestPeriodSeconds);
  }

  async run(): Promise<Simulated> {
    await this.#machine.simulate(() => this.#play());
    return {
      fingerprint: this.#hash.digest("hex"),
      counts: {
        ...this.#counts,
        lives: this.#machine.lives,
        events: this.#machine.scheduler.happened,
        "simulated ms": Math.round(this.#machine.scheduler.now / milli),
      },
    };
  }

  async #play(): Promise<void> {
    const machine = this.#machine;
    await machine.start();
    for (const name of names)
      this.#parties.push(
        settled(
          await machine.ask((ledger) =>
            ledger.allocateParty({ hint: name, annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" }),
          ),
        ).party,
      );
    await Promise.all([...this.plan.actors.map((deeds) => this.#act(deeds)), ...this.plan.faults.map((fault) => this.#inflict(fault))]);
    await this.#end();
  }

  count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }
  /** What anybody could see goes into the fingerprint. */
  #see(what: unknown): void {
    this.#hash.update(
      JSON.stringify([this.#machine.scheduler.now, what], (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    );
  }

  // Faults

  async #inflict({ fault, atMicros, forMicros }: PlannedFault): Promise<void> {
    const machine = this.#machine,
      { file } = machine;
    await machine.sleep(atMicros);
    this.count(fault);
    switch (fault) {
      case "crash":
      case "crash after an answer":
      case "stop": {
        if (fault === "crash after an answer") {
          await Promise.race([new Promise<void>((resolve) => this.#whenAnswered.push(resolve)), machine.sleep(answerMicrosMax)]);
          await machine.sleep(forMicros % crashBehindAnswerMicrosMax);
        }
        if (!machine.isUp) return;
        if (fault === "stop") await machine.stop();
        else machine.crash();
        await machine.sleep(forMicros);
        return machine.start();
      }
      case "full disk":
      case "broken disk": {
        file.fault = fault === "full disk" ? "full" : "broken";
        await machine.sleep(forMicros);
        file.fault = undefined;
        return;
      }
      case "slow disk": {
        file.slowness = 20;
        await machine.sleep(forMicros);
        file.slowness = 1;
        return;
      }
      case "clock back":
        machine.clockOffMicros -= 40 * forMicros;
        return;
      case "clock ahead":
        machine.clockOffMicros += 1_000 * forMicros;
        return;
      case "engine fails": {
        machine.engine.failsOneIn = 3;
        await machine.sleep(forMicros);
        machine.engine.failsOneIn = 0;
        return;
      }
    }
  }

  // Deeds

  async #act(deeds: readonly PlannedDeed[]): Promise<void> {
    for (const { deed, waitMicros, seed } of deeds) {
      await this.#machine.sleep(waitMicros);
      const random = new Random(seed);
      switch (deed) {
        case "submit":
          await this.#submit(this.#newChange(random, seed), false);
          break;
        case "submitAsync":
          await this.#submit(this.#newChange(random, seed), true);
          break;
        case "twins": {
          const change = this.#newChange(random, seed);
          await Promise.all(Array.from({ length: 2 + random.below(3) }, (_, index) => this.#submit(change, index % 2 === 1)));
          break;
        }
        case "again":
          if (this.#changes.length > 0) await this.#submit(random.one(this.#changes), random.chance(0.3));
          break;
        case "tail":
          await this.#tail(random);
          break;
        case "read":
          await this.#read(random);
          break;
        case "active":
          await this.#readActive(random);
          break;
        case "prune":
          await this.#prune(random);
          break;
        case "party":
          await this.#machine.ask((ledger) =>
            ledger.allocateParty({ hint: `guest-${seed}`, annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" }),
          );
          break;
        case "user":
          await this.#user(random);
          break;
      }
      await this.#lookAtEnd();
      if (random.chance(0.5)) await this.#record();
    }
  }

  /** Steps that may well be valid: contracts that the log has, as far as it was recorded. */
  #newChange(random: Random, seed: number): Change {
    const known = this.#knownContracts(),
      used = new Set<string>(),
      parties = this.#parties;
    let made = 0;
    const step = (depth: number): Step => {
      const target = known.length > 0 && random.chance(0.6) ? random.one(known) : undefined;
      return target === undefined || used.has(target) ? create() : use(target, depth);
    };
    const create = (): Step => {
      const signatories = random.several(parties),
        observers = random.some(
          parties.filter((party) => !signatories.includes(party)),
          0.3,
        );
      return { create: `${seed}-${made++}`, template: random.one(templates), signatories, observers };
    };
    const use = (target: string, depth: number): Step => {
      used.add(target);
      if (random.chance(0.15)) return { fetch: target };
      const consuming = random.chance(0.6),
        children = depth < 2 && random.chance(0.4) ? [step(depth + 1)] : [];
      const brief = children.find((child) => "create" in child);
      if (brief && "create" in brief && random.chance(0.3))
        children.push({ exercise: brief.create, by: random.several(parties), choice: "Brief" });
      return { exercise: target, by: random.several(parties), consuming, choice: consuming ? "Spend" : "Look", children };
    };
    const steps = Array.from({ length: 1 + random.below(3) }, () => step(0));
    if (!steps.some((one) => "create" in one || "exercise" in one)) steps.push(create()); // nobody would see it
    const period: Period = random.chance(0.7)
      ? { kind: "none" }
      : random.chance(0.7)
        ? { kind: "duration", micros: random.below(20) * second }
        : { kind: "offset", offset: this.#recordedTo };
    const deduplication = period.kind === "duration" ? { kind: "duration" as const, seconds: period.micros / second, nanos: 0 } : period;
    const change = {
      submission: submission(random.several(parties), steps, {
        commandId: `c-${seed}`,
        deduplication,
        workflowId: random.chance(0.3) ? `w-${seed}` : "",
      }),
      steps,
      period,
    };
    this.#changes.push(change);
    return change;
  }

  /** By their names: the last ones, and one that is archived by now, so that a few clients compete for a few contracts. */
  #knownContracts(): readonly string[] {
    const events: Json[] = this.#transactions.slice(-20).flatMap(({ events: all }) => all),
      gone = new Set<string>(),
      active: string[] = [];
    for (const { ExercisedEvent: exercised } of events) if (exercised?.consuming) gone.add(exercised.contractId);
    let last: string | undefined;
    for (const { CreatedEvent: created } of events) {
      if (created && gone.has(created.contractId)) last = created.createArgument.name;
      else if (created) active.push(created.createArgument.name);
    }
    return last === undefined ? active.slice(-5) : [...active.slice(-5), last];
  }

  async #submit({ submission: asked, period }: Change, isAsynchronous: boolean, isUnread = this.#attempts.length % 2 === 0): Promise<void> {
    const attempt: Attempt = {
      commandId: asked.commandId,
      submissionId: `s-${this.#attempts.length}`,
      period,
      invokedAt: ++this.#instant,
      endedAt: Infinity,
      outcome: { kind: "unknown" },
    };
    this.#attempts.push(attempt);
    const sent = { ...asked, submissionId: attempt.submissionId };
    const submitted = async (ledger: Participant): Promise<Result<unknown, LedgerErrorData>> => {
      if (isUnread && !isAsynchronous) return submitAsWritten(ledger, sent, { isToldEarly: this.#attempts.length % 3 > 0 });
      await ledger.caughtUp();
      return isAsynchronous ? ledger.submitAsync(sent) : ledger.submit(sent);
    };
    const answer = await this.#machine.askAtOnce<EngineFailed | Result<unknown, LedgerErrorData>>((ledger) =>
      submitted(ledger).catch((error: unknown) => {
        if (error instanceof EngineFailed) return error;
        throw error;
      }),
    );
    if (answer === died) this.count("never answered");
    else {
      attempt.endedAt = ++this.#instant;
      attempt.outcome = outcomeOf(answer, isAsynchronous);
      for (const resolve of this.#whenAnswered.splice(0)) resolve();
      this.count(attempt.outcome.kind === "refused" ? attempt.outcome.code : attempt.outcome.kind);
    }
    this.#see(attempt);
  }

  async #lookAtEnd(): Promise<void> {
    const invokedAt = ++this.#instant,
      offset = await this.#machine.ask((ledger) => ledger.ledgerEnd());
    if (offset !== died) this.#ends.push({ invokedAt, endedAt: ++this.#instant, offset });
    this.#see(offset);
  }

  /** Reads on to the end, and waits for more, for a while; a process that dies ends it. */
  async #tail(random: Random): Promise<void> {
    const format = randomFormat(random, this.#parties),
      shape = random.one<Shape>(["acsDelta", "ledgerEffects"]),
      turns = 2 + random.below(6),
      batch = 1 + random.below(10);
    await this.#machine.ask(async (ledger) => {
      const pruned = ledger.prunedOffsets().participantPrunedUpToInclusive,
        begin = pruned + random.below(ledger.ledgerEnd() - pruned + 1);
      const opened = ledger.openUpdates({
        beginExclusive: begin,
        endInclusive: undefined,
        format: updates(format, shape),
        form: "update",
        descending: false,
      });
      if (isFailure(opened)) throw new Error(`a tail was refused: ${opened.error.code}`);
      const cursor = opened.ok,
        out = new Collector(),
        closing = new AbortController();
      let seenTo = begin;
      for (let turn = 0; turn < turns && !cursor.ended;) {
        const end = ledger.ledgerEnd(),
          written = await cursor.read(batch, out);
        if (written > 0) continue;
        if (!cursor.ended) seenTo = end;
        await cursor.wait(random.below(200), closing.signal);
        turn++;
      }
      const isOvertaken = cursor.failure !== undefined;
      if (isOvertaken) assert.equal(cursor.failure?.code, "PARTICIPANT_PRUNED_DATA_ACCESSED");
      cursor.close();
      this.#checkTail(
        out.elements.map((element) => JSON.parse(element) as Json),
        { format, shape, begin, seenTo },
      );
    });
    this.count("tails");
  }

  #checkTail(
    elements: readonly Json[],
    {
      format,
      shape,
      begin,
      seenTo,
    }: { readonly format: EventFormatRequest; readonly shape: Shape; readonly begin: number; readonly seenTo: number },
  ): void {
    const seen: Json[] = [];
    let last = begin;
    for (const {
      update: { Transaction: transaction, OffsetCheckpoint: checkpoint },
    } of elements) {
      if (checkpoint) {
        assert.ok(checkpoint.value.offset >= last, `a checkpoint at ${checkpoint.value.offset} after offset ${last} (I11)`);
        last = checkpoint.value.offset;
        continue;
      }
      assert.ok(transaction.value.offset > last, `a tail got offset ${transaction.value.offset} after ${last} (I11)`);
      last = transaction.value.offset;
      seen.push(withoutTimes(transaction.value));
    }
    const to = Math.max(seenTo, last);
    this.#see(seen);
    this.#reads.push((log) =>
      assert.deepEqual(
        seen,
        log.filter(({ offset }) => offset > begin && offset <= to).flatMap((one) => project(one, format, shape) ?? []),
        `a tail from ${begin} to ${to} (I10, I11)`,
      ),
    );
  }

  async #read(random: Random): Promise<void> {
    const format = randomFormat(random, this.#parties),
      shape = random.one<Shape>(["acsDelta", "ledgerEffects"]),
      descending = random.chance(0.4);
    await this.#machine.ask(async (ledger) => {
      const pruned = ledger.prunedOffsets().participantPrunedUpToInclusive,
        end = ledger.ledgerEnd(),
        begin = pruned + random.below(end - pruned + 1);
      const elements = await drained(
        ledger.openUpdates({ beginExclusive: begin, endInclusive: end, format: updates(format, shape), form: "update", descending }),
        1 + random.below(15),
      );
      if (elements === undefined) return; // pruned meanwhile
      const seen = elements.map(({ update: { Transaction: transaction } }) => withoutTimes(transaction.value));
      this.#see(seen);
      this.#reads.push((log) => {
        const expected = log.filter(({ offset }) => offset > begin && offset <= end).flatMap((one) => project(one, format, shape) ?? []);
        assert.deepEqual(seen, descending ? expected.reverse() : expected, `updates from ${begin} to ${end} (I10)`);
      });
    });
    this.count("reads");
  }

  async #readActive(random: Random): Promise<void> {
    const format = randomFormat(random, this.#parties);
    await this.#machine.ask(async (ledger) => {
      const pruned = ledger.prunedOffsets().participantPrunedUpToInclusive,
        at = pruned + random.below(ledger.ledgerEnd() - pruned + 1);
      const elements = await drained(ledger.openActiveContracts({ activeAtOffset: at, format }), 1 + random.below(15));
      if (elements === undefined) return;
      const seen = elements.map((element) => element.contractEntry.JsActiveContract.createdEvent);
      this.#see(seen);
      this.#reads.push((log) => assert.deepEqual(seen, activeAt(log, format, at), `contracts active at ${at} (I9)`));
    });
    this.count("active contracts");
  }

  async #prune(random: Random): Promise<void> {
    if ((await this.#record()) === died || this.#recordedTo < 2) return;
    const upTo = 1 + random.below(this.#recordedTo - 1);
    const pruned = await this.#machine.ask((ledger) => ledger.prune(upTo));
    if (pruned === died || isFailure(pruned)) return;
    this.#prunedTo = Math.max(this.#prunedTo, upTo);
    this.count("prunings");
  }

  /** Made where it is not, deleted where it is: what was answered holds. */
  async #user(random: Random): Promise<void> {
    const id = `user-${random.below(4)}`;
    const done = await this.#machine.ask(async ({ administration }): Promise<void> => {
      const isThere = administration.findUser(id) !== undefined;
      const changed = isThere
        ? await administration.deleteUser({ userId: id, identityProviderId: "" }, admin)
        : await administration.createUser(
            {
              user: {
                id,
                primaryParty: "",
                primaryPartyAuthentication: false,
                isDeactivated: false,
                identityProviderId: "",
                annotations: {},
                resourceVersion: "",
              },
              rights: [],
            },
            admin,
          );
      if (!isFailure(changed)) {
        if (isThere) this.#users.delete(id);
        else this.#users.add(id);
      }
      this.#see([id, isThere, isFailure(changed) ? changed.error : "done"]);
    });
    if (done === died) this.#users.delete(id); // nobody knows
    this.count("users");
  }

  // The log

  /** Everything up to the end, before it may be pruned; one at a time. */
  #record(): Promise<void | typeof died> {
    const recorded = this.#recording.then(() => this.#machine.ask((ledger) => this.#recordFrom(ledger)));
    this.#recording = recorded.then(() => undefined);
    return recorded;
  }

  async #recordFrom(ledger: Participant): Promise<void> {
    const begin = this.#recordedTo,
      end = ledger.ledgerEnd();
    if (end === begin) return;
    const transactions = await drained(
      ledger.openUpdates({
        beginExclusive: begin,
        endInclusive: end,
        format: updates(everybody, "ledgerEffects"),
        form: "update",
        descending: false,
      }),
      50,
    );
    const completions = await drained(ledger.openCompletions({ userId: "user", parties: this.#parties, beginExclusive: begin }), 50);
    assert.ok(transactions && completions, "nothing is pruned that was not recorded");
    this.#transactions.push(...transactions.map(({ update }) => update.Transaction.value));
    this.#completions.push(
      ...completions.flatMap(({ completionResponse: { Completion: completion } }) =>
        completion && completion.value.offset <= end ? [completion.value] : [],
      ),
    );
    this.#recordedTo = end;
  }

  async #end(): Promise<void> {
    const machine = this.#machine;
    machine.file.fault = undefined;
    await machine.up();
    await machine.sleep(settleMicros);
    assert.equal(machine.file.pins, 0, "snapshots are held by nobody when all is done");
    await this.#restart();
    assert.notEqual(await this.#record(), died);
    const log = this.#modelOf();
    const seen = { attempts: this.#attempts, ends: this.#ends, longestPeriodSeconds: this.#longestPeriodSeconds };
    checkHistory(seen, { transactions: this.#transactions, completions: this.#completions });
    await this.#checkKept();
    for (const check of this.#reads) check(log);
    await machine.stop();
    const { sound, text } = new Verification([{ name: "only", tables: await machine.tables() }]).run([logCheck, indexes, acceptances]);
    assert.ok(sound, text);
    const different = machine.file.sumsDiffer();
    assert.equal(different, undefined, `table ${different} does not hold what was written to it`);
    this.#see([this.#transactions, this.#completions]);
  }

  async #restart(): Promise<void> {
    await this.#machine.stop();
    await this.#machine.start();
  }

  /** What was once in the log is there for ever, as it was; users are, too. */
  async #checkKept(): Promise<void> {
    await this.#machine.ask(async (ledger) => {
      const begin = ledger.prunedOffsets().participantPrunedUpToInclusive;
      assert.ok(begin >= this.#prunedTo, "what was pruned stays pruned");
      const again = await drained(
        ledger.openUpdates({
          beginExclusive: begin,
          endInclusive: this.#recordedTo,
          format: updates(everybody, "ledgerEffects"),
          form: "update",
          descending: false,
        }),
        50,
      );
      assert.deepEqual(
        again?.map(({ update }) => update.Transaction.value),
        this.#transactions.filter(({ offset }) => offset > begin),
        "the log is what it was (I2)",
      );
      for (const id of this.#users) assert.ok(ledger.administration.findUser(id), `user ${id} was made, and is not there`);
    });
  }

  /** The log in terms of what was asked for; it must say that and nothing else. */
  #modelOf(): readonly Transaction[] {
    const contracts = new Map<string, Contract>(),
      changes = new Map(this.#changes.map((change) => [change.submission.commandId, change]));
    const log = this.#transactions.map((element): Transaction => {
      const change = changes.get(element.commandId);
      assert.ok(change, `nobody asked for ${element.commandId} (I2)`);
      const made = element.events.find((event: Json) => event.CreatedEvent)?.CreatedEvent.createArgument.name as string | undefined;
      const steps = renamed(change.steps, made?.slice(made.indexOf("/") + 1) ?? "");
      for (const name of fetchedIn(steps))
        assert.ok(
          contracts.has(name) && contracts.get(name)!.archivedAt === undefined,
          `${element.commandId} fetched ${name}, which was not active (I6)`,
        );
      const { offset, updateId } = element,
        { commandId, workflowId, actAs } = change.submission;
      return { offset, updateId, commandId, workflowId, submitters: actAs, nodes: nodesOf(steps, offset, contracts) };
    });
    for (const [index, transaction] of log.entries())
      assert.deepEqual(
        withoutTimes(this.#transactions[index]),
        project(transaction, everybody, "ledgerEffects"),
        `what was asked for is what is at ${transaction.offset} (I10)`,
      );
    return log;
  }
}

const fetchedIn = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap((step) => ("fetch" in step ? [step.fetch] : "exercise" in step ? fetchedIn(step.children ?? []) : []));

function settled<T>(answer: Result<T, LedgerErrorData> | typeof died): T {
  assert.ok(answer !== died && !isFailure(answer));
  return answer.ok;
}

function outcomeOf(answer: EngineFailed | Result<unknown, LedgerErrorData>, isAsynchronous: boolean): Attempt["outcome"] {
  if (answer instanceof EngineFailed) return { kind: "refused", code: "the engine failed" };
  if (isFailure(answer)) return { kind: "refused", code: answer.error.code };
  if (isAsynchronous) return { kind: "on its way" };
  const { completionOffset, updateId } = answer.ok as { completionOffset: number; updateId: string };
  return { kind: "accepted", offset: completionOffset, updateId };
}

/** Undefined where it was pruned meanwhile. */
async function drained(opened: ReturnType<Participant["openUpdates"]>, batch: number): Promise<Json[] | undefined> {
  if (isFailure(opened)) {
    assert.equal(opened.error.code, "PARTICIPANT_PRUNED_DATA_ACCESSED");
    return undefined;
  }
  const cursor = opened.ok,
    out = new Collector();
  while (!cursor.ended && (await cursor.read(batch, out)) > 0);
  cursor.close();
  if (cursor.failure !== undefined) {
    assert.equal(cursor.failure.code, "PARTICIPANT_PRUNED_DATA_ACCESSED");
    return undefined;
  }
  return out.elements.map((element) => JSON.parse(element) as Json);
}

export const simulate = (plan: Plan): Promise<Simulated> => new Simulation(plan).run();
