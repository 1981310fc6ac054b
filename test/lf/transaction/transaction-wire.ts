/** Serialised transactions (`proto/transaction.proto`): the bytes of the reference, by which one of ours is known to be the same. */
import { fail, ok, type Result } from "../../../src/base/result.js";
import { ProtoWriter, WireType, writeText, writeValueField } from "../../../src/lf/wire/index.js";
import { without, writeContract } from "../../../src/lf/transaction/contract-instance.js";
import type {
  CreateNode,
  ExerciseNode,
  FetchNode,
  NodeId,
  QueryByKeyNode,
  Transaction,
  TransactionNode,
} from "../../../src/lf/transaction/node.js";
import { writeIdentifier, writeKey, writeTexts } from "../../../src/lf/transaction/parts-wire.js";

/** Field numbers of `Node.node_type`. */
const nodeTypes = { create: 3, fetch: 4, exercise: 5, rollback: 6, queryByKey: 7 } as const satisfies Record<
  TransactionNode["kind"],
  number
>;

const writer = new ProtoWriter();

/** Fails for what no stable version can carry: explicit choice authorizers. */
export function encodeTransaction(transaction: Transaction): Result<Uint8Array, { readonly message: string }> {
  const { nodes, roots, version } = transaction;
  for (const node of nodes) {
    if (node.kind === "exercise" && node.choiceAuthorizers !== undefined && node.version !== "dev") {
      return fail({ message: `choice authorizers are not supported by serialisation version ${node.version}` });
    }
  }
  writer.reset();
  const order = preOrder(transaction);
  for (let i = order.length - 1; i >= 0; i--) writeNode(writer, order[i]!, nodes[order[i]!]!);
  writeNodeIds(writer, 2, roots);
  writer.textField(1, version);
  return ok(writer.finish());
}

function preOrder({ roots, nodes }: Transaction): readonly NodeId[] {
  const order: NodeId[] = [];
  const pending = [...roots].reverse();
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    order.push(id);
    const node = nodes[id]!;
    if (node.kind === "exercise" || node.kind === "rollback") pending.push(...[...node.children].reverse());
  }
  return order;
}

const writeNodeIds = (out: ProtoWriter, field: number, ids: readonly NodeId[]): void => writeTexts(out, field, ids.map(String));

function writeNode(out: ProtoWriter, id: NodeId, node: TransactionNode): void {
  const mark = out.length;
  writeFields(out, node);
  out.closeMessage(nodeTypes[node.kind], mark);
  out.textField(2, String(id));
  if (node.kind !== "rollback") out.textField(1, node.version);
  out.closeMessage(3, mark);
}

function writeFields(out: ProtoWriter, node: TransactionNode): void {
  switch (node.kind) {
    case "create":
      return writeCreate(out, node);
    case "fetch":
      return writeFetch(out, node);
    case "exercise":
      return writeExercise(out, node);
    case "queryByKey":
      return writeQueryByKey(out, node);
    case "rollback":
      return writeNodeIds(out, 1, node.children);
  }
}

const nothing = new Uint8Array(0);

function writeCreate(out: ProtoWriter, node: CreateNode): void {
  writeContract(out, { ...node, createdAt: 0n, authenticationData: nothing });
}

function writeFetch(out: ProtoWriter, node: FetchNode | ExerciseNode): void {
  if (node.byKey) writeTrue(out, 9);
  if (node.key !== undefined) writeKey(out, 8, node.key);
  if (node.interfaceId !== undefined) writeIdentifier(out, 7, node.interfaceId);
  writeTexts(out, 6, node.actingParties);
  writeTexts(out, 5, without(node.stakeholders, node.signatories));
  writeTexts(out, 4, without(node.signatories, node.key?.maintainers ?? []));
  writeIdentifier(out, 3, node.templateId);
  writeText(out, 2, node.packageName);
  out.hexField(1, node.contractId);
}

function writeExercise(out: ProtoWriter, node: ExerciseNode): void {
  writeTexts(out, 1001, node.choiceAuthorizers ?? []);
  writeTexts(out, 8, node.choiceObservers);
  if (node.result !== undefined) writeValueField(out, 7, node.result);
  writeNodeIds(out, 6, node.children);
  if (node.consuming) writeTrue(out, 5);
  writeValueField(out, 4, node.argument);
  writeText(out, 3, node.choice);
  if (node.interfaceId !== undefined) writeIdentifier(out, 2, node.interfaceId);
  const mark = out.length;
  writeFetch(out, node);
  out.closeMessage(1, mark);
}

function writeQueryByKey(out: ProtoWriter, node: QueryByKeyNode): void {
  if (node.exhaustive) writeTrue(out, 5);
  for (let i = node.result.length - 1; i >= 0; i--) out.hexField(4, node.result[i]!);
  writeKey(out, 3, node.key);
  writeIdentifier(out, 2, node.templateId);
  writeText(out, 1, node.packageName);
}

function writeTrue(out: ProtoWriter, field: number): void {
  out.varint(1);
  out.tag(field, WireType.varint);
}
