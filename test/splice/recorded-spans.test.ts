/** From when to when there are updates of a synchronizer, on a log that is made up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ElementWriter } from "../../src/base/element-writer.js";
import { ok } from "../../src/base/result.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import type { Participant } from "../../src/ledger/index.js";
import { RecordedSpans } from "../../src/splice/history/recorded-spans.js";
import { success } from "../ledger/support.js";

type Opened = Parameters<Participant["openUpdates"]>[0];

/** Update n is at offset n, and at second n. */
class Log {
  readonly updates: string[] = [];
  pruned = 0;
  /** How many updates were read. */
  read = 0;

  add(...synchronizers: readonly string[]): void {
    this.updates.push(...synchronizers);
  }

  spans(...all: readonly string[]): RecordedSpans {
    const ledger = {
      allSynchronizers: all.map((id, number) => ({ id, number, alias: id })),
      ledgerEnd: () => this.updates.length,
      prunedOffsets: () => ({ participantPrunedUpToInclusive: this.pruned, allDivulgedContractsPrunedUpToInclusive: this.pruned }),
      openUpdates: ({ beginExclusive, endInclusive, descending }: Opened) => {
        const begin = Number(beginExclusive),
          end = Number(endInclusive ?? this.updates.length),
          offsets = Array.from({ length: end - begin }, (_, index) => (descending ? end - index : begin + 1 + index));
        return ok(this.#cursor(offsets));
      },
    } as unknown as Participant;
    return new RecordedSpans({ ledger, turns: new Turns(limits.turnMs) });
  }

  #cursor(offsets: number[]) {
    return {
      ended: offsets.length === 0,
      failure: undefined,
      read: (max: number, out: ElementWriter): number => {
        const some = offsets.splice(0, max);
        for (const offset of some) {
          out.begin();
          out.text(this.#element(offset));
          out.end();
        }
        this.read += some.length;
        return some.length;
      },
      close: () => undefined,
    };
  }

  #element(offset: number): string {
    const recordTime = new Date(offset * 1_000).toISOString().replace(".000Z", "Z"),
      value = { updateId: `u${offset}`, offset, synchronizerId: this.updates[offset - 1], recordTime, events: [] };
    return JSON.stringify({ update: { Transaction: { value } } });
  }
}

const told = async (spans: RecordedSpans, dso = "dso"): Promise<Record<string, readonly number[]>> =>
  Object.fromEntries([...success(await spans.of(dso))].map(([id, { first, last }]) => [id, [first.offset, last.offset]]));

test("spans of synchronizers: the first and the last update of each that has any, as the log grows", async () => {
  const log = new Log(),
    spans = log.spans("a", "b", "c");
  assert.deepEqual(await told(spans), {});
  log.add("a", "a", "b", "a");
  assert.deepEqual(await told(spans), { a: [1, 4], b: [3, 3] });
  assert.deepEqual(success(await spans.of("dso")).get("b")!.first, { offset: 3, recordTime: "1970-01-01T00:00:03Z" });
  log.add("b", "c");
  assert.deepEqual(await told(spans), { a: [1, 4], b: [3, 5], c: [6, 6] });
  assert.deepEqual(await told(log.spans("a", "b", "c")), await told(spans), "as who looks at all of it anew");
});

test("spans of synchronizers: for one that nothing happens on nobody reads again what somebody has read", async () => {
  const log = new Log(),
    spans = log.spans("a", "quiet");
  log.add(...Array.from({ length: 5_000 }, () => "a"));
  assert.deepEqual(await Promise.all([told(spans), told(spans)]), [{ a: [1, 5_000] }, { a: [1, 5_000] }]);
  assert.equal(log.read, 2 * 5_000, "from either end once");
  log.read = 0;
  log.add("a", "a");
  assert.deepEqual(await told(spans), { a: [1, 5_002] });
  assert.equal(log.read, 2 * 2);
});

test("spans of synchronizers: what is pruned is none of them, and another DSO sees others", async () => {
  const log = new Log(),
    spans = log.spans("a", "b");
  log.add("a", "b", "a", "a");
  assert.deepEqual(await told(spans), { a: [1, 4], b: [2, 2] });
  log.pruned = 2;
  assert.deepEqual(await told(spans), { a: [3, 4] });
  log.read = 0;
  await told(spans, "another");
  assert.ok(log.read > 0);
});
