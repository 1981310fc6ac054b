/** Created events in parts: each member lies where it is said to lie, whatever a key or an argument holds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createdParts } from "../../src/ledger/records/created-parts.js";
import { decodeUpdate, TransactionEncoder } from "../../src/ledger/records/update-record.js";
import type { StoredCreate } from "../../src/ledger/model/index.js";
import { RecordWriter } from "../../src/store/index.js";

const packageId = "ab".repeat(32),
  signatories = ["alice::1220aa", "bob::1220bb"],
  observers = ["carol::1220cc"],
  stakeholders = [...signatories, ...observers];

const keys: readonly (readonly [key: string, hash: string])[] = [
  ["null", ""],
  ["null", "h".repeat(44)], // an Optional that is None
  [`"a \\" , ] }"`, "h".repeat(44)],
  [`{"contractKeyHash":"${"h".repeat(44)}","createArgument":{"a":[1,"}"]},"c":[]}`, "h".repeat(44)],
  ["[[],{}]", "h".repeat(44)],
  ["true", "h".repeat(44)],
  [`"7"`, "h".repeat(44)],
];
const argument = `{"owner":"é\\",\\"createdAt\\":\\"","list":[{"createArgument":"x"}]}`;

const create = (nodeId: number, [key, hash]: readonly [string, string]): StoredCreate => ({
  kind: "create",
  nodeId,
  contractId: `00${String(nodeId).padStart(4, "0")}`,
  templateId: `${packageId}:A.B:C${nodeId}`,
  packageName: "some-package",
  stakeholders,
  witnesses: stakeholders,
  activates: true,
  createdEventBlob: new Uint8Array(),
  keyHash: "",
  json: `,"contractKey":${key},"contractKeyHash":"${hash}","createArgument":${argument}`,
  jsonAfter: `"signatories":${JSON.stringify(signatories)},"observers":${JSON.stringify(observers)},"createdAt":"2025-01-31T10:00:00.5Z","packageName":"some-package","representativePackageId":"${packageId}"`,
});

test("created events: their members are found in the record", () => {
  const updateId = `1220${"c".repeat(64)}`,
    events = keys.map((key, index) => create(3 * index, key));
  const transaction = {
    updateId,
    commandId: `"é`,
    workflowId: "w",
    effectiveAt: 0n,
    recordTime: 1n,
    offset: 1_234,
    synchronizer: 0,
    events,
    trace: { traceparent: null, tracestate: null },
    externalTransactionHash: undefined,
  };
  const encoder = new TransactionEncoder(new RecordWriter(), transaction as never, `"s::1"`),
    numbers = events.map(() => ({ template: 0, stakeholders: [1, 2, 3], witnesses: [1, 2, 3] }));
  events.forEach((_, index) => encoder.addEvent(index));
  encoder.begin(numbers, [1]);
  events.forEach((_, index) => encoder.writeEvent(index, numbers[index]!));
  const update = decodeUpdate(encoder.finish(), 1_234);
  update.events.forEach((event, index) => {
    const { bytes, ...parts } = createdParts(update, event),
      of = (from: number, to: number): string => bytes.toString("utf8", from, to),
      { contractId, templateId } = events[index]!;
    assert.deepEqual(
      [
        parts.offset,
        parts.nodeId,
        of(parts.updateIdStart, parts.updateIdEnd),
        of(parts.identityStart, parts.identityEnd),
        of(parts.templateIdStart, parts.templateIdEnd),
      ],
      [1_234, 3 * index, updateId, `"contractId":"${contractId}","templateId":"${templateId}"`, templateId],
    );
    assert.deepEqual(
      [
        of(parts.argumentStart, parts.argumentEnd),
        of(parts.stakeholdersStart, parts.stakeholdersEnd),
        of(parts.createdAtStart, parts.createdAtEnd),
        of(parts.packageNameStart, parts.packageNameEnd),
      ],
      [
        argument,
        `"signatories":${JSON.stringify(signatories)},"observers":${JSON.stringify(observers)}`,
        "2025-01-31T10:00:00.5Z",
        "some-package",
      ],
    );
  });
});
