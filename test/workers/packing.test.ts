import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  packOutcomes,
  packRequests,
  unpackOutcomes,
  unpackRequests,
  type InterpretOutcome,
} from "../../src/workers/packed-interpretations.js";
import { Packer, Unpacker } from "../../src/workers/packing.js";
import type { InterpretRequest } from "../../src/ledger/engine/index.js";

const request = (overrides: Partial<InterpretRequest>): InterpretRequest => ({
  actAs: ["alice::1220"],
  readAs: [],
  commands: `[{"CreateCommand":{}}]`,
  disclosed: [],
  packageIdSelectionPreference: [],
  choosing: undefined,
  selectionPassesMax: undefined,
  keyHints: undefined,
  ledgerTime: 1_795_344_498_199_310n,
  submissionSeed: new Uint8Array(32).fill(7),
  atOffset: 2 ** 40,
  packagesRevision: 28,
  synchronizer: 1,
  readableOn: [],
  participantId: "ledgerline::1220",
  facts: undefined,
  ...overrides,
});

const packedCreate = { nodeId: 0, contractId: "00aa", template: 7, stakeholders: [4, 5], keyHash: "", instance: Uint8Array.of(6) };
const facts = {
  userId: "u",
  commandId: "c",
  submissionId: "s",
  workflowId: "",
  changeKey: "00ff",
  synchronizerIdJson: `"s::1220"`,
  offsetDigits: 3,
};
const place = {
  nodeId: 3,
  contractId: "00aa",
  templateId: "p:M:T",
  packageName: "m",
  stakeholders: ["alice", "b\u00f6b"],
  json: `,"a":1`,
  jsonAfter: `"b":"\u{1F600}"`,
};
const outcomes: readonly InterpretOutcome[] = [
  {
    ok: {
      events: [
        {
          kind: "create",
          ...place,
          witnesses: place.stakeholders,
          informees: undefined,
          activates: true,
          createdEventBlob: Uint8Array.of(1, 2, 3),
          keyHash: "ff",
        },
        { kind: "exercise", ...place, witnesses: ["alice", "seer"], informees: ["seer"], consuming: true, deactivates: false },
      ],
      untold: [
        { party: "bank", packageIds: ["p", "q"] },
        { party: "seer", packageIds: [] },
      ],
      untoldNodes: [
        { witnesses: ["bank", "seer"], nodeIds: [7, 3] },
        { witnesses: [], nodeIds: [5] },
      ],
      inputs: ["00aa", "00bb"],
      usedPackages: [],
      keyInputs: [{ keyHash: "ff", contractIds: [], exhaustive: true, ignoring: 1 }],
      ignoredByKeys: ["00cc"],
      minLedgerTime: -62_135_596_800_000_000n,
      maxLedgerTime: 253_402_300_799_999_999n,
    },
  },
  {
    ok: {
      update: Uint8Array.of(1, 2),
      completion: Uint8Array.of(3),
      offsetDigits: 3,
      submitters: [4],
      index: [0, 7, 4, 7],
      creates: [
        { ...packedCreate, activates: true, archivedBy: undefined },
        { ...packedCreate, activates: false, archivedBy: 300 },
        { ...packedCreate, activates: false, archivedBy: undefined },
      ],
      archives: [{ nodeId: 1, contractId: "00bb", template: 7, stakeholders: [4] }],
      inputs: ["00bb"],
      usedPackages: ["p"],
      keyInputs: [],
      ignoredByKeys: [],
      minLedgerTime: 1n,
      maxLedgerTime: 2n,
    },
  },
  { error: { phase: "selection", kind: "noVersion", names: ["m"], isRefined: false, message: "none" } },
];

describe("packing", () => {
  it("gives requests as they were, whatever their texts and however many", () => {
    const requests = [
      request({}),
      request({
        choosing: {
          at: -(2n ** 62n),
          pass: 2,
          needs: [
            { hosts: [0, 2], names: ["a", ""] },
            { hosts: [1], names: [] },
          ],
        },
      }),
      request({ actAs: ["", "\u{1F600}", "\ud800"], readAs: ["a", "a"], selectionPassesMax: 0, ledgerTime: -1n }),
      request({ facts: { ...facts, trace: { traceparent: "00-1", tracestate: null }, deduplication: { kind: "offset", offset: 7 } } }),
      request({ disclosed: [Uint8Array.of(), Uint8Array.of(9, 8)], packageIdSelectionPreference: ["p"], keyHints: "[]" }),
      ...Array.from({ length: 60 }, (_, index) => request({ atOffset: index })),
    ].map((each, participant) => ({ participant, request: each }));
    assert.deepEqual(unpackRequests(structuredClone(packRequests(requests))), requests);
    assert.deepEqual(unpackRequests(packRequests([])), []);
  });

  it("gives transactions and failures in their order, and one list where two are the same", () => {
    const given = unpackOutcomes(structuredClone(packOutcomes(outcomes)));
    assert.deepEqual(given, outcomes);
    const first = given[0]!.ok!;
    assert.ok("events" in first);
    assert.equal(first.events[0]!.witnesses, first.events[0]!.stakeholders);
  });

  it("has room for more than it began with", () => {
    const packer = new Packer(),
      many = Array.from({ length: 5_000 }, (_, index) => index - 2_500);
    for (const number of many) {
      packer.number(number);
      packer.integer(BigInt(number));
      packer.text(String(number));
    }
    const unpacker = new Unpacker(packer.finish());
    for (const number of many)
      assert.deepEqual([unpacker.number(), unpacker.integer(), unpacker.text()], [number, BigInt(number), String(number)]);
    assert.ok(unpacker.isEmpty);
    assert.throws(() => unpacker.number(), /what is unpacked was packed/);
  });
});
