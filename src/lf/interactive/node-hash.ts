/** What is hashed of one node. The hashes of its children come behind it. */
import type { DefinitionId } from "../ast.js";
import type {
  CreateNode,
  ExerciseNode,
  FetchNode,
  KeyWithMaintainers,
  NodeId,
  QueryByKeyNode,
  TransactionNode,
} from "../transaction/index.js";
import { addNone, addSome, type HashSteps } from "./hash-steps.js";
import type { HashingScheme } from "./prepared-transaction.js";
import { addValue } from "./value-hash.js";

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

export const childrenOf = (node: TransactionNode): readonly NodeId[] =>
  node.kind === "exercise" || node.kind === "rollback" ? node.children : [];

export function addNode(steps: HashSteps, node: TransactionNode, seed: Uint8Array | undefined, scheme: HashingScheme): void {
  begin(steps, scheme);
  switch (node.kind) {
    case "create":
      if (seed === undefined) throw new CannotHash("a create node has no seed");
      addCreate(steps, node, seed, scheme);
      break;
    case "fetch":
      addFetch(steps, node, scheme);
      break;
    case "exercise":
      if (seed === undefined) throw new CannotHash("an exercise node has no seed");
      addExercise(steps, node, seed, scheme);
      addChildCount(steps, node.children);
      break;
    case "rollback":
      steps.about("Rollback Node").byte(nodeTags.rollback, "Rollback Node Tag");
      addChildCount(steps, node.children);
      break;
    case "queryByKey":
      addQueryByKey(steps, node, scheme);
      break;
  }
}

/** An input contract is hashed as a create node without seed. */
export function addInputContract(steps: HashSteps, create: CreateNode, scheme: HashingScheme): void {
  begin(steps, scheme);
  addCreate(steps, create, undefined, scheme);
}

function begin(steps: HashSteps, scheme: HashingScheme): void {
  if (scheme === "V2") steps.byte(encodingV1, "01 (Node Encoding Version)");
}

function addChildCount(steps: HashSteps, children: readonly NodeId[]): void {
  steps.about("Children").int32(children.length);
}

/** What kind of node it is. */
function addKind(steps: HashSteps, kind: string, node: Exclude<TransactionNode, { kind: "rollback" }>, scheme: HashingScheme): void {
  const { version } = node;
  if (scheme === "V2" && version !== "2.1")
    throw new CannotHash(`hashing scheme V2 does not cover nodes of serialisation version ${version}`);
  steps.about(`${kind} Node`).about("Node Version").text(version).byte(nodeTags[node.kind], `${kind} Node Tag`);
}

interface OfContract {
  readonly contractId: string;
  readonly packageName: string;
  readonly templateId: DefinitionId;
}

function addContract(steps: HashSteps, { contractId, packageName, templateId }: OfContract): void {
  steps.about("Contract Id").contractId(contractId);
  steps.about("Package Name").text(packageName);
  steps.about("Template Id").identifier(templateId);
}

interface WithStakeholders {
  readonly signatories: readonly string[];
  readonly stakeholders: readonly string[];
}

function addStakeholders(steps: HashSteps, { signatories, stakeholders }: WithStakeholders): void {
  steps.about("Signatories").texts(signatories);
  steps.about("Stakeholders").texts(stakeholders);
}

function addCreate(steps: HashSteps, node: CreateNode, seed: Uint8Array | undefined, scheme: HashingScheme): void {
  addKind(steps, "Create", node, scheme);
  steps.about("Node Seed");
  if (seed === undefined) addNone(steps);
  else addSome(steps).bytes(seed, "node seed");
  addContract(steps, node);
  addValue(steps.about("Arg"), node.argument);
  addStakeholders(steps, node);
  if (scheme === "V3") addKey(steps, node.key, node);
}

function addFetch(steps: HashSteps, node: FetchNode, scheme: HashingScheme): void {
  addKind(steps, "Fetch", node, scheme);
  addContract(steps, node);
  addStakeholders(steps, node);
  addInterface(steps, node.interfaceId);
  steps.about("Acting Parties").texts(node.actingParties);
  if (scheme === "V3") addByKey(steps, node);
}

function addExercise(steps: HashSteps, node: ExerciseNode, seed: Uint8Array, scheme: HashingScheme): void {
  addKind(steps, "Exercise", node, scheme);
  steps.about("Node Seed").bytes(seed, "seed");
  addContract(steps, node);
  addStakeholders(steps, node);
  steps.about("Acting Parties").texts(node.actingParties);
  addInterface(steps, node.interfaceId);
  steps.about("Choice Id").text(node.choice);
  addValue(steps.about("Chosen Value"), node.argument);
  steps.about("Consuming").bool(node.consuming);
  steps.about("Exercise Result");
  if (node.result === undefined) addNone(steps);
  else addValue(addSome(steps), node.result);
  steps.about("Choice Observers").texts(node.choiceObservers);
  if (scheme === "V3") addByKey(steps, node);
}

function addQueryByKey(steps: HashSteps, node: QueryByKeyNode, scheme: HashingScheme): void {
  addKind(steps, "QueryByKey", node, scheme);
  steps.about("PackageName").text(node.packageName);
  steps.about("TemplateId").identifier(node.templateId);
  steps.about("Exhaustive").bool(node.exhaustive);
  addGlobalKey(steps.about("Key"), node.key, node);
  steps.about("Result").int32(node.result.length);
  for (const contractId of node.result) steps.contractId(contractId);
}

function addInterface(steps: HashSteps, id: DefinitionId | undefined): void {
  steps.about("Interface Id");
  if (id === undefined) addNone(steps);
  else addSome(steps).identifier(id);
}

function addByKey(steps: HashSteps, node: FetchNode | ExerciseNode): void {
  steps.about("By Key").bool(node.byKey);
  addKey(steps, node.key, node);
}

type OfTemplate = Omit<OfContract, "contractId">;

function addKey(steps: HashSteps, key: KeyWithMaintainers | undefined, of: OfTemplate): void {
  steps.about("Key");
  if (key === undefined) addNone(steps);
  else addGlobalKey(addSome(steps), key, of);
}

function addGlobalKey(steps: HashSteps, key: KeyWithMaintainers, { packageName, templateId }: OfTemplate): void {
  steps.about("Key").about("Package Name").text(packageName);
  steps.about("Template Id").identifier(templateId);
  addValue(steps.about("Value"), key.key);
  steps.bytes(Buffer.from(key.hash, "hex"), "Global Key Hash");
  steps.about("Key Maintainers").texts(key.maintainers);
}
