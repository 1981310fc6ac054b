/** How automation stops, and what it forgets: on a ledger that is made up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { silentLog } from "../../src/base/log.js";
import { limits } from "../../src/config.js";
import { Automation, type AutomationOptions } from "../../src/splice/automation/index.js";

type AutomatedLedger = AutomationOptions["ledger"];

/** Without a network; `readNote` begins each turn. */
const ledgerWith = (changes: Partial<Record<keyof AutomatedLedger, unknown>>): AutomatedLedger =>
  ({
    ledgerEnd: () => 1,
    nowMicros: () => 0n,
    listPackages: () => [],
    waitBehind: (_offset: number, timeoutMs: number, signal: AbortSignal) => pause(timeoutMs, undefined, { signal }).catch(() => undefined),
    ...changes,
  }) as unknown as AutomatedLedger;

test("automation stops at once, also after a turn that failed, before which it would rest", async () => {
  const failing = ledgerWith({
    readNote: () => {
      throw new Error("a bug");
    },
  });
  const automation = new Automation({ ledger: failing, triggers: [], log: silentLog, validators: [] });
  await pause(20);
  const since = performance.now();
  await automation.close();
  assert.ok(performance.now() - since < limits.automationRetryMs / 2);
});

test("who waited until nothing is due and was told that it takes too long is waited for no longer", async (t) => {
  let turns = 0,
    paused: (() => void) | undefined;
  const untilPaused = new Promise<void>((resolve) => (paused = resolve));
  const ledger = ledgerWith({
    readNote: () => {
      if (++turns === 1) throw new Error("a bug");
    },
    waitBehind: async (_offset: number, _timeoutMs: number, signal: AbortSignal) => {
      paused!();
      await pause(60_000, undefined, { signal }).catch(() => undefined);
    },
  });
  const automation = new Automation({ ledger, triggers: [], log: silentLog, validators: [] });
  t.after(() => automation.close());
  await pause(20);
  assert.equal(await automation.settle(20), false, "it rests, as its turn failed");
  await untilPaused;
  assert.equal(turns, 1, "it looks again for who waits only");
  assert.equal(await automation.settle(5_000), true);
});
