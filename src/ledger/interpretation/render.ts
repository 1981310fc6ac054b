/** From the engine's transaction to what the commit stores: each event's JSON once, for all readers to come. Pure; runs on a worker. */
import { assert } from "../../base/assert.js";
import type { DefinitionId } from "../../lf/index.js";
import type { CreatedContract, Interpretation } from "../../lf/interpret/index.js";
import {
  type CreateNode,
  type ExerciseNode,
  informeesOf,
  type KeyWithMaintainers,
  type NodeId,
  type Transaction,
  type TransactionNode,
} from "../../lf/transaction/index.js";
import type { LedgerValue } from "../../lf/value/index.js";
import { instantText, type StoredCreate, type StoredEvent, type StoredExercise } from "../model/index.js";
import type { InterpretedTransaction, ValuePosition } from "./interpreter.js";
import { untoldOf } from "./untold.js";

export interface RenderedValues {
  /** JSON text of a value. */
  toJson(position: ValuePosition, value: LedgerValue): string;
}

export interface RenderOptions {
  readonly interpretation: Interpretation;
  readonly ledgerTime: bigint;
  /** Ids of the contracts that the submission disclosed. */
  readonly disclosed: ReadonlySet<string>;
  readonly values: RenderedValues;
}

/** Of ids of compiled code, which are one object each, the text is made once. */
const idTexts = new WeakMap<DefinitionId, string>();

function idText(id: DefinitionId): string {
  const known = idTexts.get(id);
  if (known !== undefined) return known;
  const text = `${id.packageId}:${id.module}:${id.name}`;
  idTexts.set(id, text);
  return text;
}

/** Names of parties have no character that JSON escapes. */
const partiesText = (parties: readonly string[]): string => (parties.length === 0 ? "[]" : `["${parties.join('","')}"]`);

/** The nodes that count, in pre-order: those below a rollback never reach the ledger. */
function effectiveNodes(transaction: Transaction): NodeId[] {
  const effective: NodeId[] = [];
  const pending: NodeId[] = [...transaction.roots].reverse();
  for (let nodeId = pending.pop(); nodeId !== undefined; nodeId = pending.pop()) {
    const node = nodeOf(transaction, nodeId);
    if (node.kind === "rollback") continue;
    effective.push(nodeId);
    if (node.kind === "exercise") for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i]!);
  }
  return effective;
}

function nodeOf(transaction: Transaction, nodeId: NodeId): TransactionNode {
  const node = transaction.nodes[nodeId];
  assert(node, `node ${nodeId} is in the transaction`);
  return node;
}

/** Pre-order numbering: the highest id below a node is that of its last child's last descendant. What is rolled back does not count. */
function lastDescendant(transaction: Transaction, nodeId: NodeId): NodeId {
  for (let last = nodeId; ;) {
    const node = nodeOf(transaction, last);
    const child = node.kind === "exercise" ? node.children.findLast((id) => nodeOf(transaction, id).kind !== "rollback") : undefined;
    if (child === undefined) return last;
    last = child;
  }
}

export function renderTransaction(options: RenderOptions): InterpretedTransaction {
  const { interpretation, disclosed } = options,
    { transaction, metadata } = interpretation;
  const nodeIds = effectiveNodes(transaction);
  const archived = new Set<string>(),
    created = new Map<string, CreatedContract>(),
    events: StoredEvent[] = [],
    { disclosure } = interpretation.blinding;
  for (const nodeId of nodeIds) {
    const node = nodeOf(transaction, nodeId);
    if (node.kind === "exercise" && node.consuming) archived.add(node.contractId);
  }
  for (const contract of interpretation.created) created.set(contract.instance.contractId, contract);
  for (const nodeId of nodeIds) {
    const node = nodeOf(transaction, nodeId),
      witnesses = disclosure[nodeId] ?? [];
    assert(node.kind === "fetch" || node.kind === "queryByKey" || witnesses.length > 0, "an event has witnesses");
    if (node.kind === "create") {
      const contract = created.get(node.contractId);
      assert(contract, "a created contract has an instance");
      events.push(renderCreate(options, nodeId, node, { witnesses, blob: contract.blob, survives: !archived.has(node.contractId) }));
    } else if (node.kind === "exercise") {
      events.push(renderExercise(options, nodeId, node, { witnesses, isLocal: created.has(node.contractId) }));
    }
  }
  const { keyInputs, ignoredByKeys } = keysOf(transaction.nodes, disclosed);
  return {
    events,
    ...untoldOf({ nodes: transaction.nodes, disclosure, effective: nodeIds }),
    inputs: interpretation.inputs,
    keyInputs,
    ignoredByKeys,
    minLedgerTime: metadata.timeBoundaries.min,
    maxLedgerTime: metadata.timeBoundaries.max,
    usedPackages: interpretation.usedPackages,
  };
}

/** Mostly all stakeholders and nobody else: then it is their list, which travels once. */
function sorted(parties: readonly string[], stakeholders: readonly string[]): readonly string[] {
  if (parties === stakeholders) return stakeholders;
  const isSame = parties.length === stakeholders.length && parties.every((party) => stakeholders.includes(party));
  return isSame ? stakeholders : [...parties].sort();
}

/** Undefined where they are all witnesses, as of everything that is nested in nothing. */
function ownInformees({ roots, nodes }: Transaction, node: TransactionNode, witnesses: readonly string[]): readonly string[] | undefined {
  if (roots.length === nodes.length) return undefined;
  const own = informeesOf(node);
  return own.length === witnesses.length ? undefined : own;
}

function renderCreate(
  { interpretation, values, ledgerTime }: RenderOptions,
  nodeId: NodeId,
  node: CreateNode,
  seen: { readonly witnesses: readonly string[]; readonly blob: Uint8Array; readonly survives: boolean },
): StoredCreate {
  const templateId = idText(node.templateId);
  const key = node.key ? values.toJson({ kind: "contractKey", templateId: node.templateId }, node.key.key) : "null";
  const keyHash = node.key ? Buffer.from(node.key.hash, "hex").toString("base64") : "";
  const observers = node.stakeholders === node.signatories ? [] : node.stakeholders.filter((party) => !node.signatories.includes(party));
  return {
    kind: "create",
    nodeId,
    contractId: node.contractId,
    templateId,
    packageName: node.packageName,
    stakeholders: node.stakeholders,
    witnesses: sorted(seen.witnesses, node.stakeholders),
    informees: ownInformees(interpretation.transaction, node, seen.witnesses),
    json: `,"contractKey":${key},"contractKeyHash":"${keyHash}","createArgument":${values.toJson({ kind: "createArgument", templateId: node.templateId }, node.argument)}`,
    jsonAfter: `"signatories":${partiesText(node.signatories)},"observers":${partiesText(observers)},"createdAt":"${instantText(ledgerTime)}","packageName":"${node.packageName}","representativePackageId":"${node.templateId.packageId}"`,
    activates: seen.survives,
    createdEventBlob: seen.blob,
    keyHash: node.key?.hash ?? "",
  };
}

function renderExercise(
  { interpretation, values }: RenderOptions,
  nodeId: NodeId,
  node: ExerciseNode,
  seen: { readonly witnesses: readonly string[]; readonly isLocal: boolean },
): StoredExercise {
  const templateId = idText(node.templateId),
    interfaceId = node.interfaceId && idText(node.interfaceId);
  const argument = values.toJson(
    { kind: "choiceArgument", templateId: node.templateId, interfaceId: node.interfaceId, choice: node.choice },
    node.argument,
  );
  const result = node.result
    ? values.toJson(
        { kind: "exerciseResult", templateId: node.templateId, interfaceId: node.interfaceId, choice: node.choice },
        node.result,
      )
    : "null";
  const last = lastDescendant(interpretation.transaction, nodeId);
  return {
    kind: "exercise",
    nodeId,
    contractId: node.contractId,
    templateId,
    packageName: node.packageName,
    stakeholders: node.stakeholders,
    witnesses: sorted(seen.witnesses, node.stakeholders),
    informees: ownInformees(interpretation.transaction, node, seen.witnesses),
    json: `,"interfaceId":${interfaceId ? `"${interfaceId}"` : "null"},"choice":${JSON.stringify(node.choice)},"choiceArgument":${argument},"actingParties":${partiesText(node.actingParties)},"consuming":${node.consuming}`,
    jsonAfter: `"lastDescendantNodeId":${last},"exerciseResult":${result},"packageName":"${node.packageName}"`,
    consuming: node.consuming,
    deactivates: node.consuming && !seen.isLocal,
  };
}

/**
 * What the store answered to key queries, also to those that were rolled back: what came of them did not go with them. The transaction's
 * own creates are no part of it, and what it archived before a query was hidden from it; neither is rolled back where there are keys.
 * Disclosed contracts come from the submission.
 */
function keysOf(
  nodes: readonly TransactionNode[],
  disclosed: ReadonlySet<string>,
): Pick<InterpretedTransaction, "keyInputs" | "ignoredByKeys"> {
  const own = new Set<string>(),
    ignored = [...disclosed];
  const inputs: InterpretedTransaction["keyInputs"][number][] = [];
  const add = (key: KeyWithMaintainers, contractIds: readonly string[], exhaustive: boolean): void => {
    inputs.push({
      keyHash: key.hash,
      contractIds: contractIds.filter((id) => !own.has(id) && !disclosed.has(id)),
      exhaustive,
      ignoring: ignored.length,
    });
  };
  for (const node of nodes) {
    if (node.kind === "queryByKey") add(node.key, node.result, node.exhaustive);
    else if ((node.kind === "fetch" || node.kind === "exercise") && node.byKey && node.key) add(node.key, [node.contractId], false);
    if (node.kind === "create") own.add(node.contractId);
    if (node.kind === "exercise" && node.consuming) ignored.push(node.contractId);
  }
  ignored.length = inputs.at(-1)?.ignoring ?? 0; // what comes after the last of them is hidden from none
  return { keyInputs: inputs, ignoredByKeys: ignored };
}
