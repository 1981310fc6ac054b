/** The hash of one node, over the hashes of its children. */
import type { DefinitionId } from "../ast.js";
import {
  HashWriter,
  type CreateNode,
  type ExerciseNode,
  type FetchNode,
  type KeyWithMaintainers,
  type NodeId,
  type QueryByKeyNode,
  type TransactionNode,
} from "../transaction/index.js";
import type { HashingScheme } from "./prepared-transaction.js";
import { hashIdentifier, hashValue } from "./value-hash.js";

/** Scheme V2 writes the version of the encoding, V3 does not. */
export const encodingV1 = 1;
const nodeTags = { create: 0, exercise: 1, fetch: 2, rollback: 3, queryByKey: 4 } as const satisfies Record<
  TransactionNode["kind"],
  number
>;

/** A transaction that cannot be hashed; caught where the hash is asked for. */
export class CannotHash extends Error {
  override readonly name = "CannotHash";
}

const out = new HashWriter();

export function hashNode(
  node: TransactionNode,
  seed: Uint8Array | undefined,
  scheme: HashingScheme,
  hashes: ReadonlyMap<NodeId, Uint8Array>,
): Uint8Array {
  begin(scheme);
  switch (node.kind) {
    case "create":
      if (seed === undefined) throw new CannotHash("a create node has no seed");
      addCreate(node, seed, scheme);
      break;
    case "fetch":
      addFetch(node, scheme);
      break;
    case "exercise":
      if (seed === undefined) throw new CannotHash("an exercise node has no seed");
      addExercise(node, seed, scheme);
      addChildren(node.children, hashes);
      break;
    case "rollback":
      out.byte(nodeTags.rollback);
      addChildren(node.children, hashes);
      break;
    case "queryByKey":
      addQueryByKey(node, scheme);
      break;
  }
  return out.sha256();
}

/** An input contract is hashed as a create node without seed. */
export function hashInputContract(create: CreateNode, scheme: HashingScheme): Uint8Array {
  begin(scheme);
  addCreate(create, undefined, scheme);
  return out.sha256();
}

function begin(scheme: HashingScheme): void {
  out.reset();
  if (scheme === "V2") out.byte(encodingV1);
}

function addChildren(children: readonly NodeId[], hashes: ReadonlyMap<NodeId, Uint8Array>): void {
  out.int32(children.length);
  for (const child of children) out.bytes(hashes.get(child)!);
}

function addVersion(version: string, scheme: HashingScheme): void {
  if (scheme === "V2" && version !== "2.1")
    throw new CannotHash(`hashing scheme V2 does not cover nodes of serialisation version ${version}`);
  out.text(version);
}

function addContract({
  contractId,
  packageName,
  templateId,
}: {
  readonly contractId: string;
  readonly packageName: string;
  readonly templateId: DefinitionId;
}): void {
  addContractId(contractId);
  out.text(packageName);
  hashIdentifier(out, templateId);
}

function addContractId(hex: string): void {
  out.int32(hex.length >>> 1).hex(hex);
}

function addCreate(node: CreateNode, seed: Uint8Array | undefined, scheme: HashingScheme): void {
  addVersion(node.version, scheme);
  out.byte(nodeTags.create);
  if (seed === undefined) out.byte(0);
  else out.byte(1).bytes(seed);
  addContract(node);
  hashValue(out, node.argument);
  out.texts(node.signatories).texts(node.stakeholders);
  if (scheme === "V3") addKey(node.key, node);
}

function addFetch(node: FetchNode, scheme: HashingScheme): void {
  addVersion(node.version, scheme);
  out.byte(nodeTags.fetch);
  addContract(node);
  out.texts(node.signatories).texts(node.stakeholders);
  addInterface(node.interfaceId);
  out.texts(node.actingParties);
  if (scheme === "V3") {
    out.byte(node.byKey ? 1 : 0);
    addKey(node.key, node);
  }
}

function addExercise(node: ExerciseNode, seed: Uint8Array, scheme: HashingScheme): void {
  addVersion(node.version, scheme);
  out.byte(nodeTags.exercise).bytes(seed);
  addContract(node);
  out.texts(node.signatories).texts(node.stakeholders).texts(node.actingParties);
  addInterface(node.interfaceId);
  out.text(node.choice);
  hashValue(out, node.argument);
  out.byte(node.consuming ? 1 : 0);
  if (node.result === undefined) out.byte(0);
  else {
    out.byte(1);
    hashValue(out, node.result);
  }
  out.texts(node.choiceObservers);
  if (scheme === "V3") {
    out.byte(node.byKey ? 1 : 0);
    addKey(node.key, node);
  }
}

function addQueryByKey(node: QueryByKeyNode, scheme: HashingScheme): void {
  addVersion(node.version, scheme);
  out.byte(nodeTags.queryByKey).text(node.packageName);
  hashIdentifier(out, node.templateId);
  out.byte(node.exhaustive ? 1 : 0);
  addGlobalKey(node.key, node);
  out.int32(node.result.length);
  for (const contractId of node.result) addContractId(contractId);
}

function addInterface(id: DefinitionId | undefined): void {
  if (id === undefined) {
    out.byte(0);
    return;
  }
  out.byte(1);
  hashIdentifier(out, id);
}

function addKey(key: KeyWithMaintainers | undefined, place: { readonly packageName: string; readonly templateId: DefinitionId }): void {
  if (key === undefined) {
    out.byte(0);
    return;
  }
  out.byte(1);
  addGlobalKey(key, place);
}

function addGlobalKey(
  key: KeyWithMaintainers,
  { packageName, templateId }: { readonly packageName: string; readonly templateId: DefinitionId },
): void {
  out.text(packageName);
  hashIdentifier(out, templateId);
  hashValue(out, key.key);
  out.hex(key.hash).texts(key.maintainers);
}
