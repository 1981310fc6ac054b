/** A transaction with many events is cut and printed step by step, so that others come between. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ElementWriter } from "../../src/base/element-writer.js";
import { GrowingBytes } from "../../src/base/growing-bytes.js";
import { ok } from "../../src/base/result.js";
import type { Steps } from "../../src/base/steps.js";
import { Turns } from "../../src/base/turns.js";
import type { Participant, SubmissionOutcome } from "../../src/ledger/index.js";
import { readInSteps } from "../../src/splice/elements.js";
import { Positions, TransactionText } from "../../src/splice/history/event-text.js";
import { transactionIn } from "../../src/splice/history/reading.js";
import { writeUpdate } from "../../src/splice/history/update.js";
import { writeVerdict } from "../../src/splice/history/verdict.js";
import { membersWithList } from "../../src/splice/values/json-slices.js";
import { ValueTypes } from "../../src/splice/values/value-types.js";
import { ownTurns } from "../support/turns.js";

const dso = "DSO::1220",
  events = 1_000;

/** Of which every tenth has others for witnesses. */
const created = (nodeId: number): object => ({
  CreatedEvent: {
    nodeId,
    contractId: `00${nodeId}`,
    templateId: "p:M:T",
    createArgument: { note: `ü,"]}${nodeId}` },
    witnessParties: nodeId % 10 === 0 ? [dso, "bob"] : [dso],
    signatories: [dso],
    observers: [],
    createdAt: "2026-01-01T00:00:00Z",
    packageName: "p",
  },
});
const transaction = JSON.stringify({
  updateId: "1220",
  workflowId: "",
  effectiveAt: "2026-01-01T00:00:00Z",
  events: [
    {
      ExercisedEvent: {
        nodeId: 0,
        lastDescendantNodeId: events,
        contractId: "00",
        templateId: "p:M:T",
        interfaceId: null,
        choice: "C",
        choiceArgument: {},
        exerciseResult: {},
        witnessParties: [dso],
        actingParties: [dso],
        consuming: true,
        packageName: "p",
      },
    },
    ...Array.from({ length: events }, (_, index) => created(index + 1)),
  ],
  offset: 4,
  recordTime: "2026-01-01T00:00:00Z",
  synchronizerId: "s::1220",
  externalTransactionHash: null,
});

function counted<T>(steps: Steps<T>): { readonly value: T; readonly count: number } {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done === true) return { value, count };
  }
}

/** Types of everything: of values that are printed as the ledger prints them. */
const types = new ValueTypes(
  {
    describeTypes: async (positions: readonly unknown[]) => positions.map(() => undefined),
  } as unknown as Participant,
  ownTurns(),
);

test("long transactions: an object is cut around its list as it is cut otherwise, wherever the list stands and whatever is in it", () => {
  for (const list of [[], [1], [1, "],{", { a: [[]] }, []]])
    for (const object of [{ list }, { list, b: "]" }, { a: { list: [] }, list }, { a: 1, list, b: [2] }]) {
      const { members, elements } = counted(membersWithList(JSON.stringify(object), "list")).value;
      assert.deepEqual(
        elements.map((element) => JSON.parse(element)),
        list,
      );
      const { list: _, ...rest } = object as Record<string, unknown>;
      assert.deepEqual(Object.fromEntries([...members].map(([name, value]) => [name, JSON.parse(value)])), rest);
    }
});

test("long transactions: one is cut and printed event by event, and its verdict view by view", async () => {
  const cut = counted(TransactionText.of(transaction)),
    positions = new Positions();
  assert.ok(cut.count >= events, `${cut.count} steps`);
  for (const event of cut.value.events) positions.of(event);
  await types.whileKnown(positions.all, () => {
    const out = new GrowingBytes(),
      printed = counted(writeUpdate(out, cut.value, { dso, encoding: "compact_json", types, positions })),
      update = JSON.parse(out.view().toString());
    assert.ok(printed.value && printed.count >= events, `${printed.count} steps`);
    assert.deepEqual(update.root_event_ids, ["1220:0"]);
    assert.deepEqual(Object.keys(update.events_by_id), Array.from({ length: events + 1 }, (_, index) => `1220:${index}`).sort());
    assert.equal(update.events_by_id["1220:17"].create_arguments.note, `ü,"]}17`);
    assert.equal(update.events_by_id["1220:0"].child_event_ids.length, events);
  });
  const out = new GrowingBytes(),
    outcome = { updateId: "1220", offset: 4, status: { code: 0 }, actAs: [dso], participantId: "p" } as unknown as SubmissionOutcome,
    verdict = counted(writeVerdict(out, outcome, cut.value, "s::1220")),
    { views, root_views } = JSON.parse(out.view().toString()).transaction_views;
  assert.ok(verdict.count >= events, `${verdict.count} steps`);
  assert.deepEqual([root_views, views.length, views[0].sub_views.length], [[0], 1 + events / 10, events / 10]);
});

/** Gives one transaction. */
function opened() {
  const element = `{"update":{"Transaction":{"value":${transaction}}}}`;
  let ended = false;
  return ok({
    get ended() {
      return ended;
    },
    read: (_: number, out: ElementWriter): number => {
      out.begin();
      out.text(element);
      out.end();
      ended = true;
      return 1;
    },
    wait: async () => undefined,
    close: () => undefined,
  });
}

test("long transactions: while one is read others have their turn", async () => {
  let turns = 0;
  const count = (): void => {
    turns++;
    if (!isRead) setImmediate(count);
  };
  let isRead = false;
  setImmediate(count);
  const read = await readInSteps(opened(), { max: 1, turns: new Turns(0) }, transactionIn);
  isRead = true;
  assert.deepEqual([read.ok?.length, read.ok?.[0]?.events.length], [1, events + 1]);
  assert.ok(turns >= events, `${turns} turns`);
});

test("long transactions: one that is not wanted any more is not read to its end", async () => {
  const closing = new AbortController();
  let steps = 0;
  const reading = function* (json: string): Steps<void> {
    for (const _ of transactionIn(json)) {
      if (++steps === 10) closing.abort(new Error("closing"));
      yield;
    }
  };
  await assert.rejects(readInSteps(opened(), { max: 1, turns: new Turns(1_000), wanted: closing.signal }, reading), /closing/);
  assert.equal(steps, 10);
});
