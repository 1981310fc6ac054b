/** Static time, as it is moved over HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { StaticClock } from "../../src/base/clock.js";
import { silentLog } from "../../src/base/log.js";
import { noAuthentication } from "../../src/auth/index.js";
import { servedNode } from "../support/served.js";
import { request, servicesWith } from "./support.js";

test("time: it moves once what is due before is done, and the answer is there once what is due then is", async () => {
  const staticClock = new StaticClock(),
    settledAt: bigint[] = [];
  const settle = async (): Promise<void> => {
    await new Promise(setImmediate);
    settledAt.push(staticClock.nowMicros());
  };
  const served = servedNode({
    services: { ...servicesWith({}), staticTime: true, staticClock, settle },
    authentication: noAuthentication,
    log: silentLog,
    listElementsMax: 200,
    listWaitMs: 30,
    observe: () => undefined,
  });
  const move = (newTime: string, currentTime?: string) => request(served, "POST", "/admin/time", { body: { newTime, currentTime } });
  assert.equal((await move("1970-01-01T00:00:01Z")).status, 200);
  assert.deepEqual(settledAt, [0n, 1_000_000n]);
  const [later, earlier] = await Promise.all([move("1970-01-01T00:00:03Z"), move("1970-01-01T00:00:02Z")]);
  assert.equal(later.status, 200);
  assert.equal(earlier.status, 400, "another moved it further meanwhile");
  assert.equal(staticClock.nowMicros(), 3_000_000n);
  for (const [from, to, cause] of [
    ["1970-01-01T00:00:02Z", "1970-01-01T00:00:04Z", /current_time mismatch/],
    ["1970-01-01T00:00:04Z", "1970-01-01T00:00:03Z", /is before current_time/],
  ] as const) {
    const refused = await move(to, from);
    assert.equal(refused.status, 400, "who says from where moves it from there only");
    assert.match(refused.text, cause);
  }
  assert.equal((await move("1970-01-01T00:00:04Z", "1970-01-01T00:00:03Z")).status, 200);
});
