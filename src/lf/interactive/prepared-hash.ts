/**
 * The hash that external parties sign (sheet 9.6, hashing schemes V2 and V3): every node is hashed with the hashes of its
 * children, then the whole with its metadata.
 */
import { fail, ok, type Result } from "../../base/result.js";
import type { CreateNode, ExerciseNode, FetchNode, KeyWithMaintainers, NodeId, QueryByKeyNode, TransactionNode } from "../transaction/node.js";
import { HashWriter } from "../transaction/hash-writer.js";
import type { DefinitionId } from "../ast.js";
import { hashValue, hashIdentifier } from "./value-hash.js";
import type { HashingScheme, InputContract, PreparedMetadata, PreparedTransaction, SeededTransaction } from "./prepared-transaction.js";

const preparedSubmissionPurpose = 0x30;
const schemeByte: Readonly<Record<HashingScheme, number>> = { V2: 2, V3: 3 };
const encodingV1 = 1;
const nodeTags = { create: 0, exercise: 1, fetch: 2, rollback: 3, queryByKey: 4 } as const satisfies Record<TransactionNode["kind"], number>;

export interface HashFailure { readonly message: string }

class CannotHash extends Error {}

const out = new HashWriter();

/** 32 bytes. Fails for a transaction whose tree is not whole, or that the scheme cannot express. */
export function hashPrepared({ transaction, metadata }: PreparedTransaction, scheme: HashingScheme): Result<Uint8Array, HashFailure> {
  return guarded(() => {
    const transactionHash = hashTree(transaction, scheme), metadataHash = hashMetadata(metadata, scheme);
    out.reset();
    return out.int32(preparedSubmissionPurpose).byte(schemeByte[scheme]).bytes(transactionHash).bytes(metadataHash).sha256();
  });
}

/** The part of it that is about the transaction alone. */
export function hashSeeded(transaction: SeededTransaction, scheme: HashingScheme): Result<Uint8Array, HashFailure> {
  return guarded(() => hashTree(transaction, scheme));
}

function guarded(hash: () => Uint8Array): Result<Uint8Array, HashFailure> {
  try {
    return ok(hash());
  } catch (error) {
    if (error instanceof CannotHash) return fail({ message: error.message });
    throw error;
  }
}

function hashTree(transaction: SeededTransaction, scheme: HashingScheme): Uint8Array {
  const hashes = hashNodes(transaction, scheme);
  out.reset();
  out.int32(preparedSubmissionPurpose).text(transaction.version).int32(transaction.roots.length);
  for (const root of transaction.roots) out.bytes(hashes.get(root)!);
  return out.sha256();
}

/** Children before parents; trees nest without bound, so no recursion. A node below two parents would make the tree a graph. */
function hashNodes({ roots, nodes, nodeSeeds }: SeededTransaction, scheme: HashingScheme): ReadonlyMap<NodeId, Uint8Array> {
  const hashes = new Map<NodeId, Uint8Array>(), entered = new Set<NodeId>(), pending: { readonly id: NodeId; readonly leaving: boolean }[] = [];
  const push = (ids: readonly NodeId[]): void => { for (let i = ids.length - 1; i >= 0; i--) pending.push({ id: ids[i]!, leaving: false }); };
  push(roots);
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { id, leaving } = step, node = nodes.get(id);
    if (node === undefined) throw new CannotHash(`node ${id} is missing`);
    if (leaving) {
      hashes.set(id, hashNode(node, nodeSeeds.get(id), scheme, hashes));
      continue;
    }
    if (hashes.has(id)) continue;
    if (entered.has(id)) throw new CannotHash(`node ${id} is below itself`);
    entered.add(id);
    pending.push({ id, leaving: true });
    push(childrenOf(node));
  }
  return hashes;
}

const childrenOf = (node: TransactionNode): readonly NodeId[] => (node.kind === "exercise" || node.kind === "rollback" ? node.children : []);

function hashNode(node: TransactionNode, seed: Uint8Array | undefined, scheme: HashingScheme, hashes: ReadonlyMap<NodeId, Uint8Array>): Uint8Array {
  begin(scheme);
  switch (node.kind) {
    case "create":
      if (seed === undefined) throw new CannotHash("a create node has no seed");
      addCreate(node, seed, scheme);
      break;
    case "fetch": addFetch(node, scheme); break;
    case "exercise":
      if (seed === undefined) throw new CannotHash("an exercise node has no seed");
      addExercise(node, seed, scheme);
      addChildren(node.children, hashes);
      break;
    case "rollback":
      out.byte(nodeTags.rollback);
      addChildren(node.children, hashes);
      break;
    case "queryByKey": addQueryByKey(node, scheme); break;
  }
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
  if (scheme === "V2" && version !== "2.1") throw new CannotHash(`hashing scheme V2 does not cover nodes of serialisation version ${version}`);
  out.text(version);
}

function addContract({ contractId, packageName, templateId }: { readonly contractId: string; readonly packageName: string; readonly templateId: DefinitionId }): void {
  addContractId(contractId);
  out.text(packageName);
  hashIdentifier(out, templateId);
}

function addContractId(hex: string): void { out.int32(hex.length >>> 1).hex(hex); }

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
  if (scheme === "V3") { out.byte(node.byKey ? 1 : 0); addKey(node.key, node); }
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
  else { out.byte(1); hashValue(out, node.result); }
  out.texts(node.choiceObservers);
  if (scheme === "V3") { out.byte(node.byKey ? 1 : 0); addKey(node.key, node); }
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
  if (id === undefined) { out.byte(0); return; }
  out.byte(1);
  hashIdentifier(out, id);
}

function addKey(key: KeyWithMaintainers | undefined, place: { readonly packageName: string; readonly templateId: DefinitionId }): void {
  if (key === undefined) { out.byte(0); return; }
  out.byte(1);
  addGlobalKey(key, place);
}

function addGlobalKey(key: KeyWithMaintainers, { packageName, templateId }: { readonly packageName: string; readonly templateId: DefinitionId }): void {
  out.text(packageName);
  hashIdentifier(out, templateId);
  hashValue(out, key.key);
  out.hex(key.hash).texts(key.maintainers);
}

function hashMetadata(metadata: PreparedMetadata, scheme: HashingScheme): Uint8Array {
  const inputs = [...metadata.inputContracts].sort((left, right) => (left.create.contractId < right.create.contractId ? -1 : 1));
  const inputHashes = inputs.map(({ create }) => hashInputContract(create, scheme));
  out.reset();
  out.int32(preparedSubmissionPurpose);
  if (scheme === "V2") out.byte(encodingV1);
  out.texts(metadata.actAs).text(metadata.commandId).text(metadata.transactionUuid).int32(metadata.mediatorGroup).text(metadata.synchronizerId);
  addTime(metadata.minLedgerTime);
  addTime(metadata.maxLedgerTime);
  out.int64(metadata.preparationTime);
  addInputs(inputs, inputHashes);
  if (scheme === "V3") addTime(metadata.maxRecordTime);
  return out.sha256();
}

function addInputs(inputs: readonly InputContract[], hashes: readonly Uint8Array[]): void {
  out.int32(inputs.length);
  inputs.forEach(({ createdAt }, index) => out.int64(createdAt).bytes(hashes[index]!));
}

function hashInputContract(create: CreateNode, scheme: HashingScheme): Uint8Array {
  begin(scheme);
  addCreate(create, undefined, scheme);
  return out.sha256();
}

function addTime(micros: bigint | undefined): void {
  if (micros === undefined) out.byte(0);
  else out.byte(1).int64(micros);
}
