/** From the tree of a finished run to a transaction: nodes numbered in pre-order, contracts with their full ids. */
import { assert } from "../../base/assert.js";
import type { DefinitionId } from "../ast.js";
import type { NodeId, SerializationVersion, Transaction, TransactionNode } from "../transaction/node.js";
import type { ValueType } from "../value/index.js";
import { Created } from "./interpretation.js";
import type { RawCreate, RawExercise, RawNode } from "./partial-transaction.js";
import type { Seed } from "./seed.js";
import type { CreatedContract } from "./submission.js";
import type { Suffixes } from "./suffix.js";

export interface FinishedTransaction {
  readonly transaction: Transaction;
  readonly nodeSeeds: readonly (readonly [NodeId, Seed])[];
  /** In pre-order; rolled-back ones are left out. */
  readonly created: readonly CreatedContract[];
}

export function finishTransaction(roots: readonly RawNode[], suffixes: Suffixes, payloadType: (templateId: DefinitionId) => ValueType): FinishedTransaction {
  const numbering = new Numbering(suffixes, payloadType);
  const rootIds = roots.map((node) => numbering.add(node, false));
  const { nodes, nodeSeeds, created } = numbering;
  return { transaction: { version: transactionVersion(nodes), roots: rootIds, nodes }, nodeSeeds, created };
}

class Numbering {
  readonly nodes: TransactionNode[] = [];
  readonly nodeSeeds: (readonly [NodeId, Seed])[] = [];
  readonly created: CreatedContract[] = [];

  constructor(readonly suffixes: Suffixes, readonly payloadType: (templateId: DefinitionId) => ValueType) {}

  add(raw: RawNode, rolledBack: boolean): NodeId {
    const id = this.nodes.length;
    this.nodes.push(placeholder);
    this.nodes[id] = this.#finish(raw, id, rolledBack);
    return id;
  }

  #finish(raw: RawNode, id: NodeId, rolledBack: boolean): TransactionNode {
    switch (raw.kind) {
      case "create": return this.#create(raw, id, rolledBack);
      case "exercise": return this.#exercise(raw, id, rolledBack);
      case "fetch": return { ...raw.node, contractId: this.suffixes.contractId(raw.node.contractId) };
      case "queryByKey": return { ...raw.node, result: raw.node.result.map((contractId) => this.suffixes.contractId(contractId)) };
      case "rollback": return { kind: "rollback", children: raw.children.map((child) => this.add(child, true)) };
    }
  }

  #create(raw: RawCreate, id: NodeId, rolledBack: boolean): TransactionNode {
    this.nodeSeeds.push([id, raw.seed]);
    const instance = this.suffixes.create(raw.node, this.payloadType(raw.node.templateId));
    if (!rolledBack) this.created.push(new Created(id, instance));
    return { ...raw.node, contractId: instance.contractId, argument: instance.argument };
  }

  /** The result may mention contracts that the children create, the argument only earlier ones. */
  #exercise(raw: RawExercise, id: NodeId, rolledBack: boolean): TransactionNode {
    this.nodeSeeds.push([id, raw.seed]);
    const contractId = this.suffixes.contractId(raw.node.contractId);
    const argument = this.suffixes.value(raw.node.argument);
    const children = raw.children.map((child) => this.add(child, rolledBack));
    const result = raw.result && this.suffixes.value(raw.result);
    return { ...raw.node, contractId, argument, children, result };
  }
}

const placeholder: TransactionNode = { kind: "rollback", children: [] };

const versionRank: { readonly [V in SerializationVersion]: number } = { "2.1": 0, "2": 1, dev: 2 };

function transactionVersion(nodes: readonly TransactionNode[]): SerializationVersion {
  let highest: SerializationVersion = "2.1";
  for (const node of nodes) {
    assert(node !== placeholder, "every node was finished");
    if (node.kind !== "rollback" && versionRank[node.version] > versionRank[highest]) highest = node.version;
  }
  return highest;
}
