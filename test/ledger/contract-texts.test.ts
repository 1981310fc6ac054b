/** Texts of active contracts that are kept for all readers: each gets what is put together for a reader who comes first. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ElementWriter } from "../../src/base/element-writer.js";
import { limits } from "../../src/config.js";
import type { EventFormatRequest, Ledger, ReassignmentSubmission } from "../../src/ledger/index.js";
import { type ContractText, ContractTexts } from "../../src/ledger/reading/contract-texts.js";
import { openDoors } from "./doors.js";
import {
  closeFixture,
  Collector,
  contractIdOf,
  openFixture,
  packageName,
  startLedger,
  submission,
  success,
  wildcard,
  type Step,
} from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const kind = { template: 1, stakeholders: [1, 2] };
const place = (offset: number, nodeId = 0) => ({ offset, nodeId });
const contentOf = (offset: number, bytes: number): string => `${offset}`.padEnd(bytes, ".");
const keep = (texts: ContractTexts, offset: number, bytes = 1_000, nodeId = 0): ContractText | undefined =>
  texts.keep(place(offset, nodeId), { ...kind }, (out: ElementWriter) => {
    out.begin();
    out.text(contentOf(offset, bytes));
    out.end();
  });
const textOf = ({ bytes, start, end }: ContractText): string => bytes.toString("latin1", start, end);
const fullTexts = Math.ceil(limits.contractTextsBytesMax / 1_000);

describe("texts of contracts in memory", () => {
  it("are found by their places, from anywhere and from the one before", () => {
    const texts = new ContractTexts(),
      places = [place(1), place(1, 1), place(2), place(3, 70_000), place(2 ** 35, 5)];
    for (const { offset, nodeId } of places) keep(texts, offset, 1_000, nodeId);
    let before: ContractText | undefined;
    for (const each of places) {
      assert.equal(textOf(texts.find(each, undefined)!), contentOf(each.offset, 1_000));
      assert.equal(texts.find(each, before), texts.find(each, undefined));
      before = texts.find(each, before)!;
    }
    for (const each of [place(3), place(1, 2), place(4)]) assert.equal(texts.find(each, before), undefined);
  });

  it("lie one behind the other, with commas between", () => {
    const texts = new ContractTexts(),
      [first] = [1, 2, 3].map((offset) => keep(texts, offset)!) as [ContractText];
    const expected = [1, 2, 3].map((offset) => contentOf(offset, 1_000)).join(",");
    assert.equal(first.bytes.toString("latin1", first.start, first.start + expected.length), expected);
  });

  it("of kinds with many stakeholders share them as long as those are not too many together", () => {
    const texts = new ContractTexts(),
      length = limits.contractKindPartiesKeptMax / 4;
    const kindOf = (offset: number, first: number) =>
      texts.keep(place(offset), { template: 1, stakeholders: Array.from({ length }, (_, index) => first + index) }, () => undefined)!.kind;
    const first = kindOf(1, 0);
    assert.equal(kindOf(2, 0), first);
    for (let other = 1; other < 5; other++) kindOf(2 + other, other);
    assert.notEqual(kindOf(10, 0), first);
  });

  it("of equal kinds have the same one", () => {
    const texts = new ContractTexts();
    assert.equal(keep(texts, 1)!.kind, keep(texts, 2)!.kind);
  });

  it("that were kept first go first, unless they are read; what was found stays whole", () => {
    const texts = new ContractTexts(),
      found = keep(texts, 1)!;
    for (let offset = 2; offset <= 4 * fullTexts; offset++) {
      keep(texts, offset);
      if (offset % 1_000 === 0) assert.ok(texts.find(place(2), undefined), `at offset ${offset}`);
    }
    assert.equal(texts.find(place(1), undefined), undefined);
    assert.equal(texts.find(place(3 * fullTexts - 20_000), undefined), undefined);
    assert.ok(texts.find(place(4 * fullTexts), undefined));
    assert.equal(textOf(found), contentOf(1, 1_000));
    assert.equal(textOf(texts.find(place(2), undefined)!), contentOf(2, 1_000));
  });

  it("are not kept where they are large, or their places are", () => {
    const texts = new ContractTexts();
    assert.equal(keep(texts, 1, limits.contractTextsChunkBytes), undefined);
    for (const { offset, nodeId } of [place(1, 2 ** 31), place(2 ** 47, 1)]) {
      assert.equal(keep(texts, offset, 1_000, nodeId), undefined);
      assert.equal(texts.find(place(offset, nodeId), undefined), undefined);
    }
  });
});

/** What a reader gets of a list and of a page, to the byte. */
type Read = (ledger: Ledger) => Promise<string>;

const listOf =
  (format: EventFormatRequest, activeAtOffset: number): Read =>
  async (ledger) => {
    const cursor = success(ledger.openActiveContracts({ activeAtOffset, format })),
      out = new Collector();
    while (!cursor.ended) await cursor.read(7, out);
    cursor.close();
    return out.elements.join("\n");
  };
const pageOf =
  (format: EventFormatRequest, activeAtOffset: number): Read =>
  async (ledger) =>
    Buffer.from(success(await ledger.readActiveContractsPage({ activeAtOffset, pageSize: 13, format, pageToken: undefined }))).toString();

const named = (party: string, filter: object): EventFormatRequest => ({
  filtersByParty: { [party]: { cumulative: [filter as never] } },
  filtersForAnyParty: undefined,
  verbose: true,
});

/** Of parties that see all, some or nothing of it, as plain as lists get, and with what is asked for beside. */
const formatsOf = (alice: string, bob: string, carol: string): readonly EventFormatRequest[] => [
  wildcard(alice),
  wildcard(bob),
  wildcard(carol),
  wildcard(alice, bob),
  wildcard(alice, bob, carol),
  { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: true },
  named(alice, { kind: "wildcard", includeCreatedEventBlob: true }),
  named(bob, { kind: "template", templateId: `#${packageName}:M:Asset`, includeCreatedEventBlob: false }),
  named(alice, { kind: "template", templateId: `#${packageName}:M:Other`, includeCreatedEventBlob: true }),
  named(bob, {
    kind: "interface",
    interfaceId: `#${packageName}:M:Holding`,
    includeInterfaceView: true,
    includeCreatedEventBlob: false,
  }),
  { ...named(bob, { kind: "wildcard", includeCreatedEventBlob: true }), filtersForAnyParty: { cumulative: [] } },
];

async function fill(ledger: Ledger, [alice, bob, carol]: readonly [string, string, string]): Promise<number[]> {
  const offsets: number[] = [];
  for (let n = 0; n < 12; n++) {
    const steps: Step[] = [
      { create: `${n}a`, signatories: [alice] },
      { create: `${n}b`, signatories: [alice], observers: n % 2 === 0 ? [bob] : [bob, carol] },
      { create: `${n}c`, template: "M:Other", signatories: [bob], observers: [alice] },
      { create: `${n}k`, template: "M:Keyed", signatories: [alice], key: `${n}` },
    ];
    if (n % 3 === 2) steps.push({ exercise: `${n - 1}b`, by: [alice] });
    const changes = { workflowId: n % 4 === 1 ? `flow-${n}` : "" };
    offsets.push(success(await ledger.submit(submission([alice, bob], steps, changes))).completionOffset);
  }
  return offsets;
}

describe("active contracts as they are kept", () => {
  it("are for every reader, at every offset and after pruning, what is put together for him alone", async (t) => {
    const fixture = await startLedger(t),
      { ledger, parties, folder } = fixture,
      { alice, bob, carol } = parties as { alice: string; bob: string; carol: string };
    const offsets = await fill(ledger, [alice, bob, carol]),
      asked = [offsets[8]!, offsets[11]!].flatMap((offset) =>
        formatsOf(alice, bob, carol).flatMap((format) => [listOf(format, offset), pageOf(format, offset)]),
      );
    const early = await Promise.all(asked.map((read) => read(ledger))); // those that come later find what others were the first to read
    for (let times = 0; times < 2; times++) for (const [index, read] of asked.entries()) assert.equal(await read(ledger), early[index]);
    success(await ledger.prune(offsets[8]!));
    for (const [index, read] of asked.entries()) assert.equal(await read(ledger), early[index]);
    await closeFixture(fixture);
    for (const [index, read] of asked.entries()) {
      const again = await openFixture(folder);
      assert.equal(await read(again.ledger), early[index], "who comes first to a ledger that keeps nothing yet gets the same");
      await closeFixture(again);
    }
  });

  it("of a contract that moved are those of where it is", async () => {
    const folder = temporaryFolder(),
      opened = await openDoors(folder, { synchronizers: ["one", "two"] }),
      [door] = opened.network.participants,
      [one, two] = door.synchronizers.map(({ id }) => id) as [string, string];
    let alice = "";
    for (const synchronizerId of [one, two])
      alice = success(
        await door.allocateParty({ hint: "alice", annotations: {}, identityProviderId: "", synchronizerId, userId: "" }),
      ).party;
    const creates = ["a", "b"].map((create) => ({ create, signatories: [alice] }));
    success(await door.submit(submission([alice], creates, { synchronizerId: one })));
    let moves = 0;
    const reassign = async (commands: ReassignmentSubmission["commands"]): Promise<string> =>
      success(
        await door.reassign({
          userId: "user",
          commandId: `move-${++moves}`,
          submissionId: "mine",
          workflowId: "of moves",
          submitter: alice,
          trace: { traceparent: null, tracestate: null },
          commands,
        }),
      ).updateId;
    const entries = async (): Promise<readonly unknown[]> => {
      const texts = await Promise.all([1, 2, 3].map(() => listOf(wildcard(alice), door.ledgerEnd())(door)));
      assert.equal(new Set(texts).size, 1);
      return texts[0]!.split("\n").map((text) => {
        const { workflowId, contractEntry } = JSON.parse(text),
          [name, entry] = Object.entries<any>(contractEntry)[0]!;
        return [name, entry.createdEvent.contractId, workflowId, entry.synchronizerId, entry.reassignmentCounter];
      });
    };
    const [a, b] = [contractIdOf("a"), contractIdOf("b")];
    const stays = ["JsActiveContract", b, "", one, 0];
    assert.deepEqual(await entries(), [["JsActiveContract", a, "", one, 0], stays]);
    for (const [counter, source, target] of [
      [1, one, two],
      [2, two, one],
      [3, one, two],
    ] as const) {
      const updateId = await reassign([{ kind: "unassign", contractId: a, source, target }]);
      assert.deepEqual(await entries(), [stays, ["JsIncompleteUnassigned", a, "of moves", undefined, undefined]]);
      const format = { includeTransactions: undefined, includeReassignments: wildcard(alice), includeTopologyEvents: undefined },
        update = JSON.parse(success(await door.readUpdate({ by: { updateId }, form: "update", format })));
      const { reassignmentId } = update.Reassignment.value.events[0].JsUnassignedEvent.value;
      await reassign([{ kind: "assign", reassignmentId, source, target }]);
      assert.deepEqual(await entries(), [stays, ["JsActiveContract", a, "of moves", target, counter]]);
    }
    await opened.close();
  });
});
