/** Messages that are read and written by hand, against the schemas of `proto/`: whatever is there holds the one to the other. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import protobuf from "protobufjs";
import { encodePrepared, type PreparedTransaction } from "../../src/lf/interactive/index.js";
import type { Transaction } from "../../src/lf/transaction/index.js";
import { encodeTransaction } from "./transaction/transaction-wire.js";
import { encodeValue } from "../../src/lf/wire/index.js";
import { repositoryRoot, testData } from "../support/paths.js";
import { loadPackages, RecordedNodes, recordedScenarios } from "./transaction/recorded.js";
import { generator } from "./value/random.js";

protobuf.Reader.recursionLimit = protobuf.util.recursionLimit = 1000; // some recorded values nest deeply
const root = new protobuf.Root();
root.resolvePath = (_, target) => join(repositoryRoot(), "proto", basename(target));
root.loadSync(["value.proto", "transaction.proto", "interactive.proto", "topology.proto"], { keepCase: true }).resolveAll();
const typeOf = (name: string): protobuf.Type => root.lookupType(`ledgerline.${name}`);

/** Every field that a message of ours had. */
const met = new Set<string>();

/** By protobufjs there and back: a field that the schema does not have, or has otherwise, would be lost or changed. */
function checkedMessage(type: protobuf.Type, bytes: Uint8Array, where: string): protobuf.Message {
  const message = type.decode(bytes);
  assert.equal(Buffer.from(type.encode(message).finish()).toString("hex"), Buffer.from(bytes).toString("hex"), where);
  visit(type, message as unknown as Record<string, unknown>, where);
  return message;
}

/** Fields of these names hold a message of their own, as bytes. */
const embedded: Readonly<Record<string, string>> = {
  "ledgerline.lf.transaction.FatContractInstance.create_arg": "lf.value.Value",
  "ledgerline.lf.transaction.KeyWithMaintainers.key": "lf.value.Value",
  "ledgerline.lf.transaction.Node.Exercise.arg": "lf.value.Value",
  "ledgerline.lf.transaction.Node.Exercise.result": "lf.value.Value",
  "ledgerline.topology.UntypedVersionedMessage.data": "topology.TopologyTransaction",
};

function visit(type: protobuf.Type, message: Readonly<Record<string, unknown>>, where: string): void {
  for (const field of type.fieldsArray) {
    if (!Object.hasOwn(message, field.name)) continue;
    const name = field.fullName.slice(1),
      value = message[field.name];
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      met.add(name);
      const inner = embedded[name];
      if (inner !== undefined) checkedMessage(typeOf(inner), each as Uint8Array, where);
      else if (field.resolvedType instanceof protobuf.Type) visit(field.resolvedType, each as Record<string, unknown>, where);
    }
  }
}

/** The form for signing of any transaction: the recorded ones of that form have few kinds of nodes. */
const asPrepared = ({ version, roots, nodes }: Transaction): PreparedTransaction => ({
  transaction: { version, roots, nodes: new Map(nodes.entries()), nodeSeeds: new Map() },
  metadata: {
    actAs: ["alice"],
    commandId: "command",
    synchronizerId: "synchronizer",
    mediatorGroup: 1,
    transactionUuid: "uuid",
    preparationTime: 1n,
    inputContracts: [],
    minLedgerTime: undefined,
    maxLedgerTime: undefined,
    maxRecordTime: undefined,
  },
});

const json = (...path: string[]): unknown => JSON.parse(readFileSync(testData(...path), "utf8"));
/** Written by us to the very bytes of the reference, as other tests find. */
const prepared = (
  json("interactive", "prepared.json") as { readonly good: readonly { readonly name: string; readonly preparedTransaction: string }[] }
).good;
const topologies = json("interactive", "topology.json") as readonly {
  readonly name: string;
  readonly answer: { readonly topologyTransactions: readonly string[] };
}[];

test("protobuf by hand: random values, and what stands in proto/value.proto", () => {
  const random = generator(7),
    type = typeOf("lf.value.Value");
  for (let i = 0; i < 1000; i++) checkedMessage(type, encodeValue(random.value(5)), `value ${i}`);
});

test("protobuf by hand: recorded transactions and contracts, and what stands in proto/transaction.proto", () => {
  const nodes = new RecordedNodes(loadPackages("engine/dars"));
  let count = 0;
  for (const { name, steps } of recordedScenarios()) {
    for (const { step, result } of steps) {
      if (result?.transaction === undefined || result.transactionProtoError !== undefined) continue;
      const transaction = nodes.transaction(result.transaction),
        encoded = encodeTransaction(transaction);
      assert(encoded.ok !== undefined, `${name}, ${step}`);
      checkedMessage(typeOf("lf.transaction.Transaction"), encoded.ok, `${name}, ${step}`);
      checkedMessage(typeOf("interactive.PreparedTransaction"), encodePrepared(asPrepared(transaction)), `${name}, ${step}, prepared`);
      for (const { createdEventBlob } of result.created ?? []) {
        const versioned = checkedMessage(typeOf("lf.transaction.Versioned"), Buffer.from(createdEventBlob, "base64"), `${name}, ${step}`);
        checkedMessage(
          typeOf("lf.transaction.FatContractInstance"),
          (versioned as unknown as { payload: Uint8Array }).payload,
          `${name}, ${step}`,
        );
      }
      count += 1;
    }
  }
  assert(count > 400, `${count} transactions`);
});

test("protobuf by hand: recorded prepared transactions, and what stands in proto/interactive.proto", () => {
  for (const { name, preparedTransaction } of prepared)
    checkedMessage(typeOf("interactive.PreparedTransaction"), Buffer.from(preparedTransaction, "base64"), name);
});

test("protobuf by hand: recorded topology transactions, and what stands in proto/topology.proto", () => {
  for (const { name, answer } of topologies) {
    for (const transaction of answer.topologyTransactions)
      checkedMessage(typeOf("topology.UntypedVersionedMessage"), Buffer.from(transaction, "base64"), name);
  }
});

/** What is only read, and what no stable version has. */
const neverMet: readonly string[] = [
  "ledgerline.lf.transaction.FatContractInstance.package_version",
  "ledgerline.lf.transaction.Node.Exercise.authorizers",
  // Written by clients, or for parties with their keys apart: tests of onboarding write them by the schema.
  ...[
    "NamespaceDelegation",
    "DecentralizedNamespaceDefinition",
    "PartyToKeyMapping",
    "NamespaceDelegation.CanSignSpecificMappings",
  ].flatMap((name) => typeOf(`topology.${name}`).fieldsArray.map((field) => field.fullName.slice(1))),
  ...["namespace_delegation", "decentralized_namespace_definition", "party_to_key_mapping"].map(
    (field) => `ledgerline.topology.TopologyMapping.${field}`,
  ),
];

test("protobuf by hand: every field of the schemas was met", () => {
  const fields: string[] = [];
  const collect = (namespace: protobuf.NamespaceBase): void => {
    for (const member of namespace.nestedArray) {
      if (member instanceof protobuf.Type) fields.push(...member.fieldsArray.map((field) => field.fullName.slice(1)));
      if (member instanceof protobuf.Namespace) collect(member);
    }
  };
  collect(root.lookup("ledgerline") as protobuf.Namespace);
  assert.deepEqual(fields.filter((field) => !met.has(field)).sort(), [...neverMet].sort());
});
