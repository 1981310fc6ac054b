/** From an interpreted transaction to one that can be signed, and from a signed one back to the command that it was. */
import { assert } from "../../base/assert.js";
import type { DefinitionId } from "../ast.js";
import { unconstrainedTime, type Command, type Interpretation } from "../interpret/index.js";
import {
  decodeContractInstance,
  encodeContractInstance,
  type ContractInstance,
  type CreateNode,
  type NodeId,
  type TimeBoundaries,
  type TransactionNode,
} from "../transaction/index.js";
import { isFailure } from "../../base/result.js";
import { withLocalIds } from "./local-ids.js";
import { enrich, enrichNode, type NodeTypes } from "./enrich.js";
import type { InputContract, PreparedMetadata, SeededTransaction } from "./prepared-transaction.js";

/** Nodes as they are signed: new contracts under their local ids, values with labels and type ids. */
export function seededTransaction({ transaction, metadata }: Interpretation, types: NodeTypes): SeededTransaction {
  const nodes = withLocalIds(transaction.nodes).map((node) => enrichNode(node, types));
  return {
    version: transaction.version,
    roots: transaction.roots,
    nodes: new Map(nodes.map((node, id): [NodeId, TransactionNode] => [id, node])),
    nodeSeeds: new Map(metadata.nodeSeeds),
  };
}

/** Undefined where the transaction does not depend on the ledger time. */
export const timeBounds = ({ min, max }: TimeBoundaries): Pick<PreparedMetadata, "minLedgerTime" | "maxLedgerTime"> => ({
  minLedgerTime: min === unconstrainedTime.min ? undefined : min,
  maxLedgerTime: max === unconstrainedTime.max ? undefined : max,
});

/** The contracts of the ledger that the nodes use, by id; each is shown with the types of the package that uses it. */
export function inputContracts(
  { transaction }: Interpretation,
  read: (contractId: string) => ContractInstance | undefined,
  types: NodeTypes,
): readonly InputContract[] {
  return [...inputPackages(transaction.nodes)]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([contractId, packageId]) => {
      const instance = read(contractId);
      assert(instance, "an input of the transaction was read before");
      return inputContract(instance, packageId, types);
    });
}

function inputContract(instance: ContractInstance, packageId: string, types: NodeTypes): InputContract {
  const { contractId, packageName, templateId, signatories, stakeholders, key, version, createdAt } = instance;
  const seenAs = { ...templateId, packageId };
  const create: CreateNode = {
    kind: "create",
    contractId,
    packageName,
    templateId,
    signatories,
    stakeholders,
    version,
    argument: enrich(types.argument(seenAs), instance.argument),
    key: key && { ...key, key: enrich(types.key(seenAs), key.key) },
  };
  return { create, createdAt, blob: encodeContractInstance(instance) };
}

/** Contract id to the package with which it is used; of several the first. */
export function inputPackages(nodes: readonly TransactionNode[]): ReadonlyMap<string, string> {
  const created = new Set(nodes.flatMap((node) => (node.kind === "create" ? [node.contractId] : [])));
  const inputs = new Map<string, string>();
  const add = (contractId: string, { packageId }: DefinitionId): void => {
    const known = inputs.get(contractId);
    if (!created.has(contractId) && (known === undefined || packageId < known)) inputs.set(contractId, packageId);
  };
  for (const node of nodes) {
    if (node.kind === "fetch" || node.kind === "exercise") add(node.contractId, node.templateId);
    if (node.kind === "queryByKey") for (const contractId of node.result) add(contractId, node.templateId);
  }
  return inputs;
}

/** The command that a prepared transaction is the result of, or why there is none. */
export function rootCommand({
  roots,
  nodes,
  nodeSeeds,
}: SeededTransaction): { readonly command: Command; readonly seed: Uint8Array } | undefined {
  const [root] = roots;
  if (root === undefined || roots.length !== 1) return undefined;
  const node = nodes.get(root),
    seed = nodeSeeds.get(root);
  if (node === undefined || seed === undefined) return undefined;
  const command = commandOf(node);
  return command && { command, seed };
}

function commandOf(node: TransactionNode): Command | undefined {
  switch (node.kind) {
    case "create":
      return { kind: "create", template: reference(node.templateId), argument: { value: node.argument } };
    case "exercise": {
      const { choice, contractId, key, byKey, templateId, interfaceId } = node,
        argument = { value: node.argument };
      if (byKey && key !== undefined)
        return { kind: "exerciseByKey", template: reference(templateId), key: { value: key.key }, choice, argument };
      return { kind: "exercise", template: reference(interfaceId ?? templateId), contractId, choice, argument };
    }
    default:
      return undefined;
  }
}

const reference = ({ packageId, module, name }: DefinitionId): Command["template"] => ({ package: { id: packageId }, module, name });

/** The nodes that the roots lead to; the hash covers no others. Undefined when one is missing. */
export function reachableNodes({ roots, nodes }: SeededTransaction): readonly TransactionNode[] | undefined {
  const reached = new Map<NodeId, TransactionNode>(),
    pending = [...roots];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (reached.has(id)) continue;
    const node = nodes.get(id);
    if (node === undefined) return undefined;
    reached.set(id, node);
    if (node.kind === "exercise" || node.kind === "rollback") for (const child of node.children) pending.push(child);
  }
  return [...reached.values()];
}

/** Which package stands for a name, as the nodes say: what interfaces and keys resolve again. */
export function packagesByName(nodes: readonly TransactionNode[]): ReadonlyMap<string, string> {
  const packages = new Map<string, string>();
  for (const node of nodes) if (node.kind !== "rollback") packages.set(node.packageName, node.templateId.packageId);
  return packages;
}

/** The stored contracts of a prepared transaction; they were read once before. */
export const disclosedContracts = ({ inputContracts: inputs }: PreparedMetadata): readonly ContractInstance[] =>
  inputs.map(({ blob }) => {
    const instance = decodeContractInstance(blob);
    assert(!isFailure(instance), "the blobs of a prepared transaction were decoded when it was read");
    return instance.ok;
  });
