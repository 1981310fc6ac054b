import assert from "node:assert/strict";
import { test } from "node:test";
import { type ContractInstance, decodeContractInstance, encodeContractInstance } from "../../../src/lf/transaction/index.js";
import { generator } from "../value/random.js";

const contract: ContractInstance = {
  contractId: `00${"ab".repeat(32)}ca121220${"cd".repeat(32)}`,
  packageName: "asset",
  templateId: { packageId: "p".repeat(64), module: "A.B", name: "Thing" },
  argument: { kind: "record", fields: [{ value: { kind: "party", value: "Alice" } }] },
  signatories: ["Alice", "Bob"],
  stakeholders: ["Alice", "Bob", "Carol"],
  key: undefined,
  createdAt: 1_700_000_000_000_001n,
  authenticationData: Uint8Array.of(1, 2, 3),
  version: "2.1",
};
const keyed: ContractInstance = {
  ...contract,
  version: "2",
  key: { key: { kind: "int64", value: 7n }, maintainers: ["Bob"], hash: "ef".repeat(32) },
};

const refusal = (change: Partial<ContractInstance>, base = contract): string =>
  decodeContractInstance(encodeContractInstance({ ...base, ...change })).error?.message ?? assert.fail("it should be refused");

test("contract blobs: what was encoded is decoded, with and without a key", () => {
  for (const original of [contract, keyed, { ...contract, authenticationData: new Uint8Array(0), createdAt: 0n }]) {
    assert.deepEqual(decodeContractInstance(encodeContractInstance(original)), { ok: original });
  }
});

test("contract blobs: random arguments survive", () => {
  const random = generator(3);
  for (let i = 0; i < 300; i++) {
    const original = { ...contract, argument: random.value(5) };
    assert.deepEqual(decodeContractInstance(encodeContractInstance(original)), { ok: original });
  }
});

test("contract blobs: contents that no contract has are refused with their reason", () => {
  assert.match(refusal({ contractId: "00ab" }), /ContractId/);
  assert.match(refusal({ packageName: "" }), /package_name/);
  assert.match(refusal({ packageName: "a/b" }), /package name/);
  assert.match(refusal({ templateId: { ...contract.templateId, module: "A..B" } }), /name is empty/);
  assert.match(refusal({ templateId: { ...contract.templateId, packageId: "p".repeat(65) } }), /package id/);
  assert.match(refusal({ signatories: [] }), /signatory/);
  assert.match(refusal({ signatories: ["Bob", "Alice"] }), /ascending/);
  assert.match(refusal({ signatories: ["Alice", "Alice"] }), /ascending/);
  assert.match(refusal({ stakeholders: ["Alice", "Bob", "Dan", "Carol"] }), /ascending/);
  assert.match(refusal({ signatories: ["a/b"] }), /party/);
  assert.match(refusal({ createdAt: -(2n ** 63n) }), /created_at/);
  assert.match(refusal({ version: "7" as "2" }), /version/);
  assert.match(refusal({ version: "2.1" }, keyed), /version 2/);
  assert.match(refusal({ key: { ...keyed.key!, hash: "ef" } }, keyed), /32 bytes/);
  assert.match(refusal({ key: { ...keyed.key!, maintainers: [] } }, keyed), /maintainers/);
});

test("contract blobs: truncated, doubled and unknown fields are refused", () => {
  const blob = encodeContractInstance(keyed);
  for (let size = 0; size < blob.length; size++)
    assert(decodeContractInstance(blob.subarray(0, size)).error !== undefined, `cut to ${size} bytes`);
  assert.match(decodeContractInstance(Buffer.concat([blob, blob])).error?.message ?? "", /field 1/);
  assert.match(decodeContractInstance(Buffer.concat([blob, Buffer.from("1801", "hex")])).error?.message ?? "", /no field 3/);
});

test("contract blobs: damage to any byte does not throw", () => {
  const blob = encodeContractInstance(keyed);
  const random = generator(5);
  for (let i = 0; i < 3_000; i++) {
    const damaged = Uint8Array.from(blob);
    for (let n = random.below(3); n >= 0; n--) damaged[random.below(damaged.length)] = random.below(256);
    decodeContractInstance(damaged);
  }
});
