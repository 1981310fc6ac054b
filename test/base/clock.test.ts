import assert from "node:assert/strict";
import { test } from "node:test";
import { wallClock } from "../../src/base/clock.js";

test("clock: it is the system's to the millisecond, tells microseconds, and does not go back", () => {
  const clock = wallClock(),
    until = performance.now() + 300;
  const instants = new Set<bigint>();
  for (let last = 0n; performance.now() < until;) {
    const before = BigInt(Date.now()),
      now = clock.nowMicros(),
      after = BigInt(Date.now());
    assert.ok(now >= last, `${last - now} µs back`);
    assert.ok(now / 1_000n >= before && now / 1_000n <= after, "in the millisecond that the system tells");
    instants.add(now);
    last = now;
  }
  assert.ok(instants.size > 1_000, `${instants.size} instants in 300 ms`);
});

test("clock: who sets the system's clock sets it, forward and back", (t) => {
  const clock = wallClock(),
    day = 86_400_000;
  const real = Date.now.bind(Date);
  for (const away of [0, day, -day, 0]) {
    t.mock.method(Date, "now", () => real() + away);
    const before = Date.now(),
      now = Number(clock.nowMicros() / 1_000n);
    assert.ok(now >= before && now <= Date.now(), String(away));
  }
});
