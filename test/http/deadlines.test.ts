import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Expiring, Deadlines } from "../../src/http/deadlines.js";
import { Intake } from "../../src/http/intake.js";

describe("deadlines of requests that came together", () => {
  const asked = (expired: string[], name: string): Expiring => ({ expire: () => expired.push(name) });

  it("pass for those that were not answered, each after its own time", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const deadlines = new Deadlines(new Intake(100)),
      expired: string[] = [],
      answered = asked(expired, "answered"),
      deadline = deadlines.of(answered, 20);
    deadlines.of(asked(expired, "one"), 20);
    deadlines.of(asked(expired, "another"), 20);
    deadlines.of(asked(expired, "patient"), 60);
    deadline.leave(answered);
    t.mock.timers.tick(19);
    assert.deepEqual(expired, []);
    t.mock.timers.tick(1);
    assert.deepEqual(expired, ["one", "another"]);
    t.mock.timers.tick(40);
    assert.deepEqual(expired, ["one", "another", "patient"]);
  });

  it("begin anew for who comes once all others of the turn were answered, and with each turn", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const deadlines = new Deadlines(new Intake(100)),
      expired: string[] = [],
      quick = asked(expired, "quick");
    const deadline = deadlines.of(quick, 30);
    t.mock.timers.tick(10);
    deadline.leave(quick);
    deadlines.of(asked(expired, "slow"), 30);
    t.mock.timers.tick(20);
    assert.deepEqual(expired, []);
    await nextTurn();
    deadlines.of(asked(expired, "later"), 30);
    t.mock.timers.tick(10);
    assert.deepEqual(expired, ["slow"]);
    t.mock.timers.tick(20);
    assert.deepEqual(expired, ["slow", "later"]);
  });

  it("keep no process where nobody waits", (t) => {
    const cleared = t.mock.method(globalThis, "clearTimeout"),
      deadlines = new Deadlines(new Intake(100)),
      [one, other] = [asked([], "one"), asked([], "other")];
    const deadline = deadlines.of(one, 30);
    deadlines.of(other, 30);
    deadline.leave(one);
    assert.equal(cleared.mock.callCount(), 0);
    deadline.leave(other);
    assert.equal(cleared.mock.callCount(), 1);
  });
});
