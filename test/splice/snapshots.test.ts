/** When snapshots are: a schedule over record times, and those that were asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../../src/base/result.js";
import { parseInstant } from "../../src/splice/instants.js";
import type { Network } from "../../src/splice/network.js";
import { Snapshots } from "../../src/splice/snapshots.js";

const at = (time: string): bigint => parseInstant(`2026-01-01T${time}Z`)!;
const network = { amuletRules: () => Promise.resolve(ok({})) } as unknown as Network;

/** A ledger whose only commits are at these times. */
function ledgerOf(times: bigint[], notes = new Map<string, string>(), pruned = 0) {
  const outcomes = (): { readonly offset: number; readonly recordTime: bigint }[] =>
    times.map((recordTime, index) => ({ offset: index + 1, recordTime })).filter(({ offset }) => offset > pruned);
  return {
    readOutcomes: ({ descending = false }: { descending?: boolean }) => ok((descending ? outcomes().reverse() : outcomes()).slice(0, 1)),
    offsetAt: (time: bigint) => {
      const offset = times.filter((each) => each <= time).length;
      return pruned > 0 && offset <= pruned ? undefined : offset;
    },
    prunedOffsets: () => ({ participantPrunedUpToInclusive: pruned, allDivulgedContractsPrunedUpToInclusive: pruned }),
    readNote: (name: string) => notes.get(name),
    keepNote: (name: string, text: string) => {
      notes.set(name, text);
      return Promise.resolve(ok(undefined));
    },
  } as unknown as ConstructorParameters<typeof Snapshots>[0];
}

test("snapshots: the first is at the next hour that three divides, once something was recorded behind it", () => {
  assert.equal(new Snapshots(ledgerOf([]), network).latest(), undefined);
  assert.equal(new Snapshots(ledgerOf([at("04:30:00"), at("06:00:00")]), network).latest(), undefined, "nothing is behind 06:00 yet");
  const snapshots = new Snapshots(ledgerOf([at("04:30:00"), at("05:00:00"), at("06:00:00.000001"), at("13:00:00")]), network);
  assert.deepEqual(
    [snapshots.at(at("06:00:00")), snapshots.at(at("09:00:00")), snapshots.at(at("12:00:00"))].map((each) => each?.offset),
    [2, 3, 3],
  );
  assert.deepEqual(
    [snapshots.at(at("03:00:00")), snapshots.at(at("15:00:00")), snapshots.at(at("07:00:00"))],
    [undefined, undefined, undefined],
  );
  assert.equal(snapshots.atOrBefore(at("11:59:59.999999"))?.recordTime, at("09:00:00"));
  assert.equal(snapshots.atOrBefore(at("05:59:59")), undefined);
  assert.deepEqual(
    [at("00:00:00"), at("06:00:00"), at("11:00:00"), at("12:00:00")].map((time) => snapshots.after(time)?.recordTime),
    [at("06:00:00"), at("09:00:00"), at("12:00:00"), undefined],
  );
  assert.equal(snapshots.latest()?.recordTime, at("12:00:00"));
});

test("snapshots: those that were asked for stand among the others, and outlive the process", async () => {
  const times = [at("04:30:00"), at("07:15:00")],
    notes = new Map<string, string>(),
    snapshots = new Snapshots(ledgerOf(times, notes), network);
  const forced = await Promise.all([snapshots.force(), snapshots.force()]);
  assert.deepEqual(
    forced.map((each) => each.ok),
    [
      { recordTime: at("07:15:00"), offset: 2 },
      { recordTime: at("07:15:00"), offset: 2 },
    ],
  );
  times.push(at("08:00:00"));
  await snapshots.force();
  for (const reader of [snapshots, new Snapshots(ledgerOf(times, notes), network)]) {
    assert.deepEqual(
      [reader.after(at("06:00:00"))?.recordTime, reader.after(at("07:15:00"))?.recordTime, reader.atOrBefore(at("07:59:00"))?.recordTime],
      [at("07:15:00"), at("08:00:00"), at("07:15:00")],
    );
  }
});

test("snapshots: before the history that is left there are none", () => {
  const forced = new Map([["splice/forced-acs-snapshots", JSON.stringify([at("04:30:00"), at("08:00:00")].map(String))]]),
    snapshots = new Snapshots(ledgerOf([at("04:30:00"), at("07:15:00"), at("08:00:00"), at("12:30:00")], forced, 2), network);
  assert.deepEqual([snapshots.at(at("06:00:00")), snapshots.at(at("09:00:00"))?.offset], [undefined, 3]);
  assert.deepEqual([snapshots.at(at("04:30:00")), snapshots.atOrBefore(at("07:59:00"))], [undefined, undefined]);
  assert.equal(snapshots.after(at("04:00:00"))?.recordTime, at("08:00:00"), "the first that can still be told");
});
