import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  authenticationData,
  childSeed,
  computeBlinding,
  type ContractInstance,
  decodeContractInstance,
  encodeContractInstance,
  keyHash,
  localContractId,
  transactionSeed,
} from "../../../src/lf/transaction/index.js";
import type { Transaction } from "../../../src/lf/transaction/node.js";
import { HmacSha256 } from "../../../src/base/sha256.js";
import { toJson } from "../../../src/lf/conversion/index.js";
import { isAuthentic } from "./typed-ids.js";
import { encodeTransaction } from "./transaction-wire.js";
import { testData } from "../../support/paths.js";
import {
  defaultLedgerTime,
  loadPackages,
  microsOf,
  RecordedNodes,
  type RecordedScenario,
  recordedScenarios,
  type RecordedStep,
} from "./recorded.js";

const nodes = new RecordedNodes(loadPackages("engine/dars"));
const participantId = "participant1";

interface RecordedTransaction {
  readonly where: string;
  readonly ledgerTime: bigint;
  readonly transaction: Transaction;
  readonly result: Required<NonNullable<RecordedStep["result"]>>;
}

function transactionOf(scenario: RecordedScenario, step: RecordedScenario["steps"][number]): RecordedTransaction | undefined {
  const recorded = step.result?.transaction;
  if (recorded === undefined) return undefined;
  const ledgerTime = microsOf(step.ledgerTime ?? scenario.ledgerTime ?? defaultLedgerTime);
  const result = step.result as RecordedTransaction["result"];
  return { where: `${scenario.file}, ${scenario.name}, ${step.step}`, ledgerTime, transaction: nodes.transaction(recorded), result };
}

const transactions = recordedScenarios().flatMap((scenario) => scenario.steps.flatMap((step) => transactionOf(scenario, step) ?? []));

function contractOf({ transaction, ledgerTime }: RecordedTransaction, nodeId: number, salt: string): ContractInstance {
  const node = transaction.nodes[nodeId]!;
  assert(node.kind === "create");
  const { contractId, packageName, templateId, argument, signatories, stakeholders, key, version } = node;
  return {
    contractId,
    packageName,
    templateId,
    argument,
    signatories,
    stakeholders,
    key,
    version,
    createdAt: ledgerTime,
    authenticationData: authenticationData(Buffer.from(salt, "hex")),
  };
}

test("recorded transactions are there", () => assert(transactions.length > 400, `${transactions.length} transactions`));

test("every recorded transaction is serialised to the reference's bytes", (t) => {
  let count = 0;
  for (const { where, transaction, result } of transactions) {
    const encoded = encodeTransaction(transaction);
    if (result.transactionProtoError !== undefined) {
      assert(encoded.error !== undefined, where);
      continue;
    }
    assert(encoded.ok !== undefined, where);
    const text = Buffer.from(encoded.ok).toString("base64");
    if (typeof result.transactionProto === "string") assert.equal(text, result.transactionProto, where);
    else
      assert.equal(
        createHash("sha256").update(encoded.ok).digest("hex"),
        result.transactionProtoSha256 ?? result.transactionProto?.sha256,
        where,
      );
    count++;
  }
  t.diagnostic(`${count} transactions`);
});

test("every recorded contract is authenticated, and encoded to the reference's blob and back", (t) => {
  let count = 0;
  for (const recorded of transactions) {
    for (const { node, salt, contractId, createdEventBlob } of recorded.result.created ?? []) {
      const contract = contractOf(recorded, node, salt);
      assert.equal(contract.contractId, contractId, recorded.where);
      assert(isAuthentic(contract, nodes.types.ofData(contract.templateId)), recorded.where);
      const blob = encodeContractInstance(contract);
      assert.equal(Buffer.from(blob).toString("base64"), createdEventBlob, recorded.where);
      assert.deepEqual(decodeContractInstance(blob), { ok: contract }, recorded.where);
      count++;
    }
  }
  t.diagnostic(`${count} contracts`);
});

test("every recorded contract fails authentication once its argument, time, parties or salt change", () => {
  for (const recorded of transactions.slice(0, 60)) {
    for (const { node, salt } of recorded.result.created ?? []) {
      const contract = contractOf(recorded, node, salt);
      const type = nodes.types.ofData(contract.templateId);
      const tampered: readonly ContractInstance[] = [
        { ...contract, createdAt: contract.createdAt + 1n },
        { ...contract, signatories: [...contract.signatories, "Zoe"], stakeholders: [...contract.stakeholders, "Zoe"] },
        { ...contract, packageName: `${contract.packageName}x` },
        { ...contract, authenticationData: authenticationData(new Uint8Array(32)) },
        { ...contract, authenticationData: new Uint8Array(3) },
        { ...contract, key: { key: { kind: "unit" }, maintainers: ["Zoe"], hash: "00".repeat(32) } },
      ];
      for (const changed of tampered) assert(!isAuthentic(changed, type), recorded.where);
    }
  }
});

test("the seed of every create and exercise and the local id of every contract follow from the submission seed", (t) => {
  let ids = 0;
  for (const { where, transaction, ledgerTime, result } of transactions) {
    const recorded = new Map(result.metadata.nodeSeeds);
    const seed = transactionSeed(Buffer.from(result.metadata.submissionSeed, "hex"), participantId, ledgerTime);
    const derive = (parent: Uint8Array, index: number): Uint8Array => childSeed(new HmacSha256(parent), index);
    const check = (id: number, parent: Uint8Array, index: number): void => {
      const node = transaction.nodes[id]!;
      if (node.kind !== "create" && node.kind !== "exercise") return;
      const own = derive(parent, index);
      assert.equal(Buffer.from(own).toString("hex"), recorded.get(id), `${where}, node ${id}`);
      if (node.kind === "exercise") return checkChildren(node.children, own);
      assert.equal(localContractId(own, ledgerTime, node.stakeholders), node.contractId.slice(0, 66), `${where}, node ${id}`);
      ids++;
    };
    // A try scope shares the counter of the exercise around it; what was rolled back without a trace leaves gaps, so
    // an index is looked for from the last one on.
    const checkChildren = (children: readonly number[], parent: Uint8Array): void => {
      let index = 0;
      const visit = (id: number): void => {
        const node = transaction.nodes[id]!;
        if (node.kind === "rollback") return node.children.forEach(visit);
        const wanted = recorded.get(id);
        if (wanted !== undefined) while (index < 200 && Buffer.from(derive(parent, index)).toString("hex") !== wanted) index++;
        check(id, parent, index);
        index++;
      };
      children.forEach(visit);
    };
    checkChildren(transaction.roots, seed);
  }
  t.diagnostic(`${ids} local contract ids`);
});

test("every recorded key has the hash that the reference gives it", (t) => {
  const seen = new Set<string>();
  for (const { where, transaction } of transactions) {
    for (const node of transaction.nodes) {
      if (node.kind === "rollback" || node.key === undefined) continue;
      const hash = keyHash(node.packageName, node.templateId, nodes.keyType(node.templateId), node.key.key);
      assert.equal(Buffer.from(hash).toString("hex"), node.key.hash, where);
      seen.add(node.key.hash);
    }
  }
  t.diagnostic(`${seen.size} different keys`);
  assert(seen.size > 5);
});

test("every recorded transaction is blinded as the reference does it", () => {
  for (const { where, transaction, result } of transactions) {
    const { disclosure, divulgence } = computeBlinding(transaction);
    assert.deepEqual(Object.fromEntries(disclosure.map((parties, id) => [String(id), [...parties]])), result.blinding.disclosure, where);
    assert.deepEqual(Object.fromEntries([...divulgence].map(([id, parties]) => [id, [...parties]])), result.blinding.divulgence, where);
  }
});

test("contracts of a running reference node are decoded, authenticated, shown and encoded again", () => {
  interface NodeContract {
    readonly contractId: string;
    readonly templateId: string;
    readonly createdAt: string;
    readonly signatories: readonly string[];
    readonly createArgument: unknown;
    readonly blob: string;
  }
  const model = new RecordedNodes(loadPackages("canton"));
  const recorded = JSON.parse(readFileSync(testData("values", "blobs.json"), "utf8")) as readonly NodeContract[];
  assert(recorded.length >= 5);
  for (const { contractId, templateId, createdAt, signatories, createArgument, blob } of recorded) {
    const { ok: contract } = decodeContractInstance(Buffer.from(blob, "base64"));
    assert(contract !== undefined, contractId);
    const { module, name, packageId } = contract.templateId;
    assert.deepEqual(
      [contract.contractId, `${packageId}:${module}:${name}`, contract.createdAt, contract.signatories],
      [contractId, templateId, microsOf(createdAt), signatories],
    );
    const type = model.types.ofData(contract.templateId);
    assert(isAuthentic(contract, type), contractId);
    assert.deepEqual(JSON.parse(toJson(type, contract.argument)), createArgument);
    assert.equal(Buffer.from(encodeContractInstance(contract)).toString("base64"), blob);
  }
});
