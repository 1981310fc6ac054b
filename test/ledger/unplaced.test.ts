/** Records that are made before their place is known are, once they have it, the records that are made with it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { InterpretedTransaction, RecordFacts } from "../../src/ledger/engine/index.js";
import type { StoredEvent } from "../../src/ledger/model/index.js";
import {
  encodeCompletion,
  encodeUnplaced,
  PartyLists,
  placeCompletion,
  placeUpdate,
  TransactionEncoder,
} from "../../src/ledger/records/index.js";
import { RecordWriter } from "../../src/store/index.js";
import { Random } from "../support/random.js";
import { drain, startLedger, submission, success, transactions, updates, wildcard } from "./support.js";

const names = ["alice::1220aa", "b\u00f6b::1220bb", "carol::1220cc"],
  synchronizerIdJson = `"s\u00e4::1220dd"`;
const known = {
  party: (party: string) => {
    const at = names.indexOf(party);
    return at < 0 ? undefined : at + 1;
  },
  template: (_: string, templateId: string) => (templateId.endsWith("Unknown") ? undefined : 7),
};
const facts = (offsetDigits: number): RecordFacts => ({
  userId: `us"er`,
  commandId: `"updateId":"\u{1F600}`,
  submissionId: "s",
  workflowId: "w\n",
  trace: { traceparent: "00-1", tracestate: null },
  deduplication: { kind: "offset", offset: 0 },
  changeKey: "00ff",
  synchronizerIdJson,
  offsetDigits,
});

function event(random: Random, nodeId: number, template = "T"): StoredEvent {
  const parties = (): string[] => names.filter((_, index) => index === 0 || random.below(2) === 0),
    stakeholders = parties();
  const common = {
    nodeId,
    contractId: `00${nodeId}`,
    templateId: `p:M:${template}`,
    packageName: "n",
    stakeholders,
    witnesses: random.below(2) ? stakeholders : parties(),
    json: `,"offset":1,"a":"\u00e9"`,
    jsonAfter: `"b":{"recordTime":"x"}`,
  };
  if (random.below(2)) return { ...common, kind: "exercise", consuming: true, deactivates: random.below(2) === 0 };
  return {
    ...common,
    kind: "create",
    activates: random.below(2) === 0,
    createdEventBlob: Uint8Array.of(1, 2),
    keyHash: random.below(2) ? "ff" : "",
  };
}

const transactionOf = (events: readonly StoredEvent[], informed: readonly string[] = []): InterpretedTransaction => ({
  events,
  inputs: [],
  keyInputs: [],
  ignoredByKeys: [],
  minLedgerTime: 0n,
  maxLedgerTime: 1n,
  usedPackages: [],
  untold: informed.map((party) => ({ party, packageIds: [] })),
  untoldNodes: [],
});

test("unplaced records: with their place they are what is made with it", () => {
  const random = new Random(3),
    updateId = `1220${"e".repeat(64)}`,
    ledgerTime = 1_795_344_498_000_000n,
    actAs = names.slice(0, 2);
  for (let round = 0; round < 300; round++) {
    const offset = 1 + random.below(10 ** random.below(9)),
      recordTime = ledgerTime + BigInt(random.below(10_000)) * [1n, 1_000n, 1_000_000n][round % 3]! - 5_000_000_000n;
    const events = Array.from({ length: random.below(5) }, (_, index) => event(random, 2 * index)),
      told = facts(String(offset).length);
    const unplaced = encodeUnplaced(new RecordWriter(), { transaction: transactionOf(events), facts: told, actAs, ledgerTime }, known)!;
    const { commandId, workflowId, trace } = told,
      place = { offset, recordTime };
    const encoder = new TransactionEncoder(
      new RecordWriter(),
      { ...place, updateId, commandId, workflowId, effectiveAt: ledgerTime, trace, synchronizer: 0, events },
      synchronizerIdJson,
    );
    const numbers = events.map(({ stakeholders, witnesses }) => ({
      template: 7,
      stakeholders: stakeholders.map(known.party) as number[],
      witnesses: witnesses.map(known.party) as number[],
    }));
    events.forEach((_, index) => encoder.addEvent(index));
    encoder.begin(numbers, [1, 2]);
    events.forEach((_, index) => encoder.writeEvent(index, numbers[index]!));
    assert.deepEqual(placeUpdate(unplaced.update as Buffer, updateId, place, new PartyLists()), encoder.finish());
    const completion = encodeCompletion(
      new RecordWriter(),
      { ...told, ...place, actAs, updateId, status: { code: 0, message: "" } },
      [1, 2],
      told.changeKey,
      synchronizerIdJson,
    );
    assert.deepEqual(placeCompletion(unplaced.completion as Buffer, updateId, place, synchronizerIdJson), completion);
    assert.deepEqual(
      [unplaced.creates.length, unplaced.archives.length],
      [events.filter(({ kind }) => kind === "create").length, events.filter((each) => each.kind === "exercise" && each.deactivates).length],
    );
  }
});

test("unplaced records: there are none of what has no number yet, and none of what is large", () => {
  const random = new Random(1),
    recorded = (events: readonly StoredEvent[], actAs = names, informed: readonly string[] = []): unknown => {
      const transaction = transactionOf(events, informed);
      return encodeUnplaced(new RecordWriter(), { transaction, facts: facts(1), actAs, ledgerTime: 0n }, known);
    };
  assert.equal(recorded([event(random, 0, "Unknown")]), undefined);
  assert.equal(recorded([{ ...event(random, 0), witnesses: ["dave::1220"] }]), undefined);
  assert.equal(recorded([], ["dave::1220"]), undefined);
  assert.equal(recorded([event(random, 0)], names, ["dave::1220"]), undefined, "of what was rolled back");
  assert.equal(recorded(Array.from({ length: 251 }, (_, index) => event(random, index))), undefined);
  assert.ok(recorded([event(random, 0)]));
});

test("unplaced records: commands that run at once while offsets get one digit more all find their place", async (t) => {
  const { ledger, parties } = await startLedger(t),
    alice = parties["alice"]!;
  const submit = (name: string): Promise<unknown> =>
    ledger.submit(submission([alice], [{ create: name, signatories: [alice] }])).then(success);
  await submit("first");
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 40 }, (_, index) => submit(`${round}-${index}`)));
  const told = await transactions(ledger, wildcard(alice)),
    created = told.map(({ events }) => events[0].CreatedEvent);
  assert.equal(told.length, 201);
  assert.deepEqual(
    created.map(({ offset }) => offset),
    told.map(({ offset }) => offset),
  );
  assert.ok(told.at(-1).offset > 200);
  const whole = await drain(
    ledger.openUpdates({
      beginExclusive: 0,
      endInclusive: undefined,
      format: updates(wildcard(alice), "ledgerEffects"),
      form: "update",
      descending: false,
    }),
  );
  assert.equal(whole.length, 201);
});
