/**
 * The hash that external parties sign: every node is hashed with the hashes of its
 * children, then the whole with its metadata.
 */
import { fail, ok, type Result } from "../../base/result.js";
import { HashWriter, type NodeId, type TransactionNode } from "../transaction/index.js";
import { CannotHash, encodingV1, hashInputContract, hashNode } from "./node-hash.js";
import type { HashingScheme, InputContract, PreparedMetadata, PreparedTransaction, SeededTransaction } from "./prepared-transaction.js";

const preparedSubmissionPurpose = 0x30;
const schemeByte: Readonly<Record<HashingScheme, number>> = { V2: 2, V3: 3 };
export interface HashFailure {
  readonly message: string;
}

const out = new HashWriter();

/** 32 bytes. Fails for a transaction whose tree is not whole, or that the scheme cannot express. */
export function hashPrepared({ transaction, metadata }: PreparedTransaction, scheme: HashingScheme): Result<Uint8Array, HashFailure> {
  return guarded(() => {
    const transactionHash = hashTree(transaction, scheme),
      metadataHash = hashMetadata(metadata, scheme);
    out.reset();
    return out.int32(preparedSubmissionPurpose).byte(schemeByte[scheme]).bytes(transactionHash).bytes(metadataHash).sha256();
  });
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
  const hashes = new Map<NodeId, Uint8Array>(),
    entered = new Set<NodeId>(),
    pending: { readonly id: NodeId; readonly leaving: boolean }[] = [];
  const push = (ids: readonly NodeId[]): void => {
    for (let i = ids.length - 1; i >= 0; i--) pending.push({ id: ids[i]!, leaving: false });
  };
  push(roots);
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { id, leaving } = step,
      node = nodes.get(id);
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

const childrenOf = (node: TransactionNode): readonly NodeId[] =>
  node.kind === "exercise" || node.kind === "rollback" ? node.children : [];

function hashMetadata(metadata: PreparedMetadata, scheme: HashingScheme): Uint8Array {
  const inputs = [...metadata.inputContracts].sort((left, right) => (left.create.contractId < right.create.contractId ? -1 : 1));
  const inputHashes = inputs.map(({ create }) => hashInputContract(create, scheme));
  out.reset();
  out.int32(preparedSubmissionPurpose);
  if (scheme === "V2") out.byte(encodingV1);
  out
    .texts(metadata.actAs)
    .text(metadata.commandId)
    .text(metadata.transactionUuid)
    .int32(metadata.mediatorGroup)
    .text(metadata.synchronizerId);
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

function addTime(micros: bigint | undefined): void {
  if (micros === undefined) out.byte(0);
  else out.byte(1).int64(micros);
}
