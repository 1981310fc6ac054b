import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, it, type TestContext } from "node:test";
import { isFailure, type Result } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { InFlight } from "../../src/ledger/submission/in-flight.js";
import type { Admission } from "../../src/ledger/intake/index.js";
import type { ReassignmentSubmission } from "../../src/ledger/index.js";
import type { Ledger } from "../../src/ledger/ledger.js";
import type { LedgerErrorData } from "../../src/ledger/model/model.js";
import {
  areAside,
  closeFixture,
  contractIdOf,
  drain,
  failure,
  openFixture,
  startLedger,
  submission,
  success,
  updates,
  wildcard,
} from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const stays = (): AbortSignal => new AbortController().signal;

type Admitted = Result<Admission, LedgerErrorData>;

let number = 0;
const command = () => ({
  key: `key ${++number}`,
  change: { userId: "user", commandId: `command ${number}`, actAs: ["alice"] },
  submissionId: "",
  synchronizerId: "s",
});
const isWaiting = (admitted: Admitted | Promise<Admitted>): admitted is Promise<Admitted> => admitted instanceof Promise;
const now = (admitted: Admitted | Promise<Admitted>): Admitted => (isWaiting(admitted) ? assert.fail("stands in line") : admitted);

function full(): { readonly inFlight: InFlight; readonly kept: readonly Admission[] } {
  const inFlight = new InFlight();
  return { inFlight, kept: Array.from({ length: limits.commandsInFlightMax }, () => success(now(inFlight.admit(stays)))) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("in flight: the line", () => {
  it("whoever finds no place stands in line, and gets the first that is given back", async () => {
    const { inFlight, kept } = full(),
      order: number[] = [];
    const waiting = [1, 2, 3].map(async (each) => {
      success(await inFlight.admit(stays));
      order.push(each);
    });
    await turn();
    assert.deepEqual(order, []);
    kept[0]!.release();
    await turn();
    kept[1]!.release();
    kept[1]!.release(); // once is enough
    await turn();
    assert.deepEqual(order, [1, 2]);
    kept[2]!.release();
    await Promise.all(waiting);
    assert.deepEqual(order, [1, 2, 3]);
  });

  it("a command takes the place that was kept for it, and its end gives it to the next", async () => {
    const { inFlight, kept } = full();
    let end = (): void => {};
    const place = success(inFlight.enter(command(), kept[0]));
    const ended = place.during(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    kept[0]!.release();
    const waiting = inFlight.admit(stays);
    await turn();
    assert.ok(isWaiting(waiting));
    assert.equal(failure(inFlight.enter(command(), kept[0])).code, "PARTICIPANT_BACKPRESSURE", "it is for one command");
    assert.equal(failure(inFlight.enter(command(), undefined)).code, "PARTICIPANT_BACKPRESSURE", "who did not ask has none");
    end();
    await ended;
    success(await waiting);
  });

  it("nobody stands in line for ever, and then is told that there are too many", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { inFlight, kept } = full(),
      first = inFlight.admit(stays);
    t.mock.timers.tick(limits.commandInLineMs / 2);
    const second = inFlight.admit(stays);
    t.mock.timers.tick(limits.commandInLineMs / 2);
    const { code, category } = failure(await first);
    assert.deepEqual([code, category], ["PARTICIPANT_BACKPRESSURE", 2]);
    kept[0]!.release();
    success(await second);
  });

  it("whoever gives up is not waited for", async () => {
    const { inFlight, kept } = full(),
      gone = new AbortController(),
      first = inFlight.admit(() => gone.signal),
      second = inFlight.admit(stays);
    gone.abort();
    assert.ok(isFailure(await first));
    kept[0]!.release();
    success(await second);
  });

  it("whoever is gone already does not stand in line", () => {
    const { inFlight } = full();
    assert.equal(failure(now(inFlight.admit(() => AbortSignal.abort()))).code, "PARTICIPANT_BACKPRESSURE");
  });

  it("whoever has left the line is not listened for any more", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { inFlight, kept } = full(),
      clients = Array.from({ length: 3 }, () => new AbortController()),
      [, gone] = clients;
    const left = clients.map(({ signal }) => inFlight.admit(() => signal)),
      listeners = (): number[] => clients.map(({ signal }) => getEventListeners(signal, "abort").length);
    assert.deepEqual(listeners(), [1, 1, 1]);
    gone!.abort();
    kept[0]!.release();
    assert.deepEqual(listeners(), [0, 0, 1]);
    t.mock.timers.tick(limits.commandInLineMs);
    assert.deepEqual(listeners(), [0, 0, 0]);
    assert.deepEqual((await Promise.all(left)).map(isFailure), [false, true, true]);
  });

  it("the line is bounded", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { inFlight } = full();
    for (let count = 0; count < limits.commandsInLineMax; count++) assert.ok(isWaiting(inFlight.admit(stays)));
    assert.equal(failure(now(inFlight.admit(stays))).code, "PARTICIPANT_BACKPRESSURE");
  });
});

describe("in flight: reassignments", () => {
  it("have places as commands do, also those that only a completion tells of", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string },
      { synchronizerId } = ledger;
    const unassign = (commandId: string): ReassignmentSubmission => ({
      userId: "user",
      commandId,
      submissionId: "mine",
      workflowId: "",
      submitter: alice,
      trace: { traceparent: null, tracestate: null },
      commands: [{ kind: "unassign", contractId: contractIdOf("a"), source: synchronizerId, target: synchronizerId }],
    });
    const kept: Admission[] = [];
    while (kept.length < limits.commandsInFlightMax) kept.push(success(now(ledger.admit(stays) as Admitted)));
    for (const refused of [await ledger.reassign(unassign("first")), await ledger.reassignAsync(unassign("first"))]) {
      const { code, cause } = failure<unknown>(refused);
      assert.equal(code, "PARTICIPANT_BACKPRESSURE");
      assert.match(cause, new RegExp(`may run at once do so: ${limits.commandsInFlightMax}`));
    }
    const running = [ledger.reassign(unassign("second"), kept[0]), ledger.reassignAsync(unassign("second"), kept[1])];
    const next = ledger.admit(stays) as Admitted | Promise<Admitted>;
    assert.ok(isWaiting(next), "the places that were kept for them are theirs");
    for (const each of running) assert.match(failure<unknown>(await each).cause, /source and target synchronizers are the same/);
    success(await next);
    success(now(ledger.admit(stays) as Admitted));
  });
});

describe("in flight: commands that wait for a later ledger time", () => {
  const second = 1_000_000n,
    hour = 3_600n * second;
  const waits = (ledger: Ledger, party: string, count: number): Promise<Result<unknown, LedgerErrorData>>[] =>
    Array.from({ length: count }, () =>
      ledger.submit(submission([party], [{ create: `late ${++number}`, signatories: [party] }], { minLedgerTimeRel: hour })),
    );

  it("leave their places to others", async (t: TestContext) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const late = [...waits(ledger, alice, limits.commandsInFlightMax)];
    await areAside(ledger);
    late.push(...waits(ledger, alice, 1));
    success(await ledger.submit(submission([alice], [{ create: "now", signatories: [alice] }])));
    clock.pass(hour + second);
    for (const each of await Promise.all(late)) assert.ok(!isFailure(each));
  });

  it("are interpreted at once, and what the engine says of them is the answer", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t),
      { alice } = parties as { alice: string };
    const wrong = submission([alice], [{ error: "no" }], { minLedgerTimeRel: hour });
    assert.equal(failure(await ledger.submit(wrong)).code, "INTERPRETATION_USER_ERROR");
    assert.equal(failure(await ledger.submitAsync({ ...wrong, commandId: "another" })).code, "INTERPRETATION_USER_ERROR");
    assert.equal(interpreter.interpreted, 2);
  });

  it("of the same change another may run meanwhile, and they are its duplicates", async (t) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const late = submission([alice], [{ create: "late", signatories: [alice] }], { minLedgerTimeRel: hour }),
      [first, other] = [ledger.submit(late), ledger.submitAsync({ ...late, commandId: "another" })];
    await areAside(ledger);
    for (const { commandId } of [late, { commandId: "another" }])
      success(await ledger.submit({ ...late, commandId, minLedgerTimeRel: undefined }));
    const end = ledger.ledgerEnd();
    clock.pass(hour + second);
    assert.equal(failure(await first).code, "DUPLICATE_COMMAND");
    success(await other);
    const completions = await drain(ledger.openCompletions({ userId: "user", parties: [alice], beginExclusive: end }));
    assert.deepEqual(
      completions.map((one) => one.completionResponse.Completion.value.status.code),
      [6, 6], // ALREADY_EXISTS
    );
  });

  it("come back to a change that is under way again as others do", async (t) => {
    const { ledger, parties, clock, interpreter } = await startLedger(t),
      { alice } = parties as { alice: string };
    const late = submission([alice], [{ create: "late", signatories: [alice] }], { minLedgerTimeRel: 30n * second }),
      first = ledger.submit(late);
    await areAside(ledger);
    let go = (): void => {};
    interpreter.beforeAnswer = () => new Promise((resolve) => (go = resolve));
    const twin = ledger.submit({ ...late, minLedgerTimeRel: undefined });
    await turn();
    clock.pass(31n * second);
    assert.equal(failure(await first).code, "SUBMISSION_ALREADY_IN_FLIGHT");
    assert.equal(failure(await ledger.submit({ ...late, minLedgerTimeRel: undefined })).code, "SUBMISSION_ALREADY_IN_FLIGHT", "still");
    go();
    success(await twin);
  });

  it("what they use may be archived meanwhile, and a completion tells of it", async (t) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    success(await ledger.submit(submission([alice], [{ create: "used", signatories: [alice] }])));
    const late = ledger.submit(submission([alice], [{ exercise: "used", by: [alice] }], { minLedgerTimeRel: hour }));
    await areAside(ledger);
    success(await ledger.submit(submission([alice], [{ exercise: "used", by: [alice] }])));
    const end = ledger.ledgerEnd();
    clock.pass(hour + second);
    assert.equal(failure(await late).code, "LOCAL_VERDICT_INACTIVE_CONTRACTS");
    assert.equal(ledger.ledgerEnd(), end + 1);
  });

  it("wait for as long as it takes, and are what they were", async (t) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const late = ledger.submit(submission([alice], [{ create: "late", signatories: [alice], text: "é" }], { minLedgerTimeRel: hour }));
    await areAside(ledger);
    clock.pass(hour - second);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    assert.equal(await Promise.race([late, "waits"]), "waits");
    clock.pass(2n * second);
    const { completionOffset } = success(await late);
    const update = success(
      await ledger.readUpdate({ by: { offset: completionOffset }, format: updates(wildcard(alice)), form: "flat", emptyWhenHidden: false }),
    );
    assert.match(update, /"createArgument":\{"name":"é"\}/);
  });

  it("a node that closes does not wait for them", async () => {
    const fixture = await openFixture(temporaryFolder()),
      { ledger } = fixture;
    const { party } = success(
      await ledger.allocateParty({ hint: "alice", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" }),
    );
    const late = ledger.submit(submission([party], [{ create: "late", signatories: [party] }], { minLedgerTimeRel: hour }));
    await areAside(ledger);
    await closeFixture(fixture);
    assert.equal(failure(await late).code, "SERVICE_NOT_RUNNING");
  });

  it("what all of them hold has a bound", async (t) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const text = "x".repeat(limits.commandsAsideBytesMax / 4),
      heavy = (create: string) => submission([alice], [{ create, signatories: [alice], text }], { minLedgerTimeRel: hour });
    const late = ["a", "b"].map((name) => ledger.submit(heavy(name)));
    await areAside(ledger);
    const { code, cause } = failure(await ledger.submit(heavy("c")));
    assert.equal(code, "PARTICIPANT_BACKPRESSURE");
    assert.match(cause, new RegExp(` hold as much as they may: ${limits.commandsAsideBytesMax} bytes`));
    clock.pass(hour + second);
    for (const each of await Promise.all(late)) success(each);
  });

  it("have a bound of their own", async (t) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const late: Promise<Result<unknown, LedgerErrorData>>[] = [];
    while (late.length < limits.commandsAsideMax) {
      late.push(...waits(ledger, alice, Math.min(limits.commandsInFlightMax, limits.commandsAsideMax - late.length)));
      await areAside(ledger);
    }
    const { code, cause } = failure(await waits(ledger, alice, 1)[0]!);
    assert.equal(code, "PARTICIPANT_BACKPRESSURE");
    assert.match(cause, new RegExp(`may wait for a later ledger time at once do so: ${limits.commandsAsideMax}`));
    success(await ledger.submit(submission([alice], [{ create: "now", signatories: [alice] }])));
    clock.pass(hour + second);
    for (const each of await Promise.all(late)) assert.ok(!isFailure(each));
  });

  it("where too many wait, the one with the farthest time gives way to one that is nearer", async () => {
    const inFlight = new InFlight();
    const waitUntil = (until: bigint): Promise<Result<string, LedgerErrorData>> =>
      success(inFlight.enter(command(), success(now(inFlight.admit(stays))))).aside({ until, bytes: 1 }, (givesWay) => {
        if (until === 1n) return Promise.resolve("reached");
        return new Promise((resolve) => givesWay.addEventListener("abort", () => resolve("ended")));
      });
    const farthest = waitUntil(2_000_000n);
    for (let count = 1; count < limits.commandsAsideMax; count++) void waitUntil(1_000_000n);
    assert.equal(failure(await waitUntil(2_000_000n)).code, "PARTICIPANT_BACKPRESSURE", "it is no nearer");
    assert.equal(success(await waitUntil(1n)), "reached");
    assert.equal(failure(await farthest).code, "PARTICIPANT_BACKPRESSURE");
    void waitUntil(2_000_000n); // there is room again
    assert.equal(failure(await waitUntil(2_000_000n)).code, "PARTICIPANT_BACKPRESSURE");
  });
});
