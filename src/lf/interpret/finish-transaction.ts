/** From the tree of a finished run to a transaction: nodes numbered in pre-order, contracts with their full ids. */
import type { DefinitionId } from "../ast.js";
import type {
  CreateNode,
  ExerciseNode,
  FetchNode,
  NodeId,
  QueryByKeyNode,
  SerializationVersion,
  Transaction,
  TransactionNode,
} from "../transaction/index.js";
import type { ValueType } from "../conversion/index.js";
import { Created } from "./created.js";
import type { RawCreate, RawExercise, RawFetch, RawNode, RawQueryByKey } from "./raw-node.js";
import type { CreatedContract } from "./submission.js";
import type { Suffixes } from "./suffix.js";

export interface FinishedTransaction {
  readonly transaction: Transaction;
  /** In pre-order; rolled-back ones are left out. */
  readonly created: readonly CreatedContract[];
}

export function finishTransaction(
  roots: readonly RawNode[],
  suffixes: Suffixes,
  payloadType: (templateId: DefinitionId) => ValueType,
): FinishedTransaction {
  const numbering = new Numbering(suffixes, payloadType);
  const rootIds = roots.map((node) => numbering.add(node, false));
  const { nodes, created } = numbering;
  return { transaction: { version: transactionVersion(nodes), roots: rootIds, nodes }, created };
}

/** The seeds of creates and exercises, under the same numbers. */
export function nodeSeeds(roots: readonly RawNode[]): readonly (readonly [NodeId, Uint8Array])[] {
  const seeds: (readonly [NodeId, Uint8Array])[] = [];
  let nextId = 0;
  const add = (node: RawNode): void => {
    const id = nextId++;
    if (node.kind === "create") seeds.push([id, node.parentSeed.bytesOfChild(node.index)]);
    if (node.kind === "exercise") seeds.push([id, node.seed.bytes]);
    if (node.kind === "exercise" || node.kind === "rollback") node.children.forEach(add);
  };
  roots.forEach(add);
  return seeds;
}

export const countNodes = (nodes: readonly RawNode[]): number =>
  nodes.reduce((count, node) => count + 1 + (node.kind === "exercise" || node.kind === "rollback" ? countNodes(node.children) : 0), 0);

class Numbering {
  readonly nodes: TransactionNode[] = [];
  readonly created: CreatedContract[] = [];

  constructor(
    readonly suffixes: Suffixes,
    readonly payloadType: (templateId: DefinitionId) => ValueType,
  ) {}

  add(raw: RawNode, rolledBack: boolean): NodeId {
    const id = this.nodes.length;
    this.nodes.push(placeholder);
    this.nodes[id] = this.#finish(raw, id, rolledBack);
    return id;
  }

  #finish(raw: RawNode, id: NodeId, rolledBack: boolean): TransactionNode {
    switch (raw.kind) {
      case "create":
        return this.#create(raw, id, rolledBack);
      case "exercise":
        return this.#exercise(raw, rolledBack);
      case "fetch":
        return this.#fetch(raw);
      case "queryByKey":
        return this.#queryByKey(raw);
      case "rollback":
        return { kind: "rollback", children: raw.children.map((child) => this.add(child, true)) };
    }
  }

  #create({ contractId: { hex: localId }, info }: RawCreate, id: NodeId, rolledBack: boolean): CreateNode {
    const instance = this.suffixes.create(localId, info, this.payloadType(info.templateId));
    if (!rolledBack) this.created.push(new Created(id, instance));
    const { contractId, argument } = instance,
      { packageName, templateId, signatories, stakeholders, key, version } = info;
    return { kind: "create", contractId, packageName, templateId, argument, signatories, stakeholders, key, version };
  }

  /** The result may mention contracts that the children create, the argument only earlier ones. */
  #exercise({ start, children: below, result: local }: RawExercise, rolledBack: boolean): ExerciseNode {
    const {
      info: { packageName, templateId, signatories, stakeholders, key, version },
      interfaceId,
      choice,
      consuming,
      controllers,
      observers,
      authorizers,
      byKey,
    } = start;
    const contractId = this.suffixes.contractId(start.contractId);
    const argument = this.suffixes.value(start.argument);
    const children = below.map((child) => this.add(child, rolledBack));
    const result = local && this.suffixes.value(local);
    return {
      kind: "exercise",
      contractId,
      packageName,
      templateId,
      interfaceId,
      choice,
      consuming,
      actingParties: controllers,
      choiceObservers: observers,
      choiceAuthorizers: authorizers,
      argument,
      result,
      signatories,
      stakeholders,
      key,
      byKey,
      children,
      version,
    };
  }

  #fetch({ contractId, info, actingParties, byKey, interfaceId }: RawFetch): FetchNode {
    const { packageName, templateId, signatories, stakeholders, key, version } = info;
    return {
      kind: "fetch",
      contractId: this.suffixes.contractId(contractId),
      packageName,
      templateId,
      actingParties,
      signatories,
      stakeholders,
      key,
      byKey,
      interfaceId,
      version,
    };
  }

  #queryByKey({ node }: RawQueryByKey): QueryByKeyNode {
    return { ...node, result: node.result.map((contractId) => this.suffixes.contractId(contractId)) };
  }
}

const placeholder: TransactionNode = { kind: "rollback", children: [] };

const versionRank: { readonly [V in SerializationVersion]: number } = { "2.1": 0, "2": 1, dev: 2 };

function transactionVersion(nodes: readonly TransactionNode[]): SerializationVersion {
  let highest: SerializationVersion = "2.1";
  for (const node of nodes) {
    if (node.kind !== "rollback" && versionRank[node.version] > versionRank[highest]) highest = node.version;
  }
  return highest;
}
