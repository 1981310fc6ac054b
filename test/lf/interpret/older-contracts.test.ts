/** Contracts with ids of earlier versions: nobody makes them any more, but they are disclosed. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { isFailure } from "../../../src/base/result.js";
import type { ContractInstance } from "../../../src/lf/transaction/index.js";
import type { InterpretResult } from "../../../src/lf/index.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { Harness } from "./harness.js";

const harness = new Harness("up1-2.1", "up", "Up"),
  newer = new Harness("up2-2.1", "up", "Up");
const issuer = "issuer",
  owner = "owner";

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const text = (value: string): Buffer => Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]);
const texts = (...values: readonly string[]): Buffer => Buffer.concat([int32(values.length), ...values.map(text)]);
const sized = (bytes: Buffer): Buffer => Buffer.concat([int32(bytes.length), bytes]);
const sha256 = (...parts: readonly Uint8Array[]): Buffer => createHash("sha256").update(Buffer.concat(parts)).digest();

/** A document as the ledger has it: three texts, and a None behind them where it is stored. */
const fieldsOf = ({ argument }: ContractInstance): readonly LedgerValue[] => {
  assert(argument.kind === "record");
  return argument.fields.map(({ value }) => value);
};
const textOf = (value: LedgerValue): string => {
  assert(value.kind === "text" || value.kind === "party");
  return value.value;
};
const argumentBytes = {
  ca10: (fields: readonly LedgerValue[]) =>
    Buffer.concat([int32(fields.length), ...fields.map((field) => (field.kind === "optional" ? int32(0) : text(textOf(field))))]),
  ca11: (fields: readonly LedgerValue[]) =>
    Buffer.concat([
      ...fields.flatMap((field, index) => (field.kind === "optional" ? [] : [int32(index), text(textOf(field))])),
      Buffer.of(0xff),
    ]),
};

/** The id that the contract would have had. */
function asOlder(instance: ContractInstance, version: "ca10" | "ca11"): ContractInstance {
  const { packageName, templateId, createdAt, authenticationData } = instance;
  const argumentHash = sha256(
    Buffer.of(version === "ca10" ? 0 : 1, 5),
    text(packageName),
    text(templateId.packageId),
    texts("Up"),
    texts("Doc"),
    argumentBytes[version](fieldsOf(instance)),
  );
  const unicum = sha256(
    int32(29),
    authenticationData.subarray(8, 40), // the salt
    int64(createdAt / 1_000_000n),
    int32(Number(createdAt % 1_000_000n) * 1_000),
    sized(texts(issuer)),
    sized(texts(owner)),
    Buffer.of(0),
    sized(Buffer.of(0)),
    argumentHash,
  );
  return { ...instance, contractId: `${instance.contractId.slice(0, 66)}${version}1220${unicum.toString("hex")}` };
}

const created = (): ContractInstance =>
  harness.commit([issuer], harness.create("Doc", { issuer, owner, text: "a document" })).created[0]!.instance;
const read = (on: Harness, contract: ContractInstance, disclosed = contract): InterpretResult =>
  on.disclosing([disclosed]).submit([owner], on.exercise("Doc", contract.contractId, "Read", {}));
const resultOf = (result: InterpretResult): unknown => {
  assert.ok(!isFailure(result), result.error?.message);
  const [node] = result.ok!.transaction.nodes;
  return node?.kind === "exercise" ? node.result : undefined;
};
const refusalOf = (result: InterpretResult): { readonly class: string; readonly detail: Readonly<Record<string, unknown>> } => {
  assert.ok(isFailure(result) && result.error.phase === "interpretation", "the submission is refused");
  return { class: result.error.class, detail: result.error.detail as Readonly<Record<string, unknown>> };
};
const notAuthentic = "Upgrade.AuthenticationFailed";

for (const version of ["ca10", "ca11"] as const) {
  test(`${version}: a disclosed contract whose parts make its id is used`, () => {
    assert.deepEqual(resultOf(read(harness, asOlder(created(), version))), { kind: "text", value: "a documentv1" });
  });

  test(`${version}: it can be used as a newer version of its template`, () => {
    assert.deepEqual(resultOf(read(newer, asOlder(created(), version))), { kind: "text", value: "a document v2 none" });
  });

  test(`${version}: another argument, time, party, package or id is refused`, () => {
    const contract = asOlder(created(), version),
      fields = fieldsOf(contract);
    const changes: readonly Partial<ContractInstance>[] = [
      {
        argument: {
          kind: "record",
          fields: [...fields.slice(0, 2), { kind: "text", value: "another" } as const].map((value) => ({ value })),
        },
      },
      { createdAt: contract.createdAt + 1n },
      { stakeholders: [issuer] },
      { templateId: { ...contract.templateId, packageId: "0".repeat(64) } },
      { authenticationData: new Uint8Array(0) },
    ];
    for (const change of changes)
      assert.equal(refusalOf(read(harness, contract, { ...contract, ...change })).class, notAuthentic, Object.keys(change).join());
    const otherId = { ...contract, contractId: `${contract.contractId.slice(0, -1)}${contract.contractId.endsWith("0") ? 1 : 0}` };
    const { class: class_, detail } = refusalOf(read(harness, otherId));
    assert.equal(class_, notAuthentic);
    const id = `${contract.templateId.packageId}:Up:Doc`;
    assert.deepEqual(detail["error"], {
      class: "AuthenticationFailed",
      coid: otherId.contractId,
      srcTemplateId: id,
      dstTemplateId: id,
      createArg: contract.argument,
      msg: "failed to authenticate contract",
    });
  });
}

const withTrailingNone = (instance: ContractInstance): ContractInstance => ({
  ...instance,
  argument: {
    kind: "record",
    fields: [...fieldsOf(instance), { kind: "optional", value: undefined } as const].map((value) => ({ value })),
  },
});

test("a None that is stored behind the last field is dropped with a ca10 id and an error with a ca11 id", () => {
  const contract = withTrailingNone(created());
  assert.deepEqual(resultOf(read(harness, asOlder(contract, "ca10"))), { kind: "text", value: "a documentv1" });
  assert.match(refusalOf(read(harness, asOlder(contract, "ca11"))).class, /^Upgrade\.TranslationFailed/);
});

test("older ids are checked before it is looked whether the contract is of the template that is asked for", () => {
  const contract = asOlder(created(), "ca11"),
    wrong = { ...contract, createdAt: 0n };
  const asHolder = (disclosed: ContractInstance) =>
    refusalOf(harness.disclosing([disclosed]).submit([owner], harness.exercise("Holder", contract.contractId, "GetKind", {}))).class;
  assert.deepEqual([asHolder(contract), asHolder(wrong)], ["WronglyTypedContract", notAuthentic]);
});

test("ids that nothing is known of, and those of the second form, authenticate nothing", () => {
  const contract = created(),
    local = contract.contractId.slice(0, 66);
  const others = [
    `${local}ca131220${"ab".repeat(32)}`,
    `${local}ca11${"ab".repeat(34)}`,
    `${local}ca10`,
    `01${"ab".repeat(12)}80${"cd".repeat(32)}`,
  ];
  for (const contractId of others) assert.equal(refusalOf(read(harness, { ...contract, contractId })).class, notAuthentic, contractId);
});

test("an id that nobody disclosed or stored is not found, whatever its form", () => {
  const { contractId } = created();
  for (const version of ["ca10", "ca11", "ca13"]) {
    const unknown = contractId.replace("ca121220", `${version}1220`);
    assert.equal(refusalOf(harness.submit([owner], harness.exercise("Doc", unknown, "Read", {}))).class, "ContractNotFound");
  }
});
