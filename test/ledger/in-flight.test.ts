import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { isFailure, type Result } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { InFlight } from "../../src/ledger/submission/in-flight.js";
import type { Admission } from "../../src/ledger/intake/index.js";
import type { Ledger } from "../../src/ledger/ledger.js";
import type { LedgerErrorData } from "../../src/ledger/model/model.js";
import { failure, startLedger, submission, success } from "./support.js";

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

  it("the line is bounded", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { inFlight } = full();
    for (let count = 0; count < limits.commandsInLineMax; count++) assert.ok(isWaiting(inFlight.admit(stays)));
    assert.equal(failure(now(inFlight.admit(stays))).code, "PARTICIPANT_BACKPRESSURE");
  });
});

describe("in flight: commands that wait for a later ledger time", () => {
  const hour = 3_600_000_000n;
  const waits = (ledger: Ledger, party: string, count: number): Promise<Result<unknown, LedgerErrorData>>[] =>
    Array.from({ length: count }, () =>
      ledger.submit(submission([party], [{ create: `late ${++number}`, signatories: [party] }], { minLedgerTimeRel: hour })),
    );

  it("leave their places to others", async (t: TestContext) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const late = waits(ledger, alice, limits.commandsInFlightMax + 1);
    await turn();
    success(await ledger.submit(submission([alice], [{ create: "now", signatories: [alice] }])));
    clock.pass(hour + 1_000_000n);
    for (const each of await Promise.all(late)) assert.ok(!isFailure(each));
  });

  it("are still the commands of their change ids", async (t) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const late = submission([alice], [{ create: "late", signatories: [alice] }], { minLedgerTimeRel: hour }),
      first = ledger.submit(late);
    await turn();
    assert.equal(failure(await ledger.submit(late)).code, "SUBMISSION_ALREADY_IN_FLIGHT");
    clock.pass(hour + 1_000_000n);
    success(await first);
  });

  it("have a bound of their own", async (t) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const late = waits(ledger, alice, limits.commandsAsideMax);
    await turn();
    assert.equal(failure((await waits(ledger, alice, 1)[0]!) as never).code, "PARTICIPANT_BACKPRESSURE");
    success(await ledger.submit(submission([alice], [{ create: "now", signatories: [alice] }])));
    clock.pass(hour + 1_000_000n);
    for (const each of await Promise.all(late)) assert.ok(!isFailure(each));
  });
});
