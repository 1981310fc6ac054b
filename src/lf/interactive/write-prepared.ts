/** Writes message `PreparedTransaction`; within a message fields go from the last to the first (`ProtoWriter`). */
import type {
  CreateNode,
  ExerciseNode,
  FetchNode,
  KeyWithMaintainers,
  NodeId,
  QueryByKeyNode,
  TransactionNode,
} from "../transaction/index.js";
import type { DefinitionId } from "../ast.js";
import { message, ProtoWriter, WireType, writeApiIdentifier, writeApiValue } from "../wire/index.js";
import * as fields from "./fields.js";
import type { InputContract, PreparedMetadata, PreparedTransaction, SeededTransaction } from "./prepared-transaction.js";

const out = new ProtoWriter();

export function encodePrepared({ transaction, metadata }: PreparedTransaction): Uint8Array {
  out.reset();
  message(out, 2, () => writeMetadata(metadata));
  message(out, 1, () => writeTransaction(transaction));
  return out.finish();
}

function writeTransaction({ version, roots, nodes, nodeSeeds }: SeededTransaction): void {
  for (const [id, seed] of [...nodeSeeds].reverse()) {
    message(out, fields.transaction.nodeSeeds, () => {
      out.bytesField(2, seed);
      number(1, id);
    });
  }
  for (const [id, node] of [...nodes].reverse()) {
    message(out, fields.transaction.nodes, () => {
      message(out, fields.nodeV1, () => message(out, fields.nodeType[node.kind], () => writeNode(node)));
      text(1, String(id));
    });
  }
  texts(fields.transaction.roots, roots.map(String));
  text(fields.transaction.version, version);
}

function writeNode(node: TransactionNode): void {
  switch (node.kind) {
    case "create":
      writeCreate(node);
      break;
    case "fetch":
      writeFetch(node);
      break;
    case "exercise":
      writeExercise(node);
      break;
    case "rollback":
      texts(1, node.children.map(String));
      break;
    case "queryByKey":
      writeQueryByKey(node);
      break;
  }
}

interface KeyPlace {
  readonly templateId: DefinitionId;
  readonly packageName: string;
}

function writeCreate(node: CreateNode): void {
  const f = fields.create;
  key(f.key, node.key, node);
  texts(f.stakeholders, node.stakeholders);
  texts(f.signatories, node.signatories);
  message(out, f.argument, () => writeApiValue(out, node.argument));
  writeApiIdentifier(out, f.templateId, node.templateId);
  text(f.packageName, node.packageName);
  text(f.contractId, node.contractId);
  text(f.lfVersion, node.version);
}

function writeFetch(node: FetchNode): void {
  const f = fields.fetch;
  flag(f.byKey, node.byKey);
  key(f.key, node.key, node);
  if (node.interfaceId !== undefined) writeApiIdentifier(out, f.interfaceId, node.interfaceId);
  texts(f.actingParties, node.actingParties);
  writeContract(node);
}

/** Fields 1 to 6, which fetches and exercises share. */
function writeContract(node: FetchNode | ExerciseNode): void {
  const f = fields.fetch;
  texts(f.stakeholders, node.stakeholders);
  texts(f.signatories, node.signatories);
  writeApiIdentifier(out, f.templateId, node.templateId);
  text(f.packageName, node.packageName);
  text(f.contractId, node.contractId);
  text(f.lfVersion, node.version);
}

function writeExercise(node: ExerciseNode): void {
  const f = fields.exercise,
    { result } = node;
  flag(f.byKey, node.byKey);
  key(f.key, node.key, node);
  texts(f.choiceObservers, node.choiceObservers);
  if (result !== undefined) message(out, f.result, () => writeApiValue(out, result));
  texts(f.children, node.children.map(String));
  flag(f.consuming, node.consuming);
  message(out, f.argument, () => writeApiValue(out, node.argument));
  text(f.choice, node.choice);
  if (node.interfaceId !== undefined) writeApiIdentifier(out, f.interfaceId, node.interfaceId);
  texts(f.actingParties, node.actingParties);
  writeContract(node);
}

function writeQueryByKey(node: QueryByKeyNode): void {
  const f = fields.queryByKey;
  texts(f.result, node.result);
  key(f.key, node.key, node);
  flag(f.exhaustive, node.exhaustive);
  writeApiIdentifier(out, f.templateId, node.templateId);
  text(f.packageName, node.packageName);
  text(f.lfVersion, node.version);
}

function key(field: number, key: KeyWithMaintainers | undefined, place: KeyPlace): void {
  if (key === undefined) return;
  message(out, field, () => {
    texts(2, key.maintainers);
    message(out, 1, () => {
      out.hexField(fields.globalKey.hash, key.hash);
      message(out, fields.globalKey.key, () => writeApiValue(out, key.key));
      text(fields.globalKey.packageName, place.packageName);
      writeApiIdentifier(out, fields.globalKey.templateId, place.templateId);
    });
  });
}

function writeMetadata(metadata: PreparedMetadata): void {
  const f = fields.metadata;
  time(f.maxRecordTime, metadata.maxRecordTime);
  time(f.maxLedgerTime, metadata.maxLedgerTime);
  time(f.minLedgerTime, metadata.minLedgerTime);
  for (const input of [...metadata.inputContracts].reverse()) message(out, f.inputContracts, () => writeInputContract(input));
  time(f.preparationTime, metadata.preparationTime);
  text(f.transactionUuid, metadata.transactionUuid);
  number(f.mediatorGroup, metadata.mediatorGroup);
  text(f.synchronizerId, metadata.synchronizerId);
  message(out, f.submitterInfo, () => {
    text(2, metadata.commandId);
    texts(1, metadata.actAs);
  });
}

function writeInputContract({ create, createdAt, blob }: InputContract): void {
  out.bytesField(fields.inputContract.eventBlob, blob);
  time(fields.inputContract.createdAt, createdAt);
  message(out, fields.inputContractV1, () => writeCreate(create));
}

// proto3 leaves defaults out.

function text(field: number, value: string): void {
  if (value !== "") out.textField(field, value);
}

function texts(field: number, values: readonly string[]): void {
  for (let i = values.length - 1; i >= 0; i--) out.textField(field, values[i]!);
}

function number(field: number, value: NodeId): void {
  if (value === 0) return;
  out.varint(value);
  out.tag(field, WireType.varint);
}

function flag(field: number, value: boolean): void {
  if (value) number(field, 1);
}

function time(field: number, micros: bigint | undefined): void {
  if (micros === undefined) return;
  out.varint64(BigInt.asUintN(64, micros));
  out.tag(field, WireType.varint);
}
