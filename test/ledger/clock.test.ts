import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { CommandSubmission } from "../../src/ledger/intake/index.js";
import type { Ledger } from "../../src/ledger/ledger.js";
import { closeFixture, failure, openFixture, submission, success, TestClock, transactions, wildcard, type Fixture } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const second = 1_000_000n,
  hour = 3_600n * second,
  day = 24n * hour,
  year = 365n * day;

/** A ledger whose clock was ahead when its last command ran, opened again by a clock that is right. */
async function afterClockAhead(
  t: TestContext,
  ahead: bigint,
): Promise<Omit<Fixture, "parties"> & { readonly alice: string; readonly recordTime: bigint }> {
  const folder = temporaryFolder(),
    before = new TestClock(),
    truth = before.now;
  before.now += ahead;
  const first = await openFixture(folder, { clock: before });
  const alice = success(
    await first.ledger.allocateParty({ hint: "alice", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" }),
  ).party;
  success(await create(first.ledger, alice, "first"));
  const recordTime = await lastRecordTime(first.ledger, alice);
  await closeFixture(first);
  const after = new TestClock();
  after.now = truth;
  const again = await openFixture(folder, { clock: after, interpreter: first.interpreter });
  t.after(() => closeFixture(again));
  return { ...again, alice, recordTime };
}

const create = (ledger: Ledger, party: string, name: string, changes: Partial<CommandSubmission> = {}): ReturnType<Ledger["submit"]> =>
  ledger.submit(submission([party], [{ create: name, signatories: [party] }], changes));

async function lastRecordTime(ledger: Ledger, party: string): Promise<bigint> {
  const { recordTime } = (await transactions(ledger, wildcard(party))).at(-1);
  const [, seconds, fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(recordTime)!;
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(fraction.padEnd(6, "0"));
}

describe("clock", () => {
  it("a clock that was an hour ahead once: after a restart commands run on by the ledger's own time", async (t) => {
    const { ledger, alice, recordTime, clock } = await afterClockAhead(t, hour);
    for (const name of ["a", "b", "c"]) success(await create(ledger, alice, name));
    const now = await lastRecordTime(ledger, alice);
    assert.ok(now > recordTime && now < recordTime + second, `${now - recordTime}`);
    clock.now += 2n * hour; // the clock is beyond it: its time is the ledger's again
    success(await create(ledger, alice, "d"));
    assert.equal(await lastRecordTime(ledger, alice), clock.now);
  });

  it("behind the ledger's own time, that goes on at half the pace, until the clock has caught up", async (t) => {
    const { ledger, alice, recordTime, clock } = await afterClockAhead(t, hour);
    clock.pass(30n * 60n * second);
    success(await create(ledger, alice, "a"));
    assert.equal((await lastRecordTime(ledger, alice)) - recordTime, 15n * 60n * second);
    clock.pass(3n * hour);
    success(await create(ledger, alice, "b"));
    assert.equal(await lastRecordTime(ledger, alice), clock.now);
  });

  it("a clock that is set back while the ledger runs stops neither commands nor time", async (t) => {
    const folder = temporaryFolder(),
      fixture = await openFixture(folder),
      { ledger, clock } = fixture;
    t.after(() => closeFixture(fixture));
    const alice = success(
      await ledger.allocateParty({ hint: "alice", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" }),
    ).party;
    success(await create(ledger, alice, "a"));
    const before = await lastRecordTime(ledger, alice);
    clock.now -= hour;
    clock.pass(10n * second);
    success(await create(ledger, alice, "b", { minLedgerTimeAbs: before + 4n * second }));
    assert.equal(await lastRecordTime(ledger, alice), clock.now + hour - 5n * second);
  });

  it("deduplication: a period counts from the acceptance also where the clock is behind it", async (t) => {
    const { ledger, alice, clock } = await afterClockAhead(t, hour),
      period = { kind: "duration", seconds: 600, nanos: 0 } as const;
    success(await create(ledger, alice, "a", { commandId: "same", deduplication: period }));
    assert.equal(failure(await create(ledger, alice, "b", { commandId: "same", deduplication: period })).code, "DUPLICATE_COMMAND");
    clock.pass(1_300n * second); // 650 of the ledger's own
    success(await create(ledger, alice, "c", { commandId: "same", deduplication: period }));
  });

  it("further behind than the bound nothing runs, what was recorded is read, and it says why; when the clock is right again commands run", async (t) => {
    const { ledger, alice, clock } = await afterClockAhead(t, year),
      end = ledger.ledgerEnd();
    const { code, cause, category } = failure(await create(ledger, alice, "a"));
    assert.deepEqual([code, category], ["SERVICE_NOT_RUNNING", 1]);
    assert.match(
      cause,
      /^The node's clock .* is 365 days behind the ledger's own time .*; commands run when it is at most 1 day behind\.$/,
    );
    assert.equal(ledger.impediment(), cause);
    assert.equal(
      failure(await ledger.submitAsync(submission([alice], [{ create: "b", signatories: [alice] }]))).code,
      "SERVICE_NOT_RUNNING",
    );
    assert.equal(ledger.ledgerEnd(), end);
    assert.equal((await transactions(ledger, wildcard(alice))).length, 1);
    success(await ledger.allocateParty({ hint: "bob", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" }));
    clock.now += year - hour;
    assert.equal(ledger.impediment(), undefined);
    success(await create(ledger, alice, "c"));
  });

  it("the bound is the operator's to widen", async (t) => {
    const { ledger, alice, folder, store, interpreter, clock } = await afterClockAhead(t, year);
    await closeFixture({ ledger, store, folder });
    const wide = await openFixture(folder, { interpreter, clock, clockBehindMaxSeconds: 400 * 24 * 3600 });
    t.after(() => closeFixture(wide));
    success(await create(wide.ledger, alice, "a"));
  });
});
