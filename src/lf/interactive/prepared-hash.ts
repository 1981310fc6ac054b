/**
 * The hash that external parties sign: every node is hashed with the hashes of its
 * children, then the whole with its metadata.
 */
import { fail, ok, type Result } from "../../base/result.js";
import type { NodeId } from "../transaction/index.js";
import { addNone, addSome, HashedSteps, type HashSteps } from "./hash-steps.js";
import { addInputContract, addNode, CannotHash, childrenOf, encodingV1 } from "./node-hash.js";
import type { HashingScheme, InputContract, PreparedMetadata, PreparedTransaction, SeededTransaction } from "./prepared-transaction.js";
import { StepLines, ToldSteps, TooManySteps } from "./told-steps.js";

const preparedSubmissionPurpose = Uint8Array.of(0, 0, 0, 0x30);
const schemeByte: Readonly<Record<HashingScheme, number>> = { V2: 2, V3: 3 };
export interface HashFailure {
  readonly message: string;
}

/** 32 bytes. Fails for a transaction whose tree is not whole, or that the scheme cannot express. */
export function hashPrepared(prepared: PreparedTransaction, scheme: HashingScheme): Result<Uint8Array, HashFailure> {
  try {
    return ok(hashParts(prepared, scheme).whole);
  } catch (error) {
    if (error instanceof CannotHash) return fail({ message: error.message });
    throw error;
  }
}

/** The steps of that hash as lines of text; undefined where they take more than `charsMax` characters. Only of what can be hashed. */
export function describeHash(prepared: PreparedTransaction, scheme: HashingScheme, charsMax: number): string | undefined {
  const { transaction, metadata } = prepared,
    lines = new StepLines(charsMax),
    steps = new ToldSteps(lines, 0),
    hashes = hashParts(prepared, scheme);
  const tellTree = (tree: ToldSteps): Uint8Array => {
    addTree(tree, transaction, (root) => {
      tellNodes(tree.inner, root, { ...transaction, hashes: hashes.nodes }, scheme);
      return hashes.nodes.get(root)!;
    });
    return hashes.transaction;
  };
  const tellMetadata = (told: ToldSteps): Uint8Array => {
    addMetadata(told, metadata, scheme, ({ create }, index) => {
      addInputContract(told.inner, create, scheme);
      return hashes.inputs[index]!;
    });
    return hashes.metadata;
  };
  try {
    addWhole(steps, scheme, { transaction: () => tellTree(steps.inner), metadata: () => tellMetadata(steps.inner) });
    return lines.text;
  } catch (error) {
    if (error instanceof TooManySteps) return undefined;
    throw error;
  }
}

interface Hashes {
  readonly nodes: ReadonlyMap<NodeId, Uint8Array>;
  /** In the order of the contracts' ids. */
  readonly inputs: readonly Uint8Array[];
  readonly transaction: Uint8Array;
  readonly metadata: Uint8Array;
  readonly whole: Uint8Array;
}

function hashParts({ transaction: tree, metadata: about }: PreparedTransaction, scheme: HashingScheme): Hashes {
  const nodes = hashNodes(tree, scheme),
    transaction = hashOf((steps) => addTree(steps, tree, (root) => nodes.get(root)!)),
    inputs = inputsOf(about).map(({ create }) => hashOf((steps) => addInputContract(steps, create, scheme))),
    metadata = hashOf((steps) => addMetadata(steps, about, scheme, (_, index) => inputs[index]!)),
    whole = hashOf((steps) => addWhole(steps, scheme, { transaction: () => transaction, metadata: () => metadata }));
  return { nodes, inputs, transaction, metadata, whole };
}

const hashed = new HashedSteps();

function hashOf(add: (steps: HashSteps) => void): Uint8Array {
  add(hashed.reset());
  return hashed.sha256();
}

const addPurpose = (steps: HashSteps): HashSteps => steps.bytes(preparedSubmissionPurpose, "Hash Purpose");

type Part = () => Uint8Array;

function addWhole(
  steps: HashSteps,
  scheme: HashingScheme,
  { transaction, metadata }: { readonly transaction: Part; readonly metadata: Part },
): void {
  const version = schemeByte[scheme];
  addPurpose(steps).byte(version, `0${version} (Hashing Scheme Version)`).bytes(transaction(), "Transaction").bytes(metadata(), "Metadata");
}

function addTree(steps: HashSteps, { version, roots }: SeededTransaction, hashOfNode: (root: NodeId) => Uint8Array): void {
  addPurpose(steps).about("Serialization Version").text(version);
  steps.about("Root Nodes").int32(roots.length);
  for (const root of roots) steps.bytes(hashOfNode(root), "(Hashed Root Node)");
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
      const hash = hashOf((steps) => {
        addNode(steps, node, nodeSeeds.get(id), scheme);
        for (const child of childrenOf(node)) steps.bytes(hashes.get(child)!, innerNode);
      });
      hashes.set(id, hash);
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

const innerNode = "(Hashed Inner Node)";

/** Parents before children: the steps of a child stand before its hash in its parent. */
function tellNodes(
  top: ToldSteps,
  root: NodeId,
  { nodes, nodeSeeds, hashes }: SeededTransaction & { readonly hashes: ReadonlyMap<NodeId, Uint8Array> },
  scheme: HashingScheme,
): void {
  const pending: { readonly id: NodeId; readonly steps: ToldSteps; readonly isTold: boolean }[] = [{ id: root, steps: top, isTold: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { id, steps, isTold } = next;
    if (isTold) {
      steps.bytes(hashes.get(id)!, innerNode);
      continue;
    }
    const node = nodes.get(id)!,
      { inner } = steps;
    addNode(steps, node, nodeSeeds.get(id), scheme);
    for (const child of [...childrenOf(node)].reverse())
      pending.push({ id: child, steps, isTold: true }, { id: child, steps: inner, isTold: false });
  }
}

const inputsOf = ({ inputContracts }: PreparedMetadata): readonly InputContract[] =>
  [...inputContracts].sort((left, right) => (left.create.contractId < right.create.contractId ? -1 : 1));

function addMetadata(
  steps: HashSteps,
  metadata: PreparedMetadata,
  scheme: HashingScheme,
  hashOfInput: (input: InputContract, index: number) => Uint8Array,
): void {
  addPurpose(steps);
  if (scheme === "V2") steps.byte(encodingV1, "01 (Metadata Encoding Version)");
  steps.about("Act As Parties").texts(metadata.actAs);
  steps.about("Command Id").text(metadata.commandId);
  steps.about("Transaction UUID").text(metadata.transactionUuid);
  steps.about("Mediator Group").int32(metadata.mediatorGroup);
  steps.about("Synchronizer Id").text(metadata.synchronizerId);
  addTime(steps.about("Min Time Boundary"), metadata.minLedgerTime);
  addTime(steps.about("Max Time Boundary"), metadata.maxLedgerTime);
  steps.about("Preparation Time").int64(metadata.preparationTime);
  const inputs = inputsOf(metadata);
  steps.about("Disclosed Contracts").int32(inputs.length);
  inputs.forEach((input, index) => {
    steps.about("Created At").int64(input.createdAt);
    steps.about("Create Contract").bytes(hashOfInput(input, index), "Disclosed Contract");
  });
  if (scheme === "V3") addTime(steps.about("Max Record Time"), metadata.maxRecordTime);
}

function addTime(steps: HashSteps, micros: bigint | undefined): void {
  if (micros === undefined) addNone(steps);
  else addSome(steps).int64(micros);
}
